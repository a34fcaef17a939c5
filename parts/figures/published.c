/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/published.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "metrics/statistics/wilcoxon.h"
#include "store/csv_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUBLISHED_MOST_BYTES = 64 << 20 };

typedef enum {
    COLUMN_NETWORK,
    COLUMN_METRIC,
    COLUMN_VALUE,
    COLUMN_SAMPLE_SIZE, /* a file about networks alone has neither of these two */
    COLUMN_ALGORITHM,
    COLUMN_NORMALISED_BY,
    COLUMN_PRINTED,
    COLUMN_AGGREGATION,
    COLUMN_UNIT,
    COLUMN_DEPTH,
    COLUMN_VERSUS,
    COLUMN_VERDICT,
    COLUMN_NOT_WORSE,
    COLUMN_IS_BEST,
    COLUMN_STATE,
    COLUMN_PARENT_STATE,
    N_COLUMNS
} column_role;

static const char *const column_names[N_COLUMNS] = {
    "network",     "metric",      "value", "sample_size", "algorithm", "normalised_by",       "printed",
    "aggregation", "unit",        "depth", "versus",      "verdict",   "not_worse_than_best", "is_best_in_column",
    "state",       "parent_state"};

/* What every file of the kind has. */
static const column_role needed_columns[][3] = {
    [PUBLISHED_FIGURES] = {COLUMN_NETWORK, COLUMN_METRIC, COLUMN_VALUE},
    [PUBLISHED_OUTCOMES] = {COLUMN_NETWORK, COLUMN_SAMPLE_SIZE, COLUMN_ALGORITHM}};

enum { SHARE_SIZE = 32 };

struct published_table {
    csv_table *rows;
    char (*shares)[SHARE_SIZE]; /* by row: what is printed in percent as a share, which is how we count; else "" */
    size_t columns[N_COLUMNS];
};

void published_destroy(published_table *t) {
    if (!t)
        return;
    csv_table_destroy(t->rows);
    free(t->shares);
    free(t);
}

static const char *field_of(const published_table *t, size_t row, column_role role) {
    return csv_table_field(t->rows, row, t->columns[role]);
}

static bool has_column(const published_table *t, column_role role) {
    return t->columns[role] != CSV_NO_COLUMN;
}

static status find_columns(published_table *t, published_kind kind, error_info *err) {
    for (size_t i = 0; i < N_COLUMNS; i++)
        t->columns[i] = csv_table_column(t->rows, column_names[i]);
    for (size_t i = 0; i < 3; i++) {
        if (!has_column(t, needed_columns[kind][i]))
            return error_set(err, STATUS_PARSE, "line 1: there is no column '%s'",
                             column_names[needed_columns[kind][i]]);
    }
    if (kind == PUBLISHED_OUTCOMES && !(has_column(t, COLUMN_VERSUS) && has_column(t, COLUMN_VERDICT)) &&
        !(has_column(t, COLUMN_VALUE) && has_column(t, COLUMN_NOT_WORSE)))
        return error_set(err, STATUS_PARSE,
                         "line 1: neither the columns 'versus' and 'verdict' nor 'value' and 'not_worse_than_best'");
    return STATUS_OK;
}

static status check_values(const published_table *t, error_info *err) {
    double value;
    for (size_t i = 0; i < csv_table_row_count(t->rows); i++) {
        const char *text = field_of(t, i, COLUMN_VALUE);
        if (*text && !text_to_double(text, &value))
            return error_set(err, STATUS_PARSE, "row %zu: the value is '%.40s'; a number or nothing was expected",
                             i + 1, text);
    }
    return STATUS_OK;
}

/* 99.9 percent is 0.999: two digits more behind the point. */
static status fill_shares(published_table *t, error_info *err) {
    size_t n = csv_table_row_count(t->rows);
    CHECK_ALLOC(t->shares = calloc(n + 1, sizeof *t->shares));
    for (size_t i = 0; i < n; i++) {
        const char *text = field_of(t, i, COLUMN_VALUE), *point = strchr(text, '.');
        double value;
        if (strcmp(field_of(t, i, COLUMN_UNIT), "percent") == 0 && text_to_double(text, &value))
            (void)snprintf(t->shares[i], SHARE_SIZE, "%.*f", (int)(point ? strlen(point + 1) % 12 : 0) + 2,
                           value / 100);
    }
    return STATUS_OK;
}

status published_parse(const char *text, size_t length, published_kind kind, published_table **out, error_info *err) {
    AUTO_PTR(published_destroy) published_table *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    CHECK(csv_table_parse(text, length, &t->rows, err));
    CHECK(find_columns(t, kind, err));
    if (kind == PUBLISHED_FIGURES)
        CHECK(check_values(t, err));
    CHECK(fill_shares(t, err));
    *out = TAKE(t);
    return STATUS_OK;
}

status published_locate(const char *folder, const char *file, char **out, error_info *err) {
    text_buffer plain = {0}, beneath = {0}, *found;
    status st = STATUS_OK;
    *out = NULL;
    if (!folder || !file)
        return STATUS_OK;
    if (strchr(file, '/'))
        return error_set(err, STATUS_INVALID, "published is '%.100s'; it must be a file's name without a folder", file);
    text_append_format(&plain, "%s/%s", folder, file);
    text_append_format(&beneath, "%s/%.*s/%s", folder, (int)strcspn(file, "_"), file, file);
    TRY(text_buffer_check(&plain, err));
    TRY(text_buffer_check(&beneath, err));
    found = !file_exists(plain.data) && file_exists(beneath.data) ? &beneath : &plain;
    *out = found->data;
    *found = (text_buffer){0};
cleanup:
    text_buffer_clear(&plain);
    text_buffer_clear(&beneath);
    return st;
}

status published_read(const char *path, published_kind kind, published_table **out, error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length;
    status st = STATUS_OK;
    TRY(file_read(path, PUBLISHED_MOST_BYTES, &text, &length, err));
    TRY(published_parse(text, length, kind, out, err));
cleanup:
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

status published_read_in(const char *folder, const char *name, published_kind kind, published_table **out,
                         error_info *err) {
    AUTO_FREE char *path = NULL;
    status st = published_locate(folder, name, &path, err);
    if (path)
        st = published_read(path, kind, out, err);
    return st;
}

status published_read_rows(const char *folder, const char *name, csv_table **out, error_info *err) {
    AUTO_FREE char *path = NULL, *text = NULL;
    size_t length;
    CHECK(published_locate(folder, name, &path, err));
    CHECK(error_at(file_read(path, PUBLISHED_MOST_BYTES, &text, &length, err), err, path));
    return error_at(csv_table_parse(text, length, out, err), err, path);
}

/* A figure of one depth has its metric's name with the depth behind it: METRIC@DEPTH. */
static bool is_metric(const published_table *t, size_t row, const char *name) {
    const char *metric = field_of(t, row, COLUMN_METRIC), *depth = field_of(t, row, COLUMN_DEPTH);
    size_t n = strlen(metric);
    if (!*depth)
        return strcmp(metric, name) == 0;
    return strncmp(name, metric, n) == 0 && name[n] == '@' && strcmp(name + n + 1, depth) == 0;
}

static bool answers(const published_table *t, size_t row, const published_query *q) {
    return strcmp(field_of(t, row, COLUMN_NETWORK), q->network) == 0 &&
           strcmp(field_of(t, row, COLUMN_SAMPLE_SIZE), q->sample_size) == 0 &&
           strcmp(field_of(t, row, COLUMN_ALGORITHM), q->algorithm) == 0 && is_metric(t, row, q->metric) &&
           strcmp(field_of(t, row, COLUMN_NORMALISED_BY), q->normalised_by ? q->normalised_by : "") == 0;
}

size_t published_find(const published_table *t, const published_query *query, published_figure *out) {
    size_t n_found = 0;
    for (size_t i = 0; i < csv_table_row_count(t->rows); i++) {
        bool is_share = *t->shares[i] != '\0';
        const char *printed = field_of(t, i, COLUMN_PRINTED);
        const char *text = is_share ? t->shares[i] : field_of(t, i, COLUMN_VALUE);
        double value, as_printed;
        if (!answers(t, i, query) || !text_to_double(text, &value))
            continue;
        if (n_found++ > 0)
            continue;
        if (!text_to_double(printed, &as_printed) || as_printed != value)
            printed = text;
        *out = (published_figure){
            .value = value, .printed = printed, .aggregation = field_of(t, i, COLUMN_AGGREGATION), .row = i};
    }
    return n_found;
}

static bool is_numbered(const published_table *t, size_t row, column_role role, size_t number) {
    double value;
    return text_to_double(field_of(t, row, role), &value) && value == (double)number;
}

size_t published_probability_find(const published_table *t, const char *network, size_t state, size_t parent_state,
                                  published_figure *out) {
    size_t n_found = 0;
    for (size_t i = 0; i < csv_table_row_count(t->rows); i++) {
        double value;
        if (strcmp(field_of(t, i, COLUMN_NETWORK), network) != 0 || !is_numbered(t, i, COLUMN_STATE, state) ||
            !is_numbered(t, i, COLUMN_PARENT_STATE, parent_state) ||
            !text_to_double(field_of(t, i, COLUMN_VALUE), &value) || n_found++ > 0)
            continue;
        *out = (published_figure){.value = value, .printed = field_of(t, i, COLUMN_VALUE), .aggregation = "", .row = i};
    }
    return n_found;
}

size_t published_network_count(const published_table *t) {
    for (size_t i = 0; i < csv_table_row_count(t->rows); i++) {
        const char *over = strstr(field_of(t, i, COLUMN_AGGREGATION), "over ");
        char *noun = NULL;
        unsigned long n = over ? strtoul(over + strlen("over "), &noun, 10) : 0;
        if (n > 0 && (strncmp(noun, " networks", strlen(" networks")) == 0 ||
                      strncmp(noun, " real data sets", strlen(" real data sets")) == 0))
            return n;
    }
    return 0;
}

const char *published_baseline(const published_table *t, const char *metric) {
    for (size_t i = 0; i < csv_table_row_count(t->rows); i++) {
        if (strcmp(field_of(t, i, COLUMN_METRIC), metric) == 0)
            return field_of(t, i, COLUMN_NORMALISED_BY);
    }
    return NULL;
}

/* ---- outcomes of tests ---- */

static bool is_at(const published_table *t, size_t row, const verdict_place *at) {
    return (!at->network || strcmp(field_of(t, row, COLUMN_NETWORK), at->network) == 0) &&
           (!at->sample_size || strcmp(field_of(t, row, COLUMN_SAMPLE_SIZE), at->sample_size) == 0) &&
           (!at->metric || strcmp(field_of(t, row, COLUMN_METRIC), at->metric) == 0);
}

static bool is_pair(const published_table *t, size_t row, const char *first, const char *second) {
    return strcmp(field_of(t, row, COLUMN_ALGORITHM), first) == 0 &&
           strcmp(field_of(t, row, COLUMN_VERSUS), second) == 0;
}

static char read_verdict(const char *text) {
    if (strcmp(text, "n/a") == 0)
        return '?';
    if (text[0] && !text[1] && strchr("+-~", text[0]))
        return text[0];
    return '\0';
}

char published_verdict_find(const published_table *t, const verdict_place *at, const char *first, const char *second,
                            size_t *row) {
    size_t n = 0;
    char found = '\0';
    for (size_t i = 0; has_column(t, COLUMN_VERSUS) && i < csv_table_row_count(t->rows); i++) {
        bool is_straight = is_pair(t, i, first, second);
        if (!is_at(t, i, at) || (!is_straight && !is_pair(t, i, second, first)))
            continue;
        *row = i;
        found = read_verdict(field_of(t, i, COLUMN_VERDICT));
        if (!is_straight)
            found = wilcoxon_verdict_reversed(found);
        n++;
    }
    if (n != 1)
        return '\0';
    return found;
}

const char *rank_mark_name(rank_mark mark) {
    static const char *const names[] = {"", "best", "not worse", "worse"};
    return names[mark];
}

static rank_mark read_mark(const published_table *t, size_t row) {
    if (strcmp(field_of(t, row, COLUMN_IS_BEST), "yes") == 0)
        return MARK_BEST;
    if (strcmp(field_of(t, row, COLUMN_NOT_WORSE), "yes") == 0)
        return MARK_ALIKE;
    return strcmp(field_of(t, row, COLUMN_NOT_WORSE), "no") == 0 ? MARK_WORSE : MARK_NONE;
}

rank_mark published_mark_find(const published_table *t, const verdict_place *at, const char *algorithm,
                              double *mean_rank, size_t *row) {
    size_t n = 0;
    rank_mark found = MARK_NONE;
    *mean_rank = NAN;
    for (size_t i = 0; has_column(t, COLUMN_NOT_WORSE) && i < csv_table_row_count(t->rows); i++) {
        if (!is_at(t, i, at) || strcmp(field_of(t, i, COLUMN_ALGORITHM), algorithm) != 0)
            continue;
        *row = i;
        if (!text_to_double(field_of(t, i, COLUMN_VALUE), mean_rank))
            *mean_rank = NAN;
        found = read_mark(t, i);
        n++;
    }
    if (n != 1)
        *mean_rank = NAN;
    return n == 1 ? found : MARK_NONE;
}
