/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/base/part_scope.h"

#include <stdlib.h>
#include <string.h>

void part_scope_clear(part_scope *s) {
    free(s->networks);
    free(s->sizes);
    free(s->learners);
    *s = (part_scope){0};
}

/* ---- the options of any part ---- */

static const void *member(const declared_part *p, size_t offset) {
    return (const char *)p->options + offset;
}

/* A list of names or sizes; NULL, and 0, where the kind has no such option. */
static const void *list_of(const declared_part *p, const char *option, size_t *n) {
    const option_spec *spec = options_find(p->kind->options, option);
    *n = spec ? *(const size_t *)member(p, spec->count_offset) : 0;
    return spec ? member(p, spec->offset) : NULL;
}

static void mark_name(bool *marks, char *const *names, size_t n, const char *name) {
    for (size_t i = 0; name && i < n; i++)
        marks[i] |= strcmp(names[i], name) == 0;
}

static void mark_all(bool *marks, size_t n) {
    for (size_t i = 0; i < n; i++)
        marks[i] = true;
}

/* Those of the list, or all where it is empty. */
static void mark_names(bool *marks, char *const *names, size_t n, const declared_part *p, const char *option) {
    size_t n_named;
    char *const *const *named = list_of(p, option, &n_named);
    if (n_named == 0)
        mark_all(marks, n);
    for (size_t i = 0; i < n_named; i++)
        mark_name(marks, names, n, (*named)[i]);
}

static void mark_sizes(bool *marks, const experiment_outputs *o, const declared_part *p) {
    size_t n_named;
    const size_t *const *named = list_of(p, "samples", &n_named);
    if (n_named == 0)
        mark_all(marks, o->n_sizes);
    for (size_t i = 0; i < n_named; i++) {
        for (size_t k = 0; k < o->n_sizes; k++)
            marks[k] |= o->sizes[k] == (*named)[i];
    }
}

/* ---- learners that stand for others ---- */

static void mark_pools(bool *marks, const experiment_outputs *o, const declared_part *p) {
    size_t n;
    const option_pool *const *pools = list_of(p, "pools", &n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < (*pools)[i].n_parts; k++)
            mark_name(marks, o->learners, o->n_learners, (*pools)[i].parts[k]);
    }
}

static void mark_best_of(bool *marks, const experiment_outputs *o) {
    for (size_t i = 0; i < o->n_best_of; i++) {
        for (size_t l = 0; l < o->n_learners; l++) {
            if (!marks[l] || strcmp(o->learners[l], o->best_of[i].id) != 0)
                continue;
            for (size_t k = 0; k < o->best_of[i].n_parts; k++)
                mark_name(marks, o->learners, o->n_learners, o->best_of[i].parts[k]);
        }
    }
}

static void mark_learners(bool *marks, const experiment_outputs *o, const declared_part *p) {
    static const char *const others[] = {"normalise_by", "reference", "control"};
    mark_names(marks, o->learners, o->n_learners, p, "learners");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        mark_name(marks, o->learners, o->n_learners, part_text(p, others[i]));
    mark_pools(marks, o, p);
    mark_best_of(marks, o);
}

status part_scope_create(const experiment_outputs *o, part_scope *out, error_info *err) {
    AUTO(part_scope_clear) part_scope s = {0};
    CHECK_ALLOC(s.networks = calloc(o->n_networks + 1, sizeof *s.networks));
    CHECK_ALLOC(s.sizes = calloc(o->n_sizes + 1, sizeof *s.sizes));
    CHECK_ALLOC(s.learners = calloc(o->n_learners + 1, sizeof *s.learners));
    *out = TAKE(s);
    return STATUS_OK;
}

void part_scope_add(part_scope *s, const declared_part *p, const experiment_outputs *o) {
    if (!options_find(p->kind->options, "metric"))
        return;
    mark_names(s->networks, o->networks, o->n_networks, p, "networks");
    mark_sizes(s->sizes, o, p);
    mark_learners(s->learners, o, p);
}
