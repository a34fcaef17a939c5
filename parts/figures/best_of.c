/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/best_of.h"

#include "metrics/distances/metric.h"

#include <math.h>
#include <stdlib.h>

static const double tolerance = 1e-9; /* relative: what equivalent graphs may differ by in the last digits of a score */

/* The records of the parts alone: part i is learner i. */
static status parts_grid(const experiment_outputs *outputs, const best_of_spec *spec, const job_record *records,
                         size_t n, result_grid *out, error_info *err) {
    experiment_outputs view;
    status st;
    if (!outputs_with_learners(outputs, spec->parts, spec->n_parts, &view))
        return error_out_of_memory(err);
    st = result_grid_lay_out(&view, records, n, out, err);
    free(view.learners);
    return st;
}

/* Less is better. NAN where the part has no value. */
static double cost_of(const best_of_spec *spec, const result_grid *parts, size_t cell) {
    const metric_info *info = metric_find(spec->by);
    bool is_done = result_grid_state(parts, cell) == VALUE_DONE;
    const double *value = is_done ? job_record_metric(parts->records[cell], spec->by) : NULL;
    if (!value)
        return NAN;
    return info && !info->less_is_better ? -*value : *value;
}

/* Does the part not run on the network of the data set whose records stand from `first` on? */
static bool is_away(const best_of_spec *spec, const result_grid *parts, size_t first, size_t part) {
    size_t place = first / (parts->n_sizes * parts->n_replicates * spec->n_parts);
    return spec->is_away && spec->is_away[place * spec->n_parts + part];
}

/* The part to take of a data set's, which stand side by side from `first` on; n_parts where none is to be taken. */
static size_t choose(const best_of_spec *spec, const result_grid *parts, size_t first) {
    double best = INFINITY;
    for (size_t i = 0; i < spec->n_parts; i++) {
        double cost = cost_of(spec, parts, first + i);
        if (is_away(spec, parts, first, i))
            continue;
        if (result_grid_state(parts, first + i) == VALUE_ABSENT || (spec->needs_all && isnan(cost)))
            return spec->n_parts;
        if (cost < best)
            best = cost;
    }
    for (size_t i = 0; i < spec->n_parts; i++) {
        if (cost_of(spec, parts, first + i) <= best + tolerance * fabs(best))
            return i;
    }
    return spec->n_parts;
}

/* The part that tells why there is no choice; n_parts where one has not run and may still come. */
static size_t first_unfinished(const best_of_spec *spec, const result_grid *parts, size_t first) {
    size_t unfinished = spec->n_parts, done = spec->n_parts; /* done: without the metric */
    for (size_t i = spec->n_parts; i-- > 0;) {
        value_state state = result_grid_state(parts, first + i);
        if (is_away(spec, parts, first, i))
            continue;
        if (state == VALUE_ABSENT)
            return spec->n_parts;
        *(state == VALUE_DONE ? &done : &unfinished) = i;
    }
    return unfinished < spec->n_parts ? unfinished : done;
}

static status fill_learner(const experiment_outputs *outputs, const best_of_spec *spec, const job_record *records,
                           size_t n, size_t learner, result_grid *grid, error_info *err) {
    size_t n_data_sets = grid->n_places * grid->n_sizes * grid->n_replicates;
    AUTO(result_grid_clear) result_grid parts = {0};
    CHECK(parts_grid(outputs, spec, records, n, &parts, err));
    for (size_t d = 0; d < n_data_sets; d++) {
        size_t first = d * spec->n_parts, at = d * grid->n_learners + learner, chosen = choose(spec, &parts, first);
        if (chosen == spec->n_parts)
            chosen = first_unfinished(spec, &parts, first);
        grid->records[at] = chosen < spec->n_parts ? parts.records[first + chosen] : NULL;
        if (chosen < spec->n_parts && parts.failed_in_paper[first + chosen])
            grid->failed_in_paper[at] = true;
    }
    return STATUS_OK;
}

status result_grid_create(const experiment_outputs *outputs, const job_record *records, size_t n, result_grid *out,
                          error_info *err) {
    AUTO(result_grid_clear) result_grid grid = {0};
    CHECK(result_grid_lay_out(outputs, records, n, &grid, err));
    for (size_t l = 0; l < outputs->n_learners; l++) {
        const best_of_spec *spec = outputs_find_best_of(outputs, outputs->learners[l]);
        if (spec)
            CHECK(fill_learner(outputs, spec, records, n, l, &grid, err));
    }
    *out = TAKE(grid);
    return STATUS_OK;
}

void best_of_counts_clear(best_of_counts *c) {
    free(c->n_chosen);
    free(c->n_unfinished);
    *c = (best_of_counts){0};
}

static void count_data_set(const best_of_spec *spec, const result_grid *parts, size_t first, best_of_counts *c) {
    size_t chosen = choose(spec, parts, first);
    c->n_data_sets++;
    for (size_t i = 0; i < spec->n_parts; i++) {
        value_state state = result_grid_state(parts, first + i);
        c->n_unfinished[i] += state != VALUE_DONE && state != VALUE_ABSENT;
    }
    if (chosen < spec->n_parts)
        c->n_chosen[chosen]++;
    else if (first_unfinished(spec, parts, first) < spec->n_parts)
        c->n_failed++;
    else
        c->n_not_run++;
}

status best_of_count(const experiment_outputs *outputs, const best_of_spec *spec, const job_record *records, size_t n,
                     best_of_counts *out, error_info *err) {
    AUTO(best_of_counts_clear) best_of_counts c = {0};
    AUTO(result_grid_clear) result_grid parts = {0};
    CHECK_ALLOC(c.n_chosen = calloc(spec->n_parts + 1, sizeof *c.n_chosen));
    CHECK_ALLOC(c.n_unfinished = calloc(spec->n_parts + 1, sizeof *c.n_unfinished));
    CHECK(parts_grid(outputs, spec, records, n, &parts, err));
    for (size_t d = 0; d < parts.n_places * parts.n_sizes * parts.n_replicates; d++)
        count_data_set(spec, &parts, d * spec->n_parts, &c);
    *out = TAKE(c);
    return STATUS_OK;
}

void best_of_append_counts(const best_of_spec *spec, const best_of_counts *counts, text_buffer *out) {
    text_append_format(out, "%s: of %zu learners the one with the best %s on each data set: ", spec->id, spec->n_parts,
                       spec->by);
    for (size_t i = 0; i < spec->n_parts; i++) {
        text_append_format(out, "%s%s %zu", i ? ", " : "", spec->parts[i], counts->n_chosen[i]);
        if (counts->n_unfinished[i])
            text_append_format(out, " (no result on %zu)", counts->n_unfinished[i]);
    }
    text_append_format(out, " of %zu data sets", counts->n_data_sets);
    if (counts->n_failed)
        text_append_format(out, "; none on %zu", counts->n_failed);
    if (counts->n_not_run)
        text_append_format(out, "; %zu not run yet", counts->n_not_run);
    text_append(out, ".");
}
