/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What progress shows, on a terminal of a few rows that counts the lines it scrolls. */
#include "tests/support/run_support.h"

#include "runner/progress_internal.h"

#include <unistd.h>

enum { ROWS = 6, COLUMNS = 60 };

typedef struct {
    char rows[ROWS][COLUMNS + 1];
    size_t row, column, n_scrolled;
} terminal;

static terminal new_terminal(size_t row) {
    terminal t = {.row = row};
    for (size_t i = 0; i < ROWS; i++) {
        memset(t.rows[i], ' ', COLUMNS);
        t.rows[i][COLUMNS] = '\0';
    }
    return t;
}

static void feed_line(terminal *t) {
    t->column = 0;
    if (++t->row < ROWS)
        return;
    memmove(t->rows[0], t->rows[1], sizeof t->rows - sizeof t->rows[0]);
    memset(t->rows[ROWS - 1], ' ', COLUMNS);
    t->row = ROWS - 1;
    t->n_scrolled++;
}

/* Up, down, and the end of the line away: what progress is allowed to use. */
static const char *obey(terminal *t, const char *at) {
    char *end = NULL;
    size_t n = strtoul(at, &end, 10);
    n = end == at ? 1 : n;
    if (*end == 'A')
        t->row = n > t->row ? 0 : t->row - n;
    else if (*end == 'B')
        t->row = t->row + n >= ROWS ? ROWS - 1 : t->row + n;
    else if (*end == 'K' && end == at)
        memset(t->rows[t->row] + t->column, ' ', COLUMNS - t->column);
    else
        fail_msg("an unknown sequence ends in '%c'", *end);
    return end + 1;
}

static void feed(terminal *t, const char *text) {
    while (text && *text) {
        if (text[0] == '\033' && text[1] == '[') {
            text = obey(t, text + 2);
            continue;
        }
        if (*text == '\n')
            feed_line(t);
        else if (*text == '\r')
            t->column = 0;
        else if (t->column < COLUMNS)
            t->rows[t->row][t->column++] = *text;
        else
            fail_msg("a line is wider than the terminal");
        text++;
    }
}

static void assert_row(const terminal *t, size_t row, const char *text) {
    char padded[COLUMNS + 1];
    (void)snprintf(padded, sizeof padded, "%-*s", COLUMNS, text);
    assert_string_equal(t->rows[row], padded);
}

static void show(repaint *r, terminal *t, const char *const *lines, size_t n) {
    text_buffer out = {0};
    repaint_show(r, lines, n, &out);
    assert_false(out.failed);
    feed(t, out.data);
    text_buffer_clear(&out);
}

/* At the lower end of a terminal only a block that grows scrolls it. */
static void lines_change_in_place(void **state) {
    terminal t = new_terminal(ROWS - 1);
    repaint r = {0};
    text_buffer out = {0};
    (void)state;
    feed(&t, "before\n");
    t.n_scrolled = 0;
    show(&r, &t, (const char *const[]){"one", "two", "three"}, 3);
    assert_int_equal(t.n_scrolled, 2);
    for (int i = 0; i < 50; i++)
        show(&r, &t, (const char *const[]){"one", i % 2 ? "more" : "two", "three"}, 3);
    assert_int_equal(t.n_scrolled, 2);
    assert_row(&t, ROWS - 4, "before");
    assert_row(&t, ROWS - 3, "one");
    assert_row(&t, ROWS - 2, "more");
    assert_row(&t, ROWS - 1, "three");
    show(&r, &t, (const char *const[]){"1"}, 1);
    assert_row(&t, ROWS - 3, "1");
    assert_row(&t, ROWS - 2, "");
    assert_row(&t, ROWS - 1, "");
    show(&r, &t, (const char *const[]){"1", "2", "3"}, 3);
    assert_row(&t, ROWS - 1, "3");
    assert_int_equal(t.n_scrolled, 2);
    repaint_remove(&r, &out);
    feed(&t, out.data);
    text_buffer_clear(&out);
    assert_row(&t, ROWS - 4, "before");
    for (size_t row = ROWS - 3; row < ROWS; row++)
        assert_row(&t, row, "");
    assert_int_equal(t.row, ROWS - 3);
    assert_int_equal(t.column, 0);
    assert_int_equal(t.n_scrolled, 2);
}

static void what_stays_is_not_written_again(void **state) {
    repaint r = {0};
    text_buffer out = {0};
    (void)state;
    repaint_show(&r, (const char *const[]){"one", "two"}, 2, &out);
    text_buffer_clear(&out);
    repaint_show(&r, (const char *const[]){"one", "two"}, 2, &out);
    assert_int_equal(out.length, 0);
    repaint_show(&r, (const char *const[]){"one", "2"}, 2, &out);
    assert_null(strstr(out.data, "one"));
    assert_null(strchr(out.data, '\n'));
    text_buffer_clear(&out);
    repaint_remove(&r, &out);
    text_buffer_clear(&out);
}

/* What progress writes to standard error, as a text. */
static char *capture(progress *p, const run_counts *counts) {
    char path[] = "/tmp/bnb-progress-XXXXXX";
    int file = mkstemp(path), before = dup(STDERR_FILENO);
    char *text = NULL;
    size_t length = 0;
    error_info err = {0};
    assert_true(file >= 0 && before >= 0);
    (void)fflush(stderr);
    (void)dup2(file, STDERR_FILENO);
    p->shown_s = 0;
    progress_show(p, counts);
    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
    (void)close(file);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    (void)unlink(path);
    return text;
}

static void a_hundred_percent_is_all(void **state) {
    static const struct {
        size_t done, total;
        const char *words;
    } cases[] = {
        {448, 450, "448 of 450 cells (99%)"}, {450, 450, "450 of 450 cells (100%)"}, {0, 450, "0 of 450 cells (0%)"}};
    experiment e = declare("name: a\nnetworks: [asia]\ndata: {samples: 50}\nlearners: [hc]\n");
    run_options options = {.n_jobs = 1, .show_progress = true};
    progress p = {0};
    plan *cells = NULL;
    pace *times = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(plan_create(&e, &cells, &err), &err);
    assert_ok(pace_of_plan(cells, &times, &err), &err);
    assert_ok(progress_begin(&p, &e, cells, &options, options.n_jobs, times, &err), &err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_counts counts = {.total = cases[i].total, .done = cases[i].done};
        char *text = capture(&p, &counts);
        if (!strstr(text, cases[i].words))
            fail_msg("'%s' is not in '%s'", cases[i].words, text);
        free(text);
    }
    progress_clear(&p);
    plan_destroy(cells);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_change_in_place),
        cmocka_unit_test(what_stays_is_not_written_again),
        cmocka_unit_test(a_hundred_percent_is_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
