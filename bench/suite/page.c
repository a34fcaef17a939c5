/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/page.h"

#include "bench/suite/page_internal.h"
#include "bench/suite/plots.h"
#include "core/base/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the machine ---- */

static double median_others(const json_t *measured) {
    double values[512];
    size_t n = 0, i;
    json_t *row;
    json_array_foreach(json_object_get(measured, "rows"), i, row) {
        double v = row_median(row, "others");
        if (isfinite(v) && n < sizeof values / sizeof *values)
            values[n++] = v;
    }
    return spread_of(values, n).median;
}

static void append_machine(const json_t *measured, text_buffer *out) {
    const json_t *machine = json_object_get(measured, "machine"), *build = json_object_get(measured, "build");
    const json_t *load = json_object_get(measured, "load");
    text_append_format(out,
                       "| | |\n| --- | --- |\n| date | %s (profile `%s`) |\n| processor | %s; %.0f of them |\n"
                       "| caches | %s |\n| kernels | %s |\n| memory | %.1f GiB |\n| system | %s |\n",
                       row_text(measured, "date"), row_text(measured, "profile"), row_text(machine, "processor"),
                       row_number(machine, "processors"), row_text(machine, "caches"), row_text(machine, "simd"),
                       row_number(machine, "memory_bytes") / (1 << 30), row_text(machine, "system"));
    text_append_format(out, "| program | bnbench %s, commit %s, %s, %s |\n", row_text(build, "version"),
                       row_text(build, "commit"), row_text(build, "compiler"), row_text(build, "kind"));
    text_append_format(
        out,
        "| other work | load %.1f at the start; other programs, and other machines of the host, had %.2f "
        "processors meanwhile (median over the rows) |\n",
        row_number(load, "at_start"), median_others(measured));
    text_append_format(out,
                       "| fixed work | %.3g ms (core/run/calibration.h: to hold machines against each other) |\n\n",
                       1e3 * row_number(load, "fixed_work_s"));
    if (median_others(measured) > 0.1)
        text_append(out, "**The machine was busy**: elapsed times say little, CPU times are some tenths too long.\n\n");
}

/* ---- growth ---- */

static void append_growth_row(const series *s, size_t n, double x, text_buffer *out) {
    text_append(out, "| ");
    append_count(out, x);
    for (size_t i = 0; i < n; i++) {
        text_append(out, " | ");
        append_number(out, series_at(&s[i], x));
    }
    text_append(out, " |\n");
}

static void append_exponents(const series *s, size_t n, text_buffer *out) {
    text_append(out, "| exponent");
    for (size_t i = 0; i < n; i++) {
        text_append_format(out, isfinite(s[i].growth.exponent) ? " | %.2f" : " | -", s[i].growth.exponent);
        if (isfinite(s[i].growth.error))
            text_append_format(out, " ± %.2f", s[i].growth.error);
    }
    text_append(out, " |\n");
}

static void append_series(const series *s, size_t n, const char *x, bool is_time, text_buffer *out) {
    double places[MOST_POINTS];
    size_t n_places = series_places(s, n, places);
    text_append_format(out, "| %s", x);
    for (size_t i = 0; i < n; i++)
        text_append_format(out, " | %s", s[i].learner);
    text_append(out, " |\n| ---");
    for (size_t i = 0; i < n; i++)
        text_append(out, " | ---");
    text_append(out, " |\n");
    for (size_t i = 0; i < n_places; i++)
        append_growth_row(s, n, places[i], out);
    if (is_time)
        append_exponents(s, n, out);
    text_append(out, "\n");
}

/* Its tables and its plot, of which the name goes on as the words say; a missing gnuplot leaves the plot that there
 * is. */
static status append_growth(const page *p, const char *group, const char *x, const char *quantity, plot_words words,
                            text_buffer *out, error_info *err) {
    AUTO_FREE char *folder = path_join(p->folder, "img");
    AUTO(text_buffer_clear) text_buffer name = {0};
    AUTO_FREE series *s = calloc(MOST_SERIES, sizeof *s);
    size_t n;
    status st;
    CHECK_ALLOC(folder);
    CHECK_ALLOC(s);
    text_append_format(&name, "%s-%s", p->name, words.file_name);
    CHECK(text_buffer_check(&name, err));
    words.file_name = name.data;
    n = series_of(p->measured, group, x, quantity, s);
    if (n == 0)
        return STATUS_OK;
    CHECK(folder_create(folder, err));
    st = plot_series(s, n, &words, folder, err);
    if (st == STATUS_MISSING)
        (void)fprintf(stderr, "no plot %s: %s\n", words.file_name, err->message);
    else
        CHECK(st);
    text_append_format(out, "![%s, both axes logarithmic](img/%s.svg)\n\n", words.title, words.file_name);
    append_series(s, n, x, strcmp(quantity, "cpu_s") == 0, out);
    return STATUS_OK;
}

/* "copies of alarm, 1,000 rows", of the first row of the group. */
static void append_held(const page *p, const char *group, const char *held, text_buffer *out) {
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(p->measured, "rows"), i, row) {
        const char *data = row_text(row, "data");
        if (!row_is(row, "group", group))
            continue;
        text_append_format(out, "%s%.*s, ", strcmp(held, "rows") == 0 ? "copies of " : "", (int)strcspn(data, "*:"),
                           data);
        append_count(out, row_number(row, held));
        text_append_format(out, " %s", held);
        return;
    }
}

/* The row of "large" that is the same search of more variables, ended as this one did; NULL: there is none. */
static const json_t *find_larger(const page *p, const json_t *row) {
    static const char *const keys[] = {"learner", "options", "state", NULL};
    size_t i;
    json_t *other;
    json_array_foreach(json_object_get(p->measured, "rows"), i, other) {
        if (row_is(other, "group", "large") && rows_agree(other, row, keys) &&
            row_number(other, "rows") == row_number(row, "rows") &&
            row_number(other, "threads") == row_number(row, "threads") &&
            row_number(other, "variables") > row_number(row, "variables"))
            return other;
    }
    return NULL;
}

/* The exponents between rows far apart, which the series above do not reach. */
static void append_far_growth(const page *p, text_buffer *out) {
    double before = 0, after = 0;
    size_t i, n = 0;
    json_t *row;
    json_array_foreach(json_object_get(p->measured, "rows"), i, row) {
        bool is_asked = row_is(row, "group", "asked") && row_is(row, "state", "ended");
        const json_t *larger = is_asked ? find_larger(p, row) : NULL;
        if (!larger)
            continue;
        if (n++ == 0)
            text_append(out, "These are of few variables. By the tables of what was asked and of a hundred thousand "
                             "variables, CPU of all threads, the exponent");
        if (row_number(row, "variables") != before || row_number(larger, "variables") != after) {
            before = row_number(row, "variables");
            after = row_number(larger, "variables");
            text_append(out, n > 1 ? ", and from " : " from ");
            append_count(out, before);
            text_append(out, " to ");
            append_count(out, after);
            text_append(out, " is");
        } else {
            text_append(out, ",");
        }
        text_append_format(out, " %.2f for `%s`",
                           log(row_median(larger, "cpu_s") / row_median(row, "cpu_s")) / log(after / before),
                           row_text(row, "learner"));
    }
    if (n > 0)
        text_append(out, ".\n\n");
}

static status append_all_growth(const page *p, text_buffer *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer by_variables = {0}, by_rows = {0};
    append_held(p, "variables", "rows", &by_variables);
    append_held(p, "rows", "variables", &by_rows);
    if (!by_variables.data || !by_rows.data)
        return STATUS_OK;
    text_append_format(
        out,
        "## How time grows\n\n"
        "CPU seconds of learning alone, one thread, medians. The exponent is the slope of a line through the "
        "logarithms\n(least squares, with its standard error) of what took 2 ms or more.\n\n"
        "With the variables (%s):\n\n",
        by_variables.data);
    CHECK(append_growth(
        p, "variables", "variables", "cpu_s",
        (plot_words){"variables", "Time by the number of variables", by_variables.data, "variables", "CPU seconds"},
        out, err));
    append_far_growth(p, out);
    text_append(out, "Memory of the whole process, in MiB:\n\n");
    CHECK(append_growth(
        p, "variables", "variables", "memory_bytes",
        (plot_words){"memory", "Memory by the number of variables", by_variables.data, "variables", "MiB"}, out, err));
    text_append_format(out, "With the rows (%s):\n\n", by_rows.data);
    return append_growth(p, "rows", "rows", "cpu_s",
                         (plot_words){"rows", "Time by the number of rows", by_rows.data, "rows", "CPU seconds"}, out,
                         err);
}

/* ---- the whole ---- */

/* Pages of other machines, which lie beside this one. */
static status append_others(const page *p, text_buffer *out, error_info *err) {
    AUTO(folder_list_clear) folder_list pages = {0};
    const char *before = "Other machines: ";
    CHECK(folder_list_read(p->folder, ".md", &pages, err));
    for (size_t i = 0; i < pages.n; i++) {
        const char *name = pages.names[i];
        size_t length = strlen(name) - strlen(".md");
        bool is_own = length == strlen(p->name) && strncmp(name, p->name, length) == 0;
        if (is_own || strncmp(name, PAGE_NAME, strlen(PAGE_NAME)) != 0)
            continue;
        text_append_format(out, "%s[%.*s](%s)", before, (int)length, name, name);
        before = ", ";
    }
    text_append(out, strcmp(before, ", ") == 0 ? ".\n\n" : "");
    return STATUS_OK;
}

static status make(const page *p, text_buffer *out, error_info *err) {
    text_append(out,
                "<!-- Made by `bench page` of what `bench measure` found: bench/README.md. Changes belong there. -->\n"
                "# Speed\n\n"
                "This page is made of measurements: `build/release/bench/bench measure -o FILE`, then\n"
                "`build/release/bench/bench page FILE`. Times of learning leave out reading the data.\n\n");
    CHECK(append_others(p, out, err));
    append_machine(p->measured, out);
    page_append_asked(p, out);
    CHECK(append_all_growth(p, out, err));
    page_append_threads(p, out);
    page_append_beside(p, out);
    page_append_reading(p, out);
    page_append_kernels(p, out);
    page_append_runner(p, out);
    page_append_large(p, out);
    page_append_sets(p, out);
    return text_buffer_check(out, err);
}

status page_write(const json_t *measured, const sheet *bounds, const sheet *peers, const char *folder, const char *name,
                  error_info *err) {
    AUTO(text_buffer_clear) text_buffer out = {0};
    AUTO_FREE char *path = path_join_ending(folder, name, ".md");
    page p = {measured, bounds, peers, folder, name};
    CHECK_ALLOC(path);
    if (!(row_number(measured, "format") == 1) || !json_is_array(json_object_get(measured, "rows")))
        return error_set(err, STATUS_PARSE, "this is nothing that 'bench measure' of this version wrote");
    CHECK(folder_create(folder, err));
    CHECK(make(&p, &out, err));
    return file_write(path, out.data, out.length, err);
}
