/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/page_internal.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- what bounds a row ---- */

/* How many of a line's fields the row has, and one more; 0 where it is not what the line is about. */
static int fits(const page *p, size_t i, const json_t *row) {
    static const char *const keys[] = {"group", "data", "learner", "options"};
    const char *level = sheet_cell(p->bounds, i, "level");
    int n = 1;
    if (*level && !row_is(json_object_get(p->measured, "machine"), "simd", level))
        return 0;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *wanted = sheet_cell(p->bounds, i, keys[k]);
        if (!*wanted)
            continue;
        if (!row_is(row, keys[k], wanted))
            return 0;
        n++;
    }
    return n;
}

void page_append_bound(const page *p, const json_t *row, text_buffer *out) {
    size_t best = 0;
    int most = 0;
    for (size_t i = 0; i < p->bounds->n_rows; i++) {
        int n = fits(p, i, row);
        if (n > most) {
            most = n;
            best = i;
        }
    }
    if (most > 0)
        text_append_format(out, "%s (%s)", sheet_cell(p->bounds, best, "bound"),
                           sheet_cell(p->bounds, best, "profile"));
}

/* ---- pieces ---- */

static void append_learner(const json_t *row, text_buffer *out) {
    text_append_format(out, "`%s%s%s`", row_text(row, "learner"), *row_text(row, "options") ? " -O " : "",
                       row_text(row, "options"));
}

static void append_seconds(const json_t *row, const char *quantity, text_buffer *out) {
    if (row_is(row, "state", "ended"))
        append_number(out, row_median(row, quantity));
    else if (row_is(row, "state", "stopped"))
        text_append_format(out, "> %.0f", row_number(row, "limit_s"));
    else
        text_append(out, row_text(row, "state"));
}

/* "`alarm*270:1000`, 9,990 variables", and where it was not measured with the others, when. */
static void append_data(const json_t *row, text_buffer *out) {
    text_append_format(out, "`%s`", row_text(row, "data"));
    if (row_number(row, "variables") > 0) {
        text_append(out, ", ");
        append_count(out, row_number(row, "variables"));
        text_append(out, " variables");
    }
    if (*row_text(row, "origin"))
        text_append_format(out, " (%s)", row_text(row, "origin"));
}

#define FOR_ROWS_OF(group_name, p, i, row)                                                                             \
    json_array_foreach(json_object_get((p)->measured, "rows"), i, row) if (row_is(row, "group", group_name))

static size_t count(const page *p, const char *group) {
    size_t i, n = 0;
    json_t *row;
    FOR_ROWS_OF(group, p, i, row)
    n++;
    return n;
}

/* ---- sections ---- */

static void append_asked_row(const page *p, const json_t *row, text_buffer *out) {
    double asked = row_number(row, "asked_s"), elapsed = row_median(row, "elapsed_s");
    const json_t *range = json_object_get(row, "elapsed_s");
    const char *mark = isfinite(asked) && !(elapsed <= asked) ? "**" : "";
    text_append(out, "| ");
    append_data(row, out);
    text_append(out, " | ");
    append_learner(row, out);
    text_append_format(out, " | %.0f | ", row_number(row, "threads"));
    append_number(out, asked);
    text_append_format(out, " | %s", mark);
    append_seconds(row, "elapsed_s", out);
    text_append_format(out, "%s | ", mark);
    append_number(out, row_number(range, "low"));
    text_append(out, " to ");
    append_number(out, row_number(range, "high"));
    text_append(out, " | ");
    append_seconds(row, "cpu_s", out);
    text_append(out, " | ");
    append_number(out, row_number(row, "memory_bytes") / (1 << 20));
    text_append(out, " | ");
    append_count(out, row_number(row, "edges"));
    text_append(out, " | ");
    page_append_bound(p, row, out);
    text_append(out, " |\n");
}

static void append_asked_table(const page *p, const char *group, text_buffer *out) {
    size_t i;
    json_t *row;
    text_append(out, "| data | learner | threads | asked | elapsed | of runs | CPU | MiB | edges | what bounds it |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    FOR_ROWS_OF(group, p, i, row)
    append_asked_row(p, row, out);
    text_append(out, "\n");
}

void page_append_asked(const page *p, text_buffer *out) {
    if (count(p, "asked") == 0)
        return;
    text_append(out, "## What was asked, and what was measured\n\n"
                     "Seconds of learning, the median; memory of the whole process. `NETWORK*COPIES:ROWS` are tiled "
                     "copies. In bold: "
                     "slower than asked.\n\n");
    append_asked_table(p, "asked", out);
}

static void append_percentage(double share, text_buffer *out) {
    if (isfinite(share))
        text_append_format(out, "%.6g%%", 100 * share);
    else
        text_append(out, "-");
}

void page_append_large(const page *p, text_buffer *out) {
    size_t i;
    json_t *row;
    if (count(p, "large") == 0)
        return;
    text_append(out, "\n## A hundred thousand variables, and half a million\n\nMeasured with the profiles `large` and "
                     "`huge`, one run each.\n\n");
    append_asked_table(p, "large", out);
    text_append(out, "Of their edges, directions aside: the share of the network's that was found (sensitivity), and "
                     "the share of the pairs without an edge that were left apart (specificity).\n\n"
                     "| data | learner | sensitivity | specificity |\n| --- | --- | --- | --- |\n");
    FOR_ROWS_OF("large", p, i, row) {
        text_append(out, "| ");
        append_data(row, out);
        text_append(out, " | ");
        append_learner(row, out);
        text_append(out, " | ");
        append_percentage(row_number(row, "sensitivity"), out);
        text_append(out, " | ");
        append_percentage(row_number(row, "specificity"), out);
        text_append(out, " |\n");
    }
    text_append(out, "\n");
}

void page_append_sets(const page *p, text_buffer *out) {
    if (count(p, "sets") == 0)
        return;
    text_append(
        out,
        "## Public data\n\nExpression of genes, by which others report seconds (the software ramBLe); a "
        "gene's values in three states of equal frequency. `bnbench info NAME` says where a data set is to be had; "
        "\"no data\": it was not on this machine.\n\n");
    append_asked_table(p, "sets", out);
}

static void append_share(double ratio, text_buffer *out) {
    text_append_format(out, isfinite(ratio) ? "%.2f" : "-", ratio);
}

static void append_ratio(double ratio, text_buffer *out) {
    text_append_format(out, isfinite(ratio) ? ratio <= 0.6 ? "%.2f" : "**%.2f**" : "-", ratio);
}

static void append_range(const json_t *range, double unit, text_buffer *out) {
    append_number(out, row_number(range, "low") / unit);
    text_append(out, " to ");
    append_number(out, row_number(range, "high") / unit);
    text_append(out, " | ");
}

static double least_of(const json_t *row) {
    return row_number(json_object_get(row, "elapsed_s"), "low");
}

/* Of the runs on processors near each other; then of all of them, round by round, of the fastest, of two programs at
 * once, and where the processors were. */
static void append_ratios(const json_t *one, const json_t *two, text_buffer *out) {
    const json_t *near = json_object_get(two, "near");
    double n_near = row_number(near, "runs");
    append_ratio(row_median(near, "elapsed_s") / row_median(json_object_get(one, "near"), "elapsed_s"), out);
    if (n_near > 0)
        text_append_format(out, " (%.0f of %.0f)", n_near, row_number(two, "runs"));
    text_append(out, " | ");
    append_ratio(row_median(two, "elapsed_s") / row_median(one, "elapsed_s"), out);
    text_append(out, " | ");
    append_ratio(row_median(two, "of_one"), out);
    text_append(out, " | ");
    append_ratio(least_of(two) / least_of(one), out);
    text_append(out, " | ");
    append_share(row_median(one, "beside_s") / row_median(one, "elapsed_s") / 2, out);
    text_append(out, " | ");
    append_range(json_object_get(two, "round_trip_s"), 1e-9, out);
    append_range(json_object_get(two, "slowdown"), 1, out);
}

/* The row of the same learner and data on one thread, which stands in front of it. */
void page_append_threads(const page *p, text_buffer *out) {
    const json_t *one = NULL;
    size_t i;
    json_t *row;
    if (count(p, "threads") == 0)
        return;
    text_append(
        out,
        "## Two threads\n\nElapsed seconds of learning on one thread and on two, in turn. Asked: at most 0.6.\n\n"
        "The host of a virtual machine moves its processors, within seconds, and two threads are as fast as their "
        "places let them. So we look at both before and after each pair of runs. The round trip is the time, in "
        "nanoseconds, in which a line of the cache goes from one processor to the other and back: some 100 where two "
        "cores have a cache in common, 300 and more where they have none; threads that share data wait for that. The "
        "slowdown is that of fixed work on one processor while the other does the same: 1 on two cores, 1.6 and more "
        "where both are threads of one core. Near are the runs between two looks of at most 250 and 1.25; even there "
        "the host slows some runs down, of which the "
        "fastest run knows nothing. In a round: the median of the ratios of two runs that follow each other, which the "
        "host treats more alike than runs that are minutes apart. Of two programs: half the time of one thread while "
        "another program learns the same "
        "on its one thread, over the time of one alone; so much would two threads take of which each had half the work "
        "and waited for nothing.\n\n"
        "| data | learner | one | two | ratio where near (runs) | of all | in a round | of the fastest | of two "
        "programs | "
        "round trip | slowdown | same graph | what bounds it |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    FOR_ROWS_OF("threads", p, i, row) {
        if (row_number(row, "threads") == 1) {
            one = row;
            continue;
        }
        text_append_format(out, "| `%s` | ", row_text(row, "data"));
        append_learner(row, out);
        text_append(out, " | ");
        append_seconds(one, "elapsed_s", out);
        text_append(out, " | ");
        append_seconds(row, "elapsed_s", out);
        text_append(out, " | ");
        append_ratios(one, row, out);
        text_append(out, json_is_true(json_object_get(row, "same_graph"))    ? "yes"
                         : json_is_false(json_object_get(row, "same_graph")) ? "**no**"
                                                                             : "-");
        text_append(out, " | ");
        page_append_bound(p, row, out);
        text_append(out, " |\n");
    }
    text_append(out, "\n");
}

static bool is_same_task(const json_t *row, const json_t *peer) {
    static const char *const keys[] = {"data", "learner", "options", NULL};
    return rows_agree(row, peer, keys);
}

/* How many times as fast as this program ours was asked to be; NAN: nobody asked. */
static double asked_beside(const page *p, const json_t *row, const json_t *peer) {
    for (size_t i = 0; i < p->peers->n_rows; i++) {
        const char *program = sheet_cell(p->peers, i, "peer");
        double asked;
        if (row_is_of(row, p->peers, i) && strncasecmp(program, row_text(peer, "program"), strlen(program)) == 0 &&
            text_to_double(sheet_cell(p->peers, i, "asked"), &asked))
            return asked;
    }
    return NAN;
}

static void append_peer(const page *p, const json_t *row, const json_t *peer, text_buffer *out) {
    double seconds = row_number(peer, "seconds"), ratio = seconds / row_median(row, "cpu_s"),
           asked = asked_beside(p, row, peer);
    bool is_capped = row_is(peer, "kind", "stopped");
    const char *mark = isfinite(asked) && !is_capped && !(ratio >= asked) ? "**" : "";
    text_append_format(out, "%s: %s", row_text(peer, "program"), is_capped ? "> " : "");
    append_number(out, seconds);
    text_append_format(out, "%s, %s | %s%s", row_is(peer, "kind", "process") ? " with reading" : "",
                       row_text(peer, "date"), mark, is_capped ? "> " : "");
    append_number(out, ratio);
    text_append_format(out, "%s | ", mark);
    append_number(out, asked);
}

/* The first peer that gives this program, this earlier program and day is the one that speaks for all of them. */
static bool is_same_comparison(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"program", "earlier_program", "earlier_date", NULL};
    return rows_agree(a, b, keys);
}

/* Of the programs that were measured now and earlier: how much CPU they take here of what they took there. */
static void append_machines(const json_t *peers, text_buffer *out) {
    size_t i, k, n_lines = 0;
    json_t *first, *peer;
    json_array_foreach(peers, i, first) {
        double low = INFINITY, high = 0;
        size_t n = 0, n_before = 0;
        if (!json_is_number(json_object_get(first, "earlier_s")))
            continue;
        json_array_foreach(peers, k, peer) {
            if (!json_is_number(json_object_get(peer, "earlier_s")) || !is_same_comparison(peer, first))
                continue;
            double ratio = row_number(peer, "seconds") / row_number(peer, "earlier_s");
            low = fmin(low, ratio);
            high = fmax(high, ratio);
            n_before += k < i;
            n++;
        }
        if (n_before > 0)
            continue;
        if (n_lines++ == 0)
            text_append(out,
                        "Programs that were measured now and on another day, on another machine and other samples. "
                        "Some are of another version or with other options (bench/README.md). The range tells how "
                        "far a ratio across days can be trusted.\n\n"
                        "| program | then | tasks | CPU then, times CPU now |\n| --- | --- | --- | --- |\n");
        text_append_format(out, "| %s | %s, %s | %zu | ", row_text(first, "program"),
                           row_text(first, "earlier_program"), row_text(first, "earlier_date"), n);
        append_number(out, 1 / high);
        text_append(out, " to ");
        append_number(out, 1 / low);
        text_append(out, " |\n");
    }
    if (n_lines > 0)
        text_append(out, "\n");
}

void page_append_beside(const page *p, text_buffer *out) {
    const json_t *peers = json_object_get(p->measured, "peers");
    size_t i, k;
    json_t *row, *peer;
    if (count(p, "beside") == 0)
        return;
    text_append(
        out,
        "## Beside other programs\n\n"
        "CPU seconds of learning, one thread. Figures of another day than this page's were measured then, on another "
        "machine (bench/README.md) and on samples of their own from the same networks: a ratio across days is good to "
        "a "
        "factor of some 1.5 at best. Tests, priors and samples differ between programs: equal names are not equal "
        "searches. In bold: less than asked.\n\n"
        "| data | learner | CPU | another program: CPU, measured | times as fast | asked | what bounds it |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n");
    FOR_ROWS_OF("beside", p, i, row) {
        size_t n = 0;
        json_array_foreach(peers, k, peer) {
            if (!is_same_task(row, peer))
                continue;
            text_append_format(out, "| `%s` | ", row_text(row, "data"));
            append_learner(row, out);
            text_append(out, " | ");
            append_seconds(row, "cpu_s", out);
            text_append(out, " | ");
            append_peer(p, row, peer, out);
            text_append(out, " | ");
            if (n++ == 0)
                page_append_bound(p, row, out);
            text_append(out, " |\n");
        }
    }
    text_append(out, "\n");
    append_machines(peers, out);
}

/* Four cells, empty where it was not measured. */
static void append_disk(const json_t *row, double bytes, text_buffer *out) {
    const double seconds[] = {row_median(row, "disk_s"), row_median(row, "plain_s")};
    for (int i = 0; i < 4; i++) {
        double value = i < 2 ? seconds[i] : bytes / seconds[i - 2] / 1e6;
        text_append(out, " ");
        if (isfinite(value))
            append_number(out, value);
        text_append(out, " |");
    }
}

void page_append_reading(const page *p, text_buffer *out) {
    size_t i;
    json_t *row;
    if (count(p, "reading") == 0)
        return;
    text_append(out, "## Reading\n\nThe file was read before, and lies in memory. Start and end of the process are "
                     "part of the time. From the disk: the system was told to keep nothing of the file; plain is a "
                     "loop that reads the bytes and does nothing with them.\n\n"
                     "| data | bytes | threads | seconds | MB/s | asked | from the disk, seconds | plain | MB/s | "
                     "plain | what bounds it |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    FOR_ROWS_OF("reading", p, i, row) {
        double bytes = row_number(row, "bytes"), seconds = row_median(row, "read_s");
        bool is_packed = strstr(row_text(row, "data"), ":bnd") != NULL;
        text_append(out, "| ");
        append_data(row, out);
        text_append(out, " | ");
        append_count(out, bytes);
        text_append_format(out, " | %.0f | ", row_number(row, "threads"));
        append_number(out, seconds);
        text_append(out, " | ");
        append_number(out, bytes / seconds / 1e6);
        text_append_format(out, " | %s |", is_packed ? "the disk's rate" : "400");
        append_disk(row, bytes, out);
        text_append(out, " ");
        page_append_bound(p, row, out);
        text_append(out, " |\n");
    }
    text_append(out, "\n");
}

static void append_pairs(const json_t *pairs, text_buffer *out) {
    size_t i;
    json_t *level;
    text_append(out,
                "| level | ns a pair | ns a cell | roofline, ns a pair | reached |\n| --- | --- | --- | --- | --- |\n");
    json_array_foreach(json_object_get(pairs, "levels"), i, level) {
        double ns = row_number(level, "ns_a_pair"), roofline = row_number(level, "roofline_ns");
        text_append_format(out, "| %s | %.2f | %.2f | %.2f | %.0f%% |\n", row_text(level, "level"), ns,
                           ns / row_number(pairs, "cells"), roofline, 100 * roofline / ns);
    }
    text_append(out, "\n");
}

static void append_tables(const json_t *tables, text_buffer *out) {
    static const char *const keys[] = {"auto_ns", "bits_ns", "histogram_ns", "sparse_ns"};
    size_t i;
    json_t *t;
    text_append(out, "Tables given other columns, three states each, nanoseconds a table by the way of counting; "
                     "`auto` is what learners get.\n\n"
                     "| rows | given | cells | auto | ns a cell | bits | histogram | sparse |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    json_array_foreach(tables, i, t) {
        double cells = row_number(t, "cells");
        text_append(out, "| ");
        append_count(out, row_number(t, "rows"));
        text_append_format(out, " | %.0f | ", row_number(t, "given"));
        append_count(out, cells);
        for (size_t k = 0; k < 4; k++) {
            text_append(out, " | ");
            append_number(out, row_number(t, keys[k]));
            if (k == 0) {
                text_append(out, " | ");
                append_number(out, row_number(t, keys[k]) / cells);
            }
        }
        text_append(out, " |\n");
    }
    text_append(out, "\n");
}

static void append_pairs_section(const json_t *pairs, text_buffer *out) {
    text_append(out, "All pairs of ");
    append_count(out, row_number(pairs, "columns"));
    text_append_format(
        out,
        " columns of %.0f states, %.0f rows, each counted and decided by G2 on one thread, clock %.2f "
        "GHz. The roofline is an AND, a count of ones and an addition for each word, over the rate at "
        "which this processor does them on registers alone, measured in the same minute; deciding is "
        "no part of it. One look-up of avx2 finds what an AND and a count of ones do, so that it can pass "
        "this roofline. A pair has %.0f cells that are counted; the others follow from its margins.\n\n",
        row_number(pairs, "states"), row_number(pairs, "rows"), row_number(pairs, "clock_ghz"),
        row_number(pairs, "cells"));
    append_pairs(pairs, out);
}

void page_append_kernels(const page *p, text_buffer *out) {
    const json_t *kernels = json_object_get(p->measured, "kernels"), *pairs = json_object_get(kernels, "pairs");
    const json_t *tables = json_object_get(kernels, "tables");
    if (json_is_object(pairs) || json_is_array(tables))
        text_append(out, "## Kernels\n\n");
    if (json_is_object(pairs))
        append_pairs_section(pairs, out);
    if (json_is_array(tables))
        append_tables(tables, out);
}

void page_append_runner(const page *p, text_buffer *out) {
    const json_t *runner = json_object_get(p->measured, "runner");
    double jobs = row_number(runner, "jobs");
    if (!json_is_object(runner))
        return;
    text_append(out, "## What the runner adds to a job\n\nAn experiment of ");
    append_count(out, jobs);
    text_append_format(out,
                       " jobs that learn nothing (`empty` on 50 rows of asia), %s at once: %.1f s elapsed, %.1f s of "
                       "CPU; %.2f ms elapsed a job, "
                       "%.2f ms of CPU. Each job is a process of its own, and its result is in the store before the "
                       "next starts in its place.\n",
                       row_text(runner, "at_once"), row_number(runner, "elapsed_s"), row_number(runner, "cpu_s"),
                       1e3 * row_number(runner, "elapsed_s") / jobs, 1e3 * row_number(runner, "cpu_s") / jobs);
}
