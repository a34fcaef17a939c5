/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/reproductions.h"

#include "cli/base/terminal.h"
#include "cli/reports/runs.h"
#include "generators/catalogue/catalogue.h"
#include "report/report_input.h"
#include "report/reproduction/reproduction.h"
#include "report/reproduction/verdicts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The readings of an experiment that its store has results of. */
typedef struct {
    size_t n;
    report_input *inputs;
    reproduction_reading *readings;
} stored_readings;

static void stored_readings_clear(stored_readings *r) {
    for (size_t i = 0; r->inputs && i < r->n; i++)
        report_input_clear(&r->inputs[i]);
    free(r->inputs);
    free(r->readings);
}

static part_context context_of(const report_input *in) {
    return (part_context){&in->e->outputs, &in->e->parts, in->records, in->n_records};
}

static status read_readings(const char *store_folder, const experiment_outputs *o, stored_readings *out,
                            error_info *err) {
    CHECK_ALLOC(out->inputs = calloc(o->n_readings + 1, sizeof *out->inputs));
    CHECK_ALLOC(out->readings = calloc(o->n_readings + 1, sizeof *out->readings));
    for (size_t i = 0; i < o->n_readings; i++) {
        report_input *in = &out->inputs[out->n];
        error_info absent = {0};
        status st = report_input_read(store_folder, o->readings[i].id, (report_wish){0}, in, &absent);
        if (st == STATUS_MISSING)
            continue;
        if (st != STATUS_OK)
            return error_set(err, st, "%s", absent.message);
        out->readings[out->n++] = (reproduction_reading){.id = o->readings[i].id, .of = context_of(in)};
    }
    return STATUS_OK;
}

/* A store as a reproduction is made of it. */
typedef struct {
    report_input base;
    stored_readings readings;
} stored_reproduction;

static void stored_reproduction_clear(stored_reproduction *s) {
    report_input_clear(&s->base);
    stored_readings_clear(&s->readings);
}

static status read_reproduction(const char *store_folder, stored_reproduction *out, error_info *err) {
    CHECK(report_input_read(store_folder, NULL, (report_wish){0}, &out->base, err));
    return read_readings(store_folder, &out->base.e->outputs, &out->readings, err);
}

static reproduction_input reproduction_of(const stored_reproduction *s, const char *published_folder) {
    return (reproduction_input){.of = context_of(&s->base),
                                .n_readings = s->readings.n,
                                .readings = s->readings.readings,
                                .n_planned = s->base.n_planned,
                                .published_folder = published_folder,
                                .run = &s->base.facts,
                                .seed = s->base.e->seed,
                                .test_samples = s->base.e->test_samples,
                                .n_validation_sets = s->base.e->validation_sets,
                                .test_is_as_large = s->base.e->test_is_as_large,
                                .tells_seen_states = s->base.e->states == STATES_OBSERVED};
}

status reproductions_write(cli *c, const char *store_folder, const char *path, error_info *err) {
    AUTO_FREE char *published = catalogue_shipped_beside("published");
    AUTO(stored_reproduction_clear) stored_reproduction stored = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};
    reproduction_input of;

    CHECK(cli_blame(c, BLAME_INPUT, read_reproduction(store_folder, &stored, err)));
    of = reproduction_of(&stored, published);
    CHECK(cli_blame(c, BLAME_INPUT, reproduction_append(&of, &text, err)));
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
static void append_problems(const char *const *problems, size_t n, text_buffer *out) {
    AUTO(document_clear) document d = {0};
    if (n == 0)
        return;
    document_add_heading(&d, 2, "What could not be reproduced");
    for (size_t i = 0; i < n; i++)
        document_add_item(&d, problems[i]);
    document_write_markdown(&d, out);
}

status reproductions_write_verdicts(cli *c, const char *const *store_folders, size_t n, const char *const *problems,
                                    size_t n_problems, const char *path, error_info *err) {
    AUTO_FREE char *published = catalogue_shipped_beside("published");
    AUTO(stored_reproductions_clear) stored_reproductions stored = {.n = n};
    AUTO_FREE reproduction_input *inputs = calloc(n + 1, sizeof *inputs);
    AUTO(text_buffer_clear) text_buffer text = {0};

    CHECK_ALLOC(inputs);
    CHECK_ALLOC(stored.stores = calloc(n + 1, sizeof *stored.stores));
    for (size_t i = 0; i < n; i++) {
        CHECK(cli_blame(c, BLAME_INPUT, read_reproduction(store_folders[i], &stored.stores[i], err)));
        inputs[i] = reproduction_of(&stored.stores[i], published);
        CHECK(cli_blame(c, BLAME_WORDS, check_once(inputs, i, err)));
    }
    CHECK(cli_blame(c, BLAME_INPUT, verdicts_append(inputs, n, &text, err)));
    append_problems(problems, n_problems, &text);
    return cli_blame(c, BLAME_OUTPUT, cli_write(c, path, &text, err));
}

status reproductions_print_reason(cli *c, const char *store_folder, const char *reason, error_info *err) {
    AUTO_FREE char *published = catalogue_shipped_beside("published");
    AUTO(stored_reproduction_clear) stored_reproduction stored = {0};
    AUTO(document_clear) document d = {0};
    reproduction_input of;

    CHECK(cli_blame(c, BLAME_INPUT, read_reproduction(store_folder, &stored, err)));
    of = reproduction_of(&stored, published);
    CHECK(cli_blame(c, BLAME_INPUT, reproduction_append_reason(&of, reason, &d, err)));
    document_write_text(&d, terminal_width(STDOUT_FILENO), runs_want_bold(), &c->out);
    return text_buffer_check(&c->out, err);
}
