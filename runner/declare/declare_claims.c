/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `claims`: what a paper claims, as checks of figures in tables; `remarks`: sentences for the reproduction report. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "parts/tables/metric_table.h"
#include "runner/declare/fields_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 8000, MOST_CHECKS = 50 };

/* Paragraphs: lines end where the author ended them. A copy on the heap. */
static status read_words(const yaml_node *node, const char *what, char **out, error_info *err) {
    const char *text = NULL;
    CHECK(field_text(node, what, &text, err));
    if (!*text || strlen(text) > MOST_WORDS)
        return yaml_fail(node, err, "%s has %zu bytes; it must have 1 to %d", what, strlen(text), MOST_WORDS);
    for (const char *c = text; *c; c++) {
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 127)
            return yaml_fail(node, err, "%s holds a control character (code %d)", what, *c);
    }
    free(*out);
    *out = text_copy(text);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

static status read_table_id(const yaml_node *node, const experiment *e, claim_check *c, const metric_table_spec **shown,
                            error_info *err) {
    const char *names[MOST_OUTPUTS], *id = NULL;
    const declared_part *part;
    size_t n = 0;
    char hint[300];
    CHECK(field_text(node, "table", &id, err));
    part = part_list_find(&e->parts, id);
    *shown = part ? metric_table_of(part) : NULL;
    for (size_t i = 0; i < e->parts.n && e->parts.parts[i].kind->group == PART_TABLE; i++)
        names[n++] = part_text(&e->parts.parts[i], "id");
    if (!*shown)
        return yaml_fail(node, err, "table is '%.60s', which is no table of learners here%s", id,
                         field_suggestion(id, names, n, hint, sizeof hint));
    c->table = text_copy(id);
    return c->table ? STATUS_OK : error_out_of_memory(err);
}

static bool is_place(const experiment_outputs *o, const metric_table_spec *t, const char *text) {
    table_axis axis = t->rows == AXIS_LEARNER ? t->columns : t->rows;
    char digits[32];
    if (axis == AXIS_SAMPLES && o->n_sizes > 1 && strcmp(text, "average") == 0)
        return true;
    for (size_t i = 0; axis == AXIS_SAMPLES && i < o->n_sizes; i++) {
        (void)snprintf(digits, sizeof digits, "%zu", o->sizes[i]);
        if (strcmp(digits, text) == 0)
            return true;
    }
    for (size_t i = 0; axis == AXIS_SIGMA && i < o->n_sigmas; i++) {
        if (strcmp(text_from_double(o->sigmas[i], digits), text) == 0)
            return true;
    }
    for (size_t i = 0; axis == AXIS_NETWORK && i < o->n_networks; i++) {
        if (strcmp(o->networks[i], text) == 0)
            return true;
    }
    return false;
}

static status read_place(const yaml_node *node, claim_check *c, error_info *err) {
    const char *text = NULL;
    CHECK(field_text(node, "at", &text, err));
    c->at = text_copy(text);
    return c->at ? STATUS_OK : error_out_of_memory(err);
}

static bool is_pool(const metric_table_spec *shown, const yaml_node *item) {
    for (size_t i = 0; item->kind == YAML_TEXT && i < shown->n_pools; i++) {
        if (strcmp(shown->pools[i].id, item->text) == 0)
            return true;
    }
    return false;
}

static status read_learners(const yaml_node *node, const experiment *e, const metric_table_spec *shown, claim_check *c,
                            error_info *err) {
    size_t n = 0;
    status st = STATUS_OK;
    CHECK(field_items(node, "the learners of a check", MOST_VARIANTS, &n, err));
    CHECK_ALLOC(c->learners = calloc(n + 1, sizeof *c->learners));
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        const yaml_node *item = field_item(node, i);
        bool is_shown = shown->n_learners == 0 || is_pool(shown, item);
        if (is_pool(shown, item)) {
            c->learners[c->n_learners] = text_copy(item->text);
            if (!c->learners[c->n_learners++])
                return error_out_of_memory(err);
            continue;
        }
        CHECK(declare_read_learner_id(item, "a learner of a check", e, &c->learners[i], err));
        c->n_learners++;
        for (size_t k = 0; k < shown->n_learners; k++)
            is_shown = is_shown || strcmp(shown->learners[k], c->learners[i]) == 0;
        if (!is_shown)
            st = yaml_fail(item, err, "'%s' is not in the table '%s'", c->learners[i], shown->id);
    }
    return st;
}

static status read_number(const yaml_node *entry, claim_check *c, const char *relation, error_info *err) {
    const char *key = c->relation == CLAIM_ABOUT ? "within" : "than";
    const yaml_node *node = yaml_get(entry, key);
    if (c->relation != CLAIM_ABOUT && c->relation != CLAIM_ABOVE && c->relation != CLAIM_BELOW)
        return node ? yaml_fail(node, err, "'%s' has no '%s'", relation, key) : STATUS_OK;
    if (!node)
        return yaml_fail(entry, err, "'%s' needs '%s', a number", relation, key);
    if (node->kind != YAML_TEXT || node->is_quoted || !text_to_double(node->text, &c->number))
        return yaml_fail(node, err, "%s must be a number", key);
    return STATUS_OK;
}

/* The one relation that the check names. */
static status read_relation(const yaml_node *entry, claim_check *c, const yaml_node **learners, const char **name,
                            error_info *err) {
    static const char *const names[] = {"less", "about", "above", "below", "lowest", "highest", "rises"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const yaml_node *node = yaml_get(entry, names[i]);
        if (!node)
            continue;
        c->relation = (claim_relation)i;
        *learners = node;
        *name = names[i];
        n++;
    }
    return n == 1 ? STATUS_OK : yaml_fail(entry, err, "a check needs one of " CLAIM_RELATION_CHOICES);
}

static status read_check(const yaml_node *entry, const experiment *e, claim_check *c, error_info *err) {
    static const char *const known[] = {"table",  "at",      "less",  "about",  "above", "below",
                                        "lowest", "highest", "rises", "within", "than",  NULL};
    const yaml_node *table_node = yaml_get(entry, "table"), *at = yaml_get(entry, "at"), *learners = NULL;
    const metric_table_spec *shown = NULL;
    const char *relation = "";
    CHECK(field_mapping(entry, "a check", known, err));
    if (!table_node)
        return yaml_fail(entry, err, "a check needs a 'table'");
    CHECK(read_table_id(table_node, e, c, &shown, err));
    CHECK(read_relation(entry, c, &learners, &relation, err));
    CHECK(read_learners(learners, e, shown, c, err));
    if ((c->relation == CLAIM_LESS || c->relation == CLAIM_ABOUT) && c->n_learners < 2)
        return yaml_fail(learners, err, "'%s' compares two learners or more", relation);
    CHECK(read_number(entry, c, relation, err));
    if (at)
        CHECK(read_place(at, c, err));
    if (at && !is_place(&e->outputs, shown, c->at) && !declare_is_place_elsewhere(c->at))
        return yaml_fail(
            at, err, "at is '%.60s'; the table has sample sizes, networks or noise levels there, or 'average'", c->at);
    return STATUS_OK;
}

static status read_checks(const yaml_node *node, const experiment *e, claim_spec *claim, error_info *err) {
    size_t n = 0;
    status st = STATUS_OK;
    CHECK(field_items(node, "holds_if", MOST_CHECKS, &n, err));
    CHECK_ALLOC(claim->checks = calloc(n, sizeof *claim->checks));
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        claim->n_checks = i + 1;
        st = read_check(field_item(node, i), e, &claim->checks[i], err);
    }
    return st;
}

static status read_claim(const yaml_node *node, const experiment *e, void *item, error_info *err) {
    static const char *const known[] = {"id", "text", "main", "holds_if", "comment", NULL};
    claim_spec *claim = item;
    const yaml_node *id = yaml_get(node, "id"), *text = yaml_get(node, "text"), *checks = yaml_get(node, "holds_if"),
                    *comment = yaml_get(node, "comment");
    CHECK(field_mapping(node, "a claim", known, err));
    if (!id || !text)
        return yaml_fail(node, err, "a claim needs an 'id' and a 'text'");
    if (!checks && !comment)
        return yaml_fail(node, err, "a claim needs 'holds_if', or a 'comment' that says why it is not checked");
    CHECK(field_name(id, "id", &claim->id, err));
    CHECK(read_words(text, "text", &claim->text, err));
    CHECK(field_bool(yaml_get(node, "main"), "main", &claim->is_main, err));
    if (checks)
        CHECK(read_checks(checks, e, claim, err));
    if (comment)
        CHECK(read_words(comment, "comment", &claim->comment, err));
    return STATUS_OK;
}

static status check_main(const yaml_node *node, const experiment_outputs *o, error_info *err) {
    const claim_spec *found = NULL;
    for (size_t i = 0; i < o->n_claims; i++) {
        if (found && o->claims[i].is_main)
            return yaml_fail(field_item(node, i), err, "'%s' is the main claim already; a paper has one", found->id);
        found = o->claims[i].is_main ? &o->claims[i] : found;
    }
    return STATUS_OK;
}

status declare_claims(const yaml_node *node, experiment *e, error_info *err) {
    static const declared_list list = {
        .what = "claims", .most = MOST_OUTPUTS, .item_size = sizeof(claim_spec), .has_ids = true, .read = read_claim};
    void *claims = NULL;
    status st = declare_list(&list, node, e, &claims, &e->outputs.n_claims, err);
    e->outputs.claims = claims;
    return st == STATUS_OK ? check_main(node, &e->outputs, err) : st;
}

static status read_remark(const yaml_node *entry, const experiment *e, void *item, error_info *err) {
    static const char *const known[] = {"title", "text", NULL};
    const yaml_node *title = yaml_get(entry, "title"), *text = yaml_get(entry, "text");
    remark_spec *remark = item;
    (void)e;
    CHECK(field_mapping(entry, "a remark", known, err));
    if (!title || !text)
        return yaml_fail(entry, err, "a remark needs a 'title' and a 'text'");
    CHECK(field_line(title, "title", &remark->title, err));
    return read_words(text, "text", &remark->text, err);
}

status declare_remarks(const yaml_node *node, experiment *e, error_info *err) {
    static const declared_list list = {
        .what = "remarks", .most = MOST_OUTPUTS, .item_size = sizeof(remark_spec), .read = read_remark};
    void *remarks = NULL;
    status st = declare_list(&list, node, e, &remarks, &e->outputs.n_remarks, err);
    e->outputs.remarks = remarks;
    return st;
}
