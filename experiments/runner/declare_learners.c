/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/runner/declare_internal.h"

#include "core/options.h"
#include "experiments/runner/fields_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 256 };

void learner_variant_clear(learner_variant *v) {
    for (size_t i = 0; v->command && v->command[i]; i++)
        free(v->command[i]);
    free(v->command);
    free(v->id);
    free(v->options);
    free(v->base_on);
    *v = (learner_variant){0};
}

static status check_id(const yaml_node *node, const char *id, const experiment *e, error_info *err) {
    if (strlen(id) > 200)
        return yaml_fail(node, err, "a learner's id has %zu bytes; it may have 200", strlen(id));
    for (size_t i = 0; i < e->n_variants; i++) {
        if (strcmp(e->variants[i].id, id) == 0)
            return yaml_fail(node, err,
                             "the learner id '%.100s' stands here a second time; give this one an 'id' of its own", id);
    }
    if (e->n_variants == MOST_VARIANTS)
        return yaml_fail(node, err, "more than %d learners", MOST_VARIANTS);
    return STATUS_OK;
}

/* Takes over what the variant holds, also when it fails. */
static status take_variant(const yaml_node *node, learner_variant *v, experiment *e, error_info *err) {
    status st = check_id(node, v->id, e, err);
    learner_variant *grown = NULL;
    if (st == STATUS_OK)
        grown = realloc(e->variants, (e->n_variants + 1) * sizeof *grown);
    if (!grown) {
        learner_variant_clear(v);
        return st == STATUS_OK ? error_out_of_memory(err) : st;
    }
    grown[e->n_variants++] = *v;
    e->variants = grown;
    return STATUS_OK;
}

/* A learner's entry while its sweeps are unrolled. */
typedef struct {
    const yaml_node *entry;
    const learner *kind;
    experiment *e;
    error_info *err;
} sweep;

static bool is_option(const char *key) {
    return strcmp(key, "learner") != 0 && strcmp(key, "id") != 0;
}

static status set_option(const sweep *s, void *options, const char *key, const yaml_node *value) {
    const char *text = NULL;
    status st = field_text(value, key, &text, s->err);
    if (st == STATUS_OK)
        st = options_set(s->kind->options, options, key, text, s->err);
    if (st == STATUS_INVALID) {
        error_context(s->err, "%s:%zu:%zu", value->source, value->line, value->column);
        st = s->err->code = STATUS_PARSE;
    }
    return st;
}

static status take_learner(const sweep *s, const void *options, const char *id) {
    learner_variant v = {.kind = s->kind, .id = text_copy(id), .options = learner_options_create(s->kind)};
    if (!v.id || !v.options) {
        learner_variant_clear(&v);
        return error_out_of_memory(s->err);
    }
    memcpy(v.options, options, s->kind->options_size);
    return take_variant(s->entry, &v, s->e, s->err);
}

static status unroll(const sweep *s, size_t at, const void *options, const char *id);

/* One value of a sweep: ":option=value" behind the id. */
static status unroll_value(const sweep *s, size_t at, const void *options, const char *id, const yaml_node *value) {
    status st = STATUS_OK;
    error_info *err = s->err;
    const char *key = s->entry->keys[at]->text;
    void *copy = learner_options_create(s->kind);
    text_buffer longer = {0};
    TRY_ALLOC(copy);
    memcpy(copy, options, s->kind->options_size);
    TRY(set_option(s, copy, key, value));
    text_append(&longer, id);
    if (s->entry->items[at]->kind == YAML_LIST)
        text_append_format(&longer, ":%s=%s", key, value->text);
    TRY(text_buffer_check(&longer, err));
    TRY(unroll(s, at + 1, copy, longer.data));
cleanup:
    free(copy);
    text_buffer_clear(&longer);
    return st;
}

static status unroll(const sweep *s, size_t at, const void *options, const char *id) {
    size_t n = 0;
    status st;
    while (at < s->entry->n && !is_option(s->entry->keys[at]->text))
        at++;
    if (at == s->entry->n)
        return take_learner(s, options, id);
    st = field_items(s->entry->items[at], s->entry->keys[at]->text, MOST_VARIANTS, &n, s->err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++)
        st = unroll_value(s, at, options, id, field_item(s->entry->items[at], i));
    return st;
}

static status find_learner(const yaml_node *node, const learner **kind, const char **name, error_info *err) {
    status st = field_text(node, "a learner", name, err);
    if (st != STATUS_OK)
        return st;
    st = learner_find(*name, kind, err);
    if (st == STATUS_INVALID) {
        error_context(err, "%s:%zu:%zu", node->source, node->line, node->column);
        st = err->code = STATUS_PARSE;
    }
    return st;
}

static bool has_option(const learner *kind, const char *name) {
    for (size_t i = 0; i < options_count(kind->options); i++) {
        if (strcmp(kind->options[i].name, name) == 0)
            return true;
    }
    return false;
}

static status check_option_names(const yaml_node *entry, const learner *kind, error_info *err) {
    for (size_t i = 0; i < entry->n; i++) {
        const yaml_node *key = entry->keys[i];
        error_info unknown = {0};
        if (!is_option(key->text) || has_option(kind, key->text))
            continue;
        if (options_set(kind->options, NULL, key->text, "", &unknown) != STATUS_OK) /* it says what comes near */
            return yaml_fail(key, err, "%.300s", unknown.message);
    }
    return STATUS_OK;
}

static status read_built_in(const yaml_node *entry, const yaml_node *name_node, const char *given_id, experiment *e,
                            error_info *err) {
    sweep s = {.entry = entry, .e = e, .err = err};
    const char *name = NULL;
    void *options = NULL;
    status st = STATUS_OK;
    TRY(find_learner(name_node, &s.kind, &name, err));
    TRY(check_option_names(entry, s.kind, err));
    TRY_ALLOC(options = learner_options_create(s.kind));
    TRY(unroll(&s, 0, options, given_id ? given_id : name));
cleanup:
    free(options);
    return st;
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
    v->command = calloc(node->n + 1, sizeof *v->command);
    if (!v->command)
        return error_out_of_memory(err);
    for (size_t i = 0; i < node->n; i++) {
        const yaml_node *word = node->items[i];
        status st;
        if (word->kind != YAML_TEXT || (i == 0 && !*word->text))
            return yaml_fail(word, err, "each word of a command must be a text; put it in quotes");
        st = check_placeholders(word, err);
        if (st != STATUS_OK)
            return st;
        v->command[i] = text_copy(word->text);
        if (!v->command[i])
            return error_out_of_memory(err);
    }
    return STATUS_OK;
}

static status read_external(const yaml_node *entry, const char *id, experiment *e, error_info *err) {
    static const char *const known[] = {"id", "command", "returns", NULL};
    const yaml_node *returns = yaml_get(entry, "returns");
    learner_variant v = {0};
    int kind = 0;
    status st = field_mapping(entry, "an external learner", known, err);
    if (st != STATUS_OK)
        return st;
    if (!id)
        return yaml_fail(entry, err, "an external learner needs an 'id'");
    TRY(read_command(yaml_get(entry, "command"), &v, err));
    if (returns) {
        TRY(field_choice(returns, "returns", "dag|cpdag|skeleton", &kind, err));
        v.has_returns = true;
        v.returns = (graph_kind)kind;
    }
    TRY_ALLOC(v.id = text_copy(id));
    return take_variant(entry, &v, e, err);
cleanup:
    learner_variant_clear(&v);
    return st;
}

static status read_mapping(const yaml_node *entry, experiment *e, error_info *err) {
    const yaml_node *name = yaml_get(entry, "learner"), *id_node = yaml_get(entry, "id");
    char *id = NULL;
    status st = STATUS_OK;
    if (id_node)
        TRY(field_line(id_node, "id", &id, err));
    if (yaml_get(entry, "best_of"))
        st = yaml_fail(entry, err, "best_of is not supported in this version; name the learners one by one");
    else if (yaml_get(entry, "command") && !name)
        st = read_external(entry, id, e, err);
    else if (name && !yaml_get(entry, "command"))
        st = read_built_in(entry, name, id, e, err);
    else
        st = yaml_fail(entry, err, "a learner is a name, or a mapping with either 'learner' or 'command'");
cleanup:
    free(id);
    return st;
}

static status read_learner(const yaml_node *entry, experiment *e, error_info *err) {
    yaml_node bare;
    if (entry->kind == YAML_MAP)
        return read_mapping(entry, e, err);
    bare = *entry;
    bare.n = 0;
    return read_built_in(&bare, entry, NULL, e, err);
}

static status copy_ids(experiment *e, error_info *err) {
    e->outputs.learners = calloc(e->n_variants, sizeof *e->outputs.learners);
    if (!e->outputs.learners)
        return error_out_of_memory(err);
    e->outputs.n_learners = e->n_variants;
    for (size_t i = 0; i < e->n_variants; i++) {
        e->outputs.learners[i] = text_copy(e->variants[i].id);
        if (!e->outputs.learners[i])
            return error_out_of_memory(err);
    }
    return STATUS_OK;
}

status declare_learners(const yaml_node *node, experiment *e, error_info *err) {
    size_t n = 0;
    status st = field_items(node, "learners", MOST_VARIANTS, &n, err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++)
        st = read_learner(field_item(node, i), e, err);
    return st == STATUS_OK ? copy_ids(e, err) : st;
}
