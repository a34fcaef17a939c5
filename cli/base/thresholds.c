/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/thresholds.h"

static json_t *thresholds_of(const column_policy *column) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < column->n; i++) {
        if (json_array_append_new(list, json_of_double(column->thresholds[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

status thresholds_put_json(const cut_policy *p, const dataset *data, json_t *list, error_info *err) {
    for (size_t i = 0; i < p->n_columns; i++) {
        const column_policy *column = &p->columns[i];
        if (!dataset_reals(data, i))
            continue;
        CHECK(json_add(list,
                       json_object_of({"name", json_of_text(dataset_variable(data, i)->name)},
                                      {"states", json_of_size(column->n + 1)}, {"thresholds", thresholds_of(column)}),
                       err));
    }
    return STATUS_OK;
}

void thresholds_say(const cli *c, const char *method, const cut_policy *p, const dataset *data, double cpu_s) {
    size_t n = 0, states = 0, single = 0;
    for (size_t i = 0; i < p->n_columns; i++) {
        if (!dataset_reals(data, i))
            continue;
        n++;
        states += p->columns[i].n + 1;
        single += p->columns[i].n == 0;
    }
    if (n == 0) {
        cli_say(c, "%s: every column is discrete already", method);
        return;
    }
    cli_say(c, "%s: %zu continuous columns, %.2f states on average, %zu with a single state; cpu %.3f s", method, n,
            (double)states / (double)n, single, cpu_s);
}
