/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of a table or test: what stands on the axis that has no learners. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "generators/catalogue/catalogue.h"
#include "parts/base/part_output.h"
#include "parts/tables/table.h"
#include "runner/declare/fields_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Owned. */
typedef struct {
    char **names;
    size_t n;
} places;

static void places_clear(places *p) {
    texts_destroy(p->names, p->n);
}

static bool has_place(const places *p, const char *name) {
    for (size_t i = 0; i < p->n; i++) {
        if (strcmp(p->names[i], name) == 0)
            return true;
    }
    return false;
}

/* As the table names them without any results. */
static status list_table(const experiment *e, const declared_part *part, places *out, error_info *err) {
    experiment_outputs o = e->outputs;
    const part_context none = {.outputs = &o, .parts = &e->parts};
    AUTO(part_output_clear) part_output made = {0};
    AUTO(table_clear) table t = {0};
    size_t n;
    o.n_replicates = 1; /* however many there are, the table looks the same */
    CHECK(part->kind->tabulate(&none, part->options, &made, &t, err));
    n = t.learners_are_columns ? t.n_rows : t.n_columns;
    for (size_t i = 0; i < n; i++)
        CHECK(texts_add(&out->names, &out->n, t.learners_are_columns ? t.row_names[i] : t.column_names[i], err));
    return STATUS_OK;
}

/* "alarm", "500", "alarm, 500", and "all" of a sum over all networks. */
static status list_test(const experiment *e, places *out, error_info *err) {
    const experiment_outputs *o = &e->outputs;
    CHECK(texts_add(&out->names, &out->n, "all", err));
    for (size_t i = 0; i <= outputs_place_count(o); i++) {
        AUTO(text_buffer_clear) text_buffer place = {0};
        if (i < outputs_place_count(o)) {
            outputs_append_place(o, i, &place);
            CHECK(text_buffer_check(&place, err));
            CHECK(texts_add(&out->names, &out->n, place.data, err));
        }
        for (size_t k = 0; k < o->n_sizes; k++) {
            AUTO(text_buffer_clear) text_buffer at = {0};
            text_append_format(&at, "%s%s", place.data ? place.data : "", place.data ? ", " : "");
            outputs_append_size(o->sizes[k], &at);
            CHECK(text_buffer_check(&at, err));
            CHECK(texts_add(&out->names, &out->n, at.data, err));
        }
    }
    return STATUS_OK;
}

bool declare_is_place_elsewhere(const char *name) {
    return name[strspn(name, "0123456789.")] == '\0' || strcmp(name, "average") == 0 || catalogue_find(name) != NULL;
}

/* The same of a place of a test, "asia, 500". */
static bool is_elsewhere(const char *name) {
    const char *comma = strstr(name, ", ");
    AUTO_FREE char *first = comma ? text_copy_n(name, (size_t)(comma - name)) : NULL;
    if (comma)
        return first && is_elsewhere(first) && is_elsewhere(comma + 2);
    return declare_is_place_elsewhere(name);
}

status declare_check_places(const yaml_node *node, char *const *names, size_t n, const declared_part *part,
                            const experiment *e, error_info *err) {
    AUTO(places_clear) places p = {0};
    char hint[300];
    if (n == 0)
        return STATUS_OK;
    CHECK(part->kind->tabulate ? list_table(e, part, &p, err) : list_test(e, &p, err));
    for (size_t i = 0; i < n; i++) {
        if (!has_place(&p, names[i]) && (e->is_as_written || !is_elsewhere(names[i])))
            return yaml_fail(field_item(node, i), err, "at is '%.60s', where '%s' has nothing%s", names[i],
                             part_text(part, "id"),
                             field_suggestion(names[i], (const char *const *)p.names, p.n, hint, sizeof hint));
    }
    return STATUS_OK;
}
