/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Made-up papers: results with published figures, readings and reasons. */
#ifndef BNB_TESTS_REPORT_REPRODUCTION_SUPPORT_H
#define BNB_TESTS_REPORT_REPRODUCTION_SUPPORT_H

#include "tests/support/records.h"
#include "tests/support/run_support.h"

#include "report/reproduction/reproduction_internal.h"

#include <math.h>

enum { PAPER_SIZES = 2, PAPER_LEARNERS = 4, PAPER_READINGS = 2 };

/** By size and learner, edges of shd; NAN: failed. */
typedef struct {
    double at[PAPER_SIZES][PAPER_LEARNERS];
} paper_figures;

static const char *const paper_learners[] = {"a", "b", "c", "d", NULL};
static const size_t paper_sizes[] = {100, 200, 0};

/** The published ones. */
static const char paper_csv[] = "network,sample_size,algorithm,metric,value\n"
                                "asia,100,a,shd,10\nasia,100,b,shd,20\nasia,100,c,shd,30\nasia,100,d,shd,40\n"
                                "asia,200,a,shd,10\nasia,200,b,shd,20\nasia,200,c,shd,30\nasia,200,d,shd,40\n";
static const paper_figures paper_printed = {{{10, 20, 30, 40}, {10, 20, 30, 40}}};

static inline made_results make_paper_run(const paper_figures *figures) {
    made_results m = make_results((const char *const[]){"asia", NULL}, paper_sizes, 1, paper_learners);
    metric_table_spec *t = add_table(&m, "shd", "shd", NULL);
    t->published = text_copy("p.csv");
    t->within = (table_tolerance){.is_declared = true, .relative = 0.1};
    (void)add_table(&m, "missing", "missing_edges", NULL);
    for (size_t s = 0; s < PAPER_SIZES; s++) {
        for (size_t l = 0; l < PAPER_LEARNERS; l++) {
            if (isnan(figures->at[s][l]))
                (void)add_record(&m, "asia", paper_sizes[s], 0, paper_learners[l], JOB_FAILED);
            else
                (void)add_done(&m, "asia", paper_sizes[s], 0, paper_learners[l], "shd", figures->at[s][l]);
        }
    }
    return m;
}

/** The experiment, and readings "r1" and "r2" of it. */
typedef struct {
    made_results base, runs[PAPER_READINGS];
    reproduction_reading stored[PAPER_READINGS];
    reproduction_input in;
    store_run_facts facts;
    char *folder;
} made_paper;

static inline reading_spec made_reading(const char *id) {
    return (reading_spec){.id = text_copy(id), .text = text_copy("It may be so.")};
}

/** The first `n_run` readings have been run. Pointers into it are kept: it must stay where it is. */
static inline void make_paper(made_paper *p, const paper_figures *base, const paper_figures *readings, size_t n_run) {
    experiment_outputs *o;
    *p = (made_paper){.base = make_paper_run(base), .folder = text_copy(scratch_folder())};
    o = &p->base.outputs;
    o->readings = calloc(3, sizeof *o->readings);
    o->readings[0] = made_reading("base");
    o->readings[1] = made_reading("r1");
    o->readings[2] = made_reading("r2");
    o->n_readings = 3;
    for (size_t i = 0; i < n_run; i++) {
        made_results *m = &p->runs[i];
        *m = make_paper_run(&readings[i]);
        p->stored[i] = (reproduction_reading){o->readings[i + 1].id, {&m->outputs, &m->parts, m->records, m->n}};
    }
    p->facts = (store_run_facts){.n_runs = 1};
    p->in = (reproduction_input){.n_readings = n_run, .readings = p->stored, .run = &p->facts};
    put_file(p->folder, "p.csv", paper_csv);
}

/** Once all parts and records are there. */
static inline const reproduction_input *input_of_paper(made_paper *p) {
    p->in.published_folder = p->folder;
    p->in.of = (part_context){&p->base.outputs, &p->base.parts, p->base.records, p->base.n};
    return &p->in;
}

static inline void clear_paper(made_paper *p) {
    clear_results(&p->base);
    for (size_t i = 0; i < PAPER_READINGS; i++)
        clear_results(&p->runs[i]);
    free(p->folder);
}

/** Names with one space between them; NULL: none. */
static inline char **split_names(const char *names, size_t *n) {
    char *copy = names ? text_copy(names) : NULL, *rest = copy, *name, **out = NULL;
    error_info err = {0};
    while (copy && (name = strsep(&rest, " ")))
        assert_ok(texts_add(&out, n, name, &err), &err);
    free(copy);
    return out;
}

/** Of the figures of a table or test, at a place (NULL: all), of learners "a b" (NULL: all). */
static inline reason_spec *add_reason(experiment_outputs *o, const char *id, reason_kind kind, const char *covered,
                                      const char *place, const char *learners) {
    reason_spec *r;
    o->reasons = realloc(o->reasons, (o->n_reasons + 1) * sizeof *o->reasons);
    r = &o->reasons[o->n_reasons++];
    *r = (reason_spec){.id = text_copy(id),
                       .text = text_copy("It is so."),
                       .kind = kind,
                       .n_cells = 1,
                       .cells = calloc(1, sizeof(reason_cells))};
    r->cells[0].table = text_copy(covered);
    r->cells[0].learners = split_names(learners, &r->cells[0].n_learners);
    if (place) {
        error_info err = {0};
        assert_ok(texts_add(&r->cells[0].places, &r->cells[0].n_places, place, &err), &err);
    }
    return r;
}

#endif
