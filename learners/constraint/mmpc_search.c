/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min parents and children of one target: Tsamardinos, Brown, Aliferis 2006, Algorithm 1 (MMPCbar). Forward, the
 * candidate whose least association with the target, over all sets of members, is the greatest becomes a member, until
 * every candidate is independent given some set. Backward, a member leaves that some set of the others makes
 * independent. After each entry only sets that hold the newest member are tested, so the minimum of a candidate is
 * always over all sets of members, but for those that are pending: of these it is known that the candidate is
 * dependent, and how much is asked only of the candidate that seems best.
 */
#include "learners/constraint/mmpc_search.h"

#include "core/base/array.h"
#include "learners/base/set_walk.h"
#include "learners/constraint/association_probe_internal.h"
#include "learners/constraint/test_batch_internal.h"
#include "metrics/tests/ci_test.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t variable;
    association minimum; /* over the sets tested so far, but for those that are pending */
    double df;           /* as in mmpc_candidate */
    double n_states;     /* of the variable, as far as the limit asks */
    bool is_reliable;    /* some set of the present size was tested */
    bool is_closed;      /* no larger set can be */
    size_t slot;         /* of what is pending */
} candidate;

/* A set of members, given which a candidate is known to be dependent and no more. */
typedef struct {
    double least_statistic;
    uint64_t members; /* by place of entry */
    double most_df;
    bool is_measured; /* statistic and degrees of freedom are the test's own */
} pending_set;

typedef struct {
    pending_set *items;
    size_t count, capacity;
} pending_list;

/*
 * What an earlier target X asked about a target that it found: given any of what was a member before that one, and,
 * when it was that one's turn in the backward phase, given any of the other members.
 */
typedef struct {
    size_t *entered; /* the members of X in order of entry, those that were removed too */
    bool *is_removed;
    size_t n;
} search_record;

/* Members that threads take one by one in the backward phase. */
typedef struct {
    atomic_size_t next;
    atomic_size_t end;        /* the first member that is known to be separable from the target */
    statistics_count *counts; /* by member: what its tests counted */
} member_pile;

struct mmpc_search {
    association_probe probe;
    bool keeps_records;              /* so the source need not know which test is a repetition */
    search_record *records;          /* by target; those of: */
    const struct mmpc_search *first; /* the search that they belong to, which may be this one */
    bool *was_before, *was_beside;   /* by place of entry of a member: the two kinds of the record of another member */
    mmpc_rules rules;
    size_t n_variables, target;
    candidate *open; /* candidates that have not reached zero, by index */
    size_t n_open;
    size_t *members; /* CPC in order of entry; the first n_warm stem from optimisation 5 */
    size_t n_members, n_warm;
    size_t *places;     /* of the members in the backward phase, among those at its beginning */
    size_t *others;     /* the members less one, in the backward phase */
    bool expects;       /* the source was told of tests of some columns, and: */
    size_t *spots;      /* by column: the place among those that it was told of */
    size_t *chosen, *z; /* a subset by position, and its variables */
    size_t *attended, n_attended;
    uint64_t z_members;    /* the same by place of entry */
    pending_list *pending; /* by slot: those of the candidates of a target lie side by side */
    mmpc_watch watch;
    mmpc_sharing sharing;
    atomic_bool is_shared_expired;
    const member_pile *from; /* that the present member was taken from; NULL: none */
    bool stands_in;          /* is at a part of what is shared */
    test_batch batch;        /* what is shared: tests of the candidates, */
    member_pile pile;        /* or members in the backward phase */
};

/* The sets of which a source is told that they come: the fewer, the less there is to gain. */
enum { EXPECTED_MEMBERS = 8, EXPECTED_MOST_MEMBERS = 64, EXPECTED_SIZE = 4, EXPECTED_OPEN = 4 };

static double states_of(const mmpc_search *s, size_t column) {
    return table_limit_states(s->rules.limit, column);
}

/* The largest set of so many members that is looked at. */
static size_t largest_set(const mmpc_search *s, size_t n_available) {
    size_t max_k = s->rules.max_k < 0 ? n_available : (size_t)s->rules.max_k;
    return n_available < max_k ? n_available : max_k;
}

static bool reserve(mmpc_search *s, size_t n) {
    s->open = calloc(n + 1, sizeof *s->open);
    s->members = calloc(n + 1, sizeof *s->members);
    s->others = calloc(n + 1, sizeof *s->others);
    s->places = calloc(n + 1, sizeof *s->places);
    s->was_before = calloc(n + 1, sizeof *s->was_before);
    s->was_beside = calloc(n + 1, sizeof *s->was_beside);
    s->chosen = calloc(n + 1, sizeof *s->chosen);
    s->z = calloc(n + 1, sizeof *s->z);
    s->attended = calloc(n + 1, sizeof *s->attended);
    s->spots = calloc(n + 1, sizeof *s->spots);
    s->pending = calloc(n + 1, sizeof *s->pending);
    return s->places && s->was_before && s->was_beside && s->attended && s->spots && s->others && s->open &&
           s->members && s->chosen && s->z && s->pending;
}

/* A search without records. */
static status create(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                     const run_context *ctx, mmpc_search **out, error_info *err) {
    AUTO_PTR(mmpc_search_destroy) mmpc_search *s = calloc(1, sizeof *s);
    if (!s || !reserve(s, n_variables))
        return error_out_of_memory(err);
    s->n_variables = n_variables;
    s->probe = (association_probe){.source = *source, .quick = rules->quick, .ctx = ctx};
    s->rules = *rules;
    s->keeps_records = rules->use_refusals && rules->use_claims && rules->quick && rules->quick->repeat;
    *out = TAKE(s);
    return STATUS_OK;
}

status mmpc_search_create(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                          const run_context *ctx, mmpc_search **out, error_info *err) {
    AUTO_PTR(mmpc_search_destroy) mmpc_search *s = NULL;
    CHECK(create(source, n_variables, rules, ctx, &s, err));
    s->first = s;
    CHECK_ALLOC(s->records = calloc(n_variables + 1, sizeof *s->records));
    *out = TAKE(s);
    return STATUS_OK;
}

status mmpc_search_create_beside(const mmpc_search *first, const association_source *source,
                                 const decision_source *quick, statistics_count *tally, mmpc_search **out,
                                 error_info *err) {
    mmpc_rules rules = first->rules;
    rules.quick = quick;
    rules.tally = tally;
    CHECK(create(source, first->n_variables, &rules, first->probe.ctx, out, err));
    (*out)->first = first->first;
    (*out)->records = first->records;
    return STATUS_OK;
}

void mmpc_search_set_watch(mmpc_search *s, mmpc_watch watch) {
    s->watch = watch;
}

status mmpc_search_share(mmpc_search *s, mmpc_sharing sharing, error_info *err) {
    CHECK(test_batch_init(&s->batch, s->n_variables, err));
    CHECK_ALLOC(s->pile.counts = calloc(s->n_variables + 1, sizeof *s->pile.counts));
    s->sharing = sharing;
    return STATUS_OK;
}

void mmpc_search_destroy(mmpc_search *s) {
    if (!s)
        return;
    for (size_t x = 0; s->pending && x < s->n_variables; x++)
        free(s->pending[x].items);
    for (size_t x = 0; s->first == s && s->records && x < s->n_variables; x++) {
        free(s->records[x].entered);
        free(s->records[x].is_removed);
    }
    if (s->first == s)
        free(s->records);
    free(s->was_before);
    free(s->was_beside);
    free(s->places);
    free(s->pending);
    free(s->attended);
    free(s->spots);
    test_batch_clear(&s->batch);
    free(s->pile.counts);
    free(s->open);
    free(s->members);
    free(s->others);
    free(s->chosen);
    free(s->z);
    free(s);
}

bool mmpc_search_is_cut_short(const mmpc_search *s) {
    return s->probe.is_expired;
}

/* Optimisations 4 and 5 sort the variables into members, candidates and those that are neither. */
static void sort_variables(mmpc_search *s, const mmpc_earlier *earlier) {
    size_t n_claims = 0;
    s->n_open = s->n_members = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        bool is_done = x < earlier->n_done;
        bool is_claimed = n_claims < earlier->n_claims && earlier->claims[n_claims] == x;
        n_claims += is_claimed;
        if (x == s->target || (is_done && !is_claimed && s->rules.use_refusals))
            continue;
        if (is_claimed && s->rules.use_claims)
            s->members[s->n_members++] = x;
        else
            s->open[s->n_open++] = (candidate){.variable = x};
    }
    s->n_warm = s->n_members;
}

/* Leaves out the candidates that are known to be independent without condition. */
static void screen_candidates(mmpc_search *s) {
    size_t n = s->n_open;
    for (size_t i = 0; i < n; i++)
        s->attended[i] = s->open[i].variable;
    s->n_open = association_probe_screen(&s->probe, s->target, s->attended, n, s->attended);
    for (size_t i = 0; i < s->n_open; i++)
        s->open[i] = (candidate){.variable = s->attended[i]};
}

/* The associations without condition. Where the test is not performed, the candidate has none. */
static status open_candidates(mmpc_search *s, error_info *err) {
    size_t n;
    screen_candidates(s);
    n = s->n_open;
    s->n_open = 0;
    for (size_t i = 0; i < n; i++) {
        candidate c = s->open[i];
        bool reliable = false;
        CHECK(association_probe_measure(&s->probe, c.variable, s->target, NULL, 0, &reliable, &c.minimum, err));
        if (reliable && !c.minimum.is_zero)
            s->open[s->n_open++] = c;
    }
    return STATUS_OK;
}

static void make_exact(candidate *c) {
    if (c->df > 0)
        c->minimum.log_p = chi_square_log_tail(c->minimum.statistic, c->df);
    c->df = 0;
}

static void take_if_less(candidate *c, const association *a) {
    if (a->is_zero) { /* nothing is less */
        c->df = 0;
        c->minimum.is_zero = true;
        return;
    }
    make_exact(c);
    if (association_compare(a, &c->minimum) < 0)
        c->minimum = *a;
}

/* The association given z, whatever is known of it. */
static status resolve(mmpc_search *s, candidate *c, size_t n_z, error_info *err) {
    association a = {0};
    CHECK(s->rules.quick->resolve(s->rules.quick->self, c->variable, s->target, s->z, n_z, &a, err));
    take_if_less(c, &a);
    return STATUS_OK;
}

/* Places of entry past this one have no bit; a candidate with so many sets pending is as well brought up to date. */
enum { PENDING_PLACES = 64, PENDING_MOST = 1 << 17 };

static status postpone(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    pending_list *list = &s->pending[c->slot];
    if (s->n_members > PENDING_PLACES || list->count == PENDING_MOST)
        return resolve(s, c, n_z, err);
    return ARRAY_PUSH(list->items, list->count, list->capacity, err,
                      (pending_set){v->least_statistic, s->z_members, v->most_df, v->is_measured});
}

/* The members of z as the source was told of them. */
static uint64_t expected_set(const mmpc_search *s, size_t n_z) {
    uint64_t set = 0;
    for (size_t i = 0; i < n_z; i++)
        set |= UINT64_C(1) << s->spots[s->z[i]];
    return set;
}

/* Does z leave an expected column dependent, as is known without a test? Counted then. */
static bool is_expected_dependent(mmpc_search *s, size_t column, size_t n_z, verdict *out) {
    const decision_source *quick = s->rules.quick;
    if (!s->expects || n_z == 0 || !quick->depends(quick->self, s->spots[column], expected_set(s, n_z), out))
        return false;
    quick->tally(quick->self, 1, 1);
    return true;
}

static bool depends_as_expected(void *self, size_t column, size_t n_z, verdict *out) {
    return is_expected_dependent(self, column, n_z, out);
}

static status take_verdict(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    c->is_reliable = true;
    if (!v->is_exact)
        return postpone(s, c, n_z, v, err);
    take_if_less(c, &v->value);
    return STATUS_OK;
}

/* The set z on one candidate. */
static status lower(mmpc_search *s, candidate *c, size_t n_z, error_info *err) {
    status st = STATUS_OK;
    verdict v = {0};
    bool reliable = is_expected_dependent(s, c->variable, n_z, &v);
    if (!reliable)
        st = association_probe_decide(&s->probe, c->variable, s->target, s->z, n_z, &reliable, &v, err);
    return st == STATUS_OK && reliable ? take_verdict(s, c, n_z, &v, err) : st;
}

static size_t lay_members(mmpc_search *s, uint64_t members) {
    return test_batch_lay(s->members, members, s->z);
}

static status settle_one(mmpc_search *s, candidate *c, const pending_set *p, error_info *err) {
    association least = {.log_p = chi_square_log_tail(p->least_statistic, p->most_df), .statistic = p->least_statistic};
    if (association_compare(&least, &c->minimum) > 0)
        return STATUS_OK; /* the bound alone says that it is more than the minimum */
    if (!p->is_measured)
        return resolve(s, c, lay_members(s, p->members), err);
    take_if_less(c, &least);
    return STATUS_OK;
}

/* Brings the minimum up to date. */
static status settle(mmpc_search *s, candidate *c, error_info *err) {
    pending_list *list = &s->pending[c->slot];
    make_exact(c);
    while (list->count > 0 && !association_probe_is_expired(&s->probe))
        CHECK(settle_one(s, c, &list->items[--list->count], err));
    return STATUS_OK;
}

/* The set z on every open candidate; those that reach zero are dropped for good (optimisation 1). */
static status lower_all(mmpc_search *s, size_t n_z, error_info *err) {
    size_t n_kept = 0;
    double cells = states_of(s, s->target);
    for (size_t i = 0; i < n_z; i++)
        cells *= states_of(s, s->z[i]);
    for (size_t i = 0; i < s->n_open; i++) {
        candidate *c = &s->open[i];
        if (!c->is_closed && table_limit_allows(s->rules.limit, cells * c->n_states))
            CHECK(lower(s, c, n_z, err));
        if (c->minimum.is_zero)
            continue;
        if (n_kept < i)
            s->open[n_kept] = *c;
        n_kept++;
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

/* --- tests that threads ask side by side --- */

static bool is_worth_sharing(const mmpc_search *s, double n_tests) {
    const mmpc_sharing *with = &s->sharing;
    const decision_source *quick = s->rules.quick;
    return with->run && !s->stands_in && !(s->expects && quick->expects_later(quick->self)) &&
           s->n_members <= PENDING_PLACES && with->is_worth(with->self, n_tests);
}

/* Turns to the columns that another's tests are about. */
static void attend_as(mmpc_search *s, const mmpc_search *of) {
    size_t size = of->n_attended * sizeof *s->attended;
    if (s->n_attended == of->n_attended && memcmp(s->attended, of->attended, size) == 0)
        return;
    memcpy(s->attended, of->attended, size);
    s->n_attended = of->n_attended;
    association_probe_attend(&s->probe, s->attended, s->n_attended);
}

/* The search of a thread that takes part in another's work, and now is where that one is. */
static mmpc_search *stand_in(mmpc_search *of, size_t worker) {
    mmpc_search *s = worker > 0 ? of->sharing.search_of(of->sharing.self, worker) : of;
    s->stands_in = true;
    if (s == of)
        return s;
    s->target = of->target;
    s->n_members = of->n_members;
    s->n_warm = of->n_warm;
    memcpy(s->members, of->members, of->n_members * sizeof *s->members);
    s->expects = of->expects;
    if (s->expects) {
        s->rules.quick->expect_as(s->rules.quick->self, of->rules.quick->self);
        memcpy(s->spots, of->spots, s->n_variables * sizeof *s->spots);
    }
    attend_as(s, of);
    return s;
}

/* Has all take part. */
static status share(mmpc_search *s, parallel_work part, error_info *err) {
    status st;
    atomic_store(&s->is_shared_expired, false);
    st = s->sharing.run(s->sharing.self, part, s, err);
    s->stands_in = false;
    s->probe.is_expired = s->probe.is_expired || atomic_load(&s->is_shared_expired);
    return st;
}

static void step_back(mmpc_search *s, mmpc_search *of) {
    s->stands_in = false;
    if (s->probe.is_expired)
        atomic_store(&of->is_shared_expired, true);
}

static status ask_beside(void *self, size_t worker, error_info *err) {
    mmpc_search *of = self, *s = stand_in(of, worker);
    status st =
        test_batch_ask(&of->batch, &(batch_asker){&s->probe, s->rules.tally, s->z, s, depends_as_expected}, err);
    step_back(s, of);
    return st;
}

/* --- forward --- */

/* The fewest states that a candidate has of which larger sets can be tested. */
static double fewest_states(const mmpc_search *s) {
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_open; i++) {
        if (!s->open[i].is_closed)
            fewest = fmin(fewest, s->open[i].n_states);
    }
    return fewest;
}

/* Closes the candidates of which no set of the last size was reliable; true if another size is worth a look. */
static bool close_unreliable(mmpc_search *s) {
    bool any_left = false;
    for (size_t i = 0; i < s->n_open; i++) {
        candidate *c = &s->open[i];
        c->is_closed = c->is_closed || !c->is_reliable;
        c->is_reliable = false;
        any_left = any_left || !c->is_closed;
    }
    return any_left;
}

static void reopen(mmpc_search *s) {
    for (size_t i = 0; i < s->n_open; i++)
        s->open[i].is_closed = s->open[i].is_reliable = false;
}

/* True if the only candidate that is left is dependent given any k of the members of a warm start; counted. It will
 * enter, and how much it depends is never asked. */
static bool last_depends_always(mmpc_search *s, size_t k) {
    const decision_source *quick = s->rules.quick;
    candidate *c = &s->open[0];
    uint64_t warm = s->n_warm < 64 ? (UINT64_C(1) << s->n_warm) - 1 : UINT64_MAX;
    if (!s->expects || s->n_open != 1 || c->is_closed || k == 0 || k > s->n_warm ||
        !quick->depends_always(quick->self, s->spots[c->variable], warm, k))
        return false;
    quick->tally(quick->self, (uint64_t)set_walk_count(s->n_warm, k), (uint64_t)set_walk_count(s->n_warm, k));
    c->is_reliable = true;
    return true;
}

/* Lays out the set that the walk is at, joined with the member after the pool if `with_next`. */
static void lay_set(mmpc_search *s, const set_walk *w, bool with_next) {
    if (with_next)
        s->z[w->k] = s->members[w->n_pool];
    s->z_members = with_next ? UINT64_C(1) << w->n_pool % PENDING_PLACES : 0;
    for (size_t i = 0; i < w->k; i++)
        s->z_members |= UINT64_C(1) << s->chosen[i] % PENDING_PLACES;
}

/* The candidates of which a batch asks. */
static size_t put_candidates(mmpc_search *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_open; i++) {
        if (!s->open[i].is_closed)
            s->batch.columns[n++] = s->open[i].variable;
    }
    s->batch.target = s->target;
    s->batch.pool = s->members;
    s->batch.limit = s->rules.limit;
    test_batch_begin(&s->batch, n);
    return n;
}

static status take_answers(mmpc_search *s, candidate *c, size_t column, error_info *err) {
    const test_batch *b = &s->batch;
    for (size_t set = 0; set < b->n_sets && !c->minimum.is_zero; set++) {
        const batch_answer *a = test_batch_answer(b, set, column);
        if (!a->is_there)
            continue;
        statistics_count_add(s->rules.tally, &a->count);
        if (!a->is_reliable)
            continue;
        s->z_members = b->sets[set];
        CHECK(take_verdict(s, c, lay_members(s, b->sets[set]), &a->verdict, err));
    }
    return STATUS_OK;
}

/* What the batch says of the candidates. */
static status lower_by_batch(mmpc_search *s, error_info *err) {
    size_t n_kept = 0, column = 0;
    CHECK(share(s, ask_beside, err));
    for (size_t i = 0; i < s->n_open && !s->probe.is_expired; i++) {
        candidate *c = &s->open[i];
        if (!c->is_closed)
            CHECK(take_answers(s, c, column++, err));
        if (!c->minimum.is_zero)
            s->open[n_kept++] = *c;
    }
    if (!s->probe.is_expired)
        s->n_open = n_kept;
    return STATUS_OK;
}

/* As tighten_by, by all threads. */
static status tighten_by_batch(mmpc_search *s, set_walk *w, bool with_next, error_info *err) {
    bool more = set_walk_first(w);
    while (more && !s->probe.is_expired && put_candidates(s) > 0) {
        for (; more && !test_batch_is_full(&s->batch); more = set_walk_next(w)) {
            lay_set(s, w, with_next);
            test_batch_add(&s->batch, s->z_members);
        }
        CHECK(lower_by_batch(s, err));
    }
    return STATUS_OK;
}

/* All sets of k of the first n_pool members, joined with the member after them if `with_next`, on all candidates. */
static status tighten_by(mmpc_search *s, size_t k, size_t n_pool, bool with_next, error_info *err) {
    double cells = states_of(s, s->target) * fewest_states(s) * (with_next ? states_of(s, s->members[n_pool]) : 1);
    set_walk w = {s->rules.limit, cells, s->members, n_pool, k, s->chosen, s->z};
    bool more;
    if (!with_next && n_pool == s->n_warm && last_depends_always(s, k))
        return STATUS_OK;
    if (set_walk_count(n_pool, k) > 1 && is_worth_sharing(s, set_walk_count(n_pool, k) * (double)s->n_open))
        return tighten_by_batch(s, &w, with_next, err);
    more = set_walk_first(&w);
    for (; more && s->n_open > 0 && !s->probe.is_expired; more = set_walk_next(&w)) {
        lay_set(s, &w, with_next);
        CHECK(lower_all(s, k + with_next, err));
    }
    return STATUS_OK;
}

/*
 * Brings the minima up to date over the subsets of the first n_pool members, joined with the member after them if
 * `with_next`: after F = that member has entered, only sets that hold it are new (optimisation 2).
 */
static status tighten(mmpc_search *s, size_t n_pool, bool with_next, error_info *err) {
    size_t largest = largest_set(s, n_pool + with_next);
    reopen(s);
    for (size_t size = 1; size <= largest; size++) {
        CHECK(tighten_by(s, size - with_next, n_pool, with_next, err));
        if (s->probe.is_expired || !close_unreliable(s))
            break;
    }
    return STATUS_OK;
}

static bool is_settled(const mmpc_search *s, const candidate *c) {
    return c->df <= 0 && s->pending[c->slot].count == 0;
}

/* Where the candidates with the largest minima are, ascending, so that not all are looked at after each change. */
enum { SHORTLIST = 32 };

static const double tie_margin = 1e-9; /* many ties of association_compare, one after the other */

typedef struct {
    size_t items[SHORTLIST], n;
    double border; /* the log of p of any other candidate is at least that */
} shortlist;

/* Keeps the SHORTLIST least in `least`, ascending. */
static void insert_log_p(double *least, double log_p) {
    size_t at = SHORTLIST - 1;
    for (; at > 0 && least[at - 1] > log_p; at--)
        least[at] = least[at - 1];
    least[at] = log_p;
}

static void make_shortlist(const mmpc_search *s, shortlist *out) {
    double least[SHORTLIST];
    for (size_t i = 0; i < SHORTLIST; i++)
        least[i] = INFINITY;
    for (size_t i = 0; i < s->n_open; i++) {
        if (s->open[i].minimum.log_p < least[SHORTLIST - 1])
            insert_log_p(least, s->open[i].minimum.log_p);
    }
    out->n = 0;
    out->border = least[SHORTLIST - 1];
    for (size_t i = 0; i < s->n_open && out->n < SHORTLIST; i++) {
        if (s->open[i].minimum.log_p < out->border)
            out->items[out->n++] = i;
    }
}

/* The first of the largest minima; false where one that is not listed may tie with it. */
static bool find_best_listed(const mmpc_search *s, const shortlist *list, size_t *out) {
    if (list->n == 0)
        return false;
    *out = list->items[0];
    for (size_t i = 1; i < list->n; i++) {
        if (association_compare(&s->open[list->items[i]].minimum, &s->open[*out].minimum) > 0)
            *out = list->items[i];
    }
    if (list->border == INFINITY)
        return true; /* all are listed */
    return !s->open[*out].minimum.is_zero &&
           s->open[*out].minimum.log_p < list->border - tie_margin * fabs(list->border);
}

static size_t find_best_of_all(const mmpc_search *s) {
    size_t best = 0;
    for (size_t i = 1; i < s->n_open; i++) {
        if (association_compare(&s->open[i].minimum, &s->open[best].minimum) > 0)
            best = i;
    }
    return best;
}

static size_t find_best(const mmpc_search *s, shortlist *list) {
    size_t best;
    if (find_best_listed(s, list, &best))
        return best;
    make_shortlist(s, list);
    return find_best_listed(s, list, &best) ? best : find_best_of_all(s);
}

/*
 * Moves the candidate with the largest minimum, the first among equals, to the members. What is pending or not exact
 * can only lower a minimum, so the best of all is found once the best as it seems has nothing pending; a single one
 * need not be known.
 */
static status enter_best(mmpc_search *s, error_info *err) {
    shortlist list = {0};
    size_t best = find_best(s, &list);
    while (s->n_open > 1 && !s->probe.is_expired && !is_settled(s, &s->open[best])) {
        CHECK(settle(s, &s->open[best], err));
        best = find_best(s, &list);
    }
    s->members[s->n_members++] = s->open[best].variable;
    s->n_open--;
    memmove(&s->open[best], &s->open[best + 1], (s->n_open - best) * sizeof *s->open);
    return STATUS_OK;
}

/* Tells the source that the tests that follow are about the target, the members and the candidates. */
static void attend(mmpc_search *s) {
    size_t n = 0;
    s->attended[n++] = s->target;
    for (size_t i = 0; i < s->n_members; i++)
        s->attended[n++] = s->members[i];
    for (size_t i = 0; i < s->n_open; i++)
        s->attended[n++] = s->open[i].variable;
    s->n_attended = n;
    association_probe_attend(&s->probe, s->attended, n);
    if (s->watch.left)
        s->watch.left(s->watch.self, s->attended, n);
}

/* Tells the source that the columns are to be tested given nearly all sets of those of a warm start among them. */
static status expect(mmpc_search *s, const size_t *columns, size_t n, error_info *err) {
    const decision_source *quick = s->rules.quick;
    s->expects = true;
    for (size_t i = 0; i < n; i++) {
        s->spots[columns[i]] = i;
    }
    return quick->expect(quick->self, s->target, columns, n, largest_set(s, EXPECTED_SIZE), false, err);
}

static bool may_expect(const mmpc_search *s, size_t n) {
    const decision_source *quick = s->rules.quick;
    return quick && quick->expect && n >= EXPECTED_MEMBERS && n <= EXPECTED_MOST_MEMBERS;
}

/* Where few candidates meet a warm start of many members. */
static status expect_candidates(mmpc_search *s, error_info *err) {
    size_t n = s->n_warm;
    s->expects = false;
    if (!s->keeps_records || s->n_open > EXPECTED_OPEN || s->n_open * 4 > s->n_warm ||
        !may_expect(s, s->n_warm + s->n_open))
        return STATUS_OK;
    memcpy(s->attended, s->members, n * sizeof *s->attended);
    for (size_t i = 0; i < s->n_open; i++)
        s->attended[n++] = s->open[i].variable;
    return expect(s, s->attended, n, err);
}

static status forward(mmpc_search *s, error_info *err) {
    CHECK(expect_candidates(s, err));
    for (size_t i = 0; i < s->n_open; i++) {
        s->open[i].slot = i;
        s->open[i].n_states = states_of(s, s->open[i].variable);
        s->pending[i].count = 0;
    }
    attend(s);
    if (s->n_warm > 0)
        CHECK(tighten(s, s->n_warm, false, err));
    while (s->n_open > 0 && !s->probe.is_expired) {
        CHECK(enter_best(s, err));
        attend(s);
        CHECK(tighten(s, s->n_members - 1, true, err));
    }
    return STATUS_OK;
}

/* --- backward --- */

/* True if the forward phase tested the chosen set on the member: all of the set had entered before it. */
static bool is_known(const mmpc_search *s, size_t member, size_t size) {
    if (member < s->n_warm)
        return false;
    return size == 0 || s->chosen[size - 1] < member;
}

/* Keeps the members as the forward phase leaves them. */
static status begin_record(mmpc_search *s, error_info *err) {
    search_record *r = &s->records[s->target];
    if (!s->keeps_records)
        return STATUS_OK;
    free(r->entered);
    free(r->is_removed);
    *r = (search_record){.n = s->n_members};
    CHECK_ALLOC(r->entered = calloc(r->n + 1, sizeof *r->entered));
    CHECK_ALLOC(r->is_removed = calloc(r->n + 1, sizeof *r->is_removed));
    memcpy(r->entered, s->members, r->n * sizeof *r->entered);
    return STATUS_OK;
}

static size_t place_in(const search_record *r, size_t column) {
    size_t place = 0;
    while (place < r->n && r->entered[place] != column)
        place++;
    return place;
}

/* True if the member is an earlier target; then which of the others it asked for, of the present target. */
static bool read_record(mmpc_search *s, size_t member) {
    const search_record *r = &s->records[s->members[member]];
    size_t own;
    if (!s->keeps_records || s->members[member] > s->target)
        return false;
    own = place_in(r, s->target);
    if (own == r->n || r->is_removed[own])
        return false;
    for (size_t i = 0; i + 1 < s->n_members; i++) {
        size_t place = place_in(r, s->others[i]);
        s->was_before[i] = place < own;
        s->was_beside[i] = place < r->n && (place > own || !r->is_removed[place]);
    }
    return true;
}

/* Has the member asked for the chosen set when it was the target? It has found dependence then, as it kept this one. */
static bool is_repeated(const mmpc_search *s, size_t size) {
    bool before = true, beside = true;
    for (size_t i = 0; i < size; i++) {
        before = before && s->was_before[s->chosen[i]];
        beside = beside && s->was_beside[s->chosen[i]];
    }
    return before || beside;
}

/* Of all sets of that size those that are repeated. */
static double count_repeated(const mmpc_search *s, size_t size) {
    size_t before = 0, beside = 0, both = 0;
    for (size_t i = 0; i + 1 < s->n_members; i++) {
        before += s->was_before[i];
        beside += s->was_beside[i];
        both += s->was_before[i] && s->was_beside[i];
    }
    return set_walk_count(before, size) + set_walk_count(beside, size) - set_walk_count(both, size);
}

static uint64_t expected_others(const mmpc_search *s) {
    uint64_t set = 0;
    for (size_t i = 0; i + 1 < s->n_members; i++)
        set |= UINT64_C(1) << s->spots[s->others[i]];
    return set;
}

static status expect_members(mmpc_search *s, error_info *err) {
    for (size_t i = 0; i < s->n_members; i++)
        s->places[i] = i;
    if (s->expects) /* since the forward phase */
        return STATUS_OK;
    if (s->n_warm < s->n_members / 2 || !may_expect(s, s->n_members))
        return STATUS_OK;
    return expect(s, s->members, s->n_members, err);
}

/* What became of the sets of one size. */
typedef struct {
    bool any_tested, any_reliable, is_separable;
} size_report;

/* True if all sets of that size, none of them known, leave the member dependent; counted. */
static bool depends_always(const mmpc_search *s, size_t size, size_t member, bool has_record) {
    const decision_source *quick = s->rules.quick;
    double n = set_walk_count(s->n_members - 1, size);
    if (!s->expects || size == 0 || member >= s->n_warm || n < 1 ||
        !quick->depends_always(quick->self, s->spots[s->members[member]], expected_others(s), size))
        return false;
    quick->tally(quick->self, (uint64_t)n, (uint64_t)(n - (has_record ? count_repeated(s, size) : 0)));
    return true;
}

/* True if the chosen set leaves the member dependent, as is known without a test; counted. */
static bool is_known_dependent(mmpc_search *s, size_t size, size_t member, bool has_record, bool *reliable) {
    const decision_source *quick = s->rules.quick;
    verdict ignored;
    if (has_record && is_repeated(s, size)) {
        *reliable = quick->repeat(quick->self, s->members[member], s->target, s->z, size);
        return true;
    }
    *reliable = is_expected_dependent(s, s->members[member], size, &ignored);
    return *reliable;
}

static void add_report(size_report *report, bool reliable, const verdict *v) {
    report->any_tested = true;
    report->any_reliable = report->any_reliable || reliable;
    report->is_separable = reliable && v->is_exact && v->value.is_zero;
}

/* Has an earlier member been found separable meanwhile? This one is to be looked at again then. */
static bool is_vain(const mmpc_search *s, size_t member) {
    return s->from && atomic_load_explicit(&s->from->end, memory_order_relaxed) < member;
}

static status separate_by(mmpc_search *s, size_t size, size_t member, bool has_record, size_report *report,
                          error_info *err) {
    double cells = states_of(s, s->target) * states_of(s, s->members[member]);
    set_walk w = {s->rules.limit, cells, s->others, s->n_members - 1, size, s->chosen, s->z};
    bool more;
    *report = (size_report){0};
    if (depends_always(s, size, member, has_record)) {
        report->any_tested = report->any_reliable = true;
        return STATUS_OK;
    }
    more = set_walk_first(&w);
    for (; more && !s->probe.is_expired && !report->is_separable && !is_vain(s, member); more = set_walk_next(&w)) {
        bool reliable = false;
        verdict v = {0};
        if (is_known(s, member, size))
            continue;
        if (!is_known_dependent(s, size, member, has_record, &reliable))
            CHECK(association_probe_decide(&s->probe, s->members[member], s->target, s->z, size, &reliable, &v, err));
        add_report(report, reliable, &v);
    }
    return STATUS_OK;
}

/* Whether some set of other members, not tested yet, makes the member and the target independent. */
static status is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err) {
    size_t n_others = s->n_members - 1, largest = largest_set(s, n_others);
    bool has_record;
    *separable = false;
    memcpy(s->others, s->members, member * sizeof *s->others);
    memcpy(s->others + member, s->members + member + 1, (n_others - member) * sizeof *s->others);
    has_record = read_record(s, member);
    for (size_t size = 0; size <= largest && !s->probe.is_expired && !*separable && !is_vain(s, member); size++) {
        size_report report;
        CHECK(separate_by(s, size, member, has_record, &report, err));
        *separable = report.is_separable;
        if ((size > 0 && !report.any_tested) || (report.any_tested && !report.any_reliable))
            break; /* nor would there be anything among larger ones */
    }
    return STATUS_OK;
}

static void remove_member(mmpc_search *s, size_t member) {
    if (s->keeps_records)
        s->records[s->target].is_removed[s->places[member]] = true;
    s->n_members--;
    s->n_warm -= member < s->n_warm;
    memmove(&s->members[member], &s->members[member + 1], (s->n_members - member) * sizeof *s->members);
    memmove(&s->places[member], &s->places[member + 1], (s->n_members - member) * sizeof *s->places);
}

/* No member after this one is of use: the others are fewer then. */
static void lower_end(member_pile *p, size_t member) {
    size_t end = atomic_load(&p->end);
    while (member < end && !atomic_compare_exchange_weak(&p->end, &end, member)) {
    }
}

static status check_members(void *self, size_t worker, error_info *err) {
    mmpc_search *of = self, *s = stand_in(of, worker);
    member_pile *p = &of->pile;
    statistics_count *tally = s->rules.tally, before = *tally;
    status st = STATUS_OK;
    s->from = p;
    for (size_t member; st == STATUS_OK && !s->probe.is_expired &&
                        (member = atomic_fetch_add(&p->next, 1)) < s->n_members && member < atomic_load(&p->end);) {
        bool separable = false;
        st = is_separable(s, member, &separable, err);
        p->counts[member] = (statistics_count){tally->requests - before.requests, tally->computed - before.computed,
                                               tally->skipped - before.skipped};
        *tally = before;
        if (separable)
            lower_end(p, member);
    }
    if (st != STATUS_OK)
        lower_end(p, 0); /* what the others find is of no use */
    s->from = NULL;
    step_back(s, of);
    return st;
}

/* Members from this one on, by all threads, as if none of them were removed: up to the first that is. */
static status check_together(mmpc_search *s, size_t *member, error_info *err) {
    member_pile *p = &s->pile;
    atomic_store(&p->next, *member);
    atomic_store(&p->end, s->n_members);
    memset(p->counts + *member, 0, (s->n_members - *member) * sizeof *p->counts);
    CHECK(share(s, check_members, err));
    for (; *member < s->n_members && *member < atomic_load(&p->end); ++*member)
        statistics_count_add(s->rules.tally, &p->counts[*member]);
    if (*member < s->n_members) {
        statistics_count_add(s->rules.tally, &p->counts[*member]);
        remove_member(s, *member);
    }
    return STATUS_OK;
}

static status check_member(mmpc_search *s, size_t *member, error_info *err) {
    bool separable = false;
    CHECK(is_separable(s, *member, &separable, err));
    if (separable)
        remove_member(s, *member);
    else
        ++*member;
    return STATUS_OK;
}

static status backward(mmpc_search *s, error_info *err) {
    size_t member = 0;
    attend(s);
    CHECK(begin_record(s, err));
    CHECK(expect_members(s, err));
    while (member < s->n_members && !s->probe.is_expired) {
        double n_tests = (double)(s->n_members - member) * set_walk_count(s->n_members, 2);
        CHECK(member + 1 < s->n_members && is_worth_sharing(s, n_tests) ? check_together(s, &member, err)
                                                                        : check_member(s, &member, err));
    }
    return STATUS_OK;
}

/* --- both --- */

status mmpc_search_target(mmpc_search *s, size_t target, const mmpc_earlier *earlier, const size_t **members,
                          size_t *n_members, error_info *err) {
    s->target = target;
    sort_variables(s, earlier ? earlier : &(mmpc_earlier){0});
    CHECK(open_candidates(s, err));
    CHECK(forward(s, err));
    CHECK(backward(s, err));
    *members = s->members;
    *n_members = s->n_members;
    return STATUS_OK;
}

status mmpc_search_candidates(mmpc_search *s, size_t target, const mmpc_candidate *candidates, size_t n_candidates,
                              const size_t **members, size_t *n_members, error_info *err) {
    s->target = target;
    s->n_members = s->n_warm = 0;
    s->n_open = n_candidates;
    for (size_t i = 0; i < n_candidates; i++)
        s->open[i] =
            (candidate){.variable = candidates[i].variable, .minimum = candidates[i].value, .df = candidates[i].df};
    CHECK(forward(s, err));
    CHECK(backward(s, err));
    *members = s->members;
    *n_members = s->n_members;
    return STATUS_OK;
}

/* Is the pair the target and one of its members? */
static bool is_of_member(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    const mmpc_search *s = self;
    size_t other = x == s->target ? y : x;
    (void)z, (void)n_z;
    for (size_t i = 0; i < s->n_members; i++) {
        if (s->members[i] == other)
            return true;
    }
    return false;
}

void mmpc_search_release(mmpc_search *s) {
    if (s->rules.use_refusals) /* only its members will ask about this variable again */
        association_probe_release(&s->probe, &(later_tests){s, is_of_member});
}
