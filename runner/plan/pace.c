/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/pace_internal.h"

#include "generators/catalogue/catalogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double seconds; /* of those that are over, together */
    size_t n_over, n_awaited;
} pace_entry;

struct pace {
    size_t n_learners, n_groups;
    double *sizes;
    pace_entry *entries; /* by learner, then group */
};

status pace_create(size_t n_learners, size_t n_groups, const double *sizes, pace **out, error_info *err) {
    AUTO_PTR(pace_destroy) pace *p = calloc(1, sizeof *p);
    CHECK_ALLOC(p);
    *p = (pace){.n_learners = n_learners, .n_groups = n_groups};
    CHECK_ALLOC(p->sizes = calloc(n_groups + 1, sizeof *p->sizes));
    CHECK_ALLOC(p->entries = calloc(n_learners * n_groups + 1, sizeof *p->entries));
    memcpy(p->sizes, sizes, n_groups * sizeof *sizes);
    *out = TAKE(p);
    return STATUS_OK;
}

void pace_destroy(pace *p) {
    if (!p)
        return;
    free(p->sizes);
    free(p->entries);
    free(p);
}

static pace_entry *entry_of(const pace *p, size_t variant, size_t group) {
    return &p->entries[variant * p->n_groups + group];
}

void pace_add(pace *p, size_t variant, size_t group, double seconds) {
    pace_entry *e = entry_of(p, variant, group);
    e->seconds += seconds;
    e->n_over++;
}

void pace_await(pace *p, size_t variant, size_t group, int change) {
    pace_entry *e = entry_of(p, variant, group);
    e->n_awaited = change < 0 ? e->n_awaited - (e->n_awaited > 0) : e->n_awaited + 1;
}

static double mean_of(const pace_entry *e) {
    return e->seconds / (double)e->n_over;
}

/* What learners with cells in both groups take in `group` for each second in `other`; the ratio of sizes without any.
 */
static double ratio_of_groups(const pace *p, size_t group, size_t other) {
    double here = 0, there = 0;
    for (size_t l = 0; l < p->n_learners; l++) {
        const pace_entry *a = entry_of(p, l, group), *b = entry_of(p, l, other);
        if (a->n_over == 0 || b->n_over == 0)
            continue;
        here += mean_of(a);
        there += mean_of(b);
    }
    return here > 0 && there > 0 ? here / there : p->sizes[group] / p->sizes[other];
}

/* The group nearest in size where the learner has cells; n_groups where it has none. */
static size_t find_nearest(const pace *p, size_t variant, size_t group) {
    size_t nearest = p->n_groups;
    double least = INFINITY;
    for (size_t g = 0; g < p->n_groups; g++) {
        double distance = fabs(log(p->sizes[g] / p->sizes[group]));
        if (entry_of(p, variant, g)->n_over > 0 && distance < least) {
            nearest = g;
            least = distance;
        }
    }
    return nearest;
}

/* For a learner without cells: the mean of the others here, else of all that there is by size. */
static double mean_of_others(const pace *p, size_t group) {
    double here = 0, all = 0;
    size_t n_here = 0, n = 0;
    for (size_t l = 0; l < p->n_learners; l++) {
        for (size_t g = 0; g < p->n_groups; g++) {
            const pace_entry *e = entry_of(p, l, g);
            if (e->n_over == 0)
                continue;
            all += mean_of(e) * p->sizes[group] / p->sizes[g];
            here += g == group ? mean_of(e) : 0;
            n_here += g == group;
            n++;
        }
    }
    return n_here > 0 ? here / (double)n_here : n > 0 ? all / (double)n : -1;
}

double pace_expect(const pace *p, size_t variant, size_t group, bool *is_guess) {
    const pace_entry *e = entry_of(p, variant, group);
    size_t other;
    if (e->n_over > 0)
        return mean_of(e);
    *is_guess = true;
    other = find_nearest(p, variant, group);
    if (other == p->n_groups)
        return mean_of_others(p, group);
    return mean_of(entry_of(p, variant, other)) * ratio_of_groups(p, group, other);
}

/* One that runs longer than expected is taken to need a tenth more. */
static double rest_of(const pace *p, const pace_cell *cell, bool *is_guess) {
    double expected = pace_expect(p, cell->variant, cell->group, is_guess);
    if (expected < 0)
        return -1;
    if (expected > cell->elapsed_s)
        return expected - cell->elapsed_s;
    *is_guess = true;
    return cell->elapsed_s / 10;
}

double pace_left(const pace *p, const pace_cell *running, size_t n_running, size_t n_jobs, bool *is_guess) {
    double sum = 0, longest = 0;
    *is_guess = false;
    for (size_t i = 0; i < n_running; i++) {
        double rest = rest_of(p, &running[i], is_guess);
        if (rest < 0)
            return -1;
        sum += rest;
        longest = fmax(longest, rest);
    }
    for (size_t i = 0; i < p->n_learners * p->n_groups; i++) {
        double expected;
        if (p->entries[i].n_awaited == 0)
            continue;
        expected = pace_expect(p, i / p->n_groups, i % p->n_groups, is_guess);
        if (expected < 0)
            return -1;
        sum += expected * (double)p->entries[i].n_awaited;
        longest = fmax(longest, expected);
    }
    return fmax(longest, sum / (double)(n_jobs > 0 ? n_jobs : 1));
}

/* ---- of a plan ---- */

size_t pace_group(const plan *p, const plan_cell *cell) {
    return cell->network * plan_experiment(p)->outputs.n_sizes + cell->size;
}

enum { USUAL_NODES = 20, USUAL_ROWS = 1000 };

static double nodes_of(const plan *p, size_t network) {
    const network_source *source = &plan_experiment(p)->sources[network];
    const catalogue_entry *entry = source->source ? catalogue_find(source->source) : NULL;
    size_t known = plan_node_count(p, network), copies = source->copies > 0 ? source->copies : 1;
    return known > 0 ? (double)known : entry ? (double)(entry->nodes * copies) : USUAL_NODES;
}

/* Learners look at pairs of variables, row by row. */
status pace_of_plan(const plan *cells, pace **out, error_info *err) {
    const experiment *e = plan_experiment(cells);
    size_t n = e->outputs.n_networks * e->outputs.n_sizes;
    AUTO_FREE double *sizes = calloc(n + 1, sizeof *sizes);
    CHECK_ALLOC(sizes);
    for (size_t i = 0; i < n; i++) {
        plan_cell cell = {.network = i / e->outputs.n_sizes, .size = i % e->outputs.n_sizes};
        size_t rows = plan_rows(cells, &cell);
        sizes[i] = pow(nodes_of(cells, cell.network), 2) * (rows > 0 ? (double)rows : USUAL_ROWS);
    }
    return pace_create(e->n_variants, n, sizes, out, err);
}

/* What a job takes beside learning: data, metrics, the store. */
#define OVERHEAD_S 0.03

void pace_tell(pace *p, const plan *cells, size_t i, const job_record *record) {
    plan_cell cell = plan_cell_at(cells, i);
    if (record)
        pace_add(p, cell.variant, pace_group(cells, &cell), record->wall_seconds + OVERHEAD_S);
    else
        pace_await(p, cell.variant, pace_group(cells, &cell), 1);
}
