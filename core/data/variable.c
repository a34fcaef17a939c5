/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/variable.h"

#include "core/base/name_index.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

void variable_clear(variable *v) {
    for (size_t k = 0; v->states && k < v->n_states; k++)
        free(v->states[k]);
    free(v->states);
    free(v->name);
    *v = (variable){0};
}

void variables_destroy(variable *variables, size_t n) {
    for (size_t i = 0; variables && i < n; i++)
        variable_clear(&variables[i]);
    free(variables);
}

static status check_states(const char *name, const char *const *states, size_t n_states, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *seen = NULL;
    if (!*name)
        return error_set(err, STATUS_INVALID, "a variable without a name");
    if (n_states == 0)
        return error_set(err, STATUS_INVALID, "variable '%s' has no states", name);
    if (n_states > VARIABLE_MAX_STATES)
        return error_set(err, STATUS_INVALID, "variable '%s' has %zu states; at most %u are possible", name, n_states,
                         VARIABLE_MAX_STATES);
    CHECK(name_index_create(n_states, &seen, err));
    for (size_t k = 0; k < n_states; k++) {
        size_t earlier;
        CHECK(name_index_add(seen, states[k], k, &earlier, err));
        if (earlier != NAME_NONE)
            return error_set(err, STATUS_INVALID, "variable '%s' has the state '%s' twice", name, states[k]);
    }
    return STATUS_OK;
}

status variable_init_discrete(variable *v, const char *name, const char *const *states, size_t n_states,
                              error_info *err) {
    AUTO(variable_clear) variable made = {.kind = VARIABLE_DISCRETE};
    CHECK(check_states(name, states, n_states, err));
    CHECK_ALLOC(made.name = text_copy(name));
    CHECK_ALLOC(made.states = calloc(n_states, sizeof *made.states));
    made.n_states = n_states;
    for (size_t k = 0; k < n_states; k++)
        CHECK_ALLOC(made.states[k] = text_copy(states[k]));
    *v = TAKE(made);
    return STATUS_OK;
}

status variable_init_continuous(variable *v, const char *name, error_info *err) {
    char *copy;
    if (!*name)
        return error_set(err, STATUS_INVALID, "a variable without a name");
    CHECK_ALLOC(copy = text_copy(name));
    *v = (variable){.name = copy, .kind = VARIABLE_CONTINUOUS};
    return STATUS_OK;
}

status variable_copy(const variable *from, variable *to, error_info *err) {
    if (from->kind == VARIABLE_CONTINUOUS)
        return variable_init_continuous(to, from->name, err);
    return variable_init_discrete(to, from->name, (const char *const *)from->states, from->n_states, err);
}

size_t variable_find_state(const variable *v, const char *state) {
    size_t k = 0;
    while (k < v->n_states && strcmp(v->states[k], state) != 0)
        k++;
    return k;
}

bool variable_is_equal(const variable *a, const variable *b) {
    if (a->kind != b->kind || a->n_states != b->n_states || strcmp(a->name, b->name) != 0)
        return false;
    for (size_t k = 0; k < a->n_states; k++) {
        if (strcmp(a->states[k], b->states[k]) != 0)
            return false;
    }
    return true;
}
