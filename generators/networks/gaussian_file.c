/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/gaussian_file.h"

#include "core/base/json.h"
#include "core/base/name_index.h"
#include "core/base/text.h"
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/network_format.h"
#include "generators/networks/pgmpy_json_internal.h"

#include <stdlib.h>
#include <string.h>

static const char type_name[] = "linear-gaussian";

/* ---- reading ---- */

/* Which node a message is about: its number in the file, and its name where it has one. */
static void name_place(size_t i, const json_t *node, error_info *err) {
    const char *name = json_string_value(json_object_get(node, "name"));
    char shown[TEXT_SHOWN_SIZE];
    if (name)
        error_context(err, "node %zu ('%s')", i + 1, text_show(name, strlen(name), shown));
    else
        error_context(err, "node %zu", i + 1);
}

static status take_list(const json_t *node, const char *key, const json_t **out, error_info *err) {
    const json_t *list = json_object_get(node, key);
    if (!json_is_array(list))
        return error_set(err, STATUS_PARSE, list ? "\"%s\" is no list" : "\"%s\" is missing", key);
    *out = list;
    return STATUS_OK;
}

static status take_number(const json_t *node, const char *key, double *out, error_info *err) {
    const json_t *number = json_object_get(node, key);
    if (!json_is_number(number))
        return error_set(err, STATUS_PARSE, number ? "\"%s\" is no number" : "\"%s\" is missing", key);
    *out = json_number_value(number) + 0.0; /* a zero has no sign: JSON would lose it */
    return STATUS_OK;
}

static status take_parents(const gaussian_net *net, const json_t *list, size_t *parents, error_info *err) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        char shown[TEXT_SHOWN_SIZE];
        if (!name)
            return error_set(err, STATUS_PARSE, "parent %zu is no text", i + 1);
        parents[i] = gaussian_net_find_node(net, name);
        if (parents[i] == NAME_NONE)
            return error_set(err, STATUS_PARSE, "the parent '%s' is no node of the network",
                             text_show(name, strlen(name), shown));
    }
    return STATUS_OK;
}

static status take_coefficients(const json_t *list, double *coefficients, error_info *err) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *number = json_array_get(list, i);
        if (!json_is_number(number))
            return error_set(err, STATUS_PARSE, "coefficient %zu is no number", i + 1);
        coefficients[i] = json_number_value(number) + 0.0;
    }
    return STATUS_OK;
}

static status take_node(gaussian_net *net, size_t i, const json_t *node, error_info *err) {
    const json_t *parent_list = NULL, *coefficient_list = NULL;
    gaussian_terms terms = {0};
    size_t n;
    AUTO_FREE size_t *parents = NULL;
    AUTO_FREE double *coefficients = NULL;
    CHECK(take_list(node, "parents", &parent_list, err));
    CHECK(take_list(node, "coefficients", &coefficient_list, err));
    CHECK(take_number(node, "intercept", &terms.intercept, err));
    CHECK(take_number(node, "sd", &terms.sd, err));
    n = json_array_size(parent_list);
    if (json_array_size(coefficient_list) != n)
        return error_set(err, STATUS_PARSE, "%zu coefficients for %zu parents; there must be one each",
                         json_array_size(coefficient_list), n);
    CHECK_ALLOC(parents = calloc(n + 1, sizeof *parents));
    CHECK_ALLOC(coefficients = calloc(n + 1, sizeof *coefficients));
    CHECK(take_parents(net, parent_list, parents, err));
    CHECK(take_coefficients(coefficient_list, coefficients, err));
    terms.coefficients = coefficients;
    return gaussian_net_set_node(net, i, parents, n, &terms, err);
}

static status take_names(const json_t *nodes, const char **names, error_info *err) {
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i);
        names[i] = json_string_value(json_object_get(node, "name"));
        if (!json_is_object(node))
            return error_set(err, STATUS_PARSE, "node %zu is no object", i + 1);
        if (!names[i] || !*names[i])
            return error_set(err, STATUS_PARSE, "node %zu: \"name\" is missing, empty or no text", i + 1);
    }
    return STATUS_OK;
}

static status check_type(const json_t *root, error_info *err) {
    const char *type = json_string_value(json_object_get(root, "type"));
    char shown[TEXT_SHOWN_SIZE];
    if (!json_is_object(root))
        return error_set(err, STATUS_PARSE, "no object stands there; a network is {\"type\": \"%s\", \"nodes\": [...]}",
                         type_name);
    if (!type)
        return error_set(err, STATUS_PARSE, "\"type\" is missing; it must be \"%s\"", type_name);
    if (strcmp(type, type_name) != 0)
        return error_set(err, STATUS_PARSE, "\"type\" is \"%s\"; it must be \"%s\"",
                         text_show(type, strlen(type), shown), type_name);
    return STATUS_OK;
}

static status make_network(const json_t *root, const char *file_name, gaussian_net **out, error_info *err) {
    status st;
    const char *own_name = json_string_value(json_object_get(root, "name"));
    AUTO_FREE const char **names = NULL;
    const json_t *nodes = NULL;
    AUTO_PTR(gaussian_net_destroy) gaussian_net *net = NULL;
    CHECK(check_type(root, err));
    CHECK(take_list(root, "nodes", &nodes, err));
    CHECK_ALLOC(names = calloc(json_array_size(nodes) + 1, sizeof *names));
    CHECK(take_names(nodes, names, err));
    st = gaussian_net_create(own_name && *own_name ? own_name : file_name, names, json_array_size(nodes), &net, err);
    CHECK(st == STATUS_INVALID ? STATUS_PARSE : st);
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i);
        st = take_node(net, i, node, err);
        if (st != STATUS_OK && st != STATUS_MEMORY)
            name_place(i, node, err);
        CHECK(st == STATUS_INVALID ? STATUS_PARSE : st); /* what a caller may not ask for, a file may not say */
    }
    *out = TAKE(net);
    return STATUS_OK;
}

status gaussian_file_parse(const char *text, size_t length, const char *name, gaussian_net **out, error_info *err) {
    AUTO_PTR(json_decref) json_t *root = NULL;
    CHECK(json_read(text, length, &root, err));
    if (pgmpy_json_is(root))
        return pgmpy_json_take(root, name, out, err);
    return make_network(root, name, out, err);
}

/* ---- writing ---- */

static void append_number(text_buffer *out, double value) {
    char text[32];
    text_append(out, text_from_double(value, text));
}

static void append_node(const gaussian_net *net, size_t node, text_buffer *out) {
    const variable *variables = gaussian_net_variables(net);
    gaussian_terms terms = gaussian_net_terms(net, node);
    size_t n_parents;
    const size_t *parents = gaussian_net_parents(net, node, &n_parents);
    text_append(out, "    {\"name\": ");
    json_append_text(variables[node].name, out);
    text_append(out, ", \"parents\": [");
    for (size_t i = 0; i < n_parents; i++) {
        text_append(out, i ? ", " : "");
        json_append_text(variables[parents[i]].name, out);
    }
    text_append(out, "], \"intercept\": ");
    append_number(out, terms.intercept);
    text_append(out, ", \"coefficients\": [");
    for (size_t i = 0; i < n_parents; i++) {
        text_append(out, i ? ", " : "");
        append_number(out, terms.coefficients[i]);
    }
    text_append(out, "], \"sd\": ");
    append_number(out, terms.sd);
    text_append(out, "}");
}

void gaussian_file_append(const gaussian_net *net, text_buffer *out) {
    size_t n = gaussian_net_node_count(net);
    text_append(out, "{\n  \"name\": ");
    json_append_text(gaussian_net_name(net), out);
    text_append_format(out,
                       ",\n  \"type\": \"%s\",\n  \"model\": \"X = intercept + sum(coefficients[i] * parents[i]) + "
                       "Normal(0, sd^2)\",\n  \"nodes\": [\n",
                       type_name);
    for (size_t i = 0; i < n; i++) {
        append_node(net, i, out);
        text_append(out, i + 1 < n ? ",\n" : "\n");
    }
    text_append(out, "  ]\n}\n");
}

/* ---- as a format ---- */

static bool may_be(const char *text) {
    return text[strspn(text, " \t\r\n")] == '{';
}

static status parse_any(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                        error_info *err) {
    (void)n_scaled;
    return gaussian_file_parse(text, length, name, &out->gaussian, err);
}

static void append_any(const any_network *net, text_buffer *out) {
    gaussian_file_append(net->gaussian, out);
}

const network_format network_format_json = {
    .name = "json", .title = "JSON", .may_be = may_be, .parse = parse_any, .append = append_any};
