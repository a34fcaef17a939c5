/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences below a table. Names stand in them as they are; who renders a note escapes all of it. */
#include "parts/figures/best_of.h"
#include "parts/figures/figure_style.h"
#include "parts/figures/paper_failures.h"
#include "parts/tables/table_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 4 }; /* named in one sentence; the rest is counted */

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

/* What the aggregate is taken over: whatever is no group. */
static const char *element_noun(const table_work *w) {
    bool has_sizes = w->outputs->n_sizes > 1, has_sigmas = outputs_sigma_count(w->outputs) > 1;
    if (w->group_axis == AXIS_SAMPLES)
        return has_sigmas ? "pairs of network and noise level" : "networks";
    if (w->group_axis == AXIS_NETWORK)
        return !has_sigmas ? "sample sizes" : has_sizes ? "pairs of noise level and sample size" : "noise levels";
    return has_sizes ? "pairs of network and sample size" : "networks";
}

/* "Median over 3 networks of " */
static void append_over_elements(const table_work *w, text_buffer *b) {
    const char *noun = element_noun(w);
    if (w->spec->aggregate == AGGREGATE_MEAN_RANK)
        text_append_format(b, "Mean rank over %zu %.*s by ", w->n_elements, (int)strlen(noun) - (w->n_elements == 1),
                           noun);
    else if (w->n_elements > 1)
        text_append_format(b, "%s over %zu %s of ", w->spec->aggregate == AGGREGATE_MEAN ? "Mean" : "Median",
                           w->n_elements, noun);
}

static bool has_negative_baseline(const table_work *w) {
    for (size_t g = 0; g < w->n_groups; g++) {
        if (w->summaries[g].n_negative > 0)
            return true;
    }
    return false;
}

static void append_sense(const table_work *w, text_buffer *b) {
    if (w->spec->aggregate == AGGREGATE_MEAN_RANK)
        text_append(b, "; 1 is the best, ties share the mean of their ranks");
    else if (w->info && w->baseline != NO_BASELINE && has_negative_baseline(w))
        text_append(b, w->info->less_is_better ? "; the values are negative, so a ratio above 1 is better"
                                               : "; the values are negative, so a ratio below 1 is better");
    else if (w->info)
        text_append(b, w->info->less_is_better ? "; less is better" : "; more is better");
}

/* "(mean of 10 data sets / that of pmmhc)" */
static void append_element(const table_work *w, text_buffer *b) {
    const char *baseline = w->spec->normalise_by, *the = "Mean";
    size_t n = w->grid.n_replicates;
    if (w->n_elements > 1 || w->spec->aggregate == AGGREGATE_MEAN_RANK)
        the = "the mean";
    if (w->baseline == NO_BASELINE)
        text_append_format(b, "%s of %zu data set%s", the, n, plural(n));
    else if (w->spec->ratio == MEAN_OF_RATIOS)
        text_append_format(b, "%s ratio to %s on %zu data set%s", the, baseline, n, plural(n));
    else
        text_append_format(b, "(mean of %zu data set%s / that of %s)", n, plural(n), baseline);
}

/* " friedman: the mean of the figures of friedman2, friedman3." */
static void append_pools(const table_work *w, text_buffer *b) {
    for (size_t i = 0; i < w->spec->n_pools; i++) {
        const option_pool *pool = &w->spec->pools[i];
        text_append_format(b, " %s: the mean of the figures of ", pool->id);
        for (size_t k = 0; k < pool->n_parts; k++)
            text_append_format(b, "%s%s", k ? ", " : "", pool->parts[k]);
        text_append(b, ".");
    }
}

/* " Multiplied by 5: friedman2, friedman3." */
static void append_factors(const table_work *w, text_buffer *b) {
    for (size_t i = 0; i < w->spec->n_multiply; i++) {
        const option_pool *group = &w->spec->multiply[i];
        text_append_format(b, " Multiplied by %s: ", group->id);
        for (size_t k = 0; k < group->n_parts; k++)
            text_append_format(b, "%s%s", k ? ", " : "", group->parts[k]);
        text_append(b, ".");
    }
}

/* " To each value 2 times its score_evaluations are added." */
static void append_added(const table_work *w, text_buffer *b) {
    if (w->spec->plus)
        text_append_format(b, " To each value %g times its %s are added.", w->spec->plus_times, w->spec->plus);
}

/* " At sigma 0.35." */
static void append_sigmas(const table_work *w, text_buffer *b) {
    for (size_t i = 0; i < w->spec->n_sigmas; i++)
        text_append_format(b, "%s%g", i ? ", " : " At sigma ", w->spec->sigmas[i]);
    if (w->spec->n_sigmas)
        text_append(b, ".");
}

static void append_what(const table_work *w, text_buffer *b) {
    if (w->info)
        text_append_format(b, "%s: %s. ", w->spec->metric, w->info->summary);
    append_over_elements(w, b);
    append_element(w, b);
    append_sense(w, b);
    for (size_t i = 0; i < w->spec->n_sum_of; i++)
        text_append_format(b, "%s%s", i ? " + " : ", each figure the sum of those of ", w->spec->sum_of[i]);
    text_append(b, ". n of N: data sets used, of those declared.");
    if (w->has_average)
        text_append(b, " average: the mean over the sample sizes.");
    append_pools(w, b);
    append_added(w, b);
    append_factors(w, b);
    append_sigmas(w, b);
}

static size_t count_imputed(const table_work *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->n_groups * w->grid.n_learners; i++)
        n += w->figures[i].n_imputed;
    return n;
}

/* What failed in the paper has a sentence of its own. */
static bool is_in_state(const table_work *w, size_t cell, value_state state) {
    return w->values.states[cell] == state && !w->grid.failed_in_paper[cell];
}

/* Cells of a learner in one state, by network and size: "child 500: 2, alarm 500: 1". Returns the count. */
static size_t append_places(const table_work *w, size_t learner, value_state state, text_buffer *b) {
    const result_grid *g = &w->grid;
    size_t n_all = 0, n_places = 0, n_unnamed = 0;
    for (size_t i = 0; i < g->n_places * g->n_sizes; i++) {
        size_t place = i / g->n_sizes, size = i % g->n_sizes, n = 0;
        for (size_t r = 0; r < g->n_replicates; r++)
            n += is_in_state(w, result_grid_index(g, place, size, r, learner), state);
        n_all += n;
        if (n == 0)
            continue;
        if (n_places++ >= MOST_PLACES) {
            n_unnamed += n;
            continue;
        }
        text_append(b, n_places > 1 ? ", " : "");
        outputs_append_place(w->outputs, place, b);
        text_append(b, " ");
        outputs_append_size(w->outputs->sizes[size], b);
        text_append_format(b, ": %zu", n);
    }
    if (n_unnamed)
        text_append_format(b, ", elsewhere: %zu", n_unnamed);
    return n_all;
}

/* "peer-hc: 3 timed out (...), 1 failed (...)." */
static void append_failures(const table_work *w, size_t learner, text_buffer *b) {
    bool is_first = true;
    for (value_state state = VALUE_FAILED; state < VALUE_STATE_COUNT; state++) {
        text_buffer places = {0};
        size_t n = append_places(w, learner, state, &places);
        if (n > 0) {
            text_append_format(b, "%s%s%zu %s (%s)", is_first ? w->outputs->learners[learner] : "",
                               is_first ? ": " : ", ", n, value_state_name(state), places.data ? places.data : "");
            is_first = false;
        }
        b->failed |= places.failed;
        text_buffer_clear(&places);
    }
    if (!is_first)
        text_append(b, ".");
}

static const char *policy_text(const table_work *w) {
    bool is_time = figure_is_time(w->spec->metric);
    if (w->spec->failures == FAILURES_WORST && w->spec->aggregate == AGGREGATE_MEAN_RANK)
        return "A learner that failed on a network or sample size is ranked last there (*: its failed data sets "
               "count); "
               "what has not run is left out for all.";
    if (w->spec->failures == FAILURES_WORST)
        return "A failed run counts as the worst value of any learner on that data set (*); what has not run is left "
               "out "
               "for all.";
    if (w->spec->failures == FAILURES_LIMIT && is_time)
        return "A failed run counts as its time limit (*); what has not run is left out for all.";
    return "A data set on which a learner has no value is left out for all; a learner without any is left out alone.";
}

static status add_failure_notes(const table_work *w, table *t, error_info *err) {
    text_buffer b = {0};
    bool has_any = false;
    for (size_t i = 0; i < w->n_shown; i++) {
        append_failures(w, w->shown[i], &b);
        has_any |= b.length > 0;
        CHECK(text_list_take(&t->notes, &t->n_notes, &b, err));
    }
    paper_failures_append(w->outputs, &b);
    has_any |= b.length > 0;
    CHECK(text_list_take(&t->notes, &t->n_notes, &b, err));
    if (has_any || count_imputed(w) > 0)
        text_append(&b, policy_text(w));
    return text_list_take(&t->notes, &t->n_notes, &b, err);
}

/* "Left out, pmmhc having 0 there: asia 5000." */
static void append_zeros(const table_work *w, text_buffer *b) {
    size_t n = 0, n_data_sets = 0;
    for (size_t g = 0; g < w->n_groups; g++) {
        n_data_sets += w->summaries[g].n_zero_data_sets;
        for (size_t e = 0; e < w->n_elements; e++) {
            grid_element at = table_element(w, g, e);
            if (!w->is_zero[g * w->n_elements + e])
                continue;
            text_append(b, n++ ? ", " : "Left out for every learner, a ratio to 0 being undefined: ");
            outputs_append_place(w->outputs, at.place, b);
            text_append(b, " ");
            outputs_append_size(w->outputs->sizes[at.size], b);
        }
    }
    if (n)
        text_append_format(b, " (%s has 0 there).", w->spec->normalise_by);
    if (n_data_sets)
        text_append_format(b, "%s%zu data set%s left out for every learner, %s having 0 there.", n ? " " : "",
                           n_data_sets, plural(n_data_sets), w->spec->normalise_by);
}

/* "No ratio where the signs differ: pc 2 data sets." */
static void append_opposite(const table_work *w, text_buffer *b) {
    bool is_first = true;
    for (size_t i = 0; i < w->n_shown; i++) {
        size_t n = 0;
        for (size_t g = 0; g < w->n_groups; g++)
            n += w->figures[g * w->grid.n_learners + w->shown[i]].n_opposite;
        if (n == 0)
            continue;
        text_append_format(b, "%s%s %zu data set%s",
                           is_first ? "No ratio is formed where a value and the baseline's have different signs: "
                                    : ", ",
                           w->outputs->learners[w->shown[i]], n, plural(n));
        is_first = false;
    }
    if (!is_first)
        text_append(b, ".");
}

static void append_programs(const table_work *w, text_buffer *b) {
    if (figure_is_time(w->spec->metric) && outputs_append_programs(w->outputs, b) > 0)
        text_append(b, ": the time is that of the whole process, which starts, reads the data and learns.");
}

static void append_left_out(const table_work *w, text_buffer *b) {
    size_t n = 0;
    for (size_t l = 0; l < w->grid.n_learners; l++) {
        if (w->values.applies[l])
            continue;
        text_append_format(b, "%s%s",
                           n++ ? ", " : "Left out, their results having no such value: ", w->outputs->learners[l]);
    }
    if (n)
        text_append(b, ".");
}

static void append_baseline_missing(const table_work *w, text_buffer *b) {
    size_t n = 0;
    if (w->baseline == NO_BASELINE)
        return;
    for (size_t g = 0; g < w->n_groups; g++)
        n += !w->figures[g * w->grid.n_learners + w->baseline].takes_part;
    if (n)
        text_append_format(b, "%s, by which to normalise, has no value in %zu of %zu %ss: no figures there.",
                           w->spec->normalise_by, n, w->n_groups,
                           w->group_axis == AXIS_SAMPLES   ? "sample size"
                           : w->group_axis == AXIS_NETWORK ? "network"
                                                           : "noise level");
}

static void append_published_found(const table_work *w, text_buffer *b) {
    bool is_time = figure_is_time(w->spec->metric);
    text_append_format(b, "In brackets: as published (%s",
                       w->spec->published ? w->spec->published : "published figures");
    if (w->aggregation)
        text_append_format(b, "; %s", w->aggregation);
    text_append(b, "), on the paper's own networks and data.");
    if (w->n_incomparable > 0)
        text_append_format(b, " Not comparable: the paper's figures are over %zu networks, these over %zu.",
                           published_network_count(w->published), w->outputs->n_networks);
    if (is_time)
        text_append(b, w->baseline == NO_BASELINE
                           ? " Published times were taken on other machines, with other programs."
                           : " Published ratios of times come from other machines and other programs.");
}

static void append_published_missing(const table_work *w, text_buffer *b) {
    const char *metric = w->spec->published_metric       ? w->spec->published_metric
                         : w->info && w->info->published ? w->info->published
                                                         : w->spec->metric;
    const char *theirs = published_baseline(w->published, metric),
               *ours = w->spec->normalise_by ? w->spec->normalise_by : "";
    const char *file = w->spec->published ? w->spec->published : "the published figures";
    if (!theirs)
        text_append_format(b, "%s holds no figure of '%s'.", file, metric);
    else if (strcmp(theirs, ours) != 0)
        text_append_format(b, "The figures of %s are %s%s and cannot stand beside these.", file,
                           *theirs ? "normalised by " : "not normalised", theirs);
    else
        text_append_format(b, "%s holds no figure for these learners and rows.", file);
}

static void append_published(const table_work *w, text_buffer *b) {
    if (!w->published)
        return;
    if (w->n_published > 0)
        append_published_found(w, b);
    else if (w->n_ambiguous == 0)
        append_published_missing(w, b);
    if (w->n_ambiguous > 0)
        text_append_format(b, "%s%zu figure%s left out: several published ones would fit.", b->length ? " " : "",
                           w->n_ambiguous, plural(w->n_ambiguous));
}

static void append_doubled(const table_work *w, text_buffer *b) {
    if (w->grid.n_doubled)
        text_append_format(b, "%zu cell%s more than one result, of different declarations; the last one stands here.",
                           w->grid.n_doubled, w->grid.n_doubled == 1 ? " has" : "s have");
}

/* "or: of 6 learners the one with the best bdeu_train on each data set: ..." */
static status add_choice_notes(const table_work *w, const job_record *records, size_t n_records, table *t,
                               error_info *err) {
    text_buffer b = {0};
    status st = STATUS_OK;
    for (size_t i = 0; i < w->n_shown && st == STATUS_OK; i++) {
        const best_of_spec *spec = outputs_find_best_of(w->outputs, w->outputs->learners[w->shown[i]]);
        best_of_counts counts = {0};
        if (!spec)
            continue;
        CHECK(best_of_count(w->outputs, spec, records, n_records, &counts, err));
        best_of_append_counts(spec, &counts, &b);
        best_of_counts_clear(&counts);
        st = text_list_take(&t->notes, &t->n_notes, &b, err);
    }
    return st;
}

static size_t count_altered(const char *learner, const job_record *records, size_t n_records) {
    size_t n = 0;
    for (size_t i = 0; i < n_records; i++) {
        const double *altered = job_record_metric(&records[i], "scored_altered");
        n += altered && *altered > 0 && strcmp(records[i].learner, learner) == 0;
    }
    return n;
}

/* "No DAG agrees with some graphs, ...: pc 3 results, tpda 12 results." */
static void append_altered(const table_work *w, const job_record *records, size_t n_records, text_buffer *b) {
    bool is_first = true;
    for (size_t i = 0; w->info && w->info->scores_dag && i < w->n_shown; i++) {
        const char *learner = w->outputs->learners[w->shown[i]];
        size_t n = count_altered(learner, records, n_records);
        if (n == 0)
            continue;
        text_append_format(b, "%s%s %zu result%s",
                           is_first ? "No DAG agrees with some graphs, and their scores are those of altered ones: "
                                    : ", ",
                           learner, n, plural(n));
        is_first = false;
    }
    if (!is_first)
        text_append(b, ".");
}

status table_add_notes(const table_work *w, const job_record *records, size_t n_records, table *t, error_info *err) {
    static void (*const others[])(const table_work *, text_buffer *) = {
        append_programs, append_zeros,     append_opposite, append_baseline_missing,
        append_left_out, append_published, append_doubled};
    text_buffer b = {0};
    append_what(w, &b);
    CHECK(text_list_take(&t->notes, &t->n_notes, &b, err));
    CHECK(add_choice_notes(w, records, n_records, t, err));
    CHECK(add_failure_notes(w, t, err));
    append_altered(w, records, n_records, &b);
    CHECK(text_list_take(&t->notes, &t->n_notes, &b, err));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        others[i](w, &b);
        CHECK(text_list_take(&t->notes, &t->n_notes, &b, err));
    }
    return STATUS_OK;
}
