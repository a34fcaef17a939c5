/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/test_source_internal.h"

#include <stdlib.h>
#include <string.h>

void test_source_clear(test_source *s) {
    ci_test_destroy(s->test);
    free(s->n_states);
    *s = (test_source){0};
}

static const char *kind_name(int kind, const dataset *data) {
    static const char *const names[] = {NULL, "g2", "x2", "bayes", "zf", "cor", "rcit"}; /* SKELETON_TEST_CHOICES */
    int found = dataset_kind(data);
    if (names[kind])
        return names[kind];
    return found == DATA_DISCRETE ? "g2" : found == DATA_CONTINUOUS ? "zf" : "rcit";
}

bool test_source_is_of_tables(const skeleton_test_options *options, const dataset *data) {
    const char *name = kind_name(options->kind, data);
    return strcmp(name, "g2") == 0 || strcmp(name, "x2") == 0;
}

status test_source_init(test_source *s, const dataset *data, const skeleton_test_options *options,
                        statistics_count *tally, error_info *err) {
    status st = STATUS_OK;
    const ci_test_kind *kind = NULL;
    size_t p = dataset_column_count(data);
    bool is_of_tables = test_source_is_of_tables(options, data);

    *s = (test_source){0};
    TRY(ci_test_kind_find(kind_name(options->kind, data), &kind, err));
    TRY(ci_test_create(kind, &options->options, data, tally, &s->test, err));
    TRY_ALLOC(s->n_states = calloc(p + 1, sizeof *s->n_states));
    for (size_t c = 0; c < p; c++)
        s->n_states[c] = is_of_tables ? dataset_state_count(data, c) : 1;
    s->source = ci_test_as_source(s->test);
    s->quick = ci_test_as_decisions(s->test);
    s->limit =
        (table_limit){s->n_states, (double)dataset_row_count(data), is_of_tables ? options->options.min_rows : 0};
cleanup:
    if (st != STATUS_OK)
        test_source_clear(s);
    return st;
}
