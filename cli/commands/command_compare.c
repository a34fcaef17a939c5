/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench compare: how far a graph is from the true one. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/name_index.h"
#include "metrics/distances/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"metrics", 0, "A,B,...", "only these; 'bnbench list metrics' names those that need\nthe truth (all of them)"},
    {0},
};

typedef struct {
    cli *c;
    named_graph learned, truth;
    size_t n_names;
    char **names; /* of both graphs together */
    graph_distance distance;
    size_t n_chosen;
    const metric_info **chosen;
} comparison;

static void clear(comparison *k) {
    named_graph_clear(&k->learned);
    named_graph_clear(&k->truth);
    free(k->names);
    free(k->chosen);
}

static bool is_of_two_graphs(const metric_info *m) {
    return m && m->of_distance;
}

static status choose(void *self, const char *part, error_info *err) {
    comparison *k = self;
    const metric_info *m = metric_find(part);
    const char *near;
    for (size_t i = 0; i < k->n_chosen; i++) {
        if (k->chosen[i] == m)
            return STATUS_OK;
    }
    if (is_of_two_graphs(m)) {
        k->chosen[k->n_chosen++] = m;
        return STATUS_OK;
    }
    near = metric_suggest(part);
    if (!m && near && is_of_two_graphs(metric_find(near)))
        return error_set(err, STATUS_INVALID, "no metric of two graphs is called '%s'; did you mean '%s'?", part, near);
    return error_set(err, STATUS_INVALID, "no metric of two graphs is called '%s'", part);
}

static status choose_listed(comparison *k, error_info *err) {
    const char *list = args_value(k->c->args, "metrics");
    size_t n = 0;
    while (metric_at(n))
        n++;
    CHECK_ALLOC(k->chosen = calloc(n + 1, sizeof *k->chosen));
    return list ? input_list(list, choose, k, err) : STATUS_OK;
}

static bool is_skeleton(const named_graph *g) {
    return g->has_kind && g->kind == GRAPH_SKELETON;
}

/* A skeleton has the metrics of skeletons alone. */
static bool applies(const comparison *k, const metric_info *m) {
    return !m->needs_directions || !(is_skeleton(&k->learned) || is_skeleton(&k->truth));
}

static void choose_all(comparison *k) {
    const metric_info *m;
    for (size_t i = 0; (m = metric_at(i)); i++) {
        if (is_of_two_graphs(m) && applies(k, m))
            k->chosen[k->n_chosen++] = m;
    }
}

/* NAN where the metric does not apply or has nothing to divide by. */
static double value_of(const comparison *k, const metric_info *m) {
    return applies(k, m) ? m->of_distance(&k->distance) : NAN;
}

static status must_be_listed(const char *name, const named_graph *g, const char *word, error_info *err) {
    if (!g->lists_nodes)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "node '%s' of the other graph is not among the %zu nodes of %s", name,
                     g->n_nodes, word);
}

/* The union of both node sets; a graph that lists its nodes has no others. */
static status join_nodes(comparison *k, error_info *err) {
    const named_graph *a = &k->truth, *b = &k->learned;
    const char *const *words = k->c->args->words;
    AUTO_PTR(name_index_destroy) name_index *index = NULL, *learned = NULL;
    size_t earlier;

    CHECK_ALLOC(k->names = calloc(a->n_nodes + b->n_nodes + 1, sizeof *k->names));
    CHECK(name_index_create(a->n_nodes + b->n_nodes, &index, err));
    CHECK(name_index_create(b->n_nodes, &learned, err));
    for (size_t i = 0; i < a->n_nodes; i++) {
        CHECK(name_index_add(index, a->names[i], i, NULL, err));
        k->names[k->n_names++] = a->names[i];
    }
    for (size_t i = 0; i < b->n_nodes; i++) {
        CHECK(name_index_add(learned, b->names[i], i, NULL, err));
        CHECK(name_index_add(index, b->names[i], k->n_names, &earlier, err));
        if (earlier != NAME_NONE)
            continue;
        CHECK(must_be_listed(b->names[i], &k->truth, words[1], err));
        k->names[k->n_names++] = b->names[i];
    }
    for (size_t i = 0; i < a->n_nodes; i++) {
        if (name_index_find(learned, a->names[i]) == NAME_NONE)
            CHECK(must_be_listed(a->names[i], &k->learned, words[0], err));
    }
    return STATUS_OK;
}

/* The graph on the joint nodes; each edge is taken from its lower end. */
static status place(const comparison *k, const named_graph *g, pdag **out, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    AUTO_FREE pdag_pair *pairs = calloc(pdag_edge_count(g->graph) + 1, sizeof *pairs);
    size_t n_pairs = 0;

    CHECK_ALLOC(pairs);
    CHECK(name_index_create(k->n_names, &index, err));
    for (size_t i = 0; i < k->n_names; i++)
        CHECK(name_index_add(index, k->names[i], i, NULL, err));
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t count = 0, node = name_index_find(index, g->names[i]);
        const pdag_edge *edges = pdag_edges(g->graph, i, &count);
        for (size_t e = 0; e < count; e++) {
            if (edges[e].node > i)
                pairs[n_pairs++] = (pdag_pair){node, name_index_find(index, g->names[edges[e].node]), edges[e].kind};
        }
    }
    return pdag_from_pairs(k->n_names, pairs, n_pairs, out, err);
}

/* A graph without names has those of the other, in the same order. */
static status name_nodes(named_graph *g, const named_graph *other, error_info *err) {
    if (!g->is_unnamed || other->is_unnamed)
        return STATUS_OK;
    return named_graph_name(g, (const char *const *)other->names, other->n_nodes, err);
}

static status measure(comparison *k, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *learned = NULL, *truth = NULL;
    graph_kind kind, kind_of_truth;
    CHECK(place(k, &k->learned, &learned, err));
    CHECK(place(k, &k->truth, &truth, err));
    CHECK(named_graph_kind(&k->learned, &kind, err));
    CHECK(named_graph_kind(&k->truth, &kind_of_truth, err));
    return graph_distance_measure(learned, kind, truth, kind_of_truth, &k->distance, err);
}

static status answer(cli *c, const comparison *k, error_info *err) {
    const graph_distance *d = &k->distance;
    json_t *o = c->answer = json_object(), *metrics;

    CHECK(json_put_all(o, err, {"shd", json_of_count(value_of(k, metric_find("shd")))},
                       {"missing", json_of_size(d->fn)}, {"extra", json_of_size(d->fp)},
                       {"misoriented", json_of_count(value_of(k, metric_find("misoriented_edges")))},
                       {"skeleton", json_object_of({"tp", json_of_size(d->tp)}, {"fp", json_of_size(d->fp)},
                                                   {"fn", json_of_size(d->fn)})},
                       {"nodes", json_of_size(k->n_names)}, {"metrics", metrics = json_object()}));
    for (size_t i = 0; i < k->n_chosen; i++)
        CHECK(json_put(metrics, k->chosen[i]->name, json_of_count(value_of(k, k->chosen[i])), err));
    return STATUS_OK;
}

static void print(cli *c, const comparison *k) {
    for (size_t i = 0; i < k->n_chosen; i++) {
        const metric_info *m = k->chosen[i];
        double value = value_of(k, m);
        if (isfinite(value))
            text_append_format(&c->out, "%-18s %10.6g  %s\n", m->name, value, m->summary);
        else
            text_append_format(&c->out, "%-18s %10s  %s\n", m->name, "-", m->summary);
    }
}

static status run(cli *c, error_info *err) {
    AUTO(clear) comparison k = {.c = c};

    CHECK(cli_blame(c, BLAME_WORDS, choose_listed(&k, err)));
    CHECK(input_graph_read(c, c->args->words[0], &k.learned, err));
    CHECK(input_graph_read(c, c->args->words[1], &k.truth, err));
    CHECK(cli_blame(c, BLAME_INPUT, name_nodes(&k.learned, &k.truth, err)));
    CHECK(cli_blame(c, BLAME_INPUT, name_nodes(&k.truth, &k.learned, err)));
    CHECK(cli_blame(c, BLAME_INPUT, join_nodes(&k, err)));
    CHECK(cli_blame(c, BLAME_WORK, measure(&k, err)));
    if (k.n_chosen == 0)
        choose_all(&k);
    if (c->json)
        return answer(c, &k, err);
    print(c, &k);
    return STATUS_OK;
}

const command command_compare = {
    .run = run,
    .is_for_people = true,
    .syntax = {.name = "compare",
               .words = "GRAPH TRUTH",
               .summary = "compare a graph with the true one: SHD, edges missing and extra, ...",
               .details =
                   "Each is a graph CSV, a network file, or a network of the catalogue. A DAG is compared as its\n"
                   "CPDAG, any other graph as it is; '# kind: dag|cpdag|skeleton' in a CSV, as learn writes it, says\n"
                   "which it is. A skeleton has the metrics of skeletons alone. A graph without a '# nodes:' line has\n"
                   "the nodes of its edges and of the other graph.",
               .examples = "  bnbench sample alarm -n 1000 -o alarm.csv\n"
                           "  bnbench learn hc alarm.csv --network alarm -o learned.csv\n"
                           "  bnbench compare learned.csv alarm\n"
                           "  bnbench convert alarm true.csv\n"
                           "  bnbench compare learned.csv true.csv --metrics shd,precision,recall --json",
               .least_words = 2,
               .most_words = 2,
               .options = options},
};
