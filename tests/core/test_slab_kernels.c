/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every level of the loops over slabs gives the numbers that single columns give. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/counting/slab_kernels_internal.h"

#include <stdlib.h>

enum { L = SLAB_LANES };

/* Runs of ones too. */
static uint64_t random_word(random_stream *random) {
    uint64_t word = random_next(random);
    return random_below(random, 3) ? word : UINT64_MAX;
}

static void every_level_adds_rows_up(void **state) {
    enum { ROWS = 300, MOST = 4096 + SLAB_EIGHT };
    uint64_t *rows = aligned_alloc(64, ROWS * SLAB_WORDS * 8);
    uint64_t *sums = aligned_alloc(64, SLAB_MOST_BITS * SLAB_WORDS * 8);
    uint32_t *list = calloc(MOST, sizeof *list), *out = aligned_alloc(64, L * sizeof *out);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < ROWS * SLAB_WORDS; i++)
        rows[i] = i < SLAB_WORDS ? 0 : random_word(&random); /* the first fills up */
    for (size_t level = 0; slab_kernels_level(level); level++) {
        const slab_kernels *kernels = slab_kernels_level(level);
        for (size_t round = 0; round < 200; round++) {
            size_t n = 1 + (size_t)random_below(&random, round % 4 == 0 ? 4096 : 40), n_bits = 0;
            for (size_t i = 0; i < n + SLAB_EIGHT; i++)
                list[i] = i < n ? (uint32_t)random_below(&random, ROWS) : 0;
            while (n >> n_bits > 0)
                n_bits++;
            kernels->add_rows(rows, list, (n + SLAB_EIGHT - 1) / SLAB_EIGHT * SLAB_EIGHT, n_bits, sums);
            for (size_t word = 0; word < SLAB_WORDS; word++) {
                kernels->spread(sums + word, n_bits, out);
                for (size_t lane = 0; lane < L; lane++) {
                    uint32_t sum = 0;
                    for (size_t i = 0; i < n; i++)
                        sum += (uint32_t)(rows[list[i] * SLAB_WORDS + word] >> lane & 1);
                    assert_int_equal(out[lane], sum);
                }
            }
        }
    }
    free(rows);
    free(sums);
    free(list);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_adds_rows_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
