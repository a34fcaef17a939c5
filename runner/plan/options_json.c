/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a variant as JSON, which the record of every job of it keeps. */
#include "runner/plan/plan_internal.h"

#include "core/base/json.h"

static status put_command(const learner_variant *v, json_t *object, error_info *err) {
    size_t n = 0;
    while (v->command[n])
        n++;
    return json_put(object, "command", json_of_texts((const char *const *)v->command, n), err);
}

static status put_budget(const plan *p, const learner_budget *budget, double budget_s, json_t *object,
                         error_info *err) {
    CHECK(json_put(object, "budget", budget_s > 0 ? json_real(budget_s) : json_null(), err));
    CHECK(json_put(object, "budget_times", json_real(budget->times), err));
    return json_put(object, "budget_of", json_of_text(plan_experiment(p)->variants[budget->base].id), err);
}

static status put_discretizing(const discretize_declaration *d, json_t *object, error_info *err) {
    json_t *inner;
    CHECK(json_put(object, "discretize", inner = json_object(), err));
    CHECK(json_put(inner, "method", json_of_text(d->kind->name), err));
    return json_put_options(inner, d->kind->options, d->options, err);
}

status plan_options_json(const plan *p, size_t variant, double budget_s, char **out, error_info *err) {
    const learner_variant *v = &plan_experiment(p)->variants[variant];
    AUTO_PTR(json_decref) json_t *object = json_object();
    CHECK_ALLOC(object);
    CHECK(v->kind ? json_put_options(object, v->kind->options, v->options, err) : put_command(v, object, err));
    if (v->budget.is_relative)
        CHECK(put_budget(p, &v->budget, budget_s, object, err));
    if (v->takes_numbers)
        CHECK(json_put(object, "discrete_as", json_of_text("numbers"), err));
    if (v->discretize.kind)
        CHECK(put_discretizing(&v->discretize, object, err));
    CHECK_ALLOC(*out = json_to_text(object, JSON_COMPACT | JSON_REAL_PRECISION(17)));
    return STATUS_OK;
}
