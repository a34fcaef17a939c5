/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is: learners, scores, tests, discretizers, metrics, networks. */
#include "library/library_internal.h"

#include "core/base/json.h"
#include "discretizers/registry.h"
#include "generators/catalogue/catalogue.h"
#include "learners/registry.h"
#include "metrics/distances/metric.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"

/* What every thing of a registry has. */
typedef struct {
    const char *name, *summary, *citation;
    const option_spec *options;
} thing;

static const registry *registry_of(bnb_kind kind) {
    switch (kind) {
    case BNB_LEARNERS:
        return &learner_registry;
    case BNB_SCORES:
        return &score_registry;
    case BNB_TESTS:
        return &ci_test_registry;
    case BNB_DISCRETIZERS:
        return &discretizer_registry;
    default:
        return NULL;
    }
}

static thing thing_at(bnb_kind kind, size_t place) {
#define THING(t) ((thing){(t)->name, (t)->summary, (t)->citation, (t)->options})
    switch (kind) {
    case BNB_LEARNERS:
        return THING(learner_at(place));
    case BNB_SCORES:
        return THING(score_kind_at(place));
    case BNB_TESTS:
        return THING(ci_test_kind_at(place));
    default:
        return THING(discretizer_at(place));
    }
#undef THING
}

const char *bnb_name(bnb_kind kind, size_t i) {
    const registry *r = registry_of(kind);
    if (r)
        return i < r->n ? registry_name(r, i) : NULL;
    if (kind == BNB_METRICS)
        return metric_at(i) ? metric_at(i)->name : NULL;
    return kind == BNB_NETWORKS && i < catalogue_count() ? catalogue_at(i)->name : NULL;
}

/* ---- as JSON ---- */

static status describe_thing(bnb_kind kind, const char *name, json_t *o, error_info *err) {
    size_t place;
    thing t;
    CHECK(registry_find(registry_of(kind), name, &place, err));
    t = thing_at(kind, place);
    return json_put_all(o, err, {"name", json_of_text(t.name)}, {"summary", json_of_text(t.summary)},
                        {"citation", json_of_text(t.citation)}, {"options", json_of_option_table(t.options)});
}

static status describe_metric(const char *name, json_t *o, error_info *err) {
    const metric_info *m = metric_find(name);
    if (!m)
        return error_set(err, STATUS_INVALID, "unknown metric '%s'", name);
    return json_put_all(o, err, {"name", json_of_text(m->name)}, {"summary", json_of_text(m->summary)},
                        {"unit", json_of_text(m->unit)}, {"less_is_better", json_boolean(m->less_is_better)});
}

static status describe_network(const char *name, json_t *o, error_info *err) {
    const catalogue_entry *e = catalogue_find(name);
    if (!e)
        return error_set(err, STATUS_INVALID, "the catalogue has no network '%s'", name);
    return json_put_all(o, err, {"name", json_of_text(e->name)}, {"nodes", json_of_size(e->nodes)},
                        {"arcs", json_of_size(e->arcs)}, {"parameters", json_of_size(e->parameters)},
                        {"citation", json_of_text(e->citation)});
}

static status describe(bnb_kind kind, const char *name, char **out, error_info *err) {
    AUTO_PTR(json_decref) json_t *o = json_object();
    CHECK_ALLOC(o);
    if (registry_of(kind))
        CHECK(describe_thing(kind, name, o, err));
    else if (kind == BNB_METRICS)
        CHECK(describe_metric(name, o, err));
    else
        CHECK(describe_network(name, o, err));
    *out = json_to_text(o, JSON_COMPACT);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

bnb_status bnb_describe(bnb_kind kind, const char *name, char **out, bnb_error *error) {
    LIBRARY_CALL(error, describe(kind, name, out, err));
}
