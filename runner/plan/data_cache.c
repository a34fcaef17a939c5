/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/data_cache_internal.h"

#include "core/base/checksum.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "discretizers/base/policy.h"

#include <stdlib.h>
#include <string.h>

/* The start of a file. Then come the counts of states of the columns (uint32_t), the columns, a byte a value, the text
 * of the thresholds, and the checksum of all before it (uint64_t). */
typedef struct {
    char mark[8];
    uint64_t n_rows, n_columns, policy_length;
    double discretize_s;
} cache_head;

static const char mark[8] = "BNBDATA2";
enum { MOST_STATES = 256 };

/* Of what stands before the thresholds. */
static size_t data_size(size_t n_rows, size_t n_columns) {
    return sizeof(cache_head) + n_columns * sizeof(uint32_t) + n_columns * n_rows;
}

static bool is_plain(const dataset *data) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        if (dataset_state_count(data, c) == 0 || dataset_state_count(data, c) > MOST_STATES)
            return false;
    }
    return true;
}

status data_cache_write(const char *path, const dataset *data, const char *policy, double discretize_s,
                        error_info *err) {
    size_t n_rows = dataset_row_count(data), n = dataset_column_count(data), length = strlen(policy);
    size_t size = data_size(n_rows, n) + length;
    cache_head head = {.n_rows = n_rows, .n_columns = n, .policy_length = length, .discretize_s = discretize_s};
    AUTO_FREE char *bytes = NULL;
    uint64_t sum;
    char *at;
    if (!is_plain(data))
        return STATUS_OK;
    CHECK_ALLOC(bytes = malloc(size + sizeof sum));
    memcpy(head.mark, mark, sizeof mark);
    memcpy(bytes, &head, sizeof head);
    at = bytes + sizeof head;
    for (size_t c = 0; c < n; c++, at += sizeof(uint32_t)) {
        uint32_t n_states = (uint32_t)dataset_state_count(data, c);
        memcpy(at, &n_states, sizeof n_states);
    }
    for (size_t c = 0; c < n; c++, at += n_rows)
        memcpy(at, dataset_bytes(data, c), n_rows);
    memcpy(at, policy, (size_t)(bytes + size - at));
    sum = checksum_bytes(CHECKSUM_START, bytes, size);
    memcpy(bytes + size, &sum, sizeof sum);
    return file_write(path, bytes, size + sizeof sum, err);
}

/* True for a file of this size and shape whose checksum is right. */
static bool fits(const char *bytes, size_t length, const cache_head *head, size_t n_columns, size_t n_rows) {
    size_t data = data_size(n_rows, n_columns);
    uint64_t sum;
    if (memcmp(head->mark, mark, sizeof mark) != 0 || head->n_rows != n_rows || head->n_columns != n_columns ||
        length < data + sizeof sum || head->policy_length != length - data - sizeof sum)
        return false;
    memcpy(&sum, bytes + length - sizeof sum, sizeof sum);
    return checksum_bytes(CHECKSUM_START, bytes, length - sizeof sum) == sum;
}

static status make_variables(const char *counts, const char *const *names, size_t n, variable *out, error_info *err) {
    for (size_t c = 0; c < n; c++) {
        uint32_t n_states;
        memcpy(&n_states, counts + c * sizeof n_states, sizeof n_states);
        if (n_states == 0 || n_states > MOST_STATES)
            return error_set(err, STATUS_INVALID, "a column of %u states", (unsigned)n_states);
        CHECK(policy_number_states(&out[c], names[c], n_states, err));
    }
    return STATUS_OK;
}

/* False where a value is no state: then the file is not used. */
static bool fill(dataset *data, const char *values) {
    size_t n_rows = dataset_row_count(data);
    for (size_t c = 0; c < dataset_column_count(data); c++, values += n_rows) {
        uint8_t *to = dataset_build_bytes(data, c);
        for (size_t row = 0; row < n_rows; row++) {
            to[row] = (uint8_t)values[row];
            if (to[row] >= dataset_state_count(data, c))
                return false;
        }
    }
    return true;
}

static status read_data(const char *bytes, const char *const *names, size_t n_columns, size_t n_rows, dataset **out,
                        error_info *err) {
    const char *counts = bytes + sizeof(cache_head);
    variable *variables = calloc(n_columns, sizeof *variables);
    dataset *data = NULL;
    status st = STATUS_OK;
    TRY_ALLOC(variables);
    TRY(make_variables(counts, names, n_columns, variables, err));
    TRY(dataset_create(variables, n_columns, n_rows, &data, err));
    if (is_plain(data) && fill(data, counts + n_columns * sizeof(uint32_t))) {
        *out = TAKE(data);
    }
cleanup:
    variables_destroy(variables, n_columns);
    dataset_destroy(data);
    return st;
}

bool data_cache_read(const char *path, const char *const *names, size_t n_columns, size_t n_rows, dataset **out,
                     char **policy, double *discretize_s) {
    AUTO_FREE char *bytes = NULL, *text = NULL;
    size_t length = 0;
    cache_head head;
    error_info none;
    *out = NULL;
    if (!file_exists(path) || file_read(path, FILE_READ_MOST, &bytes, &length, &none) != STATUS_OK ||
        length < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    if (!fits(bytes, length, &head, n_columns, n_rows))
        return false;
    text = text_copy_n(bytes + data_size(n_rows, n_columns), head.policy_length);
    if (!text || read_data(bytes, names, n_columns, n_rows, out, &none) != STATUS_OK || !*out)
        return false;
    *policy = TAKE(text);
    *discretize_s = head.discretize_s;
    return true;
}
