/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The edges of MMBN: Tsamardinos, Aliferis, Statnikov, Brown 2003, Figure 1 and section 2; see the header. The lists of
 * all variables are found in parallel: a thread takes a block of targets, tests every column against the block, and
 * searches each target among the columns that it depends on. No thread reads what another has found, so the lists are
 * the same on any number of threads.
 */
#include "learners/constraint/mmbn_search.h"

#include "core/base/array.h"
#include "core/counting/pair_tables.h"
#include "core/run/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* --- every variable --- */

/* Targets whose vectors stay in the cache together: at a thousand rows and three states a target takes 400 bytes. */
enum { BLOCK = 64 };

enum { MOST_CELLS = 1 << 16 }; /* of a table of two columns that is laid out; larger ones are counted by rows */

typedef struct {
    mmpc_candidate *items; /* ascending by variable */
    size_t count, capacity;
} candidate_list;

/* One thread's tools. */
typedef struct {
    test_source tests;
    statistics_count tally;
    mmpc_search *search;
    pair_block block;
    uint32_t *cells;
    ci_margin *margins; /* by column */
    candidate_list lists[BLOCK];
} worker;

typedef struct {
    size_t *items;
    size_t count;
} member_list;

/* What the threads share: the marks that they move, the lists, each of which one thread fills, and what is constant. */
typedef struct {
    const dataset *data;
    const skeleton_test_options *test;
    const run_context *ctx;
    const pair_tables *tables; /* NULL: the tests are not of tables */
    int max_k;
    size_t p;
    atomic_size_t next;  /* the first target that nobody has taken */
    atomic_bool is_over; /* the deadline has passed, or a thread has failed */
    worker *workers;
    member_list *found;
} task;

static void clear_worker(worker *w) {
    mmpc_search_destroy(w->search);
    test_source_clear(&w->tests);
    pair_block_clear(&w->block);
    free(w->cells);
    free(w->margins);
    for (size_t i = 0; i < BLOCK; i++)
        free(w->lists[i].items);
    *w = (worker){0};
}

static status init_pairs(worker *w, const task *t, error_info *err) {
    CHECK_ALLOC(w->cells = calloc(MOST_CELLS, sizeof *w->cells));
    CHECK_ALLOC(w->margins = calloc(t->p, sizeof *w->margins));
    for (size_t i = 0; i < t->p; i++)
        w->margins[i] = ci_test_margin(w->tests.test, pair_tables_margin(t->tables, i), w->tests.limit.n_states[i]);
    return STATUS_OK;
}

static status init_worker(worker *w, const task *t, error_info *err) {
    mmpc_rules rules = {.max_k = t->max_k, .limit = &w->tests.limit};
    CHECK(test_source_init(&w->tests, t->data, t->test, &w->tally, err));
    ci_test_forgo_cache(w->tests.test); /* a search asks nothing twice */
    CHECK(mmpc_search_create(&w->tests.source, t->p, &rules, t->ctx, &w->search, err));
    if (t->tables)
        CHECK(init_pairs(w, t, err));
    return STATUS_OK;
}

static status push(candidate_list *list, size_t x, association value, error_info *err) {
    return ARRAY_PUSH(list->items, list->count, list->capacity, err, (mmpc_candidate){x, value});
}

/* The pair without condition by a test of its own. */
static status test_pair(worker *w, size_t x, size_t target, candidate_list *list, error_info *err) {
    association a = {.is_zero = true};
    bool reliable = false;
    uint64_t n_computed = w->tally.computed;
    status st = ci_test_associate(w->tests.test, x, target, NULL, 0, &reliable, &a, err);
    w->tally.computed = n_computed + (reliable && x < target);
    return st != STATUS_OK || !reliable || a.is_zero ? st : push(list, x, a, err);
}

/* The same of its table, as ci_test_associate would judge it. */
static status judge_pair(worker *w, size_t x, size_t target, candidate_list *list, error_info *err) {
    const table_limit *limit = &w->tests.limit;
    size_t r_x = limit->n_states[x], r_t = limit->n_states[target];
    association a;
    if (!table_limit_allows(limit, (double)r_x * (double)r_t)) {
        w->tally.skipped++;
        return STATUS_OK;
    }
    w->tally.requests++;
    w->tally.computed += x < target; /* the same pair comes once more, from the other end */
    pair_block_lay(&w->block, target, w->cells);
    a = ci_test_judge_pair(w->tests.test, w->cells, r_x, r_t, &w->margins[x], &w->margins[target]);
    return a.is_zero ? STATUS_OK : push(list, x, a, err);
}

static bool is_laid_out(const task *t, const worker *w, size_t x, size_t target) {
    return t->tables && w->tests.limit.n_states[x] * w->tests.limit.n_states[target] <= MOST_CELLS;
}

/* True once the work is to be left as it is. */
static bool is_over(task *t) {
    if (run_context_is_expired(t->ctx))
        atomic_store(&t->is_over, true);
    return atomic_load(&t->is_over);
}

/* Every column goes by the block of targets. */
static status screen(task *t, worker *w, size_t first, size_t end, error_info *err) {
    for (size_t i = 0; i < BLOCK; i++)
        w->lists[i].count = 0;
    if (t->tables)
        CHECK(pair_block_begin(&w->block, t->tables, first, end, err));
    for (size_t x = 0; x < t->p && !is_over(t); x++) {
        if (t->tables)
            pair_block_count(&w->block, x);
        for (size_t target = first; target < end; target++) {
            candidate_list *list = &w->lists[target - first];
            if (x != target)
                CHECK(is_laid_out(t, w, x, target) ? judge_pair(w, x, target, list, err)
                                                   : test_pair(w, x, target, list, err));
        }
    }
    return STATUS_OK;
}

static status keep(member_list *list, const size_t *members, size_t n, error_info *err) {
    if (n == 0)
        return STATUS_OK;
    CHECK_ALLOC(list->items = calloc(n, sizeof *list->items));
    memcpy(list->items, members, n * sizeof *members);
    list->count = n;
    return STATUS_OK;
}

static status search(task *t, worker *w, size_t target, const candidate_list *list, error_info *err) {
    const size_t *members = NULL;
    size_t n_members = 0;
    CHECK(mmpc_search_candidates(w->search, target, list->items, list->count, &members, &n_members, err));
    if (mmpc_search_is_cut_short(w->search))
        atomic_store(&t->is_over, true); /* half a list says nothing that could be trusted */
    else
        CHECK(keep(&t->found[target], members, n_members, err));
    return STATUS_OK;
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    task *t = self;
    worker *w = &t->workers[index];
    TRY(init_worker(w, t, err));
    for (;;) {
        size_t first = atomic_fetch_add(&t->next, BLOCK), end;
        if (first >= t->p || is_over(t))
            break;
        end = t->p - first < BLOCK ? t->p : first + BLOCK;
        TRY(screen(t, w, first, end, err));
        for (size_t target = first; target < end && !is_over(t); target++)
            TRY(search(t, w, target, &w->lists[target - first], err));
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static void add_tally(statistics_count *sum, const statistics_count *part) {
    sum->requests += part->requests;
    sum->computed += part->computed;
    sum->skipped += part->skipped;
}

static status gather(const task *t, neighbour_lists **out, error_info *err) {
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *lists = NULL;
    CHECK(neighbour_lists_create(t->p, &lists, err));
    for (size_t i = 0; i < t->p; i++)
        CHECK(neighbour_lists_append(lists, t->found[i].items, t->found[i].count, err));
    *out = TAKE(lists);
    return STATUS_OK;
}

status mmbn_lists(const dataset *data, const skeleton_test_options *test, int max_k, run_context *ctx,
                  neighbour_lists **out, bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    size_t p = dataset_column_count(data), n_workers = (p + BLOCK - 1) / BLOCK;
    pair_tables *tables = NULL;
    task t = {.data = data, .test = test, .ctx = ctx, .max_k = max_k, .p = p};

    n_workers = ctx->n_threads < n_workers ? ctx->n_threads : n_workers;
    if (test_source_is_of_tables(test, data) && dataset_is_discrete(data))
        TRY(pair_tables_create(data, &tables, err));
    else
        n_workers = 1; /* other tests call BLAS, which may not be called by two threads in every build */
    t.tables = tables;
    TRY_ALLOC(t.workers = calloc(n_workers, sizeof *t.workers));
    TRY_ALLOC(t.found = calloc(p, sizeof *t.found));
    TRY(parallel_run(n_workers, work, &t, err));
    for (size_t i = 0; i < n_workers; i++)
        add_tally(&ctx->tests, &t.workers[i].tally);
    TRY(gather(&t, out, err));
    *is_cut_short = atomic_load(&t.is_over);
cleanup:
    for (size_t i = 0; t.workers && i < n_workers; i++)
        clear_worker(&t.workers[i]);
    for (size_t i = 0; t.found && i < p; i++)
        free(t.found[i].items);
    free(t.workers);
    free(t.found);
    pair_tables_destroy(tables);
    return st;
}

/* --- around one variable --- */

typedef struct {
    pdag *g;
    size_t *queue; /* every variable that was reached, in order */
    size_t n_reached;
    size_t *steps; /* by variable, from the target; only where is_reached */
    bool *is_reached;
} region;

static void reach(region *r, size_t node, size_t steps) {
    if (r->is_reached[node])
        return;
    r->is_reached[node] = true;
    r->steps[node] = steps;
    r->queue[r->n_reached++] = node;
}

static status add_members(region *r, size_t node, const size_t *members, size_t n_members, error_info *err) {
    for (size_t i = 0; i < n_members; i++) {
        CHECK(pdag_set_edge(r->g, node, members[i], EDGE_UNDIRECTED, err));
        reach(r, members[i], r->steps[node] + 1);
    }
    return STATUS_OK;
}

static status expand(region *r, mmpc_search *search, size_t depth, error_info *err) {
    for (size_t i = 0; i < r->n_reached && r->steps[r->queue[i]] < depth; i++) {
        const size_t *members = NULL;
        size_t n_members = 0;
        CHECK(mmpc_search_target(search, r->queue[i], NULL, &members, &n_members, err));
        if (mmpc_search_is_cut_short(search))
            break; /* half a list says nothing that could be trusted */
        CHECK(add_members(r, r->queue[i], members, n_members, err));
    }
    return STATUS_OK;
}

status mmbn_region(const association_source *source, size_t n_variables, const mmpc_rules *rules, size_t target,
                   size_t depth, const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    mmpc_search *search = NULL;
    region r = {0};

    TRY_ALLOC(r.queue = calloc(n_variables + 1, sizeof *r.queue));
    TRY_ALLOC(r.steps = calloc(n_variables + 1, sizeof *r.steps));
    TRY_ALLOC(r.is_reached = calloc(n_variables + 1, sizeof *r.is_reached));
    TRY(pdag_create(n_variables, &r.g, err));
    TRY(mmpc_search_create(source, n_variables, rules, ctx, &search, err));
    reach(&r, target, 0);
    TRY(expand(&r, search, depth, err));
    *out = TAKE(r.g);
    *is_cut_short = mmpc_search_is_cut_short(search);
cleanup:
    mmpc_search_destroy(search);
    pdag_destroy(r.g);
    free(r.queue);
    free(r.steps);
    free(r.is_reached);
    return st;
}
