/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/difference/comparison.h"

#include "core/base/file.h"
#include "metrics/distances/metric.h"

#include <stdlib.h>
#include <string.h>

static void clear_side(comparison_side *s) {
    job_records_destroy(s->records, s->n_records);
    stored_run_destroy(s->run);
}

void comparison_clear(comparison *s) {
    difference_clear(&s->d);
    clear_side(&s->before);
    clear_side(&s->after);
    free(s->names);
    free(s->words);
}

static status read_side(const char *folder, comparison_side *out, error_info *err) {
    AUTO_PTR(store_close) store *s = NULL;
    CHECK(store_open(folder, false, false, &s, err));
    CHECK(stored_run_read(s, NULL, STORED_RUN_TEXTS, &out->run, err));
    out->e = stored_run_experiment(out->run);
    return stored_run_take_records(out->run, &out->records, &out->n_records, err);
}

status comparison_read(const char *before, const char *after, comparison *out, error_info *err) {
    CHECK(read_side(before, &out->before, err));
    return read_side(after, &out->after, err);
}

static status check_metric(const char *name, error_info *err) {
    const char *near = metric_suggest(name);
    if (metric_find(name))
        return STATUS_OK;
    return near ? error_set(err, STATUS_INVALID, "there is no metric '%s'; did you mean '%s'?", name, near)
                : error_set(err, STATUS_INVALID, "there is no metric '%s'; 'bnbench list metrics' names them", name);
}

static status name_metrics(comparison *s, const char *typed, error_info *err) {
    if (!typed) {
        for (size_t i = 0; i < s->after.e->n_metrics; i++)
            s->names[s->options.n_metrics++] = s->after.e->metrics[i];
        return STATUS_OK;
    }
    CHECK_ALLOC(s->words = text_copy(typed));
    for (char *rest = s->words, *word; (word = strsep(&rest, ","));) {
        CHECK(check_metric(word, err));
        s->names[s->options.n_metrics++] = word;
    }
    return STATUS_OK;
}

/* A learner with a budget works against the clock: its graphs differ from run to run. */
static void name_timed_learners(comparison *s) {
    const experiment *e = s->after.e;
    for (size_t i = 0; i < e->n_variants; i++) {
        const learner *kind = e->variants[i].kind;
        for (const option_spec *o = kind ? kind->options : NULL; o && o->name; o++)
            if (strcmp(o->name, "budget") == 0)
                s->names[s->options.n_metrics + s->options.n_timed++] = e->variants[i].id;
    }
}

status comparison_measure(comparison *s, const char *metrics, error_info *err) {
    size_t n_typed = metrics ? strlen(metrics) + 1 : 0;
    CHECK_ALLOC(s->names = calloc(s->after.e->n_metrics + n_typed + s->after.e->n_variants + 1, sizeof *s->names));
    CHECK(name_metrics(s, metrics, err));
    name_timed_learners(s);
    s->options.metrics = s->names;
    s->options.timed = s->names + s->options.n_metrics;
    return difference_measure(s->before.records, s->before.n_records, s->after.records, s->after.n_records, &s->options,
                              &s->d, err);
}

status comparison_write_page(const comparison *s, const char *before, const char *after, const char *path,
                             error_info *err) {
    AUTO(text_buffer_clear) text_buffer page = {0};
    CHECK(difference_append_html(&s->d, &s->options, before, after, &page, err));
    return file_write(path, page.data, page.length, err);
}
