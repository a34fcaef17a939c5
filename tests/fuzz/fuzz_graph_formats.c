/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every reader of graphs: no crash, a message where it refuses, and what is taken survives being written and read
 * again. */
#include "generators/networks/network_format.h"
#include "fuzz_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_survives(const network_format *f, const named_graph *g) {
    const char *const *names = f->graph_loses & GRAPH_LOSES_NAMES ? (const char *const *)g->names : NULL;
    text_buffer text = {0};
    named_graph again = {0};
    status st = graph_format_append(f, g, &text, NULL, NULL);
    if (st == STATUS_OK && g->n_nodes > 0) {
        if (f->parse_graph(text.data, text.length, names, g->n_nodes, &again, NULL) != STATUS_OK ||
            !pdag_is_equal(again.graph, g->graph))
            abort();
        for (size_t i = 0; i < g->n_nodes; i++) {
            if (strcmp(again.names[i], g->names[i]) != 0)
                abort();
        }
    }
    named_graph_clear(&again);
    text_buffer_clear(&text);
}

static void try_format(const network_format *f, const char *text, size_t size) {
    static const char *const some_names[] = {"a", "b", "c"};
    for (int is_named = 0; is_named < 2; is_named++) {
        error_info err = {0};
        named_graph g = {0};
        if (f->parse_graph(text, size, is_named ? some_names : NULL, is_named ? 3 : 0, &g, &err) == STATUS_OK)
            assert_survives(f, &g);
        else if (err.message[0] == '\0')
            abort();
        named_graph_clear(&g);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const network_format *f;
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    for (size_t i = 0; (f = network_format_at(i)) != NULL; i++) {
        if (f->parse_graph)
            try_format(f, text, size);
    }
    free(text);
    return 0;
}
