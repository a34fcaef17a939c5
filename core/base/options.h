/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options of learners, scores, tests and discretizers: one table, which YAML, `-O key=value`, `bnbench info`,
 * the manual and "did you mean" all read.
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
    OPT_CHOSEN   /* option_choice: a thing of the registry `of`, and its options */
} option_kind;

typedef struct {
    option_kind kind;
    const char *name;
    size_t offset;       /* where it lands in the options struct */
    double initial;      /* for OPT_CHOICE and OPT_CHOSEN: the position; of the latter -1: none */
    double least, most;  /* range, ends included; OPT_INT and OPT_REAL alone */
    const char *help;    /* one line, no full stop */
    const char *choices; /* "a|b|c"; OPT_CHOSEN: the word for none; NULL: one must be chosen */
    bool is_common;      /* of a thing that is chosen: may be named, and is listed, whichever is chosen */
    const registry *of;  /* OPT_CHOSEN alone */
} option_spec;

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

#endif
