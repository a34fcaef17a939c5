/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/result_batch_internal.h"

#include "core/base/text.h"
#include "core/run/run_context.h"

#include <unistd.h>

#define LONGEST_S 0.1 /* that a result waits for others */

static void forget_files(result_batch *b) {
    texts_destroy(b->files, b->n_files);
    b->files = NULL;
    b->n_files = 0;
}

void result_batch_clear(result_batch *b) {
    forget_files(b);
    b->is_open = false;
}

status result_batch_open(result_batch *b, error_info *err) {
    if (!b->is_open)
        CHECK(store_begin_batch(b->store, err));
    b->is_open = true;
    return STATUS_OK;
}

status result_batch_remember(result_batch *b, const char *file, error_info *err) {
    return texts_add(&b->files, &b->n_files, file, err);
}

status result_batch_settle(result_batch *b, error_info *err) {
    if (!b->is_open)
        return STATUS_OK;
    b->is_open = false;
    CHECK(error_at(store_end_batch(b->store, err), err, store_folder(b->store)));
    b->settled_s = run_clock_s();
    for (size_t i = 0; i < b->n_files; i++)
        (void)unlink(b->files[i]);
    forget_files(b);
    return STATUS_OK;
}

status result_batch_settle_after(result_batch *b, status st, error_info *err) {
    error_info late = {0};
    status settled = result_batch_settle(b, st == STATUS_OK ? err : &late);
    return st == STATUS_OK ? settled : st;
}

status result_batch_settle_when_due(result_batch *b, error_info *err) {
    bool is_due = b->is_open && run_clock_s() - b->settled_s >= LONGEST_S;
    return is_due ? result_batch_settle(b, err) : STATUS_OK;
}
