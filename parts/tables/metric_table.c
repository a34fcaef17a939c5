/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the results of an experiment to the cells of a table of a metric, with names and notes. */
#include "parts/tables/metric_table.h"

#include "parts/figures/block_means.h"
#include "parts/figures/figure_style.h"
#include "parts/tables/table_internal.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static status check_axes(table_work *w, error_info *err) {
    const metric_table_spec *spec = w->spec;
    if ((spec->rows == AXIS_LEARNER) == (spec->columns == AXIS_LEARNER))
        return error_set(err, STATUS_INVALID,
                         "rows and columns must be learners on the one side and samples, networks or noise levels "
                         "(sigma) on the other");
    w->group_axis = spec->rows == AXIS_LEARNER ? spec->columns : spec->rows;
    w->n_groups = w->group_axis == AXIS_SAMPLES   ? w->outputs->n_sizes
                  : w->group_axis == AXIS_NETWORK ? w->outputs->n_networks
                                                  : outputs_sigma_count(w->outputs);
    w->n_elements = w->n_groups ? outputs_place_count(w->outputs) * w->outputs->n_sizes / w->n_groups : 0;
    w->has_average = w->group_axis == AXIS_SAMPLES && w->n_groups > 1;
    w->baseline = NO_BASELINE;
    if (!spec->normalise_by)
        return STATUS_OK;
    if (spec->aggregate == AGGREGATE_MEAN_RANK)
        return error_set(err, STATUS_INVALID, "mean ranks are not normalised; leave normalise_by out");
    w->baseline = outputs_find_learner(w->outputs, spec->normalise_by);
    if (w->baseline == NO_BASELINE)
        return error_set(err, STATUS_INVALID, "it is to be normalised by '%s', which is no learner of the experiment",
                         spec->normalise_by);
    return STATUS_OK;
}

/* A baseline that the table does not name is there to divide by, not to be shown. */
static void choose_learners(table_work *w) {
    size_t n_named = w->spec->n_learners ? w->spec->n_learners : w->grid.n_learners;
    for (size_t l = 0; l < n_named; l++) {
        if (w->values.applies[l])
            w->shown[w->n_shown++] = l;
    }
}

/* The pool that a learner's figures go into; NULL where it stands for itself. */
static const option_pool *pool_of(const metric_table_spec *spec, const char *learner) {
    for (size_t i = 0; i < spec->n_pools; i++) {
        for (size_t k = 0; k < spec->pools[i].n_parts; k++) {
            if (strcmp(spec->pools[i].parts[k], learner) == 0)
                return &spec->pools[i];
        }
    }
    return NULL;
}

/* After the learners. A pool stands in the place of its first part. */
static status choose_entries(table_work *w, error_info *err) {
    CHECK_ALLOC(w->entry_of = calloc(w->n_shown + 1, sizeof *w->entry_of));
    CHECK_ALLOC(w->entry_names = calloc(w->n_shown + 1, sizeof *w->entry_names));
    for (size_t i = 0; i < w->n_shown; i++) {
        const char *learner = w->outputs->learners[w->shown[i]];
        const option_pool *pool = pool_of(w->spec, learner);
        size_t entry = pool ? 0 : w->n_entries;
        while (pool && entry < w->n_entries && w->entry_names[entry] != pool->id)
            entry++;
        w->entry_of[i] = entry;
        if (entry == w->n_entries)
            w->entry_names[w->n_entries++] = pool ? pool->id : learner;
    }
    return STATUS_OK;
}

static const char *first_metric(const metric_table_spec *spec) {
    return spec->n_sum_of ? spec->sum_of[0] : spec->metric;
}

static size_t cell_count(const table_work *w) {
    return w->grid.n_places * w->grid.n_sizes * w->grid.n_replicates * w->grid.n_learners;
}

/* A cell that has not the one has not the sum. */
static status add_values(table_work *w, error_info *err) {
    AUTO(metric_values_clear) metric_values more = {0};
    if (!w->spec->plus)
        return STATUS_OK;
    CHECK(metric_values_create(&w->grid, w->spec->plus, w->spec->failures, &more, err));
    for (size_t c = 0; c < cell_count(w); c++) {
        w->values.values[c] += w->spec->plus_times * more.values[c];
        if (more.states[c] == VALUE_UNDEFINED)
            w->values.states[c] = VALUE_UNDEFINED;
    }
    return STATUS_OK;
}

/* Values as the paper counted them. */
static void multiply_values(table_work *w) {
    size_t n_cells = cell_count(w);
    for (size_t i = 0; i < w->spec->n_multiply; i++) {
        const option_pool *group = &w->spec->multiply[i];
        double factor = strtod(group->id, NULL);
        for (size_t k = 0; k < group->n_parts; k++) {
            size_t learner = outputs_find_learner(w->outputs, group->parts[k]);
            for (size_t c = learner; learner < w->grid.n_learners && c < n_cells; c += w->grid.n_learners)
                w->values.values[c] *= factor;
        }
    }
}

static status prepare(table_work *w, const job_record *records, size_t n_records, error_info *err) {
    const experiment_outputs *o = w->outputs;
    CHECK(check_axes(w, err));
    CHECK(result_grid_create(o, records, n_records, &w->grid, err));
    CHECK(metric_values_create(&w->grid, first_metric(w->spec), w->spec->failures, &w->values, err));
    CHECK(add_values(w, err));
    multiply_values(w);
    CHECK_ALLOC(w->shown = calloc(o->n_learners + 1, sizeof *w->shown));
    CHECK_ALLOC(w->figures = calloc(w->n_groups * o->n_learners + 1, sizeof *w->figures));
    CHECK_ALLOC(w->summaries = calloc(w->n_groups + 1, sizeof *w->summaries));
    CHECK_ALLOC(w->is_zero = calloc(w->n_groups * w->n_elements + 1, sizeof *w->is_zero));
    choose_learners(w);
    return choose_entries(w, err);
}

static void clear_work(table_work *w) {
    result_grid_clear(&w->grid);
    metric_values_clear(&w->values);
    free(w->shown);
    free(w->entry_of);
    free(w->entry_names);
    free(w->figures);
    free(w->summaries);
    free(w->is_zero);
    free(w->aggregation);
}

static status compute_group(table_work *w, size_t group, error_info *err) {
    group_rule rule = {.baseline = w->baseline, .ratio = w->spec->ratio, .aggregate = w->spec->aggregate};
    AUTO_FREE grid_element *elements = calloc(w->n_elements + 1, sizeof *elements);
    CHECK_ALLOC(elements);
    for (size_t e = 0; e < w->n_elements; e++)
        elements[e] = table_element(w, group, e);
    if (w->spec->aggregate == AGGREGATE_MEAN_RANK)
        CHECK(group_mean_ranks(&w->values, elements, w->n_elements, w->spec->failures,
                               w->info && !w->info->less_is_better, w->figures + group * w->grid.n_learners,
                               &w->summaries[group], err));
    else
        CHECK(group_compare(&w->values, elements, w->n_elements, &rule, w->figures + group * w->grid.n_learners,
                            w->is_zero + group * w->n_elements, &w->summaries[group], err));
    return STATUS_OK;
}

static char *group_name(const table_work *w, size_t group) {
    text_buffer b = {0};
    char digits[32];
    if (group == w->n_groups)
        text_append(&b, "average");
    else if (w->group_axis == AXIS_SAMPLES)
        outputs_append_size(w->outputs->sizes[group], &b);
    else if (w->group_axis == AXIS_SIGMA && w->outputs->n_sigmas == 0)
        text_append(&b, "none");
    else if (w->group_axis == AXIS_SIGMA)
        text_append(&b, text_from_double(w->outputs->sigmas[group], digits));
    else
        text_append(&b, w->outputs->networks[group]);
    if (b.failed)
        text_buffer_clear(&b);
    return b.data;
}

/* As the outputs number it; a pool is -1, -2, ... */
static long number_of(const experiment_outputs *outputs, const metric_table_spec *spec, const char *name) {
    assert(name);
    for (size_t i = 0; i < spec->n_pools; i++) {
        if (strcmp(spec->pools[i].id, name) == 0)
            return -1 - (long)i;
    }
    return (long)outputs_find_learner(outputs, name);
}

static status name_axes(const table_work *w, const experiment_outputs *outputs, table *t, error_info *err) {
    size_t n_groups = w->n_groups + w->has_average;
    char **groups, **learners;
    t->learners_are_columns = w->spec->columns == AXIS_LEARNER;
    t->group_axis = w->group_axis;
    t->n_groups = w->n_groups;
    t->n_rows = t->learners_are_columns ? n_groups : w->n_entries;
    t->n_columns = t->learners_are_columns ? w->n_entries : n_groups;
    CHECK_ALLOC(t->row_names = calloc(t->n_rows + 1, sizeof *t->row_names));
    CHECK_ALLOC(t->column_names = calloc(t->n_columns + 1, sizeof *t->column_names));
    CHECK_ALLOC(t->cells = calloc(t->n_rows * t->n_columns + 1, sizeof *t->cells));
    CHECK_ALLOC(t->learners = calloc(w->n_entries + 1, sizeof *t->learners));
    groups = t->learners_are_columns ? t->row_names : t->column_names;
    learners = t->learners_are_columns ? t->column_names : t->row_names;
    for (size_t g = 0; g < n_groups; g++)
        CHECK_ALLOC(groups[g] = group_name(w, g));
    for (size_t i = 0; i < w->n_entries; i++) {
        CHECK_ALLOC(learners[i] = text_copy(w->entry_names[i]));
        t->learners[i] = number_of(outputs, w->spec, w->entry_names[i]);
    }
    CHECK_ALLOC(t->row_heading = text_copy(!t->learners_are_columns        ? "learner"
                                           : w->group_axis == AXIS_SAMPLES ? "samples"
                                           : w->group_axis == AXIS_NETWORK ? "network"
                                                                           : "sigma"));
    return STATUS_OK;
}

static status name_table(const table_work *w, table *t, error_info *err) {
    const metric_table_spec *spec = w->spec;
    bool is_rank = spec->aggregate == AGGREGATE_MEAN_RANK;
    const char *unit = figure_unit_of(spec->metric);
    AUTO(text_buffer_clear) text_buffer title = {0};
    if (spec->title)
        text_append(&title, spec->title);
    else if (spec->normalise_by)
        text_append_format(&title, "%s relative to %s", spec->metric, spec->normalise_by);
    else if (is_rank)
        text_append_format(&title, "mean rank by %s", spec->metric);
    else
        text_append_format(&title, *unit ? "%s (%s)" : "%s", spec->metric, unit);
    CHECK(text_buffer_take(&title, &t->title, err));
    CHECK_ALLOC(t->id = text_copy(spec->id ? spec->id : spec->metric));
    t->style = spec->normalise_by || is_rank ? NUMBER_RATIO : figure_style_of(spec->metric);
    t->decimals = spec->decimals;
    t->is_time = figure_is_time(spec->metric);
    return STATUS_OK;
}

status metric_table_view(const experiment_outputs *outputs, const metric_table_spec *spec, experiment_outputs *view,
                         error_info *err) {
    bool has_baseline = !spec->normalise_by;
    if (!outputs_with_learners(outputs, spec->learners, spec->n_learners, view))
        return error_out_of_memory(err);
    if (spec->n_samples > 0) {
        view->sizes = spec->samples;
        view->n_sizes = spec->n_samples;
    }
    if (spec->n_sigmas > 0) {
        view->sigmas = spec->sigmas;
        view->n_sigmas = spec->n_sigmas;
    }
    if (spec->n_networks > 0) {
        view->networks = spec->networks;
        view->n_networks = spec->n_networks;
    }
    for (size_t i = 0; i < view->n_learners; i++)
        has_baseline = has_baseline || strcmp(view->learners[i], spec->normalise_by) == 0;
    if (!has_baseline && outputs_find_learner(outputs, spec->normalise_by) < outputs->n_learners)
        view->learners[view->n_learners++] = spec->normalise_by;
    return STATUS_OK;
}

/* The figures of a further metric, added to those that are there. */
static status add_figures(const experiment_outputs *outputs, const metric_table_spec *spec, const char *metric,
                          const job_record *records, size_t n_records, table *t, error_info *err) {
    metric_table_spec of_one = *spec;
    AUTO_FREE char *name = text_copy(metric);
    AUTO(table_clear) table more = {0};
    CHECK_ALLOC(name);
    of_one.metric = name;
    of_one.n_sum_of = 0;
    CHECK(metric_table_compute(outputs, &of_one, records, n_records, NULL, &more, err));
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        table_cell *cell = &t->cells[i];
        bool fits = more.n_rows == t->n_rows && more.n_columns == t->n_columns;
        if (cell->kind == CELL_FIGURE && (!fits || more.cells[i].kind != CELL_FIGURE))
            cell->kind = CELL_EMPTY;
        else if (cell->kind == CELL_FIGURE)
            cell->value += more.cells[i].value;
    }
    return STATUS_OK;
}

/* Not the figure of the sum, which a median makes another one. The first metric's figures are there already. */
static status sum_figures(const table_work *w, const experiment_outputs *outputs, const job_record *records,
                          size_t n_records, table *t, error_info *err) {
    for (size_t i = 1; i < w->spec->n_sum_of; i++)
        CHECK(add_figures(outputs, w->spec, w->spec->sum_of[i], records, n_records, t, err));
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        t->cells[i].is_best = false;
    for (size_t g = 0; g < w->n_groups + w->has_average; g++)
        table_mark_best(w, t, g);
    return STATUS_OK;
}

status metric_table_compute(const experiment_outputs *outputs, const metric_table_spec *spec, const job_record *records,
                            size_t n_records, const published_table *published, table *out, error_info *err) {
    experiment_outputs view = {0};
    table_work w = {.outputs = &view, .spec = spec, .published = published};
    table t = {0};
    status st = STATUS_OK;
    w.info = metric_find(spec->metric);
    TRY(metric_table_view(outputs, spec, &view, err));
    TRY(prepare(&w, records, n_records, err));
    for (size_t g = 0; g < w.n_groups; g++)
        TRY(compute_group(&w, g, err));
    TRY(name_table(&w, &t, err));
    TRY(name_axes(&w, outputs, &t, err));
    table_fill_cells(&w, &t);
    if (spec->n_sum_of > 0)
        TRY(sum_figures(&w, outputs, records, n_records, &t, err));
    TRY(table_add_published(&w, &t, err));
    TRY(table_add_notes(&w, records, n_records, &t, err));
    *out = TAKE(t);
cleanup:
    if (st != STATUS_OK)
        error_context(err, "table '%s'", spec->id ? spec->id : spec->metric);
    table_clear(&t);
    clear_work(&w);
    free(view.learners);
    return st;
}

/* ---- the declaration ---- */

#define AXIS_CHOICES "samples|network|learner|sigma"
static const option_spec options[] = {
    PART_HEAD_ROWS(metric_table_spec, "the metric"),
    PART_ROW(OPT_METRIC, "metric", metric_table_spec, metric, .is_required = true, .help = "what is shown"),
    PART_LIST_ROW(
        OPT_METRICS, "sum_of", metric_table_spec, sum_of,
        .help = "each figure is the sum of the figures of these, as where a paper adds medians; metric then names it"),
    PART_ROW(OPT_METRIC, "plus", metric_table_spec, plus, .usual = "none",
             .help = "to each value this metric's of the same cell is added, `times` times"),
    PART_ROW(OPT_REAL, "times", metric_table_spec, plus_times, .initial = 1, .least = 0, .most = 1e9,
             .help = "of plus: 2 beside statistics and score_evaluations, where a score takes as long as three tests"),
    PART_ROW(OPT_CHOICE, "rows", metric_table_spec, rows, .initial = AXIS_SAMPLES, .choices = AXIS_CHOICES,
             .help = "of rows and columns one is learner; sigma: noise levels"),
    PART_ROW(OPT_CHOICE, "columns", metric_table_spec, columns, .initial = AXIS_LEARNER, .choices = AXIS_CHOICES,
             .help = "as rows"),
    TABLE_CHOICE_ROWS(metric_table_spec),
    PART_LIST_ROW(
        OPT_POOLS, "pool", metric_table_spec, pools,
        .help = "learners shown as one under that name, in the place of the first; its figure is the mean of theirs"),
    PART_LIST_ROW(OPT_POOLS, "multiply", metric_table_spec, multiply,
                  .help =
                      "by that number, each value of these learners: {5: [ID]} where a paper sums over five data sets, "
                      "{2: [ID]} where it counts a call as two; the baseline among them, too"),
    PART_ROW(
        OPT_LEARNER, "normalise_by", metric_table_spec, normalise_by,
        .help = "every value is divided by this one's on the same network and size; where the two have different signs "
                "there is no ratio: that data set is left out for the learner, and a note counts them"),
    PART_ROW(
        OPT_CHOICE, "aggregate", metric_table_spec, aggregate, .choices = "median|mean|mean_rank",
        .help =
            "over what is neither rows nor columns (each network, sample size and noise level by itself); mean_rank: "
            "the learners are ranked on each network (or sample size), 1 the best, ties share the mean of their "
            "ranks, a learner that failed there comes last"),
    PART_ROW(OPT_CHOICE, "ratio", metric_table_spec, ratio, .choices = "ratio-of-means|mean-of-ratios",
             .help = "replicates are averaged, then divided; or the other way round"),
    PART_ROW(
        OPT_CHOICE, "failures", metric_table_spec, failures, .initial = -1, .choices = FAILURE_POLICY_CHOICES,
        .usual = "drop-dataset; of mean ranks worst",
        .help = "what a cell without a result does: the data set is left out for every learner; it counts as the worst "
                "value on that data set; a time counts as its limit"),
    PART_PUBLISHED_ROW(metric_table_spec,
                       "its figures stand beside the regenerated ones, for learners whose ids they have"),
    PART_ROW(OPT_LINE, "published_metric", metric_table_spec, published_metric, .usual = "as bnbench info METRIC says",
             .help =
                 "the metric's name in that file; METRIC@DEPTH for a figure of one depth; what is printed in percent "
                 "stands as a share"),
    TABLE_WITHIN_ROW(metric_table_spec),
    TABLE_DECIMALS_ROW(metric_table_spec),
    {0},
};

static bool shows(const metric_table_spec *t, const char *learner) {
    for (size_t i = 0; i < t->n_learners; i++) {
        if (strcmp(t->learners[i], learner) == 0)
            return true;
    }
    return t->n_learners == 0;
}

static status check_pools(const metric_table_spec *t, error_info *err) {
    for (size_t i = 0; i < t->n_pools; i++) {
        for (size_t k = 0; k < t->pools[i].n_parts; k++) {
            if (!shows(t, t->pools[i].parts[k]))
                return error_set(err, STATUS_INVALID, "'%.60s' is not among the learners of this table",
                                 t->pools[i].parts[k]);
        }
    }
    return STATUS_OK;
}

static status check_factors(const metric_table_spec *t, error_info *err) {
    for (size_t i = 0; i < t->n_multiply; i++) {
        double factor;
        if (!text_to_double(t->multiply[i].id, &factor) || !(factor > 0) || !isfinite(factor))
            return error_set(err, STATUS_INVALID, "'%.60s' is no number above 0 to multiply by", t->multiply[i].id);
    }
    return STATUS_OK;
}

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    static const char *const names[] = {"samples", "network", "learner", "sigma"};
    metric_table_spec *t = declared;
    if ((int)t->failures < 0)
        t->failures = t->aggregate == AGGREGATE_MEAN_RANK ? FAILURES_WORST : FAILURES_DROP_DATASET;
    if (t->aggregate == AGGREGATE_MEAN_RANK && t->normalise_by) {
        *key = "normalise_by";
        return error_set(err, STATUS_INVALID, "mean ranks are not normalised; leave normalise_by out");
    }
    *key = "pool";
    CHECK(check_pools(t, err));
    *key = "multiply";
    CHECK(check_factors(t, err));
    *key = NULL;
    if (t->rows == t->columns)
        return error_set(err, STATUS_INVALID, "rows and columns of this table are both %s; they must differ",
                         names[t->rows]);
    if (t->rows != AXIS_LEARNER && t->columns != AXIS_LEARNER)
        return error_set(err, STATUS_INVALID, "of rows and columns of a table one must be learner");
    if (outputs->n_sigmas == 0 && (t->rows == AXIS_SIGMA || t->columns == AXIS_SIGMA)) {
        *key = t->rows == AXIS_SIGMA ? "rows" : "columns";
        return error_set(err, STATUS_INVALID, "this experiment has no noise levels; data.continuize declares them");
    }
    return STATUS_OK;
}

static status tabulate(const part_context *c, const void *declared, part_output *out, table *t, error_info *err) {
    const metric_table_spec *spec = declared;
    AUTO_PTR(published_destroy) published_table *published = NULL;
    CHECK(part_read_published(out, spec->id, spec->published, PUBLISHED_FIGURES, &published, err));
    return metric_table_compute(c->outputs, spec, c->records, c->n_records, published, t, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    return table_make(c, p, p->options, out, err);
}

const part_kind part_metric_table = {
    .group = PART_TABLE,
    .name = "metric",
    .summary = "figures of a metric, learners on one side, sample sizes, networks or noise levels on the other",
    .options_size = sizeof(metric_table_spec),
    .options = options,
    .complete = complete,
    .make = make,
    .tabulate = tabulate,
};

const metric_table_spec *metric_table_of(const declared_part *p) {
    return p->kind == &part_metric_table ? p->options : NULL;
}
