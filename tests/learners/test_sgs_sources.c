/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search asks for rows or for single families, and keeps what it knows by itself or leaves that to a cache. */
#include "tests/learners/random_families.h"

/* --- rows at once */

typedef struct {
    uint64_t seed;
    size_t n_families, n_rows; /* asked for */
} random_families;

static status random_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    random_families *f = self;
    (void)err;
    f->n_families++;
    *out = random_score(f->seed, x, parents, n_parents, extra);
    return STATUS_OK;
}

static status random_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                         error_info *err) {
    random_families *f = self;
    (void)worker;
    for (size_t i = 0; i < N_RANDOM; i++)
        CHECK(random_family(self, x, parents, n_parents, i, &values[i], err));
    f->n_families -= N_RANDOM;
    f->n_rows++;
    return STATUS_OK;
}

static sgs_result search_stars(const family_source *source) {
    static const sgs_plan plan = {
        .n_restarts = 1, .max_parents = SIZE_MAX, .max_moves = SIZE_MAX, .neighbourhood = SGS_STARS};
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(sgs_search(source, &plan, &ctx, &result, &err), &err);
    return result;
}

static void rows_at_once_lead_to_the_same_graph(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        random_families one_by_one = {.seed = 100 * seed}, at_once = {.seed = 100 * seed};
        family_source single = {.self = &one_by_one, .family = random_family, .n_variables = N_RANDOM};
        family_source rows = {.self = &at_once, .family = random_family, .row = random_row, .n_variables = N_RANDOM};
        sgs_result a = search_stars(&single);
        sgs_result b = search_stars(&rows);
        assert_true(dag_arc_count(a.graph) > 0);
        assert_same_arcs(a.graph, b.graph);
        assert_true(a.score == b.score);
        assert_memory_equal(a.uses, b.uses, sizeof a.uses);
        assert_true(at_once.n_rows >= N_RANDOM);
        assert_true(one_by_one.n_families > at_once.n_families);
        dag_destroy(a.graph);
        dag_destroy(b.graph);
    }
}

/* --- families that a cache knows, or the search */

/* As a score with its cache: the last digits of a family hang on which of its parents was the extra one when it was
 * first asked for. */
typedef struct {
    uint64_t seed;
    size_t most_kept, n_kept;
    double kept[N_RANDOM][1 << N_RANDOM]; /* by node and set of parents; 0: not known */
    uint64_t n_requests, n_computed, n_fresh;
} cached_families;

static double *place_of(cached_families *f, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    size_t set = extra == FAMILY_NO_EXTRA ? 0 : (size_t)1 << extra;
    for (size_t i = 0; i < n_parents; i++)
        set |= (size_t)1 << parents[i];
    return &f->kept[x][set];
}

static double score_anew(const cached_families *f, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    double last_digits = extra == FAMILY_NO_EXTRA ? 0 : 1e-12 * (double)(extra + 1);
    return random_score(f->seed, x, parents, n_parents, extra) + last_digits;
}

static void keep_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double value) {
    cached_families *f = self;
    double *place = place_of(f, x, parents, n_parents, extra);
    if (*place != 0 || f->n_kept == f->most_kept)
        return;
    *place = value;
    f->n_kept++;
}

static status cached_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    cached_families *f = self;
    (void)err;
    *out = *place_of(f, x, parents, n_parents, extra);
    f->n_requests++;
    if (*out != 0)
        return STATUS_OK;
    f->n_computed++;
    *out = score_anew(f, x, parents, n_parents, extra);
    keep_family(f, x, parents, n_parents, extra, *out);
    return STATUS_OK;
}

static status fresh_families(void *self, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                             size_t n_extras, double *values, error_info *err) {
    cached_families *f = self;
    (void)err;
    for (size_t i = 0; i < n_extras; i++)
        values[i] = score_anew(f, x, parents, n_parents, extras[i]);
    f->n_fresh += n_extras;
    return STATUS_OK;
}

static void count_families(void *self, uint64_t requests, uint64_t computed) {
    cached_families *f = self;
    f->n_requests += requests;
    f->n_computed += computed;
}

static sgs_result search_by_cache(cached_families *f, sgs_neighbourhood neighbourhood, bool knows_by_itself) {
    family_source source = {.self = f, .family = cached_family, .n_variables = N_RANDOM};
    sgs_plan plan = {.neighbourhood = neighbourhood,
                     .n_restarts = 4,
                     .max_parents = SIZE_MAX,
                     .max_moves = SIZE_MAX,
                     .breaks_ties_at_random = true,
                     .starts_at_random = true};
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    if (knows_by_itself) {
        source.fresh = fresh_families;
        source.count = count_families;
        source.keep = keep_family;
        source.most_kept = f->most_kept;
    }
    run_context_init(&ctx, f->seed);
    assert_ok(sgs_search(&source, &plan, &ctx, &result, &err), &err);
    return result;
}

static void a_search_knows_what_a_cache_would_know(void **state) {
    static const size_t sizes[] = {SIZE_MAX, 0, 40, 200};
    (void)state;
    for (uint64_t seed = 0; seed < 80; seed++) {
        size_t most_kept = sizes[seed / 2 % 4];
        sgs_neighbourhood neighbourhood = seed % 2 ? SGS_SWAPS : SGS_PLAIN;
        cached_families cache = {.seed = 100 * seed, .most_kept = most_kept};
        cached_families rows = {.seed = 100 * seed, .most_kept = most_kept};
        sgs_result a = search_by_cache(&cache, neighbourhood, false);
        sgs_result b = search_by_cache(&rows, neighbourhood, true);
        assert_true(dag_arc_count(a.graph) > 0);
        assert_same_arcs(a.graph, b.graph);
        assert_true(a.score == b.score);
        assert_memory_equal(a.uses, b.uses, sizeof a.uses);
        assert_int_equal(cache.n_requests, rows.n_requests);
        assert_int_equal(cache.n_computed, rows.n_computed);
        assert_true(cache.n_requests > cache.n_computed || most_kept == 0);
        if (most_kept == SIZE_MAX)
            assert_int_equal(rows.n_fresh, rows.n_computed);
        else
            assert_int_equal(cache.n_kept, rows.n_kept);
        dag_destroy(a.graph);
        dag_destroy(b.graph);
    }
}

/* --- rounding */

/* Nodes 0 and 1 are copies, so that one parent is as good as the other. */
static status copied_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    size_t others[N_RANDOM] = {0};
    for (size_t i = 0; i < n_parents; i++)
        others[i] = parents[i] == 1 ? 0 : parents[i];
    return random_family(self, x < 2 ? 0 : x, others, n_parents, extra == 1 ? 0 : extra, out, err);
}

/* What rounding does to rows of millions of rows of data: each move seems to gain. */
static status rounded_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                          error_info *err) {
    (void)worker;
    for (size_t i = 0; i < N_RANDOM; i++) {
        CHECK(copied_family(self, x, parents, n_parents, i, &values[i], err));
        values[i] += 5e-9;
    }
    return STATUS_OK;
}

static void a_search_ends_where_rounding_alone_gains(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        random_families families = {.seed = 100 * seed};
        error_info err = {0};
        double score = 0;
        family_source source = {
            .self = &families, .family = copied_family, .row = rounded_row, .n_variables = N_RANDOM};
        sgs_result r = search_stars(&source);
        assert_true(dag_arc_count(r.graph) > 0);
        assert_ok(family_score_dag(&source, r.graph, &score, &err), &err);
        assert_close(r.score, score, 1e-12);
        dag_destroy(r.graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_once_lead_to_the_same_graph),
        cmocka_unit_test(a_search_knows_what_a_cache_would_know),
        cmocka_unit_test(a_search_ends_where_rounding_alone_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
