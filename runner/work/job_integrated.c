/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs whose discretizer finds its policy together with the graph. */
#include "runner/work/job_internal.h"

#include "discretizers/base/discretizer.h"

#include <stdlib.h>

bool job_is_integrated(const job *j) {
    const learner_variant *v = job_variant(j);
    return v->kind && v->discretize.kind && v->discretize.kind->integrate;
}

status job_learn_integrated(const job *j, const void *options, run_context *ctx, job_data *data, learner_result *result,
                            error_info *err) {
    const learner_variant *v = job_variant(j);
    learner_within within = {.kind = v->kind, .options = options, .ctx = ctx};
    inner_learner inner = inner_learner_of(&within);
    double start_s = run_cpu_s();
    status st;
    if (dataset_is_discrete(data->ordered))
        return learner_run(v->kind, data->ordered, options, ctx, result, err);
    policy_clear(&data->integrated);
    st = discretizer_integrate(v->discretize.kind, data->ordered, v->discretize.options, &inner, ctx, &data->integrated,
                               result, err);
    data->discretize_s = run_cpu_s() - start_s - within.cpu_s;
    return st;
}

/* From the columns that the learner saw to the network's nodes. */
static status to_network_order(const cut_policy *p, const size_t *order, cut_policy *out, error_info *err) {
    cut_policy mapped = {0};
    status st = STATUS_OK;
    TRY(policy_init(&mapped, p->n_columns, err));
    for (size_t c = 0; c < p->n_columns; c++)
        TRY(policy_set(&mapped, order[c], p->columns[c].thresholds, p->columns[c].n, err));
    *out = mapped;
    mapped = (cut_policy){0};
cleanup:
    policy_clear(&mapped);
    return st;
}

status job_take_integrated(job_data *data, error_info *err) {
    cut_policy found = {0};
    status st = STATUS_OK;
    if (!data->integrated.columns)
        return STATUS_OK;
    TRY(to_network_order(&data->integrated, data->order, &found, err));
    TRY(job_apply_policy(data, &found, err));
cleanup:
    policy_clear(&found);
    return st;
}
