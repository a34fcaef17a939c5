/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BNB_CLI_BASE_SHELL_WORD_H
#define BNB_CLI_BASE_SHELL_WORD_H

#include "core/base/text.h"

/** Appends a word as a shell takes it: plain where that is safe, else between single quotes. */
void shell_append_word(text_buffer *out, const char *word);

#endif
