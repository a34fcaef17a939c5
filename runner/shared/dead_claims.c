/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/shared/dead_claims_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool claim_is_one(const folder_plan *p, const char *name) {
    return folder_plan_find(p, name) != HASH_NONE && strlen(name) > PLAN_KEY_SIZE;
}

double claim_last_sign(const lease *l, const char *claim) {
    return lease_last_sign(l, claim + PLAN_KEY_SIZE);
}

bool claim_is_dead(const folder_plan *p, double sign_s, double now_s) {
    return lease_is_over(p->lease_s, sign_s, now_s);
}

/* The note comes before the claim goes, so that a kill between the two costs nothing: the next one to look writes it
 * once more, under the same name. */
static status note_loss(const char *folder, const char *claim, error_info *err) {
    return plan_folder_touch(folder, "lost", claim, err);
}

/* Whether the job has cost more workers than it may. */
static status is_given_up(const char *folder, const folder_plan *p, const char *key, bool *out, error_info *err) {
    AUTO(folder_list_clear) folder_list lost = {0};
    char *const *at;
    size_t n = 0;
    CHECK(plan_folder_list(folder, "lost", &lost, err));
    for (at = plan_folder_find_key(&lost, key); plan_folder_is_of_key(&lost, at, key); at++)
        n++;
    *out = n > p->retries;
    return STATUS_OK;
}

static status return_claim(const char *folder, const folder_plan *p, const job_places *seen, const char *claim,
                           error_info *err) {
    const char *key = p->keys[folder_plan_find(p, claim)];
    AUTO_FREE char *from = plan_folder_path(folder, "claimed", claim), *to = NULL;
    bool gives_up = false;
    CHECK_ALLOC(from);
    if (plan_folder_find_key(&seen->results, key)) {
        (void)unlink(from);
        return STATUS_OK;
    }
    if (!file_exists(from)) /* another one was faster */
        return STATUS_OK;
    CHECK(note_loss(folder, claim, err));
    CHECK(is_given_up(folder, p, key, &gives_up, err));
    CHECK_ALLOC(to = plan_folder_path(folder, gives_up ? "given_up" : "todo", key));
    (void)rename(from, to); /* another one may still have been faster */
    return STATUS_OK;
}

status claims_return_dead(const char *folder, const folder_plan *p, const lease *l, const job_places *seen,
                          double now_s, size_t *n, error_info *err) {
    const folder_list *claims = &seen->claims;
    for (size_t i = 0; i < claims->n; i++) {
        const char *claim = claims->names[i];
        if (!claim_is_one(p, claim) || !claim_is_dead(p, claim_last_sign(l, claim), now_s))
            continue;
        CHECK(return_claim(folder, p, seen, claim, err));
        ++*n;
    }
    return STATUS_OK;
}
