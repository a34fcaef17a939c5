/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for packed columns: no crash, and what is taken survives being written and read again. Each input
 * is read as it is, and again with sums that fit it, from memory and from a file. */
#include "tests/support/packed_support.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_survives(const dataset *data) {
    char *file = NULL, print[DATASET_FINGERPRINT_SIZE], print_again[DATASET_FINGERPRINT_SIZE];
    size_t size = 0;
    dataset *again = NULL;
    if (dataset_pack(data, &file, &size, NULL) != STATUS_OK ||
        dataset_unpack(&(packed_source){-1, file, size}, 2, &again, NULL) != STATUS_OK ||
        dataset_fingerprint(data, print, NULL) != STATUS_OK ||
        dataset_fingerprint(again, print_again, NULL) != STATUS_OK || strcmp(print, print_again) != 0)
        abort();
    dataset_destroy(again);
    free(file);
}

static void try_to_read(const char *file, size_t size) {
    dataset *read = NULL, *lent = NULL;
    error_info err = {0};
    status st = dataset_unpack(&(packed_source){-1, file, size}, 1, &read, &err);
    if (st != STATUS_OK && err.message[0] == '\0')
        abort();
    if (unpack_from_file(file, size, 2, &lent, &err) != st)
        abort();
    if (st == STATUS_OK) {
        assert_survives(read);
        assert_survives(lent);
    }
    dataset_destroy(read);
    dataset_destroy(lent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *file = calloc(size ? size : 1, 1); /* exactly: reading past the end is seen */
    if (!file)
        return 0;
    if (size)
        memcpy(file, data, size);
    try_to_read(file, size);
    packed_mend(file, size);
    try_to_read(file, size);
    free(file);
    return 0;
}
