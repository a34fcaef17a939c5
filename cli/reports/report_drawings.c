/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawings of networks that the HTML report makes of its own accord. */
#include "cli/reports/report_page.h"

#include "core/base/text.h"
#include "generators/catalogue/catalogue.h"
#include "parts/plots/network_plot.h"
#include "parts/registry.h"

#include <stdlib.h>
#include <string.h>

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

status report_page_add_drawings(experiment *e, const job_record *records, size_t n_records, error_info *err) {
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
