/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/base/neighbour_lists.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

struct neighbour_lists {
    size_t n_nodes, n_lists;
    size_t *starts;  /* n_nodes + 1; the list of i is members[starts[i]] .. members[starts[i + 1] - 1] */
    size_t *members; /* of all lists */
    size_t capacity;
};

status neighbour_lists_create(size_t n_nodes, neighbour_lists **out, error_info *err) {
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *lists = calloc(1, sizeof *lists);
    CHECK_ALLOC(lists);
    lists->n_nodes = n_nodes;
    CHECK_ALLOC(lists->starts = calloc(n_nodes + 1, sizeof *lists->starts));
    *out = TAKE(lists);
    return STATUS_OK;
}

void neighbour_lists_destroy(neighbour_lists *lists) {
    if (!lists)
        return;
    free(lists->starts);
    free(lists->members);
    free(lists);
}

status neighbour_lists_append(neighbour_lists *lists, const size_t *members, size_t n_members, error_info *err) {
    size_t start;
    if (lists->n_lists == lists->n_nodes)
        return error_set(err, STATUS_BUG, "a list past the last of %zu nodes", lists->n_nodes);
    start = lists->starts[lists->n_lists];
    CHECK(ARRAY_RESERVE(lists->members, lists->capacity, start + n_members, err));
    lists->n_lists++;
    lists->starts[lists->n_lists] = start + n_members;
    if (n_members)
        memcpy(lists->members + start, members, n_members * sizeof *members);
    return STATUS_OK;
}

size_t neighbour_lists_count(const neighbour_lists *lists) {
    return lists->n_lists;
}

const size_t *neighbour_lists_get(const neighbour_lists *lists, size_t node, size_t *n_members) {
    *n_members = lists->starts[node + 1] - lists->starts[node];
    return *n_members ? lists->members + lists->starts[node] : NULL;
}

void neighbour_lists_all(const neighbour_lists *lists, const size_t **starts, const size_t **members) {
    *starts = lists->starts;
    *members = lists->members;
}

bool neighbour_lists_has(const neighbour_lists *lists, size_t node, size_t member) {
    if (node >= lists->n_lists)
        return false;
    for (size_t i = lists->starts[node]; i < lists->starts[node + 1]; i++) {
        if (lists->members[i] == member)
            return true;
    }
    return false;
}

status neighbour_lists_skeleton(const neighbour_lists *lists, symmetry_rule rule, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *g = NULL;
    CHECK(pdag_create(lists->n_nodes, &g, err));
    for (size_t node = 0; node < lists->n_lists; node++) {
        for (size_t i = lists->starts[node]; i < lists->starts[node + 1]; i++) {
            size_t member = lists->members[i];
            if (rule == SYMMETRY_OR || (member < node && neighbour_lists_has(lists, member, node)))
                CHECK(pdag_set_edge(g, node, member, EDGE_UNDIRECTED, err));
        }
    }
    *out = TAKE(g);
    return STATUS_OK;
}
