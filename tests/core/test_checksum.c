/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/checksum.h"

/* Integers of Python 3.11 with the formula of the header, modulo 2^64. */
static void sums_are_the_same_on_every_machine(void **state) {
    (void)state;
    assert_true(checksum_number(0, 1) == 0x9E3779B9E17D05ACu);
    assert_true(checksum_real(CHECKSUM_START, 0.1) == 0xB96EEFD55C29A928u);
    assert_true(checksum_bytes(CHECKSUM_START, "123456789", 9) == 0x9DAC27B5E417EE18u);
}

static void every_bit_of_a_text_counts(void **state) {
    char text[41] = "a text of forty characters, no more now.";
    (void)state;
    for (size_t n = 0; n <= 40; n++) {
        uint64_t sum = checksum_bytes(CHECKSUM_START, text, n);
        for (size_t bit = 0; bit < 8 * n; bit++) {
            text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
            assert_true(checksum_bytes(CHECKSUM_START, text, n) != sum);
            text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        }
        assert_true(checksum_bytes(CHECKSUM_START, text, n) == sum);
    }
}

static void borders_count_and_no_text_is_not_an_empty_one(void **state) {
    (void)state;
    assert_true(checksum_text(checksum_text(0, "ab"), "c") != checksum_text(checksum_text(0, "a"), "bc"));
    assert_true(checksum_bytes(0, "\0", 1) != checksum_bytes(0, "\0\0", 2));
    assert_true(checksum_text(0, NULL) != checksum_text(0, ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_the_same_on_every_machine),
        cmocka_unit_test(every_bit_of_a_text_counts),
        cmocka_unit_test(borders_count_and_no_text_is_not_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
