/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/stored_readings.h"

#include <stdlib.h>

void stored_readings_clear(stored_readings *r) {
    for (size_t i = 0; r->inputs && i < r->n; i++)
        report_input_clear(&r->inputs[i]);
    free(r->inputs);
    free(r->readings);
}

static part_context context_of(const report_input *in) {
    return (part_context){&in->e->outputs, &in->e->parts, in->records, in->n_records};
}

status stored_readings_read(const char *store_folder, const experiment_outputs *o, stored_readings *out,
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

reproduction_input stored_reading_input(const report_input *base, const stored_readings *readings,
                                        const char *published_folder) {
    return (reproduction_input){.of = context_of(base),
                                .n_readings = readings->n,
                                .readings = readings->readings,
                                .n_planned = base->n_planned,
                                .published_folder = published_folder,
                                .run = &base->facts,
                                .seed = base->e->seed,
                                .test_samples = base->e->test_samples,
                                .n_validation_sets = base->e->validation_sets,
                                .test_is_as_large = base->e->test_is_as_large,
                                .tells_seen_states = base->e->states == STATES_OBSERVED};
}
