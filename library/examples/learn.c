/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples a network, learns it back with hill climbing, and says how far that is from the truth. */
#include <bnbench.h>
#include <stdio.h>
#include <stdlib.h>

static bnb_error error;

static void check(bnb_status status) {
    if (status == BNB_OK)
        return;
    fprintf(stderr, "%s: %s\n", bnb_status_name(status), error.message);
    exit(1);
}

int main(void) {
    const char *options[] = {"ess=1", "max_parents=4", NULL};
    bnb_network *network;
    bnb_graph *truth;
    bnb_data *data;
    bnb_result *result;
    bnb_distance distance;

    check(bnb_network_load("asia", &network, &error));
    check(bnb_network_graph(network, &truth, &error));
    check(bnb_sample(network, 2000, 1, 0, &data, &error));
    check(bnb_learn("hc", options, data, NULL, &result, &error));
    check(bnb_compare(bnb_result_graph(result), truth, &distance, &error));
    printf("%zu edges, structural Hamming distance %zu, %s %.2f\n", bnb_graph_edge_count(bnb_result_graph(result)),
           distance.shd, bnb_result_facts(result).score_name, bnb_result_facts(result).score);

    bnb_result_free(result);
    bnb_data_free(data);
    bnb_graph_free(truth);
    bnb_network_free(network);
    return 0;
}
