/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments whose discretizer alternates with the learner. */
#include "tests/support/run_support.h"

static const char head[] = "name: x\nnetworks: [asia]\ndata: {samples: [150], replicates: 2, test_samples: 80, "
                           "continuize: {sigma: [0.2]}}\n";

static experiment declare_with(const char *learners) {
    char text[2000];
    (void)snprintf(text, sizeof text, "%s%s", head, learners);
    return declare(text);
}

static void policy_and_graph_become_one_result(void **state) {
    experiment e = declare_with("learners:\n"
                                "  - {id: f, learner: hc, ess: 1, discretize: {method: friedman, k: 2}}\n"
                                "  - {id: m, learner: hc, ess: 1, discretize: {method: monti, k: 2}}\n"
                                "  - {id: s, learner: ges, ess: 1, discretize: {method: steck, k: 3}}\n");
    const char *folder = scratch_folder(), *other = scratch_folder();
    record_list a, b;
    (void)state;
    assert_int_equal(run_in(&e, folder, 1).done, 6);
    assert_int_equal(run_in(&e, other, 2).done, 6);
    a = read_records(folder);
    b = read_records(other);
    for (size_t i = 0; i < a.n; i++) {
        const job_record *r = &a.items[i];
        static const char *const names[] = {"shd",        "bdeu_test",        "loglik_test", "discretize_time",
                                            "time",       "outer_iterations", "statistics",  "discretization_calls",
                                            "bdeu_train", "column_searches"};
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (!job_record_metric(r, names[k]))
                fail_msg("%s has no %s", r->learner, names[k]);
        }
        assert_true(*job_record_metric(r, "outer_iterations") >= 1);
        assert_true(*job_record_metric(r, "discretize_time") < *job_record_metric(r, "time"));
        assert_true(*job_record_metric(r, "discretization_calls") ==
                    *job_record_metric(r, "threshold_evaluations") + *job_record_metric(r, "policy_scores"));
        assert_true(*job_record_metric(r, "calls") ==
                    *job_record_metric(r, "statistics") + *job_record_metric(r, "discretization_calls"));
        assert_true(*job_record_metric(r, "states_mean") < (strcmp(r->learner, "m") == 0 ? 20 : 3));
        assert_non_null(r->policy);
        assert_same_text(r->policy, b.items[i].policy, "policy");
        assert_same_record(r, &b.items[i]);
    }
    job_records_destroy(a.items, a.n);
    job_records_destroy(b.items, b.n);
    experiment_clear(&e);
}

/* The thresholds are found by each learner for itself, not by the first of a replicate for all. */
static void what_is_kept_for_other_learners_is_not_an_integrated_policy(void **state) {
    experiment e = declare("name: x\nnetworks: [{id: web, genes: 12, arcs_per_gene: 1}]\ndata: {samples: [60], "
                           "replicates: 1}\ndiscretize: {method: steck, k: 2}\nlearners: [hc, {id: other, learner: hc, "
                           "ess: 1}]\n");
    const char *folder = scratch_folder();
    record_list records;
    (void)state;
    assert_int_equal(run_in(&e, folder, 1).done, 2);
    records = read_records(folder);
    for (size_t i = 0; i < records.n; i++)
        assert_true(*job_record_metric(&records.items[i], "outer_iterations") >= 1);
    job_records_destroy(records.items, records.n);
    experiment_clear(&e);
}

static void assert_refused(const char *learners, const char *words) {
    char text[2000];
    experiment e = {0};
    error_info err = {0};
    (void)snprintf(text, sizeof text, "%s%s", head, learners);
    assert_int_equal(experiment_parse(text, strlen(text), "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, words);
    assert_message_has(&err, "x.yaml:4:");
}

static void a_learner_that_cannot_be_called_is_refused_before_anything_starts(void **state) {
    (void)state;
    assert_refused("learners: [{id: out, command: [a], discretize: friedman}]\n", "cannot call an external learner");
    assert_refused("learners: [{learner: mmpc, discretize: monti}]\n", "mmpc gives a skeleton");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policy_and_graph_become_one_result),
        cmocka_unit_test(what_is_kept_for_other_learners_is_not_an_integrated_policy),
        cmocka_unit_test(a_learner_that_cannot_be_called_is_refused_before_anything_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
