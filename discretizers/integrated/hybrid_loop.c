/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LearnHybridBN of Fu 2005, III.1: graph and policy in turn, each learned under the other, until the score of both no
 * longer rises (or, by method, the graph stays). The pair at hand and the best of those before it are kept whole; a
 * pair that comes again ends the loop. With a number of turns given, neither does, but a pair that comes again at once.
 */
#include "core/base/array.h"
#include "core/graph/equivalence.h"
#include "discretizers/integrated/integrated_internal.h"
#include "learners/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A graph, the policy under which it was learned, and their score. */
typedef struct {
    cut_policy policy;
    learner_result learned;
    dag *graph; /* learned.graph, or a member of its class */
    double score;
} pair;

static void pair_clear(pair *p) {
    policy_clear(&p->policy);
    learner_result_clear(&p->learned);
    dag_destroy(p->graph);
    *p = (pair){0};
}

static void pair_move(pair *from, pair *to) {
    pair_clear(to);
    *to = *from;
    *from = (pair){0};
}

typedef struct {
    integration in;
    const inner_learner *inner;
    pair now;
    pair best;      /* of those before `now`; or empty */
    uint64_t *seen; /* hashes of all pairs so far */
    size_t n_turns, n_seen, capacity;
    bool is_cut_short;
} hybrid_loop;

static void loop_clear(hybrid_loop *l) {
    integration_clear(&l->in);
    pair_clear(&l->best);
    pair_clear(&l->now);
    free(l->seen);
}

/* --- pairs --- */

/* The graph under the policy as it stands. */
static status learn_graph(hybrid_loop *l, pair *out, error_info *err) {
    integration *in = &l->in;
    AUTO(pair_clear) pair made = {0};
    AUTO_PTR(dataset_destroy) dataset *discrete = NULL;
    int fallback = 0;
    CHECK(policy_copy(&in->policy, &made.policy, err));
    CHECK(policy_apply(&in->policy, in->data, &discrete, err));
    CHECK(l->inner->learn(l->inner->self, discrete, &made.learned, err));
    CHECK(pdag_extend_anyway(made.learned.graph, &made.graph, &fallback, err));
    l->is_cut_short = l->is_cut_short || made.learned.is_cut_short;
    in->graph = made.graph;
    CHECK(integration_score(in, &made.score, err));
    *out = TAKE(made);
    return STATUS_OK;
}

static bool same_graph(const dag *a, const dag *b) {
    for (size_t x = 0; x < dag_node_count(a); x++) {
        size_t n_a, n_b;
        const size_t *of_a = dag_parents(a, x, &n_a), *of_b = dag_parents(b, x, &n_b);
        if (n_a != n_b || (n_a > 0 && memcmp(of_a, of_b, n_a * sizeof *of_a) != 0))
            return false;
    }
    return true;
}

static random_key key_of_bits(random_key key, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return random_key_number(key, bits);
}

static uint64_t hash_of(const pair *p) {
    random_key key = random_key_of(1);
    for (size_t x = 0; x < dag_node_count(p->graph); x++) {
        const column_policy *c = &p->policy.columns[x];
        size_t n;
        const size_t *parents = dag_parents(p->graph, x, &n);
        key = random_key_number(key, n);
        for (size_t i = 0; i < n; i++)
            key = random_key_number(key, parents[i]);
        key = random_key_number(key, c->n);
        for (size_t i = 0; i < c->n; i++)
            key = key_of_bits(key, c->thresholds[i]);
    }
    return key.hash;
}

/* True if the pair was there before: from here on everything would come again. */
static status remember(hybrid_loop *l, const pair *p, bool *is_known, error_info *err) {
    uint64_t hash = hash_of(p);
    *is_known = false;
    for (size_t i = 0; i < l->n_seen; i++)
        *is_known = *is_known || l->seen[i] == hash;
    return ARRAY_PUSH(l->seen, l->n_seen, l->capacity, err, hash);
}

/* --- turns --- */

/* The pair as it stands becomes `next`; it is kept where it is the best so far. */
static void advance(hybrid_loop *l, pair *next) {
    if (!l->best.graph || l->now.score > l->best.score)
        pair_move(&l->now, &l->best);
    pair_move(next, &l->now);
}

/* No time for another graph: that of the last turn, with the policy found for it since. */
static status keep_policy_alone(hybrid_loop *l, error_info *err) {
    cut_policy policy = {0};
    l->is_cut_short = true;
    CHECK(integration_score(&l->in, &l->now.score, err));
    CHECK(policy_copy(&l->in.policy, &policy, err));
    policy_clear(&l->now.policy);
    l->now.policy = policy;
    return STATUS_OK;
}

/* Goes on to a pair, or stays where its score is no better; false into `*goes_on` at the end. */
static status judge(hybrid_loop *l, pair *next, bool *goes_on, error_info *err) {
    bool is_same = same_graph(next->graph, l->now.graph), is_known;
    *goes_on = false;
    CHECK(remember(l, next, &is_known, err));
    if (l->in.options->turns > 0) {
        *goes_on = l->seen[l->n_seen - 1] != l->seen[l->n_seen - 2];
        advance(l, next);
    } else if (l->in.method->stops_at_same_graph) {
        *goes_on = !is_same && !is_known;
        l->in.hit_guard = l->in.hit_guard || (is_known && !is_same);
        advance(l, next);
    } else if (integration_improves(next->score, l->now.score)) {
        *goes_on = true;
        advance(l, next);
    }
    return STATUS_OK;
}

/* Of the pair that a turn came to: its score, and what was computed until then. */
static status tell_turn(const hybrid_loop *l, double score, error_info *err) {
    const run_context *ctx = l->in.ctx;
    CHECK(trace_add_point(ctx->trace, "policy_score", l->n_turns, score, err));
    CHECK(trace_add_point(ctx->trace, "discretization_calls", l->n_turns,
                          (double)(ctx->threshold_evaluations + ctx->policy_scores), err));
    return trace_add_point(ctx->trace, "statistics", l->n_turns, (double)run_context_statistics(ctx).computed, err);
}

static status turn(hybrid_loop *l, bool *goes_on, error_info *err) {
    AUTO(pair_clear) pair next = {0};
    l->in.graph = l->now.graph;
    l->n_turns++;
    *goes_on = false;
    CHECK(integration_learn_policy(&l->in, err));
    if (l->in.is_expired)
        return keep_policy_alone(l, err);
    CHECK(learn_graph(l, &next, err));
    CHECK(tell_turn(l, next.score, err));
    CHECK(judge(l, &next, goes_on, err));
    return STATUS_OK;
}

static status alternate(hybrid_loop *l, error_info *err) {
    bool is_counted = l->in.options->turns > 0;
    size_t most = (size_t)(is_counted ? l->in.options->turns : l->in.options->max_iterations);
    bool goes_on = true, is_known;
    CHECK(learn_graph(l, &l->now, err));
    CHECK(remember(l, &l->now, &is_known, err));
    CHECK(tell_turn(l, l->now.score, err));
    while (goes_on && !l->is_cut_short && l->n_turns < most)
        CHECK(turn(l, &goes_on, err));
    l->in.hit_guard = l->in.hit_guard || (goes_on && !is_counted && !l->is_cut_short);
    if ((is_counted || l->in.hit_guard || l->is_cut_short) && l->best.graph && l->best.score > l->now.score)
        pair_move(&l->best, &l->now);
    return STATUS_OK;
}

static status tell(const hybrid_loop *l, error_info *err) {
    run_context *ctx = l->in.ctx;
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"outer_iterations", (double)l->n_turns},
        {"threshold_evaluations", (double)ctx->threshold_evaluations},
        {"policy_scores", (double)ctx->policy_scores},
        {"discretization_calls", (double)(ctx->threshold_evaluations + ctx->policy_scores)},
        {"column_searches", (double)ctx->column_searches},
        {"loop_guard", l->in.hit_guard ? 1 : 0},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        CHECK(trace_set_figure(ctx->trace, figures[i].name, figures[i].value, err));
    return STATUS_OK;
}

status integrated_run(const discretizer *self, const dataset *data, const void *options, const inner_learner *inner,
                      run_context *ctx, cut_policy *policy, learner_result *result, error_info *err) {
    AUTO(loop_clear) hybrid_loop l = {.inner = inner};
    CHECK(integration_init(&l.in, self->method, options, data, ctx, err));
    CHECK(alternate(&l, err));
    CHECK(tell(&l, err));
    policy_clear(policy);
    *policy = TAKE(l.now.policy);
    *result = TAKE(l.now.learned);
    result->is_cut_short = l.is_cut_short;
    return STATUS_OK;
}

status integrated_fit(const discretizer *self, const dataset *data, const void *opts, run_context *ctx,
                      cut_policy *policy, error_info *err) {
    const integrated_options *options = opts;
    learner_within hc = {.ctx = ctx};
    AUTO(learner_result_clear) learner_result result = {0};
    inner_learner inner;
    AUTO_FREE void *search = NULL;
    char ess[32];
    CHECK(learner_find("hc", &hc.kind, err));
    CHECK_ALLOC(search = learner_options_create(hc.kind));
    CHECK(options_set(hc.kind->options, search, "ess", text_from_double(options->ess, ess), err));
    hc.options = search;
    inner = inner_learner_of(&hc);
    return integrated_run(self, data, options, &inner, ctx, policy, &result, err);
}
