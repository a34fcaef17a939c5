/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/runs.h"

#include "cli/base/inputs.h"
#include "cli/base/json.h"
#include "core/base/file.h"
#include "parts/figures/best_of.h"
#include "report/reproduction/reproduction.h"

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

status runs_report(cli *c, const char *store_folder, const report_files *files, json_t *answer, error_info *err) {
    AUTO_FREE char *beside = path_join(store_folder, "report"), *published = input_shipped_folder("published");
    const document_format *forms[] = {files->form, NULL};
    report_options options = {.folder = files->folder ? files->folder : beside,
                              .published_folder = published,
                              .forms = files->form ? forms : NULL,
                              .write_csv = files->csv,
                              .write_plots = files->plots,
                              .width = terminal_width(),
                              .use_bold = wants_bold()};
    report_wish wish = {.policies = files->with_policies, .drawings = files->html};
    AUTO(report_input_clear) report_input in = {0};
    AUTO(report_result_clear) report_result report = {0};
    status st = STATUS_OK;

    CHECK_ALLOC(beside);
    CHECK(cli_blame(c, BLAME_INPUT, report_input_read(store_folder, wish, &in, err)));
    CHECK(cli_blame(c, BLAME_OUTPUT, report_write(&in, files->html, &options, &report, err)));
    if (answer)
        st = put(answer, &report, err);
    else
        print(c, &report);
    return st;
}

status runs_reproduction(cli *c, const char *store_folder, const char *path, error_info *err) {
    AUTO_FREE char *published = input_shipped_folder("published");
    AUTO(report_input_clear) report_input in = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};

    CHECK(cli_blame(c, BLAME_INPUT, report_input_read(store_folder, (report_wish){0}, &in, err)));
    reproduction_input of = {.of = {&in.e->outputs, &in.e->parts, in.records, in.n_records},
                             .n_planned = in.n_planned,
                             .published_folder = published,
                             .run = &in.facts,
                             .seed = in.e->seed,
                             .test_samples = in.e->test_samples,
                             .n_validation_sets = in.e->validation_sets,
                             .test_is_as_large = in.e->test_is_as_large};
    CHECK(cli_blame(c, BLAME_INPUT, reproduction_append(&of, &text, err)));
    if (strcmp(path, "-") == 0)
        text_append_bytes(&c->out, text.data, text.length);
    else
        CHECK(cli_blame(c, BLAME_OUTPUT, file_write(path, text.data, text.length, err)));
    return STATUS_OK;
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

status runs_read_choices(stored_run *run, text_buffer *lines, json_t **out, error_info *err) {
    const experiment_outputs *o = &stored_run_experiment(run)->outputs;
    job_record *records = NULL;
    size_t n_records = 0;
    json_t *array = json_array();
    status st = STATUS_OK;

    TRY_ALLOC(array);
    TRY(stored_run_take_records(run, &records, &n_records, err));
    for (size_t i = 0; i < o->n_best_of; i++) {
        const best_of_spec *spec = &o->best_of[i];
        best_of_counts n = {0};
        json_t *object;
        TRY(best_of_count(o, spec, records, n_records, &n, err));
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
    job_records_destroy(records, n_records);
    return st;
}
