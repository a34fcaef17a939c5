/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment once it is read. */
#include "runner/declare/declare_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

void learner_variant_clear(learner_variant *v) {
    for (size_t i = 0; v->command && v->command[i]; i++)
        free(v->command[i]);
    free(v->command);
    free(v->id);
    free(v->options);
    free(v->discretize.options);
    free(v->runs_on);
    *v = (learner_variant){0};
}

static void clear_failure_rule(failure_rule *r) {
    free(r->learner);
    free(r->text);
    texts_destroy(r->networks, r->n_networks);
    free(r->sizes);
    free(r->conditions);
}

void experiment_clear(experiment *e) {
    for (size_t i = 0; i < e->n_variants; i++)
        learner_variant_clear(&e->variants[i]);
    for (size_t i = 0; e->sources && i < e->outputs.n_networks; i++) {
        free(e->sources[i].source);
        free(e->sources[i].where);
        free(e->sources[i].genes.edges);
    }
    free(e->variants);
    free(e->sources);
    texts_destroy(e->metrics, e->n_metrics);
    free(e->discretize.options);
    for (size_t i = 0; e->failure_rules && i < e->n_failure_rules; i++)
        clear_failure_rule(&e->failure_rules[i]);
    free(e->failure_rules);
    part_list_clear(&e->parts);
    experiment_outputs_clear(&e->outputs);
    free(e->folder);
    free(e->declaration);
    *e = (experiment){0};
}

char *experiment_path(const experiment *e, const char *path) {
    return *path == '/' ? text_copy(path) : path_join(e->folder, path);
}

size_t experiment_test_rows(const experiment *e, size_t size) {
    return e->test_is_as_large ? e->outputs.sizes[size] : e->test_samples;
}

status discretize_copy(const discretize_declaration *from, discretize_declaration *to, error_info *err) {
    *to = (discretize_declaration){0};
    if (!from->kind)
        return STATUS_OK;
    CHECK_ALLOC(to->options = discretizer_options_create(from->kind));
    memcpy(to->options, from->options, from->kind->options_size);
    to->kind = from->kind;
    return STATUS_OK;
}
