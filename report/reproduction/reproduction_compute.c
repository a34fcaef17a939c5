/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of the experiment and of its readings, and what became of each published one. */
#include "report/reproduction/reproduction_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void clear_parts(reproduced_parts *p) {
    for (size_t i = 0; p->tables && i < p->n_tables; i++) {
        table_clear(&p->tables[i].t);
        free(p->tables[i].figures);
    }
    for (size_t i = 0; p->tests && i < p->n_tests; i++) {
        test_outcomes_clear(&p->tests[i].outcomes);
        free(p->tests[i].figures);
    }
    free(p->tables);
    free(p->tests);
}

void reproduction_clear(reproduction *p) {
    clear_parts(&p->base);
    for (size_t i = 0; p->readings && i < p->n_readings; i++)
        clear_parts(&p->readings[i]);
    free(p->readings);
    part_output_clear(&p->made);
}

/* ---- tables and tests ---- */

/* How near its figures must come; NULL of a part without figures to compare. */
static const table_tolerance *tolerance_of(const declared_part *p) {
    const option_spec *within = p->kind->tabulate ? options_find(p->kind->options, "within") : NULL;
    return within ? (const table_tolerance *)(const void *)((const char *)p->options + within->offset) : NULL;
}

static status add_table(const part_context *c, const declared_part *part, part_output *made, reproduced_parts *p,
                        error_info *err) {
    reproduced_table *r = &p->tables[p->n_tables];
    r->within = tolerance_of(part);
    if (!r->within)
        return STATUS_OK;
    p->n_tables++;
    r->id = part_text(part, "id");
    r->published = part_text(part, "published");
    r->baseline = part_text(part, "normalise_by");
    CHECK(part->kind->tabulate(c, part->options, made, &r->t, err));
    figures_count(r);
    return STATUS_OK;
}

static status add_test(const part_context *c, const declared_part *part, part_output *made, reproduced_parts *p,
                       error_info *err) {
    reproduced_test *t = &p->tests[p->n_tests];
    if (!part->kind->list_outcomes)
        return STATUS_OK;
    p->n_tests++;
    t->id = part_text(part, "id");
    t->title = part_text(part, "title");
    CHECK(part->kind->list_outcomes(c, part->options, made, &t->outcomes, err));
    for (size_t i = 0; i < t->outcomes.n; i++)
        t->n_there += t->outcomes.items[i].is_there;
    return STATUS_OK;
}

static status compute_parts(const part_context *c, part_output *made, reproduced_parts *p, error_info *err) {
    CHECK_ALLOC(p->tables = calloc(c->parts->n + 1, sizeof *p->tables));
    CHECK_ALLOC(p->tests = calloc(c->parts->n + 1, sizeof *p->tests));
    for (size_t i = 0; i < c->parts->n; i++) {
        CHECK(add_table(c, &c->parts->parts[i], made, p, err));
        CHECK(add_test(c, &c->parts->parts[i], made, p, err));
    }
    p->is_run = true;
    return STATUS_OK;
}

bool table_counts(const reproduced_table *r) {
    return r->within->is_declared && r->n_published > 0;
}

/* ---- which reason covers a figure ---- */

static bool is_named(char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (name && strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* "alarm, 500" is at alarm, at 500 and at "alarm, 500". */
static bool is_at(const reason_cells *c, const char *place) {
    const char *comma = strstr(place, ", ");
    for (size_t i = 0; i < c->n_places; i++) {
        size_t n = strlen(c->places[i]);
        if (strcmp(place, c->places[i]) == 0 ||
            (comma && (strcmp(comma + 2, c->places[i]) == 0 ||
                       ((size_t)(comma - place) == n && strncmp(place, c->places[i], n) == 0))))
            return true;
    }
    return c->n_places == 0;
}

static bool covers(const reason_cells *c, const char *part, const char *const learners[2], const char *place) {
    return strcmp(c->table, part) == 0 && is_at(c, place) &&
           (c->n_learners == 0 || is_named(c->learners, c->n_learners, learners[0]) ||
            is_named(c->learners, c->n_learners, learners[1]));
}

static const reason_spec *find_reason(const experiment_outputs *o, const char *part, const char *const learners[2],
                                      const char *place) {
    for (size_t i = 0; i < o->n_reasons; i++) {
        for (size_t k = 0; k < o->reasons[i].n_cells; k++) {
            if (covers(&o->reasons[i].cells[k], part, learners, place))
                return &o->reasons[i];
        }
    }
    return NULL;
}

/* ---- what shows it ---- */

static bool is_evidence(const reason_spec *reason, const reproduced_parts *reading) {
    return reading->is_run && is_named(reason->readings, reason->n_readings, reading->reading->id);
}

const table_cell *table_find_cell(const table *t, const char *row, const char *column) {
    for (size_t i = 0; i < t->n_rows; i++) {
        for (size_t k = 0; strcmp(t->row_names[i], row) == 0 && k < t->n_columns; k++) {
            if (strcmp(t->column_names[k], column) == 0)
                return &t->cells[i * t->n_columns + k];
        }
    }
    return NULL;
}

/* The reading's figure is within tolerance, or on the other side of the published one and nearer than the base's. */
static bool reading_reaches(const reproduced_table *base, size_t at, const reproduced_parts *reading) {
    const reproduced_table *r = parts_find_table(reading, base->id);
    const table_cell *ours = &base->t.cells[at];
    const table_cell *theirs = r ? table_find_cell(&r->t, base->t.row_names[at / base->t.n_columns],
                                                   base->t.column_names[at % base->t.n_columns])
                                 : NULL;
    if (!theirs || theirs->kind != CELL_FIGURE || !theirs->published)
        return false;
    return figure_is_within(base, theirs) ||
           (ours->kind == CELL_FIGURE &&
            (ours->value - ours->published_value) * (theirs->value - ours->published_value) < 0 &&
            fabs(theirs->value - ours->published_value) < fabs(ours->value - ours->published_value));
}

typedef enum { EVIDENCE_NONE, EVIDENCE_IN_VIEW, EVIDENCE_SOUND, EVIDENCE_CLAIM } evidence;

static evidence evidence_of(const reproduced_parts *reading) {
    return reading->reading->basis == BASIS_FIGURES ? EVIDENCE_IN_VIEW : EVIDENCE_SOUND;
}

static evidence better_of(evidence a, evidence b) {
    return a > b ? a : b;
}

bool claim_contradicts_paper(const claim_spec *claim, const reproduced_parts *p) {
    return claim_judge(claim, p, false).v == VERDICT_HOLDS && claim_judge(claim, p, true).v == VERDICT_FAILS;
}

/* Of the paper's own inconsistency: what it claims holds here, and its own figures do not satisfy it. */
static evidence claim_evidence(const reproduction *p, const reason_spec *reason) {
    const claim_spec *claim = reason->claim ? outputs_find_claim(p->in->of.outputs, reason->claim) : NULL;
    return claim && claim_contradicts_paper(claim, &p->base) ? EVIDENCE_CLAIM : EVIDENCE_NONE;
}

static evidence figure_evidence(const reproduction *p, const reproduced_table *r, size_t at,
                                const reason_spec *reason) {
    evidence best = claim_evidence(p, reason);
    for (size_t i = 0; i < p->n_readings; i++) {
        if (is_evidence(reason, &p->readings[i]) && reading_reaches(r, at, &p->readings[i]))
            best = better_of(best, evidence_of(&p->readings[i]));
    }
    return best;
}

static bool reading_agrees(const reproduced_test *base, const test_outcome *o, const reproduced_parts *reading) {
    const reproduced_test *t = parts_find_test(reading, base->id);
    const test_outcome *theirs = t ? test_outcomes_find(&t->outcomes, o) : NULL;
    return theirs && theirs->agrees;
}

static evidence outcome_evidence(const reproduction *p, const reproduced_test *t, const test_outcome *o,
                                 const reason_spec *reason) {
    evidence best = claim_evidence(p, reason);
    for (size_t i = 0; i < p->n_readings; i++) {
        if (is_evidence(reason, &p->readings[i]) && reading_agrees(t, o, &p->readings[i]))
            best = better_of(best, evidence_of(&p->readings[i]));
    }
    return best;
}

/* A miss that a reason covers, or none (NULL). A guess that nothing shows explains nothing. */
static judged_figure judge_miss(const reason_spec *reason, evidence shown) {
    judged_figure f = {.counts = true, .state = FIGURE_OPEN, .reason = reason};
    if (reason && shown != EVIDENCE_NONE)
        f.state = FIGURE_SHOWN;
    else if (reason && reason->kind != REASON_UNKNOWN)
        f.state = FIGURE_SAID;
    f.is_in_view = shown == EVIDENCE_IN_VIEW;
    f.is_by_claim = shown == EVIDENCE_CLAIM;
    return f;
}

/* ---- judging ---- */

static status judge_table(const reproduction *p, reproduced_table *r, error_info *err) {
    const experiment_outputs *o = p->in->of.outputs;
    if (!table_counts(r))
        return STATUS_OK;
    CHECK_ALLOC(r->figures = calloc(r->t.n_rows * r->t.n_columns + 1, sizeof *r->figures));
    for (size_t i = 0; i < r->t.n_rows * r->t.n_columns; i++) {
        const char *row = r->t.row_names[i / r->t.n_columns], *column = r->t.column_names[i % r->t.n_columns];
        const char *const learners[2] = {r->t.learners_are_columns ? column : row, NULL};
        judged_figure *f = &r->figures[i];
        f->counts = figure_counts_at(r, i);
        if (!f->counts)
            continue;
        if (!figure_is_within(r, &r->t.cells[i])) {
            const reason_spec *reason = find_reason(o, r->id, learners, r->t.learners_are_columns ? row : column);
            *f = judge_miss(reason, reason ? figure_evidence(p, r, i, reason) : EVIDENCE_NONE);
        }
        r->states[f->state]++;
        r->n_in_view += f->is_in_view;
    }
    return STATUS_OK;
}

static status judge_test(const reproduction *p, reproduced_test *t, error_info *err) {
    CHECK_ALLOC(t->figures = calloc(t->outcomes.n + 1, sizeof *t->figures));
    for (size_t i = 0; i < t->outcomes.n; i++) {
        const test_outcome *o = &t->outcomes.items[i];
        const char *const learners[2] = {o->learners[0], o->learners[1]};
        judged_figure *f = &t->figures[i];
        f->counts = true;
        if (!o->agrees) {
            const reason_spec *reason = find_reason(p->in->of.outputs, t->id, learners, o->place);
            *f = judge_miss(reason, reason ? outcome_evidence(p, t, o, reason) : EVIDENCE_NONE);
        }
        t->states[f->state]++;
        t->n_in_view += f->is_in_view;
    }
    return STATUS_OK;
}

static status judge_parts(const reproduction *p, reproduced_parts *parts, error_info *err) {
    for (size_t i = 0; i < parts->n_tables; i++)
        CHECK(judge_table(p, &parts->tables[i], err));
    for (size_t i = 0; i < parts->n_tests; i++)
        CHECK(judge_test(p, &parts->tests[i], err));
    return STATUS_OK;
}

/* ---- counting ---- */

void counts_add(figure_counts *sum, const figure_counts *more) {
    sum->n += more->n;
    sum->n_there += more->n_there;
    sum->n_in_view += more->n_in_view;
    for (size_t s = 0; s < N_FIGURE_STATES; s++)
        sum->states[s] += more->states[s];
}

figure_kind table_kind(const reproduced_table *r) {
    return r->t.has_no_n ? FIGURES_FACTS : r->t.is_time ? FIGURES_TIMES : FIGURES_RESULTS;
}

figure_counts table_count(const reproduced_table *r) {
    figure_counts c = {0};
    if (!table_counts(r))
        return c;
    c = (figure_counts){.n = r->n_published, .n_there = r->n_there, .n_in_view = r->n_in_view};
    memcpy(c.states, r->states, sizeof c.states);
    return c;
}

figure_counts test_count(const reproduced_test *t) {
    figure_counts c = {.n = t->outcomes.n, .n_there = t->n_there, .n_in_view = t->n_in_view};
    memcpy(c.states, t->states, sizeof c.states);
    return c;
}

figure_counts parts_count(const reproduced_parts *p, figure_kind kind) {
    figure_counts sum = {0};
    for (size_t i = 0; i < p->n_tables; i++) {
        figure_counts c = table_count(&p->tables[i]);
        if (kind == N_FIGURE_KINDS || kind == table_kind(&p->tables[i]))
            counts_add(&sum, &c);
    }
    for (size_t i = 0; i < p->n_tests; i++) {
        figure_counts c = test_count(&p->tests[i]);
        if (kind == N_FIGURE_KINDS || kind == FIGURES_RESULTS)
            counts_add(&sum, &c);
    }
    return sum;
}

/* ---- all of it ---- */

static const reproduction_reading *find_run(const reproduction_input *in, const char *id) {
    for (size_t i = 0; i < in->n_readings; i++) {
        if (strcmp(in->readings[i].id, id) == 0)
            return &in->readings[i];
    }
    return NULL;
}

static status compute_readings(reproduction *p, error_info *err) {
    const experiment_outputs *o = p->in->of.outputs;
    CHECK_ALLOC(p->readings = calloc(o->n_readings + 1, sizeof *p->readings));
    for (size_t i = 0; i < o->n_readings; i++) {
        const reproduction_reading *run = find_run(p->in, o->readings[i].id);
        reproduced_parts *r = &p->readings[p->n_readings];
        if (reading_is_base(&o->readings[i]))
            continue;
        p->n_readings++;
        r->reading = &o->readings[i];
        if (run)
            CHECK(compute_parts(&run->of, &p->made, r, err));
    }
    for (size_t i = 0; i < p->n_readings; i++)
        CHECK(judge_parts(p, &p->readings[i], err));
    return STATUS_OK;
}

status reproduction_compute(const reproduction_input *in, reproduction *out, error_info *err) {
    static const document_format *const forms[] = {&document_format_markdown, NULL};
    AUTO(reproduction_clear)
    reproduction p = {.in = in, .made = {.published_folder = in->published_folder, .is_strict = true, .forms = forms}};
    CHECK(compute_parts(&in->of, &p.made, &p.base, err));
    CHECK(compute_readings(&p, err));
    CHECK(judge_parts(&p, &p.base, err));
    *out = TAKE(p);
    return STATUS_OK;
}
