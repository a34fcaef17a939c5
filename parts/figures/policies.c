/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/policies.h"

#include "document/display.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_LEVEL = 3, MOST_SHOWN = 8 }; /* thresholds in a cell; the CSV has all */

/* ---- choosing ---- */

static bool is_among(const char *name, char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return n == 0;
}

static bool is_size_among(uint64_t size, const size_t *sizes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (sizes[i] == size)
            return true;
    }
    return n == 0;
}

static bool is_chosen(const policy_choice *c, const job_record *r) {
    return r->state == JOB_DONE && r->policy && is_among(r->network, c->networks, c->n_networks) &&
           is_among(r->learner, c->learners, c->n_learners) && is_size_among(r->n_samples, c->samples, c->n_samples) &&
           (c->n_sigmas == 0 || outputs_is_among(r->sigma, c->sigmas, c->n_sigmas));
}

/* ---- the order ---- */

static size_t place_of(const char *name, char *const *names, size_t n) {
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

typedef struct {
    const job_record *record;
    size_t network, learner;
} placed_record;

static int compare_sizes(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b) {
    const placed_record *x = a, *y = b;
    int by_network = compare_sizes(x->network, y->network);
    int by_size = compare_sizes(x->record->n_samples, y->record->n_samples);
    int by_sigma = (x->record->sigma > y->record->sigma) - (x->record->sigma < y->record->sigma);
    int by_replicate = compare_sizes(x->record->replicate, y->record->replicate);
    return by_network     ? by_network
           : by_size      ? by_size
           : by_sigma     ? by_sigma
           : by_replicate ? by_replicate
                          : compare_sizes(x->learner, y->learner);
}

void policy_list_clear(policy_list *l) {
    for (size_t i = 0; i < l->n; i++)
        policy_table_clear(&l->jobs[i].policy);
    free(l->jobs);
    *l = (policy_list){0};
}

static status read_job(const job_record *r, job_policy *out, error_info *err) {
    status st = policy_table_parse(r->policy, &out->policy, err);
    out->record = r;
    if (st != STATUS_OK && st != STATUS_MEMORY)
        error_context(err, "the policy of %.60s on %.60s", r->learner, r->network);
    return st;
}

status policy_list_create(const experiment_outputs *outputs, const policy_choice *choice, const job_record *records,
                          size_t n_records, policy_list *out, error_info *err) {
    AUTO_FREE placed_record *placed = calloc(n_records + 1, sizeof *placed);
    AUTO(policy_list_clear) policy_list l = {0};
    size_t n = 0;
    CHECK_ALLOC(placed);
    for (size_t i = 0; i < n_records; i++) {
        if (is_chosen(choice, &records[i]))
            placed[n++] =
                (placed_record){&records[i], place_of(records[i].network, outputs->networks, outputs->n_networks),
                                place_of(records[i].learner, outputs->learners, outputs->n_learners)};
    }
    qsort(placed, n, sizeof *placed, compare);
    CHECK_ALLOC(l.jobs = calloc(n + 1, sizeof *l.jobs));
    for (size_t i = 0; i < n; i++)
        CHECK(read_job(placed[i].record, &l.jobs[l.n++], err));
    *out = TAKE(l);
    return STATUS_OK;
}

/* ---- one data set ---- */

static bool differ_by_replicate_alone(const job_record *a, const job_record *b) {
    return strcmp(a->network, b->network) == 0 && a->n_samples == b->n_samples && !(a->sigma < b->sigma) &&
           !(a->sigma > b->sigma);
}

static bool are_of_one_set(const job_record *a, const job_record *b) {
    return differ_by_replicate_alone(a, b) && a->replicate == b->replicate;
}

static size_t count_jobs_of_set(const policy_list *l, size_t first) {
    size_t n = 1;
    while (first + n < l->n && are_of_one_set(l->jobs[first].record, l->jobs[first + n].record))
        n++;
    return n;
}

/* The variables of the jobs in the order in which they come. */
typedef struct {
    const char **names; /* borrowed */
    size_t n;
} variable_list;

static void variables_clear(variable_list *v) {
    free(v->names);
}

static bool has_variable(const variable_list *v, const char *name) {
    for (size_t i = 0; i < v->n; i++) {
        if (strcmp(v->names[i], name) == 0)
            return true;
    }
    return false;
}

static status list_variables(const job_policy *jobs, size_t n, const policy_choice *choice, variable_list *out,
                             error_info *err) {
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        most += jobs[i].policy.n_columns;
    CHECK_ALLOC(out->names = calloc(most + 1, sizeof *out->names));
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < jobs[i].policy.n_columns; c++) {
            const char *name = jobs[i].policy.columns[c].name;
            if (is_among(name, choice->variables, choice->n_variables) && !has_variable(out, name))
                out->names[out->n++] = name;
        }
    }
    return STATUS_OK;
}

static void add_thresholds(document_grid *g, size_t row, size_t column, const policy_column *c) {
    if (c->n_thresholds == 0)
        grid_say(g, row, column, SPAN_TEXT, "one state");
    for (size_t i = 0; i < c->n_thresholds && i < MOST_SHOWN; i++)
        grid_say(g, row, column, SPAN_TEXT, "%s%.4g", i ? ", " : "", c->thresholds[i]);
    if (c->n_thresholds > MOST_SHOWN)
        grid_say(g, row, column, SPAN_TEXT, ", ... (%zu)", c->n_thresholds);
}

static void add_grid(const job_policy *jobs, size_t n, const variable_list *v, document *d) {
    document_grid *g = document_add_grid(d, NULL, v->n + 1, n + 1, true);
    if (!g)
        return;
    g->may_shrink = true;
    grid_say(g, 0, 0, SPAN_TEXT, "variable");
    for (size_t i = 0; i < n; i++)
        grid_say(g, 0, i + 1, SPAN_TEXT, "%s", jobs[i].record->learner);
    for (size_t k = 0; k < v->n; k++) {
        grid_say(g, k + 1, 0, SPAN_TEXT, "%s", v->names[k]);
        for (size_t i = 0; i < n; i++) {
            const policy_column *c = policy_table_find(&jobs[i].policy, v->names[k]);
            if (c)
                add_thresholds(g, k + 1, i + 1, c);
        }
    }
}

static status add_section(const job_policy *jobs, size_t n, const policy_choice *choice, document *d, error_info *err) {
    const job_record *r = jobs[0].record;
    AUTO(variables_clear) variable_list v = {0};
    AUTO(text_buffer_clear) text_buffer title = {0};
    CHECK(list_variables(jobs, n, choice, &v, err));
    text_append_format(&title, "%s, ", r->network);
    display_append_rows(&title, r->n_samples, r->sigma);
    if (r->replicate > 0)
        text_append_format(&title, ", data set %" PRIu64, r->replicate + 1);
    CHECK(text_buffer_check(&title, err));
    document_add_folded(d, SECTION_LEVEL, title.data);
    add_grid(jobs, n, &v, d);
    return STATUS_OK;
}

status policy_list_append_document(const policy_list *l, const policy_choice *choice, const char *title, document *d,
                                   error_info *err) {
    document_add_heading(d, SECTION_LEVEL - 1, title);
    for (size_t first = 0, n; first < l->n; first += n) {
        n = count_jobs_of_set(l, first);
        if (first == 0 || !differ_by_replicate_alone(l->jobs[first - 1].record, l->jobs[first].record))
            CHECK(add_section(l->jobs + first, n, choice, d, err));
    }
    document_end_section(d);
    document_add_item(d, "Thresholds of the first data set of each; a value that equals one is above it. The CSV has "
                         "every data set, and every threshold in full.");
    return STATUS_OK;
}

/* ---- all of it ---- */

static void append_line(const job_record *r, const policy_column *c, text_buffer *out) {
    char digits[32];
    text_append_csv_label(out, r->network);
    text_append_format(out, ",%" PRIu64 ",%s,%" PRIu64 ",", r->n_samples, text_from_double(r->sigma, digits),
                       r->replicate + 1);
    text_append_csv_label(out, r->learner);
    text_append(out, ",");
    text_append_csv_label(out, c->name);
    text_append_format(out, ",%zu,", c->n_thresholds + 1);
    for (size_t i = 0; i < c->n_thresholds; i++)
        text_append_format(out, "%s%s", i ? "|" : "", text_from_double(c->thresholds[i], digits));
    text_append(out, "\n");
}

void policy_list_append_csv(const policy_list *l, const policy_choice *choice, text_buffer *out) {
    text_append(out, "network,samples,sigma,replicate,learner,column,states,thresholds\n");
    for (size_t i = 0; i < l->n; i++) {
        for (size_t c = 0; c < l->jobs[i].policy.n_columns; c++) {
            const policy_column *column = &l->jobs[i].policy.columns[c];
            if (is_among(column->name, choice->variables, choice->n_variables))
                append_line(l->jobs[i].record, column, out);
        }
    }
}
