/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PC: Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, section 5.4.2: a skeleton by tests given sets
 * of neighbours, then v-structures, then Meek's rules. pc-stable takes the sets from neighbours that are frozen while
 * their size lasts: Colombo, Maathuis 2014. v-structures may be read from all sets that separate a pair: Ramsey,
 * Spirtes, Zhang 2006. The skeleton is pc_skeleton.c, the directions are orientation.c.
 */
#include "core/base/cache_line.h"
#include "learners/base/learner.h"
#include "learners/constraint/orientation.h"
#include "learners/constraint/pc_skeleton.h"
#include "learners/constraint/test_source_internal.h"

#include <stdlib.h>

enum { ORIGINAL, STABLE };

typedef struct {
    skeleton_test_options test;
    int unreliable;
    int max_k;
    int colliders;
    int conflicts;
} options;

static const option_spec option_rows[] = {
    TEST_SOURCE_ROWS(options, test),
    {OPT_CHOICE, "unreliable", offsetof(options, unreliable), PC_UNRELIABLE_SKIP, 0, 0,
     "a test for which there are too few rows: the edge stays (skip, dep) or goes (indep)", PC_UNRELIABLE_CHOICES},
    {OPT_INT, "maxk", offsetof(options, max_k), -1, -1, 1000000, "largest conditioning set; -1: no limit", NULL},
    {OPT_CHOICE, "colliders", offsetof(options, colliders), COLLIDERS_SEPARATING_SET, 0, 0,
     "v-structures by the set that separated a pair, or by all sets of neighbours that do", COLLIDER_RULE_CHOICES},
    {OPT_CHOICE, "conflicts", offsetof(options, conflicts), CONFLICTS_FIRST, 0, 0,
     "an edge that v-structures point both ways", CONFLICTS_CHOICES},
    {0},
};

/* A column with one value in all rows depends on nothing: no test is needed, and any number of rows will do. */
typedef struct {
    const test_source *tests;
    const bool *is_constant; /* by column */
} source_of_varying;

static bool is_constant(const dataset *data, size_t column) {
    if (dataset_variable(data, column)->kind == VARIABLE_CONTINUOUS) {
        const double *x = dataset_reals(data, column);
        for (size_t i = 1; i < dataset_row_count(data); i++) {
            if (x[i] != x[0])
                return false;
        }
        return true;
    }
    for (size_t i = 1; i < dataset_row_count(data); i++) {
        if (dataset_state(data, i, column) != dataset_state(data, 0, column))
            return false;
    }
    return true;
}

static status find_constants(const dataset *data, bool **out, error_info *err) {
    bool *found = calloc(dataset_column_count(data) + 1, sizeof *found);
    CHECK_ALLOC(found);
    for (size_t c = 0; c < dataset_column_count(data); c++)
        found[c] = is_constant(data, c);
    *out = found;
    return STATUS_OK;
}

static status measure(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, association *out,
                      error_info *err) {
    const source_of_varying *s = self;
    if (!s->is_constant[x] && !s->is_constant[y])
        return s->tests->source.measure(s->tests->source.self, x, y, z, n_z, reliable, out, err);
    *reliable = true;
    *out = (association){.is_zero = true};
    return STATUS_OK;
}

static status decide(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, verdict *out,
                     error_info *err) {
    const source_of_varying *s = self;
    if (!s->is_constant[x] && !s->is_constant[y])
        return s->tests->quick.decide(s->tests->quick.self, x, y, z, n_z, reliable, out, err);
    out->is_exact = true;
    return measure(self, x, y, z, n_z, reliable, &out->value, err);
}

static void attend(void *self, const size_t *columns, size_t n_columns) {
    const source_of_varying *s = self;
    s->tests->quick.attend(s->tests->quick.self, columns, n_columns);
}

static void release(void *self, const later_tests *later) {
    const source_of_varying *s = self;
    s->tests->quick.release(s->tests->quick.self, later);
}

static status separate(void *self, const separation_task *task, separation *out, error_info *err) {
    const source_of_varying *s = self;
    if (!s->is_constant[task->x] && !s->is_constant[task->y])
        return s->tests->quick.separate(s->tests->quick.self, task, out, err);
    *out = (separation){.z = out->z};
    return STATUS_OK;
}

static size_t screen(void *self, size_t target, const size_t *columns, size_t n_columns, size_t *left) {
    const source_of_varying *s = self;
    size_t n = 0;
    for (size_t i = 0; i < n_columns && !s->is_constant[target]; i++) {
        if (!s->is_constant[columns[i]])
            left[n++] = columns[i];
    }
    return s->tests->quick.screen(s->tests->quick.self, target, left, n, left);
}

static bool repeat(void *self, size_t x, size_t y, const size_t *z, size_t n_z) {
    const source_of_varying *s = self;
    return s->tests->quick.repeat(s->tests->quick.self, x, y, z, n_z);
}

/* A constant column has no edge left by then. */
static status expect(void *self, size_t target, const size_t *members, size_t n_members, size_t most, bool is_certain,
                     error_info *err) {
    const source_of_varying *s = self;
    return s->tests->quick.expect(s->tests->quick.self, target, members, n_members, most, is_certain, err);
}

static bool can_expect(const void *self, size_t target, const size_t *members, size_t n_members, size_t most) {
    const source_of_varying *s = self;
    return s->tests->quick.can_expect(s->tests->quick.self, target, members, n_members, most);
}

static void expect_as(void *self, const void *other) {
    const source_of_varying *s = self, *o = other;
    s->tests->quick.expect_as(s->tests->quick.self, o->tests->quick.self);
}

static bool depends_always(void *self, size_t member, uint64_t others, size_t n_given) {
    const source_of_varying *s = self;
    return s->tests->quick.depends_always(s->tests->quick.self, member, others, n_given);
}

static bool depends(void *self, size_t member, uint64_t given, verdict *out) {
    const source_of_varying *s = self;
    return s->tests->quick.depends(s->tests->quick.self, member, given, out);
}

static void tally(void *self, uint64_t n_asked, uint64_t n_new) {
    const source_of_varying *s = self;
    s->tests->quick.tally(s->tests->quick.self, n_asked, n_new);
}

static void share(void *self, work_sharing sharing) {
    const source_of_varying *s = self;
    s->tests->quick.share(s->tests->quick.self, sharing);
}

/* Directs edges by the sets that the skeleton's search found, or by a search through all sets of neighbours. */
static status orient(pdag *g, const separating_sets *sets, const association_source *source, const pc_rules *rules,
                     const options *o, const run_context *ctx, bool *is_cut_short, error_info *err) {
    triple_rules by_all = {(collider_rule)o->colliders, o->max_k, rules->limit, rules->quick};
    AUTO_PTR(triple_verdicts_destroy) triple_verdicts *verdicts = NULL;
    if (o->colliders == COLLIDERS_SEPARATING_SET)
        return orient_skeleton(g, sets, (conflict_rule)o->conflicts, err);
    CHECK(triple_verdicts_find(source, g, &by_all, ctx, &verdicts, is_cut_short, err));
    if (!*is_cut_short)
        CHECK(orient_by_verdicts(g, verdicts, (conflict_rule)o->conflicts, err));
    return STATUS_OK;
}

/* --- other threads --- */

/* Tests of its own for one thread more. */
typedef struct {
    _Alignas(CACHE_LINE) test_source tests;
    source_of_varying varying;
    decision_source quick;
    statistics_count tally;
} helper;

typedef struct {
    helper *items;
    pc_helper *as_sources;
    size_t count;
} helper_list;

/* What the tests of all threads have in common. */
typedef struct {
    const bool *constants;
    const decision_source *quick; /* of the first thread, and its tests: */
    const test_source *first;
    const pair_tables *tables; /* NULL: there are none */
} common_tests;

static void helpers_clear(helper_list *list) {
    for (size_t i = 0; i < list->count; i++)
        test_source_clear(&list->items[i].tests);
    free(list->items);
    free(list->as_sources);
}

/* No test is asked twice. `tables`: NULL of data that have none. */
static status ask_once(ci_test *test, const pair_tables *tables, error_info *err) {
    ci_test_forgo_cache(test);
    return tables ? ci_test_use_lanes(test, tables, err) : STATUS_OK;
}

static status init_helper(helper *h, const common_tests *common, error_info *err) {
    ci_test *first = common->first->test;
    CHECK(test_source_init_beside(&h->tests, common->first, &h->tally, err));
    ci_test_share_survey(first, h->tests.test);
    CHECK(ci_test_borrow_terms(h->tests.test, first, err));
    CHECK(ask_once(h->tests.test, common->tables, err));
    h->varying = (source_of_varying){&h->tests, common->constants};
    h->quick = *common->quick;
    h->quick.self = &h->varying;
    return STATUS_OK;
}

static status make_helpers(helper_list *list, const common_tests *common, size_t n, error_info *err) {
    CHECK_ALLOC(list->items = cache_lines_create((n + 1) * sizeof *list->items));
    CHECK_ALLOC(list->as_sources = calloc(n + 1, sizeof *list->as_sources));
    if (n > 0)
        CHECK(ci_test_lend_terms(common->first->test, err));
    for (; list->count < n; list->count++) {
        helper *h = &list->items[list->count];
        status st = init_helper(h, common, err);
        if (st != STATUS_OK) {
            test_source_clear(&h->tests);
            return st;
        }
        list->as_sources[list->count] = (pc_helper){{&h->varying, measure}, &h->quick, &h->tally};
    }
    return STATUS_OK;
}

static void add_tallies(const helper_list *list, statistics_count *sum) {
    for (size_t i = 0; i < list->count; i++)
        statistics_count_add(sum, &list->items[i].tally);
}

/* Partial correlations of few columns are all computed in less time than threads start. */
static bool is_worth_threads(const skeleton_test_options *test, const dataset *data) {
    enum { MANY = 100 }; /* columns */
    return test_source_has_twins(test, data) && (dataset_is_discrete(data) || dataset_column_count(data) >= MANY);
}

/* At the deadline the skeleton so far, undirected: missing tests would make v-structures of nothing. */
static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const options *o = opts;
    AUTO_PTR(pair_tables_destroy) pair_tables *tables = NULL;
    AUTO_PTR(crew_destroy) crew *threads = NULL;
    AUTO(test_source_clear) test_source tests = {0};
    AUTO_FREE bool *constants = NULL;
    AUTO(helpers_clear) helper_list helpers = {0};
    AUTO_PTR(pdag_destroy) pdag *g = NULL;
    AUTO_PTR(separating_sets_destroy) separating_sets *sets = NULL;
    source_of_varying varying = {.tests = &tests};
    association_source source = {&varying, measure};
    /* a search through all sets asks about pairs that the skeleton has left behind */
    bool asks_again = o->colliders != COLLIDERS_SEPARATING_SET;
    bool is_stable = self->variant == STABLE, asks_once = !asks_again;
    bool is_of_tables = dataset_is_discrete(data) && test_source_is_of_tables(&o->test, data);
    bool is_shared = asks_once && is_worth_threads(&o->test, data);
    decision_source quick = {.self = &varying,
                             .decide = decide,
                             .attend = attend,
                             .release = asks_again ? NULL : release,
                             .separate = asks_again ? NULL : separate,
                             .screen = screen,
                             .repeat = asks_once ? repeat : NULL,
                             .expect = asks_once ? expect : NULL,
                             .can_expect = can_expect,
                             .expect_as = expect_as,
                             .depends_always = depends_always,
                             .depends = depends,
                             .tally = tally,
                             .share = share};
    pc_rules rules = {
        .is_stable = is_stable, .max_k = o->max_k, .unreliable = o->unreliable, .limit = &tests.limit, .quick = &quick};
    bool is_cut_short = false;

    if (is_shared)
        CHECK(crew_create(ctx->n_threads, &threads, err)); /* they begin while the first one prepares the tests */
    CHECK(test_source_init(&tests, data, &o->test, ctx, &ctx->tests, err));
    if (asks_once && is_of_tables)
        CHECK(pair_tables_create_by(data, ctx->n_threads, threads, &tables, err));
    if (asks_once)
        CHECK(ask_once(tests.test, tables, err));
    quick.most_separated = tests.quick.most_separated;
    CHECK(find_constants(data, &constants, err));
    varying.is_constant = constants;
    CHECK(ci_test_survey(tests.test, constants, tables, ctx, threads, err));
    if (is_shared)
        CHECK(make_helpers(&helpers, &(common_tests){constants, &quick, &tests, tables}, crew_size(threads) - 1, err));
    rules.helpers = helpers.as_sources;
    rules.n_helpers = helpers.count;
    rules.threads = threads;
    rules.tally = &ctx->tests;
    CHECK(pc_skeleton(&source, dataset_column_count(data), &rules, ctx, &g, &sets, &is_cut_short, err));
    add_tallies(&helpers, &ctx->tests);
    if (!is_cut_short)
        CHECK(orient(g, sets, &source, &rules, o, ctx, &is_cut_short, err));
    result->graph = TAKE(g);
    result->is_cut_short = is_cut_short;
    return STATUS_OK;
}

#define SHARED                                                                                                         \
    .version = 2, .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, .returns = GRAPH_CPDAG, .is_anytime = true, \
    .options = option_rows, .options_size = sizeof(options), .run = run

const learner learner_pc = {
    SHARED,
    .name = "pc",
    .summary = "edges taken out by tests given sets of neighbours, then v-structures and Meek's rules",
    .citation = "Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, sec. 5.4.2",
    .depends_on_order = true, /* an edge that goes changes the sets of the next ones */
    .variant = ORIGINAL,
};

const learner learner_pc_stable = {
    SHARED,
    .name = "pc-stable",
    .summary = "PC with a skeleton that does not depend on the order of columns",
    .citation = "Colombo, Maathuis 2014, J. Mach. Learn. Res. 15:3741-3782",
    .depends_on_order = true, /* of the first set that separates a pair, and of the first v-structure in a conflict */
    .variant = STABLE,
};
