/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The edges of MMBN: Tsamardinos, Aliferis, Statnikov, Brown 2003, Figure 1 and section 2; see the header. The lists of
 * all variables are found in parallel: a thread takes a block of targets, tests every column against the block, and
 * searches each target among the columns that it depends on. No search asks what another has found, so the lists are
 * the same on any number of threads. Once all blocks are taken, idle threads take targets of another's block, and then
 * tests of another's search.
 */
#include "learners/constraint/mmbn_search.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/cache_line.h"
#include "core/run/parallel.h"
#include "core/run/shared_work.h"
#include "core/run/spin.h"
#include "learners/base/list_checkpoint.h"
#include "learners/constraint/known_pairs_internal.h"
#include "metrics/tests/pair_screen.h"
#include "metrics/tests/target_tests.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_COLUMNS = 128 }; /* of fewer, few blocks are full */

/* --- every variable --- */

typedef struct task task;

/* One thread's tools, and the block that it is at. */
typedef struct {
    _Alignas(CACHE_LINE) test_source tests;
    task *of;
    statistics_count tally;
    target_tests *of_target; /* NULL: the tests are not of tables; and so is: */
    decision_source quick;   /* the same */
    pair_screen *screen;
    pair_reader known; /* of what other blocks' passes have found */
    mmpc_search *search;
    candidate_list lists[PAIR_BLOCK_COLUMNS]; /* of the targets of the block */
    mmpc_candidate *candidates;               /* of the target that is searched */
    size_t capacity;                          /* of them */
    size_t block;
    statistics_count counted; /* for the block, by all threads; under the lock, as is what follows */
    size_t n_targets;         /* of the block, once their lists are there */
    size_t n_taken, n_searched;
} worker;

typedef struct {
    size_t *items;
    size_t count;
} member_list;

/* What the threads share: the marks that they move, the lists, each of which one thread fills, and what is constant. */
struct task {
    const dataset *data;
    const skeleton_test_options *test;
    const run_context *ctx;
    pair_tables *tables; /* NULL: the tests are not of tables; and so is: */
    ci_margin *margins;  /* by column */
    test_source like;    /* otherwise, where there are twins: theirs are those of the threads */
    pair_blocks blocks;  /* of targets */
    known_pairs known;   /* where tests are of G2: pairs that one end's pass has found for the other's */
    size_t n_screened;   /* blocks, the first, whose columns have bits; 0 where nothing is found for others */
    int max_k;
    size_t p, n_workers;
    atomic_size_t next;  /* the first block that nobody has taken */
    atomic_bool is_over; /* the deadline has passed, or a thread has failed */
    worker *workers;
    member_list *found;
    statistics_count read;    /* the tests of blocks that the checkpoint had */
    bool *is_done;            /* by block: the checkpoint had it */
    list_checkpoint *written; /* NULL: there is none */
    pthread_mutex_t lock;     /* of `written` and of: */
    pthread_cond_t change;
    size_t n_done;        /* blocks */
    mmpc_threads threads; /* for tests of a search, once no target is left */
};

/* The targets that a thread is at. */
typedef struct {
    const size_t *columns; /* ascending */
    size_t n;
    size_t n_up_to; /* of them, those up to the column that goes by */
    bool is_screened;
} target_block;

static void clear_worker(worker *w) {
    mmpc_search_destroy(w->search);
    target_tests_destroy(w->of_target);
    pair_screen_destroy(w->screen);
    pair_reader_clear(&w->known);
    test_source_clear(&w->tests);
    for (size_t i = 0; i < PAIR_BLOCK_COLUMNS; i++)
        candidate_list_clear(&w->lists[i]);
    free(w->candidates);
    *w = (worker){0};
}

/* --- one thread's tools --- */

static size_t number_of(const worker *w) {
    return (size_t)(w - w->of->workers) + 1;
}

/* They keep no answers, as a search asks nothing twice. */
static status init_tests(worker *w, const task *t, error_info *err) {
    if (t->like.test) {
        CHECK(test_source_init_beside(&w->tests, &t->like, &w->tally, err));
        ci_test_share_survey(t->like.test, w->tests.test);
    } else {
        CHECK(test_source_init(&w->tests, t->data, t->test, t->ctx, &w->tally, err));
        ci_test_forgo_cache(w->tests.test);
    }
    return STATUS_OK;
}

static status init_worker(worker *w, task *t, error_info *err) {
    mmpc_rules rules = {.max_k = t->max_k, .limit = &w->tests.limit, .tally = &w->tally};
    association_source source;
    w->of = t;
    CHECK(init_tests(w, t, err));
    source = w->tests.source;
    if (t->tables) {
        CHECK(pair_screen_create(w->tests.test, t->tables, t->margins, &w->screen, err));
        CHECK(pair_reader_init(&w->known, &t->known, err));
        CHECK(target_tests_create(w->tests.test, t->tables, &w->of_target, err));
        source = target_tests_as_source(w->of_target);
        w->quick = target_tests_as_decisions(w->of_target);
        rules.quick = &w->quick;
    }
    CHECK(mmpc_search_create(&source, t->p, &rules, t->ctx, &w->search, err));
    if (t->n_workers == 1)
        return STATUS_OK;
    return mmpc_search_share(w->search, &t->threads, number_of(w), err);
}

static status push_graded(candidate_list *list, size_t x, unsigned grade, error_info *err) {
    return ARRAY_PUSH(list->items, list->count, list->capacity, err, (dependent_column){(uint32_t)x, grade});
}

static status push(candidate_list *list, size_t x, association value, error_info *err) {
    if (value.is_zero)
        return STATUS_OK;
    CHECK(ARRAY_PUSH(list->exact, list->n_exact, list->exact_capacity, err, value));
    return push_graded(list, x, 0, err);
}

/* The pair without condition by a test of its own. */
static status test_pair(worker *w, size_t x, size_t target, candidate_list *list, error_info *err) {
    association a = {.is_zero = true};
    bool reliable = false;
    uint64_t n_computed = w->tally.computed;
    status st = ci_test_associate(w->tests.test, x, target, NULL, 0, &reliable, &a, err);
    w->tally.computed = n_computed + (reliable && x < target);
    return st != STATUS_OK || !reliable ? st : push(list, x, a, err);
}

/* Are there rows for a table of both? Else that many tests are not performed. */
static bool has_rows(worker *w, size_t x, size_t target, size_t n_tests) {
    const table_limit *limit = &w->tests.limit;
    bool has = table_limit_allows(limit, table_limit_states(limit, x) * table_limit_states(limit, target));
    w->tally.skipped += has ? 0 : n_tests;
    return has;
}

/* A column goes by the targets one at a time. */
static status pass_singly(const task *t, worker *w, const target_block *b, size_t x, error_info *err) {
    for (size_t i = 0; i < b->n; i++) {
        size_t target = b->columns[i];
        if (x == target)
            continue;
        if (!t->tables || !pair_screen_takes(w->screen, x, target)) {
            CHECK(test_pair(w, x, target, &w->lists[i], err));
        } else if (has_rows(w, x, target, 1)) {
            w->tally.requests++;
            w->tally.computed += x < target; /* the same pair comes once more, from the other end */
            CHECK(push(&w->lists[i], x, pair_screen_judge_alone(w->screen, x, target), err));
        }
    }
    return STATUS_OK;
}

static status push_known(worker *w, const target_block *b, size_t x, const known_pair *pairs, size_t n,
                         error_info *err) {
    for (size_t i = 0; i < n; i++) {
        candidate_list *list = &w->lists[pairs[i].to];
        if (pairs[i].grade > 0)
            CHECK(push_graded(list, x, pairs[i].grade, err));
        else
            CHECK(push(list, x, pair_screen_judge_alone(w->screen, x, b->columns[pairs[i].to]), err));
    }
    return STATUS_OK;
}

/* One that may be dependent: bit `lane` of `are` is set where it is so. */
static status push_screened(worker *w, size_t lane, size_t x, uint64_t are, error_info *err) {
    unsigned grade = are & bit_of(lane) ? pair_screen_grade(w->screen, lane) : 0;
    return grade > 0 ? push_graded(&w->lists[lane], x, grade, err)
                     : push(&w->lists[lane], x, pair_screen_judge(w->screen, lane), err);
}

/* The same of all targets at once: associations are looked at where they may not be zero, unless they are known. */
static status pass_screened(worker *w, const target_block *b, size_t x, error_info *err) {
    bool is_target = b->n_up_to > 0 && b->columns[b->n_up_to - 1] == x;
    uint64_t others = bits_below(b->n);
    const known_pair *known;
    size_t n_known;
    screened found;
    if (!has_rows(w, x, b->columns[0], b->n - is_target))
        return STATUS_OK;
    w->tally.requests += b->n - is_target;
    w->tally.computed += b->n - b->n_up_to; /* the same pair comes once more, from the other end */
    if (pair_reader_find(&w->known, x, &known, &n_known))
        return push_known(w, b, x, known, n_known, err);
    if (is_target)
        others &= ~bit_of(b->n_up_to - 1);
    found = pair_screen_count(w->screen, x);
    for (uint64_t open = others & found.may_be; open; open &= open - 1)
        CHECK(push_screened(w, (size_t)__builtin_ctzll(open), x, found.are, err));
    return STATUS_OK;
}

/* True once the work is to be left as it is. */
static bool is_over_at(task *t, size_t i) {
    if (run_context_is_expired_at(t->ctx, i))
        atomic_store(&t->is_over, true);
    return atomic_load(&t->is_over);
}

static bool is_over(task *t) {
    return is_over_at(t, 0);
}

static status pass_all(task *t, worker *w, target_block *b, error_info *err) {
    for (size_t x = 0; x < t->p && !is_over_at(t, x); x++) {
        while (b->n_up_to < b->n && b->columns[b->n_up_to] <= x)
            b->n_up_to++;
        CHECK(b->is_screened && pair_tables_columns(t->tables)[x].bits ? pass_screened(w, b, x, err)
                                                                       : pass_singly(t, w, b, x, err));
    }
    return STATUS_OK;
}

/* Every column goes by the block of targets. */
static status screen(task *t, worker *w, size_t block, target_block *b, error_info *err) {
    bool is_told = block < t->n_screened;
    for (size_t i = 0; i < b->n; i++)
        w->lists[i].count = w->lists[i].n_exact = 0;
    b->is_screened = t->tables && pair_tables_columns(t->tables)[b->columns[0]].bits;
    if (b->is_screened)
        CHECK(pair_screen_begin(w->screen, b->columns, b->n, err));
    if (is_told)
        pair_reader_begin(&w->known, block);
    CHECK(pass_all(t, w, b, err));
    if (!is_told)
        return STATUS_OK;
    pair_reader_end(&w->known);
    return is_over(t) ? STATUS_OK : known_pairs_tell(&t->known, block, t->n_screened, w->lists, err);
}

static status keep(member_list *list, const size_t *members, size_t n, error_info *err) {
    if (n == 0)
        return STATUS_OK;
    CHECK_ALLOC(list->items = calloc(n, sizeof *list->items));
    memcpy(list->items, members, n * sizeof *members);
    list->count = n;
    return STATUS_OK;
}

static status lay_candidates(worker *w, size_t target, const candidate_list *list, error_info *err) {
    const association *exact = list->exact;
    CHECK(ARRAY_RESERVE(w->candidates, w->capacity, list->count, err));
    for (size_t i = 0; i < list->count; i++) {
        const dependent_column *c = &list->items[i];
        mmpc_candidate *out = &w->candidates[i];
        *out = (mmpc_candidate){.variable = c->variable, .is_bound = c->grade > 0};
        out->value = c->grade == 0
                         ? *exact++
                         : (association){false, pair_screen_bound(w->screen, target, c->variable, c->grade), INFINITY};
    }
    return STATUS_OK;
}

static status search(task *t, worker *w, size_t target, const candidate_list *list, error_info *err) {
    const size_t *members = NULL;
    size_t n_members = 0;
    CHECK(lay_candidates(w, target, list, err));
    CHECK(mmpc_search_candidates(w->search, target, w->candidates, list->count, &members, &n_members, err));
    if (mmpc_search_is_cut_short(w->search))
        atomic_store(&t->is_over, true); /* half a list says nothing that could be trusted */
    else
        CHECK(keep(&t->found[target], members, n_members, err));
    return STATUS_OK;
}

/* --- blocks and their targets --- */

/* Under the lock. */
static status write_block(task *t, size_t block, const statistics_count *tests, error_info *err) {
    AUTO(text_buffer_clear) text_buffer lists = {0};
    if (!t->written)
        return STATUS_OK;
    for (size_t i = t->blocks.starts[block]; i < t->blocks.starts[block + 1]; i++) {
        const member_list *found = &t->found[t->blocks.columns[i]];
        list_checkpoint_append(&lists, t->blocks.columns[i], found->items, found->count);
    }
    return list_checkpoint_write(t->written, block, tests, &lists, err);
}

/* Under the lock. */
static status finish_block(task *t, const worker *of, error_info *err) {
    CHECK(write_block(t, of->block, &of->counted, err));
    t->n_done++;
    if (t->ctx->tell)
        t->ctx->tell(t->ctx->listener, (double)t->n_done / (double)t->blocks.n_blocks);
    if (t->n_done == t->blocks.n_blocks)
        shared_work_tell(&t->threads.work);
    return STATUS_OK;
}

/* Searches a target of a block that may be another thread's; under the lock, which it leaves for the while. */
static status search_taken(task *t, worker *w, worker *of, error_info *err) {
    size_t i = of->n_taken++;
    statistics_count before = w->tally, tests;
    status st;
    (void)pthread_mutex_unlock(&t->lock);
    st = search(t, w, t->blocks.columns[t->blocks.starts[of->block] + i], &of->lists[i], err);
    tests = statistics_count_since(&w->tally, &before);
    spin_lock(&t->lock);
    statistics_count_add(&of->counted, &tests);
    if (st == STATUS_OK && ++of->n_searched == of->n_targets && !is_over(t))
        st = finish_block(t, of, err);
    return st;
}

static status search_targets(task *t, worker *w, worker *of, error_info *err) {
    status st = STATUS_OK;
    spin_lock(&t->lock);
    while (st == STATUS_OK && of->n_taken < of->n_targets && !is_over(t))
        st = search_taken(t, w, of, err);
    (void)pthread_mutex_unlock(&t->lock);
    return st;
}

/* The targets of the block may be taken from here on. */
static void open_block(task *t, worker *w, size_t block, const statistics_count *counted) {
    spin_lock(&t->lock);
    w->block = block;
    w->counted = *counted;
    w->n_targets = t->blocks.starts[block + 1] - t->blocks.starts[block];
    w->n_taken = w->n_searched = 0;
    shared_work_tell(&t->threads.work);
    (void)pthread_mutex_unlock(&t->lock);
}

static status search_block(task *t, worker *w, size_t block, error_info *err) {
    size_t first = t->blocks.starts[block];
    target_block b = {.columns = t->blocks.columns + first, .n = t->blocks.starts[block + 1] - first};
    statistics_count before = w->tally, counted;
    CHECK(screen(t, w, block, &b, err));
    if (is_over(t))
        return STATUS_OK;
    counted = statistics_count_since(&w->tally, &before);
    open_block(t, w, block, &counted);
    return search_targets(t, w, w, err);
}

/* --- threads --- */

static status search_blocks(task *t, worker *w, error_info *err) {
    while (!is_over(t)) {
        size_t taken = atomic_fetch_add(&t->next, 1);
        if (taken >= t->blocks.n_blocks)
            break;
        if (!t->is_done[taken])
            CHECK(search_block(t, w, taken, err));
    }
    return STATUS_OK;
}

/* Under the lock: whose block has a target that nobody has taken; NULL: nobody's. */
static worker *find_open_block(const task *t) {
    for (size_t i = 0; i < t->n_workers; i++) {
        if (t->workers[i].n_taken < t->workers[i].n_targets)
            return &t->workers[i];
    }
    return NULL;
}

/* What a thread waits for. */
typedef struct {
    task *in;
    worker *of; /* NULL: nobody has a target left */
} open_block_search;

static bool is_block_open(void *self) {
    open_block_search *search = self;
    task *t = search->in;
    bool is_more = t->n_done < t->blocks.n_blocks && !is_over(t);
    search->of = is_more ? find_open_block(t) : NULL;
    return !is_more || search->of;
}

/* Until all are done. */
static status help_others(task *t, worker *w, error_info *err) {
    status st = STATUS_OK;
    open_block_search search = {.in = t};
    spin_lock(&t->lock);
    do {
        shared_work_take_part_until(&t->threads.work, number_of(w), is_block_open, &search);
        if (search.of)
            st = search_taken(t, w, search.of, err);
    } while (st == STATUS_OK && search.of);
    (void)pthread_mutex_unlock(&t->lock);
    return st;
}

static void end_all(task *t) {
    atomic_store(&t->is_over, true);
    spin_lock(&t->lock);
    shared_work_tell(&t->threads.work);
    (void)pthread_mutex_unlock(&t->lock);
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    task *t = self;
    worker *w = &t->workers[index];
    TRY(init_worker(w, t, err));
    TRY(search_blocks(t, w, err));
    TRY(help_others(t, w, err));
cleanup:
    if (st != STATUS_OK || atomic_load(&t->is_over))
        end_all(t);
    return st;
}

/* --- what a checkpoint has --- */

static status take_list(void *self, size_t node, const size_t *members, size_t n, error_info *err) {
    task *t = self;
    free(t->found[node].items);
    t->found[node] = (member_list){0};
    return keep(&t->found[node], members, n, err);
}

static status take_block(void *self, size_t block, const statistics_count *tests, error_info *err) {
    task *t = self;
    (void)err;
    t->is_done[block] = true;
    if (t->tables)
        known_pairs_pass_over(&t->known, block);
    t->n_done++;
    statistics_count_add(&t->read, tests);
    return STATUS_OK;
}

static status open_checkpoint(task *t, const char *key, error_info *err) {
    checkpoint_taker taker = {t, take_list, take_block};
    if (t->ctx->checkpoint)
        CHECK(list_checkpoint_open(t->ctx->checkpoint, key, t->p, t->blocks.n_blocks, &taker, &t->written, err));
    if (t->ctx->tell)
        t->ctx->tell(t->ctx->listener, (double)t->n_done / (double)t->blocks.n_blocks);
    return STATUS_OK;
}

static status gather(const task *t, neighbour_lists **out, error_info *err) {
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *lists = NULL;
    CHECK(neighbour_lists_create(t->p, &lists, err));
    for (size_t i = 0; i < t->p; i++)
        CHECK(neighbour_lists_append(lists, t->found[i].items, t->found[i].count, err));
    *out = TAKE(lists);
    return STATUS_OK;
}

static size_t count_screened(const task *t) {
    size_t n = 0;
    while (n < t->blocks.n_blocks && pair_tables_columns(t->tables)[t->blocks.columns[t->blocks.starts[n]]].bits)
        n++;
    return n;
}

/* What tests of tables share: the bit vectors, and the margins, in the units of such a test. */
static status prepare_tables(task *t, error_info *err) {
    AUTO(test_source_clear) test_source like = {0};
    CHECK(test_source_init(&like, t->data, t->test, t->ctx, NULL, err));
    CHECK(pair_tables_create(t->data, t->ctx->n_threads, &t->tables, err));
    CHECK(known_pairs_init(&t->known, &t->blocks, t->p, err));
    t->n_screened = pair_screen_is_symmetric(like.test) ? count_screened(t) : 0;
    if (t->p >= LISTED_COLUMNS)
        CHECK(pair_tables_list_rows(t->tables, t->ctx->n_threads, err));
    return pair_screen_margins(like.test, t->tables, &t->margins, err);
}

/* The survey tells of all pairs at once. */
static status prepare_twins(task *t, error_info *err) {
    CHECK(test_source_init(&t->like, t->data, t->test, t->ctx, NULL, err));
    return ci_test_survey(t->like.test, NULL, NULL, t->ctx, NULL, err);
}

static size_t count_workers(const task *t) {
    bool are_many = t->tables ? t->blocks.n_blocks > 1 : t->like.test && test_source_is_worth_twins(t->p);
    return are_many ? t->ctx->n_threads : 1;
}

status mmbn_lists(const dataset *data, const skeleton_test_options *test, int max_k, const char *key, run_context *ctx,
                  neighbour_lists **out, bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    size_t p = dataset_column_count(data);
    task t = {.data = data, .test = test, .ctx = ctx, .max_k = max_k, .p = p};

    (void)pthread_mutex_init(&t.lock, NULL);
    (void)pthread_cond_init(&t.change, NULL);
    TRY(pair_blocks_init(&t.blocks, data, err));
    if (test_source_is_of_tables(test, data) && dataset_is_discrete(data))
        TRY(prepare_tables(&t, err));
    else if (test_source_has_twins(test, data))
        TRY(prepare_twins(&t, err));
    t.n_workers = count_workers(&t);
    TRY_ALLOC(t.workers = cache_lines_create(t.n_workers * sizeof *t.workers));
    TRY(mmpc_threads_init(&t.threads, t.n_workers, &t.lock, &t.change, err));
    atomic_store(&t.threads.have_begun, true);
    TRY_ALLOC(t.found = calloc(p, sizeof *t.found));
    TRY_ALLOC(t.is_done = calloc(t.blocks.n_blocks, sizeof *t.is_done));
    TRY(open_checkpoint(&t, key, err));
    TRY(parallel_run(t.n_workers, work, &t, err));
    statistics_count_add(&ctx->tests, &t.read);
    for (size_t i = 0; i < t.n_workers; i++)
        statistics_count_add(&ctx->tests, &t.workers[i].tally);
    TRY(gather(&t, out, err));
    *is_cut_short = atomic_load(&t.is_over);
cleanup:
    for (size_t i = 0; t.workers && i < t.n_workers; i++)
        clear_worker(&t.workers[i]);
    for (size_t i = 0; t.found && i < p; i++)
        free(t.found[i].items);
    free(t.workers);
    mmpc_threads_clear(&t.threads);
    free(t.found);
    free(t.is_done);
    test_source_clear(&t.like);
    list_checkpoint_close(t.written);
    (void)pthread_cond_destroy(&t.change);
    (void)pthread_mutex_destroy(&t.lock);
    free(t.margins);
    known_pairs_clear(&t.known);
    pair_tables_destroy(t.tables);
    pair_blocks_clear(&t.blocks);
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
