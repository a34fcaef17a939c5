/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/paper_failures.h"

#include "core/base/array.h"

#include <string.h>

static bool is_listed(char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* It is shown, or another one that is shown may have its results. */
static bool is_concerned(const experiment_outputs *o, const char *learner) {
    if (outputs_find_learner(o, learner) < o->n_learners)
        return true;
    for (size_t i = 0; i < o->n_best_of; i++) {
        const best_of_spec *best = &o->best_of[i];
        if (outputs_find_learner(o, best->id) < o->n_learners && is_listed(best->parts, best->n_parts, learner))
            return true;
    }
    return false;
}

static bool is_first_of_learner(const experiment_outputs *o, size_t at) {
    for (size_t i = 0; i < at; i++) {
        if (strcmp(o->paper_failures[i].learner, o->paper_failures[at].learner) == 0)
            return false;
    }
    return true;
}

static bool names_size(const experiment_outputs *o, const paper_failure *f, size_t size) {
    for (size_t i = 0; i < o->n_sizes; i++) {
        if ((size == o->n_sizes || size == i) && array_has_size(f->sizes, f->n_sizes, o->sizes[i]))
            return true;
    }
    return false;
}

static bool has_failed(const experiment_outputs *o, const char *learner, const char *network, size_t size) {
    for (size_t i = 0; i < o->n_paper_failures; i++) {
        const paper_failure *f = &o->paper_failures[i];
        if (strcmp(f->learner, learner) == 0 && is_listed(f->networks, f->n_networks, network) &&
            names_size(o, f, size))
            return true;
    }
    return false;
}

/* Networks on which it failed at that sample size; with n_sizes at any. */
static size_t count_networks(const experiment_outputs *o, const char *learner, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < o->n_networks; i++)
        n += has_failed(o, learner, o->networks[i], size);
    return n;
}

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

/* "on 7 networks", or where sizes differ "on 7 networks at 500 rows, on 11 networks at 5000 rows" */
static void append_places(const experiment_outputs *o, const char *learner, size_t n_any, text_buffer *out) {
    bool is_alike = true;
    size_t n_said = 0;
    for (size_t i = 0; i < o->n_sizes; i++)
        is_alike = is_alike && count_networks(o, learner, i) == n_any;
    if (is_alike)
        text_append_format(out, " on %zu network%s", n_any, plural(n_any));
    for (size_t i = 0; !is_alike && i < o->n_sizes; i++) {
        size_t n = count_networks(o, learner, i);
        if (n == 0)
            continue;
        text_append_format(out, "%s on %zu network%s at ", n_said++ ? "," : "", n, plural(n));
        outputs_append_size(o->sizes[i], out);
        text_append(out, " rows");
    }
}

/* ": sec. 5; Table 3", of what names a network that is shown. */
static void append_texts(const experiment_outputs *o, const char *learner, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 0; i < o->n_paper_failures; i++) {
        const paper_failure *f = &o->paper_failures[i];
        bool is_meant = false;
        for (size_t k = 0; k < o->n_networks; k++)
            is_meant = is_meant || is_listed(f->networks, f->n_networks, o->networks[k]);
        if (f->text && is_meant && strcmp(f->learner, learner) == 0 && names_size(o, f, o->n_sizes))
            text_append_format(out, "%s%s", n++ ? "; " : ": ", f->text);
    }
}

/* "Whether mmhc counts as failed (failed_in_paper) is not known on link, munin1, ..." */
static void append_unknown(const experiment_outputs *o, const char *learner, text_buffer *out) {
    size_t n = 0;
    for (size_t k = 0; k < o->n_networks; k++) {
        bool is_unknown = false;
        for (size_t i = 0; i < o->n_paper_failures; i++) {
            const paper_failure *f = &o->paper_failures[i];
            is_unknown = is_unknown || (strcmp(f->learner, learner) == 0 && names_size(o, f, o->n_sizes) &&
                                        is_listed(f->unknown, f->n_unknown, o->networks[k]));
        }
        if (!is_unknown || has_failed(o, learner, o->networks[k], o->n_sizes))
            continue;
        if (n++ == 0)
            text_append_format(out, "%sWhether %s counts as failed (failed_in_paper) is not known on ",
                               out->length ? " " : "", learner);
        text_append_format(out, "%s%s", n > 1 ? ", " : "", o->networks[k]);
    }
    if (n)
        text_append_format(out, ", for want of facts; %s counts there as it ran.", learner);
}

void paper_failures_append(const experiment_outputs *o, text_buffer *out) {
    for (size_t i = 0; i < o->n_paper_failures; i++) {
        const char *learner = o->paper_failures[i].learner;
        size_t n = 0;
        if (!is_first_of_learner(o, i) || !is_concerned(o, learner))
            continue;
        n = count_networks(o, learner, o->n_sizes);
        if (n) {
            text_append_format(out, "%s%s counts as failed", out->length ? " " : "", learner);
            append_places(o, learner, n, out);
            text_append(out, ", as in the paper (failed_in_paper");
            append_texts(o, learner, out);
            text_append(out, ").");
        }
        append_unknown(o, learner, out);
    }
}
