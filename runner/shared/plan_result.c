/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a plan folder: nothing that is not a whole result of the cell that its name says is taken for one. */
#include "core/graph/graph_file.h"
#include "core/base/text.h"
#include "runner/job/record_file_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_cell(const job_record *r, const plan *p, size_t i) {
    const experiment *e = plan_experiment(p);
    plan_cell cell = plan_cell_at(p, i);
    size_t n_rows = plan_rows(p, &cell); /* 0: all that a real data set has, which is not read here */
    return strcmp(r->network, e->outputs.networks[cell.network]) == 0 && (n_rows == 0 || r->n_samples == n_rows) &&
           r->sigma == plan_sigma(p, &cell) && r->replicate == cell.replicate &&
           strcmp(r->learner, e->variants[cell.variant].id) == 0 && r->seed == plan_learner_seed(p, &cell);
}

static bool is_of_kind(const named_graph *g, const char *kind) {
    AUTO_PTR(dag_destroy) dag *acyclic = NULL;
    error_info quiet = {0};
    if (strcmp(kind, graph_kind_name(GRAPH_SKELETON)) == 0)
        return pdag_directed_count(g->graph) == 0;
    if (strcmp(kind, graph_kind_name(GRAPH_DAG)) == 0)
        return pdag_to_dag(g->graph, &acyclic, &quiet) != STATUS_INVALID;
    return strcmp(kind, graph_kind_name(GRAPH_CPDAG)) == 0;
}

static status check_graph(const job_record *r, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    if (!r->graph || !r->graph_kind)
        return r->state == JOB_DONE ? error_set(err, STATUS_PARSE, "there is no graph") : STATUS_OK;
    CHECK(error_at(graph_parse_csv(r->graph, strlen(r->graph), NULL, 0, &g, err), err, "graph"));
    return is_of_kind(&g, r->graph_kind) ? STATUS_OK
                                         : error_set(err, STATUS_PARSE, "the graph is no %.20s", r->graph_kind);
}

static status check_record(const folder_plan *p, const char *name, const job_record *r, error_info *err) {
    size_t cell = folder_plan_find(p, name);
    if (cell == HASH_NONE)
        return error_set(err, STATUS_PARSE, "the name begins with no key of the plan");
    if (strcmp(r->key, p->keys[cell]) != 0 || !is_of_cell(r, p->cells, cell))
        return error_set(err, STATUS_PARSE, "it is the result of another cell than its name says");
    return check_graph(r, err);
}

status plan_result_read(const char *folder, const folder_plan *p, const char *name, job_record *out, error_info *err) {
    AUTO_FREE char *path = plan_folder_path(folder, "results", name);
    AUTO(job_record_clear) job_record r = {0};
    status st;
    CHECK_ALLOC(path);
    st = record_read(path, &r, err); /* STATUS_INVALID: a folder, or too long for a result */
    CHECK(st == STATUS_INVALID ? STATUS_PARSE : st);
    CHECK(error_at(check_record(p, name, &r, err), err, path));
    *out = TAKE(r);
    return STATUS_OK;
}

status plan_result_set_aside(const char *folder, const char *name, error_info *err) {
    AUTO_FREE char *from = plan_folder_path(folder, "results", name), *to = plan_folder_path(folder, "aside", name);
    CHECK_ALLOC(from);
    CHECK_ALLOC(to);
    if (rename(from, to) != 0 && errno != ENOENT) /* another one may have been faster */
        return error_set(err, STATUS_IO, "%s cannot be set aside: %s", from, strerror(errno));
    return STATUS_OK;
}

status plan_result_refuse(const char *folder, const folder_plan *p, const char *name, error_info *err) {
    AUTO(job_places_clear) job_places jobs = {0};
    size_t cell = folder_plan_find(p, name);
    CHECK(plan_result_set_aside(folder, name, err));
    if (cell == HASH_NONE)
        return STATUS_OK;
    CHECK(plan_folder_look(folder, &jobs, err));
    if (plan_folder_find_key(&jobs.todo, name) || plan_folder_find_key(&jobs.claims, name) ||
        plan_folder_find_key(&jobs.results, name))
        return STATUS_OK;
    return plan_folder_queue(folder, p->keys[cell], err);
}
