/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/test_source_internal.h"

#include <stdlib.h>

void test_source_clear(test_source *s) {
    ci_test_destroy(s->test);
    free(s->n_states);
    *s = (test_source){0};
}

status test_source_init(test_source *s, const dataset *data, const skeleton_test_options *options,
                        statistics_count *tally, error_info *err) {
    static const char *const names[] = {"g2", "x2"}; /* SKELETON_TEST_CHOICES */
    status st = STATUS_OK;
    const ci_test_kind *kind = NULL;
    size_t p = dataset_column_count(data);

    *s = (test_source){0};
    TRY(ci_test_kind_find(names[options->kind], &kind, err));
    TRY(ci_test_create(kind, &options->options, data, tally, &s->test, err));
    TRY_ALLOC(s->n_states = calloc(p + 1, sizeof *s->n_states));
    for (size_t c = 0; c < p; c++)
        s->n_states[c] = dataset_state_count(data, c);
    s->source = ci_test_as_source(s->test);
    s->quick = ci_test_as_decisions(s->test);
    s->limit = (table_limit){s->n_states, (double)dataset_row_count(data), options->options.min_rows};
cleanup:
    if (st != STATUS_OK)
        test_source_clear(s);
    return st;
}
