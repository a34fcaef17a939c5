/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of arcs over nodes that are known. */
#include "core/graph/arcs.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a", "b", "c", "d"};
    graph_arc *arcs = NULL;
    size_t n = 0;
    error_info err = {0};
    if (arcs_read_csv(fuzz_file("arcs.csv", data, size), names, 4, &arcs, &n, &err) == STATUS_OK) {
        for (size_t i = 0; i < n; i++) {
            if (arcs[i].from >= 4 || arcs[i].to >= 4 || arcs[i].from == arcs[i].to)
                abort();
        }
    } else if (err.message[0] == '\0') {
        abort();
    }
    free(arcs);
    return 0;
}
