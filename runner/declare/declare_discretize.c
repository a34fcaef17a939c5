/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How continuous data are made discrete: the name of a method, or a mapping of method and options. */
#include "discretizers/registry.h"
#include "runner/declare/declare_internal.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static status read_discretize_options(const yaml_node *node, discretize_declaration *d, error_info *err) {
    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->keys[i]->text, *value = NULL;
        if (strcmp(key, "method") == 0)
            continue;
        CHECK(field_text(node->items[i], key, &value, err));
        CHECK(field_at(node->items[i], options_set(d->kind->options, d->options, key, value, err), err));
    }
    return STATUS_OK;
}

status declare_discretize(const yaml_node *node, discretize_declaration *out, error_info *err) {
    const yaml_node *method = node->kind == YAML_MAP ? yaml_get(node, "method") : node;
    AUTO_FREE void *options = NULL;
    discretize_declaration d = {0};
    const char *name = NULL;
    if (!method)
        return yaml_fail(node, err, "discretize needs a 'method'; `bnbench list discretizers` names them");
    CHECK(field_text(method, "method", &name, err));
    CHECK(field_at(method, discretizer_find(name, &d.kind, err), err));
    CHECK_ALLOC(options = d.options = discretizer_options_create(d.kind));
    if (node->kind == YAML_MAP)
        CHECK(read_discretize_options(node, &d, err));
    free(out->options);
    d.options = TAKE(options);
    *out = d;
    return STATUS_OK;
}
