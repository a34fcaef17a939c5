/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that measures speed: the form of what it finds, its plan, its page. No test asserts a time. */
#include "bench/suite/placement.h"
#include "bench/suite/fit.h"
#include "bench/suite/learners.h"
#include "bench/suite/page.h"
#include "bench/suite/recipe.h"
#include "core/base/file.h"
#include "learners/registry.h"
#include "tests/support/cli_support.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static const char *source_file(const char *name, char buffer[4096]) {
    const char *source = getenv("BNB_SOURCE");
    (void)snprintf(buffer, 4096, "%s/%s", source ? source : ".", name);
    return buffer;
}

/* ---- the line through logarithms ---- */

/* The first of Anscombe's four, The American Statistician 27 (1973): slope 0.500, its standard error 0.118. */
static void the_exponent_and_its_error_are_those_of_anscombe(void **state) {
    static const double u[] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    static const double v[] = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    double x[11], y[11];
    fit f;
    (void)state;
    for (size_t i = 0; i < 11; i++) {
        x[i] = exp(u[i]);
        y[i] = exp(v[i]);
    }
    f = fit_power(x, y, 11);
    assert_int_equal(f.n, 11);
    assert_true(fabs(f.exponent - 0.500) < 0.0005);
    assert_true(fabs(f.error - 0.118) < 0.0005);
}

static void a_line_through_too_few_points_has_no_error(void **state) {
    const double x[] = {1, 10, 0}, y[] = {1, 100, 5};
    (void)state;
    assert_true(fabs(fit_power(x, y, 3).exponent - 2) < 1e-12); /* the third is no point of a logarithmic plot */
    assert_true(isnan(fit_power(x, y, 2).error));
    assert_true(isnan(fit_power(x, y, 1).exponent));
    assert_true(isnan(fit_power((const double[]){3, 3}, y, 2).exponent));
}

static void the_spread_is_median_least_and_greatest(void **state) {
    double values[] = {5, 1, 4, 2};
    spread s = spread_of(values, 4);
    (void)state;
    assert_true(s.median == 3 && s.low == 1 && s.high == 5);
    assert_true(isnan(spread_of(values, 0).median));
}

/* ---- the files ---- */

static void a_recipe_says_network_copies_rows_and_kind(void **state) {
    static const char *const wrong[] = {"alarm",    "alarm:",      "alarm:0", "alarm*0:5",
                                        "alarm*:5", "alarm:5:zip", "alarm:x"};
    recipe r;
    error_info err = {0};
    (void)state;
    assert_int_equal(recipe_read("alarm*270:1000:seen", &r, &err), STATUS_OK);
    assert_string_equal(r.network, "alarm");
    assert_true(r.copies == 270 && r.rows == 1000);
    assert_string_equal(r.kind, "seen");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(recipe_read(wrong[i], &r, &err), STATUS_INVALID);
}

/* Somebody has put a data set of the catalogue where BNBENCH_DATASETS says. */
static void a_recipe_takes_the_data_set_that_is_there(void **state) {
    AUTO_FREE char *path = NULL, *text = NULL;
    size_t length;
    error_info err = {0};
    (void)state;
    assert_false(recipe_has_network("tchourine-yeast:6:set"));
    assert_true(recipe_has_network("alarm:6:bnd"));
    (void)setenv("BNBENCH_CACHE", cli_folder, 1);
    (void)setenv("BNBENCH_DATASETS", cli_folder, 1);
    assert_int_equal(recipe_file("tchourine-yeast:6:set", getenv("BNB_PROGRAM"), cli_folder, &path, &err),
                     STATUS_MISSING);
    assert_message_has(&err, "https://zenodo.org/record/3355524");
    free(path);
    path = NULL;
    assert_non_null(write_file("tchourine-yeast.csv", "a,b\n.1,.5\n.2,.6\n.3,.1\n.4,.2\n.5,.3\n.6,.4\n"));
    assert_ok(recipe_file("tchourine-yeast:6:set", getenv("BNB_PROGRAM"), cli_folder, &path, &err), &err);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    assert_string_equal(text, "a,b\n0,2\n0,2\n1,0\n1,0\n2,1\n2,1\n");
    (void)unsetenv("BNBENCH_DATASETS");
}

static void a_table_with_a_ragged_row_is_refused(void **state) {
    sheet s = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(sheet_read(write_file("a.csv", "one,two\n1,2\n\"3,4\",5\n"), &s, &err), STATUS_OK);
    assert_int_equal(s.n_rows, 2);
    assert_string_equal(sheet_cell(&s, 1, "one"), "3,4");
    assert_string_equal(sheet_cell(&s, 1, "three"), "");
    sheet_clear(&s);
    assert_int_equal(sheet_read(write_file("b.csv", "one,two\n1,2,3\n"), &s, &err), STATUS_PARSE);
    assert_int_equal(sheet_read(write_file("c.csv", "one,two\n1\n"), &s, &err), STATUS_PARSE);
}

static void every_row_of_the_plan_can_be_run(void **state) {
    char path[4096];
    sheet plan = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(sheet_read(source_file("bench/plan.csv", path), &plan, &err), STATUS_OK);
    for (size_t i = 0; i < plan.n_rows; i++) {
        const learner *l = NULL;
        recipe r;
        if (recipe_read(sheet_cell(&plan, i, "data"), &r, &err) != STATUS_OK ||
            learner_find(sheet_cell(&plan, i, "learner"), &l, &err) != STATUS_OK)
            fail_msg("row %zu: %s", i + 1, err.message);
        if (atoi(sheet_cell(&plan, i, "runs")) < 1 || atoi(sheet_cell(&plan, i, "most_s")) < 1)
            fail_msg("row %zu: it has neither runs nor a limit", i + 1);
    }
    sheet_clear(&plan);
}

/* The first row of the plan that is like a row of another table in these columns; n_rows for none. */
static size_t find_like(const sheet *plan, const sheet *other, size_t row, const char *const *columns,
                        bool empty_is_any) {
    for (size_t i = 0; i < plan->n_rows; i++) {
        size_t k = 0;
        for (; columns[k]; k++) {
            const char *wanted = sheet_cell(other, row, columns[k]);
            if (!(empty_is_any && !*wanted) && strcmp(wanted, sheet_cell(plan, i, columns[k])) != 0)
                break;
        }
        if (!columns[k])
            return i;
    }
    return plan->n_rows;
}

static void every_figure_of_others_and_every_bound_has_a_row_of_the_plan(void **state) {
    static const char *const of_peers[] = {"data", "learner", "options", NULL};
    static const char *const of_bounds[] = {"group", "data", "learner", "options", NULL};
    char path[4096];
    sheet plan = {0}, peers = {0}, bounds = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(sheet_read(source_file("bench/plan.csv", path), &plan, &err), STATUS_OK);
    assert_int_equal(sheet_read(source_file("bench/peers.csv", path), &peers, &err), STATUS_OK);
    assert_int_equal(sheet_read(source_file("bench/bounds.csv", path), &bounds, &err), STATUS_OK);
    for (size_t i = 0; i < peers.n_rows; i++) {
        if (find_like(&plan, &peers, i, of_peers, false) == plan.n_rows || atof(sheet_cell(&peers, i, "seconds")) <= 0)
            fail_msg("row %zu of the peers: no such row in the plan, or no seconds", i + 1);
    }
    for (size_t i = 0; i < bounds.n_rows; i++) {
        if (find_like(&plan, &bounds, i, of_bounds, true) == plan.n_rows || !*sheet_cell(&bounds, i, "profile"))
            fail_msg("row %zu of the bounds: no such row in the plan, or no profile named", i + 1);
    }
    sheet_clear(&plan);
    sheet_clear(&peers);
    sheet_clear(&bounds);
}

/* ---- other programs ---- */

/* The first run is longer than it may be, and the last program is not there. */
static void a_program_that_is_not_done_in_time_is_asked_again(void **state) {
    char source[4096];
    const char *slow = write_file("slow.sh", "sleep 60\n");
    const char *quick = write_file("quick.sh", "echo '{\"learning_seconds\": 0.25, \"version\": \"one 3\"}' > "
                                               "\"$BNBENCH_FACTS\"\n");
    json_t *rows =
        json_loads("[{\"group\": \"beside\", \"data\": \"asia:50\", \"learner\": \"hc\", \"options\": \"\"}]", 0, NULL);
    json_t *out = json_array();
    sheet peers = {0};
    suite s = {"quick", cli_program(), in_folder("."), in_folder("."), source_file("", source), "", 0.5};
    char text[20000];
    error_info err = {0};
    (void)state;
    (void)snprintf(text, sizeof text,
                   "data,learner,options,peer,version,seconds,kind,date,command\n"
                   "asia:50,hc,,one,2,7,learning,2026-11-20,sh %s {data} {graph}\n"
                   "asia:50,hc,,one,2,8,learning,2026-11-20,sh %s {data} {graph}\n"
                   "asia:50,hc,,two,2,9,process,2026-11-20,no-such-program-anywhere {data}\n",
                   slow, quick);
    assert_ok(sheet_read(write_file("peers.csv", text), &peers, &err), &err);
    assert_ok(peers_measure(&s, &peers, rows, out, &err), &err);
    assert_int_equal(json_array_size(out), 3);
    assert_true(number_at(json_array_get(out, 0), "seconds") == 7);
    assert_string_equal(text_at(json_array_get(out, 0), "date"), "2026-11-20");
    assert_true(number_at(json_array_get(out, 1), "seconds") == 0.25);
    assert_true(number_at(json_array_get(out, 1), "earlier_s") == 8);
    assert_string_equal(text_at(json_array_get(out, 1), "program"), "one 3");
    assert_string_equal(text_at(json_array_get(out, 2), "kind"), "process");
    sheet_clear(&peers);
    json_decref(out);
    json_decref(rows);
}

/* ---- the command ---- */

static void run_bench(int expected, const char *const *words) {
    char *out = NULL, *errors = NULL;
    int seen = run_program(words, &out, &errors);
    if (seen != expected)
        fail_msg("status %d, expected %d: %s", seen, expected, errors);
    free(out);
    free(errors);
}

#define bench(expected, ...) run_bench(expected, (const char *const[]){getenv("BNB_BENCH"), __VA_ARGS__, NULL})

static json_t *read_json(const char *path) {
    json_t *o = NULL;
    error_info err = {0};
    if (json_read_file(path, 1 << 24, &o, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return o;
}

static void assert_row_has_its_figures(const json_t *row) {
    static const char *const spreads[] = {"cpu_s", "elapsed_s", "read_s", "others"};
    assert_string_equal(text_at(row, "state"), "ended");
    assert_true(number_at(row, "runs") >= 1);
    assert_true(number_at(row, "memory_bytes") > 0);
    assert_true(number_at(row, "variables") > 0 && number_at(row, "rows") > 0);
    for (size_t k = 0; k < sizeof spreads / sizeof *spreads; k++) {
        const json_t *s = json_object_get(row, spreads[k]);
        assert_true(number_at(s, "low") <= number_at(s, "median") && number_at(s, "median") <= number_at(s, "high"));
    }
}

static void assert_machine_is_named(const json_t *o) {
    static const char *const keys[] = {"processor", "caches", "simd", "system"};
    const json_t *machine = json_object_get(o, "machine");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_true(json_object_get(machine, keys[k]) != NULL);
    assert_true(number_at(machine, "processors") >= 1 && number_at(machine, "memory_bytes") > 0);
    assert_true(*text_at(json_object_get(o, "build"), "version") && *text_at(json_object_get(o, "build"), "compiler"));
    assert_true(json_is_boolean(json_object_get(json_object_get(o, "load"), "is_busy")));
}

static void assert_kernels_are_there(const json_t *kernels) {
    const json_t *pairs = json_object_get(kernels, "pairs"), *level;
    size_t i;
    assert_true(json_array_size(json_object_get(pairs, "levels")) > 0);
    json_array_foreach(json_object_get(pairs, "levels"), i, level)
        assert_true(number_at(level, "ns_a_pair") > 0 && number_at(level, "roofline_ns") > 0);
    assert_true(json_array_size(json_object_get(kernels, "tables")) > 0);
}

/* Of one processor no placement is known. */
static void assert_threads_were_measured(const json_t *row) {
    const json_t *trip = json_object_get(row, "round_trip_s"), *slowdown = json_object_get(row, "slowdown"),
                 *near = json_object_get(row, "near");
    assert_true(json_is_true(json_object_get(row, "same_graph")));
    assert_true(number_at(near, "runs") <= number_at(row, "runs"));
    assert_true(number_at(json_object_get(row, "of_one"), "low") > 0);
    if (json_is_number(json_object_get(trip, "median")))
        assert_true(number_at(trip, "low") > 0 && number_at(trip, "low") <= number_at(trip, "high") &&
                    number_at(slowdown, "low") > 0 && number_at(slowdown, "low") <= number_at(slowdown, "high"));
    else
        assert_true(number_at(near, "runs") == 0);
}

static char *read_text(const char *path) {
    char *text = NULL;
    size_t length = 0;
    error_info err = {0};
    assert_ok(file_read(path, 1 << 24, &text, &length, &err), &err);
    return text;
}

static void assert_page_has_its_sections(const char *path) {
    static const char *const words[] = {"# Speed",
                                        "| processor |",
                                        "## What was asked, and what was measured",
                                        "## How time grows",
                                        "| exponent |",
                                        "## Two threads",
                                        "## Beside other programs",
                                        "| times as fast | asked |",
                                        "aGrUM 3.1.1: 0.05 with reading, 2026-11-20",
                                        "## Reading",
                                        "| from the disk, seconds | plain |",
                                        "| sensitivity | specificity |",
                                        "## Public data",
                                        "| no data |",
                                        "## Kernels",
                                        "## What the runner adds to a job"};
    char *page = read_text(path);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_text_has(page, words[i]);
    free(page);
}

/* By the process that makes columns of the bytes, and by one that reads them alone. */
static void assert_was_read_from_disk(const json_t *row) {
    assert_true(number_at(json_object_get(row, "disk_s"), "median") > 0);
    assert_true(number_at(json_object_get(row, "plain_s"), "median") > 0);
}

static void the_quick_profile_measures_every_kind_of_row_and_a_page_is_made_of_it(void **state) {
    static const char *const groups[] = {"asked", "variables", "rows", "threads", "beside", "reading", "large"};
    const char *file = in_folder("quick.json"), *folder = in_folder("docs");
    bool has[7] = {false};
    json_t *o, *row;
    size_t i;
    (void)state;
    (void)setenv("BNBENCH_CACHE", cli_folder, 1);
    bench(0, "measure", "-p", "quick", "-d", in_folder("data"), "-o", file);
    o = read_json(file);
    assert_machine_is_named(o);
    json_array_foreach(json_object_get(o, "rows"), i, row) {
        if (strcmp(text_at(row, "group"), "sets") == 0) {
            assert_string_equal(text_at(row, "state"), "no data");
            continue;
        }
        assert_row_has_its_figures(row);
        for (size_t k = 0; k < 7; k++)
            has[k] |= strcmp(text_at(row, "group"), groups[k]) == 0;
        if (strcmp(text_at(row, "group"), "threads") == 0 && number_at(row, "threads") == 2)
            assert_threads_were_measured(row);
        else if (strcmp(text_at(row, "group"), "threads") == 0)
            assert_true(number_at(json_object_get(row, "beside_s"), "low") > 0);
        if (strcmp(text_at(row, "group"), "reading") == 0)
            assert_was_read_from_disk(row);
        if (strcmp(text_at(row, "group"), "large") == 0)
            assert_true(number_at(row, "sensitivity") > 0.2 && number_at(row, "specificity") > 0.9);
    }
    for (size_t k = 0; k < 7; k++)
        assert_true(has[k]);
    assert_kernels_are_there(json_object_get(o, "kernels"));
    assert_true(number_at(json_object_get(o, "runner"), "jobs") == 100);
    bench(0, "page", file, "-o", folder);
    assert_page_has_its_sections(in_folder("docs/performance.md"));
    json_decref(o);
}

/* The full profile takes minutes on any machine, the quick one a second on a fast one. */
static void an_interrupted_measurement_leaves_what_it_has(void **state) {
    const char *file = in_folder("cut.json");
    const char *const words[] = {"timeout", "-s", "INT",  "1",  getenv("BNB_BENCH"),
                                 "measure", "-p", "full", "-d", in_folder("data"),
                                 "-o",      file, NULL};
    json_t *o;
    (void)state;
    run_bench(124, words);
    o = read_json(file);
    assert_true(json_is_array(json_object_get(o, "rows")));
    assert_null(json_object_get(o, "runner"));
    json_decref(o);
}

/* A row of 1 and 2 threads, of which two runs in three were on processors near each other. */
static void the_page_tells_runs_on_near_processors_apart(void **state) {
    const char *file = write_file(
        "threads.json",
        "{\"format\": 1, \"rows\": ["
        "{\"group\": \"threads\", \"data\": \"alarm:500\", \"learner\": \"hc\", \"state\": \"ended\", \"threads\": 1, "
        "\"runs\": 3, \"elapsed_s\": {\"median\": 2, \"low\": 0.9}, \"near\": {\"runs\": 2, \"elapsed_s\": "
        "{\"median\": 1}}, \"beside_s\": {\"median\": 2.2}},"
        "{\"group\": \"threads\", \"data\": \"alarm:500\", \"learner\": \"hc\", \"state\": \"ended\", \"threads\": 2, "
        "\"runs\": 3, \"elapsed_s\": {\"median\": 1.6, \"low\": 0.5}, \"near\": {\"runs\": 2, \"elapsed_s\": "
        "{\"median\": 0.55}}, \"of_one\": {\"median\": 0.66}, "
        "\"round_trip_s\": {\"median\": 1.1e-7, \"low\": 1e-7, \"high\": 4.3e-7}, "
        "\"slowdown\": {\"median\": 1.01, \"low\": 1, \"high\": 1.7}}]}");
    char *page;
    (void)state;
    bench(0, "page", file, "-o", in_folder("docs"));
    page = read_text(in_folder("docs/performance.md"));
    assert_text_has(page, "| `alarm:500` | `hc` | 2 | 1.6 | 0.55 (2 of 3) | **0.80** | **0.66** | 0.56 | 0.55 | 100 to "
                          "430 | 1 to 1.7 | - |");
    free(page);
}

/* What bounds mmbn on 270 copies of alarm is known of the kernels of AVX levels alone. */
static void a_page_names_those_of_other_machines_and_the_bounds_of_its_own_kernels(void **state) {
    static const char *const levels[] = {"avx512", "portable"}, *const names[] = {"performance", "performance-plain"};
    char *pages[2];
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        char text[512], path[64];
        (void)snprintf(text, sizeof text,
                       "{\"format\": 1, \"machine\": {\"simd\": \"%s\"}, \"rows\": [{\"group\": \"asked\", "
                       "\"data\": \"alarm*270:1000\", \"learner\": \"mmbn\", \"state\": \"ended\"}]}",
                       levels[k % 2]);
        bench(0, "page", write_file("level.json", text), "-o", in_folder("beside"), "-n", names[k % 2]);
        (void)snprintf(path, sizeof path, "beside/%s.md", names[k % 2]);
        if (k >= 2)
            pages[k % 2] = read_text(in_folder(path));
    }
    assert_text_has(pages[0], "Other machines: [performance-plain](performance-plain.md).");
    assert_text_has(pages[1], "Other machines: [performance](performance.md).");
    assert_text_has(pages[0], "perf record");
    assert_null(strstr(pages[1], "perf record"));
    for (size_t k = 0; k < 2; k++)
        free(pages[k]);
}

/* Rows of other files were measured at another time, perhaps on another machine. */
static void a_page_says_where_rows_of_other_files_were_measured(void **state) {
    static const char form[] = "{\"format\": 1, \"date\": \"%s\", \"build\": {\"commit\": \"%s\"}, \"machine\": "
                               "{\"processor\": \"%s\"}, \"rows\": [{\"group\": \"large\", \"data\": \"%s:5\", "
                               "\"learner\": \"mmbn\", \"state\": \"ended\"}]}";
    char first[512], same[512], other[512], *page;
    (void)state;
    (void)snprintf(first, sizeof first, form, "today", "c1", "A", "alarm");
    (void)snprintf(same, sizeof same, form, "earlier", "c2", "A", "asia");
    (void)snprintf(other, sizeof other, form, "long ago", "c3", "B, 1 GHz", "child");
    bench(0, "page", write_file("first.json", first), write_file("same.json", same), write_file("other.json", other),
          "-o", in_folder("origins"));
    page = read_text(in_folder("origins/performance.md"));
    assert_text_has(page, "| `alarm:5` | `mmbn`");
    assert_text_has(page, "| `asia:5` (earlier, commit c2) | `mmbn`");
    assert_text_has(page, "| `child:5` (B, 1 GHz, long ago, commit c3) | `mmbn`");
    free(page);
}

static void a_row_that_was_measured_again_stands_once(void **state) {
    static const char form[] =
        "{\"format\": 1, \"date\": \"%s\", \"rows\": [{\"group\": \"large\", \"data\": \"asia:5\", "
        "\"learner\": \"%s\", \"threads\": 2, \"state\": \"ended\"}]}";
    char first[512], again[512], other[512], *page;
    (void)state;
    (void)snprintf(first, sizeof first, form, "today", "gts");
    (void)snprintf(again, sizeof again, form, "tonight", "gts");
    (void)snprintf(other, sizeof other, form, "tomorrow", "hc");
    bench(0, "page", write_file("first.json", first), write_file("again.json", again), write_file("other.json", other),
          "-o", in_folder("again"));
    page = read_text(in_folder("again/performance.md"));
    assert_null(strstr(page, "| `asia:5` | `gts`"));
    assert_text_has(page, "| `asia:5` (tonight, commit ) | `gts`");
    assert_text_has(page, "| `asia:5` (tomorrow, commit ) | `hc`");
    free(page);
}

/* By a factor of ten the variables, by a hundred the time; .18 seconds of bnlearn are 45 times .004. */
static void a_page_says_what_was_asked_beside_others_and_what_grows_far(void **state) {
    char *page;
    (void)state;
    bench(0, "page",
          write_file("far.json",
                     "{\"format\": 1, \"rows\": ["
                     "{\"group\": \"variables\", \"data\": \"alarm*2:1000\", \"learner\": \"hc\", \"variables\": 74, "
                     "\"rows\": 1000, \"state\": \"ended\", \"cpu_s\": {\"median\": 0.5}}, "
                     "{\"group\": \"rows\", \"data\": \"alarm:500\", \"learner\": \"hc\", \"variables\": 37, "
                     "\"rows\": 500, \"state\": \"ended\", \"cpu_s\": {\"median\": 0.5}}, "
                     "{\"group\": \"asked\", \"data\": \"alarm*270:1000\", \"learner\": \"hc\", \"options\": \"\", "
                     "\"variables\": 9990, \"rows\": 1000, \"threads\": 2, \"state\": \"ended\", "
                     "\"cpu_s\": {\"median\": 2}}, "
                     "{\"group\": \"large\", \"data\": \"alarm*2700:1000\", \"learner\": \"hc\", \"options\": \"\", "
                     "\"variables\": 99900, \"rows\": 1000, \"threads\": 2, \"state\": \"ended\", "
                     "\"cpu_s\": {\"median\": 200}}, "
                     "{\"group\": \"beside\", \"data\": \"hailfinder:5000:seen\", \"learner\": \"mmhc\", "
                     "\"options\": \"df=full min_rows=0\", \"state\": \"ended\", \"cpu_s\": {\"median\": 0.004}}], "
                     "\"peers\": [{\"data\": \"hailfinder:5000:seen\", \"learner\": \"mmhc\", "
                     "\"options\": \"df=full min_rows=0\", \"program\": \"bnlearn 5.2.1\", \"seconds\": 0.18, "
                     "\"kind\": \"learning\", \"date\": \"2026-11-20\"}]}"),
          "-o", in_folder("far"));
    page = read_text(in_folder("far/performance.md"));
    assert_text_has(page, "the exponent from 9,990 to 99,900 is 2.00 for `hc`.");
    assert_text_has(page, "| bnlearn 5.2.1: 0.18, 2026-11-20 | **45** | 50 |");
    free(page);
}

/* Of one learner on one data set, with options that have a profile of their own and without. */
static void a_bound_of_certain_options_comes_before_that_of_the_learner(void **state) {
    char *page;
    const char *plain, *with;
    (void)state;
    bench(0, "page",
          write_file("options.json",
                     "{\"format\": 1, \"machine\": {\"simd\": \"avx512\"}, \"rows\": ["
                     "{\"group\": \"asked\", \"data\": \"hailfinder:5000:seen\", \"learner\": \"mmpc\", "
                     "\"options\": \"\", \"state\": \"ended\"}, "
                     "{\"group\": \"asked\", \"data\": \"hailfinder:5000:seen\", \"learner\": \"mmpc\", "
                     "\"options\": \"df=full min_rows=0\", \"state\": \"ended\"}]}"),
          "-o", in_folder("options"));
    page = read_text(in_folder("options/performance.md"));
    plain = strstr(page, "| `mmpc` |");
    with = strstr(page, "| `mmpc -O df=full min_rows=0` |");
    assert_non_null(plain);
    assert_non_null(with);
    plain = strstr(plain, "| - |"); /* what was measured, here nothing, and what bounds it */
    with = strstr(with, "| - |");
    assert_true(plain < with && strstr(plain, "perf record") < with && strstr(with, "perf record"));
    assert_int_not_equal(strncmp(plain, with, strcspn(with, "\n")), 0);
    free(page);
}

static void a_look_at_the_placement_leaves_the_thread_where_it_may_run(void **state) {
    cpu_set_t before, after;
    placement p;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    p = placement_look();
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    if (CPU_COUNT(&before) < 2)
        assert_true(isnan(p.round_trip_s) && isnan(p.slowdown));
    else
        assert_true(p.round_trip_s > 0 && p.slowdown > 0);
}

/* Two cores with a cache in common; without one; one core; one processor. */
static void near_are_two_cores_with_a_cache_in_common_before_and_after(void **state) {
    placement near = {1e-7, 1.02}, far = {3.5e-7, 1}, one_core = {5e-8, 1.7}, none = {NAN, NAN};
    (void)state;
    assert_true(placement_is_near(near) && placement_is_near(placement_worse(near, near)));
    assert_false(placement_is_near(far) || placement_is_near(one_core) || placement_is_near(none));
    assert_false(placement_is_near(placement_worse(near, far)) || placement_is_near(placement_worse(far, near)));
    assert_false(placement_is_near(placement_worse(near, none)) || placement_is_near(placement_worse(none, near)));
    assert_false(placement_is_near(placement_worse(near, one_core)) ||
                 placement_is_near(placement_worse(one_core, near)));
}

static void what_is_no_measurement_makes_no_page(void **state) {
    (void)state;
    bench(1, "page", write_file("other.json", "{\"format\": 2, \"rows\": []}"), "-o", in_folder("docs"));
    assert_false(is_there(in_folder("docs/performance.md")));
    bench(2, "page");
    bench(2, "measure", "twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exponent_and_its_error_are_those_of_anscombe),
        cmocka_unit_test(a_line_through_too_few_points_has_no_error),
        cmocka_unit_test(the_spread_is_median_least_and_greatest),
        cmocka_unit_test(a_recipe_says_network_copies_rows_and_kind),
        cli_test(a_recipe_takes_the_data_set_that_is_there),
        cli_test(a_table_with_a_ragged_row_is_refused),
        cmocka_unit_test(every_row_of_the_plan_can_be_run),
        cli_test(a_program_that_is_not_done_in_time_is_asked_again),
        cmocka_unit_test(every_figure_of_others_and_every_bound_has_a_row_of_the_plan),
        cli_test(the_quick_profile_measures_every_kind_of_row_and_a_page_is_made_of_it),
        cli_test(an_interrupted_measurement_leaves_what_it_has),
        cli_test(the_page_tells_runs_on_near_processors_apart),
        cli_test(a_page_names_those_of_other_machines_and_the_bounds_of_its_own_kernels),
        cli_test(a_page_says_where_rows_of_other_files_were_measured),
        cli_test(a_row_that_was_measured_again_stands_once),
        cli_test(a_page_says_what_was_asked_beside_others_and_what_grows_far),
        cli_test(a_bound_of_certain_options_comes_before_that_of_the_learner),
        cmocka_unit_test(a_look_at_the_placement_leaves_the_thread_where_it_may_run),
        cmocka_unit_test(near_are_two_cores_with_a_cache_in_common_before_and_after),
        cli_test(what_is_no_measurement_makes_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
