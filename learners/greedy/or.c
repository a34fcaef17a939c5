/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimal Reinsertion: Moore, Wong 2003 (ICML), with the parameters of Tsamardinos, Brown, Aliferis, Machine Learning
 * 65 (2006) 31-78, and a hill climb at the end. Each node in turn, in random order, is cut out and put back where it
 * scores most (reinsertion.c), until a pass over all nodes changes nothing; the score never falls. Brown, Tsamardinos,
 * Aliferis 2005 gave it once or twice the time of MMHC, which hangs on program and processor: a budget can be one of
 * scores instead.
 */
#include "learners/greedy/greedy_search.h"
#include "learners/greedy/reinsertion_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    greedy_options search;
    double budget;
    int candidates, restarts, evaluations;
} or_options;

static const option_spec options[] = {
    {OPT_REAL, "budget", offsetof(or_options, budget), 10, 0, 1e9,
     "seconds of CPU time after which the best graph so far is the result; 0: until nothing changes", NULL},
    {OPT_INT, "max_parents", offsetof(or_options, search.max_parents), 5, 1, 20, "most parents of a node", NULL},
    {OPT_INT, "candidates", offsetof(or_options, candidates), 20, 1, 100000,
     "parents to choose from: the best singly, and those that the node has", NULL},
    {OPT_INT, "restarts", offsetof(or_options, restarts), 0, -1, 1000000,
     "further searches from random graphs; -1: as long as there is a budget left, or new scores with `evaluations`",
     NULL},
    SCORE_OPTION_ROWS(or_options, 10),
    {OPT_INT, "evaluations", offsetof(or_options, evaluations), 0, 0, 2147483647,
     "in place of the seconds, local scores computed (score_evaluations): alike on every machine; 0: seconds count",
     .is_later = true},
    {0},
};

/* The share of the budget that reinsertion may use: the hill climb wants the rest. */
static const double reinsertion_share = 0.92;

/*
 * The limit of parents rises through these numbers: larger sets, of which there are many more, are tried once smaller
 * ones gain nothing more. So a short budget is not spent on the first nodes alone.
 */
static const size_t limits[] = {1, 2, 3, 4, 5, 7, 10, 14};

typedef struct {
    const or_options *options;
    const dataset *data;
    run_context *ctx;
    size_t n;
    double start_cpu_s;
    uint64_t start_scores;
    score *scorer;
    reinsertion *reinsertion;
    size_t *order;
    pdag *best;
    double best_score;
    bool is_expired;
} search;

static void search_clear(search *s) {
    score_destroy(s->scorer);
    reinsertion_destroy(s->reinsertion);
    free(s->order);
    pdag_destroy(s->best);
}

/* CPU time, so that what else the machine does has no part in the result; or scores, so that the machine has none. The
 * caller's deadline stands beside it. */
static void allow(search *s, double share) {
    if (s->options->evaluations > 0)
        s->ctx->most_scores = s->start_scores + (uint64_t)ceil(share * (double)s->options->evaluations);
    else if (s->options->budget > 0)
        run_context_limit_cpu(s->ctx, s->start_cpu_s, share * s->options->budget);
}

static status search_init(search *s, error_info *err) {
    s->n = dataset_column_count(s->data);
    s->best_score = -INFINITY;
    s->start_cpu_s = run_cpu_s();
    s->start_scores = s->ctx->scores.computed;
    allow(s, reinsertion_share);
    CHECK(greedy_scorer_create(s->data, &s->options->search, s->ctx, &s->scorer, err));
    CHECK(reinsertion_create(s->n, (size_t)s->options->candidates, s->scorer, s->ctx, &s->reinsertion, err));
    CHECK_ALLOC(s->order = calloc(s->n, sizeof *s->order));
    return STATUS_OK;
}

/* Each node draws up to two parents among those before it in a random order. */
static status make_random_start(search *s, dag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = NULL;
    size_t n_draws = s->options->search.max_parents < 2 ? 1 : 2;
    CHECK(dag_create(s->n, &g, err));
    random_permutation(&s->ctx->random, s->order, s->n);
    for (size_t i = 1; i < s->n; i++) {
        for (size_t draw = 0; draw < n_draws; draw++) {
            size_t parent = s->order[random_below(&s->ctx->random, i)];
            if (!dag_has_arc(g, parent, s->order[i]))
                CHECK(dag_add_arc(g, parent, s->order[i], err));
        }
    }
    *out = TAKE(g);
    return STATUS_OK;
}

/* Passes over the nodes, each in a new random order, until one changes nothing. */
static status reinsert_all(search *s, dag **g, size_t max_parents, error_info *err) {
    bool has_changed = true;
    while (has_changed && !s->is_expired) {
        has_changed = false;
        random_permutation(&s->ctx->random, s->order, s->n);
        for (size_t i = 0; i < s->n && !s->is_expired; i++) {
            double gain;
            CHECK(reinsertion_step(s->reinsertion, g, s->order[i], max_parents, &gain, &s->is_expired, err));
            has_changed = has_changed || gain > 0;
        }
    }
    return STATUS_OK;
}

static status reinsert_by_limits(search *s, dag **g, error_info *err) {
    size_t most = (size_t)s->options->search.max_parents;
    allow(s, reinsertion_share);
    for (size_t i = 0; i < sizeof limits / sizeof *limits && limits[i] < most; i++)
        CHECK(reinsert_all(s, g, limits[i], err));
    return reinsert_all(s, g, most, err);
}

static status climb_from(search *s, const dag *g, error_info *err) {
    AUTO(learner_result_clear) learner_result found = {0};
    greedy_search_plan plan = {.options = s->options->search, .start = g, .scorer = s->scorer};
    allow(s, 1);
    CHECK(greedy_search(s->data, &plan, s->ctx, &found, err));
    s->is_expired = s->is_expired || found.is_cut_short;
    if (found.score > s->best_score + SCORE_TOLERANCE) {
        pdag_destroy(s->best);
        s->best = found.graph;
        s->best_score = found.score;
        found.graph = NULL;
    }
    return STATUS_OK;
}

static status search_from(search *s, bool at_random, error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = NULL;
    CHECK(at_random ? make_random_start(s, &g, err) : dag_create(s->n, &g, err));
    CHECK(reinsert_by_limits(s, &g, err));
    return climb_from(s, g, err);
}

/* `n_before`: scores when the last search began. One that needed no new score may leave others none to need: it ends
 * what would never use its budget up. */
static bool wants_restart(const search *s, size_t n_done, uint64_t n_before) {
    int most = s->options->restarts;
    if (s->is_expired)
        return false;
    if (most >= 0)
        return n_done < (size_t)most;
    return s->options->evaluations > 0 ? s->ctx->scores.computed > n_before : s->options->budget > 0;
}

/* A budget that restarts are there to use up does not cut them short; a deadline from outside does. */
static status search_all(search *s, bool *is_cut_short, error_info *err) {
    uint64_t n_before = s->start_scores;
    CHECK(search_from(s, false, err));
    *is_cut_short = s->is_expired;
    for (size_t n_done = 0; wants_restart(s, n_done, n_before); n_done++) {
        n_before = s->ctx->scores.computed;
        CHECK(search_from(s, true, err));
    }
    if (s->is_expired && (s->options->restarts >= 0 || run_clock_s() >= s->ctx->deadline_s))
        *is_cut_short = true;
    return STATUS_OK;
}

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    status st = STATUS_OK;
    search s = {.options = opts, .data = data, .ctx = ctx};
    double cpu_deadline_s = ctx->cpu_deadline_s, cpu_soonest_s = ctx->cpu_soonest_s;
    uint64_t most_scores = ctx->most_scores;
    bool is_cut_short = false;
    (void)self;
    TRY(search_init(&s, err));
    TRY(search_all(&s, &is_cut_short, err));
    result->graph = TAKE(s.best);
    result->score_name = greedy_score_name(&s.options->search);
    result->score = s.best_score;
    result->is_cut_short = is_cut_short;
cleanup:
    ctx->cpu_deadline_s = cpu_deadline_s; /* it is the caller's */
    ctx->cpu_soonest_s = cpu_soonest_s;
    ctx->most_scores = most_scores;
    search_clear(&s);
    return st;
}

const learner learner_or = {
    .name = "or",
    .summary = "Optimal Reinsertion: each node in turn is cut out and put back with its best parents and children",
    .citation = "Moore, Wong 2003, ICML",
    .version = 2,
    .accepts = DATA_DISCRETE,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(or_options),
    .run = run,
};
