/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `data.continuize`: the noise levels at which discrete data become continuous, and which learners take those. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

status declare_read_sigma(const yaml_node *node, const char *what, double *out, error_info *err) {
    double sigma = 0;
    if (node->kind != YAML_TEXT || node->is_quoted || !text_to_double(node->text, &sigma) ||
        !(sigma > 0 && sigma <= MOST_SIGMA))
        return yaml_fail(node, err, "%s must be a number above 0, at most %g: the standard deviation of the noise",
                         what, MOST_SIGMA);
    *out = sigma;
    return STATUS_OK;
}

static status add_sigma(const yaml_node *node, experiment_outputs *o, error_info *err) {
    double sigma = 0;
    CHECK(declare_read_sigma(node, "sigma", &sigma, err));
    for (size_t i = 0; i < o->n_sigmas; i++) {
        if (o->sigmas[i] == sigma)
            return yaml_fail(node, err, "the noise level %g stands here a second time", sigma);
    }
    o->sigmas[o->n_sigmas++] = sigma;
    return STATUS_OK;
}

/* Noise is for samples of discrete networks alone, whose states become means. */
static status check_sources(const yaml_node *node, const experiment *e, error_info *err) {
    for (size_t i = 0; i < e->outputs.n_networks; i++) {
        if (e->sources[i].kind != SOURCE_NETWORK)
            return yaml_fail(node, err, "continuize makes samples of discrete networks continuous; %.60s is %s",
                             e->outputs.networks[i],
                             e->sources[i].kind == SOURCE_DATA ? "a data set" : "a network of genes");
    }
    return STATUS_OK;
}

status declare_continuize(const yaml_node *node, experiment *e, error_info *err) {
    static const char *const known[] = {"sigma", NULL};
    const yaml_node *sigma = node ? yaml_get(node, "sigma") : NULL;
    size_t n = 0;
    if (!node)
        return STATUS_OK;
    CHECK(field_mapping(node, "continuize", known, err));
    if (!sigma)
        return yaml_fail(node, err, "continuize needs 'sigma', one noise level or a list of them");
    CHECK(field_items(sigma, "sigma", MOST_SIGMAS, &n, err));
    CHECK_ALLOC(e->outputs.sigmas = calloc(n, sizeof *e->outputs.sigmas));
    for (size_t i = 0; i < n; i++)
        CHECK(add_sigma(field_item(sigma, i), &e->outputs, err));
    return check_sources(node, e, err);
}

/* ---- the learners' kinds of data ---- */

/* The kinds of data that the chosen score or test takes; all of them where the data decide. */
static int accepted_by(const option_spec *spec, const option_choice *choice) {
    const void *chosen = option_chosen(spec->of, choice);
    if (chosen && spec->of == &score_registry)
        return ((const score_kind *)chosen)->accepts;
    if (chosen && spec->of == &ci_test_registry)
        return ((const ci_test_kind *)chosen)->accepts;
    return DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED;
}

/* What the learner takes under its options; `how` says which of them keeps it from `given`: "hc with score=bdeu". */
static status find_accepted(const learner_variant *v, int given, int *accepts, text_buffer *how, error_info *err) {
    *accepts = v->kind->accepts;
    text_append(how, v->kind->name);
    for (size_t i = 0; i < options_count(v->kind->options); i++) {
        const option_spec *spec = &v->kind->options[i];
        int accepted;
        if (spec->kind != OPT_CHOSEN)
            continue;
        accepted = accepted_by(spec, (const option_choice *)(const void *)((const char *)v->options + spec->offset));
        if ((*accepts & given) && !(accepted & given)) {
            text_append_format(how, " with %s=", spec->name);
            options_append_value(spec, v->options, how);
        }
        *accepts &= accepted;
    }
    return text_buffer_check(how, err);
}

status declare_check_data(const yaml_node *entry, const learner_variant *v, const experiment *e, error_info *err) {
    int accepts = 0, given = v->discretize.kind ? DATA_DISCRETE : DATA_CONTINUOUS;
    AUTO(text_buffer_clear) text_buffer how = {0};
    if (e->outputs.n_sigmas == 0 || !v->kind)
        return STATUS_OK;
    CHECK(find_accepted(v, given, &accepts, &how, err));
    if (accepts & given)
        return STATUS_OK;
    return yaml_fail(entry, err,
                     given == DATA_CONTINUOUS
                         ? "%s takes %s data, and data.continuize makes them continuous: give '%.60s' a 'discretize', "
                           "the name of a method from `bnbench list discretizers`"
                         : "%s takes %s data, and 'discretize' makes them discrete: leave it out of '%.60s'",
                     how.data, data_kinds_name(accepts), v->id);
}
