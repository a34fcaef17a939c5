/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the results of an experiment to the outcome of a test, with its title and notes. */
#include "parts/tests/significance_internal.h"

#include <stdlib.h>
#include <string.h>

static status name_places(const experiment_outputs *o, significance *s, error_info *err) {
    CHECK_ALLOC(s->places = calloc(outputs_place_count(o) + 1, sizeof *s->places));
    s->n_places = outputs_place_count(o);
    for (size_t i = 0; i < s->n_places; i++) {
        text_buffer name = {0};
        outputs_append_place(o, i, &name);
        CHECK(text_buffer_check(&name, err));
        s->places[i] = name.data;
    }
    return STATUS_OK;
}

/* `ids` (one entry): the learner must be there. */
static status check_learner(const experiment_outputs *o, const char *id, error_info *err) {
    if (!id || outputs_find_learner(o, id) < o->n_learners)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "it names '%s', which is none of the learners that it compares", id);
}

static status check_spec(const test_work *w, const experiment_outputs *outputs, error_info *err) {
    const test_spec *spec = w->spec;
    status st = STATUS_OK;
    for (size_t i = 0; i < spec->n_learners && st == STATUS_OK; i++)
        st = check_learner(outputs, spec->learners[i], err);
    if (st == STATUS_OK)
        st = check_learner(w->view, spec->control, err);
    return st == STATUS_OK ? check_learner(w->view, spec->reference, err) : st;
}

static status name_test(const test_spec *spec, significance *s, error_info *err) {
    text_buffer b = {0};
    status st = STATUS_OK;
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "%s of %s",
                           spec->kind == TEST_FRIEDMAN ? "Friedman's test" : "Wilcoxon's signed-rank test",
                           spec->metric);
    TRY(text_buffer_check(&b, err));
    s->title = b.data;
    b = (text_buffer){0};
cleanup:
    text_buffer_clear(&b);
    return st;
}

/* FAILURES_WORST is dealt with by the tests themselves: a failure is worse than every result, not as bad as the worst.
 */
static failure_policy policy_of_values(const test_spec *spec) {
    return spec->failures == FAILURES_WORST ? FAILURES_DROP_DATASET : spec->failures;
}

status significance_compute(const experiment_outputs *outputs, const test_spec *spec, const job_record *records,
                            size_t n_records, const published_verdicts *published, const published_table *scores,
                            significance *out, error_info *err) {
    experiment_outputs view = {0};
    significance s = {.spec = spec, .outputs = outputs};
    test_work w = {.view = &view,
                   .spec = spec,
                   .info = metric_find(spec->metric),
                   .published = published,
                   .published_scores = scores};
    status st = STATUS_OK;
    if (!outputs_with_learners(outputs, spec->learners, spec->n_learners, &view))
        TRY(error_out_of_memory(err));
    s.learners = view.learners;
    s.n_learners = view.n_learners;
    TRY(check_spec(&w, outputs, err));
    TRY(name_test(spec, &s, err));
    TRY(name_places(outputs, &s, err));
    TRY(result_grid_create(&view, records, n_records, &w.grid, err));
    TRY(metric_values_create(&w.grid, spec->metric, policy_of_values(spec), &w.values, err));
    TRY(spec->kind == TEST_FRIEDMAN ? significance_rank(&w, &s, err) : significance_pair(&w, &s, err));
    TRY(significance_add_notes(&w, &s, err));
    *out = s;
    s = (significance){0};
cleanup:
    if (st != STATUS_OK)
        error_context(err, "test '%s'", spec->id ? spec->id : spec->metric);
    metric_values_clear(&w.values);
    result_grid_clear(&w.grid);
    significance_clear(&s);
    return st;
}
