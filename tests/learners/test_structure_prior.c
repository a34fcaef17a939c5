/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structure priors with every score and every learner that has them. */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "core/graph/equivalence.h"
#include "learners/base/learner.h"
#include "metrics/scores/score.h"

#include <math.h>
#include <stdlib.h>

enum { N_COLUMNS = 7, N_ROWS = 150 };

/* Each column follows the two before it, three times in four. */
static dataset *make_dependent(random_stream *random) {
    static const size_t n_states[N_COLUMNS] = {2, 2, 2, 2, 2, 2, 2};
    int cells[N_COLUMNS * N_ROWS];
    for (size_t row = 0; row < N_ROWS; row++) {
        int *at = cells + row * N_COLUMNS;
        for (size_t c = 0; c < N_COLUMNS; c++) {
            bool follows = c > 1 && random_below(random, 4) > 0;
            at[c] = follows ? at[c - 1] | at[c - 2] : (int)random_below(random, 2);
        }
    }
    return make_dataset(N_ROWS, N_COLUMNS, n_states, cells);
}

static learner_result learn(const learner *l, const dataset *data, const char *const *settings) {
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options = learner_options_create(l);
    assert_non_null(options);
    assert_ok(options_set_pair(l->options, options, "ess=4", &err), &err);
    for (size_t i = 0; settings[i]; i++)
        assert_ok(options_set_pair(l->options, options, settings[i], &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    free(options);
    return result;
}

/* What the graph's score is without a structure prior. */
static double score_without(const char *name, const learner_result *r, const dataset *data) {
    const score_kind *kind = NULL;
    score *s = NULL;
    dag *g = NULL;
    void *options;
    double total = 0;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    options = options_create(kind->options, kind->options_size);
    assert_non_null(options);
    if (options_find(kind->options, "ess"))
        assert_ok(options_set(kind->options, options, "ess", "4", &err), &err);
    assert_ok(score_create(kind, options, data, NULL, &s, &err), &err);
    assert_ok(pdag_extend(r->graph, &g, &err), &err);
    assert_ok(score_dag(s, g, &total, NULL, &err), &err);
    dag_destroy(g);
    score_destroy(s);
    free(options);
    return total;
}

/* The score that a learner maximises is that of the data less what the prior takes off for each arc. */
static void check_score(const learner *l, const char *name, const dataset *data, size_t *n_rare, size_t *n_usual) {
    char chosen[40];
    (void)snprintf(chosen, sizeof chosen, "score=%s", name);
    learner_result rare = learn(l, data, (const char *const[]){chosen, "prior=binomial", "prior_parents=0.01", NULL});
    learner_result kappa = learn(l, data, (const char *const[]){chosen, "prior=kappa", "prior_parents=0.01", NULL});
    learner_result usual = learn(l, data, (const char *const[]){chosen, "prior_parents=0.01", NULL});
    double p = 0.01 / (N_COLUMNS - 1), arcs = (double)pdag_edge_count(rare.graph);
    assert_close(rare.score, score_without(name, &rare, data) + arcs * (log(p) - log(1 - p)), 1e-9);
    arcs = (double)pdag_edge_count(kappa.graph);
    assert_close(kappa.score, score_without(name, &kappa, data) - arcs * log(5), 1e-9);
    assert_close(usual.score, score_without(name, &usual, data), 1e-9);
    *n_rare += pdag_edge_count(rare.graph);
    *n_usual += pdag_edge_count(usual.graph);
    learner_result_clear(&rare);
    learner_result_clear(&kappa);
    learner_result_clear(&usual);
}

static void every_learner_maximises_score_and_prior(void **state) {
    random_stream random;
    size_t n_learners = 0;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < learner_count(); i++) {
        const learner *l = learner_at(i);
        size_t n_rare = 0, n_usual = 0;
        if (!options_find(l->options, "prior"))
            continue;
        print_message("  %s\n", l->name);
        for (int round = 0; round < 5; round++) {
            dataset *data = make_dependent(&random);
            check_score(l, "bdeu", data, &n_rare, &n_usual);
            check_score(l, "bic", data, &n_rare, &n_usual);
            dataset_destroy(data);
        }
        assert_true(n_rare < n_usual);
        n_learners++;
    }
    assert_true(n_learners >= 10);
}

static void the_prior_of_parameters_is_searched_with(void **state) {
    static const char *const names[] = {"hc", "ges", "lagd", "sgs3"};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (int round = 0; round < 5; round++) {
        dataset *data = make_dependent(&random);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const learner *l = NULL;
            learner_result with, without;
            error_info err = {0};
            assert_ok(learner_find(names[i], &l, &err), &err);
            with = learn(l, data, (const char *const[]){"score.parameter_prior=0.001", NULL});
            without = learn(l, data, (const char *const[]){"score=bdeu", NULL});
            assert_true(pdag_edge_count(with.graph) < pdag_edge_count(without.graph));
            assert_true(with.score < score_without("bdeu", &with, data) - N_COLUMNS * 6.9);
            learner_result_clear(&with);
            learner_result_clear(&without);
        }
        dataset_destroy(data);
    }
}

static void a_prior_that_expects_too_many_parents_is_refused(void **state) {
    random_stream random;
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    data = make_dependent(&random);
    assert_ok(learner_find("ges", &l, &err), &err);
    options = learner_options_create(l);
    assert_ok(options_set(l->options, options, "prior", "binomial", &err), &err);
    assert_ok(options_set(l->options, options, "prior_parents", "6", &err), &err);
    run_context_init(&ctx, 1);
    assert_int_equal(learner_run(l, data, options, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "prior_parents is 6; it must lie between 0 and 6");
    learner_result_clear(&result);
    free(options);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_learner_maximises_score_and_prior),
        cmocka_unit_test(the_prior_of_parameters_is_searched_with),
        cmocka_unit_test(a_prior_that_expects_too_many_parents_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
