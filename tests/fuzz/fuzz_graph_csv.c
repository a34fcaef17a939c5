/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph CSV: whatever is read must be writable, and what was written must read back as the same graph. */
#include "core/graph/graph_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const named_graph *g) {
    const char *const *names = (const char *const *)g->names;
    text_buffer csv = {0};
    named_graph again = {0};
    graph_append_csv(g->graph, names, &csv);
    if (!csv.failed) {
        if (graph_parse_csv(csv.data, csv.length, names, g->n_nodes, &again, NULL) != STATUS_OK ||
            !pdag_is_equal(again.graph, g->graph))
            abort();
    }
    named_graph_clear(&again);
    text_buffer_clear(&csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const some_names[] = {"a", "b", "c"};
    error_info err = {0};
    named_graph g = {0};
    if (graph_parse_csv((const char *)data, size, NULL, 0, &g, &err) == STATUS_OK)
        read_back(&g);
    named_graph_clear(&g);
    if (graph_parse_csv((const char *)data, size, some_names, 3, &g, &err) == STATUS_OK)
        read_back(&g);
    named_graph_clear(&g);
    return 0;
}
