/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of nightly runs: what is read is read names its nights. */
#include "store/history.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    history h = {0};
    error_info err = {0};
    if (history_read(fuzz_file("history.csv", data, size), &h, &err) == STATUS_OK) {
        const night *good = history_last_good(&h);
        if (good && !history_has(&h, good->name))
            abort();
        for (size_t i = 0; i < h.n_values; i++) {
            if (h.values[i].night >= h.n_nights)
                abort();
        }
    } else if (err.message[0] == '\0') {
        abort();
    }
    history_clear(&h);
    return 0;
}
