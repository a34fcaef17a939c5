/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the registries know: learners, discretizers, scores, tests, metrics. */
#include "cli/base/inputs.h"
#include "cli/info/info.h"

#include "discretizers/base/discretizer.h"
#include "discretizers/registry.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "metrics/distances/metric.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

/* What the values may be: "0 .. 1", "a|b", "true|false". */
static void append_range(text_buffer *out, const option_spec *spec) {
    char low[32], high[32];
    if (spec->kind == OPT_BOOL)
        text_append(out, "true|false");
    else if (spec->kind == OPT_CHOICE || spec->kind == OPT_CHOSEN)
        options_append_choices(spec, out);
    else
        text_append_format(out, "%s .. %s", text_from_double(spec->least, low), text_from_double(spec->most, high));
}

static void print_options(text_buffer *out, const option_spec *specs) {
    if (options_count(specs) == 0) {
        text_append(out, "options      none\n");
        return;
    }
    text_append(out, "options      -O name=value\n");
    for (option_walk w = options_walk(specs, NULL); options_next(&w);) {
        option_choice room;
        option_spec initial = options_initial(&w.spec, &room);
        text_append_format(out, "  %-14s ", w.name);
        options_append_value(&initial, &room, out);
        text_append(out, " (");
        append_range(out, &w.spec);
        text_append(out, "): ");
        option_walk_append_help(&w, out);
        text_append(out, "\n");
        if (w.spec.kind == OPT_CHOSEN)
            text_append_format(out,
                               "  %-14s of what is chosen: -O %s.name=value (`bnbench info` of the %s lists them)\n",
                               "its options", w.name, w.spec.of->what);
    }
}

/* ---- what every registered thing has ---- */

typedef struct {
    const char *kind, *name, *summary, *citation; /* citation: NULL for none */
    bool takes_options;
    const option_spec *options; /* NULL for none */
} thing;

/* Tells it to machines; `taken` is an object of what stands between the citation and the options. */
static status answer(cli *c, const thing *t, json_t *taken, error_info *err) {
    AUTO_PTR(json_decref) json_t *own = taken;
    json_t *o = c->answer = json_object();
    CHECK_ALLOC(own);
    CHECK(json_put_all(o, err, {"kind", json_of_text(t->kind)}, {"name", json_of_text(t->name)},
                       {"summary", json_of_text(t->summary)}, {"citation", json_of_text(t->citation)}));
    if (json_object_update(o, own) != 0)
        return error_out_of_memory(err);
    return t->takes_options ? json_put(o, "options", json_of_option_table(t->options), err) : STATUS_OK;
}

static void print_head(cli *c, const thing *t) {
    text_append_format(&c->out, "%-12s %s\nsummary      %s\n", t->kind, t->name, t->summary);
    if (t->citation && *t->citation)
        text_append_format(&c->out, "citation     %s\n", t->citation);
}

/* ---- the registries ---- */

status info_learner(cli *c, const char *word, error_info *err) {
    const learner *l;
    size_t n = 0;
    CHECK(cli_blame(c, BLAME_WORDS, learner_find(word, &l, err)));
    while (l->aliases && l->aliases[n])
        n++;
    thing t = {"learner", l->name, l->summary, l->citation, true, l->options};
    if (c->json)
        return answer(c, &t,
                      json_object_of({"aliases", json_of_texts(l->aliases, n)}, {"version", json_integer(l->version)},
                                     {"accepts", json_of_text(data_kinds_name(l->accepts))},
                                     {"returns", json_of_text(graph_kind_name(l->returns))},
                                     {"anytime", json_boolean(l->is_anytime)},
                                     {"depends_on_order", json_boolean(l->depends_on_order)}),
                      err);
    print_head(c, &t);
    for (size_t i = 0; i < n; i++)
        text_append_format(&c->out, "%s%s%s", i ? ", " : "aliases      ", l->aliases[i], l->aliases[i + 1] ? "" : "\n");
    text_append_format(&c->out, "takes        %s data\nreturns      %s\nat a limit   %s\ncolumn order %s\n",
                       data_kinds_name(l->accepts), graph_kind_name(l->returns),
                       l->is_anytime ? "returns the best graph so far" : "stops without a graph",
                       l->depends_on_order ? "may change the result" : "does not change the result");
    print_options(&c->out, l->options);
    return STATUS_OK;
}

status info_discretizer(cli *c, const char *word, error_info *err) {
    const discretizer *d;
    CHECK(cli_blame(c, BLAME_WORDS, discretizer_find(word, &d, err)));
    thing t = {"discretizer", d->name, d->summary, d->citation, true, d->options};
    if (c->json)
        return answer(c, &t, json_object_of({"version", json_integer(d->version)}), err);
    print_head(c, &t);
    print_options(&c->out, d->options);
    return STATUS_OK;
}

status info_score(cli *c, const char *word, error_info *err) {
    const score_kind *k;
    CHECK(cli_blame(c, BLAME_WORDS, score_kind_find(word, &k, err)));
    thing t = {"score", k->name, k->summary, k->citation, true, k->options};
    if (c->json)
        return answer(c, &t,
                      json_object_of({"accepts", json_of_text(data_kinds_name(k->accepts))},
                                     {"equivalent", json_boolean(k->is_equivalent)}),
                      err);
    print_head(c, &t);
    text_append_format(&c->out, "takes        %s data\nequivalence  Markov equivalent DAGs %s\n",
                       data_kinds_name(k->accepts), k->is_equivalent ? "score alike" : "may score differently");
    print_options(&c->out, k->options);
    return STATUS_OK;
}

status info_test(cli *c, const char *word, error_info *err) {
    const ci_test_kind *k;
    CHECK(cli_blame(c, BLAME_WORDS, ci_test_kind_find(word, &k, err)));
    thing t = {"test", k->name, k->summary, k->citation, true, k->options};
    if (c->json)
        return answer(c, &t, json_object_of({"accepts", json_of_text(data_kinds_name(k->accepts))}), err);
    print_head(c, &t);
    text_append_format(&c->out, "takes        %s data\n", data_kinds_name(k->accepts));
    print_options(&c->out, k->options);
    return STATUS_OK;
}

bool info_knows_metric(const char *word) {
    return metric_find(word) != NULL;
}

static status unknown_metric(cli *c, const char *word, error_info *err) {
    const char *near = metric_suggest(word);
    return cli_blame(c, BLAME_WORDS,
                     near ? error_set(err, STATUS_INVALID, "unknown metric '%s'; did you mean '%s'?", word, near)
                          : error_set(err, STATUS_INVALID, "unknown metric '%s'", word));
}

status info_metric(cli *c, const char *word, error_info *err) {
    const metric_info *m = metric_find(word);
    if (!m)
        return unknown_metric(c, word, err);
    thing t = {.kind = "metric", .name = m->name, .summary = m->summary};
    if (c->json)
        return answer(
            c, &t,
            json_object_of({"unit", json_of_text(m->unit)}, {"less_is_better", json_boolean(m->less_is_better)},
                           {"needs_truth", json_boolean(m->needs_truth)}, {"needs_test", json_boolean(m->needs_test)},
                           {"needs_directions", json_boolean(m->needs_directions)}),
            err);
    print_head(c, &t);
    text_append_format(&c->out, "unit         %s\nbetter       %s\nneeds        %s%s%s\n",
                       *m->unit ? m->unit : "none (a ratio)", m->less_is_better ? "less" : "more",
                       m->needs_truth ? "the true graph" : "", m->needs_test ? "test rows" : "",
                       m->needs_truth || m->needs_test ? "" : "nothing more");
    return STATUS_OK;
}

/* ---- a typo ---- */

static const char *nearest_network(const char *word) {
    AUTO_FREE const char **names = calloc(catalogue_count() + 1, sizeof *names);
    for (size_t i = 0; names && i < catalogue_count(); i++)
        names[i] = catalogue_at(i)->name;
    return names ? text_nearest(word, names, catalogue_count()) : NULL;
}

const char *info_nearest_name(const char *word) {
    static const registry *const registries[] = {&learner_registry, &discretizer_registry, &score_registry};
    const char *near = nearest_network(word);
    for (size_t i = 0; !near && i < sizeof registries / sizeof *registries; i++)
        near = registry_nearest(registries[i], word);
    if (!near)
        near = dataset_catalogue_nearest(word);
    return near ? near : metric_suggest(word);
}
