/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `reasons`: why published figures do not come out, each with the figures that it covers and what shows it. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "parts/tables/metric_table.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REASONS = 100, MOST_COVERED = 100, MOST_NAMES = 200 };

/* A table whose figures, or a test whose outcomes, may be held against published ones. */
static bool is_compared(const part_kind *kind) {
    return kind->tabulate || kind->list_outcomes;
}

static status read_part(const yaml_node *node, const char *what, const experiment *e, char **out, error_info *err) {
    const char *names[2 * MOST_OUTPUTS], *id = NULL;
    bool may_be_claim = strcmp(what, "shown_in") == 0;
    char hint[300];
    size_t n = 0;
    const declared_part *part;
    CHECK(field_text(node, what, &id, err));
    for (size_t i = 0; i < e->parts.n && n < MOST_OUTPUTS; i++) {
        if (is_compared(e->parts.parts[i].kind))
            names[n++] = part_text(&e->parts.parts[i], "id");
    }
    for (size_t i = 0; may_be_claim && i < e->outputs.n_claims; i++)
        names[n++] = e->outputs.claims[i].id;
    part = part_list_find(&e->parts, id);
    if (!part || !is_compared(part->kind))
        return yaml_fail(node, err, "%s is '%.60s', which is no table of figures%s here%s", what, id,
                         may_be_claim ? ", no test and no claim" : " and no test",
                         field_suggestion(id, names, n, hint, sizeof hint));
    CHECK_ALLOC(*out = text_copy(id));
    return STATUS_OK;
}

static bool is_pool(const metric_table_spec *t, const char *id) {
    for (size_t i = 0; t && i < t->n_pools; i++) {
        if (strcmp(t->pools[i].id, id) == 0)
            return true;
    }
    return false;
}

/* Learners of the experiment, pools of the table; the columns of a table of networks are properties. */
static status check_learners(const yaml_node *node, const experiment *e, const reason_cells *c, error_info *err) {
    const declared_part *part = part_list_find(&e->parts, c->table);
    const metric_table_spec *t = metric_table_of(part);
    for (size_t i = 0; i < c->n_learners && (t || part->kind->group == PART_TEST); i++) {
        AUTO_FREE char *id = NULL;
        if (!is_pool(t, c->learners[i]))
            CHECK(declare_read_learner_id(field_item(node, i), "learners", e, &id, err));
    }
    return STATUS_OK;
}

static status read_covered(const yaml_node *node, const experiment *e, reason_cells *c, error_info *err) {
    static const char *const known[] = {"table", "learners", "at", NULL};
    CHECK(field_mapping(node, "the cells of a reason", known, err));
    if (!yaml_get(node, "table"))
        return yaml_fail(node, err, "the cells of a reason need a 'table': the id of a table or test");
    CHECK(read_part(yaml_get(node, "table"), "table", e, &c->table, err));
    CHECK(declare_read_texts(yaml_get(node, "learners"), "learners", MOST_NAMES, &c->learners, &c->n_learners, err));
    CHECK(check_learners(yaml_get(node, "learners"), e, c, err));
    CHECK(declare_read_texts(yaml_get(node, "at"), "at", MOST_NAMES, &c->places, &c->n_places, err));
    return declare_check_places(yaml_get(node, "at"), c->places, c->n_places, part_list_find(&e->parts, c->table), e,
                                err);
}

static status read_cells(const yaml_node *node, const experiment *e, reason_spec *r, error_info *err) {
    size_t n = 0;
    CHECK(field_items(node, "cells", MOST_COVERED, &n, err));
    CHECK_ALLOC(r->cells = calloc(n, sizeof *r->cells));
    for (size_t i = 0; i < n; i++) {
        r->n_cells = i + 1;
        CHECK(read_covered(field_item(node, i), e, &r->cells[i], err));
    }
    return STATUS_OK;
}

static status check_reading(const yaml_node *node, const char *id, const experiment_outputs *o, error_info *err) {
    const char *names[MOST_NAMES];
    char hint[300];
    size_t n = 0;
    for (size_t i = 0; i < o->n_readings && n < MOST_NAMES; i++) {
        if (reading_is_base(&o->readings[i]))
            continue;
        if (strcmp(o->readings[i].id, id) == 0)
            return STATUS_OK;
        names[n++] = o->readings[i].id;
    }
    return yaml_fail(node, err, "there is no reading '%.60s' to show it%s", id,
                     field_suggestion(id, names, n, hint, sizeof hint));
}

/* A claim is a check, and shows what is the paper's own inconsistency; a table or test is to look at. */
static status read_shown_in(const yaml_node *node, const experiment *e, reason_spec *r, error_info *err) {
    const claim_spec *claim = node->kind == YAML_TEXT ? outputs_find_claim(&e->outputs, node->text) : NULL;
    if (!claim)
        return read_part(node, "shown_in", e, &r->shown_in, err);
    if (part_list_find(&e->parts, claim->id))
        return yaml_fail(node, err, "shown_in is '%s', which is both a claim and a table; give one another id",
                         claim->id);
    if (r->kind != REASON_PAPER)
        return yaml_fail(node, err, "shown_in is the claim '%s', which shows a reason of kind 'paper' alone",
                         claim->id);
    if (claim->n_checks == 0)
        return yaml_fail(node, err, "shown_in is the claim '%s', which has no 'holds_if' to check", claim->id);
    CHECK_ALLOC(r->claim = text_copy(claim->id));
    return STATUS_OK;
}

static status read_evidence(const yaml_node *entry, const experiment *e, reason_spec *r, error_info *err) {
    const yaml_node *readings = yaml_get(entry, "readings"), *shown_in = yaml_get(entry, "shown_in");
    CHECK(declare_read_texts(readings, "readings", MOST_NAMES, &r->readings, &r->n_readings, err));
    for (size_t i = 0; i < r->n_readings; i++)
        CHECK(check_reading(field_item(readings, i), r->readings[i], &e->outputs, err));
    if (shown_in)
        CHECK(read_shown_in(shown_in, e, r, err));
    if (r->kind == REASON_READING && r->n_readings == 0)
        return yaml_fail(entry, err, "a reason of kind 'reading' needs 'readings', those that show it");
    return STATUS_OK;
}

static status read_reason(const yaml_node *entry, const experiment *e, void *item, error_info *err) {
    static const char *const known[] = {"id", "kind", "text", "cells", "readings", "shown_in", NULL};
    const yaml_node *id = yaml_get(entry, "id"), *kind = yaml_get(entry, "kind"), *text = yaml_get(entry, "text"),
                    *cells = yaml_get(entry, "cells");
    reason_spec *r = item;
    int choice = 0;
    CHECK(field_mapping(entry, "a reason", known, err));
    if (!id || !kind || !text || !cells)
        return yaml_fail(entry, err, "a reason needs 'id', 'kind' (" REASON_KIND_CHOICES "), 'text' and 'cells'");
    CHECK(field_name(id, "id", &r->id, err));
    CHECK(field_line(text, "text", &r->text, err));
    CHECK(field_choice(kind, "kind", REASON_KIND_CHOICES, &choice, err));
    r->kind = (reason_kind)choice;
    CHECK(read_cells(cells, e, r, err));
    return read_evidence(entry, e, r, err);
}

status declare_reasons(const yaml_node *node, experiment *e, error_info *err) {
    static const declared_list list = {.what = "reasons",
                                       .most = MOST_REASONS,
                                       .item_size = sizeof(reason_spec),
                                       .has_ids = true,
                                       .read = read_reason};
    void *reasons = NULL;
    status st = declare_list(&list, node, e, &reasons, &e->outputs.n_reasons, err);
    e->outputs.reasons = reasons;
    return st;
}
