/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A worker's record of a job: JSON, read back by who collects it. */
#include "runner/job/record_file_internal.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    job_record r = {0};
    error_info err = {0};
    if (record_read(fuzz_file("record.json", data, size), &r, &err) == STATUS_OK) {
        if (!r.key || !r.network || !r.learner)
            abort();
    } else if (err.message[0] == '\0') {
        abort();
    }
    job_record_clear(&r);
    return 0;
}
