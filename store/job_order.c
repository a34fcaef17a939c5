/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/job_order.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_data(const job_record *a, const job_record *b) {
    int by_network = strcmp(a->network, b->network);
    int by_size = compare_numbers(a->n_samples, b->n_samples);
    return by_network ? by_network : by_size ? by_size : (a->sigma > b->sigma) - (a->sigma < b->sigma);
}

int job_compare_cells(const job_record *a, const job_record *b) {
    int by_data = compare_data(a, b);
    return by_data ? by_data : strcmp(a->learner, b->learner);
}

int job_compare_stored(const job_record *a, const job_record *b) {
    int by_data = compare_data(a, b), by_replicate = compare_numbers(a->replicate, b->replicate);
    return by_data ? by_data : by_replicate ? by_replicate : strcmp(a->learner, b->learner);
}

int job_compare(const job_record *a, const job_record *b) {
    int by_cell = job_compare_cells(a, b);
    return by_cell ? by_cell : compare_numbers(a->replicate, b->replicate);
}

static int compare_places(const void *a, const void *b) {
    return job_compare(*(const job_record *const *)a, *(const job_record *const *)b);
}

const job_record **job_records_sorted(const job_record *records, size_t n) {
    const job_record **order = calloc(n + 1, sizeof *order);
    for (size_t i = 0; order && i < n; i++)
        order[i] = &records[i];
    if (order)
        qsort(order, n, sizeof *order, compare_places);
    return order;
}
