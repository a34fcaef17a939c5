/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report_input.h"

#include "core/base/text.h"
#include "generators/catalogue/catalogue.h"
#include "parts/plots/network_plot.h"
#include "parts/registry.h"
#include "runner/runner.h"

#include <stdlib.h>
#include <string.h>

void report_input_clear(report_input *in) {
    job_records_destroy(in->records, in->n_records);
    store_run_facts_clear(&in->facts);
    stored_run_destroy(in->run);
    *in = (report_input){0};
}

/* ---- parts that are not declared ---- */

/* A table of all policies, where none is declared. */
static status add_policies(part_list *parts, error_info *err) {
    const part_kind *kind = part_find(PART_TABLE, "policies");
    void *options;
    for (size_t i = 0; i < parts->n; i++) {
        if (parts->parts[i].kind == kind)
            return STATUS_OK;
    }
    CHECK_ALLOC(options = part_list_add(parts, kind));
    return options_take_text(kind->options, options, "id", "policies", err);
}

enum { MOST_NETWORKS = 3, MOST_LEARNERS = 8, MOST_NODES = 60 };

static bool is_small(const network_source *source) {
    const catalogue_entry *entry =
        source->kind == SOURCE_NETWORK && source->source && source->copies == 0 ? catalogue_find(source->source) : NULL;
    return entry && entry->nodes <= MOST_NODES;
}

static size_t largest_size(const experiment_outputs *o) {
    size_t most = 0;
    for (size_t i = 0; i < o->n_sizes; i++)
        most = o->sizes[i] > most ? o->sizes[i] : most;
    return most;
}

static bool has_graph(const job_record *records, size_t n, const char *network, const char *id, size_t samples) {
    for (size_t i = 0; i < n; i++) {
        const job_record *r = &records[i];
        if (r->state == JOB_DONE && r->graph && r->replicate == 0 && outputs_is_size(samples, r->n_samples) &&
            strcmp(r->network, network) == 0 && strcmp(r->learner, id) == 0)
            return true;
    }
    return false;
}

static status add_drawing(part_list *parts, const char *network, const char *id, size_t samples, error_info *err) {
    const part_kind *kind = part_find(PART_PLOT, "network");
    network_plot_spec *spec = part_list_add(parts, kind);
    text_buffer name = {0}, title = {0};
    CHECK_ALLOC(spec);
    text_append_format(&name, "network-%s-%s", network, id);
    text_append_format(&title, "%s: %s from %zu rows against the truth", network, id, samples);
    spec->id = name.data;
    spec->title = title.data;
    spec->samples = samples;
    CHECK(text_buffer_check(&name, err));
    CHECK(text_buffer_check(&title, err));
    CHECK_ALLOC(spec->network = text_copy(network));
    CHECK_ALLOC(spec->learner = text_copy(id));
    return STATUS_OK;
}

/* For the first few small networks of the catalogue, each learner's graph at the largest sample size. */
static status add_drawings(experiment *e, const job_record *records, size_t n_records, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t samples = largest_size(o), n_networks = 0;
    for (size_t i = 0; i < o->n_networks && n_networks < MOST_NETWORKS; i++) {
        size_t n_learners = 0;
        if (!is_small(&e->sources[i]))
            continue;
        for (size_t l = 0; l < o->n_learners && n_learners < MOST_LEARNERS; l++) {
            if ((o->is_hidden && o->is_hidden[l]) ||
                !has_graph(records, n_records, o->networks[i], o->learners[l], samples))
                continue;
            CHECK(add_drawing(&e->parts, o->networks[i], o->learners[l], samples, err));
            n_learners++;
        }
        n_networks += n_learners > 0;
    }
    return STATUS_OK;
}

/* ---- the store ---- */

static status read_run(store *s, const char *reading, report_wish wish, report_input *in, error_info *err) {
    run_counts counts = {0};
    CHECK(stored_run_read(s, reading, wish.drawings || wish.policies ? STORED_RUN_TEXTS : 0, &in->run, err));
    in->e = stored_run_experiment(in->run);
    stored_run_count(in->run, &counts);
    in->n_planned = counts.total;
    CHECK(stored_run_take_records(in->run, &in->records, &in->n_records, err));
    if (wish.policies)
        CHECK(add_policies(&in->e->parts, err));
    if (wish.drawings)
        CHECK(add_drawings(in->e, in->records, in->n_records, err));
    CHECK(runner_read_network_facts(in->e, err));
    return store_last_run_facts(s, reading, &in->facts, err);
}

status report_input_read(const char *store_folder, const char *reading, report_wish wish, report_input *out,
                         error_info *err) {
    AUTO(report_input_clear) report_input in = {0};
    AUTO_PTR(store_close) store *s = NULL;
    CHECK(store_open(store_folder, false, false, &s, err));
    CHECK(read_run(s, reading, wish, &in, err));
    *out = TAKE(in);
    return STATUS_OK;
}
