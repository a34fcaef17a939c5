/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Decomposable scores of a DAG on data, in nats, larger is better; a cache and counters in front. */
#ifndef BNB_METRICS_SCORES_SCORE_H
#define BNB_METRICS_SCORES_SCORE_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/counting/pair_tables.h"
#include "core/data/dataset.h"
#include "core/graph/dag.h"
#include "core/run/run_context.h"

/** A kind of score: an entry of the registry. Adding one is one file and one line in registry.def. */
typedef struct {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* one line, no full stop */
    const char *citation;
    bool is_equivalent; /* Markov equivalent DAGs score alike; loglik-g, aic-g and bic-g so with variance=mle */
    int accepts;        /* data_kinds, ored */
    const option_spec *options;
    size_t options_size;
    /** What a structure prior takes off for an arc; NULL: none. */
    status (*arc_penalty)(const void *options, size_t n_columns, double *nats, error_info *err);
    const struct table_score *of_tables; /* one of these two: see score_internal.h */
    const struct score_evaluator *evaluator;
} score_kind;

extern const registry score_registry;

const score_kind *score_kind_at(size_t i);

/** By name or alias; STATUS_INVALID with a suggestion. */
BNB_MUST_CHECK status score_kind_find(const char *name, const score_kind **out, error_info *err);

typedef struct score score;

/**
 * An evaluator on `data` (borrowed, outlives it). `options`: those of the kind's table; NULL: their initial values.
 * `tally` (borrowed, may be NULL) counts requests and computations (cache misses). These are the distinct families as
 * long as the cache has room, for SCORE_MOST_KEPT; past that, one that is not kept counts whenever it is computed
 * again. One a thread.
 * @return STATUS_INVALID: an option out of range, or data that this kind of score does not take: which column it is.
 */
BNB_MUST_CHECK status score_create(const score_kind *kind, const void *options, const dataset *data,
                                   statistics_count *tally, score **out, error_info *err);

/** The same within a run: it counts in ctx->scores, and a long preparation ends at the deadline. */
BNB_MUST_CHECK status score_create_within(const score_kind *kind, const void *options, const dataset *data,
                                          run_context *ctx, score **out, error_info *err);

/** Rows of its data. */
size_t score_row_count(const score *s);

/** Takes `nats` off for every arc, in place of what the kind's options say. Before any score is asked for. */
void score_penalise_arcs(score *s, double nats);

/**
 * Another evaluator of the same scores for another thread, which counts nothing; what both only read is borrowed. NULL
 * into `out` where there can be none.
 */
BNB_MUST_CHECK status score_create_twin(const score *s, score **out, error_info *err);

/** Whether there can be others: all scores but kgv, which keeps what it has met. */
bool score_has_twins(const score *s);

void score_destroy(score *s);
AUTO_PTR_OF(score, score_destroy)

/**
 * The local score of x given its parents.
 *
 * @param parents  n_parents distinct columns other than x; their order does not matter
 * @param[out] out finite, or -INFINITY where q_i r_i passes 2^62, or a Gaussian family is singular; untouched on error
 * O(n) and less; O(1) when it was asked before.
 */
BNB_MUST_CHECK status score_node(score *s, size_t x, const size_t *parents, size_t n_parents, double *out,
                                 error_info *err);

/**
 * The same for parents + extra. Cheaper when consecutive calls share x and parents: the counting is shared.
 */
BNB_MUST_CHECK status score_node_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                                      double *out, error_info *err);

/** score_node_with (COUNTS_NO_EXTRA: score_node) where `*value` is what a twin has computed: it is taken in the place
 * of what this score would compute, and becomes what the cache knows where it knows the family. */
void score_node_told(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *value);

/**
 * score_node in two steps, where somebody else finds the score. The first counts as score_node does; *out is the score
 * where that is known at once, else NAN, and the second brings it: what score_node_fresh gives. Who asks in between has
 * it computed.
 */
BNB_MUST_CHECK status score_node_begin(score *s, size_t x, const size_t *parents, size_t n_parents, double *out,
                                       error_info *err);
void score_node_end(score *s, size_t x, const size_t *parents, size_t n_parents, double value);

/** Families that the cache keeps at most, of some 200 bytes each. */
enum { SCORE_MOST_KEPT = 1 << 21 };

/** Puts into the cache, unless it is full or knows the family, what score_node_fresh gave. Not counted in the tally. */
void score_keep(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double value);

/** score_node_with past the cache: not looked up there, not kept there, and not counted in the tally. */
BNB_MUST_CHECK status score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                                       double *out, error_info *err);

/**
 * What score_node_with(known, ...) would give now, from that cache or computed by `s`: a twin of `known`, or `known`
 * itself. Nothing is counted or kept, so threads may do this side by side, each with an evaluator of its own, while
 * nobody asks `known` in another way.
 * @param[out] is_kept it comes from the cache: asking for it is a request, score_count(known, 1, 0), and no more
 */
BNB_MUST_CHECK status score_node_beside(score *s, const score *known, size_t x, const size_t *parents, size_t n_parents,
                                        size_t extra, double *out, bool *is_kept, error_info *err);

/**
 * An upper bound of score_node_with for any `extra` of r declared states, from the family without it: the score if
 * `extra` told the states of x apart wherever the parents do not. -INFINITY where q_i r_i passes 2^62; INFINITY for
 * scores that are no sum over a table: nothing is known of them beforehand.
 * Not counted in the tally. O(table) after the first call for the same x and parents.
 */
BNB_MUST_CHECK status score_ceiling_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t r,
                                         double *out, error_info *err);

/**
 * score_node_fresh where the score may lie above `floor`; else, with *is_exact false, an upper bound of it that does
 * not, which is found by counting only the rows of configurations in which x has more than one state. Not counted in
 * the tally. Consecutive calls should share x and parents.
 */
BNB_MUST_CHECK status score_node_above(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                                       double floor, double *out, bool *is_exact, error_info *err);

/** The bit vectors of all columns over the states that occur; NULL into `out` for scores that are no sum over a table.
 * `threads` make them with the caller; NULL: up to n_threads of their own. */
BNB_MUST_CHECK status score_make_tables(const score *s, size_t n_threads, crew *threads, pair_tables **out,
                                        error_info *err);

/** Lends those of score_make_tables to the score's own counting; as counts_lend_tables. */
void score_lend_tables(score *s, const pair_tables *tables);

/** Counts there from here on (borrowed). */
void score_set_tally(score *s, statistics_count *tally);

/** Adds to the tally what the caller has asked for past the cache, or has kept. */
void score_count(score *s, uint64_t requests, uint64_t computed);

/**
 * Adds to the tally the families of x with `parents` and each of `extras`, as if they had been asked for by
 * score_node_with: a request each, and computed where neither this function nor the cache has met the family before
 * (this function forgets none; the cache keeps 2^21). The extras ascend.
 */
BNB_MUST_CHECK status score_count_additions(score *s, size_t x, const size_t *parents, size_t n_parents,
                                            const size_t *extras, size_t n_extras, error_info *err);

/** The same with each column as the extra that is not among `others`, which ascend; x and the parents are among them.
 * O(others), and not the columns, but where a family of as many parents is in the cache. */
BNB_MUST_CHECK status score_count_additions_but(score *s, size_t x, const size_t *parents, size_t n_parents,
                                                const size_t *others, size_t n_others, error_info *err);

/** Tells again what rows of additions left out, x and parents aside: of a row by its number, the same at any time. */
typedef struct {
    void *of;
    bool (*has)(void *of, size_t row, size_t column);
    size_t (*list)(void *of, size_t row, size_t *out); /* ascending, into room for all columns; how many */
    bool is_quick; /* `has` is O(1): rather than to list, many columns are asked about */
} left_out_source;

/**
 * score_count_additions_but in two steps, of a row that `source` tells, whose `of` must outlive the score's use:
 * nothing is kept that grows with the columns. First, into `*n_known`, how many of the row's families were met before;
 * they are most often none, and then the row is not listed. Second, when it is convenient, to the tally, `requests` as
 * many as the row has families.
 */
BNB_MUST_CHECK status score_count_additions_recalled(score *s, size_t x, const size_t *parents, size_t n_parents,
                                                     const left_out_source *source, size_t row, size_t *n_known,
                                                     error_info *err);
void score_count_recalled(score *s, size_t requests, size_t n_known);

/** True if at most one state of the column occurs; false for scores that are no sum over a table. */
bool score_is_constant(const score *s, size_t column);

/**
 * score_node_with for any such column (one that score_is_constant knows) of r declared states: it splits nothing, and
 * all score alike. Not counted in the tally.
 */
BNB_MUST_CHECK status score_constant_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t r,
                                          double *out, error_info *err);

/** Sum over the nodes; node i of the DAG is column i. `by_node` (n entries) may be NULL. */
BNB_MUST_CHECK status score_dag(score *s, const dag *g, double *total, double *by_node, error_info *err);

/** Scores closer than this tie; moves must gain more. */
#define SCORE_TOLERANCE 1e-9

#endif
