/* SPDX-License-Identifier: GPL-3.0-or-later */
/** JSON values as bnbench writes them: numbers in full precision, null for what is no number, text that is always
 * UTF-8. What a function returns is the caller's, and NULL without memory. */
#ifndef BNB_CORE_BASE_JSON_H
#define BNB_CORE_BASE_JSON_H

#include "core/base/options.h"
#include "core/base/status.h"

#include <jansson.h>

AUTO_PTR_OF(json_t, json_decref)

/** null where the value is not finite. */
json_t *json_of_double(double value);

/** A whole number where the value is one below 2^53, else as json_of_double. */
json_t *json_of_count(double value);

json_t *json_of_size(uint64_t value);

/** null for NULL; bytes that are not UTF-8 become U+FFFD. */
json_t *json_of_text(const char *text);

/** null for an empty buffer; NULL, as without memory, for one that failed. */
json_t *json_of_buffer(const text_buffer *text);

/** An array of texts. */
json_t *json_of_texts(const char *const *texts, size_t n);

/**
 * Puts `value` (taken, even on failure) under `key`, which may be any text.
 * @return STATUS_MEMORY where `object` or `value` is NULL or there is no room.
 */
BNB_MUST_CHECK status json_put(json_t *object, const char *key, json_t *value, error_info *err);

typedef struct {
    const char *key;
    json_t *value;
} json_pair;

/** Puts several, each as json_put does: json_put_all(o, err, {"n", json_of_size(n)}, {"name", json_of_text(name)}). */
#define json_put_all(object, err, ...) json_put_pairs(object, (const json_pair[]){__VA_ARGS__, {0}}, err)
BNB_MUST_CHECK status json_put_pairs(json_t *object, const json_pair *pairs, error_info *err);

/** A new object of pairs: json_object_of({"n", json_of_size(n)}, {"name", json_of_text(name)}). */
#define json_object_of(...) json_of_pairs((const json_pair[]){__VA_ARGS__, {0}})
json_t *json_of_pairs(const json_pair *pairs);

/** The value as text, by the flags of jansson (JSON_INDENT(2) and so on); NULL also for NULL. */
char *json_to_text(const json_t *value, size_t flags);

/** `array` with `value` behind its items, both taken; NULL without memory, also where one of them is NULL. */
json_t *json_with(json_t *array, json_t *value);

/** Appends `value` (taken, even on failure) to an array. */
BNB_MUST_CHECK status json_add(json_t *array, json_t *value, error_info *err);

/** The value of one option of a struct; NULL without memory. */
json_t *json_of_option(const option_spec *spec, const void *options);

/** Every option's value by name: numbers as numbers, choices as text. NULL without memory. */
json_t *json_of_options(const option_spec *specs, const void *options);

/** What the options of a table are: an object each of name, type, default, least and most or choices, and help. NULL
 * without memory. */
json_t *json_of_option_table(const option_spec *specs);

/** Puts the same as json_of_options into an object that there is. */
BNB_MUST_CHECK status json_put_options(json_t *object, const option_spec *specs, const void *options, error_info *err);

/**
 * Reads JSON; a byte order mark is skipped. `*out` is the caller's, NULL on error.
 * @return STATUS_PARSE, the message "line:column: ...": no JSON, or an object with a key twice. STATUS_MEMORY.
 */
BNB_MUST_CHECK status json_read(const char *text, size_t length, json_t **out, error_info *err);

/** The same of a file of at most `most` bytes, which the message names; also what file_read returns. */
BNB_MUST_CHECK status json_read_file(const char *path, size_t most, json_t **out, error_info *err);

#endif
