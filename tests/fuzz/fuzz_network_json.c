/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for pgmpy's JSON. */
#include "tests/fuzz/fuzz_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_format("pgmpy", data, size);
    return 0;
}
