/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every score here has one form: S(x, Pi) = sum over configurations j with rows of
 * ( sum over states k of cell(N_ijk) - row(N_ij) ) - penalty, where `cell` and `row` are functions of an integer count.
 * One loop walks the table; a kind says which functions and which penalty.
 */
#include "metrics/score.h"

#include "core/counts.h"
#include "core/tuple_cache.h"
#include "metrics/term_table_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a kind chooses for one family: r states, q parent configurations. */
typedef struct {
    term_table *cell, *row;
    double penalty;
} family_terms;

struct score_kind {
    const char *name;
    const char *alias;
    const char *summary;
    const char *citation;
    bool is_equivalent;
    const option_spec *options;
    status (*choose)(score *s, double r, double q, family_terms *out, error_info *err);
};

struct score {
    const score_kind *kind;
    score_options options;
    const dataset *data;
    statistics_count *tally;
    statistics_count own_tally; /* where the caller gave none */
    counts *counts;
    term_tables *terms;
    term_table *n_log_n;
    tuple_cache *cache;
    uint32_t *key; /* a family: child, then parents ascending */
};

static status choose_bdeu(score *s, double r, double q, family_terms *out, error_info *err) {
    status st = STATUS_OK;
    TRY(term_tables_gamma(s->terms, s->options.ess / (q * r), &out->cell, err));
    TRY(term_tables_gamma(s->terms, s->options.ess / q, &out->row, err));
cleanup:
    return st;
}

static status choose_k2(score *s, double r, double q, family_terms *out, error_info *err) {
    status st = STATUS_OK;
    (void)q;
    TRY(term_tables_gamma(s->terms, 1, &out->cell, err));
    TRY(term_tables_gamma(s->terms, r, &out->row, err));
cleanup:
    return st;
}

static status choose_loglik(score *s, double r, double q, family_terms *out, error_info *err) {
    (void)r;
    (void)q;
    (void)err;
    out->cell = out->row = s->n_log_n;
    return STATUS_OK;
}

static status choose_aic(score *s, double r, double q, family_terms *out, error_info *err) {
    out->penalty = q * (r - 1);
    return choose_loglik(s, r, q, out, err);
}

static status choose_bic(score *s, double r, double q, family_terms *out, error_info *err) {
    size_t n = dataset_row_count(s->data);
    out->penalty = n > 1 ? q * (r - 1) * log((double)n) / 2 : 0;
    return choose_loglik(s, r, q, out, err);
}

#define PRIOR_OPTION                                                                                                   \
    {                                                                                                                  \
        OPT_CHOICE, "prior", offsetof(score_options, prior), 0, 0, 0, "structure prior; kappa: log(1/(ess+1)) an arc", \
            "uniform|kappa"                                                                                            \
    }

static const option_spec bdeu_options[] = {
    {OPT_REAL, "ess", offsetof(score_options, ess), 1, 1e-16, 1e12, "equivalent sample size", NULL},
    PRIOR_OPTION,
    {0},
};

static const option_spec no_options[] = {{0}};

static const score_kind kinds[] = {
    {"bdeu", "bde", "Bayesian Dirichlet, equivalent, uniform",
     "Heckerman, Geiger, Chickering 1995, Machine Learning 20; Buntine 1991", true, bdeu_options, choose_bdeu},
    {"k2", NULL, "Bayesian Dirichlet with every hyper-parameter one", "Cooper and Herskovits 1992, Machine Learning 9",
     false, no_options, choose_k2},
    {"bic", "mdl", "log-likelihood less half a log n a parameter", "Schwarz 1978, Annals of Statistics 6", true,
     no_options, choose_bic},
    {"aic", NULL, "log-likelihood less one a parameter", "Akaike 1974, IEEE Trans. Automatic Control 19", true,
     no_options, choose_aic},
    {"loglik", "ll", "log-likelihood at its maximum", "Fisher 1922, Phil. Trans. R. Soc. A 222", true, no_options,
     choose_loglik},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

size_t score_kind_count(void) {
    return N_KINDS;
}

const score_kind *score_kind_at(size_t i) {
    return &kinds[i];
}

const char *score_kind_name(const score_kind *kind) {
    return kind->name;
}

const char *score_kind_summary(const score_kind *kind) {
    return kind->summary;
}

const char *score_kind_citation(const score_kind *kind) {
    return kind->citation;
}

const option_spec *score_kind_options(const score_kind *kind) {
    return kind->options;
}

bool score_kind_is_equivalent(const score_kind *kind) {
    return kind->is_equivalent;
}

status score_kind_find(const char *name, const score_kind **out, error_info *err) {
    const char *names[N_KINDS];
    const char *near;
    for (size_t i = 0; i < N_KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, kinds[i].name) == 0 || (kinds[i].alias && strcmp(name, kinds[i].alias) == 0)) {
            *out = &kinds[i];
            return STATUS_OK;
        }
    }
    near = text_nearest(name, names, N_KINDS);
    return error_set(err, STATUS_INVALID, "unknown score '%s'%s%s%s", name,
                     near ? "; did you mean '"
                          : "; there are bdeu, "
                            "k2, bic, aic, loglik",
                     near ? near : "", near ? "'?" : "");
}

void score_destroy(score *s) {
    if (!s)
        return;
    counts_destroy(s->counts);
    term_tables_destroy(s->terms);
    tuple_cache_destroy(s->cache);
    free(s->key);
    free(s);
}

status score_create(const score_kind *kind, const score_options *options, const dataset *data, statistics_count *tally,
                    score **out, error_info *err) {
    status st = STATUS_OK;
    score *s = NULL;
    size_t p = dataset_column_count(data);
    if (!(options->ess > 0) && kind->choose == choose_bdeu)
        return error_set(err, STATUS_INVALID, "ess is %g; it must be positive", options->ess);
    TRY_ALLOC(s = calloc(1, sizeof *s));
    s->kind = kind;
    s->options = *options;
    s->data = data;
    s->tally = tally ? tally : &s->own_tally;
    TRY_ALLOC(s->key = calloc(p + 1, sizeof *s->key));
    TRY(counts_create(data, &s->counts, err));
    TRY(term_tables_create(dataset_row_count(data), &s->terms, err));
    TRY(term_tables_n_log_n(s->terms, &s->n_log_n, err));
    TRY(tuple_cache_create(SIZE_MAX, &s->cache, err));
    *out = s;
    s = NULL;
cleanup:
    score_destroy(s);
    return st;
}

/* Rows of r cells, one a configuration. Inlined for each small r, so that the inner loops vanish. */
static inline __attribute__((always_inline)) double sum_rows(const uint32_t *cells, size_t n_rows, size_t r,
                                                             const family_terms *terms) {
    double sum = 0;
    for (size_t j = 0; j < n_rows; j++) {
        const uint32_t *row = cells + j * r;
        uint32_t n_ij = 0;
        for (size_t k = 0; k < r; k++)
            n_ij += row[k];
        if (n_ij == 0)
            continue;
        for (size_t k = 0; k < r; k++) {
            if (row[k] > 0)
                sum += term_table_at(terms->cell, row[k]);
        }
        sum -= term_table_at(terms->row, n_ij);
    }
    return sum;
}

static double sum_dense(const counts_table *t, const family_terms *terms) {
    size_t n_rows = t->n_strata * t->r_extra;
    switch (t->r_first) {
    case 2:
        return sum_rows(t->cells, n_rows, 2, terms);
    case 3:
        return sum_rows(t->cells, n_rows, 3, terms);
    case 4:
        return sum_rows(t->cells, n_rows, 4, terms);
    default:
        return sum_rows(t->cells, n_rows, t->r_first, terms);
    }
}

static double sum_sparse(const counts_table *t, const family_terms *terms) {
    double sum = 0;
    for (size_t i = 0; i < t->n_cells;) {
        uint64_t j = t->codes[i] / t->r_first;
        uint32_t n_ij = 0;
        for (; i < t->n_cells && t->codes[i] / t->r_first == j; i++) {
            n_ij += t->tallies[i];
            sum += term_table_at(terms->cell, t->tallies[i]);
        }
        sum -= term_table_at(terms->row, n_ij);
    }
    return sum;
}

#define MAX_CELLS 0x1p62

static status evaluate(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                       error_info *err) {
    status st = STATUS_OK;
    counts_table table;
    family_terms terms = {0};
    double r = (double)dataset_state_count(s->data, x), q = 1;
    size_t n_arcs = n_parents + (extra != COUNTS_NO_EXTRA);
    for (size_t i = 0; i < n_parents; i++)
        q *= (double)dataset_state_count(s->data, parents[i]);
    if (extra != COUNTS_NO_EXTRA)
        q *= (double)dataset_state_count(s->data, extra);
    if (q * r > MAX_CELLS) {
        *out = -INFINITY;
        return STATUS_OK;
    }
    TRY(s->kind->choose(s, r, q, &terms, err));
    if (s->options.prior == SCORE_PRIOR_KAPPA)
        terms.penalty += (double)n_arcs * log(s->options.ess + 1);
    TRY(counts_get(s->counts, x, parents, n_parents, extra, &table, err));
    *out = (table.cells ? sum_dense(&table, &terms) : sum_sparse(&table, &terms)) - terms.penalty;
cleanup:
    return st;
}

/* The key of the family: x, then the parents (and extra) ascending. */
static size_t make_key(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    size_t n = 1;
    s->key[0] = (uint32_t)x;
    for (size_t i = 0; i < n_parents; i++)
        n = tuple_key_insert(s->key, 1, n, parents[i]);
    if (extra != COUNTS_NO_EXTRA)
        n = tuple_key_insert(s->key, 1, n, extra);
    return n;
}

static status request(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                      error_info *err) {
    status st = STATUS_OK;
    size_t n = make_key(s, x, parents, n_parents, extra);
    const tuple_value *known = tuple_cache_find(s->cache, s->key, n);
    s->tally->requests++;
    if (!known) {
        double value = 0;
        TRY(evaluate(s, x, parents, n_parents, extra, &value, err));
        s->tally->computed++;
        tuple_cache_add(s->cache, s->key, n, (tuple_value){value, 0});
        *out = value;
    } else {
        *out = known->a;
    }
cleanup:
    return st;
}

status score_node(score *s, size_t x, const size_t *parents, size_t n_parents, double *out, error_info *err) {
    return request(s, x, parents, n_parents, COUNTS_NO_EXTRA, out, err);
}

status score_node_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                       error_info *err) {
    return request(s, x, parents, n_parents, extra, out, err);
}

status score_dag(score *s, const dag *g, double *total, double *by_node, error_info *err) {
    status st = STATUS_OK;
    double sum = 0;
    for (size_t x = 0; x < dag_node_count(g); x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        double value = 0;
        TRY(score_node(s, x, parents, n_parents, &value, err));
        if (by_node)
            by_node[x] = value;
        sum += value;
    }
    *total = sum;
cleanup:
    return st;
}
