/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Text for a terminal of some width. */
#ifndef BNB_CORE_BASE_TEXT_FOLD_H
#define BNB_CORE_BASE_TEXT_FOLD_H

#include "core/base/text.h"

/**
 * Appends text with its lines folded between words; a word that is wider stays whole. What goes on stands below the
 * last of the line's columns in its left half (two blanks part columns), else two blanks in from where it began. Width
 * 0: as it is.
 */
void text_fold(const char *text, size_t width, text_buffer *out);

#endif
