/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of the program's own, a test, and a graph that is printed edge by edge. */
#include <bnbench.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000 };

int main(void) {
    static unsigned char rain[ROWS], sprinkler[ROWS], wet[ROWS];
    const char *yes_no[] = {"no", "yes"};
    bnb_column columns[] = {{"rain", 2, yes_no, rain, BNB_UINT8, 0},
                            {"sprinkler", 2, yes_no, sprinkler, BNB_UINT8, 0},
                            {"wet", 2, yes_no, wet, BNB_UINT8, 0}};
    bnb_error error;
    bnb_data *data = NULL;
    bnb_result *result = NULL;
    bnb_test_result test;
    const bnb_graph *graph;
    bnb_edge edges[3];

    srand(1);
    for (int i = 0; i < ROWS; i++) {
        rain[i] = rand() % 4 == 0;
        sprinkler[i] = rand() % 3 == 0;
        wet[i] = (rain[i] || sprinkler[i]) && rand() % 10 > 0;
    }
    if (bnb_data_create(columns, 3, ROWS, &data, &error) != BNB_OK ||
        bnb_test("g2", NULL, data, 0, 1, NULL, 0, &test, &error) != BNB_OK ||
        bnb_learn("pc", NULL, data, NULL, &result, &error) != BNB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("rain and sprinkler are %s\n", test.is_independent ? "independent" : "dependent");
    graph = bnb_result_graph(result);
    bnb_graph_edges(graph, edges);
    for (size_t i = 0; i < bnb_graph_edge_count(graph); i++)
        printf("%s %s %s\n", bnb_graph_node_name(graph, edges[i].from), edges[i].is_directed ? "->" : "--",
               bnb_graph_node_name(graph, edges[i].to));
    bnb_result_free(result);
    bnb_data_free(data);
    return 0;
}
