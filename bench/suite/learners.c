/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/learners.h"

#include "bench/suite/disk.h"
#include "bench/suite/fit.h"
#include "bench/suite/placement.h"
#include "bench/suite/process.h"
#include "bench/suite/ready_memory.h"
#include "bench/suite/recipe.h"
#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/run/run_context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

enum { MOST_RUNS = 64, MOST_WORDS = 32 };

/* A row is not repeated once its runs took so long. */
#define ENOUGH_S 12.0

/* One row of the plan at one number of threads. */
typedef struct {
    const char *group, *data, *learner, *options, *asked;
    int64_t n_runs, n_threads;
    double most_s;
    const char *path, *graph; /* the data, and what is learned */
    size_t n;                 /* runs that ended */
    double cpu_s[MOST_RUNS], elapsed_s[MOST_RUNS], read_s[MOST_RUNS], others[MOST_RUNS];
    double round_trip_s[MOST_RUNS], slowdown[MOST_RUNS]; /* where several threads are measured: placement.h */
    double beside_s[MOST_RUNS]; /* likewise, elapsed, of one thread: while the same is learned beside it */
    size_t n_beside;
    double disk_s[MOST_RUNS], plain_s[MOST_RUNS]; /* where reading is measured: that from the disk, and of nothing but
                                                     the bytes */
    size_t n_disk;
    double of_one[MOST_RUNS]; /* of several threads: elapsed, over that of one thread in the same round */
    size_t n_of_one;
    uint64_t memory_bytes;
    int64_t columns, rows, edges;
    double sensitivity, specificity; /* of its edges; NAN: not asked for */
    const char *state;
} measurement;

bool suite_wants(const suite *s, const sheet *plan, size_t row) {
    const char *at = sheet_cell(plan, row, "profiles");
    size_t length = strlen(s->profile);
    for (; *at; at += *at == ' ') {
        size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, s->profile, n) == 0)
            return true;
        at += n;
    }
    return false;
}

/* ---- one run ---- */

static double number_of(const json_t *o, const char *key) {
    return json_number_value(json_object_get(o, key));
}

static void take_answer(measurement *m, const json_t *o, const process_cost *cost) {
    double memory = number_of(o, "peak_memory_bytes");
    m->cpu_s[m->n] = number_of(o, "cpu_seconds");
    m->elapsed_s[m->n] = number_of(o, "wall_seconds");
    m->read_s[m->n] = cost->elapsed_s - m->elapsed_s[m->n];
    m->others[m->n] = cost->others;
    if (memory > (double)m->memory_bytes)
        m->memory_bytes = (uint64_t)memory;
    m->columns = (int64_t)number_of(o, "nodes");
    m->rows = (int64_t)number_of(o, "n");
    m->edges = (int64_t)number_of(o, "edges");
    m->n++;
}

/* The words of a command, and what they point into. */
typedef struct {
    const char *words[MOST_WORDS + 8];
    char threads[24];
    char *options;
} command;

static void command_clear(command *c) {
    free(c->options);
}

static status command_init(command *c, const suite *s, const measurement *m, const char *graph, error_info *err) {
    char *left = c->options = text_copy(m->options);
    size_t n = 0;
    CHECK_ALLOC(left);
    (void)snprintf(c->threads, sizeof c->threads, "%lld", (long long)m->n_threads);
    c->words[n++] = s->program;
    c->words[n++] = "learn";
    c->words[n++] = m->learner;
    c->words[n++] = m->path;
    c->words[n++] = "--threads";
    c->words[n++] = c->threads;
    for (char *option; n < MOST_WORDS && (option = strtok_r(left, " ", &left));) {
        c->words[n++] = "-O";
        c->words[n++] = option;
    }
    c->words[n++] = "-o";
    c->words[n++] = graph;
    c->words[n++] = "--json";
    c->words[n] = NULL;
    return STATUS_OK;
}

static const char *state_of(const process_cost *cost) {
    return cost->is_stopped ? "stopped" : cost->exit_status != 0 ? "failed" : "ended";
}

/* Runs the command, beside another one unless that is NULL, and gives what it printed: NULL where it was stopped or has
 * failed. */
static status run_command(const suite *s, const measurement *m, const command *c, const command *beside,
                          process_cost *cost, json_t **out, error_info *err) {
    AUTO_FREE char *answer = path_join(s->scratch, "answer.json");
    process_call call = {.words = c->words, .output = answer, .most_s = m->most_s};
    CHECK_ALLOC(answer);
    ready_memory();
    if (beside)
        CHECK(process_run_beside(&(process_call){.words = beside->words, .most_s = m->most_s}, &call, cost, err));
    else
        CHECK(process_run(&call, cost, err));
    return strcmp(state_of(cost), "ended") == 0 ? json_read_file(answer, 1 << 22, out, err) : STATUS_OK;
}

static status run_once(const suite *s, measurement *m, error_info *err) {
    AUTO_PTR(json_decref) json_t *o = NULL;
    AUTO(command_clear) command c = {0};
    process_cost cost;
    CHECK(command_init(&c, s, m, m->graph, err));
    CHECK(run_command(s, m, &c, NULL, &cost, &o, err));
    m->state = state_of(&cost);
    if (o)
        take_answer(m, o, &cost);
    return STATUS_OK;
}

/* What the file takes when the system keeps nothing of it. */
static status run_from_disk(const suite *s, measurement *m, error_info *err) {
    AUTO_PTR(json_decref) json_t *o = NULL;
    AUTO(command_clear) command c = {0};
    process_cost cost;
    double plain_s;
    CHECK(disk_forget(m->path, err));
    CHECK(disk_read(m->path, &plain_s, err));
    CHECK(command_init(&c, s, m, m->graph, err));
    CHECK(disk_forget(m->path, err));
    CHECK(run_command(s, m, &c, NULL, &cost, &o, err));
    if (!o)
        return STATUS_OK;
    m->plain_s[m->n_disk] = plain_s;
    m->disk_s[m->n_disk++] = cost.elapsed_s - number_of(o, "wall_seconds");
    return STATUS_OK;
}

/* Two processors may be slower than one: this is what two threads would take of which each had half the work. */
static status run_beside_itself(const suite *s, measurement *m, error_info *err) {
    AUTO_FREE char *graph = path_join(s->scratch, "beside.csv");
    AUTO_PTR(json_decref) json_t *o = NULL;
    AUTO(command_clear) command own = {0}, other = {0};
    process_cost cost;
    CHECK_ALLOC(graph);
    CHECK(command_init(&own, s, m, m->graph, err));
    CHECK(command_init(&other, s, m, graph, err));
    CHECK(run_command(s, m, &own, &other, &cost, &o, err));
    if (o)
        m->beside_s[m->n_beside++] = number_of(o, "wall_seconds");
    return STATUS_OK;
}

/* ---- rows ---- */

static json_t *spread_object(double *values, size_t n) {
    spread s = spread_of(values, n);
    return json_object_of({"median", json_of_double(s.median)}, {"low", json_of_double(s.low)},
                          {"high", json_of_double(s.high)});
}

/* The times of the runs before and after which two processors were near each other; how many these are. */
static size_t near_runs(const measurement *m, double elapsed_s[MOST_RUNS]) {
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (placement_is_near((placement){m->round_trip_s[i], m->slowdown[i]}))
            elapsed_s[n++] = m->elapsed_s[i];
    }
    return n;
}

static json_t *near_object(const measurement *m) {
    double elapsed_s[MOST_RUNS];
    size_t n = near_runs(m, elapsed_s);
    return json_object_of({"runs", json_of_size(n)}, {"elapsed_s", spread_object(elapsed_s, n)});
}

static json_t *object_of(measurement *m) {
    struct stat file;
    double asked;
    bool is_asked = text_to_double(m->asked, &asked);
    uint64_t bytes = m->path && stat(m->path, &file) == 0 ? (uint64_t)file.st_size : 0;
    json_t *near = near_object(m); /* before the runs are sorted */
    return json_object_of(
        {"group", json_of_text(m->group)}, {"data", json_of_text(m->data)}, {"variables", json_integer(m->columns)},
        {"rows", json_integer(m->rows)}, {"bytes", json_of_size(bytes)}, {"learner", json_of_text(m->learner)},
        {"options", json_of_text(m->options)}, {"threads", json_integer(m->n_threads)},
        {"state", json_of_text(m->state)}, {"limit_s", json_of_double(m->most_s)},
        {"asked_s", is_asked ? json_of_double(asked) : json_null()}, {"runs", json_of_size(m->n)},
        {"cpu_s", spread_object(m->cpu_s, m->n)}, {"elapsed_s", spread_object(m->elapsed_s, m->n)},
        {"read_s", spread_object(m->read_s, m->n)}, {"others", spread_object(m->others, m->n)},
        {"round_trip_s", spread_object(m->round_trip_s, m->n)}, {"slowdown", spread_object(m->slowdown, m->n)},
        {"near", near}, {"beside_s", spread_object(m->beside_s, m->n_beside)},
        {"disk_s", spread_object(m->disk_s, m->n_disk)}, {"plain_s", spread_object(m->plain_s, m->n_disk)},
        {"of_one", spread_object(m->of_one, m->n_of_one)}, {"memory_bytes", json_of_size(m->memory_bytes)},
        {"edges", json_integer(m->edges)}, {"sensitivity", json_of_double(m->sensitivity)},
        {"specificity", json_of_double(m->specificity)});
}

static bool are_alike(const char *a, const char *b) {
    AUTO_FREE char *one = NULL, *other = NULL;
    size_t n = 0, m = 0;
    return file_read(a, (size_t)1 << 30, &one, &n, NULL) == STATUS_OK &&
           file_read(b, (size_t)1 << 30, &other, &m, NULL) == STATUS_OK && n == m && memcmp(one, other, n) == 0;
}

static status number_in(const sheet *plan, size_t row, const char *column, int64_t *out, error_info *err) {
    if (!text_to_int(sheet_cell(plan, row, column), out) || *out < 1)
        return error_set(err, STATUS_INVALID, "row %zu of the plan: '%s' is no number", row + 1, column);
    return STATUS_OK;
}

static void say(const measurement *m) {
    spread s = spread_of((double[]){m->n > 0 ? m->elapsed_s[0] : 0}, 1);
    (void)fprintf(stderr, "%s: %s %s on %s, %lld thread%s: %s, %.3g s\n", m->group, m->learner, m->options, m->data,
                  (long long)m->n_threads, m->n_threads == 1 ? "" : "s", m->state, s.median);
}

/* A row of the plan: one measurement, or where it says 1+N, one of one thread and one of N. */
typedef struct {
    measurement m[2];
    size_t n;
    double took_s;
    char *path, *graphs[2];
} plan_row;

static void plan_row_clear(plan_row *r) {
    free(r->path);
    free(r->graphs[0]);
    free(r->graphs[1]);
}

static bool compares_threads(const sheet *plan, size_t row) {
    return strchr(sheet_cell(plan, row, "threads"), '+') != NULL;
}

static status read_row(const sheet *plan, size_t row, plan_row *r, error_info *err) {
    const char *threads = sheet_cell(plan, row, "threads"), *plus = strchr(threads, '+');
    int64_t n_runs, most_s, n_threads[2] = {1, 1};
    r->n = plus ? 2 : 1;
    CHECK(number_in(plan, row, "runs", &n_runs, err));
    CHECK(number_in(plan, row, "most_s", &most_s, err));
    if (!text_to_int(plus ? plus + 1 : threads, &n_threads[r->n - 1]) || n_threads[r->n - 1] < 1)
        return error_set(err, STATUS_INVALID, "row %zu of the plan: '%s' threads", row + 1, threads);
    for (size_t i = 0; i < r->n; i++)
        r->m[i] = (measurement){.group = sheet_cell(plan, row, "group"),
                                .data = sheet_cell(plan, row, "data"),
                                .learner = sheet_cell(plan, row, "learner"),
                                .options = sheet_cell(plan, row, "options"),
                                .asked = sheet_cell(plan, row, "asked_s"),
                                .n_runs = n_runs < MOST_RUNS ? n_runs : MOST_RUNS,
                                .n_threads = n_threads[i],
                                .most_s = (double)most_s,
                                .sensitivity = NAN,
                                .specificity = NAN,
                                .state = "no data"};
    return STATUS_OK;
}

/* A network that is not on this computer leaves the row without figures. */
static status find_data(const suite *s, plan_row *r, error_info *err) {
    status st = recipe_file(r->m[0].data, s->program, s->data, &r->path, err);
    if (st == STATUS_MEMORY || process_is_over())
        return st;
    if (st != STATUS_OK)
        (void)fprintf(stderr, "%s\n", err->message);
    for (size_t i = 0; i < r->n && st == STATUS_OK; i++) {
        r->m[i].state = "ended";
        r->m[i].path = r->path;
    }
    return STATUS_OK;
}

static status prepare(const suite *s, const sheet *plan, size_t row, plan_row *r, error_info *err) {
    char name[48];
    CHECK(read_row(plan, row, r, err));
    for (size_t i = 0; i < r->n; i++) {
        (void)snprintf(name, sizeof name, "graph-%zu-%zu.csv", row, i);
        CHECK_ALLOC(r->graphs[i] = path_join(s->scratch, name));
        r->m[i].graph = r->graphs[i];
    }
    return find_data(s, r, err);
}

/* For the runs that have just ended. */
static void note_placement(plan_row *r, placement p) {
    for (size_t i = 0; i < r->n; i++) {
        measurement *m = &r->m[i];
        if (m->n > 0) {
            m->round_trip_s[m->n - 1] = p.round_trip_s;
            m->slowdown[m->n - 1] = p.slowdown;
        }
    }
}

/* All runs so far. */
static bool have_ended(const plan_row *r) {
    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->m[i].state, "ended") != 0)
            return false;
    }
    return true;
}

/* Of several threads, the runs that count are those on processors near each other, as far as the host lets us have
 * them. */
static bool wants_more(const plan_row *r) {
    const measurement *m = r->m;
    double ignored[MOST_RUNS];
    size_t n_counted = r->n > 1 ? near_runs(m, ignored) : m->n;
    if (!have_ended(r))
        return false;
    return m->n == 0 || (m->n < MOST_RUNS && (int64_t)n_counted < m->n_runs && r->took_s < ENOUGH_S);
}

/* What the host does between two runs concerns both of a round, and neither in another one. */
static void note_ratio(const measurement *one, measurement *many) {
    many->of_one[many->n_of_one++] = many->elapsed_s[many->n - 1] / one->elapsed_s[one->n - 1];
}

/* The measurement of several threads goes first in every second round. */
static status run_each(const suite *s, plan_row *r, error_info *err) {
    bool is_turned = r->m[0].n % 2;
    for (size_t i = 0; i < r->n && have_ended(r); i++)
        CHECK(run_once(s, &r->m[is_turned ? r->n - 1 - i : i], err));
    if (r->n > 1 && have_ended(r))
        note_ratio(&r->m[0], &r->m[1]);
    return STATUS_OK;
}

static bool is_of_reading(const plan_row *r) {
    return strcmp(r->m[0].group, "reading") == 0;
}

/* Every measurement once: what slows one then slows the other. */
static status run_round(const suite *s, plan_row *r, error_info *err) {
    placement none = {NAN, NAN}, before = r->n > 1 ? placement_look() : none;
    double began = run_clock_s();
    CHECK(run_each(s, r, err));
    if (r->n > 1 && strcmp(r->m[0].state, "ended") == 0)
        CHECK(run_beside_itself(s, &r->m[0], err));
    for (size_t i = 0; i < r->n && is_of_reading(r) && have_ended(r); i++)
        CHECK(run_from_disk(s, &r->m[i], err));
    r->took_s += run_clock_s() - began;
    note_placement(r, r->n > 1 ? placement_worse(before, placement_look()) : none);
    return STATUS_OK;
}

/* In rounds: a host that is busy for some seconds meets a run of each row, in place of all runs of one. */
static status run_all(const suite *s, plan_row *rows, size_t n, error_info *err) {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t i = 0; i < n; i++) {
            if (wants_more(&rows[i])) {
                CHECK(run_round(s, &rows[i], err));
                goes_on = true;
            }
        }
    }
    return STATUS_OK;
}

/* How well the edges of large data are found: the shares of the network's edges, and of its pairs without one. */
static status compare(const suite *s, measurement *m, error_info *err) {
    enum { MOST_S = 600 };
    AUTO_FREE char *network = NULL, *answer = path_join(s->scratch, "compared.json");
    AUTO_PTR(json_decref) json_t *o = NULL;
    process_cost cost;
    CHECK_ALLOC(answer);
    if (strcmp(m->group, "large") != 0 || m->n == 0 || !recipe_has_network(m->data))
        return STATUS_OK;
    CHECK(recipe_network(m->data, s->program, s->data, &network, err));
    CHECK(process_run(
        &(process_call){.words = (const char *const[]){s->program, "compare", m->graph, network, "--json", NULL},
                        .output = answer,
                        .most_s = MOST_S},
        &cost, err));
    if (cost.exit_status != 0)
        return error_set(err, STATUS_INVALID, "'compare' of what %s learned failed with status %d", m->learner,
                         cost.exit_status);
    CHECK(json_read_file(answer, 1 << 22, &o, err));
    m->sensitivity = number_of(json_object_get(o, "metrics"), "recall");
    m->specificity = number_of(json_object_get(o, "metrics"), "specificity");
    return STATUS_OK;
}

static status add_row(const suite *s, plan_row *r, json_t *rows, error_info *err) {
    for (size_t i = 0; i < r->n; i++) {
        measurement *m = &r->m[i];
        json_t *o;
        if (m->n > 0 && strcmp(m->state, "stopped") == 0)
            m->state = "ended"; /* other runs did, near the limit */
        CHECK(compare(s, m, err));
        o = object_of(m);
        say(m);
        CHECK(json_add(rows, o, err));
        if (i == 1 && r->m[0].n > 0 && r->m[1].n > 0)
            CHECK(json_put(o, "same_graph", json_boolean(are_alike(r->m[0].graph, r->m[1].graph)), err));
    }
    return STATUS_OK;
}

/* What was measured before a failure, or a signal, is kept. */
static status measure_together(const suite *s, plan_row *r, size_t n, json_t *rows, error_info *err) {
    status st = run_all(s, r, n, err);
    for (size_t i = 0; i < n; i++) {
        status added = st == STATUS_OK || r[i].m[0].n > 0 ? add_row(s, &r[i], rows, st == STATUS_OK ? err : NULL) : st;
        st = st == STATUS_OK ? added : st;
    }
    return st;
}

/* Of these rows, how many are measured together: the first, and where it compares threads, those of its group that do.
 */
static size_t count_together(const sheet *plan, const size_t *wanted, size_t n) {
    const char *group = sheet_cell(plan, wanted[0], "group");
    size_t together = 1;
    while (together < n && compares_threads(plan, wanted[0]) && compares_threads(plan, wanted[together]) &&
           strcmp(sheet_cell(plan, wanted[together], "group"), group) == 0)
        together++;
    return together;
}

static status measure_some(const suite *s, const sheet *plan, const size_t *wanted, size_t n, json_t *rows,
                           error_info *err) {
    plan_row *r = calloc(n, sizeof *r);
    status st = STATUS_OK;
    CHECK_ALLOC(r);
    for (size_t i = 0; i < n && st == STATUS_OK; i++)
        st = prepare(s, plan, wanted[i], &r[i], err);
    if (st == STATUS_OK)
        st = measure_together(s, r, n, rows, err);
    for (size_t i = 0; i < n; i++)
        plan_row_clear(&r[i]);
    free(r);
    return st;
}

status learners_measure(const suite *s, const sheet *plan, json_t *rows, error_info *err) {
    AUTO_FREE size_t *wanted = calloc(plan->n_rows + 1, sizeof *wanted);
    size_t n = 0;
    CHECK_ALLOC(wanted);
    for (size_t i = 0; i < plan->n_rows; i++) {
        if (suite_wants(s, plan, i))
            wanted[n++] = i;
    }
    for (size_t i = 0, together; i < n; i += together) {
        together = count_together(plan, wanted + i, n - i);
        CHECK(measure_some(s, plan, wanted + i, together, rows, err));
    }
    return STATUS_OK;
}
