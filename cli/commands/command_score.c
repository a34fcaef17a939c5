/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench score: what a graph is worth on data. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/graph/equivalence.h"
#include "core/graph/graph_columns.h"
#include "metrics/scores/score.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"network", 0, "STATES", "the network (name or file) that gives the state spaces"},
    {"option", 'O', "K=V", "an option of the score: ess=10; may be repeated"},
    {"by-node", 0, NULL, "the local score of every node as well"},
    {0},
};

/* Node i of the DAG is column columns[i] of the data. */
typedef struct {
    const score_kind *kind;
    void *options;
    any_network states;
    dataset *data;
    named_graph graph;
    dag *g;
    size_t n;
    size_t *columns;
    double *local;
    double total;
} scoring;

static void clear(scoring *s) {
    any_network_clear(&s->states);
    dataset_destroy(s->data);
    named_graph_clear(&s->graph);
    dag_destroy(s->g);
    free(s->options);
    free(s->columns);
    free(s->local);
}

/* A graph that does not list its nodes stands for one on all columns. */
static status place_nodes(cli *c, scoring *s, error_info *err) {
    size_t n = s->graph.n_nodes, p = dataset_column_count(s->data);

    CHECK_ALLOC(s->columns = calloc(p + n + 1, sizeof *s->columns));
    CHECK(cli_blame(c, BLAME_INPUT, graph_columns(&s->graph, s->data, s->columns, err)));
    s->n = n;
    if (s->graph.lists_nodes && n < p)
        cli_say(c, "the graph lists %zu nodes, the data have %zu columns: the others are left out", n, p);
    if (!s->graph.lists_nodes && n < p) {
        AUTO_FREE bool *is_placed = calloc(p, sizeof *is_placed);
        CHECK_ALLOC(is_placed);
        for (size_t i = 0; i < n; i++)
            is_placed[s->columns[i]] = true;
        for (size_t k = 0; k < p; k++) {
            if (!is_placed[k])
                s->columns[s->n++] = k;
        }
    }
    return STATUS_OK;
}

static status orient(cli *c, scoring *s, error_info *err) {
    const pdag *g = s->graph.graph;
    size_t n_undirected = pdag_edge_count(g) - pdag_directed_count(g);
    status st = pdag_orient(g, &s->g, err);
    if (st != STATUS_OK)
        error_context(err, "%s", c->args->words[1]);
    else if (n_undirected > 0)
        cli_say(c, "%zu of %zu edges are undirected: scored as a DAG of the class%s", n_undirected, pdag_edge_count(g),
                s->kind->is_equivalent ? "" : " (this score differs between the DAGs of a class)");
    return cli_blame(c, BLAME_INPUT, st);
}

/* Nodes past the graph's own, columns that no edge names, have no parents. */
static status score_nodes(scoring *s, error_info *err) {
    AUTO_PTR(score_destroy) score *evaluator = NULL;
    AUTO_FREE size_t *parents = calloc(s->n + 1, sizeof *parents);

    CHECK_ALLOC(parents);
    CHECK_ALLOC(s->local = calloc(s->n + 1, sizeof *s->local));
    CHECK(score_create(s->kind, s->options, s->data, NULL, &evaluator, err));
    for (size_t i = 0; i < s->n; i++) {
        size_t n_parents = 0;
        const size_t *of = i < dag_node_count(s->g) ? dag_parents(s->g, i, &n_parents) : NULL;
        for (size_t k = 0; k < n_parents; k++)
            parents[k] = s->columns[of[k]];
        CHECK(score_node(evaluator, s->columns[i], parents, n_parents, &s->local[i], err));
        s->total += s->local[i];
    }
    return STATUS_OK;
}

static const char *node_name(const scoring *s, size_t i) {
    return dataset_variable(s->data, s->columns[i])->name;
}

static status answer(cli *c, const scoring *s, error_info *err) {
    json_t *o = c->answer = json_object(), *nodes;

    CHECK(json_put_all(o, err, {"score", json_of_text(s->kind->name)}, {"value", json_of_double(s->total)},
                       {"n", json_of_size(dataset_row_count(s->data))},
                       {"options", json_of_options(s->kind->options, s->options)}));
    if (!args_has(c->args, "by-node"))
        return STATUS_OK;
    CHECK(json_put(o, "nodes", nodes = json_object(), err));
    for (size_t i = 0; i < s->n; i++)
        CHECK(json_put(nodes, node_name(s, i), json_of_double(s->local[i]), err));
    return STATUS_OK;
}

static void print(cli *c, const scoring *s) {
    char number[32];
    size_t width = 5;
    for (size_t i = 0; i < s->n; i++) {
        size_t w = text_width(node_name(s, i));
        width = w > width ? w : width;
    }
    for (size_t i = 0; args_has(c->args, "by-node") && i < s->n; i++)
        text_append_format(&c->out, "%s%*s  %s\n", node_name(s, i), (int)(width - text_width(node_name(s, i))), "",
                           text_from_double(s->local[i], number));
    if (args_has(c->args, "by-node"))
        text_append_format(&c->out, "%-*s  ", (int)width, "total");
    text_append_format(&c->out, "%s\n", text_from_double(s->total, number));
}

static status run(cli *c, error_info *err) {
    const char *const *words = c->args->words;
    AUTO(clear) scoring s = {0};

    CHECK(cli_blame(c, BLAME_WORDS, score_kind_find(words[0], &s.kind, err)));
    CHECK_ALLOC(s.options = options_create(s.kind->options, s.kind->options_size));
    CHECK(input_options(c, "option", s.kind->options, s.options, err));
    CHECK(input_states(c, &s.states, err));
    CHECK(input_data(c, words[2], &s.states, &s.data, err));
    CHECK(input_graph_read(c, words[1], &s.graph, err));
    CHECK(place_nodes(c, &s, err));
    CHECK(orient(c, &s, err));
    CHECK(cli_blame(c, BLAME_WORK, score_nodes(&s, err)));
    if (c->json)
        return answer(c, &s, err);
    print(c, &s);
    return STATUS_OK;
}

const command command_score = {
    .run = run,
    .syntax =
        {.name = "score",
         .words = "SCORE GRAPH DATA",
         .summary = "the score of a graph on data, in nats",
         .details =
             "GRAPH is a graph CSV, a network file, or a network of the catalogue; its nodes are columns of DATA.\n"
             "A graph without a '# nodes:' line stands for one on all columns. 'bnbench list scores' names them.",
         .examples = "  bnbench sample alarm -n 1000 -o alarm.csv\n"
                     "  bnbench learn hc alarm.csv --network alarm -o learned.csv\n"
                     "  bnbench score bdeu learned.csv alarm.csv --network alarm -O ess=10\n"
                     "  bnbench score bic alarm alarm.csv --network alarm --by-node --json\n"
                     "  bnbench sample alarm -n 1000 --continuize sigma=0.35 -o noisy.csv\n"
                     "  bnbench score bge learned.csv noisy.csv -O am=1",
         .least_words = 3,
         .most_words = 3,
         .options = options},
};
