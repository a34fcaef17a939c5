/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How wide what people read may be, and what a terminal gets to see. */
#ifndef BNB_CLI_BASE_TERMINAL_H
#define BNB_CLI_BASE_TERMINAL_H

#include <stddef.h>

/**
 * Columns of what stands at `fd`: $COLUMNS where that is a number, wherever the output goes; else of a terminal what it
 * says, or 80 where it says nothing. 0 for a file or a pipe: lines are not folded.
 */
size_t terminal_width(int fd);

/** Puts '?' in place of what would command a terminal rather than be shown: control characters other than tab, line end
 * and the beginning and end of bold. Names and states come from files that others wrote. */
void terminal_clean(char *text);

#endif
