/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for networks in XML: XMLBIF and XDSL. */
#include "tests/fuzz/fuzz_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_format("xmlbif", data, size);
    fuzz_format("xdsl", data, size);
    return 0;
}
