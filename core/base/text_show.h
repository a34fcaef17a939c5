/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pieces of an input in a message. */
#ifndef BNB_CORE_BASE_TEXT_SHOW_H
#define BNB_CORE_BASE_TEXT_SHOW_H

#include <stddef.h>

enum { TEXT_SHOWN_SIZE = 64 };

/**
 * The lead of a text as a message shows it, into `shown`, which is returned: 60 bytes at most and "..." where it is
 * longer, cut between characters, control characters as '?', a NUL behind it. The text needs none.
 */
const char *text_show(const char *text, size_t length, char shown[TEXT_SHOWN_SIZE]);

#endif
