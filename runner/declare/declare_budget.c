/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The budget of a learner as so many times the CPU time that another one took. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "runner/declare/fields_internal.h"

#include <string.h>

static bool has_budget(const learner *kind) {
    for (size_t i = 0; i < options_count(kind->options); i++) {
        if (strcmp(kind->options[i].name, "budget") == 0 && kind->options[i].kind == OPT_REAL)
            return true;
    }
    return false;
}

/* Finds the learner whose time is the budget. It must stand above, so that its jobs come first and no two wait for each
 * other. */
static status find_base(const yaml_node *node, const char *id, const experiment *e, size_t *out, error_info *err) {
    char hint[300];
    if (outputs_find_best_of(&e->outputs, id))
        return yaml_fail(node, err, "'%.60s' is the best of others; a budget depends on one learner: name a part", id);
    for (size_t i = 0; i < e->n_variants; i++) {
        if (strcmp(e->variants[i].id, id) != 0)
            continue;
        *out = i;
        return e->variants[i].budget.is_relative
                   ? yaml_fail(node, err, "the budget of '%.60s' itself depends on another learner", id)
                   : STATUS_OK;
    }
    return yaml_fail(
        node, err, "no learner '%.60s' stands above this one%s", id,
        field_suggestion(id, (const char *const *)e->outputs.learners, e->outputs.n_learners, hint, sizeof hint));
}

status declare_budget(const yaml_node *node, const learner *kind, const char *option, const experiment *e,
                      learner_budget *out, error_info *err) {
    static const char *const known[] = {"times", "of", NULL};
    const yaml_node *times = yaml_get(node, "times"), *of = yaml_get(node, "of");
    const char *id = NULL;
    learner_budget b = {.times = 1, .is_relative = true};
    if (strcmp(option, "budget") != 0 || !has_budget(kind))
        return yaml_fail(node, err, "%s of %s must be a plain value; only a 'budget' can hang on another learner",
                         option, kind->name);
    CHECK(field_mapping(node, "a budget", known, err));
    if (!of)
        return yaml_fail(node, err, "a budget is a number of seconds, or {times: 2, of: LEARNER}: 'of' is missing");
    if (times && (times->kind != YAML_TEXT || times->is_quoted || !text_to_double(times->text, &b.times) ||
                  !(b.times > 0 && b.times <= 1e6)))
        return yaml_fail(times, err, "times must be a number above 0, at most a million");
    CHECK(field_text(of, "of", &id, err));
    CHECK(find_base(of, id, e, &b.base, err));
    *out = b;
    return STATUS_OK;
}
