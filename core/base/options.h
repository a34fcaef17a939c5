/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options of learners, scores, tests and discretizers, and the keys of a report's parts: one table, which YAML,
 * `-O key=value`, `bnbench info`, the manual and "did you mean" all read.
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
    OPT_CHOICE,  /* int: the position in `choices` */
    /* Kinds that name things of an experiment or own memory; the initial value of all but OPT_COUNT is nothing. */
    OPT_COUNT,   /* size_t */
    OPT_NAME,    /* char *: letters, digits, '.', '_' and '-'; fit to be a file's name */
    OPT_LINE,    /* char *: one line of text */
    OPT_WORD,    /* char *: one of `choices` */
    OPT_LEARNER, /* char *: the id of a learner */
    OPT_METRIC,  /* char * */
    OPT_NETWORK, /* char * */
    OPT_TEST,    /* char *: the id of a test of the report, of the kind `choices` */
    OPT_SIZE,    /* size_t: a sample size of the experiment */
    OPT_SIGMA,   /* double: a noise level of the experiment */
    OPT_GROUP, /* a mapping of the options `inner`, which land from `offset` on; bool at `count_offset`: it is there */
    OPT_LINES, /* char **: lists, their lengths (size_t) at `count_offset`; each entry once */
    OPT_LEARNERS, /* char ** */
    OPT_METRICS,  /* char ** */
    OPT_NETWORKS, /* char ** */
    OPT_COUNTS,   /* size_t * */
    OPT_SIGMAS,   /* double * */
    OPT_POOLS     /* option_pool *: names for several learners each */
} option_kind;

/** Learners that are taken together under a name of their own. Owned strings. */
typedef struct {
    char *id;
    size_t n_parts;
    char **parts; /* learners */
} option_pool;

typedef struct option_spec option_spec;
struct option_spec {
    option_kind kind;
    const char *name;
    size_t offset;       /* where it lands in the options struct */
    double initial;      /* for OPT_CHOICE: the position */
    double least, most;  /* range, ends included; of numbers alone */
    const char *help;    /* one line, no full stop */
    const char *choices; /* "a|b|c", OPT_CHOICE, OPT_WORD and OPT_TEST alone */
    const char *usual;   /* what holds without it, in words; NULL: the initial value says it */
    bool is_required;
    size_t count_offset;
    const option_spec *inner;
};

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

/** The option of that name, or NULL. */
const option_spec *options_find(const option_spec *specs, const char *name);

/** The text that an option holds; NULL where it holds none, or there is no such option. Borrowed. */
const char *options_text(const option_spec *specs, const void *options, const char *name);

/** Sets an option that holds a text, to a copy. STATUS_MEMORY; STATUS_BUG: there is no such option. */
BNB_MUST_CHECK status options_take_text(const option_spec *specs, void *options, const char *name, const char *text,
                                        error_info *err);

/** Frees what the options own, and leaves them without it. */
void options_clear(const option_spec *specs, void *options);

#endif
