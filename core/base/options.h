/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options of learners, scores, tests and discretizers: one table, which YAML, `-O key=value`, `bnbench info`,
 * the manual and "did you mean" all read.
 */
#ifndef BNB_CORE_BASE_OPTIONS_H
#define BNB_CORE_BASE_OPTIONS_H

#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>

typedef enum {
    OPT_END = 0, /* closes a table */
    OPT_INT,     /* int */
    OPT_REAL,    /* double */
    OPT_BOOL,    /* bool */
    OPT_CHOICE   /* int: the position in `choices` */
} option_kind;

typedef struct {
    option_kind kind;
    const char *name;
    size_t offset;       /* where it lands in the options struct */
    double initial;      /* for OPT_CHOICE: the position */
    double least, most;  /* range, ends included; OPT_INT and OPT_REAL alone */
    const char *help;    /* one line, no full stop */
    const char *choices; /* "a|b|c", OPT_CHOICE alone */
} option_spec;

/** Fills a struct with the initial values. */
void options_set_initial(const option_spec *specs, void *options);

/**
 * Sets one option from text.
 * @return STATUS_INVALID with what was found and what would do: unknown name (with a suggestion), no number,
 *         out of range, no such choice; the struct is unchanged.
 */
BNB_MUST_CHECK status options_set(const option_spec *specs, void *options, const char *name, const char *value,
                                  error_info *err);

/** The same from "name=value". */
BNB_MUST_CHECK status options_set_pair(const option_spec *specs, void *options, const char *pair, error_info *err);

/** Appends the value of one option as the text that `options_set` would take. */
void options_append_value(const option_spec *spec, const void *options, text_buffer *out);

/** The options table's length, OPT_END left out; NULL counts as empty. */
size_t options_count(const option_spec *specs);

#endif
