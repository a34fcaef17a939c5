/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/failed_in_paper.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { HOLDS_NOT, HOLDS_MAYBE, HOLDS } verdict; /* the least of several is that of all */

/* The rows of `samples: all` are a fact of each data set. */
static bool has_all_rows(const experiment *e) {
    return e->outputs.n_sizes == 1 && e->outputs.sizes[0] == OUTPUTS_ALL_ROWS;
}

static bool is_of_network(const experiment *e, const fact_condition *c) {
    return c->fact || has_all_rows(e);
}

bool failures_need_facts(const experiment *e) {
    for (size_t i = 0; i < e->n_failure_rules; i++) {
        for (size_t k = 0; k < e->failure_rules[i].n_conditions; k++) {
            if (is_of_network(e, &e->failure_rules[i].conditions[k]))
                return true;
        }
    }
    return false;
}

static bool compare(double value, fact_relation relation, double number) {
    switch (relation) {
    case FACT_AT_LEAST:
        return value >= number;
    case FACT_ABOVE:
        return value > number;
    case FACT_AT_MOST:
        return value <= number;
    case FACT_BELOW:
        return value < number;
    case FACT_EQUAL:
        break;
    }
    return value == number;
}

static verdict judge_condition(const experiment *e, const fact_condition *c, size_t network) {
    const network_fact *fact = c->fact ? c->fact : network_fact_find("sample_size");
    double value = e->outputs.facts ? network_fact_value(fact, &e->outputs.facts[network]) : (double)NAN;
    return isnan(value) ? HOLDS_MAYBE : compare(value, c->relation, c->number) ? HOLDS : HOLDS_NOT;
}

static verdict judge_network(const experiment *e, const failure_rule *r, size_t network) {
    verdict all = r->n_networks ? HOLDS_NOT : HOLDS;
    for (size_t i = 0; i < r->n_networks; i++) {
        if (strcmp(r->networks[i], e->outputs.networks[network]) == 0)
            all = HOLDS;
    }
    for (size_t i = 0; i < r->n_conditions; i++) {
        verdict one = is_of_network(e, &r->conditions[i]) ? judge_condition(e, &r->conditions[i], network) : HOLDS;
        all = one < all ? one : all;
    }
    return all;
}

static bool is_size_meant(const experiment *e, const failure_rule *r, size_t size) {
    if (r->n_sizes > 0 && !array_has_size(r->sizes, r->n_sizes, size))
        return false;
    for (size_t i = 0; i < r->n_conditions; i++) {
        const fact_condition *c = &r->conditions[i];
        if (!is_of_network(e, c) && !compare((double)size, c->relation, c->number))
            return false;
    }
    return true;
}

static status resolve(const experiment *e, const failure_rule *r, paper_failure *f, error_info *err) {
    const experiment_outputs *o = &e->outputs;
    CHECK_ALLOC(f->learner = text_copy(r->learner));
    CHECK_ALLOC(!r->text || (f->text = text_copy(r->text)));
    for (size_t i = 0; i < o->n_networks; i++) {
        verdict v = judge_network(e, r, i);
        if (v == HOLDS)
            CHECK(texts_add(&f->networks, &f->n_networks, o->networks[i], err));
        else if (v == HOLDS_MAYBE)
            CHECK(texts_add(&f->unknown, &f->n_unknown, o->networks[i], err));
    }
    for (size_t i = 0; i < o->n_sizes; i++) {
        if (is_size_meant(e, r, o->sizes[i]))
            CHECK(ARRAY_APPEND(f->sizes, f->n_sizes, err, o->sizes[i]));
    }
    return STATUS_OK;
}

status failures_resolve(experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    outputs_clear_paper_failures(o);
    if (e->n_failure_rules == 0)
        return STATUS_OK;
    CHECK_ALLOC(o->paper_failures = calloc(e->n_failure_rules, sizeof *o->paper_failures));
    for (size_t i = 0; i < e->n_failure_rules; i++) {
        o->n_paper_failures = i + 1;
        CHECK(resolve(e, &e->failure_rules[i], &o->paper_failures[i], err));
    }
    return STATUS_OK;
}
