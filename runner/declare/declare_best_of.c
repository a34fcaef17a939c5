/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `best_of`: a learner that stands for the best of several, cell by cell. */
#include "runner/declare/declare_internal.h"

#include "core/base/array.h"
#include "core/base/text.h"
#include "metrics/distances/metric.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static status take_part(best_of_spec *b, const char *id, const yaml_node *at, error_info *err) {
    for (size_t i = 0; i < b->n_parts; i++) {
        if (strcmp(b->parts[i], id) == 0)
            return yaml_fail(at, err, "'%.100s' stands in best_of a second time", id);
    }
    return texts_add(&b->parts, &b->n_parts, id, err);
}

/* Makes the learners from `first` on parts, which tables show only where they are named. */
static status hide_from(experiment *e, size_t first, best_of_spec *b, const yaml_node *at, error_info *err) {
    for (size_t i = first; i < e->outputs.n_learners; i++) {
        e->outputs.is_hidden[i] = true;
        CHECK(take_part(b, e->outputs.learners[i], at, err));
    }
    return STATUS_OK;
}

/* A part is the id of a learner that is declared already, or a learner that is declared here and hidden. */
static status read_part(const yaml_node *node, experiment *e, best_of_spec *b, error_info *err) {
    size_t n_before = e->outputs.n_learners;
    if (node->kind == YAML_TEXT && outputs_find_best_of(&e->outputs, node->text))
        return yaml_fail(node, err, "'%.100s' is the best of others itself; name its parts", node->text);
    if (node->kind == YAML_TEXT && outputs_find_learner(&e->outputs, node->text) < n_before)
        return take_part(b, node->text, node, err);
    if (yaml_get(node, "best_of"))
        return yaml_fail(node, err, "a best_of cannot be part of another; name its parts");
    CHECK(declare_learner(node, e, err));
    return hide_from(e, n_before, b, node, err);
}

static status read_criterion(const yaml_node *entry, experiment *e, best_of_spec *b, error_info *err) {
    const yaml_node *by = yaml_get(entry, "by");
    int choice = 0;
    if (!by)
        return yaml_fail(entry, err, "best_of needs 'by', the metric that says which is best: bdeu_train, shd, ...");
    CHECK(declare_read_metric(by, "by", e, &b->by, err));
    CHECK(field_choice(yaml_get(entry, "failures"), "failures", "skip|fail", &choice, err));
    b->needs_all = choice == 1;
    return STATUS_OK;
}

static const learner_variant *find_variant(const experiment *e, const char *id) {
    size_t i = 0;
    while (strcmp(e->variants[i].id, id) != 0)
        i++;
    return &e->variants[i];
}

/* Notes where each part does not run. */
static status note_away(const experiment *e, best_of_spec *b, error_info *err) {
    size_t n_places = outputs_place_count(&e->outputs), n_sigmas = n_places / e->outputs.n_networks;
    CHECK_ALLOC(b->is_away = calloc(n_places * b->n_parts, sizeof *b->is_away));
    for (size_t i = 0; i < b->n_parts; i++) {
        const bool *runs_on = find_variant(e, b->parts[i])->runs_on;
        for (size_t place = 0; runs_on && place < n_places; place++)
            b->is_away[place * b->n_parts + i] = !runs_on[place / n_sigmas];
    }
    return STATUS_OK;
}

static status take_best_of(experiment *e, best_of_spec *b, error_info *err) {
    experiment_outputs *o = &e->outputs;
    CHECK(ARRAY_APPEND(o->best_of, o->n_best_of, err, *b));
    *b = (best_of_spec){0};
    return STATUS_OK;
}

static void clear_draft(best_of_spec *b) {
    texts_destroy(b->parts, b->n_parts);
    free(b->is_away);
    free(b->by);
    free(b->id);
}

/* The id goes in front of those of its parts, so that it keeps its place among the learners. */
status declare_best_of(const yaml_node *entry, experiment *e, error_info *err) {
    static const char *const known[] = {"id", "best_of", "by", "failures", NULL};
    const yaml_node *parts = yaml_get(entry, "best_of");
    AUTO(clear_draft) best_of_spec b = {0};
    size_t n = 0;
    CHECK(field_line(yaml_get(entry, "id"), "id", &b.id, err));
    CHECK(field_mapping(entry, "a best_of", known, err));
    if (!b.id)
        return yaml_fail(entry, err, "a best_of needs an 'id'");
    CHECK(field_items(parts, "best_of", MOST_VARIANTS, &n, err));
    CHECK(read_criterion(entry, e, &b, err));
    CHECK(declare_learner_id(entry, b.id, e, err));
    for (size_t i = 0; i < n; i++)
        CHECK(read_part(field_item(parts, i), e, &b, err));
    if (b.n_parts < 2)
        return yaml_fail(parts, err, "best_of has one learner to choose from; it must have two or more");
    CHECK(note_away(e, &b, err));
    return take_best_of(e, &b, err);
}
