/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What could be typed next, from the syntax of the commands and the registries. */
#ifndef BNB_CLI_SHELL_CANDIDATES_H
#define BNB_CLI_SHELL_CANDIDATES_H

#include "cli/base/command.h"

/** What was typed behind "bnbench": the last word is the one that is being typed, and may be empty. */
typedef struct {
    const command *const *commands; /* n_commands of them */
    size_t n_commands;
    const char *const *words;
    size_t n_words; /* at least 1 */
} typed_line;

/**
 * Appends a line for each word that may stand there and begins with what was typed: the word, a tab, what it is. A line
 * with nothing in front of the tab: the name of a file may stand there too. Names that hold a tab or a line end are
 * left out.
 */
BNB_MUST_CHECK status candidates_append(const typed_line *line, text_buffer *out, error_info *err);

#endif
