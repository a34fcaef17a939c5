/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_scratch_internal.h"

#include <stdlib.h>

status ges_scratch_init(ges_scratch *w, size_t n, error_info *err) {
    CHECK_ALLOC(w->parents = calloc(n + 1, sizeof *w->parents));
    CHECK_ALLOC(w->near = calloc(n + 1, sizeof *w->near));
    CHECK_ALLOC(w->clique = calloc(n + 1, sizeof *w->clique));
    CHECK_ALLOC(w->affected = calloc(2 * n + 1, sizeof *w->affected));
    CHECK_ALLOC(w->family = calloc(n + 1, sizeof *w->family));
    CHECK_ALLOC(w->left_out = calloc(n + 1, sizeof *w->left_out));
    CHECK_ALLOC(w->out_bits = calloc(n / 64 + 1, sizeof *w->out_bits));
    for (size_t i = 0; i < 3; i++)
        CHECK_ALLOC(w->set[i] = calloc(n + 1, sizeof *w->set[i]));
    return STATUS_OK;
}

void ges_scratch_clear(ges_scratch *w) {
    free(w->parents);
    free(w->near);
    free(w->clique);
    free(w->affected);
    free(w->family);
    free(w->left_out);
    free(w->out_bits);
    free(w->around);
    for (size_t i = 0; i < 3; i++)
        free(w->set[i]);
}
