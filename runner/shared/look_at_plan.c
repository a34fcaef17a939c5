/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a plan folder, for who only looks: nothing is written, not even a sign of life. */
#include "runner/shared/dead_claims_internal.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <sys/stat.h>

enum { CELL_TEXT_SIZE = 512 };

void plan_look_clear(plan_look *l) {
    for (size_t i = 0; i < l->n_claims; i++) {
        free(l->claims[i].cell);
        free(l->claims[i].worker);
    }
    free(l->claims);
    text_buffer_clear(&l->refused);
    *l = (plan_look){0};
}

status runner_is_plan(const char *folder, bool *out, error_info *err) {
    AUTO_FREE char *path = path_join(folder, "plan.json");
    CHECK_ALLOC(path);
    *out = file_exists(path);
    return STATUS_OK;
}

/* ---- claims ---- */

/* Renaming a file is a change of it, though not of what it holds. */
static double claimed_at(const char *folder, const char *claim) {
    AUTO_FREE char *path = plan_folder_path(folder, "claimed", claim);
    struct stat info;
    return path && stat(path, &info) == 0 ? (double)info.st_ctim.tv_sec + 1e-9 * (double)info.st_ctim.tv_nsec : NAN;
}

static status look_at_claim(const char *folder, const folder_plan *p, const char *name, plan_look *out,
                            error_info *err) {
    const lease any = {.folder = folder};
    double sign_s = claim_last_sign(&any, name), now_s = (double)time(NULL);
    char cell[CELL_TEXT_SIZE];
    plan_claim *c = &out->claims[out->n_claims++];
    (void)plan_cell_label(p->cells, folder_plan_find(p, name), cell, sizeof cell);
    *c = (plan_claim){.cell = text_copy(cell),
                      .worker = text_copy(name + PLAN_KEY_SIZE),
                      .since_s = claimed_at(folder, name),
                      .silent_s = fmax(0, now_s - sign_s),
                      .is_lost = claim_is_dead(p, sign_s, now_s)};
    CHECK_ALLOC(c->cell);
    CHECK_ALLOC(c->worker);
    return STATUS_OK;
}

static status look_at_claims(const char *folder, const folder_plan *p, const folder_list *names, plan_look *out,
                             error_info *err) {
    CHECK_ALLOC(out->claims = calloc(names->n + 1, sizeof *out->claims));
    for (size_t i = 0; i < names->n; i++) {
        if (claim_is_one(p, names->names[i]))
            CHECK(look_at_claim(folder, p, names->names[i], out, err));
    }
    return STATUS_OK;
}

/* ---- results ---- */

static void count_result(const job_record *r, plan_look *out) {
    out->n_done++;
    out->n_failed += r->state == JOB_FAILED;
    out->n_limited += r->state == JOB_TIMEOUT || r->state == JOB_MEMORY;
}

static status look_at_result(const char *folder, const folder_plan *p, const char *name, bool *is_one, plan_look *out,
                             error_info *err) {
    AUTO(job_record_clear) job_record record = {0};
    error_info why = {0};
    status st = plan_result_read(folder, p, name, &record, &why);
    *is_one = st == STATUS_OK;
    if (st == STATUS_OK)
        count_result(&record, out);
    if (st == STATUS_OK || st == STATUS_MISSING)
        return STATUS_OK;
    if (st != STATUS_PARSE)
        return error_set(err, st, "%s", why.message);
    text_append_format(&out->refused, "%s\n", why.message);
    out->n_refused++;
    return STATUS_OK;
}

/* As the collector does: the first result of a cell that is one counts. */
static status look_at_results(const char *folder, const folder_plan *p, const folder_list *names, plan_look *out,
                              error_info *err) {
    size_t last = HASH_NONE;
    for (size_t i = 0; i < names->n; i++) {
        size_t cell = folder_plan_find(p, names->names[i]);
        bool is_one = false;
        if (cell == last && cell != HASH_NONE)
            continue;
        CHECK(look_at_result(folder, p, names->names[i], &is_one, out, err));
        if (is_one)
            last = cell;
    }
    return text_buffer_check(&out->refused, err);
}

/* A folder of an earlier version has none. */
static status count_losses(const char *folder, plan_look *out, error_info *err) {
    AUTO(folder_list_clear) folder_list lost = {0};
    status st = plan_folder_list(folder, "lost", &lost, err);
    out->n_losses = lost.n;
    return st == STATUS_MISSING ? STATUS_OK : st;
}

status runner_look_at_plan(const char *folder, plan_look *out, error_info *err) {
    AUTO(folder_plan_clear) folder_plan p = {0};
    AUTO(job_places_clear) job_places places = {0};
    CHECK(folder_plan_read(folder, &p, err));
    CHECK(plan_folder_count(folder, &p, &out->jobs, err));
    CHECK(plan_folder_look(folder, &places, err));
    CHECK(look_at_claims(folder, &p, &places.claims, out, err));
    CHECK(look_at_results(folder, &p, &places.results, out, err));
    return count_losses(folder, out, err);
}
