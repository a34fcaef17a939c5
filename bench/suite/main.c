/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One command that measures bnbench on this machine, and one that makes a page of docs/ of what it found.
 *
 *     bench measure [-p PROFILE] [-d FOLDER] [-o FILE]    quick, full (the usual), large, huge; data stay in FOLDER
 *     bench page FILE ... [-o FOLDER] [-n NAME]           FOLDER/NAME.md (docs/performance.md), its plots in FOLDER/img
 *
 * Further FILEs are of the profiles large and huge: their rows join the first's.
 *
 * What is measured stands in bench/plan.csv, what others report in bench/peers.csv, what bounds a row in
 * bench/bounds.csv. docs: bench/README.md.
 */
#include "bench/suite/machine.h"
#include "bench/suite/page.h"
#include "bench/suite/parts.h"
#include "bench/suite/process.h"
#include "bench/suite/rows.h"
#include "build_info.h"
#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/run/calibration.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SOURCE BNB_BENCH_SOURCE

enum { MOST_INPUTS = 8 };
#define MOST_PEER_S 120.0

typedef struct {
    const char *profile, *data, *output, *name;
    const char *inputs[MOST_INPUTS]; /* of a page */
} request;

static status write_json(const char *path, const json_t *o, error_info *err) {
    AUTO_FREE char *text = json_to_text(o, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    AUTO(text_buffer_clear) text_buffer b = {0};
    CHECK_ALLOC(text);
    text_append_format(&b, "%s\n", text);
    CHECK(text_buffer_check(&b, err));
    return file_write(path, b.data, b.length, err);
}

static json_t *load_of(double load) {
    return json_object_of({"at_start", json_of_double(load)}, {"is_busy", json_boolean(machine_is_busy(load))},
                          {"fixed_work_s", json_of_double(calibration_s(CALIBRATION_ROUNDS))});
}

static json_t *head(const request *r, double load) {
    char date[32];
    time_t now = time(NULL);
    struct tm parts;
    (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&now, &parts));
    return json_object_of({"format", json_of_size(1)}, {"profile", json_of_text(r->profile)},
                          {"date", json_of_text(date)}, {"build", machine_build()}, {"machine", machine_of_this()},
                          {"load", load_of(load)});
}

static status measure_all(const suite *s, const sheet *plan, const sheet *peers, json_t *o, error_info *err) {
    bool is_quick = strcmp(s->profile, "quick") == 0;
    bool is_large = strcmp(s->profile, "large") == 0 || strcmp(s->profile, "huge") == 0;
    json_t *rows = json_array(), *others = json_array(), *part = NULL;
    CHECK(json_put(o, "rows", rows, err));
    CHECK(json_put(o, "peers", others, err));
    if (!is_large) {
        CHECK(kernels_measure(s, is_quick, &part, err));
        CHECK(json_put(o, "kernels", part, err));
    }
    CHECK(learners_measure(s, plan, rows, err));
    CHECK(peers_measure(s, peers, rows, others, err));
    if (is_large)
        return STATUS_OK;
    CHECK(runner_measure(s, is_quick ? 100 : 20000, &part, err));
    return json_put(o, "runner", part, err);
}

static status find_tools(char **program, char **tools, error_info *err) {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return error_set(err, STATUS_IO, "/proc/self/exe cannot be read: where this program lies is not known");
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    CHECK_ALLOC(*tools = text_copy(path));
    *strrchr(path, '/') = '\0';
    CHECK_ALLOC(*program = path_join(path, "bnbench"));
    return STATUS_OK;
}

static status measure(const request *r, error_info *err) {
    AUTO_FREE char *program = NULL, *tools = NULL;
    AUTO_PTR(scratch_destroy) char *scratch = NULL;
    AUTO(sheet_clear) sheet plan = {0}, peers = {0};
    AUTO_PTR(json_decref) json_t *o = NULL;
    double load = machine_load();
    status st;
    suite s;
    if (machine_is_busy(load))
        (void)fprintf(stderr, "this machine is busy (load %.1f): elapsed times will say little\n", load);
    CHECK(find_tools(&program, &tools, err));
    CHECK(sheet_read(SOURCE "/bench/plan.csv", &plan, err));
    CHECK(sheet_read(SOURCE "/bench/peers.csv", &peers, err));
    CHECK(scratch_create(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", "bnbench-bench-", &scratch, err));
    if (r->data)
        CHECK(folder_create(r->data, err));
    CHECK_ALLOC(o = head(r, load));
    s = (suite){r->profile, program, r->data ? r->data : scratch, scratch, SOURCE, tools, MOST_PEER_S};
    process_heed_signals();
    st = measure_all(&s, &plan, &peers, o, err);
    CHECK(write_json(r->output ? r->output : "-", o, st == STATUS_OK ? err : NULL)); /* whatever there is */
    return st;
}

static const char *text_in(const json_t *o, const char *key, const char *of) {
    const char *text = json_string_value(json_object_get(json_object_get(o, key), of));
    return text ? text : "";
}

/* When a row of another file was measured, by what program, and on what, unless it is the same processor. */
static status name_origin(const json_t *o, const json_t *more, json_t *row, error_info *err) {
    AUTO(text_buffer_clear) text_buffer origin = {0};
    const char *processor = text_in(more, "machine", "processor"),
               *date = json_string_value(json_object_get(more, "date"));
    bool is_here = strcmp(processor, text_in(o, "machine", "processor")) == 0;
    text_append_format(&origin, "%s%s%s, commit %s", is_here ? "" : processor, is_here ? "" : ", ", date ? date : "",
                       text_in(more, "build", "commit"));
    CHECK(text_buffer_check(&origin, err));
    return json_put(row, "origin", json_of_text(origin.data), err);
}

static bool is_same_row(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"group", "data", "learner", "options", NULL};
    return rows_agree(a, b, keys) &&
           json_integer_value(json_object_get(a, "threads")) == json_integer_value(json_object_get(b, "threads"));
}

/* What another file has measured too is left out. */
static status leave_out(json_t *rows, const json_t *of_other, error_info *err) {
    for (size_t i = json_array_size(rows); i-- > 0;) {
        if (is_same_row(json_array_get(rows, i), of_other) && json_array_remove(rows, i) != 0)
            return error_out_of_memory(err);
    }
    return STATUS_OK;
}

/* Adds the rows of another file; those that ended take the place of the same rows. */
static status join(json_t *o, const char *path, error_info *err) {
    AUTO_PTR(json_decref) json_t *more = NULL;
    size_t i;
    json_t *row;
    CHECK(json_read_file(path, 1 << 24, &more, err));
    json_array_foreach(json_object_get(more, "rows"), i, row) {
        CHECK(name_origin(o, more, row, err));
        if (row_is(row, "state", "ended"))
            CHECK(leave_out(json_object_get(o, "rows"), row, err));
    }
    if (json_array_extend(json_object_get(o, "rows"), json_object_get(more, "rows")) != 0)
        return error_set(err, STATUS_PARSE, "%s: no rows that 'bench measure' wrote", path);
    return STATUS_OK;
}

static status page(const request *r, error_info *err) {
    AUTO(sheet_clear) sheet bounds = {0}, peers = {0};
    AUTO_PTR(json_decref) json_t *o = NULL;
    CHECK(json_read_file(r->inputs[0], 1 << 24, &o, err));
    for (size_t i = 1; i < MOST_INPUTS && r->inputs[i]; i++)
        CHECK(join(o, r->inputs[i], err));
    CHECK(sheet_read(SOURCE "/bench/bounds.csv", &bounds, err));
    CHECK(sheet_read(SOURCE "/bench/peers.csv", &peers, err));
    return page_write(o, &bounds, &peers, r->output ? r->output : SOURCE "/docs", r->name, err);
}

static int usage(void) {
    (void)fprintf(stderr, "bench measure [-p quick|full|large|huge] [-d FOLDER] [-o FILE]\n"
                          "bench page FILE ... [-o FOLDER] [-n NAME]\n");
    return 2;
}

int main(int argc, char **argv) {
    request r = {.profile = "full", .name = PAGE_NAME};
    bool is_page = argc > 1 && strcmp(argv[1], "page") == 0;
    error_info err = {0};
    status st;
    int c;
    if (argc < 2 || (!is_page && strcmp(argv[1], "measure") != 0))
        return usage();
    optind = 2;
    while ((c = getopt(argc, argv, is_page ? "o:n:" : "p:d:o:")) != -1) {
        if (c == 'p')
            r.profile = optarg;
        else if (c == 'd')
            r.data = optarg;
        else if (c == 'o')
            r.output = optarg;
        else if (c == 'n')
            r.name = optarg;
        else
            return usage();
    }
    for (int i = 0; is_page && i < MOST_INPUTS && optind < argc; i++)
        r.inputs[i] = argv[optind++];
    if (optind != argc || (is_page && !r.inputs[0]))
        return usage();
    st = is_page ? page(&r, &err) : measure(&r, &err);
    if (st != STATUS_OK)
        (void)fprintf(stderr, "bench: %s\n", err.message);
    return st == STATUS_OK ? 0 : 1;
}
