/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `best_of`: a learner that stands for the best of several, cell by cell. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "metrics/distances/metric.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static status take_part(best_of_spec *b, const char *id, const yaml_node *at, error_info *err) {
    char **grown;
    for (size_t i = 0; i < b->n_parts; i++) {
        if (strcmp(b->parts[i], id) == 0)
            return yaml_fail(at, err, "'%.100s' stands in best_of a second time", id);
    }
    grown = realloc(b->parts, (b->n_parts + 1) * sizeof *grown);
    if (!grown)
        return error_out_of_memory(err);
    b->parts = grown;
    CHECK_ALLOC(b->parts[b->n_parts] = text_copy(id));
    b->n_parts++;
    return STATUS_OK;
}

/* Makes the learners from `first` on parts, which tables show only where they are named. */
static status hide_from(experiment *e, size_t first, best_of_spec *b, const yaml_node *at, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = first; i < e->outputs.n_learners && st == STATUS_OK; i++) {
        e->outputs.is_hidden[i] = true;
        st = take_part(b, e->outputs.learners[i], at, err);
    }
    return st;
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

static status take_best_of(experiment *e, best_of_spec *b, error_info *err) {
    experiment_outputs *o = &e->outputs;
    best_of_spec *grown = realloc(o->best_of, (o->n_best_of + 1) * sizeof *grown);
    if (!grown)
        return error_out_of_memory(err);
    o->best_of = grown;
    o->best_of[o->n_best_of++] = *b;
    *b = (best_of_spec){0};
    return STATUS_OK;
}

static void clear_draft(best_of_spec *b) {
    for (size_t i = 0; i < b->n_parts; i++)
        free(b->parts[i]);
    free(b->parts);
    free(b->by);
    free(b->id);
}

/* The id goes in front of those of its parts, so that it keeps its place among the learners. */
status declare_best_of(const yaml_node *entry, experiment *e, error_info *err) {
    static const char *const known[] = {"id", "best_of", "by", "failures", NULL};
    const yaml_node *parts = yaml_get(entry, "best_of");
    best_of_spec b = {0};
    size_t n = 0;
    status st = STATUS_OK;
    TRY(field_line(yaml_get(entry, "id"), "id", &b.id, err));
    TRY(field_mapping(entry, "a best_of", known, err));
    if (!b.id)
        TRY(yaml_fail(entry, err, "a best_of needs an 'id'"));
    TRY(field_items(parts, "best_of", MOST_VARIANTS, &n, err));
    TRY(read_criterion(entry, e, &b, err));
    TRY(declare_learner_id(entry, b.id, e, err));
    for (size_t i = 0; i < n; i++)
        TRY(read_part(field_item(parts, i), e, &b, err));
    if (b.n_parts < 2)
        TRY(yaml_fail(parts, err, "best_of has one learner to choose from; it must have two or more"));
    TRY(take_best_of(e, &b, err));
cleanup:
    clear_draft(&b);
    return st;
}
