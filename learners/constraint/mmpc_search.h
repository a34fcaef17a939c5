/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Max-min parents and children: Tsamardinos, Brown, Aliferis 2006, Mach. Learn. 65:31-78, Algorithms 1 and 2 and the
 * optimisations of section 6 there.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_MMPC_SEARCH_H
#define BNB_LEARNERS_CONSTRAINT_MMPC_SEARCH_H

#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "core/run/shared_work.h"
#include "learners/base/neighbour_lists.h"
#include "learners/base/table_limit.h"
#include "metrics/tests/association.h"

/** Searches by other threads. The answers of their sources are those of the first; counters are their own. */
typedef struct {
    size_t count;
    void *self;
    /** Asked in the thread that will use it, once for each number below `count` at most. What is given is borrowed. */
    status (*join)(void *self, size_t number, association_source *source, const decision_source **quick,
                   statistics_count **tally, error_info *err);
} mmpc_helpers;

/** Targets may come in parts: what a source can say of many at once, it finds for a part before its searches begin. */
typedef struct {
    void *self;
    /** The end of the part that begins at `first`: the first target behind it. NULL, as are the next two: all are one
     * part, of which nothing is found at once. */
    size_t (*end)(void *self, size_t first);
    /** While no thread is at work. ctx->tell hears what is done of the part before its searches. */
    status (*begin)(void *self, size_t first, size_t end, const run_context *ctx, error_info *err);
    /** Tests that this counted as computed for the targets from `first` up to end - 1. */
    uint64_t (*count)(void *self, size_t first, size_t end);
} mmpc_parts;

typedef struct {
    int max_k;                /* largest conditioning set; negative: no limit */
    int symmetry;             /* symmetry_rule of the skeleton */
    bool use_refusals;        /* optimisation 4: X did not return T: X is no candidate of T */
    bool use_claims;          /* optimisation 5: X returned T: the search for T starts with X */
    const table_limit *limit; /* spares the search the sets that the source would refuse; NULL: ask for all. Borrowed */
    const decision_source *quick; /* the source: where no more is needed, only whether a pair is independent is asked.
                                     NULL: associations always. Borrowed */
    statistics_count *tally;      /* what the source counts; NULL: not known. Borrowed */
    mmpc_helpers helpers; /* of mmpc_skeleton, with optimisations 4 and 5 and where the source offers `repeat` */
    mmpc_parts parts;     /* of mmpc_skeleton, likewise */
    const char *key;      /* of mmpc_skeleton, likewise: what ctx->checkpoint is of; NULL: none is kept */
} mmpc_rules;

/** What a target X asked about a target that it found: given any of what was a member before that one, and, when it was
 * that one's turn in the backward phase, given any of the other members. */
typedef struct {
    size_t *entered; /* the members of X in order of entry, those that were removed too */
    bool *is_removed;
    size_t n;
} mmpc_record;

void mmpc_record_clear(mmpc_record *r);

/** The place of entry of a column; r->n: it never entered. */
size_t mmpc_record_place(const mmpc_record *r, size_t column);

/** The search for one target after another, with its workspace: O(n_variables) memory. */
typedef struct mmpc_search mmpc_search;

/**
 * Reliability must be monotone: where a test given z is not performed, neither is one given more. `ctx` is asked for
 * the deadline alone; both borrowed.
 */
BNB_MUST_CHECK status mmpc_search_create(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                                         const run_context *ctx, mmpc_search **out, error_info *err);
void mmpc_search_destroy(mmpc_search *s); /* NULL is fine */
AUTO_PTR_OF(mmpc_search, mmpc_search_destroy)

/**
 * A search for other targets at the same time, in another thread and by a source of its own, that knows what the first
 * one and those beside it have asked. It is destroyed before the first.
 */
BNB_MUST_CHECK status mmpc_search_create_beside(const mmpc_search *first, const association_source *source,
                                                const decision_source *quick, statistics_count *tally,
                                                mmpc_search **out, error_info *err);

/** What a target has asked, where both optimisations are used and the source offers `repeat`: else nothing. It may be
 * written where it is known from an earlier run. */
mmpc_record *mmpc_search_record(mmpc_search *s, size_t target);

/** Threads with a search each, which take part in the tests of another's while they have nothing to do. */
typedef struct {
    shared_work work;       /* where they look for such tests */
    mmpc_search **searches; /* by number of the thread less one; NULL: it has none yet */
    atomic_bool have_begun; /* all look there; else the first alone does, until very many tests are shared */
} mmpc_threads;

/** Up to n threads, under the caller's lock and condition. The caller clears it, after a failure too. */
BNB_MUST_CHECK status mmpc_threads_init(mmpc_threads *t, size_t n, pthread_mutex_t *lock, pthread_cond_t *change,
                                        error_info *err);
void mmpc_threads_clear(mmpc_threads *t);

/** The search is that of the thread of this number, from 1 on; its tests, and long work of its source, are shared with
 * the others, which are borrowed. */
BNB_MUST_CHECK status mmpc_search_share(mmpc_search *s, mmpc_threads *threads, size_t number, error_info *err);

/** Is told, now and then, of the target and the variables that it may still find. */
typedef struct {
    void *self;
    void (*left)(void *self, const size_t *columns, size_t n_columns);
} mmpc_watch;
void mmpc_search_set_watch(mmpc_search *s, mmpc_watch watch);

/** What was found for the targets 0 .. n_done - 1, for the optimisations 4 and 5. */
typedef struct {
    size_t n_done;
    const size_t *claims; /* those of them that found the present target, ascending */
    size_t n_claims;
} mmpc_earlier;

/**
 * MMPCbar of one target (Algorithm 1): no symmetry correction.
 *
 * @param earlier      NULL: nothing was found before
 * @param[out] members valid until the next call; in order of entry, those of a warm start first
 *
 * An association that the search knows is not asked for again: the backward phase leaves out the sets that the forward
 * phase went through when the member was still a candidate. Sets are taken by increasing size, lexicographically in
 * order of entry, and no larger ones once no test of a size was reliable. Within one set the candidates vary, so that
 * consecutive tests share target and set. Ties go to the lower index. A limit changes neither members nor the tests
 * that are performed, only how often the source has to refuse.
 */
BNB_MUST_CHECK status mmpc_search_target(mmpc_search *s, size_t target, const mmpc_earlier *earlier,
                                         const size_t **members, size_t *n_members, error_info *err);

/** Says that the target is done: of its tests few will be asked again. */
void mmpc_search_release(mmpc_search *s);

/** A variable and its association with the target without condition. */
typedef struct {
    size_t variable;
    association value;
    bool is_bound; /* it depends no more than that; how much is asked where it matters, of the source of decisions */
} mmpc_candidate;

/**
 * The same where the associations without condition are known already: of those that are not zero, by ascending
 * variable. Without the optimisations 4 and 5.
 */
BNB_MUST_CHECK status mmpc_search_candidates(mmpc_search *s, size_t target, const mmpc_candidate *candidates,
                                             size_t n_candidates, const size_t **members, size_t *n_members,
                                             error_info *err);

/** The deadline came before the last target was done. */
bool mmpc_search_is_cut_short(const mmpc_search *s);

/**
 * MMPC of every variable (Algorithm 2) as a skeleton; targets in ascending order, on which results depend with
 * optimisations 4 and 5. At the deadline: what the targets done by then say, and `*is_cut_short`. With helpers, where
 * the rest is worth their start, by several threads: neither the skeleton nor the sum of the counters depends on their
 * number. ctx->tell. With ctx->checkpoint, targets that the file has are not searched, and the others are written there
 * by 64; skeleton and counters, of which rules->tally has the sum, are those of a run that nothing ended.
 */
BNB_MUST_CHECK status mmpc_skeleton(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                                    const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err);

#endif
