/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a run that has not begun. */
#include "runner/plan/cells_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/runner.h"

#include <stdlib.h>

static void describe_cell(const job_record *record, const experiment *e, text_buffer *out) {
    bool is_due = cell_is_due(record, e, false);
    if (!record)
        text_append(out, "to run");
    else if (is_due)
        text_append_format(out, "to run again (%s under a lower limit)", job_state_name(record->state));
    else
        text_append(out, job_state_name(record->state));
    if (record && !is_due && record->state != JOB_DONE)
        text_append(out, " (stays)");
}

static status read_store_if_there(const char *folder, const job_keys *of, record_index *records, error_info *err) {
    store *s = NULL;
    status st = folder ? store_open(folder, false, false, &s, err) : STATUS_MISSING;
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st == STATUS_OK)
        st = record_index_create(s, of, false, records, err);
    store_close(s);
    return st;
}

status runner_describe_plan(const experiment *e, const char *store_folder, text_buffer *out, run_counts *counts,
                            error_info *err) {
    AUTO_PTR(plan_destroy) plan *p = NULL;
    AUTO(record_index_clear) record_index records = {0};
    run_counts c = {.seconds_left = -1};
    AUTO_FREE char(*keys)[PLAN_KEY_SIZE] = NULL;
    char label[512];
    CHECK(plan_create(e, &p, err));
    CHECK(plan_load_networks(p, err));
    CHECK(plan_keys(p, &keys, err));
    CHECK(read_store_if_there(store_folder, &(job_keys){keys, plan_cell_count(p)}, &records, err));
    for (size_t i = 0; i < plan_cell_count(p); i++) {
        const job_record *record = record_index_find(&records, keys[i]);
        text_append_format(out, "%s: ", plan_cell_label(p, i, label, sizeof label));
        describe_cell(record, e, out);
        text_append(out, "\n");
        cell_count(cell_is_due(record, e, false) ? NULL : record, &c);
    }
    CHECK(text_buffer_check(out, err));
    *counts = c;
    return STATUS_OK;
}
