/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A program in a fresh process: what it wrote, and what it took. */
#ifndef BNB_BENCH_SUITE_PROCESS_H
#define BNB_BENCH_SUITE_PROCESS_H

#include "core/base/status.h"

#include <stdbool.h>

typedef struct {
    double elapsed_s, cpu_s; /* of the whole process */
    double others;           /* processors that other work had meanwhile, this virtual machine's host included */
    bool is_stopped;         /* it took longer than it might, and was ended */
    int exit_status;         /* 128 + the signal where one ended it */
} process_cost;

/** How a program is started. */
typedef struct {
    const char *const *words; /* the program first, looked for on PATH; NULL ends them */
    const char *folder;       /* where it runs; NULL: here */
    const char *output;       /* a file for its standard output; NULL: nowhere */
    const char *errors;       /* a file for its standard error; NULL: nowhere */
    double most_s;            /* elapsed */
} process_call;

/** From here on SIGINT and SIGTERM end the program that runs, and then process_run returns STATUS_INVALID. */
void process_heed_signals(void);
bool process_is_over(void); /* one came */

/** Runs it to its end. STATUS_MISSING: there is no such program. STATUS_IO: it could not be started. */
BNB_MUST_CHECK status process_run(const process_call *call, process_cost *cost, error_info *err);

/** The same while another program runs, which starts first and has ended when this returns. What that one takes is
 * among the work of others. */
BNB_MUST_CHECK status process_run_beside(const process_call *other, const process_call *call, process_cost *cost,
                                         error_info *err);

#endif
