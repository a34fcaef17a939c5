/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "runner/declare/declare_internal.h"

#include "core/base/array.h"
#include "core/base/options.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 256 };

/* The networks on which a learner runs, where its entry names some. */
static status read_runs_on(const yaml_node *entry, const experiment *e, bool **out, error_info *err) {
    const yaml_node *node = yaml_get(entry, "networks");
    size_t n = 0;
    if (!node)
        return STATUS_OK;
    CHECK(field_items(node, "networks", MOST_VARIANTS, &n, err));
    CHECK_ALLOC(*out = calloc(e->outputs.n_networks, sizeof **out));
    for (size_t i = 0; i < n; i++) {
        AUTO_FREE char *name = NULL;
        size_t at = 0;
        CHECK(declare_read_network_id(field_item(node, i), "networks", e, &name, err));
        while (strcmp(e->outputs.networks[at], name) != 0)
            at++;
        if ((*out)[at])
            return yaml_fail(field_item(node, i), err, "'%s' stands here a second time", name);
        (*out)[at] = true;
    }
    return STATUS_OK;
}

/* A relative budget needs the other learner's time on the same data set. */
static status check_budget_networks(const yaml_node *entry, const learner_variant *v, const experiment *e,
                                    error_info *err) {
    const learner_variant *base = v->budget.is_relative ? &e->variants[v->budget.base] : NULL;
    for (size_t i = 0; base && base->runs_on && i < e->outputs.n_networks; i++) {
        if (!base->runs_on[i] && !(v->runs_on && !v->runs_on[i]))
            return yaml_fail(entry, err, "the budget depends on '%.60s', which does not run on %.60s", base->id,
                             e->outputs.networks[i]);
    }
    return STATUS_OK;
}

/* An integrated discretizer calls the learner itself, and needs directions from it. */
static status check_integrated(const yaml_node *entry, const learner_variant *v, error_info *err) {
    const discretizer *d = v->discretize.kind;
    if (!d || !d->integrate)
        return STATUS_OK;
    if (!v->kind)
        return yaml_fail(entry, err, "%s alternates with structure learning and cannot call an external learner",
                         d->name);
    if (v->kind->returns == GRAPH_SKELETON)
        return yaml_fail(entry, err, "%s alternates with structure learning and needs directions; %s gives a skeleton",
                         d->name, v->kind->name);
    return STATUS_OK;
}

/* `discrete_as: numbers` gives discrete columns to the learner as numbers. */
static status read_discrete_as(const yaml_node *entry, learner_variant *v, error_info *err) {
    const yaml_node *node = yaml_get(entry, "discrete_as");
    int choice = 0;
    CHECK(field_choice(node, "discrete_as", "states|numbers", &choice, err));
    v->takes_numbers = choice == 1;
    if (v->takes_numbers && v->discretize.kind)
        return yaml_fail(node, err, "'discrete_as: numbers' undoes what 'discretize' does: leave one out");
    return STATUS_OK;
}

/* Adds a variant with its own `discretize` or that of the experiment, on the networks that it names or on all. What it
 * holds is the experiment's then, and `*v` empty. */
static status take_discretizing(const yaml_node *entry, learner_variant *v, experiment *e, error_info *err) {
    const yaml_node *node = yaml_get(entry, "discretize");
    CHECK(node ? declare_discretize(node, &v->discretize, err) : discretize_copy(&e->discretize, &v->discretize, err));
    CHECK(check_integrated(entry, v, err));
    CHECK(read_discrete_as(entry, v, err));
    CHECK(read_runs_on(entry, e, &v->runs_on, err));
    CHECK(check_budget_networks(entry, v, e, err));
    CHECK(declare_check_data(entry, v, e, err));
    CHECK(declare_learner_id(entry, v->id, e, err));
    CHECK(ARRAY_APPEND(e->variants, e->n_variants, err, *v));
    *v = (learner_variant){0};
    return STATUS_OK;
}

/* A learner's entry while its sweeps are unrolled. */
typedef struct {
    const yaml_node *entry;
    const learner *kind;
    learner_budget budget;
    experiment *e;
    error_info *err;
} sweep;

static bool is_option(const char *key) {
    return strcmp(key, "learner") != 0 && strcmp(key, "id") != 0 && strcmp(key, "discretize") != 0 &&
           strcmp(key, "networks") != 0 && strcmp(key, "discrete_as") != 0;
}

static status set_option(const sweep *s, void *options, const char *key, const yaml_node *value) {
    const char *text = NULL;
    CHECK(field_text(value, key, &text, s->err));
    return field_at(value, options_set(s->kind->options, options, key, text, s->err), s->err);
}

/* What is chosen, with options of its own: {name: bge, am: 2}; the id gets "bge:am=2". */
static status set_chosen(const sweep *s, void *options, const char *key, const yaml_node *value, text_buffer *id) {
    const yaml_node *name = yaml_get(value, "name");
    if (!name)
        return yaml_fail(value, s->err, "%.60s has options, but no 'name': write {name: ..., option: value}", key);
    CHECK(set_option(s, options, key, name));
    text_append(id, name->text);
    for (size_t i = 0; i < value->n; i++) {
        AUTO(text_buffer_clear) text_buffer inner = {0};
        if (value->items[i] == name)
            continue;
        text_append_format(&inner, "%s.%s", key, value->keys[i]->text);
        CHECK(text_buffer_check(&inner, s->err));
        CHECK(set_option(s, options, inner.data, value->items[i]));
        text_append_format(id, ":%s=%s", value->keys[i]->text, value->items[i]->text);
    }
    return STATUS_OK;
}

static bool is_choice(const learner *kind, const char *key) {
    const option_spec *spec = options_find(kind->options, key);
    return spec && spec->kind == OPT_CHOSEN;
}

static status take_learner(const sweep *s, const void *options, const char *id) {
    error_info *err = s->err;
    AUTO(learner_variant_clear) learner_variant v = {.kind = s->kind, .budget = s->budget};
    CHECK_ALLOC(v.id = text_copy(id));
    CHECK_ALLOC(v.options = learner_options_create(s->kind));
    memcpy(v.options, options, s->kind->options_size);
    return take_discretizing(s->entry, &v, s->e, err);
}

static status unroll(const sweep *s, size_t at, const void *options, const char *id);

/* Goes on with one value of an option; of a sweep the id gets ":option=value". */
static status unroll_value(const sweep *s, size_t at, const void *options, const char *id, const yaml_node *value) {
    error_info *err = s->err;
    const char *key = s->entry->keys[at]->text;
    AUTO_FREE void *copy = learner_options_create(s->kind);
    sweep inner = *s;
    AUTO(text_buffer_clear) text_buffer longer = {0}, said = {0};
    CHECK_ALLOC(copy);
    memcpy(copy, options, s->kind->options_size);
    if (value->kind == YAML_MAP && is_choice(s->kind, key)) {
        CHECK(set_chosen(s, copy, key, value, &said));
    } else if (value->kind == YAML_MAP) {
        CHECK(declare_budget(value, s->kind, key, s->e, &inner.budget, err));
        text_append_format(&said, "%gx%s", inner.budget.times, s->e->variants[inner.budget.base].id);
    } else {
        CHECK(set_option(s, copy, key, value));
        text_append(&said, value->text);
    }
    CHECK(text_buffer_check(&said, err));
    text_append(&longer, id);
    if (s->entry->items[at]->kind == YAML_LIST)
        text_append_format(&longer, ":%s=%s", key, said.data ? said.data : "");
    CHECK(text_buffer_check(&longer, err));
    return unroll(&inner, at + 1, copy, longer.data);
}

static status unroll(const sweep *s, size_t at, const void *options, const char *id) {
    size_t n = 0;
    while (at < s->entry->n && !is_option(s->entry->keys[at]->text))
        at++;
    if (at == s->entry->n)
        return take_learner(s, options, id);
    CHECK(field_items(s->entry->items[at], s->entry->keys[at]->text, MOST_VARIANTS, &n, s->err));
    for (size_t i = 0; i < n; i++)
        CHECK(unroll_value(s, at, options, id, field_item(s->entry->items[at], i)));
    return STATUS_OK;
}

static status find_learner(const yaml_node *node, const learner **kind, const char **name, error_info *err) {
    CHECK(field_text(node, "a learner", name, err));
    return field_at(node, learner_find(*name, kind, err), err);
}

static status check_option_names(const yaml_node *entry, const learner *kind, error_info *err) {
    for (size_t i = 0; i < entry->n; i++) {
        const yaml_node *key = entry->keys[i];
        error_info unknown = {0};
        if (is_option(key->text) && options_check_name(kind->options, key->text, &unknown) != STATUS_OK)
            return yaml_fail(key, err, "%.300s", unknown.message);
    }
    return STATUS_OK;
}

static status read_built_in(const yaml_node *entry, const yaml_node *name_node, const char *given_id, experiment *e,
                            error_info *err) {
    sweep s = {.entry = entry, .e = e, .err = err};
    const char *name = NULL;
    AUTO_FREE void *options = NULL;
    CHECK(find_learner(name_node, &s.kind, &name, err));
    CHECK(check_option_names(entry, s.kind, err));
    CHECK_ALLOC(options = learner_options_create(s.kind));
    return unroll(&s, 0, options, given_id ? given_id : name);
}

/* {dat} was meant to be {data}; other braces are the program's own business. */
static status check_placeholders(const yaml_node *node, error_info *err) {
    static const char *const known[] = {"data", "graph", "seed", "threads"};
    for (const char *open = strchr(node->text, '{'); open; open = strchr(open + 1, '{')) {
        size_t n = strspn(open + 1, "abcdefghijklmnopqrstuvwxyz_");
        char word[32] = "";
        const char *near;
        if (n == 0 || n >= sizeof word || open[1 + n] != '}')
            continue;
        memcpy(word, open + 1, n);
        near = text_nearest(word, known, 4);
        if (near && strcmp(near, word) != 0)
            return yaml_fail(node, err, "unknown placeholder '{%s}'; did you mean '{%s}'?", word, near);
    }
    return STATUS_OK;
}

static status read_command(const yaml_node *node, learner_variant *v, error_info *err) {
    if (node->kind != YAML_LIST || node->n == 0 || node->n > MOST_ARGUMENTS)
        return yaml_fail(node, err,
                         "command must be a list of 1 to %d words: [program, argument, \"{data}\", \"{graph}\"]",
                         MOST_ARGUMENTS);
    CHECK_ALLOC(v->command = calloc(node->n + 1, sizeof *v->command));
    for (size_t i = 0; i < node->n; i++) {
        const yaml_node *word = node->items[i];
        if (word->kind != YAML_TEXT || (i == 0 && !*word->text))
            return yaml_fail(word, err, "each word of a command must be a text; put it in quotes");
        CHECK(check_placeholders(word, err));
        CHECK_ALLOC(v->command[i] = text_copy(word->text));
    }
    return STATUS_OK;
}

static status read_external(const yaml_node *entry, const char *id, experiment *e, error_info *err) {
    static const char *const known[] = {"id", "command", "returns", "discretize", "networks", NULL};
    const yaml_node *returns = yaml_get(entry, "returns");
    AUTO(learner_variant_clear) learner_variant v = {0};
    int kind = 0;
    CHECK(field_mapping(entry, "an external learner", known, err));
    if (!id)
        return yaml_fail(entry, err, "an external learner needs an 'id'");
    CHECK(read_command(yaml_get(entry, "command"), &v, err));
    if (returns) {
        CHECK(field_choice(returns, "returns", "dag|cpdag|skeleton", &kind, err));
        v.has_returns = true;
        v.returns = (graph_kind)kind;
    }
    CHECK_ALLOC(v.id = text_copy(id));
    CHECK(texts_add(&e->outputs.programs, &e->outputs.n_programs, id, err));
    return take_discretizing(entry, &v, e, err);
}

static status read_mapping(const yaml_node *entry, experiment *e, error_info *err) {
    const yaml_node *name = yaml_get(entry, "learner");
    AUTO_FREE char *id = NULL;
    CHECK(field_line(yaml_get(entry, "id"), "id", &id, err));
    if (yaml_get(entry, "command") && !name)
        return read_external(entry, id, e, err);
    if (name && !yaml_get(entry, "command"))
        return read_built_in(entry, name, id, e, err);
    return yaml_fail(entry, err,
                     "a learner is a name, or a mapping with either 'learner' or 'command', or with 'best_of'");
}

status declare_learner(const yaml_node *entry, experiment *e, error_info *err) {
    yaml_node bare;
    if (entry->kind == YAML_MAP)
        return read_mapping(entry, e, err);
    bare = *entry;
    bare.n = 0;
    return read_built_in(&bare, entry, NULL, e, err);
}
