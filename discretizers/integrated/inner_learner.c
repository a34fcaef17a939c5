/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/integrated/inner_learner.h"

static status learn(void *self, const dataset *discrete, learner_result *result, error_info *err) {
    learner_within *l = self;
    trace *outer = l->ctx->trace;
    double start_s = run_cpu_s();
    status st;
    l->ctx->trace = NULL;
    st = learner_run(l->kind, discrete, l->options, l->ctx, result, err);
    l->ctx->trace = outer;
    l->cpu_s += run_cpu_s() - start_s;
    return st;
}

inner_learner inner_learner_of(learner_within *l) {
    return (inner_learner){.self = l, .returns = l->kind->returns, .learn = learn};
}
