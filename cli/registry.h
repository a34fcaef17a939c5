/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every subcommand, by position and by name. */
#ifndef BNB_CLI_REGISTRY_H
#define BNB_CLI_REGISTRY_H

#include "cli/base/command.h"

size_t command_count(void);
const command *command_at(size_t i);

/** NULL where there is none of that name. */
const command *command_find(const char *name);

/** The help of the program as a whole. */
void command_append_overview(text_buffer *out);

#endif
