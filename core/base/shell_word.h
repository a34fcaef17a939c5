/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Words as a shell takes them, for text that a person types or copies. No shell is involved. */
#ifndef BNB_CORE_BASE_SHELL_WORD_H
#define BNB_CORE_BASE_SHELL_WORD_H

#include "core/base/text.h"

/** Appends a word as a shell takes it: plain where that is safe, else between single quotes. */
void shell_append_word(text_buffer *out, const char *word);

/**
 * Appends the words of a line to a list of texts (texts_destroy): blanks part them, but not within '...' or "...", and
 * a backslash outside of '...' takes the next character as it is. Nothing is expanded.
 * @return STATUS_INVALID: a quote is not closed, or a backslash is the last character. STATUS_MEMORY.
 */
BNB_MUST_CHECK status shell_split_words(const char *line, char ***words, size_t *n, error_info *err);

#endif
