/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/run_readings.h"

#include "cli/base/inputs.h"
#include "cli/reports/runs.h"
#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

void chosen_readings_clear(chosen_readings *r) {
    for (size_t i = 0; i < r->n; i++)
        experiment_clear(&r->experiments[i]);
    free(r->experiments);
    free(r->counts);
    *r = (chosen_readings){0};
}

/* ---- which ---- */

typedef struct {
    const experiment *e;
    chosen_readings *chosen;
} choice;

static status add_reading(void *self, const char *id, error_info *err) {
    const choice *c = self;
    AUTO(experiment_clear) experiment e = {0};
    for (size_t i = 0; i < c->chosen->n; i++) {
        if (strcmp(c->chosen->experiments[i].outputs.reading, id) == 0)
            return error_set(err, STATUS_INVALID, "--readings names '%.60s' twice", id);
    }
    CHECK(experiment_apply_reading(c->e, id, &e, err));
    CHECK(ARRAY_APPEND(c->chosen->experiments, c->chosen->n, err, e));
    e = (experiment){0};
    return STATUS_OK;
}

static status add_all(choice *c, error_info *err) {
    const experiment_outputs *o = &c->e->outputs;
    for (size_t i = 0; i < o->n_readings; i++) {
        if (!reading_is_base(&o->readings[i]))
            CHECK(add_reading(c, o->readings[i].id, err));
    }
    return c->chosen->n > 0
               ? STATUS_OK
               : error_set(err, STATUS_INVALID, "the experiment declares no readings: leave out --readings");
}

status chosen_readings_read(const experiment *e, const char *list, chosen_readings *out, error_info *err) {
    AUTO(chosen_readings_clear) chosen_readings r = {0};
    choice c = {.e = e, .chosen = &r};
    CHECK(strcmp(list, "all") == 0 ? add_all(&c, err) : input_list(list, add_reading, &c, err));
    if (r.n == 0)
        return error_set(err, STATUS_INVALID, "--readings names none: write all, or ids with commas");
    CHECK_ALLOC(r.counts = calloc(r.n + 1, sizeof *r.counts));
    *out = r;
    r = (chosen_readings){0};
    return STATUS_OK;
}

/* ---- running ---- */

status chosen_readings_run(cli *c, chosen_readings *r, const run_options *options, bool *interrupted, error_info *err) {
    for (size_t i = 0; i < r->n && !*interrupted; i++) {
        cli_say(c, "Reading '%s' (%zu of %zu):", r->experiments[i].outputs.reading, i + 1, r->n);
        CHECK(runner_run(&r->experiments[i], options, &r->counts[i], interrupted, err));
    }
    return STATUS_OK;
}

/* ---- what came of it ---- */

/* An interruption leaves readings that did not begin: they have no counts. */
static bool has_begun(const run_counts *counts) {
    return counts->total > 0;
}

void chosen_readings_append(const chosen_readings *r, text_buffer *out) {
    for (size_t i = 0; i < r->n && has_begun(&r->counts[i]); i++) {
        text_append_format(out, "Reading '%s': ", r->experiments[i].outputs.reading);
        runs_append_counts(out, &r->counts[i]);
    }
}

json_t *chosen_readings_array(const chosen_readings *r) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < r->n && has_begun(&r->counts[i]); i++)
        array = json_with(array, json_object_of({"id", json_of_text(r->experiments[i].outputs.reading)},
                                                {"cells", runs_counts_object(&r->counts[i])}));
    return array;
}

bool chosen_readings_are_complete(const chosen_readings *r) {
    for (size_t i = 0; i < r->n; i++) {
        if (r->counts[i].done < r->counts[i].total)
            return false;
    }
    return true;
}
