/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `failed_in_paper`: cells in which a learner failed in the paper, by a rule or by name. */
#include "runner/declare/declare_internal.h"

#include "core/base/array.h"
#include "core/base/text.h"
#include "generators/catalogue/catalogue.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

/* A profile may leave out a network that the entry names, which then has no cells there. */
static status read_network(const yaml_node *node, const char *what, const experiment *e, char **out, error_info *err) {
    if (node->kind != YAML_TEXT || !catalogue_find(node->text))
        return declare_read_network_id(node, what, e, out, err);
    *out = text_copy(node->text);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

/* Sizes that a profile leaves out may stand here too. */
static status read_sizes(const yaml_node *node, const experiment *e, failure_rule *r, error_info *err) {
    size_t n = 0;
    if (e->outputs.sizes[0] == OUTPUTS_ALL_ROWS)
        return yaml_fail(node, err, "the experiment takes all rows of every data set; write if: \"samples >= N\"");
    CHECK(field_items(node, "samples", MOST_SIZES, &n, err));
    for (size_t i = 0; i < n; i++) {
        uint64_t size = 0;
        CHECK(field_whole(field_item(node, i), "samples", 1, MOST_SAMPLES, &size, err));
        CHECK(ARRAY_APPEND(r->sizes, r->n_sizes, err, (size_t)size));
    }
    return STATUS_OK;
}

static status read_rule(const yaml_node *node, const experiment *e, failure_rule *r, error_info *err) {
    static const char *const known[] = {"learner", "if", "networks", "samples", "text", NULL};
    const yaml_node *condition, *networks, *samples;
    CHECK(field_mapping(node, "an entry of failed_in_paper", known, err));
    condition = yaml_get(node, "if");
    networks = yaml_get(node, "networks");
    samples = yaml_get(node, "samples");
    if (!yaml_get(node, "learner"))
        return yaml_fail(node, err, "an entry of failed_in_paper needs a 'learner'");
    if (!condition && !networks && !samples)
        return yaml_fail(node, err, "an entry of failed_in_paper needs 'if', 'networks' or 'samples'");
    CHECK(declare_read_learner_id(yaml_get(node, "learner"), "learner", e, &r->learner, err));
    if (condition)
        CHECK(declare_read_conditions(condition, &r->conditions, &r->n_conditions, err));
    if (networks)
        CHECK(declare_read_names(networks, "networks", e, read_network, &r->networks, &r->n_networks, err));
    if (samples)
        CHECK(read_sizes(samples, e, r, err));
    return field_line(yaml_get(node, "text"), "text", &r->text, err);
}

status declare_failures(const yaml_node *node, experiment *e, error_info *err) {
    size_t n = 0;
    if (!node || (node->kind == YAML_LIST && node->n == 0))
        return STATUS_OK;
    CHECK(field_items(node, "failed_in_paper", MOST_OUTPUTS, &n, err));
    CHECK_ALLOC(e->failure_rules = calloc(n, sizeof *e->failure_rules));
    for (size_t i = 0; i < n; i++) {
        e->n_failure_rules = i + 1;
        CHECK(read_rule(field_item(node, i), e, &e->failure_rules[i], err));
    }
    return STATUS_OK;
}
