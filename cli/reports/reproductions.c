/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/reproductions.h"

#include "cli/base/terminal.h"
#include "cli/reports/runs.h"
#include "cli/reports/stored_readings.h"
#include "generators/catalogue/catalogue.h"
#include "report/html_frame.h"
#include "report/reproduction/verdicts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A store as a reproduction is made of it. */
typedef struct {
    char *published; /* the folder of the shipped figures */
    report_input base;
    stored_readings readings;
    reproduction_input of; /* all this; made where it lies, for it points there */
} stored_reproduction;

static void stored_reproduction_clear(stored_reproduction *s) {
    report_input_clear(&s->base);
    stored_readings_clear(&s->readings);
    free(s->published);
}

static status read_reproduction(const char *store_folder, stored_reproduction *out, error_info *err) {
    CHECK(catalogue_shipped_beside("published", &out->published, err));
    CHECK(report_input_read(store_folder, NULL, (report_wish){0}, &out->base, err));
    CHECK(stored_readings_read(store_folder, &out->base.e->outputs, &out->readings, err));
    out->of = stored_reading_input(&out->base, &out->readings, out->published);
    return STATUS_OK;
}

status reproductions_write(cli *c, const char *store_folder, const char *path, error_info *err) {
    AUTO(stored_reproduction_clear) stored_reproduction stored = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};

    CHECK(cli_blame(c, BLAME_INPUT, read_reproduction(store_folder, &stored, err)));
    CHECK(cli_blame(c, BLAME_INPUT, reproduction_append(&stored.of, &text, err)));
    return cli_blame(c, BLAME_OUTPUT, cli_write(c, path, &text, err));
}

/* The stores of a page of verdicts. */
typedef struct {
    size_t n;
    stored_reproduction *stores;
} stored_reproductions;

static void stored_reproductions_clear(stored_reproductions *s) {
    for (size_t i = 0; s->stores && i < s->n; i++)
        stored_reproduction_clear(&s->stores[i]);
    free(s->stores);
}

/* No experiment counts twice. */
static status check_once(const reproduction_input *inputs, size_t i, error_info *err) {
    for (size_t k = 0; k < i; k++) {
        if (strcmp(inputs[k].of.outputs->name, inputs[i].of.outputs->name) == 0)
            return error_set(err, STATUS_INVALID, "two of the stores are of the experiment '%s'; name one of them",
                             inputs[i].of.outputs->name);
    }
    return STATUS_OK;
}

/* Below the verdicts: what stopped. */
static void add_problems(const char *const *problems, size_t n, document *d) {
    if (n > 0)
        document_add_heading(d, 2, "What could not be reproduced");
    for (size_t i = 0; i < n; i++)
        document_add_item(d, problems[i]);
}

/* As the ending of the file says. */
static status write_page(const document *d, const char *path, text_buffer *out, error_info *err) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (dot && strcmp(dot, ".html") == 0)
        return html_append_page(VERDICTS_TITLE, d, out, err);
    document_write_markdown(d, out);
    return text_buffer_check(out, err);
}

status reproductions_write_verdicts(cli *c, const char *const *store_folders, size_t n, const char *const *problems,
                                    size_t n_problems, const char *path, error_info *err) {
    AUTO(stored_reproductions_clear) stored_reproductions stored = {.n = n};
    AUTO_FREE reproduction_input *inputs = calloc(n + 1, sizeof *inputs);
    AUTO(document_clear) document d = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};

    CHECK_ALLOC(inputs);
    CHECK_ALLOC(stored.stores = calloc(n + 1, sizeof *stored.stores));
    for (size_t i = 0; i < n; i++) {
        CHECK(cli_blame(c, BLAME_INPUT, read_reproduction(store_folders[i], &stored.stores[i], err)));
        inputs[i] = stored.stores[i].of;
        CHECK(cli_blame(c, BLAME_WORDS, check_once(inputs, i, err)));
    }
    CHECK(cli_blame(c, BLAME_INPUT, verdicts_add(inputs, n, &d, err)));
    add_problems(problems, n_problems, &d);
    CHECK(write_page(&d, path, &text, err));
    return cli_blame(c, BLAME_OUTPUT, cli_write(c, path, &text, err));
}

status reproductions_print_reason(cli *c, const char *store_folder, const char *reason, error_info *err) {
    AUTO(stored_reproduction_clear) stored_reproduction stored = {0};
    AUTO(document_clear) document d = {0};

    CHECK(cli_blame(c, BLAME_INPUT, read_reproduction(store_folder, &stored, err)));
    CHECK(cli_blame(c, BLAME_INPUT, reproduction_append_reason(&stored.of, reason, &d, err)));
    document_write_text(&d, terminal_width(STDOUT_FILENO), runs_want_bold(), &c->out);
    return text_buffer_check(&c->out, err);
}
