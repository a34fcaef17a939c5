/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a variant as JSON, which the record of every job of it keeps. */
#include "runner/plan/plan_internal.h"

#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static json_t *option_value(const option_spec *spec, const char *text) {
    double number = 0;
    int64_t whole = 0;
    if (spec->kind == OPT_BOOL)
        return json_boolean(strcmp(text, "true") == 0);
    if (spec->kind == OPT_INT && text_to_int(text, &whole))
        return json_integer(whole);
    if (spec->kind == OPT_REAL && text_to_double(text, &number))
        return json_real(number);
    return json_string(text);
}

static status put_options(const option_spec *specs, const void *options, json_t *object, error_info *err) {
    text_buffer value = {0};
    status st = STATUS_OK;
    for (option_walk w = options_walk(specs, options); options_next(&w);) {
        text_buffer_clear(&value);
        options_append_value(&w.spec, options, &value);
        TRY(text_buffer_check(&value, err));
        if (json_object_set_new(object, w.name, option_value(&w.spec, value.data ? value.data : "")) != 0)
            TRY(error_out_of_memory(err));
    }
cleanup:
    text_buffer_clear(&value);
    return st;
}

static status put_command(const learner_variant *v, json_t *object, error_info *err) {
    json_t *words = json_array();
    for (size_t i = 0; words && v->command[i]; i++) {
        if (json_array_append_new(words, json_string(v->command[i])) != 0) {
            json_decref(words);
            words = NULL;
        }
    }
    return json_object_set_new(object, "command", words) == 0 ? STATUS_OK : error_out_of_memory(err);
}

static status put_budget(const plan *p, const learner_budget *budget, double budget_s, json_t *object,
                         error_info *err) {
    json_t *value = budget_s > 0 ? json_real(budget_s) : json_null();
    bool is_set =
        json_object_set_new(object, "budget", value) == 0 &&
        json_object_set_new(object, "budget_times", json_real(budget->times)) == 0 &&
        json_object_set_new(object, "budget_of", json_string(plan_experiment(p)->variants[budget->base].id)) == 0;
    return is_set ? STATUS_OK : error_out_of_memory(err);
}

static status put_discretizing(const discretize_declaration *d, json_t *object, error_info *err) {
    json_t *inner = json_object();
    bool is_set = json_object_set_new(inner, "method", json_string(d->kind->name)) == 0;
    if (json_object_set_new(object, "discretize", inner) != 0 || !is_set)
        return error_out_of_memory(err);
    return put_options(d->kind->options, d->options, inner, err);
}

status plan_options_json(const plan *p, size_t variant, double budget_s, char **out, error_info *err) {
    const learner_variant *v = &plan_experiment(p)->variants[variant];
    json_t *object = json_object();
    status st = STATUS_OK;
    TRY_ALLOC(object);
    TRY(v->kind ? put_options(v->kind->options, v->options, object, err) : put_command(v, object, err));
    if (v->budget.is_relative)
        TRY(put_budget(p, &v->budget, budget_s, object, err));
    if (v->takes_numbers && json_object_set_new(object, "discrete_as", json_string("numbers")) != 0)
        TRY(error_out_of_memory(err));
    if (v->discretize.kind)
        TRY(put_discretizing(&v->discretize, object, err));
    TRY_ALLOC(*out = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)));
cleanup:
    json_decref(object);
    return st;
}
