/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of two runs as JUnit XML. */
#include "report/difference/difference_internal.h"

#include <inttypes.h>

static size_t count_worse(const difference *d) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_cells; i++)
        n += d->cells[i].verdict == CHANGE_WORSE;
    return n;
}

static size_t count_jobs(const difference *d, job_change_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_jobs; i++)
        n += d->jobs[i].kind == kind;
    return n;
}

static void begin_case(const char *network, uint64_t n_samples, double sigma, const char *learner, text_buffer *out) {
    char digits[32];
    text_append(out, "  <testcase classname=\"");
    html_append_text(out, network);
    text_append_format(out, ".%" PRIu64, n_samples);
    if (sigma > 0)
        text_append_format(out, ".sigma %s", text_from_double(sigma, digits));
    text_append(out, "\" name=\"");
    html_append_text(out, learner);
    text_append(out, "\"");
}

static void append_cell(const cell_difference *cell, text_buffer *out) {
    begin_case(cell->network, cell->n_samples, cell->sigma, cell->learner, out);
    if (cell->verdict != CHANGE_WORSE) {
        text_append(out, "/>\n");
        return;
    }
    text_append(out, "><failure message=\"regression\">");
    for (size_t i = 0; i < cell->n_changes; i++) {
        AUTO(text_buffer_clear) text_buffer line = {0};
        if (cell->changes[i].verdict != CHANGE_WORSE)
            continue;
        difference_append_change(&cell->changes[i], &line);
        html_append_text(out, line.data ? line.data : "");
        text_append(out, "\n");
        out->failed |= line.failed;
    }
    text_append(out, "</failure></testcase>\n");
}

static void append_job(const job_change *j, text_buffer *out) {
    const job_record *r = j->after ? j->after : j->before;
    bool fails = j->kind == JOB_FAILS_NOW;
    begin_case(r->network, r->n_samples, r->sigma, r->learner, out);
    text_append_format(out, "><%s message=\"data set %" PRIu64 ": %s\">", fails ? "failure" : "error", r->replicate + 1,
                       job_change_kind_name(j->kind));
    html_append_text(out, fails && r->message ? r->message : "");
    text_append_format(out, "</%s></testcase>\n", fails ? "failure" : "error");
}

static size_t count_slow_learners(const difference *d) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_learners; i++)
        n += d->learners[i].time.verdict == CHANGE_WORSE;
    return n;
}

/* What no cell shows by itself: a slower learner, and everything slower. */
static void append_slower(const difference *d, text_buffer *out) {
    for (size_t i = 0; i < d->n_learners; i++) {
        AUTO(text_buffer_clear) text_buffer line = {0};
        if (d->learners[i].time.verdict != CHANGE_WORSE)
            continue;
        difference_append_change(&d->learners[i].time, &line);
        text_append(out, "  <testcase classname=\"all cells\" name=\"");
        html_append_text(out, d->learners[i].learner);
        text_append(out, "\"><failure message=\"regression\">");
        html_append_text(out, line.data ? line.data : "");
        text_append(out, "\n</failure></testcase>\n");
        out->failed |= line.failed;
    }
    if (d->is_slower_throughout)
        text_append_format(out,
                           "  <testcase classname=\"all cells\" name=\"all learners\"><failure message=\"regression\">"
                           "time, x %.3f in half of the cells\n</failure></testcase>\n",
                           d->drift);
}

void junit_append(const difference *d, const char *experiment, text_buffer *out) {
    size_t n_others = count_jobs(d, JOB_FAILS_NOW) + count_slow_learners(d) + d->is_slower_throughout;
    size_t n_failures = count_worse(d) + n_others;
    size_t n_errors = count_jobs(d, JOB_ONLY_BEFORE) + count_jobs(d, JOB_OTHER_DATA);
    size_t n_tests = d->n_cells + n_others + n_errors;
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"");
    html_append_text(out, experiment);
    text_append_format(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", n_tests, n_failures, n_errors);
    for (size_t i = 0; i < d->n_cells; i++)
        append_cell(&d->cells[i], out);
    append_slower(d, out);
    for (size_t i = 0; i < d->n_jobs; i++) {
        job_change_kind kind = d->jobs[i].kind;
        if (kind == JOB_FAILS_NOW || kind == JOB_ONLY_BEFORE || kind == JOB_OTHER_DATA)
            append_job(&d->jobs[i], out);
    }
    text_append(out, "</testsuite>\n");
}
