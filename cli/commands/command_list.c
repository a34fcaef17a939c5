/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench list: what there is of a kind. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/text.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/registry.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "generators/catalogue/dataset_locate.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "metrics/distances/metric.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"
#include "parts/registry.h"
#include "runner/declare/experiment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {{0}};

/* An entry for either reader: an object for machines, a line for people. `extra` is taken. */
static status add_entry(cli *c, const char *name, const char *summary, json_t *extra, error_info *err) {
    json_t *o;
    status st = STATUS_OK;
    if (!c->json) {
        json_decref(extra);
        text_append_format(&c->out, "%s%*s  %s\n", name, (int)(text_width(name) < 18 ? 18 - text_width(name) : 0), "",
                           summary);
        return text_buffer_check(&c->out, err);
    }
    o = json_pack("{s:o, s:o}", "name", json_of_text(name), "summary", json_of_text(summary));
    st = json_add(c->answer, o, err);
    if (st == STATUS_OK && (!extra || json_object_update(o, extra) != 0))
        st = error_out_of_memory(err);
    json_decref(extra);
    return st;
}

static status list_learners(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < learner_count(); i++) {
        const learner *l = learner_at(i);
        json_t *extra = json_pack("{s:s, s:s, s:s, s:b}", "returns", graph_kind_name(l->returns), "accepts",
                                  data_kinds_name(l->accepts), "citation", l->citation ? l->citation : "", "anytime",
                                  (int)l->is_anytime);
        st = add_entry(c, l->name, l->summary, extra, err);
    }
    return st;
}

/* For people the summary stands in columns. */
static void append_sizes(const cli *c, const catalogue_entry *e, bool is_here, text_buffer *out) {
    int wide = c->json ? 0 : 1;
    text_append_format(out, "%*zu nodes, %*zu arcs", 5 * wide, e->nodes, 6 * wide, e->arcs);
    if (e->parameters > 0)
        text_append_format(out, ", %*" PRIu64 " parameters", 8 * wide, e->parameters);
    if (!is_here && !c->json)
        text_append(out, "   (not on this computer)");
}

static status list_networks(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < catalogue_count(); i++) {
        const catalogue_entry *e = catalogue_at(i);
        text_buffer summary = {0};
        bool is_here = input_is_available(e->name);
        append_sizes(c, e, is_here, &summary);
        st = text_buffer_check(&summary, err);
        if (st == STATUS_OK)
            st = add_entry(c, e->name, summary.data,
                           json_pack("{s:I, s:I, s:I, s:b, s:s?}", "nodes", (json_int_t)e->nodes, "arcs",
                                     (json_int_t)e->arcs, "parameters", (json_int_t)e->parameters, "available",
                                     (int)is_here, "citation", e->citation),
                           err);
        text_buffer_clear(&summary);
    }
    return st;
}

static status list_metrics(cli *c, error_info *err) {
    status st = STATUS_OK;
    const metric_info *m;
    for (size_t i = 0; st == STATUS_OK && (m = metric_at(i)); i++) {
        json_t *extra = json_pack("{s:s, s:b, s:b, s:b}", "unit", m->unit, "less_is_better", (int)m->less_is_better,
                                  "needs_truth", (int)m->needs_truth, "needs_test", (int)m->needs_test);
        st = add_entry(c, m->name, m->summary, extra, err);
    }
    return st;
}

static status list_scores(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < score_registry.n; i++) {
        const score_kind *k = score_kind_at(i);
        json_t *extra = json_pack("{s:s, s:b}", "citation", k->citation, "equivalent", (int)k->is_equivalent);
        st = add_entry(c, k->name, k->summary, extra, err);
    }
    return st;
}

static status list_tests(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < ci_test_registry.n; i++) {
        const ci_test_kind *k = ci_test_kind_at(i);
        st = add_entry(c, k->name, k->summary, json_pack("{s:s}", "citation", k->citation), err);
    }
    return st;
}

/* An experiment that cannot be read is listed with its error. */
static status list_experiment(cli *c, const char *name, error_info *err) {
    AUTO(experiment_clear) experiment e = {0};
    error_info trouble = {0};
    AUTO_FREE char *path = NULL;
    const char *summary = trouble.message;

    CHECK(input_experiment_path(name, &path, err));
    if (experiment_read(path, NULL, NULL, 0, &e, &trouble) == STATUS_OK)
        summary = e.outputs.title ? e.outputs.title : "";
    return add_entry(c, name, summary, json_pack("{s:s}", "path", path), err);
}

static status list_experiments(cli *c, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    status st = input_experiment_names(&names, &n, err);
    for (size_t i = 0; st == STATUS_OK && i < n; i++)
        st = list_experiment(c, names[i], err);
    texts_destroy(names, n);
    return st;
}

static status list_discretizers(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < discretizer_count(); i++) {
        const discretizer *d = discretizer_at(i);
        st = add_entry(c, d->name, d->summary, json_pack("{s:s}", "citation", d->citation), err);
    }
    return st;
}

static bool data_is_here(const char *name) {
    char *path = NULL;
    bool found = dataset_locate(name, ".csv", &path, NULL) == STATUS_OK;
    free(path);
    return found;
}

static void append_data_sizes(const cli *c, const dataset_facts *f, bool is_here, text_buffer *out) {
    int wide = c->json ? 0 : 1;
    text_append_format(out, "%*zu rows, %*zu discrete, %*zu continuous", 5 * wide, f->rows, 2 * wide, f->discrete,
                       2 * wide, f->continuous);
    if (!is_here && !c->json)
        text_append(out, "   (not on this computer)");
}

static status list_datasets(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < dataset_catalogue_count(); i++) {
        const dataset_entry *e = dataset_catalogue_at(i);
        dataset_facts f = dataset_entry_facts(e);
        bool is_here = data_is_here(e->name);
        text_buffer summary = {0};
        append_data_sizes(c, &f, is_here, &summary);
        st = text_buffer_check(&summary, err);
        if (st == STATUS_OK)
            st = add_entry(c, e->name, summary.data,
                           json_pack("{s:I, s:I, s:I, s:b, s:b, s:s}", "rows", (json_int_t)f.rows, "discrete",
                                     (json_int_t)f.discrete, "continuous", (json_int_t)f.continuous, "available",
                                     (int)is_here, "has_address", (int)(e->url != NULL), "citation", e->citation),
                           err);
        text_buffer_clear(&summary);
    }
    return st;
}

static status list_parts(cli *c, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < part_count(); i++) {
        const part_kind *kind = part_at(i);
        st = add_entry(c, kind->name, kind->summary, json_pack("{s:s}", "group", part_group_at(kind->group)->key), err);
    }
    return st;
}

static const struct {
    const char *name;
    status (*list)(cli *c, error_info *err);
} kinds[] = {
    {"learners", list_learners},
    {"networks", list_networks},
    {"metrics", list_metrics},
    {"scores", list_scores},
    {"tests", list_tests},
    {"experiments", list_experiments},
    {"discretizers", list_discretizers},
    {"datasets", list_datasets},
    {"parts", list_parts},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static status unknown_kind(const char *typed, error_info *err) {
    const char *names[N_KINDS], *near;
    for (size_t i = 0; i < N_KINDS; i++)
        names[i] = kinds[i].name;
    near = text_nearest(typed, names, N_KINDS);
    return error_set(err, STATUS_INVALID, "unknown kind '%s'; %s%s%s", typed, near ? "did you mean '" : "",
                     near ? near
                          : "learners, networks, datasets, metrics, scores, tests, experiments, discretizers or parts",
                     near ? "'?" : "");
}

static status run(cli *c, error_info *err) {
    const char *typed = c->args->words[0];
    if (c->json && !(c->answer = json_array()))
        return error_out_of_memory(err);
    for (size_t i = 0; i < N_KINDS; i++) {
        if (strcmp(kinds[i].name, typed) == 0)
            return kinds[i].list(c, err);
    }
    return cli_blame(c, BLAME_WORDS, unknown_kind(typed, err));
}

const command command_list = {
    .run = run,
    .syntax = {.name = "list",
               .words = "KIND",
               .summary =
                   "list learners, networks, datasets, metrics, scores, tests, experiments, discretizers or parts",
               .details = "'bnbench info NAME' tells more of any of them.",
               .examples = "  bnbench list learners\n"
                           "  bnbench list networks --json",
               .least_words = 1,
               .most_words = 1,
               .options = options},
};
