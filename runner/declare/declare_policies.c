/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discretization policies among the tables and plots. */
#include "runner/declare/declare_internal.h"
#include "runner/declare/fields_internal.h"

/* Any name will do: the columns of data are not known before the data are read. */
static status read_variable(const yaml_node *node, const char *what, const experiment *e, char **out, error_info *err) {
    (void)e;
    return field_line(node, what, out, err);
}

static status read_variables(const yaml_node *node, const experiment *e, char ***names, size_t *n, error_info *err) {
    const yaml_node *variables = yaml_get(node, "variables");
    return variables ? declare_read_names(variables, "variables", e, read_variable, names, n, err) : STATUS_OK;
}

status declare_policy_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    static const char *const known[] = {"id",      "kind",  "title",     "networks", "learners",
                                        "samples", "sigma", "variables", NULL};
    CHECK(field_mapping(node, "a table of policies", known, err));
    return read_variables(node, e, &t->variables, &t->n_variables, err);
}

/* A noise level of the experiment; without one, the first. */
static status read_sigma(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    const experiment_outputs *o = &e->outputs;
    p->sigma = o->n_sigmas ? o->sigmas[0] : 0;
    if (!node)
        return STATUS_OK;
    double sigma = 0;
    CHECK(declare_read_sigma(node, "sigma", &sigma, err));
    p->sigma = sigma;
    return outputs_is_among(sigma, o->sigmas, o->n_sigmas)
               ? STATUS_OK
               : yaml_fail(node, err, "sigma is no noise level of this experiment");
}

status declare_policy_plot(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id",      "kind",  "title",     "network", "learners",
                                        "samples", "sigma", "variables", "style",   NULL};
    const yaml_node *network = yaml_get(node, "network"), *samples = yaml_get(node, "samples");
    CHECK(field_mapping(node, "a plot of policies", known, err));
    if (!network)
        return yaml_fail(node, err, "a plot of policies needs 'network', a network or data set of the experiment");
    CHECK(declare_read_network_id(network, "network", e, &p->network, err));
    if (samples)
        CHECK(declare_read_plot_samples(samples, e, p, err));
    else if (e->outputs.n_sizes > 1)
        return yaml_fail(node, err,
                         "the experiment has several sample sizes; a plot of policies needs 'samples', one of "
                         "them");
    else
        p->samples = e->outputs.sizes[0];
    CHECK(read_sigma(yaml_get(node, "sigma"), e, p, err));
    return read_variables(node, e, &p->variables, &p->n_variables, err);
}
