/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the registries know: learners, discretizers, scores, tests, metrics. */
#include "cli/base/inputs.h"
#include "cli/base/json.h"
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
        text_append_option_range(out, &w.spec);
        text_append(out, "): ");
        option_walk_append_help(&w, out);
        text_append(out, "\n");
        if (w.spec.kind == OPT_CHOSEN)
            text_append_format(out,
                               "  %-14s of what is chosen: -O %s.name=value (`bnbench info` of the %s lists them)\n",
                               "its options", w.name, w.spec.of->what);
    }
}

/* What every registered thing has: kind, name, summary, citation (may be NULL), options (may be NULL). */
static status begin_answer(cli *c, const char *kind, const char *name, const char *summary, const char *citation,
                           error_info *err) {
    json_t *o = c->answer = json_object();
    CHECK(json_put(o, "kind", json_of_text(kind), err));
    CHECK(json_put(o, "name", json_of_text(name), err));
    CHECK(json_put(o, "summary", json_of_text(summary), err));
    return json_put(o, "citation", json_of_text(citation), err);
}

static void begin_print(cli *c, const char *kind, const char *name, const char *summary, const char *citation) {
    text_append_format(&c->out, "%-12s %s\nsummary      %s\n", kind, name, summary);
    if (citation && *citation)
        text_append_format(&c->out, "citation     %s\n", citation);
}

/* ---- learners ---- */

bool info_knows_learner(const char *word) {
    const learner *l;
    return learner_find(word, &l, NULL) == STATUS_OK;
}

static json_t *aliases_of(const learner *l) {
    size_t n = 0;
    while (l->aliases && l->aliases[n])
        n++;
    return json_of_texts(l->aliases, n);
}

static status answer_learner(cli *c, const learner *l, error_info *err) {
    CHECK(begin_answer(c, "learner", l->name, l->summary, l->citation, err));
    CHECK(json_put(c->answer, "aliases", aliases_of(l), err));
    CHECK(json_put(c->answer, "version", json_integer(l->version), err));
    CHECK(json_put(c->answer, "accepts", json_of_text(data_kinds_name(l->accepts)), err));
    CHECK(json_put(c->answer, "returns", json_of_text(graph_kind_name(l->returns)), err));
    CHECK(json_put(c->answer, "anytime", json_boolean(l->is_anytime), err));
    CHECK(json_put(c->answer, "depends_on_order", json_boolean(l->depends_on_order), err));
    return json_put(c->answer, "options", json_of_option_specs(l->options), err);
}

status info_learner(cli *c, const char *word, error_info *err) {
    const learner *l;
    CHECK(cli_blame(c, BLAME_WORDS, learner_find(word, &l, err)));
    if (c->json)
        return answer_learner(c, l, err);
    begin_print(c, "learner", l->name, l->summary, l->citation);
    for (size_t i = 0; l->aliases && l->aliases[i]; i++)
        text_append_format(&c->out, "%s%s%s", i ? ", " : "aliases      ", l->aliases[i], l->aliases[i + 1] ? "" : "\n");
    text_append_format(&c->out, "takes        %s data\nreturns      %s\n", data_kinds_name(l->accepts),
                       graph_kind_name(l->returns));
    text_append_format(&c->out, "at a limit   %s\ncolumn order %s\n",
                       l->is_anytime ? "returns the best graph so far" : "stops without a graph",
                       l->depends_on_order ? "may change the result" : "does not change the result");
    print_options(&c->out, l->options);
    return STATUS_OK;
}

/* ---- discretizers ---- */

bool info_knows_discretizer(const char *word) {
    const discretizer *d;
    return discretizer_find(word, &d, NULL) == STATUS_OK;
}

status info_discretizer(cli *c, const char *word, error_info *err) {
    const discretizer *d;
    CHECK(cli_blame(c, BLAME_WORDS, discretizer_find(word, &d, err)));
    if (c->json) {
        CHECK(begin_answer(c, "discretizer", d->name, d->summary, d->citation, err));
        CHECK(json_put(c->answer, "version", json_integer(d->version), err));
        CHECK(json_put(c->answer, "options", json_of_option_specs(d->options), err));
    } else {
        begin_print(c, "discretizer", d->name, d->summary, d->citation);
        print_options(&c->out, d->options);
    }
    return STATUS_OK;
}

/* ---- scores ---- */

bool info_knows_score(const char *word) {
    const score_kind *k;
    return score_kind_find(word, &k, NULL) == STATUS_OK;
}

status info_score(cli *c, const char *word, error_info *err) {
    const score_kind *k;
    CHECK(cli_blame(c, BLAME_WORDS, score_kind_find(word, &k, err)));
    if (c->json) {
        CHECK(begin_answer(c, "score", k->name, k->summary, k->citation, err));
        CHECK(json_put(c->answer, "accepts", json_of_text(data_kinds_name(k->accepts)), err));
        CHECK(json_put(c->answer, "equivalent", json_boolean(k->is_equivalent), err));
        CHECK(json_put(c->answer, "options", json_of_option_specs(k->options), err));
    } else {
        begin_print(c, "score", k->name, k->summary, k->citation);
        text_append_format(&c->out, "takes        %s data\n", data_kinds_name(k->accepts));
        text_append_format(&c->out, "equivalence  Markov equivalent DAGs %s\n",
                           k->is_equivalent ? "score alike" : "may score differently");
        print_options(&c->out, k->options);
    }
    return STATUS_OK;
}

/* ---- tests ---- */

bool info_knows_test(const char *word) {
    const ci_test_kind *k;
    return ci_test_kind_find(word, &k, NULL) == STATUS_OK;
}

status info_test(cli *c, const char *word, error_info *err) {
    const ci_test_kind *k;
    CHECK(cli_blame(c, BLAME_WORDS, ci_test_kind_find(word, &k, err)));
    if (c->json) {
        CHECK(begin_answer(c, "test", k->name, k->summary, k->citation, err));
        CHECK(json_put(c->answer, "accepts", json_of_text(data_kinds_name(k->accepts)), err));
        CHECK(json_put(c->answer, "options", json_of_option_specs(k->options), err));
    } else {
        begin_print(c, "test", k->name, k->summary, k->citation);
        text_append_format(&c->out, "takes        %s data\n", data_kinds_name(k->accepts));
        print_options(&c->out, k->options);
    }
    return STATUS_OK;
}

/* ---- metrics ---- */

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
    if (c->json) {
        CHECK(begin_answer(c, "metric", m->name, m->summary, NULL, err));
        CHECK(json_put(c->answer, "unit", json_of_text(m->unit), err));
        CHECK(json_put(c->answer, "less_is_better", json_boolean(m->less_is_better), err));
        CHECK(json_put(c->answer, "needs_truth", json_boolean(m->needs_truth), err));
        CHECK(json_put(c->answer, "needs_test", json_boolean(m->needs_test), err));
        CHECK(json_put(c->answer, "needs_directions", json_boolean(m->needs_directions), err));
    } else {
        begin_print(c, "metric", m->name, m->summary, NULL);
        text_append_format(&c->out, "unit         %s\nbetter       %s\n", *m->unit ? m->unit : "none (a ratio)",
                           m->less_is_better ? "less" : "more");
        text_append_format(&c->out, "needs        %s%s%s\n", m->needs_truth ? "the true graph" : "",
                           m->needs_test ? "test rows" : "", m->needs_truth || m->needs_test ? "" : "nothing more");
    }
    return STATUS_OK;
}

/* ---- a typo ---- */

static const char *nearest_network(const char *word) {
    const char **names = calloc(catalogue_count() + 1, sizeof *names);
    const char *near = NULL;
    for (size_t i = 0; names && i < catalogue_count(); i++)
        names[i] = catalogue_at(i)->name;
    if (names)
        near = text_nearest(word, names, catalogue_count());
    free(names);
    return near;
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
