/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/known_pairs_internal.h"
#include "tests/support/support.h"

enum { P = 160, LANES = PAIR_BLOCK_COLUMNS };

/* Three blocks: the columns 0, 3, 6 ..., then the others, the last block with fewer. */
typedef struct {
    size_t columns[P], starts[5];
    pair_blocks blocks;
    known_pairs known;
    pair_reader reader;
} three_blocks;

static void begin(three_blocks *b) {
    error_info err = {0};
    size_t n = 0;
    for (size_t i = 0; i < P; i += 3)
        b->columns[n++] = i;
    b->starts[0] = 0;
    b->starts[1] = n;
    for (size_t i = 0; i < P; i++) {
        if (i % 3 != 0)
            b->columns[n++] = i;
    }
    b->starts[2] = b->starts[1] + LANES;
    b->starts[3] = P;
    b->blocks = (pair_blocks){b->columns, b->starts, 3};
    assert_ok(known_pairs_init(&b->known, &b->blocks, P, &err), &err);
    assert_ok(pair_reader_init(&b->reader, &b->known, &err), &err);
}

static void end(three_blocks *b) {
    pair_reader_clear(&b->reader);
    known_pairs_clear(&b->known);
}

static bool are_dependent(size_t x, size_t y) {
    size_t low = x < y ? x : y, high = x < y ? y : x;
    return (low * 31 + high * 17) % 7 == 0;
}

static uint32_t grade_of(size_t x, size_t y) {
    return (uint32_t)(x + y) % 16 * 128 + (uint32_t)(x * y) % 128;
}

static size_t columns_in(const three_blocks *b, size_t block) {
    return b->starts[block + 1] - b->starts[block];
}

static void tell(three_blocks *b, size_t block, size_t n_told) {
    static dependent_column items[LANES][P];
    candidate_list lists[LANES] = {0};
    error_info err = {0};
    for (size_t i = 0; i < columns_in(b, block); i++) {
        size_t x = b->columns[b->starts[block] + i];
        lists[i].items = items[i];
        for (size_t y = 0; y < P; y++) {
            if (x != y && are_dependent(x, y))
                items[i][lists[i].count++] = (dependent_column){(uint32_t)y, grade_of(x, y)};
        }
    }
    assert_ok(known_pairs_tell(&b->known, block, n_told, lists, &err), &err);
}

/* All that is known of x and the block, and nothing else. */
static void expect_pairs(three_blocks *b, size_t x, size_t block) {
    const known_pair *pairs = NULL;
    size_t n = 0, at = 0;
    assert_true(pair_reader_find(&b->reader, x, &pairs, &n));
    for (size_t lane = 0; lane < columns_in(b, block); lane++) {
        size_t y = b->columns[b->starts[block] + lane];
        if (!are_dependent(x, y))
            continue;
        assert_true(at < n);
        assert_int_equal(pairs[at].to, lane);
        assert_int_equal(pairs[at].grade, grade_of(x, y));
        at++;
    }
    assert_int_equal(at, n);
}

static void expect_block(three_blocks *b, size_t block, size_t n_known) {
    const known_pair *pairs = NULL;
    size_t n = 0;
    pair_reader_begin(&b->reader, block);
    for (size_t x = 0; x < P; x++) {
        if (b->known.places[x].block < n_known)
            expect_pairs(b, x, block);
        else
            assert_false(pair_reader_find(&b->reader, x, &pairs, &n));
    }
    pair_reader_end(&b->reader);
}

static void later_blocks_know_what_earlier_ones_have_found(void **state) {
    three_blocks b;
    (void)state;
    begin(&b);
    for (size_t block = 0; block < 3; block++) {
        expect_block(&b, block, block);
        tell(&b, block, 3);
    }
    assert_int_equal(b.known.n_kept, 0);
    end(&b);
}

static void a_block_that_is_begun_is_told_no_more(void **state) {
    three_blocks b;
    (void)state;
    begin(&b);
    expect_block(&b, 1, 0);
    tell(&b, 0, 3);
    assert_null(b.known.to[1]);
    expect_block(&b, 2, 1);
    end(&b);
}

static void blocks_past_the_end_are_not_told(void **state) {
    three_blocks b;
    (void)state;
    begin(&b);
    tell(&b, 0, 2);
    assert_non_null(b.known.to[1]);
    assert_null(b.known.to[2]);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_blocks_know_what_earlier_ones_have_found),
        cmocka_unit_test(a_block_that_is_begun_is_told_no_more),
        cmocka_unit_test(blocks_past_the_end_are_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
