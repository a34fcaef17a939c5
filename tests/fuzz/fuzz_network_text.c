/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for networks as text, other than BIF. */
#include "tests/fuzz/fuzz_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_format("net", data, size);
    fuzz_format("dsc", data, size);
    fuzz_format("dne", data, size);
    fuzz_format("uai", data, size);
    return 0;
}
