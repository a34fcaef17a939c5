/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment file declares. */
#include "cli/base/inputs.h"
#include "cli/info/info.h"

#include "core/base/file.h"
#include "parts/registry.h"
#include "runner/declare/experiment.h"
#include "runner/declare/shipped_experiments.h"

#include <stdlib.h>
#include <string.h>

/* What there was no memory to look for may be there: info_experiment tells. */
bool info_knows_experiment(const char *word) {
    AUTO_FREE char *path = NULL;
    return path_ends_with(word, ".yaml") || path_ends_with(word, ".yml") ||
           (!file_exists(word) && shipped_experiment_locate(word, &path, NULL) != STATUS_MISSING);
}

static size_t cell_count(const experiment *e) {
    const experiment_outputs *o = &e->outputs;
    size_t n = 0;
    for (size_t v = 0; v < e->n_variants; v++) {
        for (size_t i = 0; i < o->n_networks; i++)
            n += !e->variants[v].runs_on || e->variants[v].runs_on[i];
    }
    return n * o->n_sizes * outputs_sigma_count(o) * o->n_replicates;
}

static json_t *sizes_of(const experiment_outputs *o) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < o->n_sizes; i++)
        array = json_with(array, o->sizes[i] == OUTPUTS_ALL_ROWS ? json_string("all") : json_of_size(o->sizes[i]));
    return array;
}

static json_t *sigmas_of(const experiment_outputs *o) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < o->n_sigmas; i++)
        array = json_with(array, json_real(o->sigmas[i]));
    return array;
}

static json_t *ids_of(const part_list *parts, part_group group) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < parts->n; i++) {
        if (parts->parts[i].kind->group == group)
            array = json_with(array, json_of_text(part_text(&parts->parts[i], "id")));
    }
    return array;
}

static const char *basis_name(reading_basis basis) {
    static const char *const names[] = {[BASIS_TEXT] = "text", [BASIS_SILENT] = "silent", [BASIS_FIGURES] = "figures"};
    return names[basis];
}

static json_t *readings_of(const experiment_outputs *o) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < o->n_readings; i++) {
        const reading_spec *r = &o->readings[i];
        array = json_with(array, json_object_of({"id", json_of_text(r->id)}, {"text", json_of_text(r->text)},
                                                {"basis", json_of_text(basis_name(r->basis))}));
    }
    return array;
}

static status answer(cli *c, const experiment *e, const char *path, error_info *err) {
    const experiment_outputs *x = &e->outputs;
    json_t *o = c->answer = json_object();

    CHECK(json_put_all(o, err, {"kind", json_of_text("experiment")}, {"name", json_of_text(x->name)},
                       {"title", json_of_text(x->title)}, {"path", json_of_text(path)},
                       {"networks", json_of_texts((const char *const *)x->networks, x->n_networks)},
                       {"samples", sizes_of(x)}, {"sigma", sigmas_of(x)}, {"replicates", json_of_size(x->n_replicates)},
                       {"learners", json_of_texts((const char *const *)x->learners, x->n_learners)},
                       {"metrics", json_of_texts((const char *const *)e->metrics, e->n_metrics)}));
    for (part_group g = PART_TABLE; g < PART_GROUP_COUNT; g++)
        CHECK(json_put(o, part_group_at(g)->key, ids_of(&e->parts, g), err));
    if (x->n_readings > 0)
        CHECK(json_put(o, "readings", readings_of(x), err));
    return json_put(o, "cells", json_of_size(cell_count(e)), err);
}

static void print_names(text_buffer *out, const char *label, char *const *names, size_t n) {
    text_append_format(out, "%-12s ", label);
    for (size_t i = 0; i < n; i++)
        text_append_format(out, "%s%s", i ? ", " : "", names[i]);
    text_append(out, "\n");
}

static void print_readings(text_buffer *out, const experiment_outputs *o) {
    for (size_t i = 0; i < o->n_readings; i++) {
        const reading_spec *r = &o->readings[i];
        text_append_format(out, "%-12s %s (%s): %s\n", i ? "" : "readings", r->id, basis_name(r->basis), r->text);
    }
}

static void print(cli *c, const experiment *e, const char *path) {
    const experiment_outputs *x = &e->outputs;
    text_buffer *out = &c->out;
    char digits[32];
    text_append_format(out, "experiment   %s\n", x->name);
    if (x->title)
        text_append_format(out, "title        %s\n", x->title);
    text_append_format(out, "file         %s\n", path);
    print_names(out, "networks", x->networks, x->n_networks);
    text_append(out, "samples      ");
    for (size_t i = 0; i < x->n_sizes; i++) {
        text_append(out, i ? ", " : "");
        outputs_append_size(x->sizes[i], out);
    }
    text_append(out, x->n_sigmas ? "\nsigma        " : "");
    for (size_t i = 0; i < x->n_sigmas; i++)
        text_append_format(out, "%s%s", i ? ", " : "", text_from_double(x->sigmas[i], digits));
    text_append_format(out, "\nreplicates   %zu\n", x->n_replicates);
    print_names(out, "learners", x->learners, x->n_learners);
    print_names(out, "metrics", e->metrics, e->n_metrics);
    text_append_format(out, "reports      %zu tables, %zu tests, %zu plots\ncells        %zu\n",
                       part_list_count(&e->parts, PART_TABLE), part_list_count(&e->parts, PART_TEST),
                       part_list_count(&e->parts, PART_PLOT), cell_count(e));
    print_readings(out, x);
}

status info_experiment(cli *c, const char *word, error_info *err) {
    AUTO(experiment_clear) experiment e = {0};
    AUTO_FREE char *path = NULL;

    CHECK(shipped_experiment_locate(word, &path, err));
    CHECK(cli_blame(c, BLAME_INPUT, experiment_read(path, NULL, NULL, 0, &e, err)));
    if (c->json)
        return answer(c, &e, path, err);
    print(c, &e, path);
    return STATUS_OK;
}
