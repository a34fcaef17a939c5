/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `absent`: figures of a paper that no table or test compares, and why. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "generators/catalogue/catalogue.h"
#include "parts/figures/absent_rows.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ABSENT = 100, MOST_COLUMNS = 20, MOST_VALUES = 1000 };

static status read_conditions(const yaml_node *node, absent_rows *a, error_info *err) {
    if (!node)
        return STATUS_OK;
    if (node->kind != YAML_MAP || node->n == 0 || node->n > MOST_COLUMNS)
        return yaml_fail(node, err, "where must be a mapping of 1 to %d columns, each with a value or a list of them",
                         MOST_COLUMNS);
    CHECK_ALLOC(a->conditions = calloc(node->n, sizeof *a->conditions));
    for (size_t i = 0; i < node->n; i++) {
        row_condition *c = &a->conditions[a->n_conditions++];
        CHECK_ALLOC(c->column = text_copy(node->keys[i]->text));
        CHECK(declare_read_texts(node->items[i], node->keys[i]->text, MOST_VALUES, &c->values, &c->n_values, err));
    }
    return STATUS_OK;
}

static status read_absent(const yaml_node *entry, const experiment *e, void *item, error_info *err) {
    static const char *const known[] = {"published", "where", "reason", NULL};
    const yaml_node *file = yaml_get(entry, "published"), *reason = yaml_get(entry, "reason");
    absent_rows *a = item;
    (void)e;
    CHECK(field_mapping(entry, "an entry of absent", known, err));
    if (!file || !reason)
        return yaml_fail(entry, err, "an entry of absent needs 'published', a file, and a 'reason'");
    CHECK(field_name(file, "published", &a->published, err));
    CHECK(field_line(reason, "reason", &a->reason, err));
    return read_conditions(yaml_get(entry, "where"), a, err);
}

/* ---- against the file ---- */

static status check_column(const yaml_node *key, const csv_table *rows, error_info *err) {
    AUTO_FREE const char **names = NULL;
    size_t n = csv_table_column_count(rows);
    char hint[300];
    if (csv_table_column(rows, key->text) != CSV_NO_COLUMN)
        return STATUS_OK;
    CHECK_ALLOC(names = calloc(n + 1, sizeof *names));
    for (size_t i = 0; i < n; i++)
        names[i] = csv_table_field(rows, CSV_HEADER, i);
    return yaml_fail(key, err, "the file has no column '%.60s'%s", key->text,
                     field_suggestion(key->text, names, n, hint, sizeof hint));
}

/* A value that no row has is a slip of the pen, whatever the others match. */
static status check_values(const yaml_node *node, const row_condition *c, const csv_table *rows, error_info *err) {
    for (size_t i = 0; i < c->n_values; i++) {
        row_condition one = {.column = c->column, .n_values = 1, .values = &c->values[i]};
        absent_rows alone = {.n_conditions = 1, .conditions = &one};
        if (absent_count(&alone, rows) == 0)
            return yaml_fail(field_item(node, i), err, "no row of the file has '%.60s' in the column '%.60s'",
                             c->values[i], c->column);
    }
    return STATUS_OK;
}

static status check_file(const yaml_node *entry, const absent_rows *a, const char *folder, error_info *err) {
    const yaml_node *where = yaml_get(entry, "where"), *file = yaml_get(entry, "published");
    AUTO_PTR(csv_table_destroy) csv_table *rows = NULL;
    error_info why = {0};
    status st = folder ? published_read_rows(folder, a->published, &rows, &why)
                       : error_set(&why, STATUS_MISSING, "the folder of published figures is not to be found");
    if (st == STATUS_MEMORY)
        return error_out_of_memory(err);
    if (st != STATUS_OK)
        return yaml_fail(file, err, "published: %.300s", why.message);
    for (size_t i = 0; i < a->n_conditions; i++) {
        CHECK(check_column(where->keys[i], rows, err));
        CHECK(check_values(where->items[i], &a->conditions[i], rows, err));
    }
    return absent_count(a, rows) > 0 ? STATUS_OK
                                     : yaml_fail(entry, err, "no row of %.60s is as 'where' says", a->published);
}

status declare_absent(const yaml_node *node, bool check_files, experiment *e, error_info *err) {
    static const declared_list list = {
        .what = "absent", .most = MOST_ABSENT, .item_size = sizeof(absent_rows), .read = read_absent};
    experiment_outputs *o = &e->outputs;
    AUTO_FREE char *folder = NULL;
    void *absent = NULL;
    status st;
    if (check_files && node)
        CHECK(catalogue_shipped_beside("published", &folder, err));
    st = declare_list(&list, node, e, &absent, &o->n_absent, err);
    o->absent = absent;
    for (size_t i = 0; st == STATUS_OK && check_files && i < o->n_absent; i++)
        st = check_file(field_item(node, i), &o->absent[i], folder, err);
    return st;
}
