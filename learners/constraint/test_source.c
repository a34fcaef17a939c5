/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/test_source_internal.h"

#include "metrics/tests/table_tests.h"

#include <stdlib.h>

void test_source_clear(test_source *s) {
    ci_test_destroy(s->test);
    free(s->n_states);
    *s = (test_source){0};
}

/* The test that was named, or else the usual one for the data. */
static option_choice choose(const skeleton_test_options *options, const dataset *data) {
    option_choice choice = options->test;
    if (choice.chosen < 0)
        choice.chosen = (int)ci_test_usual_place(dataset_kind(data));
    return choice;
}

static const ci_test_kind *find_kind(const skeleton_test_options *options, const dataset *data) {
    option_choice choice = choose(options, data);
    return option_chosen(&ci_test_registry, &choice);
}

bool test_source_is_of_tables(const skeleton_test_options *options, const dataset *data) {
    return find_kind(options, data)->of_tables;
}

bool test_source_has_twins(const skeleton_test_options *options, const dataset *data) {
    return ci_test_kind_has_twins(find_kind(options, data));
}

status test_source_init(test_source *s, const dataset *data, const skeleton_test_options *options,
                        const run_context *ctx, statistics_count *tally, error_info *err) {
    static const option_spec level[] = {CI_LEVEL_ROW(skeleton_test_options, alpha, 0.05, NULL), {0}};
    option_choice choice = choose(options, data);
    const ci_test_kind *kind = option_chosen(&ci_test_registry, &choice);
    void *of_test = option_chosen_options(&ci_test_registry, &choice);
    size_t p = dataset_column_count(data);

    *s = (test_source){0};
    options_take(kind->options, of_test, level, options);
    CHECK(ci_test_create_within(kind, of_test, data, ctx, tally, &s->test, err));
    CHECK_ALLOC(s->n_states = calloc(p + 1, sizeof *s->n_states));
    for (size_t c = 0; c < p; c++)
        s->n_states[c] = kind->of_tables ? dataset_state_count(data, c) : 1;
    s->source = ci_test_as_source(s->test);
    s->quick = ci_test_as_decisions(s->test);
    s->limit = (table_limit){s->n_states, (double)dataset_row_count(data),
                             kind->of_tables ? ((const table_test_options *)of_test)->min_rows : 0};
    return STATUS_OK;
}

status test_source_init_beside(test_source *s, const test_source *like, statistics_count *tally, error_info *err) {
    *s = (test_source){.limit = like->limit};
    CHECK(ci_test_create_beside(like->test, tally, &s->test, err));
    s->source = ci_test_as_source(s->test);
    s->quick = ci_test_as_decisions(s->test);
    return STATUS_OK;
}
