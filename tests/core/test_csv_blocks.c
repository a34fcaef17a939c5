/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV by several threads and in blocks of any size, of a text or of a file piece by piece: the same data, the same
 * messages. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/data/dataset_csv.h"
#include "core/data/dataset_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 5, MOST_ROWS = 60 };

/* A column of each kind that is read in a way of its own: few short states, states that begin alike, many states,
 * numbers, and states that need quotes. */
static const char *const states[COLUMNS][12] = {
    {"yes", "no", ""},
    {"a long name", "a long name too", "a long nape", "short", "a long x with the same end",
     "a long y with the same end"},
    {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11"},
    {NULL},
    {"x,y", "say \"x\"", "two\nlines", "plain", "\r"},
};
static const size_t state_counts[COLUMNS] = {3, 6, 12, 0, 5};

typedef struct {
    size_t n_rows, states[MOST_ROWS][COLUMNS];
    double reals[MOST_ROWS];
} table;

static void make_variables(variable v[COLUMNS]) {
    error_info err = {0};
    memset(v, 0, COLUMNS * sizeof *v);
    for (size_t c = 0; c < COLUMNS; c++) {
        char name[] = {(char)('a' + c), '\0'};
        if (state_counts[c])
            assert_ok(variable_init_discrete(&v[c], name, states[c], state_counts[c], &err), &err);
        else
            assert_ok(variable_init_continuous(&v[c], name, &err), &err);
    }
}

static void clear_variables(variable v[COLUMNS]) {
    for (size_t c = 0; c < COLUMNS; c++)
        variable_clear(&v[c]);
}

/* Without quotes a row is plain, and the last column, which needs them, says "plain". */
static void draw_table(random_stream *random, bool has_quotes, table *t) {
    t->n_rows = 1 + (size_t)random_below(random, MOST_ROWS);
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t c = 0; c < COLUMNS; c++)
            t->states[row][c] = state_counts[c] ? (size_t)random_below(random, state_counts[c]) : 0;
        if (!has_quotes)
            t->states[row][COLUMNS - 1] = 3;
        t->reals[row] = (double)random_below(random, 1000) / 8 - 50;
    }
}

static void write_table(random_stream *random, bool has_quotes, const table *t, text_buffer *out) {
    const char *line_end = random_below(random, 2) ? "\r\n" : "\n";
    text_append(out, random_below(random, 2) ? "\xEF\xBB\xBF" : "");
    text_append_format(out, "a,b,c,d,e%s", line_end);
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            const char *state = states[c][t->states[row][c]];
            text_append(out, c ? "," : "");
            if (!state_counts[c])
                text_append_format(out, "%.17g", t->reals[row]);
            else if (has_quotes && (c == COLUMNS - 1 || random_below(random, 8) == 0))
                text_append_csv_quoted(out, state);
            else
                text_append(out, state);
        }
        text_append(out, row + 1 < t->n_rows || random_below(random, 2) ? line_end : "");
    }
}

static void assert_holds(const dataset *data, const table *t) {
    assert_int_equal(dataset_row_count(data), t->n_rows);
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            if (state_counts[c])
                assert_int_equal(dataset_state(data, row, c), t->states[row][c]);
            else
                assert_close(dataset_reals(data, c)[row], t->reals[row], 0);
        }
    }
}

static const data_reading ways[] = {{.n_threads = 1, .block_bytes = 1},
                                    {.n_threads = 2, .block_bytes = 1},
                                    {.n_threads = 3, .block_bytes = 7},
                                    {.n_threads = 2, .block_bytes = 64},
                                    {.n_threads = 4, .block_bytes = 300}};
enum { N_WAYS = sizeof ways / sizeof *ways };

/* ---- */

static const char *write_scratch(const text_buffer *text) {
    static char path[300];
    error_info err = {0};
    if (!*path)
        (void)snprintf(path, sizeof path, "%s/text.csv", scratch_folder());
    assert_ok(file_write_in_passing(path, text->data, text->length, &err), &err);
    return path;
}

/* Nobody reads the whole of plain text. */
static void assert_is_read_by_pieces(const text_buffer *text, const data_reading *how, const table *t) {
    const char *path = write_scratch(text);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    dataset *data = NULL;
    error_info err = {0};
    assert_true(fd >= 0);
    assert_ok(dataset_parse_csv_file(path, fd, text->length, how, &data, NULL, &err), &err);
    (void)close(fd);
    assert_holds(data, t);
    dataset_destroy(data);
}

static void random_tables_are_read_as_they_were_written(void **state) {
    random_stream random;
    variable v[COLUMNS];
    (void)state;
    make_variables(v);
    random_stream_init(&random, random_key_of(15));
    for (size_t i = 0; i < rounds_here(400); i++) {
        bool has_quotes = i % 2;
        table t;
        text_buffer text = {0};
        draw_table(&random, has_quotes, &t);
        write_table(&random, has_quotes, &t, &text);
        for (size_t w = 0; w < N_WAYS; w++) {
            data_reading how = ways[w];
            dataset *data = NULL;
            error_info err = {0};
            how.given = v;
            how.n_given = COLUMNS;
            if (dataset_parse_csv(text.data, text.length, &how, &data, NULL, &err) != STATUS_OK)
                fail_msg("case %zu, way %zu: %s in\n%s", i, w, err.message, text.data);
            assert_holds(data, &t);
            dataset_destroy(data);
            if (!has_quotes && i % 4 == 0)
                assert_is_read_by_pieces(&text, &how, &t);
        }
        text_buffer_clear(&text);
    }
    clear_variables(v);
}

/* The outcome in a text: the message, or the fingerprint, which also has names, types and states. */
static void outcome_of(const text_buffer *text, const data_reading *how, char out[sizeof(error_info)]) {
    dataset *data = NULL;
    error_info err = {0};
    if (dataset_parse_csv(text->data, text->length, how, &data, NULL, &err) == STATUS_OK)
        assert_ok(dataset_fingerprint(data, err.message, &err), &err);
    (void)snprintf(out, sizeof(error_info), "%s", err.message);
    dataset_destroy(data);
}

/* The same of a file, whose name stands before the message. */
static void outcome_of_file(const text_buffer *text, const data_reading *how, char out[sizeof(error_info)]) {
    const char *path = write_scratch(text);
    dataset *data = NULL;
    error_info err = {0};
    size_t behind_name = 0;
    if (dataset_read(path, how, &data, NULL, &err) == STATUS_OK)
        assert_ok(dataset_fingerprint(data, err.message, &err), &err);
    else
        behind_name = strlen(path) + strlen(": ");
    (void)snprintf(out, sizeof(error_info), "%s", err.message + behind_name);
    dataset_destroy(data);
}

static void assert_same(const char *one, const char *other, size_t way, const text_buffer *text) {
    if (strcmp(one, other) != 0)
        fail_msg("way %zu: '%s', not '%s' of\n%s", way, other, one, text->data);
}

static void assert_same_in_all_ways(const text_buffer *text) {
    static size_t n_calls;
    char one[sizeof(error_info)], other[sizeof(error_info)];
    outcome_of(text, NULL, one);
    for (size_t w = 0; w < N_WAYS; w++) {
        outcome_of(text, &ways[w], other);
        assert_same(one, other, w, text);
    }
    outcome_of_file(text, &ways[n_calls++ % N_WAYS], other);
    assert_same(one, other, N_WAYS, text);
}

static void garbage_has_one_outcome(void **state) {
    static const char *const words[] = {",", ",", ",", "\n", "\n", "\"", "\r\n", "NA", "1", "2.5", "x", "nan", "inf"};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(16));
    for (size_t i = 0; i < rounds_here(3000); i++) {
        text_buffer text = {0};
        text_append(&text, i % 2 ? "a,b\n" : "a\n");
        for (size_t n = (size_t)random_below(&random, 40); n > 0; n--)
            text_append(&text, words[random_below(&random, sizeof words / sizeof *words - (i % 3 ? 3 : 0))]);
        assert_same_in_all_ways(&text);
        text_buffer_clear(&text);
    }
}

/* Sound tables with one cell changed, or taken away. */
static void the_first_mistake_is_told_with_its_line(void **state) {
    static const char *const mistakes[] = {"NA", "", "\"x", "\"x\"y", "1,2"};
    static const char *const messages[] = {"a missing value", "a missing value", "expected a closing quote",
                                           "expected ',' or the end of the line", "found more"};
    enum { ROWS = 200 };
    (void)state;
    for (size_t m = 0; m < 5; m++) {
        for (size_t bad = 0; bad < ROWS; bad += 39) {
            text_buffer text = {0};
            char expected[64], found[sizeof(error_info)];
            text_append(&text, "a,b,c\n");
            for (size_t row = 0; row < ROWS; row++)
                text_append_format(&text, "%zu,v%zu,%s\n", row % 3, row % 5,
                                   row == bad        ? mistakes[m]
                                   : row == ROWS - 1 ? "NA"
                                                     : "w");
            (void)snprintf(expected, sizeof expected, "line %zu, column 3: ", bad + 2);
            for (size_t w = 0; w < N_WAYS; w++) {
                outcome_of(&text, &ways[w], found);
                if (strncmp(found, expected, strlen(expected)) != 0 || !strstr(found, messages[m]))
                    fail_msg("'%s' in row %zu: '%s'", mistakes[m], bad, found);
            }
            text_buffer_clear(&text);
        }
    }
}

/* What no block sees alone: 65 whole numbers, a fraction here and a word there, one value too many. */
static void columns_are_judged_by_all_blocks_together(void **state) {
    static const char *const forms[] = {"%zu\n", "%zu.5\n", "w%zu\n"};
    (void)state;
    for (size_t f = 0; f < 3; f++) {
        for (size_t n = 63; n <= 66; n++) {
            text_buffer text = {0};
            text_append(&text, "x\n");
            for (size_t i = 0; i < 2 * n; i++)
                text_append_format(&text, forms[f], i % n);
            assert_same_in_all_ways(&text);
            text_append(&text, "word\n");
            assert_same_in_all_ways(&text);
            text_append(&text, "nan\n");
            assert_same_in_all_ways(&text);
            text_buffer_clear(&text);
        }
    }
}

static void one_value_too_many_is_told_at_its_line(void **state) {
    text_buffer text = {0};
    char found[sizeof(error_info)];
    (void)state;
    text_append(&text, "x\n");
    for (int i = 0; i <= 65536; i++)
        text_append_format(&text, "w%d\n", i);
    outcome_of(&text, &(data_reading){.n_threads = 2, .block_bytes = 5000}, found);
    assert_non_null(strstr(found, "line 65538, column 1: 'x' has more than 65536 different values"));
    text_buffer_clear(&text);
}

static status read_file_of(const char *path, size_t length, error_info *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    dataset *data = NULL;
    status st = dataset_parse_csv_file(path, fd, length, &(data_reading){.block_bytes = 64}, &data, NULL, err);
    (void)close(fd);
    dataset_destroy(data);
    return st;
}

/* The reader takes the length from the file when it opens it. */
static void a_file_that_is_cut_short_meanwhile_is_told(void **state) {
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    text_append(&text, "x,y\n");
    for (size_t i = 0; i < 1000; i++)
        text_append_format(&text, "%zu,%zu\n", i % 3, i % 5);
    assert_int_equal(read_file_of(write_scratch(&text), text.length, &err), STATUS_OK);
    assert_int_equal(read_file_of(write_scratch(&text), text.length + 5000, &err), STATUS_IO);
    assert_non_null(strstr(err.message, "it was cut short while it was read"));
    text_buffer_clear(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_are_read_as_they_were_written),
        cmocka_unit_test(garbage_has_one_outcome),
        cmocka_unit_test(the_first_mistake_is_told_with_its_line),
        cmocka_unit_test(columns_are_judged_by_all_blocks_together),
        cmocka_unit_test(one_value_too_many_is_told_at_its_line),
        cmocka_unit_test(a_file_that_is_cut_short_meanwhile_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
