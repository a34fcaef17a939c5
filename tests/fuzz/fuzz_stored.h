/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What every command that reads a store asks of it. */
#ifndef BNB_TESTS_FUZZ_FUZZ_STORED_H
#define BNB_TESTS_FUZZ_FUZZ_STORED_H

#include "runner/stored_run.h"
#include "store/store.h"

#include <stdlib.h>

static inline void fuzz_read_run(store *s) {
    AUTO_PTR(stored_run_destroy) stored_run *run = NULL;
    AUTO(text_buffer_clear) text_buffer why = {0};
    error_info err = {0};
    run_counts counts;
    if (stored_run_read(s, NULL, STORED_RUN_TEXTS | STORED_RUN_OTHERS, &run, &err) == STATUS_OK) {
        stored_run_count(run, &counts);
        (void)!stored_run_explain(run, &why, &err);
    } else if (err.message[0] == '\0') {
        abort();
    }
}

static inline void fuzz_read_store(const char *folder) {
    AUTO_PTR(store_close) store *s = NULL;
    job_record *records = NULL;
    store_run_facts facts = {0};
    error_info err = {0};
    size_t n = 0;
    if (store_open(folder, false, false, &s, &err) != STATUS_OK) {
        if (err.message[0] == '\0')
            abort();
        return;
    }
    if (store_read_all(s, true, &records, &n, &err) != STATUS_OK && err.message[0] == '\0')
        abort();
    job_records_destroy(records, n);
    if (store_last_run_facts(s, NULL, &facts, &err) == STATUS_OK)
        store_run_facts_clear(&facts);
    fuzz_read_run(s);
}

#endif
