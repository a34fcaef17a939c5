/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The keys of parts for people: what values they take, what holds without them. */
#ifndef BNB_PARTS_KEYS_H
#define BNB_PARTS_KEYS_H

#include "parts/registry.h"

/** "a metric", "1 to 1000", "median|mean" */
void part_key_append_value(const option_spec *spec, text_buffer *out);

/** "required", "none", "median", "the largest" */
void part_key_append_usual(const option_spec *spec, text_buffer *out);

/** The keys of all kinds of a group as a Markdown table, as docs/experiment-file.md has it. */
BNB_MUST_CHECK status part_append_keys(part_group group, text_buffer *out, error_info *err);

#endif
