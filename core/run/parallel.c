/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/parallel.h"

#include "core/run/thread_start.h"

#include <stdlib.h>

typedef struct {
    parallel_work work;
    void *self;
    size_t worker;
    status result;
    error_info err;
    thread *thread;
} share;

static void run_share(void *argument) {
    share *s = argument;
    s->result = s->work(s->self, s->worker, &s->err);
}

/* How many threads there are in the end. */
static size_t start(share *shares, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!thread_start(&shares[i].thread, run_share, &shares[i]))
            return i;
    }
    return n;
}

status parallel_run(size_t n_workers, parallel_work work, void *self, error_info *err) {
    size_t n_others = n_workers > 1 ? n_workers - 1 : 0, n_started;
    share *others = n_others ? calloc(n_others, sizeof *others) : NULL;
    status st;
    if (!others)
        n_others = 0; /* no memory for them: one does it all */
    for (size_t i = 0; i < n_others; i++)
        others[i] = (share){.work = work, .self = self, .worker = i + 1};
    n_started = start(others, n_others);
    st = work(self, 0, err);
    for (size_t i = 0; i < n_started; i++) {
        thread_join(others[i].thread);
        if (st == STATUS_OK && others[i].result != STATUS_OK)
            st = error_set(err, others[i].result, "%s", others[i].err.message);
    }
    free(others);
    return st;
}
