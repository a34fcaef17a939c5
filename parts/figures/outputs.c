/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/outputs.h"

#include <stdlib.h>
#include <string.h>

static void clear_reason(reason_spec *r) {
    for (size_t i = 0; r->cells && i < r->n_cells; i++) {
        free(r->cells[i].table);
        texts_destroy(r->cells[i].learners, r->cells[i].n_learners);
        texts_destroy(r->cells[i].places, r->cells[i].n_places);
    }
    free(r->cells);
    texts_destroy(r->readings, r->n_readings);
    free(r->id);
    free(r->text);
    free(r->shown_in);
    free(r->claim);
}

static void clear_paper_figure(paper_figure *f) {
    free(f->figure);
    free(f->plot);
    free(f->text);
    texts_destroy(f->claims, f->n_claims);
}

static void clear_absent(absent_rows *a) {
    for (size_t i = 0; a->conditions && i < a->n_conditions; i++) {
        free(a->conditions[i].column);
        texts_destroy(a->conditions[i].values, a->conditions[i].n_values);
    }
    free(a->conditions);
    free(a->published);
    free(a->reason);
}

static void clear_best_of(best_of_spec *b) {
    free(b->is_away);
    free(b->id);
    texts_destroy(b->parts, b->n_parts);
    free(b->by);
}

static void clear_claim(claim_spec *c) {
    for (size_t i = 0; c->checks && i < c->n_checks; i++) {
        free(c->checks[i].table);
        free(c->checks[i].at);
        texts_destroy(c->checks[i].learners, c->checks[i].n_learners);
    }
    free(c->checks);
    free(c->id);
    free(c->text);
    free(c->comment);
}

void outputs_clear_paper_failures(experiment_outputs *o) {
    for (size_t i = 0; i < o->n_paper_failures; i++) {
        paper_failure *f = &o->paper_failures[i];
        free(f->learner);
        free(f->text);
        texts_destroy(f->networks, f->n_networks);
        texts_destroy(f->unknown, f->n_unknown);
        free(f->sizes);
    }
    free(o->paper_failures);
    o->paper_failures = NULL;
    o->n_paper_failures = 0;
}

static void clear_words(experiment_outputs *o) {
    for (size_t i = 0; o->claims && i < o->n_claims; i++)
        clear_claim(&o->claims[i]);
    for (size_t i = 0; o->remarks && i < o->n_remarks; i++) {
        free(o->remarks[i].title);
        free(o->remarks[i].text);
    }
    free(o->claims);
    free(o->remarks);
    for (size_t i = 0; o->readings && i < o->n_readings; i++) {
        free(o->readings[i].id);
        free(o->readings[i].text);
    }
    free(o->readings);
    for (size_t i = 0; o->reasons && i < o->n_reasons; i++)
        clear_reason(&o->reasons[i]);
    free(o->reasons);
    for (size_t i = 0; o->absent && i < o->n_absent; i++)
        clear_absent(&o->absent[i]);
    free(o->absent);
    for (size_t i = 0; o->paper_figures && i < o->n_paper_figures; i++)
        clear_paper_figure(&o->paper_figures[i]);
    free(o->paper_figures);
    free(o->reading);
    free(o->conclusion);
}

const claim_spec *outputs_find_claim(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_claims; i++) {
        if (strcmp(o->claims[i].id, id) == 0)
            return &o->claims[i];
    }
    return NULL;
}

const reason_spec *outputs_find_reason(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_reasons; i++) {
        if (strcmp(o->reasons[i].id, id) == 0)
            return &o->reasons[i];
    }
    return NULL;
}

bool reading_is_base(const reading_spec *r) {
    return strcmp(r->id, "base") == 0;
}

static void clear_conditional(conditional_table *t) {
    free(t->network);
    free(t->variable);
    texts_destroy(t->states, t->n_states);
    texts_destroy(t->configurations, t->n_configurations);
    free(t->values);
}

void experiment_outputs_clear(experiment_outputs *o) {
    free(o->name);
    free(o->title);
    free(o->paper);
    texts_destroy(o->networks, o->n_networks);
    texts_destroy(o->learners, o->n_learners);
    free(o->sizes);
    free(o->sigmas);
    for (size_t i = 0; o->best_of && i < o->n_best_of; i++)
        clear_best_of(&o->best_of[i]);
    outputs_clear_paper_failures(o);
    clear_words(o);
    free(o->best_of);
    free(o->is_hidden);
    texts_destroy(o->programs, o->n_programs);
    free(o->facts);
    texts_destroy(o->true_graphs, o->n_networks);
    for (size_t i = 0; i < o->n_probabilities; i++)
        clear_conditional(&o->probabilities[i]);
    free(o->probabilities);
    *o = (experiment_outputs){0};
}

size_t outputs_sigma_count(const experiment_outputs *o) {
    return o->n_sigmas ? o->n_sigmas : 1;
}

bool outputs_is_among(double sigma, const double *sigmas, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!(sigmas[i] < sigma) && !(sigmas[i] > sigma))
            return true;
    }
    return false;
}

size_t outputs_place_count(const experiment_outputs *o) {
    return o->n_networks * outputs_sigma_count(o);
}

void outputs_append_place(const experiment_outputs *o, size_t place, text_buffer *out) {
    size_t n_sigmas = outputs_sigma_count(o);
    char digits[32];
    text_append(out, o->networks[place / n_sigmas]);
    if (n_sigmas > 1)
        text_append_format(out, " (sigma %s)", text_from_double(o->sigmas[place % n_sigmas], digits));
}

size_t outputs_find_learner(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_learners; i++) {
        if (strcmp(o->learners[i], id) == 0)
            return i;
    }
    return (size_t)-1;
}

const best_of_spec *outputs_find_best_of(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_best_of; i++) {
        if (strcmp(o->best_of[i].id, id) == 0)
            return &o->best_of[i];
    }
    return NULL;
}

static bool is_program(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_programs; i++) {
        if (strcmp(o->programs[i], id) == 0)
            return true;
    }
    return false;
}

size_t outputs_append_programs(const experiment_outputs *o, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 0; i < o->n_learners; i++) {
        if (is_program(o, o->learners[i]))
            text_append_format(out, "%s%s", n++ ? ", " : "", o->learners[i]);
    }
    return n;
}

bool outputs_with_learners(const experiment_outputs *o, char *const *ids, size_t n, experiment_outputs *view) {
    char **learners = calloc(o->n_learners + n + 1, sizeof *learners);
    size_t n_learners = 0;
    if (!learners)
        return false;
    for (size_t i = 0; i < n; i++)
        learners[n_learners++] = ids[i];
    for (size_t i = 0; n == 0 && i < o->n_learners; i++) {
        if (!o->is_hidden || !o->is_hidden[i])
            learners[n_learners++] = o->learners[i];
    }
    *view = *o;
    view->learners = learners;
    view->n_learners = n_learners;
    view->is_hidden = NULL;
    return true;
}

void outputs_append_size(size_t size, text_buffer *out) {
    if (size == OUTPUTS_ALL_ROWS)
        text_append(out, "all");
    else
        text_append_format(out, "%zu", size);
}

bool outputs_is_size(size_t declared, uint64_t n_samples) {
    return declared == OUTPUTS_ALL_ROWS || declared == n_samples;
}
