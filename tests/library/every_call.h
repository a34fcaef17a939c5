/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a caller of the library does that wants no file written: data, networks, graphs, learning, measures, names. */
#ifndef BNB_TESTS_LIBRARY_EVERY_CALL_H
#define BNB_TESTS_LIBRARY_EVERY_CALL_H

#include "library/bnbench.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DEMAND(call)                                                                                                   \
    do {                                                                                                               \
        if ((call) != BNB_OK) {                                                                                        \
            (void)fprintf(stderr, "%s: %s\n", #call, error.message);                                                   \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static inline bool describe_everything(void) {
    for (bnb_kind kind = BNB_LEARNERS; kind <= BNB_NETWORKS; kind++) {
        const char *name;
        for (size_t i = 0; (name = bnb_name(kind, i)); i++) {
            bnb_error error = {0};
            char *text = NULL;
            DEMAND(bnb_describe(kind, name, &text, &error));
            bnb_text_free(text);
        }
    }
    return bnb_version() && bnb_status_name(BNB_IO);
}

/* Learners that take no such data refuse them. */
static inline bool learn_with_everything(const bnb_data *data, const bnb_graph *truth) {
    const char *name;
    for (size_t i = 0; (name = bnb_name(BNB_LEARNERS, i)); i++) {
        bnb_run_options options = {.n_threads = 2};
        bnb_error error = {0};
        bnb_result *result = NULL;
        bnb_distance distance;
        if (bnb_learn(name, NULL, data, &options, &result, &error) == BNB_OK)
            DEMAND(bnb_compare(bnb_result_graph(result), truth, &distance, &error));
        bnb_result_free(result);
    }
    return true;
}

static inline bool measure(const bnb_network *net, const bnb_data *data, const bnb_graph *truth) {
    bnb_error error = {0};
    bnb_network *fitted = NULL, *parsed = NULL, *tiles = NULL;
    bnb_graph *completed = NULL;
    bnb_test_result test;
    char *text = NULL, *drawn = NULL, fingerprint[65];
    double total;
    DEMAND(bnb_score("bdeu", NULL, data, truth, &total, NULL, &error));
    DEMAND(bnb_test("g2", NULL, data, 0, 1, NULL, 0, &test, &error));
    DEMAND(bnb_fit(truth, data, NULL, "fitted", &fitted, &error));
    DEMAND(bnb_network_text(fitted, "bif", &text, &error));
    DEMAND(bnb_network_parse(text, strlen(text), "bif", &parsed, &error));
    DEMAND(bnb_network_tile(net, 2, 1, 1, &tiles, &error));
    DEMAND(bnb_graph_cpdag(truth, &completed, &error));
    DEMAND(bnb_graph_text(completed, "dot", &drawn, &error));
    DEMAND(bnb_data_fingerprint(data, fingerprint, &error));
    bnb_text_free(text);
    bnb_text_free(drawn);
    bnb_network_free(fitted);
    bnb_network_free(parsed);
    bnb_network_free(tiles);
    bnb_graph_free(completed);
    return true;
}

static inline bool call_everything(void) {
    bnb_error error = {0};
    bnb_network *net = NULL, *none = NULL;
    bnb_graph *truth = NULL;
    bnb_data *data = NULL, *real = NULL, *words = NULL;
    bool ok;
    DEMAND(bnb_network_load("asia", &net, &error));
    DEMAND(bnb_network_graph(net, &truth, &error));
    DEMAND(bnb_sample(net, 200, 1, 0, &data, &error));
    DEMAND(bnb_sample(net, 50, 1, 0.35, &real, &error));
    DEMAND(bnb_discretize("eqfreq", NULL, real, 1, &words, NULL, &error));
    ok = bnb_network_load("nosuch", &none, &error) == BNB_MISSING && describe_everything() &&
         learn_with_everything(data, truth) && learn_with_everything(real, truth) && measure(net, data, truth);
    bnb_network_free(net);
    bnb_graph_free(truth);
    bnb_data_free(data);
    bnb_data_free(real);
    bnb_data_free(words);
    return ok;
}

#endif
