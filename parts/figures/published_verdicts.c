/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/published_verdicts.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "metrics/statistics/wilcoxon.h"
#include "parts/figures/published.h"
#include "store/csv_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t most_bytes = (size_t)64 << 20;

typedef enum {
    COLUMN_NETWORK,
    COLUMN_SAMPLE_SIZE,
    COLUMN_ALGORITHM, /* the three that every file has */
    COLUMN_METRIC,
    COLUMN_VERSUS,
    COLUMN_VERDICT,
    COLUMN_VALUE,
    COLUMN_NOT_WORSE,
    COLUMN_IS_BEST,
    N_COLUMNS
} column_role;

static const char *const column_names[N_COLUMNS] = {
    "network", "sample_size", "algorithm",           "metric",           "versus",
    "verdict", "value",       "not_worse_than_best", "is_best_in_column"};

struct published_verdicts {
    csv_table *rows;
    size_t columns[N_COLUMNS];
};

void published_verdicts_destroy(published_verdicts *t) {
    if (!t)
        return;
    csv_table_destroy(t->rows);
    free(t);
}

static bool has_column(const published_verdicts *t, column_role role) {
    return t->columns[role] != CSV_NO_COLUMN;
}

static status find_columns(published_verdicts *t, error_info *err) {
    for (size_t i = 0; i < N_COLUMNS; i++) {
        t->columns[i] = csv_table_column(t->rows, column_names[i]);
        if (t->columns[i] == CSV_NO_COLUMN && i <= COLUMN_ALGORITHM)
            return error_set(err, STATUS_PARSE, "line 1: there is no column '%s'", column_names[i]);
    }
    if (!(has_column(t, COLUMN_VERSUS) && has_column(t, COLUMN_VERDICT)) &&
        !(has_column(t, COLUMN_VALUE) && has_column(t, COLUMN_NOT_WORSE)))
        return error_set(err, STATUS_PARSE,
                         "line 1: neither the columns 'versus' and 'verdict' nor 'value' and 'not_worse_than_best'");
    return STATUS_OK;
}

status published_verdicts_parse(const char *text, size_t length, published_verdicts **out, error_info *err) {
    AUTO_PTR(published_verdicts_destroy) published_verdicts *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    CHECK(csv_table_parse(text, length, &t->rows, err));
    CHECK(find_columns(t, err));
    *out = t;
    t = NULL;
    return STATUS_OK;
}

status published_verdicts_read(const char *path, published_verdicts **out, error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length;
    status st = STATUS_OK;
    TRY(file_read(path, most_bytes, &text, &length, err));
    TRY(published_verdicts_parse(text, length, out, err));
cleanup:
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

status published_verdicts_read_in(const char *folder, const char *name, published_verdicts **out, error_info *err) {
    AUTO_FREE char *path = NULL;
    status st = published_locate(folder, name, &path, err);
    if (path)
        st = published_verdicts_read(path, out, err);
    return st;
}

static const char *field_of(const published_verdicts *t, size_t row, column_role role) {
    return csv_table_field(t->rows, row, t->columns[role]);
}

static bool is_at(const published_verdicts *t, size_t row, const verdict_place *at) {
    return (!at->network || strcmp(field_of(t, row, COLUMN_NETWORK), at->network) == 0) &&
           (!at->sample_size || strcmp(field_of(t, row, COLUMN_SAMPLE_SIZE), at->sample_size) == 0) &&
           (!at->metric || strcmp(field_of(t, row, COLUMN_METRIC), at->metric) == 0);
}

static bool is_pair(const published_verdicts *t, size_t row, const char *first, const char *second) {
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

char published_verdict_find(const published_verdicts *t, const verdict_place *at, const char *first,
                            const char *second) {
    size_t n = 0;
    char found = '\0';
    for (size_t i = 0; has_column(t, COLUMN_VERSUS) && i < csv_table_row_count(t->rows); i++) {
        bool is_straight = is_pair(t, i, first, second);
        if (!is_at(t, i, at) || (!is_straight && !is_pair(t, i, second, first)))
            continue;
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

static rank_mark read_mark(const published_verdicts *t, size_t row) {
    if (strcmp(field_of(t, row, COLUMN_IS_BEST), "yes") == 0)
        return MARK_BEST;
    if (strcmp(field_of(t, row, COLUMN_NOT_WORSE), "yes") == 0)
        return MARK_ALIKE;
    return strcmp(field_of(t, row, COLUMN_NOT_WORSE), "no") == 0 ? MARK_WORSE : MARK_NONE;
}

rank_mark published_mark_find(const published_verdicts *t, const verdict_place *at, const char *algorithm,
                              double *mean_rank) {
    size_t n = 0;
    rank_mark found = MARK_NONE;
    *mean_rank = NAN;
    for (size_t i = 0; has_column(t, COLUMN_NOT_WORSE) && i < csv_table_row_count(t->rows); i++) {
        if (!is_at(t, i, at) || strcmp(field_of(t, i, COLUMN_ALGORITHM), algorithm) != 0)
            continue;
        if (!text_to_double(field_of(t, i, COLUMN_VALUE), mean_rank))
            *mean_rank = NAN;
        found = read_mark(t, i);
        n++;
    }
    if (n != 1)
        *mean_rank = NAN;
    return n == 1 ? found : MARK_NONE;
}
