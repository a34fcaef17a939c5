/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench list: what there is of a kind. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/reports/published_check.h"

#include "core/base/text.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/registry.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "metrics/distances/metric.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"
#include "parts/registry.h"
#include "runner/declare/experiment.h"
#include "runner/declare/shipped_experiments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An entry for either reader: an object for machines, a line for people. `taken` are its other members. */
static status add_entry(cli *c, const char *name, const char *summary, json_t *taken, error_info *err) {
    AUTO_PTR(json_decref) json_t *extra = taken, *o = NULL;
    if (!c->json) {
        text_append_format(&c->out, "%s%*s  %s\n", name, (int)(text_width(name) < 18 ? 18 - text_width(name) : 0), "",
                           summary);
        return text_buffer_check(&c->out, err);
    }
    CHECK_ALLOC(extra);
    CHECK_ALLOC(o = json_object_of({"name", json_of_text(name)}, {"summary", json_of_text(summary)}));
    if (json_object_update(o, extra) != 0)
        return error_out_of_memory(err);
    return json_add(c->answer, json_incref(o), err);
}

static status list_learners(cli *c, error_info *err) {
    for (size_t i = 0; i < learner_count(); i++) {
        const learner *l = learner_at(i);
        CHECK(add_entry(c, l->name, l->summary,
                        json_object_of({"returns", json_of_text(graph_kind_name(l->returns))},
                                       {"accepts", json_of_text(data_kinds_name(l->accepts))},
                                       {"citation", json_of_text(l->citation ? l->citation : "")},
                                       {"anytime", json_boolean(l->is_anytime)}),
                        err));
    }
    return STATUS_OK;
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
    for (size_t i = 0; i < catalogue_count(); i++) {
        const catalogue_entry *e = catalogue_at(i);
        AUTO(text_buffer_clear) text_buffer summary = {0};
        bool is_here = input_is_available(e->name);
        append_sizes(c, e, is_here, &summary);
        CHECK(text_buffer_check(&summary, err));
        CHECK(add_entry(c, e->name, summary.data,
                        json_object_of({"nodes", json_of_size(e->nodes)}, {"arcs", json_of_size(e->arcs)},
                                       {"parameters", json_of_size(e->parameters)},
                                       {"available", json_boolean(is_here)}, {"citation", json_of_text(e->citation)}),
                        err));
    }
    return STATUS_OK;
}

static status list_metrics(cli *c, error_info *err) {
    const metric_info *m;
    for (size_t i = 0; (m = metric_at(i)); i++)
        CHECK(add_entry(
            c, m->name, m->summary,
            json_object_of({"unit", json_of_text(m->unit)}, {"less_is_better", json_boolean(m->less_is_better)},
                           {"needs_truth", json_boolean(m->needs_truth)}, {"needs_test", json_boolean(m->needs_test)}),
            err));
    return STATUS_OK;
}

static json_t *citation_of(const char *citation) {
    return json_object_of({"citation", json_of_text(citation)});
}

static status list_scores(cli *c, error_info *err) {
    for (size_t i = 0; i < score_registry.n; i++) {
        const score_kind *k = score_kind_at(i);
        CHECK(add_entry(
            c, k->name, k->summary,
            json_object_of({"citation", json_of_text(k->citation)}, {"equivalent", json_boolean(k->is_equivalent)}),
            err));
    }
    return STATUS_OK;
}

static status list_tests(cli *c, error_info *err) {
    for (size_t i = 0; i < ci_test_registry.n; i++) {
        const ci_test_kind *k = ci_test_kind_at(i);
        CHECK(add_entry(c, k->name, k->summary, citation_of(k->citation), err));
    }
    return STATUS_OK;
}

/* An experiment that cannot be read is listed with its error. */
static status list_experiment(cli *c, const char *name, error_info *err) {
    AUTO(experiment_clear) experiment e = {0};
    error_info trouble = {0};
    AUTO_FREE char *path = NULL;
    const char *summary = trouble.message;

    CHECK(shipped_experiment_locate(name, &path, err));
    if (experiment_read(path, NULL, NULL, 0, &e, &trouble) == STATUS_OK)
        summary = e.outputs.title ? e.outputs.title : "";
    return add_entry(c, name, summary, json_object_of({"path", json_of_text(path)}), err);
}

static status list_experiments(cli *c, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    status st = shipped_experiment_names(&names, &n, err);
    for (size_t i = 0; st == STATUS_OK && i < n; i++)
        st = list_experiment(c, names[i], err);
    texts_destroy(names, n);
    return st;
}

static status list_discretizers(cli *c, error_info *err) {
    for (size_t i = 0; i < discretizer_count(); i++) {
        const discretizer *d = discretizer_at(i);
        CHECK(add_entry(c, d->name, d->summary, citation_of(d->citation), err));
    }
    return STATUS_OK;
}

static void append_data_sizes(const cli *c, const dataset_facts *f, bool is_here, text_buffer *out) {
    int wide = c->json ? 0 : 1;
    text_append_format(out, "%*zu rows, %*zu discrete, %*zu continuous", 5 * wide, f->rows, 2 * wide, f->discrete,
                       2 * wide, f->continuous);
    if (!is_here && !c->json)
        text_append(out, "   (not on this computer)");
}

static status list_datasets(cli *c, error_info *err) {
    for (size_t i = 0; i < dataset_catalogue_count(); i++) {
        const dataset_entry *e = dataset_catalogue_at(i);
        dataset_facts f = dataset_entry_facts(e);
        bool is_here = input_data_is_here(e->name);
        AUTO(text_buffer_clear) text_buffer summary = {0};
        append_data_sizes(c, &f, is_here, &summary);
        CHECK(text_buffer_check(&summary, err));
        CHECK(add_entry(c, e->name, summary.data,
                        json_object_of({"rows", json_of_size(f.rows)}, {"discrete", json_of_size(f.discrete)},
                                       {"continuous", json_of_size(f.continuous)}, {"available", json_boolean(is_here)},
                                       {"has_address", json_boolean(e->url != NULL)},
                                       {"citation", json_of_text(e->citation)}),
                        err));
    }
    return STATUS_OK;
}

static status list_parts(cli *c, error_info *err) {
    for (size_t i = 0; i < part_count(); i++) {
        const part_kind *kind = part_at(i);
        json_t *group = json_object_of({"group", json_of_text(part_group_at(kind->group)->key)});
        CHECK(add_entry(c, kind->name, kind->summary, group, err));
    }
    return STATUS_OK;
}

/* "brown2005_table1_networks.csv  48 rows: 48 counted, 0 left over" */
static status list_file(cli *c, const char *name, const size_t n[N_ROW_STATES], error_info *err) {
    AUTO(text_buffer_clear) text_buffer summary = {0};
    size_t n_rows = 0;
    for (size_t s = 0; s < N_ROW_STATES; s++)
        n_rows += n[s];
    published_rows_append(n, &summary);
    CHECK(text_buffer_check(&summary, err));
    return add_entry(c, name, summary.data,
                     json_object_of({"rows", json_of_size(n_rows)}, {"counted", json_of_size(n[ROW_COUNTED])},
                                    {"compared", json_of_size(n[ROW_COMPARED])},
                                    {"baseline", json_of_size(n[ROW_BASELINE])}, {"empty", json_of_size(n[ROW_EMPTY])},
                                    {"absent", json_of_size(n[ROW_ABSENT])}, {"left", json_of_size(n[ROW_LEFT])}),
                     err);
}

static void name_left_rows(const cli *c, const published_rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        const published_file *f = &rows->files[i];
        for (size_t k = 0; k < f->n_rows; k++) {
            if (f->states[k] == ROW_LEFT)
                cli_say(c, "%s:%zu: no table compares this row, and no experiment says why", f->name,
                        csv_table_line(f->fields, k));
        }
    }
}

static status list_published(cli *c, error_info *err) {
    AUTO(published_rows_clear) published_rows rows = {0};
    size_t sums[N_ROW_STATES];
    CHECK(published_check(&rows, err));
    for (size_t i = 0; i < rows.n; i++)
        CHECK(list_file(c, rows.files[i].name, rows.files[i].n, err));
    published_rows_count(&rows, sums);
    CHECK(list_file(c, "all", sums, err));
    if (!args_has(c->args, "check") || sums[ROW_LEFT] == 0)
        return STATUS_OK;
    name_left_rows(c, &rows);
    c->exit_status = LEAVE_NO;
    return STATUS_OK;
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
    {"published", list_published},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static status unknown_kind(const char *typed, error_info *err) {
    const char *names[N_KINDS], *near;
    for (size_t i = 0; i < N_KINDS; i++)
        names[i] = kinds[i].name;
    near = text_nearest(typed, names, N_KINDS);
    return error_set(err, STATUS_INVALID, "unknown kind '%s'; %s%s%s", typed, near ? "did you mean '" : "",
                     near ? near
                          : "learners, networks, datasets, metrics, scores, tests, experiments, discretizers, parts or "
                            "published",
                     near ? "'?" : "");
}

static const arg_option options[] = {
    {"check", 0, NULL, "of published: name the rows that are left over, with exit status 1 if there are any"},
    {0},
};

static status run(cli *c, error_info *err) {
    const char *typed = c->args->words[0];
    if (args_has(c->args, "check") && strcmp(typed, "published") != 0)
        return cli_refuse(c, err, "--check goes with 'published'");
    if (c->json)
        CHECK_ALLOC(c->answer = json_array());
    for (size_t i = 0; i < N_KINDS; i++) {
        if (strcmp(kinds[i].name, typed) == 0)
            return kinds[i].list(c, err);
    }
    return cli_blame(c, BLAME_WORDS, unknown_kind(typed, err));
}

const command command_list = {
    .run = run,
    .is_for_people = true,
    .syntax = {.name = "list",
               .words = "KIND",
               .summary = "list learners, networks, metrics, experiments, published figures and more",
               .details =
                   "KIND is learners, networks, datasets, metrics, scores, tests, experiments, discretizers, parts or\n"
                   "published: files of papers' figures, and what the experiments that ship do with their rows.\n"
                   "'bnbench info NAME' tells more of any of the others.",
               .examples = "  bnbench list learners\n"
                           "  bnbench list networks --json\n"
                           "  bnbench list published --check",
               .least_words = 1,
               .most_words = 1,
               .options = options},
};
