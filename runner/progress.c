/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/progress_internal.h"

#include "core/run/run_context.h"
#include "document/display.h"
#include "metrics/distances/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/ioctl.h>
#include <unistd.h>

#define REWRITE_EVERY_S 0.2
#define PRINT_EVERY_S 30.0
enum { MOST_JOBS_SHOWN = 8, MOST_BEST_SHOWN = 3, BAR_WIDTH = 24, LEAST_WIDTH = 40 };

status progress_begin(progress *p, const experiment *e, const plan *cells, const run_options *options, size_t n_to_do,
                      error_info *err) {
    *p = (progress){.e = e,
                    .plan = cells,
                    .rewrites = options->show_progress && !options->quiet,
                    .is_quiet = options->quiet,
                    .began_s = run_clock_s(),
                    .n_to_do = n_to_do,
                    .metric = e->outputs.n_tables ? e->outputs.tables[0].metric : NULL};
    p->shown_s = p->rewrites ? 0 : p->began_s;
    p->running = calloc(options->n_jobs + 1, sizeof *p->running);
    p->means = calloc(e->n_variants + 1, sizeof *p->means);
    if (p->running && p->means)
        return STATUS_OK;
    progress_end(p);
    return error_out_of_memory(err);
}

void progress_job_begins(progress *p, size_t cell) {
    p->running[p->n_running++] = (progress_job){.cell = cell, .began_s = run_clock_s()};
}

static void add_to_mean(progress *p, size_t cell, const job_record *record) {
    const double *value = record->state == JOB_DONE && p->metric ? job_record_metric(record, p->metric) : NULL;
    progress_mean *mean = &p->means[plan_cell_at(p->plan, cell).variant];
    if (!value)
        return;
    mean->sum += *value;
    mean->n++;
}

void progress_job_ends(progress *p, size_t cell, const job_record *record) {
    for (size_t i = 0; i < p->n_running; i++) {
        if (p->running[i].cell == cell) {
            memmove(&p->running[i], &p->running[i + 1], (p->n_running - i - 1) * sizeof *p->running);
            p->n_running--;
            break;
        }
    }
    if (!record)
        return;
    p->n_over++;
    add_to_mean(p, cell, record);
}

double progress_seconds_left(const progress *p) {
    if (p->n_over == 0)
        return -1;
    return (run_clock_s() - p->began_s) / (double)p->n_over * (double)(p->n_to_do - p->n_over);
}

static void append_time(text_buffer *line, double seconds) {
    if (seconds < 100)
        text_append_format(line, "%.0f s", seconds);
    else if (seconds < 6000)
        text_append_format(line, "%.0f min", seconds / 60);
    else
        text_append_format(line, "%.1f h", seconds / 3600);
}

static size_t count_over(const run_counts *c) {
    return c->done + c->failed + c->timeout + c->memory;
}

static void append_counts(const progress *p, const run_counts *c, text_buffer *line) {
    size_t over = count_over(c);
    double left = progress_seconds_left(p);
    text_append_format(line, "%zu of %zu cells (%.0f%%)", over, c->total,
                       c->total ? 100 * (double)over / (double)c->total : 100);
    if (c->failed)
        text_append_format(line, ", %zu failed", c->failed);
    if (c->timeout)
        text_append_format(line, ", %zu out of time", c->timeout);
    if (c->memory)
        text_append_format(line, ", %zu out of memory", c->memory);
    if (p->n_running)
        text_append_format(line, ", %zu running", p->n_running);
    if (left >= 0 && p->n_over < p->n_to_do) {
        text_append(line, ", ");
        append_time(line, left);
        text_append(line, " left");
    }
}

static void append_bar(const run_counts *c, text_buffer *out) {
    size_t filled = c->total ? BAR_WIDTH * count_over(c) / c->total : BAR_WIDTH;
    text_append(out, "[");
    for (size_t i = 0; i < BAR_WIDTH; i++)
        text_append(out, i < filled ? "=" : " ");
    text_append(out, "] ");
}

static size_t screen_width(void) {
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return !known ? 80 : size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

/* Lines are cut at the width of the terminal: one that wraps could not be overwritten by moving up. */
static void add_line(progress *p, text_buffer *line, size_t width, text_buffer *block) {
    char *cut = line->data && !line->failed ? display_copy_plain(line->data, width - 1) : NULL;
    if (cut) {
        text_append_format(block, "\r\033[K%s\n", cut);
        p->n_lines++;
    }
    free(cut);
    text_buffer_clear(line);
}

static void add_jobs(progress *p, size_t width, text_buffer *block) {
    double now = run_clock_s();
    for (size_t i = 0; i < p->n_running && i < MOST_JOBS_SHOWN; i++) {
        text_buffer line = {0};
        char label[256];
        text_append_format(&line, "  %s, ", plan_cell_label(p->plan, p->running[i].cell, label, sizeof label));
        append_time(&line, now - p->running[i].began_s);
        add_line(p, &line, width, block);
    }
}

static bool is_better(const metric_info *info, double a, double b) {
    return info && info->less_is_better ? a < b : a > b;
}

static double mean_of(const progress *p, size_t variant) {
    return p->means[variant].sum / (double)p->means[variant].n;
}

/* The best that has not been named: those before it are in `named`. */
static size_t find_best(const progress *p, const size_t *named, size_t n_named) {
    size_t best = p->e->n_variants;
    for (size_t v = 0; v < p->e->n_variants; v++) {
        bool is_named = p->means[v].n == 0;
        for (size_t i = 0; i < n_named; i++)
            is_named |= named[i] == v;
        if (!is_named &&
            (best == p->e->n_variants || is_better(metric_find(p->metric), mean_of(p, v), mean_of(p, best))))
            best = v;
    }
    return best;
}

static void add_best(progress *p, size_t width, text_buffer *block) {
    text_buffer line = {0};
    size_t named[MOST_BEST_SHOWN], n = 0;
    if (!p->metric)
        return;
    text_append_format(&line, "  best so far, mean %s: ", p->metric);
    for (size_t v; n < MOST_BEST_SHOWN && (v = find_best(p, named, n)) < p->e->n_variants; n++) {
        named[n] = v;
        text_append_format(&line, "%s%s %.4g", n ? ", " : "", p->e->variants[v].id, mean_of(p, v));
    }
    if (n > 0)
        add_line(p, &line, width, block);
    text_buffer_clear(&line);
}

static void append_take_away(progress *p, text_buffer *out) {
    if (p->n_lines > 0)
        text_append_format(out, "\033[%zuA\r\033[J", p->n_lines);
    p->n_lines = 0;
}

static void draw_block(progress *p, const run_counts *counts, text_buffer *out) {
    size_t width = screen_width();
    text_buffer line = {0};
    append_take_away(p, out);
    append_bar(counts, &line);
    append_counts(p, counts, &line);
    add_line(p, &line, width, out);
    add_jobs(p, width, out);
    add_best(p, width, out);
}

/* Writes the text to standard error and clears it. */
static void print(text_buffer *text) {
    if (text->data && !text->failed)
        (void)fputs(text->data, stderr);
    (void)fflush(stderr);
    text_buffer_clear(text);
}

void progress_show(progress *p, const run_counts *counts) {
    double now = run_clock_s();
    text_buffer out = {0};
    if (p->is_quiet || now - p->shown_s < (p->rewrites ? REWRITE_EVERY_S : PRINT_EVERY_S))
        return;
    p->shown_s = now;
    if (p->rewrites) {
        draw_block(p, counts, &out);
    } else {
        append_counts(p, counts, &out);
        text_append(&out, "\n");
    }
    print(&out);
}

void progress_end(progress *p) {
    text_buffer out = {0};
    append_take_away(p, &out);
    print(&out);
    free(p->running);
    free(p->means);
    p->running = NULL;
    p->means = NULL;
    p->n_running = 0;
}
