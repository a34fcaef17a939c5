/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a run that has not begun. */
#include "runner/plan/cells_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/runner.h"

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

static status read_store_if_there(const char *folder, record_index *records, error_info *err) {
    store *s = NULL;
    status st = folder ? store_open(folder, false, false, &s, err) : STATUS_MISSING;
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st == STATUS_OK)
        st = record_index_create(s, false, records, err);
    store_close(s);
    return st;
}

status runner_describe_plan(const experiment *e, const char *store_folder, text_buffer *out, run_counts *counts,
                            error_info *err) {
    AUTO_PTR(plan_destroy) plan *p = NULL;
    AUTO(record_index_clear) record_index records = {0};
    run_counts c = {.seconds_left = -1};
    char label[512], key[PLAN_KEY_SIZE];
    CHECK(plan_create(e, &p, err));
    CHECK(plan_load_networks(p, err));
    CHECK(read_store_if_there(store_folder, &records, err));
    for (size_t i = 0; i < plan_cell_count(p); i++) {
        const job_record *record;
        CHECK(plan_key(p, i, key, err));
        record = record_index_find(&records, key);
        text_append_format(out, "%s: ", plan_cell_label(p, i, label, sizeof label));
        describe_cell(record, e, out);
        text_append(out, "\n");
        cell_count(cell_is_due(record, e, false) ? NULL : record, &c);
    }
    CHECK(text_buffer_check(out, err));
    *counts = c;
    return STATUS_OK;
}
