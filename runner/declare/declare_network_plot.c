/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing of a learned network among the plots. */
#include "runner/declare/declare_internal.h"
#include "runner/declare/fields_internal.h"

#include <string.h>

static status read_samples(const yaml_node *node, const yaml_node *samples, const experiment *e, plot_spec *p,
                           error_info *err) {
    uint64_t size = e->outputs.sizes[0];
    if (samples) {
        CHECK(field_whole(samples, "samples", 1, MOST_SAMPLES, &size, err));
    } else if (e->outputs.n_sizes > 1) {
        return yaml_fail(node, err, "the experiment has several sample sizes; a drawing needs 'samples', one of them");
    }
    p->samples = (size_t)size;
    for (size_t i = 0; i < e->outputs.n_sizes; i++) {
        if (e->outputs.sizes[i] == p->samples)
            return STATUS_OK;
    }
    return yaml_fail(samples, err, "samples is %zu, which is no sample size of this experiment", p->samples);
}

status declare_network_plot(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id",      "title",  "kind",   "network", "learner",
                                        "samples", "target", "radius", "style",   NULL};
    const yaml_node *network = yaml_get(node, "network"), *by = yaml_get(node, "learner"),
                    *target = yaml_get(node, "target"), *radius = yaml_get(node, "radius");
    uint64_t steps = 2;
    CHECK(field_mapping(node, "a drawing of a network", known, err));
    if (!network || !by)
        return yaml_fail(node, err, "a drawing of a network needs 'network' and 'learner'");
    CHECK(declare_read_network_id(network, "network", e, &p->network, err));
    CHECK(declare_read_learner_id(by, "learner", e, &p->learner, err));
    CHECK(read_samples(node, yaml_get(node, "samples"), e, p, err));
    if (radius && !target)
        return yaml_fail(radius, err, "a radius needs a 'target', the variable in the middle");
    if (target)
        CHECK(field_line(target, "target", &p->target, err));
    if (radius)
        CHECK(field_whole(radius, "radius", 1, 1000, &steps, err));
    p->radius = (size_t)steps;
    return STATUS_OK;
}
