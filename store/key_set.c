/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/key_set_internal.h"

#include "core/base/checksum.h"

#include <stdlib.h>
#include <string.h>

status job_keys_at(const job_keys *k, size_t i, char key[JOB_KEY_SIZE], error_info *err) {
    if (!k->keys)
        return k->make(k->self, i, key, err);
    memcpy(key, k->keys[i], JOB_KEY_SIZE);
    return STATUS_OK;
}

void key_set_clear(key_set *set) {
    free(set->sums);
}

static int compare_sums(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static status fill(key_set *set, error_info *err) {
    AUTO_FREE uint64_t *sums = calloc(set->of->n + 1, sizeof *sums);
    char key[JOB_KEY_SIZE];
    CHECK_ALLOC(sums);
    for (size_t i = 0; i < set->of->n; i++) {
        CHECK(job_keys_at(set->of, i, key, err));
        sums[i] = checksum_text(CHECKSUM_START, key);
    }
    qsort(sums, set->of->n, sizeof *sums, compare_sums);
    set->sums = TAKE(sums);
    return STATUS_OK;
}

status key_set_has(key_set *set, const char *key, bool *out, error_info *err) {
    uint64_t sum = checksum_text(CHECKSUM_START, key);
    if (!set->sums)
        CHECK(fill(set, err));
    *out = bsearch(&sum, set->sums, set->of->n, sizeof sum, compare_sums) != NULL;
    return STATUS_OK;
}
