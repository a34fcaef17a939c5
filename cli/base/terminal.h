/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How wide what people read may be. */
#ifndef BNB_CLI_BASE_TERMINAL_H
#define BNB_CLI_BASE_TERMINAL_H

#include <stddef.h>

/**
 * Columns of what stands at `fd`: $COLUMNS where that is a number, wherever the output goes; else of a terminal what it
 * says, or 80 where it says nothing. 0 for a file or a pipe: lines are not folded.
 */
size_t terminal_width(int fd);

#endif
