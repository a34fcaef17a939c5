/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value of the experiment file, read as the row of a table of options says. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "runner/declare/fields_internal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void *place_of(const option_spec *spec, void *options) {
    return (char *)options + spec->offset;
}

static status read_int(const yaml_node *node, const option_spec *spec, int *out, error_info *err) {
    uint64_t value = 0;
    CHECK(field_whole(node, spec->name, (uint64_t)spec->least, (uint64_t)spec->most, &value, err));
    *out = (int)value;
    return STATUS_OK;
}

static status read_count(const yaml_node *node, const option_spec *spec, uint64_t least, uint64_t most, size_t *out,
                         error_info *err) {
    uint64_t value = 0;
    CHECK(field_whole(node, spec->name, least, most, &value, err));
    *out = (size_t)value;
    return STATUS_OK;
}

static status read_real(const yaml_node *node, const option_spec *spec, double *out, error_info *err) {
    char found[96];
    double value = 0;
    if (node->kind == YAML_TEXT && !node->is_quoted && text_to_double(node->text, &value) && value >= spec->least &&
        value <= spec->most) {
        *out = value;
        return STATUS_OK;
    }
    if (spec->most == DBL_MAX)
        return yaml_fail(node, err, "%s must be a number from %g on", spec->name, spec->least);
    return yaml_fail(node, err, "%s is %s; it must be a number from %g to %g", spec->name,
                     yaml_describe(node, found, sizeof found), spec->least, spec->most);
}

static status read_word(const yaml_node *node, const option_spec *spec, char **out, error_info *err) {
    int choice = 0;
    CHECK(field_choice(node, spec->name, spec->choices, &choice, err));
    return field_line(node, spec->name, out, err);
}

static status read_size(const yaml_node *node, const option_spec *spec, const experiment *e, size_t *out,
                        error_info *err) {
    size_t size = 0;
    CHECK(read_count(node, spec, 1, MOST_SAMPLES, &size, err));
    for (size_t i = 0; i < e->outputs.n_sizes; i++) {
        if (e->outputs.sizes[i] == size) {
            *out = size;
            return STATUS_OK;
        }
    }
    return yaml_fail(node, err, "%s is %zu, which is no sample size of this experiment", spec->name, size);
}

static status read_sigma(const yaml_node *node, const option_spec *spec, const experiment *e, double *out,
                         error_info *err) {
    const experiment_outputs *o = &e->outputs;
    CHECK(declare_read_sigma(node, spec->name, out, err));
    if (o->n_sigmas == 0)
        return yaml_fail(node, err, "this experiment has no noise levels; data.continuize declares them");
    return outputs_is_among(*out, o->sigmas, o->n_sigmas)
               ? STATUS_OK
               : yaml_fail(node, err, "%s is no noise level of this experiment", spec->name);
}

/* A test that stands above, of the kind that `choices` names. */
static status read_test(const yaml_node *node, const option_spec *spec, const experiment *e, char **out,
                        error_info *err) {
    const char *id = NULL;
    const declared_part *test;
    CHECK(field_text(node, spec->name, &id, err));
    test = part_list_find(&e->parts, id);
    if (!test || test->kind->group != PART_TEST || strcmp(test->kind->name, spec->choices) != 0)
        return yaml_fail(node, err, "%s is '%.60s', which is no %s test of this experiment", spec->name, id,
                         spec->choices);
    return field_line(node, spec->name, out, err);
}

static status read_counts(const yaml_node *node, const option_spec *spec, size_t **out, size_t *n, error_info *err) {
    size_t n_wanted = 0;
    CHECK(field_items(node, spec->name, MOST_OUTPUTS, &n_wanted, err));
    CHECK_ALLOC(*out = calloc(n_wanted, sizeof **out));
    for (; *n < n_wanted; ++*n)
        CHECK(read_count(field_item(node, *n), spec, (uint64_t)spec->least, (uint64_t)spec->most, &(*out)[*n], err));
    return STATUS_OK;
}

static status read_sigmas(const yaml_node *node, const option_spec *spec, const experiment *e, double **out, size_t *n,
                          error_info *err) {
    size_t n_wanted = 0;
    CHECK(field_items(node, spec->name, MOST_SIGMAS, &n_wanted, err));
    CHECK_ALLOC(*out = calloc(n_wanted, sizeof **out));
    for (; *n < n_wanted; ++*n) {
        CHECK(read_sigma(field_item(node, *n), spec, e, &(*out)[*n], err));
        if (outputs_is_among((*out)[*n], *out, *n))
            return yaml_fail(field_item(node, *n), err, "this noise level is named twice");
    }
    return STATUS_OK;
}

/* Any name will do for a column: they are not known before the data are read. */
static status read_line(const yaml_node *node, const char *what, const experiment *e, char **out, error_info *err) {
    (void)e;
    return field_line(node, what, out, err);
}

static bool is_listed(char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* A learner goes into one pool at most. */
static status check_pool(const yaml_node *node, const option_pool *pools, size_t at, const experiment *e,
                         error_info *err) {
    if (outputs_find_learner(&e->outputs, pools[at].id) < e->outputs.n_learners)
        return yaml_fail(node, err, "the pool '%.60s' has the name of a learner", pools[at].id);
    for (size_t k = 0; k < pools[at].n_parts; k++) {
        for (size_t i = 0; i < at; i++) {
            if (is_listed(pools[i].parts, pools[i].n_parts, pools[at].parts[k]))
                return yaml_fail(node, err, "'%.60s' stands in two of its lists", pools[at].parts[k]);
        }
    }
    return STATUS_OK;
}

/* {NAME: [LEARNER, ...], ...} */
static status read_pools(const yaml_node *node, const option_spec *spec, const experiment *e, option_pool **out,
                         size_t *n, error_info *err) {
    if (node->kind != YAML_MAP || node->n == 0 || node->n > MOST_VARIANTS)
        return yaml_fail(node, err, "%s must be a mapping of names to lists of learners: {both: [one, other]}",
                         spec->name);
    CHECK_ALLOC(*out = calloc(node->n, sizeof **out));
    for (size_t i = 0; i < node->n; i++) {
        option_pool *pool = &(*out)[i];
        *n = i + 1;
        CHECK_ALLOC(pool->id = text_copy(node->keys[i]->text));
        CHECK(declare_read_names(node->items[i], spec->name, e, declare_read_learner_id, &pool->parts, &pool->n_parts,
                                 err));
        CHECK(check_pool(node->items[i], *out, i, e, err));
    }
    return STATUS_OK;
}

static status read_group(const yaml_node *node, const option_spec *spec, const experiment *e, void *options,
                         error_info *err) {
    CHECK(declare_option_keys(node, spec->name, NULL, spec->inner, err));
    if (node->n == 0)
        return yaml_fail(node, err, "%s is empty; it must have '%s' or another of its keys", spec->name,
                         spec->inner->name);
    if (spec->count_offset)
        *(bool *)(void *)((char *)options + spec->count_offset) = true;
    return declare_options(node, spec->inner, e, place_of(spec, options), err);
}

static status read_list(const yaml_node *node, const option_spec *spec, const experiment *e, void *options,
                        error_info *err) {
    void *place = place_of(spec, options);
    size_t *n = (size_t *)(void *)((char *)options + spec->count_offset);
    switch (spec->kind) {
    case OPT_LEARNERS:
        return declare_read_names(node, spec->name, e, declare_read_learner_id, place, n, err);
    case OPT_METRICS:
        return declare_read_names(node, spec->name, e, declare_read_metric, place, n, err);
    case OPT_NETWORKS:
        return declare_read_names(node, spec->name, e, declare_read_network_id, place, n, err);
    case OPT_COUNTS:
        return read_counts(node, spec, place, n, err);
    case OPT_SIGMAS:
        return read_sigmas(node, spec, e, place, n, err);
    case OPT_POOLS:
        return read_pools(node, spec, e, place, n, err);
    default:
        return declare_read_names(node, spec->name, e, read_line, place, n, err);
    }
}

static status read_option(const yaml_node *node, const option_spec *spec, const experiment *e, void *options,
                          error_info *err) {
    void *place = place_of(spec, options);
    switch (spec->kind) {
    case OPT_INT:
        return read_int(node, spec, place, err);
    case OPT_REAL:
        return read_real(node, spec, place, err);
    case OPT_BOOL:
        return field_bool(node, spec->name, place, err);
    case OPT_CHOICE:
        return field_choice(node, spec->name, spec->choices, place, err);
    case OPT_COUNT:
        return read_count(node, spec, (uint64_t)spec->least, (uint64_t)spec->most, place, err);
    case OPT_NAME:
        return field_name(node, spec->name, place, err);
    case OPT_LINE:
        return field_line(node, spec->name, place, err);
    case OPT_WORD:
        return read_word(node, spec, place, err);
    case OPT_LEARNER:
        return declare_read_learner_id(node, spec->name, e, place, err);
    case OPT_METRIC:
        return declare_read_metric(node, spec->name, e, place, err);
    case OPT_NETWORK:
        return declare_read_network_id(node, spec->name, e, place, err);
    case OPT_TEST:
        return read_test(node, spec, e, place, err);
    case OPT_SIZE:
        return read_size(node, spec, e, place, err);
    case OPT_SIGMA:
        return read_sigma(node, spec, e, place, err);
    case OPT_GROUP:
        return read_group(node, spec, e, options, err);
    default:
        return read_list(node, spec, e, options, err);
    }
}

status declare_options(const yaml_node *map, const option_spec *specs, const experiment *e, void *options,
                       error_info *err) {
    for (const option_spec *spec = specs; spec->kind != OPT_END; spec++) {
        const yaml_node *node = yaml_get(map, spec->name);
        if (node)
            CHECK(read_option(node, spec, e, options, err));
    }
    return STATUS_OK;
}

status declare_option_keys(const yaml_node *node, const char *what, const char *further, const option_spec *specs,
                           error_info *err) {
    const char *known[MOST_OPTIONS + 2] = {0};
    size_t n = 0;
    for (; specs[n].kind != OPT_END; n++)
        known[n] = specs[n].name;
    known[n] = further;
    return field_mapping(node, what, known, err);
}
