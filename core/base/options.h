/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options of learners, scores, tests and discretizers, and the keys of a report's parts: one table, which YAML,
 * `-O key=value`, `bnbench info`, the manual and "did you mean" all read.
 */
#ifndef BNB_CORE_BASE_OPTIONS_H
#define BNB_CORE_BASE_OPTIONS_H

#include "core/base/registry.h"
#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>

typedef enum {
    OPT_END = 0, /* closes a table */
    OPT_INT,     /* int */
    OPT_REAL,    /* double */
    OPT_BOOL,    /* bool */
    OPT_CHOICE,  /* int: the position in `choices` */
    OPT_CHOSEN,  /* option_choice: a thing of the registry `of`, and its options */
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
    double initial;      /* for OPT_CHOICE and OPT_CHOSEN: the position; of the latter -1: none */
    double least, most;  /* range, ends included; OPT_INT and OPT_REAL alone */
    const char *help;    /* one line, no full stop */
    const char *choices; /* "a|b|c"; OPT_CHOSEN: the word for none; NULL: one must be chosen */
    bool is_common;      /* of a thing that is chosen: may be named, and is listed, whichever is chosen */
    const registry *of;  /* OPT_CHOSEN alone */
    const char *usual;   /* what holds without it, in words; NULL: the initial value says it */
    bool is_required;
    bool is_later; /* came when results were stored already: at its initial value their keys leave it out */
    size_t count_offset;
    const option_spec *inner;
};

/**
 * Which thing of a registry was chosen, and the options of all that are there, so that they can be set in any order: a
 * plain value, copied by assignment.
 */
typedef struct {
    int chosen; /* its place; -1: none */
    _Alignas(double) unsigned char room[256];
} option_choice;

/** What was chosen, and where its options lie in the choice; NULL where nothing was. */
const void *option_chosen(const registry *r, const option_choice *c);
void *option_chosen_options(const registry *r, option_choice *c);

/** Fills a struct with the initial values. */
void options_set_initial(const option_spec *specs, void *options);

/** A struct of that size with them, on the heap; NULL without memory. free() it. */
void *options_create(const option_spec *specs, size_t size);

/**
 * Sets one option from text. "score.am" names the option `am` of what was chosen by `score`, and so does "am" where the
 * table has no such option itself; where it has one, that stands for the one of the thing. Choose before you name.
 * @return STATUS_INVALID with what was found and what would do: unknown name (with a suggestion), no number,
 *         out of range, no such choice; the struct is unchanged.
 */
BNB_MUST_CHECK status options_set(const option_spec *specs, void *options, const char *name, const char *value,
                                  error_info *err);

/** The same from "name=value". */
BNB_MUST_CHECK status options_set_pair(const option_spec *specs, void *options, const char *pair, error_info *err);

/** STATUS_INVALID where options_set would know no option of that name, whatever is chosen. */
BNB_MUST_CHECK status options_check_name(const option_spec *specs, const char *name, error_info *err);

/** Sets those options of `to` that `from` has under the same name. */
void options_take(const option_spec *to_specs, void *to, const option_spec *from_specs, const void *from);

/** A walk over a table and the options of what is chosen: what keys are made of, and what is stored and shown. */
typedef struct {
    option_spec spec;         /* the option, its offset from the start of the whole struct */
    char name[64];            /* as options_set takes it */
    const option_spec *owner; /* the row that chose the thing that it belongs to; NULL: it is the table's own */
    const option_spec *table, *next, *open; /* `open`: the row whose things are walked */
    const void *options;
    size_t place, inner; /* in the registry, and in the table there */
} option_walk;

/**
 * `options` NULL: a walk over what is there whichever is chosen. Else options of what was chosen that differ from their
 * initial value come too: `while (options_next(&walk))`.
 */
option_walk options_walk(const option_spec *specs, const void *options);
bool options_next(option_walk *w);

/** True where the option, not an OPT_CHOSEN, has its initial value. The walk is over options. */
bool option_walk_is_initial(const option_walk *w);

/** Appends what the option is for; in front of it the things that have it: "g2, x2: degrees of freedom". */
void option_walk_append_help(const option_walk *w, text_buffer *out);

/** Appends the value of one option as the text that `options_set` would take. */
void options_append_value(const option_spec *spec, const void *options, text_buffer *out);

/** Writes the initial value of one option, which need not be a choice, into `room`; returns it as an option of that. */
option_spec options_initial(const option_spec *spec, option_choice *room);

/** Appends the words that OPT_CHOICE and OPT_CHOSEN take, as "a|b|c". */
void options_append_choices(const option_spec *spec, text_buffer *out);

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
