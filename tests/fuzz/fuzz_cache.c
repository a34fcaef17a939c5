/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cached data with a checksum that is right, so that what lies behind it is reached too. */
#include "core/base/checksum.h"
#include "core/data/dataset.h"
#include "runner/plan/data_cache_internal.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_COLUMNS = 3, N_ROWS = 4 };

static void look_at_values(const dataset *data) {
    for (size_t c = 0; c < N_COLUMNS; c++) {
        for (size_t row = 0; row < N_ROWS; row++) {
            if (dataset_bytes(data, c)[row] >= dataset_state_count(data, c))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a", "b", "c"};
    uint64_t sum = checksum_bytes(CHECKSUM_START, data, size);
    char *sealed = malloc(size + sizeof sum), *policy = NULL;
    dataset *read = NULL;
    double seconds = 0;
    if (!sealed)
        return 0;
    if (size)
        memcpy(sealed, data, size);
    memcpy(sealed + size, &sum, sizeof sum);
    if (data_cache_read(fuzz_file("a.data", sealed, size + sizeof sum), names, N_COLUMNS, N_ROWS, &read, &policy,
                        &seconds))
        look_at_values(read);
    dataset_destroy(read);
    free(policy);
    free(sealed);
    return 0;
}
