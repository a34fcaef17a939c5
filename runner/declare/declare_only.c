/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `only`: which cells of the experiment are run, so that one job can be repeated alone. */
#include "runner/declare/declare_internal.h"

#include "runner/declare/fields_internal.h"

#include <string.h>

static status find_name(const yaml_node *node, const char *what, char *const *names, size_t n, size_t *out,
                        error_info *err) {
    const char *name = NULL;
    char hint[300];
    CHECK(field_text(node, what, &name, err));
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = i + 1;
            return STATUS_OK;
        }
    }
    return yaml_fail(node, err, "only.%s is '%.60s', which the experiment does not have%s", what, name,
                     field_suggestion(name, (const char *const *)names, n, hint, sizeof hint));
}

static status find_size(const yaml_node *node, const experiment *e, size_t *out, error_info *err) {
    uint64_t samples = 0;
    CHECK(field_whole(node, "samples", 1, MOST_SAMPLES, &samples, err));
    for (size_t i = 0; i < e->outputs.n_sizes; i++) {
        if (outputs_is_size(e->outputs.sizes[i], samples)) {
            *out = i + 1;
            return STATUS_OK;
        }
    }
    return yaml_fail(node, err, "only.samples is %llu, which is no sample size of the experiment",
                     (unsigned long long)samples);
}

static status find_sigma(const yaml_node *node, const experiment_outputs *o, size_t *out, error_info *err) {
    double sigma = 0;
    CHECK(declare_read_sigma(node, "only.sigma", &sigma, err));
    for (size_t i = 0; i < o->n_sigmas; i++) {
        if (o->sigmas[i] == sigma) {
            *out = i + 1;
            return STATUS_OK;
        }
    }
    return yaml_fail(node, err, "only.sigma is %g, which is no noise level of the experiment", sigma);
}

/* Finds a learner that runs; a best_of runs nothing itself. */
static status find_variant(const yaml_node *node, const experiment *e, size_t *out, error_info *err) {
    const char *id = NULL;
    CHECK(field_text(node, "learner", &id, err));
    for (size_t i = 0; i < e->n_variants; i++) {
        if (strcmp(e->variants[i].id, id) == 0) {
            *out = i + 1;
            return STATUS_OK;
        }
    }
    return yaml_fail(node, err, "only.learner is '%.60s', which is no learner that this experiment runs", id);
}

status declare_only(const yaml_node *node, experiment *e, error_info *err) {
    static const char *const known[] = {"network", "samples", "sigma", "replicate", "learner", NULL};
    const experiment_outputs *o = &e->outputs;
    const yaml_node *network, *samples, *sigma, *id;
    uint64_t number = 0;
    if (!node)
        return STATUS_OK;
    CHECK(field_mapping(node, "only", known, err));
    network = yaml_get(node, "network");
    samples = yaml_get(node, "samples");
    sigma = yaml_get(node, "sigma");
    id = yaml_get(node, "learner");
    if (network)
        CHECK(find_name(network, "network", o->networks, o->n_networks, &e->only.network, err));
    if (samples)
        CHECK(find_size(samples, e, &e->only.size, err));
    if (sigma)
        CHECK(find_sigma(sigma, o, &e->only.sigma, err));
    CHECK(field_whole(yaml_get(node, "replicate"), "replicate", 1, o->n_replicates, &number, err));
    e->only.replicate = (size_t)number;
    if (id)
        CHECK(find_variant(id, e, &e->only.variant, err));
    return STATUS_OK;
}
