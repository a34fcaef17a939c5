/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/job_internal.h"

#include "core/base/text.h"
#include "core/run/run_context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const learner_variant *job_variant(const job *j) {
    return &plan_experiment(j->plan)->variants[plan_cell_at(j->plan, j->cell).variant];
}

bool job_is_integrated(const job *j) {
    const learner_variant *v = job_variant(j);
    return v->kind && v->discretize.kind && v->discretize.kind->integrate;
}

status job_init(plan *p, size_t cell, job *out, error_info *err) {
    job j = {.plan = p, .cell = cell};
    CHECK(plan_world(p, plan_cell_at(p, cell).network, &j.world, err));
    CHECK(plan_key(p, cell, j.key, err));
    *out = j;
    return STATUS_OK;
}

const char *job_confinement(const job *j) {
    return !j->is_in_group ? "process group" : j->group_has_limit ? "cgroup with memory.max" : "cgroup";
}

status job_begin_record(const job *j, job_record *out, error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    plan_cell cell = plan_cell_at(j->plan, j->cell);
    AUTO(job_record_clear)
    job_record r = {.state = JOB_FAILED,
                    .n_samples = plan_rows(j->plan, &cell),
                    .sigma = plan_sigma(j->plan, &cell),
                    .replicate = cell.replicate,
                    .seed = plan_learner_seed(j->plan, &cell),
                    .time_limit_s = e->time_limit_s,
                    .memory_limit_bytes = e->memory_limit_bytes};
    CHECK_ALLOC(r.confinement = text_copy(job_confinement(j)));
    CHECK_ALLOC(r.key = text_copy(j->key));
    CHECK_ALLOC(r.network = text_copy(e->outputs.networks[cell.network]));
    CHECK_ALLOC(r.learner = text_copy(e->variants[cell.variant].id));
    CHECK(plan_options_json(j->plan, cell.variant, j->budget_s, &r.options, err));
    *out = TAKE(r);
    return STATUS_OK;
}

/* The smallest budget of a job: 0 would mean that the time is not limited. */
#define LEAST_BUDGET_S 0.001

static const char refusal_start[] = "no budget: ";

void job_set_budget(job *j, const job_record *base) {
    const learner_budget *budget = &job_variant(j)->budget;
    if (base->state == JOB_DONE)
        j->budget_s = fmax(LEAST_BUDGET_S, budget->times * base->cpu_seconds);
    else
        (void)snprintf(j->refusal, sizeof j->refusal, "%sit is %g times the time of %.60s, which ended as %s here",
                       refusal_start, budget->times, base->learner, job_state_name(base->state));
}

bool job_was_refused(const job_record *record) {
    return record->state == JOB_FAILED && record->message &&
           strncmp(record->message, refusal_start, strlen(refusal_start)) == 0;
}

void job_tell(int messages, job_event event, const char *fingerprint) {
    job_message m;
    memset(&m, 0, sizeof m);
    m.event = (int)event;
    m.cpu_seconds = run_cpu_s();
    (void)snprintf(m.fingerprint, sizeof m.fingerprint, "%s", fingerprint ? fingerprint : "");
    if (write(messages, &m, sizeof m) != sizeof m)
        return; /* nobody listens: the supervisor is gone, and takes this process with it */
}
