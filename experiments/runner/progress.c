/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/runner/progress_internal.h"

#include "core/run_context.h"

#include <stdio.h>

#define REWRITE_EVERY_S 0.2
#define PRINT_EVERY_S 30.0

void progress_begin(progress *p, const run_options *options, size_t n_to_do) {
    *p = (progress){.rewrites = options->show_progress && !options->quiet,
                    .is_quiet = options->quiet,
                    .began_s = run_clock_s(),
                    .n_to_do = n_to_do};
    p->shown_s = p->rewrites ? 0 : p->began_s;
}

double progress_seconds_left(const progress *p) {
    if (p->n_over == 0)
        return -1;
    return (run_clock_s() - p->began_s) / (double)p->n_over * (double)(p->n_to_do - p->n_over);
}

static void append_time(text_buffer *line, double seconds) {
    if (seconds < 100)
        text_append_format(line, ", %.0f s left", seconds);
    else if (seconds < 6000)
        text_append_format(line, ", %.0f min left", seconds / 60);
    else
        text_append_format(line, ", %.1f h left", seconds / 3600);
}

static void append_counts(text_buffer *line, const run_counts *c) {
    size_t over = c->done + c->failed + c->timeout + c->memory;
    text_append_format(line, "%zu of %zu cells (%.0f%%)", over, c->total,
                       c->total ? 100 * (double)over / (double)c->total : 100);
    if (c->failed)
        text_append_format(line, ", %zu failed", c->failed);
    if (c->timeout)
        text_append_format(line, ", %zu out of time", c->timeout);
    if (c->memory)
        text_append_format(line, ", %zu out of memory", c->memory);
}

static void print(const progress *p, const run_counts *counts, size_t n_running) {
    text_buffer line = {0};
    double left = progress_seconds_left(p);
    append_counts(&line, counts);
    if (n_running)
        text_append_format(&line, ", %zu running", n_running);
    if (left >= 0 && p->n_over < p->n_to_do)
        append_time(&line, left);
    if (line.data && !line.failed)
        (void)fprintf(stderr, p->rewrites ? "\r\033[K%s" : "%s\n", line.data);
    (void)fflush(stderr);
    text_buffer_clear(&line);
}

void progress_show(progress *p, const run_counts *counts, size_t n_running) {
    double now = run_clock_s();
    if (p->is_quiet || now - p->shown_s < (p->rewrites ? REWRITE_EVERY_S : PRINT_EVERY_S))
        return;
    p->shown_s = now;
    print(p, counts, n_running);
}

void progress_end(progress *p) {
    if (p->rewrites) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
}
