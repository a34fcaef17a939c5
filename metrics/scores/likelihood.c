/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log-likelihood of discrete data at its maximum, sum N_ijk log(N_ijk / N_ij), and what takes a penalty off it for
 * each of the q (r - 1) free parameters of a family: half a log n (Schwarz, Annals of Statistics 6 (1978) 461-464), or
 * one (Akaike, IEEE Trans. Automatic Control 19 (1974) 716-723). Markov equivalent DAGs score alike.
 */
#include "metrics/scores/score_internal.h"

#include <math.h>

static const option_spec options[] = {{0}};

static status choose_loglik(const count_terms *from, const void *opts, double r, double q, family_terms *out,
                            error_info *err) {
    (void)opts;
    (void)r;
    (void)q;
    (void)err;
    out->cell = out->row = from->n_log_n;
    return STATUS_OK;
}

static status choose_aic(const count_terms *from, const void *opts, double r, double q, family_terms *out,
                         error_info *err) {
    out->penalty = q * (r - 1);
    return choose_loglik(from, opts, r, q, out, err);
}

static status choose_bic(const count_terms *from, const void *opts, double r, double q, family_terms *out,
                         error_info *err) {
    out->penalty = from->n_rows > 1 ? q * (r - 1) * log((double)from->n_rows) / 2 : 0;
    return choose_loglik(from, opts, r, q, out, err);
}

const score_kind score_bic = {
    .name = "bic",
    .aliases = (const char *const[]){"mdl", NULL},
    .summary = "log-likelihood less half a log n a parameter",
    .citation = "Schwarz 1978, Annals of Statistics 6",
    .is_equivalent = true,
    .accepts = DATA_DISCRETE,
    .options = options,
    .of_tables = &(const table_score){NULL, choose_bic},
};

const score_kind score_aic = {
    .name = "aic",
    .summary = "log-likelihood less one a parameter",
    .citation = "Akaike 1974, IEEE Trans. Automatic Control 19",
    .is_equivalent = true,
    .accepts = DATA_DISCRETE,
    .options = options,
    .of_tables = &(const table_score){NULL, choose_aic},
};

const score_kind score_loglik = {
    .name = "loglik",
    .aliases = (const char *const[]){"ll", NULL},
    .summary = "log-likelihood at its maximum",
    .citation = "Fisher 1922, Phil. Trans. R. Soc. A 222",
    .is_equivalent = true,
    .accepts = DATA_DISCRETE,
    .options = options,
    .of_tables = &(const table_score){NULL, choose_loglik},
};
