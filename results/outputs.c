/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "results/outputs.h"

#include <stdlib.h>

static void free_names(char **names, size_t n) {
    for (size_t i = 0; names && i < n; i++)
        free(names[i]);
    free(names);
}

static void clear_table(table_spec *t) {
    free(t->id);
    free(t->title);
    free(t->metric);
    free(t->normalise_by);
    free(t->published);
    free(t->published_metric);
}

static void clear_plot(plot_spec *p) {
    free(p->id);
    free(p->title);
    free(p->x);
    free(p->y);
    free(p->normalise_by);
}

void experiment_outputs_clear(experiment_outputs *o) {
    free(o->name);
    free(o->title);
    free_names(o->networks, o->n_networks);
    free_names(o->learners, o->n_learners);
    free(o->sizes);
    for (size_t i = 0; o->tables && i < o->n_tables; i++)
        clear_table(&o->tables[i]);
    for (size_t i = 0; o->plots && i < o->n_plots; i++)
        clear_plot(&o->plots[i]);
    free(o->tables);
    free(o->plots);
    *o = (experiment_outputs){0};
}
