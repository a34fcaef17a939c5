/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/comparison_answer.h"

static status read_number(const args *a, const char *name, double initial, double *out, error_info *err) {
    const char *typed = args_value(a, name);
    *out = initial;
    if (typed && !text_to_double(typed, out))
        return error_set(err, STATUS_INVALID, "--%s is '%s'; it must be a number", name, typed);
    return STATUS_OK;
}

static status read_options(const cli *c, difference_options *out, error_info *err) {
    CHECK(read_number(c->args, "max-slowdown", 1.2, &out->max_slowdown, err));
    return read_number(c->args, "alpha", 0.01, &out->alpha, err);
}

status comparison_make(cli *c, const char *before, const char *after, comparison *s, error_info *err) {
    CHECK(cli_blame(c, BLAME_INPUT, comparison_read(before, after, s, err)));
    CHECK(cli_blame(c, BLAME_WORDS, read_options(c, &s->options, err)));
    return cli_blame(c, BLAME_WORDS, comparison_measure(s, args_value(c->args, "metrics"), err));
}

static json_t *json_of_change(const metric_change *m) {
    return json_object_of(
        {"metric", json_of_text(m->metric)}, {"pairs", json_of_size(m->n_pairs)},
        {"changed", json_of_size(m->n_changed)}, {"before", json_of_double(m->before)},
        {"after", json_of_double(m->after)}, {m->is_time ? "ratio" : "change", json_of_double(m->change)},
        {"low", json_of_double(m->low)}, {"high", json_of_double(m->high)}, {"effect", json_of_double(m->effect)},
        {"p_value", json_of_double(m->p_value)}, {"verdict", json_of_text(change_verdict_name(m->verdict))});
}

/* null where the data have no noise */
static json_t *json_of_sigma(double sigma) {
    return sigma > 0 ? json_real(sigma) : json_null();
}

static status add_cell(json_t *cells, const cell_difference *cell, error_info *err) {
    json_t *changes = json_array();
    CHECK(json_add(cells,
                   json_object_of({"network", json_of_text(cell->network)}, {"samples", json_of_size(cell->n_samples)},
                                  {"sigma", json_of_sigma(cell->sigma)}, {"learner", json_of_text(cell->learner)},
                                  {"pairs", json_of_size(cell->n_pairs)},
                                  {"graphs_differ", json_of_size(cell->n_graphs_differ)},
                                  {"options_differ", json_boolean(cell->has_other_options)},
                                  {"verdict", json_of_text(change_verdict_name(cell->verdict))}, {"changes", changes}),
                   err));
    for (size_t k = 0; k < cell->n_changes; k++)
        CHECK(json_add(changes, json_of_change(&cell->changes[k]), err));
    return STATUS_OK;
}

static json_t *json_of_job(const job_change *j) {
    const job_record *r = j->after ? j->after : j->before;
    return json_object_of({"network", json_of_text(r->network)}, {"samples", json_of_size(r->n_samples)},
                          {"sigma", json_of_sigma(r->sigma)}, {"replicate", json_of_size(r->replicate)},
                          {"learner", json_of_text(r->learner)}, {"what", json_of_text(job_change_kind_name(j->kind))},
                          {"message", json_of_text(r->message)});
}

status comparison_answer(const comparison *s, json_t **out, error_info *err) {
    const difference *d = &s->d;
    json_t *cells = json_array(), *learners = json_array(), *jobs = json_array();
    CHECK(json_put_all(*out = json_object(), err, {"compared", json_of_size(d->n_compared)},
                       {"regressions", json_of_size(d->n_regressions)}, {"better", json_of_size(d->n_better)},
                       {"shrunk", json_boolean(d->has_shrunk)}, {"drift", json_of_double(d->drift)},
                       {"calibrated", json_boolean(d->is_calibrated)}, {"cells", cells}, {"learners", learners},
                       {"jobs", jobs}));
    for (size_t i = 0; i < d->n_cells; i++)
        CHECK(add_cell(cells, &d->cells[i], err));
    for (size_t i = 0; i < d->n_learners; i++)
        CHECK(json_add(learners,
                       json_object_of({"learner", json_of_text(d->learners[i].learner)},
                                      {"cells", json_of_size(d->learners[i].n_cells)},
                                      {"change", json_of_change(&d->learners[i].time)}),
                       err));
    for (size_t i = 0; i < d->n_jobs; i++)
        CHECK(json_add(jobs, json_of_job(&d->jobs[i]), err));
    return STATUS_OK;
}

int comparison_exit_status(const comparison *s) {
    if (s->d.n_regressions > 0)
        return LEAVE_NO;
    return s->d.n_compared == 0 || s->d.has_shrunk ? LEAVE_NOTHING : LEAVE_DONE;
}
