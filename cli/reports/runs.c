/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/runs.h"

#include "cli/base/inputs.h"
#include "cli/base/json.h"
#include "cli/reports/report_page.h"
#include "core/base/file.h"
#include "parts/figures/best_of.h"
#include "report/reproduction/reproduction.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void append_seconds(text_buffer *out, double s) {
    if (s < 90)
        text_append_format(out, "%.0f s", s);
    else if (s < 5400)
        text_append_format(out, "%.0f min", s / 60);
    else
        text_append_format(out, "%.1f h", s / 3600);
}

void runs_append_counts(text_buffer *out, const run_counts *n) {
    text_append_format(out, "%zu of %zu cells done", n->done, n->total);
    if (n->failed > 0)
        text_append_format(out, ", %zu failed", n->failed);
    if (n->timeout > 0)
        text_append_format(out, ", %zu hit the time limit", n->timeout);
    if (n->memory > 0)
        text_append_format(out, ", %zu hit the memory limit", n->memory);
    if (n->running > 0)
        text_append_format(out, ", %zu running", n->running);
    if (n->left > 0)
        text_append_format(out, ", %zu left", n->left);
    if (n->left > 0 && n->seconds_left >= 0) {
        text_append(out, " (some ");
        append_seconds(out, n->seconds_left);
        text_append(out, ")");
    }
    text_append(out, "\n");
}

json_t *runs_counts_object(const run_counts *n) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "total", (json_int_t)n->total, "done",
                     (json_int_t)n->done, "failed", (json_int_t)n->failed, "timeout", (json_int_t)n->timeout, "memory",
                     (json_int_t)n->memory, "running", (json_int_t)n->running, "left", (json_int_t)n->left,
                     "seconds_left", n->seconds_left >= 0 ? json_of_double(n->seconds_left) : json_null());
}

json_t *runs_lines(const text_buffer *text) {
    json_t *array = json_array();
    const char *line = text->data ? text->data : "";
    while (array && *line) {
        size_t n = strcspn(line, "\n");
        char *copy = text_copy_n(line, n);
        if (!copy || json_array_append_new(array, json_of_text(copy)) != 0) {
            json_decref(array);
            array = NULL;
        }
        free(copy);
        line += n + (line[n] == '\n');
    }
    return array;
}

static size_t terminal_width(void) {
    struct winsize size = {0};
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* https://no-color.org: any value but the empty one. */
static bool wants_bold(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

typedef struct {
    experiment e;
    job_record *records;
    size_t n_records, n_planned;
    store_run_facts run;
} run_results;

static void results_clear(run_results *r) {
    experiment_clear(&r->e);
    job_records_destroy(r->records, r->n_records);
    store_run_facts_clear(&r->run);
}

status runs_read_planned(store *s, bool with_graphs, experiment *e, job_record **records, size_t *n, error_info *err) {
    char *declaration = NULL, *plan = NULL;
    status st = STATUS_OK;
    TRY(store_last_run(s, &declaration, &plan, err));
    TRY(experiment_parse(declaration, strlen(declaration), store_folder(s), e, err));
    with_graphs = with_graphs || runner_needs_graphs(e);
    TRY(runner_read_planned(s, with_graphs, records, n, err));
cleanup:
    free(declaration);
    free(plan);
    return st;
}

static bool has_policies(const experiment_outputs *o) {
    for (size_t i = 0; i < o->n_tables; i++) {
        if (o->tables[i].kind == TABLE_OF_POLICIES)
            return true;
    }
    return false;
}

static status add_policies(experiment_outputs *o, error_info *err) {
    table_spec *grown = reallocarray(o->tables, o->n_tables + 1, sizeof *grown), spec = {.kind = TABLE_OF_POLICIES};
    CHECK_ALLOC(grown);
    o->tables = grown;
    CHECK_ALLOC(spec.id = text_copy("policies"));
    grown[o->n_tables++] = spec;
    return STATUS_OK;
}

static status read_results(const char *folder, bool for_page, bool with_policies, run_results *out, error_info *err) {
    run_counts counts = {0};
    store *s = NULL;
    status st = STATUS_OK;

    TRY(store_open(folder, false, false, &s, err));
    TRY(runs_read_planned(s, for_page || with_policies, &out->e, &out->records, &out->n_records, err));
    if (with_policies && !has_policies(&out->e.outputs))
        TRY(add_policies(&out->e.outputs, err));
    if (for_page)
        TRY(report_page_add_drawings(&out->e, out->records, out->n_records, err));
    TRY(runner_read_network_facts(&out->e, err));
    TRY(store_last_run_facts(s, &out->run, err));
    TRY(runner_status(s, &counts, err));
    out->n_planned = counts.total;
cleanup:
    store_close(s);
    return st;
}

static void print(cli *c, const report_result *r) {
    text_append_bytes(&c->out, r->text.data ? r->text.data : "", r->text.length);
    if (r->n_files > 0)
        text_append(&c->out, "Written:\n");
    for (size_t i = 0; i < r->n_files; i++)
        text_append_format(&c->out, "  %s\n", r->files[i]);
    for (size_t i = 0; i < r->n_notes; i++)
        cli_say(c, "note: %s", r->notes[i]);
}

static status put(json_t *answer, const report_result *r, error_info *err) {
    CHECK(json_put(answer, "files", json_of_texts((const char *const *)r->files, r->n_files), err));
    CHECK(json_put(answer, "notes", json_of_texts((const char *const *)r->notes, r->n_notes), err));
    return json_put(answer, "tests", json_loads(r->tests_json.data, 0, NULL), err);
}

status runs_report(cli *c, const char *store_folder, const report_wish *wish, json_t *answer, error_info *err) {
    char *beside = path_join(store_folder, "report"), *published = input_shipped_folder("published");
    report_options options = {.folder = wish->folder ? wish->folder : beside,
                              .published_folder = published,
                              .write_markdown = wish->write_markdown,
                              .write_csv = wish->write_csv,
                              .write_plots = wish->write_plots,
                              .write_latex = wish->write_latex,
                              .width = terminal_width(),
                              .use_bold = wants_bold()};
    run_results results = {0};
    report_result report = {0};
    report_page page = {0};
    status st = STATUS_OK;

    TRY_ALLOC(beside);
    TRY(cli_blame(c, BLAME_INPUT, read_results(store_folder, wish->write_html, wish->with_policies, &results, err)));
    if (wish->write_html) {
        report_page_create(&results.e, &results.run, results.n_planned, &page);
        options.html = &page.facts;
    }
    TRY(cli_blame(c, BLAME_OUTPUT,
                  report_make(&results.e.outputs, results.records, results.n_records, &options, &report, err)));
    if (answer)
        st = put(answer, &report, err);
    else
        print(c, &report);
cleanup:
    report_result_clear(&report);
    report_page_clear(&page);
    results_clear(&results);
    free(beside);
    free(published);
    return st;
}

status runs_reproduction(cli *c, const char *store_folder, const char *path, error_info *err) {
    char *published = input_shipped_folder("published");
    run_results results = {0};
    text_buffer text = {0};
    status st = STATUS_OK;

    TRY(cli_blame(c, BLAME_INPUT, read_results(store_folder, false, false, &results, err)));
    reproduction_input in = {.outputs = &results.e.outputs,
                             .records = results.records,
                             .n_records = results.n_records,
                             .n_planned = results.n_planned,
                             .published_folder = published,
                             .run = &results.run,
                             .seed = results.e.seed,
                             .test_samples = results.e.test_samples,
                             .n_validation_sets = results.e.validation_sets,
                             .test_is_as_large = results.e.test_is_as_large};
    TRY(cli_blame(c, BLAME_INPUT, reproduction_append(&in, &text, err)));
    if (strcmp(path, "-") == 0)
        text_append_bytes(&c->out, text.data, text.length);
    else
        TRY(cli_blame(c, BLAME_OUTPUT, file_write(path, text.data, text.length, err)));
cleanup:
    results_clear(&results);
    text_buffer_clear(&text);
    free(published);
    return st;
}

static json_t *choice_object(const best_of_spec *spec, const best_of_counts *n) {
    json_t *parts = json_array();
    for (size_t i = 0; parts && i < spec->n_parts; i++)
        (void)json_array_append_new(parts,
                                    json_pack("{s:s, s:I, s:I}", "id", spec->parts[i], "chosen",
                                              (json_int_t)n->n_chosen[i], "no_result", (json_int_t)n->n_unfinished[i]));
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "id", spec->id, "by", spec->by, "data_sets",
                     (json_int_t)n->n_data_sets, "failed", (json_int_t)n->n_failed, "left", (json_int_t)n->n_not_run,
                     "parts", parts);
}

status runs_read_choices(store *s, text_buffer *lines, json_t **out, error_info *err) {
    run_results r = {0};
    json_t *array = json_array();
    status st = STATUS_OK;

    TRY_ALLOC(array);
    TRY(runs_read_planned(s, false, &r.e, &r.records, &r.n_records, err));
    for (size_t i = 0; i < r.e.outputs.n_best_of; i++) {
        const best_of_spec *spec = &r.e.outputs.best_of[i];
        best_of_counts n = {0};
        json_t *object;
        TRY(best_of_count(&r.e.outputs, spec, r.records, r.n_records, &n, err));
        best_of_append_counts(spec, &n, lines);
        text_append(lines, "\n");
        object = choice_object(spec, &n);
        best_of_counts_clear(&n);
        if (!object || json_array_append_new(array, object) != 0)
            TRY(error_out_of_memory(err));
    }
    *out = array;
    array = NULL;
cleanup:
    json_decref(array);
    results_clear(&r);
    return st;
}
