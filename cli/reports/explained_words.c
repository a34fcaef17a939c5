/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the words and the JSON of an explanation share. */
#include "cli/reports/explained.h"

#include "core/base/shell_word.h"

#include <string.h>

void explained_append_rule(const table_tolerance *w, text_buffer *out) {
    if (!w->is_declared)
        text_append(out, "the table declares no tolerance, so the figure does not count as regenerated or missed");
    else if (w->relative == 0 && w->absolute == 0)
        text_append(out, "within the rounding of the printed figure");
    else if (w->absolute == 0)
        text_append_format(out, "within %g%% of the published figure", 100 * w->relative);
    else if (w->relative == 0)
        text_append_format(out, "within %g of the published figure", w->absolute);
    else
        text_append_format(out, "within %g%% of the published figure or within %g of it, whichever allows more",
                           100 * w->relative, w->absolute);
}

static void append_metrics(const explained_figure *f, text_buffer *out) {
    size_t n = f->n_metrics - (f->spec->plus != NULL);
    for (size_t i = 0; i < n; i++)
        text_append_format(out, "%s%s", i ? " + " : "", f->metrics[i]);
    if (f->spec->plus)
        text_append_format(out, ", to which %g times its %s are added", f->spec->plus_times, f->spec->plus);
}

static void append_value(const explained_figure *f, text_buffer *out) {
    const metric_table_spec *s = f->spec;
    if (s->normalise_by && s->ratio == MEAN_OF_RATIOS)
        text_append_format(out,
                           "; on each data set divided by that of %s, then the mean over the data sets of a "
                           "network and size",
                           s->normalise_by);
    else if (s->normalise_by)
        text_append_format(out, "; the mean over the data sets of a network and size, divided by the mean of %s there",
                           s->normalise_by);
    else
        text_append(out, "; the mean over the data sets of a network and size");
}

static const char *elements_of(const table *t) {
    return t->group_axis == AXIS_SAMPLES   ? "networks"
           : t->group_axis == AXIS_NETWORK ? "sample sizes"
                                           : "networks and sample sizes";
}

static const char *policy_words(failure_policy p) {
    return p == FAILURES_WORST   ? "a job that failed counts as the worst value of its data set"
           : p == FAILURES_LIMIT ? "a time that was not reached counts as its limit; else the data set is left out"
                                 : "a data set on which a learner of the table failed is left out for all of them";
}

static bool is_average(const explained_figure *f) {
    return strcmp(f->t->learners_are_columns ? f->row : f->column, "average") == 0 && f->t->group_axis == AXIS_SAMPLES;
}

static void append_factors(const metric_table_spec *s, text_buffer *out) {
    for (size_t i = 0; i < s->n_multiply; i++) {
        text_append_format(out, " Values are multiplied by %s of", s->multiply[i].id);
        for (size_t k = 0; k < s->multiply[i].n_parts; k++)
            text_append_format(out, "%s %s", k ? "," : "", s->multiply[i].parts[k]);
        text_append(out, ".");
    }
}

void explained_append_making(const explained_figure *f, text_buffer *out) {
    const metric_table_spec *s = f->spec;
    if (!s)
        return;
    append_metrics(f, out);
    append_value(f, out);
    text_append_format(out, "; then the %s over the %s.",
                       s->aggregate == AGGREGATE_MEAN        ? "mean"
                       : s->aggregate == AGGREGATE_MEAN_RANK ? "mean of the ranks among the learners"
                                                             : "median",
                       elements_of(f->t));
    if (s->n_sum_of)
        text_append(out, " That is done for each summand; the figure is the sum.");
    append_factors(s, out);
    if (is_average(f))
        text_append(out, " The average is the mean of the figures of all sample sizes.");
    text_append_format(out, " Failures: %s.", policy_words(s->failures));
}

void explained_append_repeat(const char *folder, const char *job, text_buffer *out) {
    text_append(out, "bnbench job ");
    shell_append_word(out, folder);
    text_append(out, " ");
    shell_append_word(out, job);
    text_append(out, " --repeat");
}

/* ---- options ---- */

static bool is_involved(const explained_figure *f, const char *id) {
    for (size_t i = 0; i < f->n_jobs; i++) {
        const char *own = strrchr(f->jobs[i].name, '/'),
                   *base = f->jobs[i].baseline ? strrchr(f->jobs[i].baseline, '/') : NULL;
        if ((own && strcmp(own + 1, id) == 0) || (base && strcmp(base + 1, id) == 0))
            return true;
    }
    return false;
}

static status put_changed(const learner_variant *v, json_t *out, error_info *err) {
    AUTO_FREE void *initial = learner_options_create(v->kind);
    AUTO_PTR(json_decref) json_t *usual = NULL;
    AUTO_PTR(json_decref) json_t *ours = json_of_options(v->kind->options, v->options);
    json_t *changed = json_object(), *value;
    const char *name;
    CHECK(json_put(out, v->id, changed, err));
    CHECK_ALLOC(initial && ours);
    CHECK_ALLOC(usual = json_of_options(v->kind->options, initial));
    json_object_foreach(ours, name, value) {
        if (!json_equal(value, json_object_get(usual, name)))
            CHECK(json_put(changed, name, json_incref(value), err));
    }
    return STATUS_OK;
}

static status put_command(const learner_variant *v, json_t *out, error_info *err) {
    size_t n = 0;
    while (v->command[n])
        n++;
    return json_put(out, v->id, json_object_of({"command", json_of_texts((const char *const *)v->command, n)}), err);
}

status explained_changed_options(const explained_figure *f, const experiment *e, json_t **out, error_info *err) {
    AUTO_PTR(json_decref) json_t *all = json_object();
    CHECK_ALLOC(all);
    for (size_t i = 0; i < e->n_variants; i++) {
        const learner_variant *v = &e->variants[i];
        if (is_involved(f, v->id))
            CHECK(v->kind ? put_changed(v, all, err) : put_command(v, all, err));
    }
    *out = TAKE(all);
    return STATUS_OK;
}
