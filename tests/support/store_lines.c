/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store_lines STORE: a line for each result, in an order of their own, of all that is not measured in seconds or bytes:
 * graph, counters, metrics to the last bit. store_lines --sums STORE: a line for each learner with a checksum of its
 * graphs, its counters, and its metrics to nine digits, which do not hang on a processor's or a C library's last bit.
 */
#include "tests/support/run_support.h"

#include "core/base/checksum.h"

static int by_cell(const void *a, const void *b) {
    const job_record *x = a, *y = b;
    int order = strcmp(x->learner, y->learner);
    order = order ? order : strcmp(x->network, y->network);
    order = order ? order : (x->n_samples > y->n_samples) - (x->n_samples < y->n_samples);
    return order ? order : (x->replicate > y->replicate) - (x->replicate < y->replicate);
}

static void print_statistics(const statistics_count *c, text_buffer *out) {
    text_append_format(out, " %llu/%llu/%llu", (unsigned long long)c->requests, (unsigned long long)c->computed,
                       (unsigned long long)c->skipped);
}

static void append_result(const job_record *r, const char *number, text_buffer *out) {
    text_append_format(out, "%s %s %llu %llu %s %s %s %llx", r->learner, r->network, (unsigned long long)r->n_samples,
                       (unsigned long long)r->replicate, job_state_name(r->state), r->graph_kind ? r->graph_kind : "-",
                       r->fingerprint, (unsigned long long)checksum_text(CHECKSUM_START, r->graph));
    print_statistics(&r->tests, out);
    print_statistics(&r->scores, out);
    for (size_t i = 0; i < r->n_metrics; i++) {
        const metric_value *m = &r->metrics[i];
        char value[64];
        if (is_measured(m->name))
            continue;
        (void)snprintf(value, sizeof value, number, m->value); /* one of the two formats below */
        text_append_format(out, " %s=%s", m->name, value);
    }
    text_append(out, "\n");
}

int main(int argc, char **argv) {
    bool sums = argc == 3 && strcmp(argv[1], "--sums") == 0;
    record_list all;
    if (argc != 2 + sums) {
        (void)fprintf(stderr, "usage: store_lines [--sums] STORE\n");
        return 2;
    }
    all = read_records(argv[argc - 1]);
    qsort(all.items, all.n, sizeof *all.items, by_cell);
    for (size_t i = 0; i < all.n;) {
        text_buffer lines = {0};
        const char *name = all.items[i].learner;
        for (; i < all.n && strcmp(all.items[i].learner, name) == 0; i++)
            append_result(&all.items[i], sums ? "%.9g" : "%a", &lines);
        if (sums)
            (void)printf("%s %016llx\n", name, (unsigned long long)checksum_text(CHECKSUM_START, lines.data));
        else
            (void)fputs(lines.data, stdout);
        text_buffer_clear(&lines);
    }
    job_records_destroy(all.items, all.n);
    return 0;
}
