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

status progress_begin(progress *p, const experiment *e, const plan *cells, const run_options *options, size_t n_jobs,
                      pace *taken, error_info *err) {
    *p = (progress){.e = e,
                    .plan = cells,
                    .rewrites = options->show_progress && !options->quiet,
                    .is_quiet = options->quiet,
                    .n_jobs = n_jobs,
                    .pace = taken,
                    .metric = part_list_count(&e->parts, PART_TABLE) ? part_text(&e->parts.parts[0], "metric") : NULL};
    p->shown_s = p->rewrites ? 0 : run_clock_s();
    p->running = calloc(p->n_jobs + 1, sizeof *p->running);
    p->rests = calloc(p->n_jobs + 1, sizeof *p->rests);
    p->means = calloc(e->n_variants + 1, sizeof *p->means);
    return p->running && p->rests && p->means ? STATUS_OK : error_out_of_memory(err);
}

void progress_job_begins(progress *p, size_t cell) {
    plan_cell at = plan_cell_at(p->plan, cell);
    pace_await(p->pace, at.variant, pace_group(p->plan, &at), -1);
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

/* The time is that of the whole job, with its data and metrics. One that was stopped is still to be done. */
static void tell_pace(progress *p, const progress_job *job, bool is_over) {
    plan_cell at = plan_cell_at(p->plan, job->cell);
    if (is_over)
        pace_add(p->pace, at.variant, pace_group(p->plan, &at), run_clock_s() - job->began_s);
    else
        pace_await(p->pace, at.variant, pace_group(p->plan, &at), 1);
}

void progress_job_ends(progress *p, size_t cell, const job_record *record) {
    for (size_t i = 0; i < p->n_running; i++) {
        if (p->running[i].cell != cell)
            continue;
        tell_pace(p, &p->running[i], record != NULL);
        memmove(&p->running[i], &p->running[i + 1], (p->n_running - i - 1) * sizeof *p->running);
        p->n_running--;
        break;
    }
    if (record)
        add_to_mean(p, cell, record);
}

double progress_seconds_left(const progress *p, bool *is_guess) {
    double now = run_clock_s();
    for (size_t i = 0; i < p->n_running; i++) {
        plan_cell at = plan_cell_at(p->plan, p->running[i].cell);
        p->rests[i] = (pace_cell){at.variant, pace_group(p->plan, &at), now - p->running[i].began_s};
    }
    return pace_left(p->pace, p->rests, p->n_running, p->n_jobs, is_guess);
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

/* Of what is over: 100 only where all is. */
static size_t percent(size_t over, size_t total) {
    return total ? 100 * over / total : 100;
}

static void append_time_left(const progress *p, text_buffer *line) {
    bool is_guess = false;
    double left = progress_seconds_left(p, &is_guess);
    if (left < 0)
        return;
    text_append(line, is_guess ? ", perhaps " : ", about ");
    append_time(line, left);
    text_append(line, " left");
}

static void append_counts(const progress *p, const run_counts *c, text_buffer *line) {
    size_t over = count_over(c);
    text_append_format(line, "%zu of %zu cells (%zu%%)", over, c->total, percent(over, c->total));
    if (c->failed)
        text_append_format(line, ", %zu failed", c->failed);
    if (c->timeout)
        text_append_format(line, ", %zu out of time", c->timeout);
    if (c->memory)
        text_append_format(line, ", %zu out of memory", c->memory);
    if (p->n_running)
        text_append_format(line, ", %zu running", p->n_running);
    if (over < c->total)
        append_time_left(p, line);
}

static void append_bar(const run_counts *c, text_buffer *out) {
    size_t filled = c->total ? BAR_WIDTH * count_over(c) / c->total : BAR_WIDTH;
    text_append(out, "[");
    for (size_t i = 0; i < BAR_WIDTH; i++)
        text_append(out, i < filled ? "=" : " ");
    text_append(out, "] ");
}

/* The lines of the block, of which as many count as the terminal has rows. */
typedef struct {
    size_t width, most, n;
    char *lines[REPAINT_MOST_LINES];
} block;

static block begin_block(void) {
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    block b = {.width = 80, .most = REPAINT_MOST_LINES};
    if (known)
        b.width = size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
    if (known && size.ws_row > 1 && size.ws_row <= REPAINT_MOST_LINES)
        b.most = size.ws_row - 1;
    return b;
}

/* Lines are cut at the width of the terminal: one that wraps could not be overwritten by moving up. */
static void add_line(block *b, text_buffer *line) {
    char *cut = line->data && !line->failed && b->n < b->most ? display_copy_plain(line->data, b->width - 1) : NULL;
    if (cut)
        b->lines[b->n++] = cut;
    text_buffer_clear(line);
}

static void add_jobs(const progress *p, block *b) {
    double now = run_clock_s();
    for (size_t i = 0; i < p->n_running && i < MOST_JOBS_SHOWN; i++) {
        text_buffer line = {0};
        char label[256];
        text_append_format(&line, "  %s, ", plan_cell_label(p->plan, p->running[i].cell, label, sizeof label));
        append_time(&line, now - p->running[i].began_s);
        add_line(b, &line);
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

static void add_best(const progress *p, block *b) {
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
        add_line(b, &line);
    text_buffer_clear(&line);
}

static void draw_block(progress *p, const run_counts *counts, text_buffer *out) {
    block b = begin_block();
    text_buffer line = {0};
    append_bar(counts, &line);
    append_counts(p, counts, &line);
    add_line(&b, &line);
    add_jobs(p, &b);
    add_best(p, &b);
    repaint_show(&p->screen, (const char *const *)b.lines, b.n, out);
    for (size_t i = 0; i < b.n; i++)
        free(b.lines[i]);
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
    repaint_remove(&p->screen, &out);
    print(&out);
    free(p->running);
    free(p->rests);
    free(p->means);
    p->running = NULL;
    p->rests = NULL;
    p->means = NULL;
    p->n_running = 0;
}

void progress_clear(progress *p) {
    progress_end(p);
    pace_destroy(p->pace);
    *p = (progress){0};
}
