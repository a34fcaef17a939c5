/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A scheduler's program, found on PATH and started without a shell, in a process group of its own. */
#ifndef BNB_RUNNER_ENGINES_HELPER_INTERNAL_H
#define BNB_RUNNER_ENGINES_HELPER_INTERNAL_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "runner/run_signals_internal.h"

#include <stdbool.h>

#include <sys/types.h>

/** Zero-initialise, but `out` and `errors`, which are -1. */
typedef struct {
    const char *name;     /* borrowed */
    run_signals *signals; /* borrowed: a signal ends the waiting */
    pid_t pid;            /* 0: it is over */
    int out, errors;      /* what it writes, in memory */
    int how;              /* wait status of one that is over */
} helper;

/** A command: its program and its arguments; borrowed. */
typedef struct {
    const char *const *words;
    size_t n; /* at least 1 */
} helper_words;

#define HELPER_WORDS(...)                                                                                              \
    ((helper_words){(const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *)})

/** It gets the signals as they were before. STATUS_MISSING: there is no such program on PATH. STATUS_IO. */
BNB_MUST_CHECK status helper_start(helper_words command, run_signals *signals, helper *h, error_info *err);

bool helper_is_over(helper *h);

/** Waits for its end; STATUS_IO where it takes longer than that, or a signal comes. */
BNB_MUST_CHECK status helper_wait(helper *h, double most_s, error_info *err);

/** What one that is over wrote, appended. STATUS_IO where it failed: the message says what it wrote to its errors. */
BNB_MUST_CHECK status helper_answer(helper *h, text_buffer *out, error_info *err);

/** Ends it, if it still runs, with what it started: SIGTERM, and SIGKILL for what stays, or when a signal comes. */
void helper_clear(helper *h);

/** All of these: runs a program that ought to answer within a minute. */
BNB_MUST_CHECK status helper_ask(helper_words command, run_signals *signals, text_buffer *out, error_info *err);

#endif
