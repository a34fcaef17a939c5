/* SPDX-License-Identifier: GPL-3.0-or-later */
/* same_stores A B: fails where two stores differ in anything that is not measured in seconds or bytes. For scripts. */
#include "tests/support/run_support.h"

int main(int argc, char **argv) {
    record_list records;
    if (argc != 3) {
        (void)fprintf(stderr, "usage: same_stores A B\n");
        return 2;
    }
    assert_same_results(argv[1], argv[2]);
    records = read_records(argv[1]);
    (void)printf("%zu results are the same\n", records.n);
    job_records_destroy(records.items, records.n);
    return 0;
}
