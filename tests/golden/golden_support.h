/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The reference values of one network: samples, graphs, scores, tests and learned graphs
 * (README.md of this folder). */
#ifndef BNB_TESTS_GOLDEN_GOLDEN_SUPPORT_H
#define BNB_TESTS_GOLDEN_GOLDEN_SUPPORT_H

#include "tests/support/csv_support.h"
#include "tests/support/oracles.h"

#include "core/base/text.h"
#include "core/data/dataset_file.h"
#include "core/graph/equivalence.h"
#include "core/graph/graph_file.h"

#include <stdio.h>

typedef struct {
    const char *name;
    bool is_continuous;
    int sizes[2]; /* rows of its samples; 0: there is no second */
} golden_network;

/** A file of the network; the sample size fills the format. NULL where the files of this network are left out. */
static inline const char *golden_file(const golden_network *net, const char *format, int n_rows) {
    char name[256];
    int length = snprintf(name, sizeof name, "%s/%s/", net->is_continuous ? "continuous" : "discrete", net->name);
    (void)snprintf(name + length, sizeof name - (size_t)length, format, n_rows);
    return golden_path(name);
}

/** The declared states of every column; n_variables is 0 for a continuous network. */
static inline variable *golden_variables(const golden_network *net, size_t *n_variables) {
    csv_table *t;
    variable *variables;
    error_info err = {0};
    *n_variables = 0;
    if (net->is_continuous)
        return NULL;
    t = read_table(golden_file(net, "states.csv", 0));
    *n_variables = csv_table_row_count(t);
    variables = calloc(*n_variables, sizeof *variables);
    for (size_t i = 0; i < *n_variables; i++) {
        char *text = text_copy(field_of(t, i, "states")), *rest = NULL;
        const char *states[64];
        size_t n = 0;
        for (char *s = strtok_r(text, "|", &rest); s; s = strtok_r(NULL, "|", &rest))
            states[n++] = s;
        assert_int_equal(n, number_of(t, i, "n_states"));
        assert_ok(variable_init_discrete(&variables[i], field_of(t, i, "node"), states, n, &err), &err);
        free(text);
    }
    csv_table_destroy(t);
    return variables;
}

static inline dataset *golden_data(const golden_network *net, int n_rows) {
    size_t n_variables;
    variable *variables = golden_variables(net, &n_variables);
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(dataset_read(golden_file(net, "data_n%d.csv.gz", n_rows),
                           &(data_reading){.given = variables, .n_given = n_variables}, &data, NULL, &err),
              &err);
    variables_destroy(variables, n_variables);
    return data;
}

/** A graph on the columns of the data. */
static inline pdag *golden_graph(const golden_network *net, const char *format, int n_rows, const dataset *data) {
    size_t p = dataset_column_count(data);
    const char **names = calloc(p, sizeof *names);
    named_graph read = {0};
    pdag *out;
    error_info err = {0};
    for (size_t i = 0; i < p; i++)
        names[i] = dataset_variable(data, i)->name;
    assert_ok(graph_read_csv(golden_file(net, format, n_rows), names, p, &read, &err), &err);
    out = read.graph;
    read.graph = NULL;
    named_graph_clear(&read);
    free(names);
    return out;
}

/** In golden_skeletons.c: what another program's PC and MMPC find. */
void pc_finds_the_edges_of_the_other_program_and_where_it_can_its_directions(void **state);
void mmpc_finds_the_skeletons_of_the_other_program(void **state);
void log_p_values_change_only_the_skeletons_that_are_known(void **state);

#endif
