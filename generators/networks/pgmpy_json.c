/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear-Gaussian networks as pgmpy saves them (LinearGaussianBayesianNetwork.save), which is also the form of those of
   bnRep and of the bnlearn repository that pgmpy fetches: nodes, arcs, and by node its coefficients, variance and
   parents. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/network_format.h"
#include "generators/networks/pgmpy_json_internal.h"

#include "core/base/json.h"
#include "core/base/name_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char intercept_name[] = "(Intercept)";

/* ---- reading ---- */

/* A number, or an array of just one, as R writes it. */
static status take_number(const json_t *value, const char *key, double *out, error_info *err) {
    const json_t *number = json_is_array(value) && json_array_size(value) == 1 ? json_array_get(value, 0) : value;
    if (!json_is_number(number))
        return error_set(err, STATUS_PARSE, value ? "'%.60s' is no number" : "the number of '%.60s' is missing", key);
    *out = json_number_value(number) + 0.0; /* a zero has no sign: JSON would lose it */
    return STATUS_OK;
}

/* The texts of an array; one text stands for an array of it, and an empty object, as R writes it, for none. */
static size_t text_count(const json_t *list) {
    return json_is_array(list) ? json_array_size(list) : json_is_string(list);
}

static const char *text_of(const json_t *list, size_t i) {
    return json_string_value(json_is_array(list) ? json_array_get(list, i) : list);
}

static status take_parents(const gaussian_net *net, const json_t *list, size_t *parents, error_info *err) {
    for (size_t i = 0; i < text_count(list); i++) {
        const char *name = text_of(list, i);
        if (!name)
            return error_set(err, STATUS_PARSE, "parent %zu is no text", i + 1);
        parents[i] = gaussian_net_find_node(net, name);
        if (parents[i] == NAME_NONE)
            return error_set(err, STATUS_PARSE, "the parent '%.60s' is no node of the network", name);
    }
    return STATUS_OK;
}

static status take_terms(const json_t *cpd, const json_t *parents, double *coefficients, gaussian_terms *out,
                         error_info *err) {
    const json_t *given = json_object_get(cpd, "coefficients");
    double variance = 0;
    if (!json_is_object(given))
        return error_set(err, STATUS_PARSE, "\"coefficients\" is missing or no object");
    CHECK(take_number(json_object_get(given, intercept_name), intercept_name, &out->intercept, err));
    CHECK(take_number(json_object_get(cpd, "variance"), "variance", &variance, err));
    if (variance < 0)
        return error_set(err, STATUS_PARSE, "\"variance\" is %.10g; it must not be below 0", variance);
    for (size_t i = 0; i < text_count(parents); i++)
        CHECK(take_number(json_object_get(given, text_of(parents, i)), text_of(parents, i), &coefficients[i], err));
    if (json_object_size(given) != text_count(parents) + 1)
        return error_set(err, STATUS_PARSE, "%zu coefficients for %zu parents; there must be one each",
                         json_object_size(given) - 1, text_count(parents));
    out->sd = sqrt(variance);
    out->coefficients = coefficients;
    return STATUS_OK;
}

static status take_node(gaussian_net *net, size_t i, const json_t *cpd, error_info *err) {
    const json_t *list = json_object_get(cpd, "parents");
    size_t n = text_count(list);
    gaussian_terms terms = {0};
    AUTO_FREE size_t *parents = calloc(n + 1, sizeof *parents);
    AUTO_FREE double *coefficients = calloc(n + 1, sizeof *coefficients);
    CHECK_ALLOC(parents);
    CHECK_ALLOC(coefficients);
    if (!json_is_object(cpd))
        return error_set(err, STATUS_PARSE, "it is missing in \"cpds\", or no object");
    CHECK(take_parents(net, list, parents, err));
    CHECK(take_terms(cpd, list, coefficients, &terms, err));
    return gaussian_net_set_node(net, i, parents, n, &terms, err);
}

/* Every arc, a pair [from, to] or {"from", "to"}, is one of the parents that were read. */
static status check_arcs(const gaussian_net *net, const json_t *arcs, error_info *err) {
    for (size_t i = 0; i < json_array_size(arcs); i++) {
        const json_t *arc = json_array_get(arcs, i);
        bool is_pair = json_is_array(arc);
        const char *from = json_string_value(is_pair ? json_array_get(arc, 0) : json_object_get(arc, "from"));
        const char *to = json_string_value(is_pair ? json_array_get(arc, 1) : json_object_get(arc, "to"));
        size_t a = from ? gaussian_net_find_node(net, from) : NAME_NONE;
        size_t b = to ? gaussian_net_find_node(net, to) : NAME_NONE;
        if (a == NAME_NONE || b == NAME_NONE || !dag_has_arc(gaussian_net_dag(net), a, b))
            return error_set(err, STATUS_PARSE, "arc %zu of \"arcs\" is none of the \"parents\" in \"cpds\"", i + 1);
    }
    return STATUS_OK;
}

static status take_nodes(gaussian_net *net, const json_t *cpds, const char **names, size_t n, error_info *err) {
    for (size_t i = 0; i < n; i++) {
        status st = take_node(net, i, json_object_get(cpds, names[i]), err);
        if (st != STATUS_OK && st != STATUS_MEMORY)
            error_context(err, "node %zu ('%.60s')", i + 1, names[i]);
        CHECK(st == STATUS_INVALID ? STATUS_PARSE : st);
    }
    return STATUS_OK;
}

status pgmpy_json_take(const json_t *root, const char *name, gaussian_net **out, error_info *err) {
    status st;
    const json_t *nodes = json_object_get(root, "nodes"), *cpds = json_object_get(root, "cpds");
    size_t n = json_array_size(nodes);
    AUTO_FREE const char **names = calloc(n + 1, sizeof *names);
    AUTO_PTR(gaussian_net_destroy) gaussian_net *net = NULL;
    CHECK_ALLOC(names);
    if (!json_is_array(nodes) || !json_is_object(cpds))
        return error_set(err, STATUS_PARSE, "expected {\"nodes\": [...], \"arcs\": [...], \"cpds\": {...}}");
    for (size_t i = 0; i < n; i++) {
        names[i] = json_string_value(json_array_get(nodes, i));
        if (!names[i] || !*names[i])
            return error_set(err, STATUS_PARSE, "node %zu is empty or no text", i + 1);
    }
    st = gaussian_net_create(name, names, n, &net, err);
    CHECK(st == STATUS_INVALID ? STATUS_PARSE : st);
    CHECK(take_nodes(net, cpds, names, n, err));
    CHECK(check_arcs(net, json_object_get(root, "arcs"), err));
    *out = TAKE(net);
    return STATUS_OK;
}

bool pgmpy_json_is(const json_t *root) {
    return json_is_object(root) && !json_object_get(root, "type") && json_object_get(root, "cpds");
}

static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    AUTO_PTR(json_decref) json_t *root = NULL;
    (void)n_scaled;
    CHECK(json_read(text, length, &root, err));
    return pgmpy_json_take(root, name, &out->gaussian, err);
}

/* ---- writing ---- */

static void append_number(text_buffer *out, double value) {
    char text[32];
    text_append(out, text_from_double(value, text));
}

static const char *name_of(const gaussian_net *net, size_t node) {
    return gaussian_net_variables(net)[node].name;
}

static void append_arcs(const gaussian_net *net, text_buffer *out) {
    bool is_first = true;
    for (size_t i = 0; i < gaussian_net_node_count(net); i++) {
        size_t n;
        const size_t *parents = gaussian_net_parents(net, i, &n);
        for (size_t p = 0; p < n; p++, is_first = false) {
            text_append(out, is_first ? "\n    [" : ",\n    [");
            json_append_text(name_of(net, parents[p]), out);
            text_append(out, ", ");
            json_append_text(name_of(net, i), out);
            text_append(out, "]");
        }
    }
}

static void append_cpd(const gaussian_net *net, size_t node, text_buffer *out) {
    gaussian_terms terms = gaussian_net_terms(net, node);
    size_t n;
    const size_t *parents = gaussian_net_parents(net, node, &n);
    text_append(out, "    ");
    json_append_text(name_of(net, node), out);
    text_append_format(out, ": {\"coefficients\": {\"%s\": [", intercept_name);
    append_number(out, terms.intercept);
    for (size_t p = 0; p < n; p++) {
        text_append(out, "], ");
        json_append_text(name_of(net, parents[p]), out);
        text_append(out, ": [");
        append_number(out, terms.coefficients[p]);
    }
    text_append(out, "]}, \"variance\": [");
    append_number(out, terms.sd * terms.sd);
    text_append(out, "], \"parents\": [");
    for (size_t p = 0; p < n; p++) {
        text_append(out, p ? ", " : "");
        json_append_text(name_of(net, parents[p]), out);
    }
    text_append(out, "]}");
}

static void append(const any_network *any, text_buffer *out) {
    const gaussian_net *net = any->gaussian;
    size_t n = gaussian_net_node_count(net);
    text_append(out, "{\n  \"nodes\": [");
    for (size_t i = 0; i < n; i++) {
        text_append(out, i ? ", " : "");
        json_append_text(name_of(net, i), out);
    }
    text_append(out, "],\n  \"arcs\": [");
    append_arcs(net, out);
    text_append(out, "\n  ],\n  \"cpds\": {\n");
    for (size_t i = 0; i < n; i++) {
        append_cpd(net, i, out);
        text_append(out, i + 1 < n ? ",\n" : "\n");
    }
    text_append(out, "  }\n}\n");
}

static void append_loss(const any_network *any, text_buffer *out) {
    const gaussian_net *net = any->gaussian;
    text_append_format(out, "pgmpy's JSON has no place for the name of the network, '%s'\n", gaussian_net_name(net));
    for (size_t i = 0; i < gaussian_net_node_count(net); i++) {
        double sd = gaussian_net_terms(net, i).sd;
        if (sqrt(sd * sd) != sd)
            text_append_format(out, "the variance of '%s' is too small or too large to be written: its sd is lost\n",
                               name_of(net, i));
        if (strcmp(name_of(net, i), intercept_name) == 0)
            text_append_format(out, "a variable is called '%s': its coefficients cannot be told from intercepts\n",
                               intercept_name);
    }
}

static const char *const endings[] = {"pgmpy.json", "bnrep.json", NULL};

const network_format network_format_pgmpy = {.name = "pgmpy",
                                             .title = "pgmpy's JSON",
                                             .endings = endings,
                                             .parse = parse,
                                             .append = append,
                                             .append_loss = append_loss};
