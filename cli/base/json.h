/* SPDX-License-Identifier: GPL-3.0-or-later */
/** JSON values as bnbench prints them: numbers in full precision, null for what is no number, text that is always
 * UTF-8. */
#ifndef BNB_CLI_BASE_JSON_H
#define BNB_CLI_BASE_JSON_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/run/trace.h"

#include <jansson.h>
#include <stdint.h>

/** null where the value is not finite. */
json_t *json_of_double(double value);

/** A whole number where the value is one below 2^53, else as json_of_double. */
json_t *json_of_count(double value);

/** null for NULL; bytes that are not UTF-8 become U+FFFD. */
json_t *json_of_text(const char *text);

/** An array of texts. */
json_t *json_of_texts(const char *const *texts, size_t n);

/**
 * Puts `value` (taken, even on failure) under `key`, which may be any text.
 * @return STATUS_MEMORY where `object` or `value` is NULL or there is no room.
 */
BNB_MUST_CHECK status json_put(json_t *object, const char *key, json_t *value, error_info *err);

/** Appends `value` (taken, even on failure) to an array. */
BNB_MUST_CHECK status json_add(json_t *array, json_t *value, error_info *err);

/** Every option's value by name: numbers as numbers, choices as text. NULL without memory. */
json_t *json_of_options(const option_spec *specs, const void *options);

/** An option table: name, type, default, range or choices, help. NULL without memory. */
json_t *json_of_option_specs(const option_spec *specs);

/** The figures of a trace by name; its series, each an array of [step, value]. NULL without memory. */
json_t *json_of_figures(const trace *t);
json_t *json_of_series(const trace *t);

/** What an option's values may be, for people: "0 .. 1", "a|b", "true|false". */
void text_append_option_range(text_buffer *out, const option_spec *spec);

#endif
