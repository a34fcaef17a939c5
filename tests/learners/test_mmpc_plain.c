/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MMPC against a second implementation that follows the pseudo-code to the letter: candidates outside, subsets inside,
 * a list of what was asked. Members, their order of entry and the tests that were performed must be the same.
 */
#include "tests/support/oracles.h"

#include "learners/constraint/mmpc_search.h"
#include "metrics/tests/table_tests.h"

typedef struct {
    association_source source;
    size_t p, target, members[32], n_members, n_warm;
    size_t kept_x[4096], kept_mask[4096], n_kept; /* what was asked for this target */
    bool kept_zero[4096];
    int max_k;
} plain_search;

/* Asks, or remembers: 1 dependent, 0 independent, -1 not performed. */
static int ask_plain(plain_search *s, size_t x, size_t mask, association *out) {
    size_t z[32], n_z = 0;
    bool reliable = false;
    association a = {0};
    error_info err = {0};
    for (size_t i = 0; i < s->n_kept; i++) {
        if (s->kept_x[i] == x && s->kept_mask[i] == mask)
            return !s->kept_zero[i];
    }
    for (size_t v = 0; v < s->p; v++) {
        if (mask >> v & 1)
            z[n_z++] = v;
    }
    assert_ok(s->source.measure(s->source.self, x, s->target, z, n_z, &reliable, &a, &err), &err);
    if (!reliable)
        return -1;
    assert_true(s->n_kept < 4096);
    s->kept_x[s->n_kept] = x;
    s->kept_mask[s->n_kept] = mask;
    s->kept_zero[s->n_kept++] = a.is_zero;
    *out = a;
    return !a.is_zero;
}

static size_t mask_of(const size_t *members, size_t n, unsigned chosen) {
    size_t mask = 0;
    for (size_t i = 0; i < n; i++) {
        if (chosen >> i & 1)
            mask |= (size_t)1 << members[i];
    }
    return mask;
}

/* Subsets of n places by size, then lexicographically; the callback's false ends the walk. */
typedef bool (*visit)(void *self, unsigned chosen);

static bool walk_size(unsigned chosen, size_t from, size_t n, int left, visit f, void *self) {
    if (left == 0)
        return f(self, chosen);
    for (size_t i = from; i < n; i++) {
        if (!walk_size(chosen | 1u << i, i + 1, n, left - 1, f, self))
            return false;
    }
    return true;
}

typedef struct {
    plain_search *s;
    size_t x, members[32], n, must_hold;
    association minimum;
    bool found_zero;
} plain_visit;

static bool visit_plain(void *self, unsigned chosen) {
    plain_visit *v = self;
    size_t mask = mask_of(v->members, v->n, chosen) | v->must_hold;
    association a = v->minimum;
    int answer = ask_plain(v->s, v->x, mask, &a);
    v->found_zero = answer == 0;
    if (answer == 1 && association_compare(&a, &v->minimum) < 0)
        v->minimum = a;
    return !v->found_zero;
}

/* Over the subsets of `members` joined with must_hold, of least .. max_k elements in all. */
static void minimise_plain(plain_visit *v, int least) {
    int extra = v->must_hold != 0;
    int most = (int)v->n + extra;
    if (v->s->max_k >= 0 && most > v->s->max_k)
        most = v->s->max_k;
    for (int size = least; size <= most && !v->found_zero; size++)
        (void)walk_size(0, 0, v->n, size - extra, visit_plain, v);
}

static size_t run_plain(plain_search *s, const bool *warm, const bool *barred) {
    association minimum[32];
    bool open[32] = {false};
    s->n_members = s->n_kept = 0;
    for (size_t x = 0; x < s->p; x++) {
        minimum[x] = (association){0};
        open[x] = x != s->target && !barred[x] && !warm[x] && ask_plain(s, x, 0, &minimum[x]) == 1;
        if (warm[x])
            s->members[s->n_members++] = x;
    }
    for (bool first = true;; first = false) {
        size_t best = s->p;
        bool update_only = first;
        if (!update_only) {
            for (size_t x = 0; x < s->p; x++) {
                if (open[x] && (best == s->p || association_compare(&minimum[x], &minimum[best]) > 0))
                    best = x;
            }
            if (best == s->p)
                break;
            open[best] = false;
        }
        for (size_t x = 0; x < s->p; x++) {
            plain_visit v = {.s = s, .x = x, .n = s->n_members, .minimum = minimum[x]};
            if (!open[x])
                continue;
            memcpy(v.members, s->members, sizeof v.members);
            v.must_hold = update_only ? 0 : (size_t)1 << best;
            minimise_plain(&v, 1);
            minimum[x] = v.minimum;
            open[x] = !v.found_zero;
        }
        if (!update_only)
            s->members[s->n_members++] = best;
    }
    for (size_t i = 0; i < s->n_members;) {
        plain_visit v = {.s = s, .x = s->members[i], .minimum = {0}};
        for (size_t j = 0; j < s->n_members; j++) {
            if (j != i)
                v.members[v.n++] = s->members[j];
        }
        minimise_plain(&v, 0);
        if (v.found_zero) {
            s->n_members--;
            memmove(&s->members[i], &s->members[i + 1], (s->n_members - i) * sizeof *s->members);
        } else {
            i++;
        }
    }
    return s->n_members;
}

static void sort_by_rules(const mmpc_rules *rules, const neighbour_lists *found, size_t target, bool *warm,
                          bool *barred) {
    for (size_t x = 0; x < target; x++) {
        bool has = neighbour_lists_has(found, x, target);
        warm[x] = rules->use_claims && has;
        barred[x] = rules->use_refusals && !has;
    }
}

/* Both go through all targets on the same source; members, their order and the questions must agree. */
static void compare_with_plain(association_source source, size_t p, mmpc_rules rules) {
    static plain_search plain;
    recorder ours = {0}, theirs = {0};
    association_source our_source = record(&ours, source);
    run_context ctx;
    error_info err = {0};
    mmpc_search *s = NULL;
    neighbour_lists *found = NULL;
    run_context_init(&ctx, 1);
    plain = (plain_search){.source = record(&theirs, source), .p = p, .max_k = rules.max_k};
    assert_ok(mmpc_search_create(&our_source, p, &rules, &ctx, &s, &err), &err);
    assert_ok(neighbour_lists_create(p, &found, &err), &err);
    for (size_t target = 0; target < p; target++) {
        bool warm[32] = {false}, barred[32] = {false};
        size_t claims[32];
        mmpc_earlier earlier = {.n_done = target, .claims = claims};
        const size_t *members = NULL;
        size_t n = 0;
        for (size_t x = 0; x < target; x++) {
            if (neighbour_lists_has(found, x, target))
                claims[earlier.n_claims++] = x;
        }
        sort_by_rules(&rules, found, target, warm, barred);
        plain.target = target;
        (void)run_plain(&plain, warm, barred);
        assert_ok(mmpc_search_target(s, target, &earlier, &members, &n, &err), &err);
        assert_int_equal(n, plain.n_members);
        assert_true(n == 0 || memcmp(members, plain.members, n * sizeof *members) == 0);
        assert_ok(neighbour_lists_append(found, members, n, &err), &err);
    }
    assert_same_questions(&ours, &theirs);
    neighbour_lists_destroy(found);
    mmpc_search_destroy(s);
    free(ours.asked);
    free(theirs.asked);
}

static void the_same_members_and_tests_as_the_plain_formulation(void **state) {
    size_t n_states[16];
    (void)state;
    for (size_t v = 0; v < 16; v++)
        n_states[v] = hash_oracle_states(v);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        hash_oracle oracle = {seed, seed % 2 ? 0.05 : 0.2, pow(2, 3 + (double)(seed % 10)), seed % 3 ? 1000 : 3};
        association_source source = {&oracle, measure_hash};
        table_limit limit = {n_states, oracle.most, 1};
        mmpc_rules rules = {(int)(seed % 5) - 1, SYMMETRY_AND, seed & 1, seed & 2, seed & 4 ? &limit : NULL, NULL};
        compare_with_plain(source, 3 + seed % 8, rules);
    }
}

static void the_same_on_data(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (size_t i = 0; i < 20; i++) {
        size_t n_rows = i < 10 ? 300 : 3000; /* larger sets are reliable */
        dataset *data = make_random_dataset(&random, n_rows, 8, 4);
        table_test_options options = {.df = CI_DF_STECK, .alpha = 0.05, .min_rows = 5};
        const ci_test_kind *kind = NULL;
        ci_test *test = NULL;
        error_info err = {0};
        size_t n_states[8];
        table_limit limit = {n_states, (double)n_rows, 5};
        mmpc_rules rules = {10, SYMMETRY_AND, i & 1, i & 2, i & 4 ? &limit : NULL, NULL};
        for (size_t v = 0; v < 8; v++)
            n_states[v] = dataset_state_count(data, v);
        assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
        assert_ok(ci_test_create(kind, &options, data, NULL, &test, &err), &err);
        compare_with_plain(ci_test_as_source(test), 8, rules);
        ci_test_destroy(test);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_members_and_tests_as_the_plain_formulation),
        cmocka_unit_test(the_same_on_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
