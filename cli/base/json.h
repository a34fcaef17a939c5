/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What an option table looks like to people and programs. */
#ifndef BNB_CLI_BASE_JSON_H
#define BNB_CLI_BASE_JSON_H

#include "core/base/json.h"
#include "core/base/text.h"

/** Every option's value by name: numbers as numbers, choices as text. NULL without memory. */
json_t *json_of_options(const option_spec *specs, const void *options);

/** An option table: name, type, default, range or choices, help. NULL without memory. */
json_t *json_of_option_specs(const option_spec *specs);

/** What an option's values may be, for people: "0 .. 1", "a|b", "true|false". */
void text_append_option_range(text_buffer *out, const option_spec *spec);

#endif
