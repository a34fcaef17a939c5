/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/trace_json.h"

#include "core/base/json.h"

json_t *json_of_figures(const trace *t) {
    json_t *o = json_object();
    for (size_t i = 0; o && i < t->n_figures; i++) {
        if (json_put(o, t->figures[i].name, json_of_double(t->figures[i].value), NULL) != STATUS_OK) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}

static json_t *points_of(const trace_series *s) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < s->n; i++) {
        const trace_point *p = &s->points[i];
        json_t *point = json_pack("[I, o]", (json_int_t)p->step, json_of_double(p->value));
        if (json_add(array, point, NULL) != STATUS_OK) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

json_t *json_of_series(const trace *t) {
    json_t *o = json_object();
    for (size_t i = 0; o && i < t->n_series; i++) {
        if (json_put(o, t->series[i].name, points_of(&t->series[i]), NULL) != STATUS_OK) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}
