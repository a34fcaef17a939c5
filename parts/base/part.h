/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What a report is made of: tables, tests and plots. A kind of part is one file and one line in parts/registry.def;
 * its table of options is what the experiment file, `bnbench info` and the manual know of it.
 */
#ifndef BNB_PARTS_BASE_PART_H
#define BNB_PARTS_BASE_PART_H

#include "core/base/options.h"
#include "parts/figures/outputs.h"
#include "store/store.h"

/** A row of a table of options: what lands in a member of `type`; of a list with its length in n_MEMBER. */
#define PART_ROW(kind_, name_, type, member, ...)                                                                      \
    { .kind = kind_, .name = name_, .offset = offsetof(type, member), __VA_ARGS__ }
#define PART_LIST_ROW(kind_, name_, type, member, ...)                                                                 \
    PART_ROW(kind_, name_, type, member, .count_offset = offsetof(type, n_##member), __VA_ARGS__)

/** Rows that every table of options begins with, and others that many have. */
#define PART_HEAD_ROWS(type, usual_title)                                                                              \
    PART_ROW(OPT_NAME, "id", type, id, .is_required = true, .help = "names it, and its files"),                        \
        PART_ROW(OPT_LINE, "title", type, title, .usual = usual_title, .help = "its heading")

#define PART_PUBLISHED_ROW(type, what)                                                                                 \
    PART_ROW(OPT_NAME, "published", type, published, .help = "a file of published figures: " what)

#define PART_ALL_LEARNERS "all but parts of a best_of"
#define PART_THESE_ALONE "these alone, in this order"

typedef enum { PART_TABLE, PART_TEST, PART_PLOT, PART_GROUP_COUNT } part_group;

/** What a part needs beside the figures of the jobs; flags. */
enum {
    PART_NEEDS_TEXTS = 1,        /* graphs and thresholds of the records */
    PART_NEEDS_FACTS = 2,        /* outputs.facts */
    PART_NEEDS_TRUTH = 4,        /* outputs.true_graphs of the network that its option `network` names */
    PART_NEEDS_PROBABILITIES = 8 /* outputs.probabilities of its options `network` and `variable` */
};

typedef struct part_output part_output;
typedef struct part_list part_list;
typedef struct declared_part declared_part;
struct table;
struct test_outcomes;
struct plot;

/** What parts are made of. Borrowed. */
typedef struct {
    const experiment_outputs *outputs;
    const part_list *parts; /* all that are declared */
    const job_record *records;
    size_t n_records;
} part_context;

/** A kind of part. */
typedef struct {
    part_group group;
    const char *name;    /* of the kind: "metric", "friedman", "heatmap" */
    const char *summary; /* one line, no full stop */
    size_t options_size;
    const option_spec *options; /* with OPT_NAME `id` and OPT_LINE `title` */
    unsigned needs;
    /**
     * Fills in what follows from the other options, and says what does not fit the experiment; NULL: nothing of both.
     * @param[out] key the option that is wrong, NULL where it is the whole
     * @return STATUS_INVALID, STATUS_MEMORY
     */
    status (*complete)(void *options, const experiment_outputs *outputs, const char **key, error_info *err);
    /** Computes the part and shows it; what cannot be made is a note. STATUS_MEMORY, STATUS_IO. */
    status (*make)(const part_context *c, const declared_part *p, part_output *out, error_info *err);
    /** Of a table whose figures may be held against published ones: those; NULL of other parts. */
    status (*tabulate)(const part_context *c, const void *options, part_output *out, struct table *t, error_info *err);
    /** Of a test whose outcomes a paper may print: adds those that it does, beside its own; NULL of other parts. */
    status (*list_outcomes)(const part_context *c, const void *options, part_output *out, struct test_outcomes *list,
                            error_info *err);
    /** Of a plot of points or values: those, of the outputs' learners; NULL of other parts. */
    status (*plot)(const experiment_outputs *outputs, const void *options, const job_record *records, size_t n_records,
                   struct plot *out, error_info *err);
} part_kind;

/** A part of a report as it is declared. */
struct declared_part {
    const part_kind *kind;
    void *options; /* of kind; owned by the list */
};

/** In the order in which a report shows them. Zero-initialise. */
struct part_list {
    size_t n;
    declared_part *parts;
};

void part_list_clear(part_list *l);

/** Adds a part with the initial options of its kind; they live as long as the list. NULL without memory. */
void *part_list_add(part_list *l, const part_kind *kind);

size_t part_list_count(const part_list *l, part_group group);

/** The part of that id, or NULL. */
const declared_part *part_list_find(const part_list *l, const char *id);

/** The text of an option, NULL where it is not declared or the kind has none of that name. */
const char *part_text(const declared_part *p, const char *option);

/** Whether any part has one of these needs. */
bool part_list_needs(const part_list *l, unsigned needs);

#endif
