/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/runs.h"

#include "cli/base/inputs.h"
#include "cli/base/terminal.h"
#include "cli/reports/stored_readings.h"
#include "core/base/file.h"
#include "generators/catalogue/catalogue.h"
#include "parts/figures/best_of.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void append_seconds(text_buffer *out, double s) {
    if (s < 0.5)
        text_append(out, "less than 1 s");
    else if (s < 90)
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
        text_append(out, n->is_guess ? " (perhaps " : n->seconds_left < 0.5 ? " (" : " (about ");
        append_seconds(out, n->seconds_left);
        text_append(out, ")");
    }
    text_append(out, "\n");
}

json_t *runs_counts_object(const run_counts *n) {
    return json_object_of({"total", json_of_size(n->total)}, {"done", json_of_size(n->done)},
                          {"failed", json_of_size(n->failed)}, {"timeout", json_of_size(n->timeout)},
                          {"memory", json_of_size(n->memory)}, {"running", json_of_size(n->running)},
                          {"left", json_of_size(n->left)},
                          {"seconds_left", n->seconds_left >= 0 ? json_of_double(n->seconds_left) : json_null()});
}

status runs_name_store(const char *folder, const char *name, const char *profile, char **out, error_info *err) {
    text_buffer path = {0};
    text_append_format(&path, "%s/%s%s%s", folder ? folder : "stores", name, profile ? "-" : "",
                       profile ? profile : "");
    *out = path.data;
    return text_buffer_check(&path, err);
}

json_t *runs_lines(const text_buffer *text) {
    json_t *array = json_array();
    for (const char *line = text->data ? text->data : ""; *line;) {
        size_t n = strcspn(line, "\n");
        AUTO_FREE char *copy = text_copy_n(line, n);
        if (!copy || json_add(array, json_of_text(copy), NULL) != STATUS_OK) {
            json_decref(array);
            return NULL;
        }
        line += n + (line[n] == '\n');
    }
    return array;
}

/* https://no-color.org: any value but the empty one. */
bool runs_want_bold(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/* ---- the files ---- */

/* Kinds of files, by the folder of the report that they are in; a plot has several of one name. */
static const struct {
    const char *folder, *noun;
} file_kinds[] = {{"tables/", "table"}, {"tests/", "test"}, {"plots/", "plot"}};
enum { N_FILE_KINDS = sizeof file_kinds / sizeof *file_kinds };

/* The kind of a file, by its path within the report; N_FILE_KINDS for one beside those folders. */
static size_t kind_of(const char *path) {
    size_t kind = 0;
    while (kind < N_FILE_KINDS && strncmp(path, file_kinds[kind].folder, strlen(file_kinds[kind].folder)) != 0)
        kind++;
    return kind;
}

static size_t length_without_ending(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? (size_t)(dot - path) : strlen(path);
}

/* Files of one name are one thing, and so is the list of a test's verdicts; they stand together. */
static bool belongs_to(const char *path, const char *before) {
    size_t n = before ? length_without_ending(before) : 0;
    return before && strncmp(path, before, n) == 0 &&
           (path[n] == '.' || strncmp(path + n, "-scores.", strlen("-scores.")) == 0);
}

/* "Written: 7 tables, 3 tests, 10 plots, report.md: stores/mine/report/" */
static void append_written(text_buffer *out, const report_result *r, const char *folder) {
    size_t counts[N_FILE_KINDS + 1] = {0}, start = strlen(folder) + 1;
    const char *between = "Written: ", *before = NULL;
    for (size_t i = 0; i < r->n_files; i++) {
        const char *path = r->files[i] + start;
        counts[kind_of(path)] += !belongs_to(path, before);
        before = belongs_to(path, before) ? before : path;
    }
    for (size_t k = 0; k < N_FILE_KINDS; k++) {
        if (counts[k] == 0)
            continue;
        text_append_format(out, "%s%zu %s%s", between, counts[k], file_kinds[k].noun, counts[k] == 1 ? "" : "s");
        between = ", ";
    }
    for (size_t i = 0; i < r->n_files; i++) {
        if (kind_of(r->files[i] + start) < N_FILE_KINDS)
            continue;
        text_append_format(out, "%s%s", between, r->files[i] + start);
        between = ", ";
    }
    if (r->n_files > 0)
        text_append_format(out, ": %s/\n", folder);
}

static void append_files(text_buffer *out, const report_result *r) {
    if (r->n_files > 0)
        text_append(out, "Written:\n");
    for (size_t i = 0; i < r->n_files; i++)
        text_append_format(out, "  %s\n", r->files[i]);
}

static void print(cli *c, const report_result *r, const char *folder, bool without_text) {
    text_append(&c->out, r->text.data && !without_text ? r->text.data : "");
    if (args_has(c->args, "verbose"))
        append_files(&c->out, r);
    else
        append_written(&c->out, r, folder);
    for (size_t i = 0; i < r->n_notes; i++)
        cli_say(c, "note: %s", r->notes[i]);
}

static status put(json_t *answer, const report_result *r, error_info *err) {
    return json_put_all(answer, err, {"files", json_of_texts((const char *const *)r->files, r->n_files)},
                        {"notes", json_of_texts((const char *const *)r->notes, r->n_notes)},
                        {"tests", json_loads(r->tests_json.data, 0, NULL)});
}

/* What the paper's report says first: of the experiment as it is declared, with its readings. */
static status read_front(const char *store_folder, const report_input *in, const char *published, document *out,
                         error_info *err) {
    AUTO(stored_readings_clear) stored_readings readings = {0};
    reproduction_input of;
    CHECK(stored_readings_read(store_folder, &in->e->outputs, &readings, err));
    of = stored_reading_input(in, &readings, published);
    return reproduction_add_front(&of, out, err);
}

status runs_report(cli *c, const char *store_folder, const report_files *files, json_t *answer, error_info *err) {
    AUTO_FREE char *beside = files->reading ? path_join_ending(store_folder, "report-", files->reading)
                                            : path_join(store_folder, "report"),
                   *published = NULL;
    const document_format *forms[] = {files->form, NULL};
    report_options options = {.folder = files->folder ? files->folder : beside,
                              .forms = files->form ? forms : NULL,
                              .write_csv = files->csv,
                              .write_plots = files->plots,
                              .width = terminal_width(STDOUT_FILENO),
                              .use_bold = runs_want_bold()};
    report_wish wish = {.policies = files->with_policies, .drawings = files->html};
    AUTO(report_input_clear) report_input in = {0};
    AUTO(report_result_clear) report_result report = {0};
    AUTO(document_clear) document front = {0};

    CHECK_ALLOC(beside);
    CHECK(catalogue_shipped_beside("published", &published, err));
    options.published_folder = published;
    CHECK(cli_blame(c, BLAME_INPUT, report_input_read(store_folder, files->reading, wish, &in, err)));
    if (files->html && !files->reading) {
        CHECK(cli_blame(c, BLAME_INPUT, read_front(store_folder, &in, published, &front, err)));
        options.front = front.n > 0 ? &front : NULL;
    }
    CHECK(cli_blame(c, BLAME_OUTPUT, report_write(&in, files->html, &options, &report, err)));
    if (answer)
        return put(answer, &report, err);
    print(c, &report, options.folder, files->without_text);
    return STATUS_OK;
}

static json_t *choice_object(const best_of_spec *spec, const best_of_counts *n) {
    json_t *parts = json_array();
    for (size_t i = 0; parts && i < spec->n_parts; i++)
        parts = json_with(parts,
                          json_object_of({"id", json_of_text(spec->parts[i])}, {"chosen", json_of_size(n->n_chosen[i])},
                                         {"no_result", json_of_size(n->n_unfinished[i])}));
    return json_object_of({"id", json_of_text(spec->id)}, {"by", json_of_text(spec->by)},
                          {"data_sets", json_of_size(n->n_data_sets)}, {"failed", json_of_size(n->n_failed)},
                          {"left", json_of_size(n->n_not_run)}, {"parts", parts});
}

static status add_choices(const experiment_outputs *o, const job_record *records, size_t n_records, text_buffer *lines,
                          json_t *array, error_info *err) {
    for (size_t i = 0; i < o->n_best_of; i++) {
        AUTO(best_of_counts_clear) best_of_counts n = {0};
        CHECK(best_of_count(o, &o->best_of[i], records, n_records, &n, err));
        best_of_append_counts(&o->best_of[i], &n, lines);
        text_append(lines, "\n");
        CHECK(json_add(array, choice_object(&o->best_of[i], &n), err));
    }
    return STATUS_OK;
}

status runs_read_choices(stored_run *run, text_buffer *lines, json_t **out, error_info *err) {
    job_record *records = NULL;
    size_t n_records = 0;
    status st;
    CHECK_ALLOC(*out = json_array());
    CHECK(stored_run_take_records(run, &records, &n_records, err));
    st = add_choices(&stored_run_experiment(run)->outputs, records, n_records, lines, *out, err);
    job_records_destroy(records, n_records);
    return st;
}
