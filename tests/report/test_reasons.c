/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a published figure: within tolerance, shown by an experiment, explained in words, or open. */
#include "tests/report/reproduction_support.h"

#include "parts/tests/friedman_part.h"
#include "parts/tests/wilcoxon_part.h"

static reproduction compute(made_paper *p) {
    reproduction r = {0};
    error_info err = {0};
    assert_ok(reproduction_compute(input_of_paper(p), &r, &err), &err);
    return r;
}

static const judged_figure *figure_at(const reproduction *p, size_t size, size_t column) {
    const reproduced_table *t = parts_find_table(&p->base, "shd");
    assert_non_null(t);
    assert_int_equal(t->t.n_columns, PAPER_LEARNERS);
    return &t->figures[size * t->t.n_columns + column];
}

/* ---- one figure of a table ---- */

/* Published 20, within 2. */
static const struct {
    const char *what;
    double ours, first, second; /* NAN: failed; INFINITY: the reading has not been run */
    int kind;                   /* -1: no reason */
    const char *readings, *shown_in;
    figure_state state;
} cases[] = {
    {"within, whatever is said of it", 22, 22, 22, REASON_READING, "r1", "shd", FIGURE_WITHIN},
    {"no reason", 26, 20, 20, -1, NULL, NULL, FIGURE_OPEN},
    {"a failure without a reason", NAN, 20, 20, -1, NULL, NULL, FIGURE_OPEN},
    {"a reason and no evidence", 26, 20, 20, REASON_DATA, NULL, NULL, FIGURE_SAID},
    {"hardware", 26, 20, 20, REASON_HARDWARE, NULL, NULL, FIGURE_SAID},
    {"the paper itself", 26, 20, 20, REASON_PAPER, NULL, NULL, FIGURE_SAID},
    {"a guess", 26, 20, 20, REASON_UNKNOWN, NULL, NULL, FIGURE_OPEN},
    {"a guess that its reading does not bear out", 26, 23, 20, REASON_UNKNOWN, "r1", NULL, FIGURE_OPEN},
    {"a guess that is shown", 26, 21, 20, REASON_UNKNOWN, "r1", NULL, FIGURE_SHOWN},
    {"a reading within tolerance, from above", 26, 22, 30, REASON_READING, "r1", NULL, FIGURE_SHOWN},
    {"a reading within tolerance, from below", 10, 18, 10, REASON_READING, "r1", NULL, FIGURE_SHOWN},
    {"a reading beyond the published figure and nearer", 26, 17, 30, REASON_READING, "r1", NULL, FIGURE_SHOWN},
    {"a reading beyond the published figure and farther", 26, 1, 30, REASON_READING, "r1", NULL, FIGURE_SAID},
    {"a reading nearer on the same side", 26, 22.5, 30, REASON_READING, "r1", NULL, FIGURE_SAID},
    {"a reading farther on the same side", 26, 40, 40, REASON_READING, "r1", NULL, FIGURE_SAID},
    {"a reading that nobody named", 26, 30, 20, REASON_READING, "r1", NULL, FIGURE_SAID},
    {"any of two readings", 26, 30, 20, REASON_READING, "r1 r2", NULL, FIGURE_SHOWN},
    {"a failure, and a reading within tolerance", NAN, 20, 30, REASON_READING, "r1", NULL, FIGURE_SHOWN},
    {"a failure brackets nothing", NAN, 1, 50, REASON_READING, "r1 r2", NULL, FIGURE_SAID},
    {"a reading that failed", 26, NAN, 30, REASON_READING, "r1", NULL, FIGURE_SAID},
    {"a reading that has not been run", 26, 30, INFINITY, REASON_READING, "r2", NULL, FIGURE_SAID},
    {"a table to look at", 26, 30, 30, REASON_DATA, NULL, "shd", FIGURE_SAID},
    {"a guess with a table to look at", 26, 30, 30, REASON_UNKNOWN, NULL, "shd", FIGURE_OPEN},
};

static void a_figure_is_what_its_reason_and_evidence_make_it(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        paper_figures base = paper_printed, readings[PAPER_READINGS] = {paper_printed, paper_printed};
        made_paper p;
        reproduction r;
        base.at[0][1] = cases[i].ours;
        readings[0].at[0][1] = cases[i].first;
        readings[1].at[0][1] = cases[i].second;
        make_paper(&p, &base, readings, isinf(cases[i].second) ? 1 : 2);
        if (cases[i].kind >= 0) {
            reason_spec *reason = add_reason(&p.base.outputs, "why", (reason_kind)cases[i].kind, "shd", NULL, NULL);
            reason->readings = split_names(cases[i].readings, &reason->n_readings);
            reason->shown_in = cases[i].shown_in ? text_copy(cases[i].shown_in) : NULL;
        }
        r = compute(&p);
        if (figure_at(&r, 0, 1)->state != cases[i].state)
            fail_msg("%s: state %d, and not %d", cases[i].what, figure_at(&r, 0, 1)->state, cases[i].state);
        assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).n, 8);
        assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).states[cases[i].state],
                         cases[i].state == FIGURE_WITHIN ? 8 : 1);
        reproduction_clear(&r);
        clear_paper(&p);
    }
}

/* That b has more than c at 100 rows, which the paper's own figures contradict. */
static void add_claim(experiment_outputs *o, const char *first, const char *second) {
    o->claims = calloc(1, sizeof *o->claims);
    o->n_claims = 1;
    *o->claims = (claim_spec){.id = text_copy("claim"), .text = text_copy("It is so."), .n_checks = 1};
    o->claims->checks = calloc(1, sizeof(claim_check));
    o->claims->checks[0] = (claim_check){.relation = CLAIM_LESS, .table = text_copy("shd"), .at = text_copy("100")};
    o->claims->checks[0].learners = calloc(2, sizeof(char *));
    o->claims->checks[0].learners[0] = text_copy(first);
    o->claims->checks[0].learners[1] = text_copy(second);
    o->claims->checks[0].n_learners = 2;
}

static void a_claim_shows_what_it_contradicts_in_the_paper(void **state) {
    static const struct {
        const char *what, *first, *second;
        double b, c;
        figure_state state;
    } claims[] = {
        {"holds here, not in the paper", "c", "b", 60, 50, FIGURE_SHOWN},
        {"holds neither here nor in the paper", "c", "b", 50, 60, FIGURE_SAID},
        {"holds here and in the paper", "b", "c", 50, 60, FIGURE_SAID},
        {"cannot be decided here", "c", "b", 60, NAN, FIGURE_SAID},
        {"cannot be decided in the paper", "c", "x", 60, 50, FIGURE_SAID},
    };
    (void)state;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        paper_figures base = paper_printed;
        made_paper p;
        reproduction r;
        base.at[0][1] = claims[i].b;
        base.at[0][2] = claims[i].c;
        make_paper(&p, &base, NULL, 0);
        add_claim(&p.base.outputs, claims[i].first, claims[i].second);
        add_reason(&p.base.outputs, "why", REASON_PAPER, "shd", "100", NULL)->claim = text_copy("claim");
        r = compute(&p);
        if (figure_at(&r, 0, 1)->state != claims[i].state)
            fail_msg("%s: state %d, and not %d", claims[i].what, figure_at(&r, 0, 1)->state, claims[i].state);
        assert_int_equal(figure_at(&r, 0, 1)->is_by_claim, claims[i].state == FIGURE_SHOWN);
        reproduction_clear(&r);
        clear_paper(&p);
    }
}

/* ---- which reason ---- */

static void assert_reason(const judged_figure *f, const char *id) {
    assert_true(f->counts);
    assert_string_equal(f->reason ? f->reason->id : "(none)", id ? id : "(none)");
}

static void the_first_reason_that_covers_a_figure_counts(void **state) {
    static const paper_figures none = {{{1, 2, 3, 40}, {1, 2, 3, 4}}};
    made_paper p;
    reproduction r;
    (void)state;
    make_paper(&p, &none, NULL, 0);
    (void)add_reason(&p.base.outputs, "other-table", REASON_DATA, "missing", NULL, NULL);
    (void)add_reason(&p.base.outputs, "b-at-200", REASON_DATA, "shd", "200", "b");
    (void)add_reason(&p.base.outputs, "a-or-b", REASON_UNKNOWN, "shd", NULL, "a b");
    (void)add_reason(&p.base.outputs, "at-200", REASON_PAPER, "shd", "200", NULL);
    (void)add_reason(&p.base.outputs, "late", REASON_DATA, "shd", "200", NULL);
    r = compute(&p);
    assert_reason(figure_at(&r, 0, 0), "a-or-b");
    assert_reason(figure_at(&r, 0, 1), "a-or-b");
    assert_reason(figure_at(&r, 0, 2), NULL);
    assert_reason(figure_at(&r, 0, 3), NULL); /* within */
    assert_reason(figure_at(&r, 1, 0), "a-or-b");
    assert_reason(figure_at(&r, 1, 1), "b-at-200");
    assert_reason(figure_at(&r, 1, 2), "at-200");
    assert_reason(figure_at(&r, 1, 3), "at-200");
    assert_int_equal(figure_at(&r, 0, 0)->state, FIGURE_OPEN); /* a guess in front of what is known */
    assert_int_equal(figure_at(&r, 1, 1)->state, FIGURE_SAID);
    reproduction_clear(&r);
    clear_paper(&p);
}

static void a_reason_may_cover_several_groups_of_cells(void **state) {
    static const paper_figures none = {{{1, 2, 3, 4}, {1, 2, 3, 4}}};
    made_paper p;
    reason_spec *reason;
    reproduction r;
    (void)state;
    make_paper(&p, &none, NULL, 0);
    reason = add_reason(&p.base.outputs, "two", REASON_DATA, "shd", "100", "a");
    reason->cells = realloc(reason->cells, 2 * sizeof *reason->cells);
    reason->cells[reason->n_cells++] =
        (reason_cells){.table = text_copy("shd"), .n_learners = 1, .learners = split_names("d", &(size_t){0})};
    r = compute(&p);
    assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).states[FIGURE_SAID], 3);
    assert_reason(figure_at(&r, 0, 0), "two");
    assert_reason(figure_at(&r, 0, 3), "two");
    assert_reason(figure_at(&r, 1, 3), "two");
    assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).states[FIGURE_OPEN], 5);
    reproduction_clear(&r);
    clear_paper(&p);
}

/* ---- outcomes of tests ---- */

/* Twenty data sets each: on asia a is above b and c, on child nothing differs. */
static void fill_pairs(made_results *m, bool differs) {
    static const char *const networks[] = {"asia", "child"};
    for (size_t i = 0; i < 2 * m->outputs.n_networks; i++) {
        for (size_t r = 0; r < 20; r++) {
            double noise = (r % 2 ? 1 : -1) * (0.1 + 0.01 * (double)r);
            double a = differs && i < 2 ? (double)r + 1 : noise;
            (void)add_done(m, networks[i / 2], paper_sizes[i % 2], r, "a", "bdeu_train", -100 + a);
            (void)add_done(m, networks[i / 2], paper_sizes[i % 2], r, "b", "bdeu_train", -100);
            (void)add_done(m, networks[i / 2], paper_sizes[i % 2], r, "c", "bdeu_train", -100 + 0.5 * noise);
        }
    }
}

static made_results make_pairs_run(size_t n_networks, bool differs) {
    const char *const networks[] = {"asia", n_networks > 1 ? "child" : NULL, NULL}, *const learners[] = {"a", "b", "c",
                                                                                                         NULL};
    made_results m = make_results(networks, paper_sizes, 20, learners);
    wilcoxon_spec *w = add_part(&m, PART_TEST, "wilcoxon", "w");
    w->shared.metric = text_copy("bdeu_train");
    w->shared.published = text_copy("v.csv");
    fill_pairs(&m, differs);
    return m;
}

static void make_pairs_paper(made_paper *p, size_t n_networks, const char *verdicts) {
    *p = (made_paper){.base = make_pairs_run(n_networks, true), .folder = text_copy(scratch_folder())};
    p->facts = (store_run_facts){.n_runs = 1};
    p->in = (reproduction_input){.run = &p->facts};
    put_file(p->folder, "v.csv", verdicts);
}

static const char verdicts_csv[] = "network,sample_size,algorithm,versus,metric,verdict\n"
                                   "asia,100,a,b,bdeu,+\n"
                                   "asia,100,a,c,bdeu,-\n"
                                   "asia,200,a,b,bdeu,n/a\n"
                                   "child,100,a,b,bdeu,+\n"
                                   "child,200,b,c,bdeu,-\n";

static const judged_figure *outcome_at(const reproduction *p, const char *place, const char *first,
                                       const char *second) {
    const reproduced_test *t = &p->base.tests[0];
    for (size_t i = 0; i < t->outcomes.n; i++) {
        const test_outcome *o = &t->outcomes.items[i];
        if (strcmp(o->place, place) == 0 && strcmp(o->learners[0], first) == 0 &&
            (second ? o->learners[1] && strcmp(o->learners[1], second) == 0 : !o->learners[1]))
            return &t->figures[i];
    }
    fail_msg("no outcome of %s : %s at %s", first, second ? second : "-", place);
    return NULL;
}

static void a_verdict_is_covered_at_its_network_size_or_both(void **state) {
    static const struct {
        const char *place, *learners, *reasons[3]; /* of asia 100 a:c, child 100 a:b, child 200 b:c */
    } covers[] = {
        {NULL, NULL, {"r", "r", "r"}},
        {"child", NULL, {NULL, "r", "r"}},
        {"100", NULL, {"r", "r", NULL}},
        {"child, 200", NULL, {NULL, NULL, "r"}},
        {"child, 20", NULL, {0}},
        {"chil", NULL, {0}},
        {"00", NULL, {0}},
        {NULL, "c", {"r", NULL, "r"}},
        {"asia", "c", {"r", NULL, NULL}},
        {"child", "a", {NULL, "r", NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof covers / sizeof *covers; i++) {
        made_paper p;
        reproduction r;
        make_pairs_paper(&p, 2, verdicts_csv);
        (void)add_reason(&p.base.outputs, "r", REASON_DATA, "w", covers[i].place, covers[i].learners);
        r = compute(&p);
        assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).n, 4); /* n/a is no outcome */
        assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).n_there, 4);
        assert_int_equal(outcome_at(&r, "asia, 100", "a", "b")->state, FIGURE_WITHIN);
        assert_reason(outcome_at(&r, "asia, 100", "a", "c"), covers[i].reasons[0]);
        assert_reason(outcome_at(&r, "child, 100", "a", "b"), covers[i].reasons[1]);
        assert_reason(outcome_at(&r, "child, 200", "b", "c"), covers[i].reasons[2]);
        reproduction_clear(&r);
        clear_paper(&p);
    }
}

static void a_verdict_is_shown_by_a_reading_that_agrees(void **state) {
    static const char all_alike[] = "network,sample_size,algorithm,versus,metric,verdict\n"
                                    "asia,100,a,b,bdeu,~\nasia,200,a,c,bdeu,-\n";
    made_paper p;
    reproduction r;
    reason_spec *reason;
    (void)state;
    make_pairs_paper(&p, 2, all_alike);
    p.base.outputs.readings = calloc(1, sizeof(reading_spec));
    p.base.outputs.readings[p.base.outputs.n_readings++] = made_reading("r1");
    p.runs[0] = make_pairs_run(2, false);
    p.stored[0] = (reproduction_reading){"r1", {&p.runs[0].outputs, &p.runs[0].parts, p.runs[0].records, p.runs[0].n}};
    p.in.n_readings = 1;
    p.in.readings = p.stored;
    reason = add_reason(&p.base.outputs, "r", REASON_READING, "w", NULL, NULL);
    reason->readings = split_names("r1", &reason->n_readings);
    r = compute(&p);
    assert_int_equal(outcome_at(&r, "asia, 100", "a", "b")->state, FIGURE_SHOWN);
    assert_int_equal(outcome_at(&r, "asia, 200", "a", "c")->state,
                     FIGURE_SAID); /* + there, - in print, ~ in the reading */
    reproduction_clear(&r);
    clear_paper(&p);
}

/* With one network too, a sum of verdicts is at that network. */
static void a_sum_of_verdicts_is_at_its_network(void **state) {
    static const char scores[] = "network,sample_size,algorithm,metric,value\n"
                                 "asia,100+200,a,wilcoxon_summary_score,4\n"
                                 "asia,100+200,b,wilcoxon_summary_score,2\n";
    (void)state;
    for (size_t n_networks = 1; n_networks <= 2; n_networks++) {
        made_paper p;
        reproduction r;
        wilcoxon_spec *w;
        make_pairs_paper(&p, n_networks, verdicts_csv);
        w = p.base.parts.parts[0].options;
        free(w->shared.published);
        w->shared.published = NULL;
        w->published_scores = text_copy("s.csv");
        put_file(p.folder, "s.csv", scores);
        (void)add_reason(&p.base.outputs, "r", REASON_DATA, "w", "asia", NULL);
        r = compute(&p);
        assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).n, 2);
        assert_int_equal(outcome_at(&r, "asia", "a", NULL)->state, FIGURE_WITHIN);
        assert_reason(outcome_at(&r, "asia", "b", NULL), "r");
        assert_int_equal(outcome_at(&r, "asia", "b", NULL)->state, FIGURE_SAID);
        reproduction_clear(&r);
        clear_paper(&p);
    }
}

/* Ranks a 1, b 2, c 3 on every network: b is as good as a, or, of six networks, c worse. */
static void a_mark_of_a_mean_rank_counts(void **state) {
    static const char marks[] = "network,sample_size,algorithm,metric,value,not_worse_than_best,is_best_in_column\n"
                                "all,100,a,mean_rank,1,yes,yes\n"
                                "all,100,b,mean_rank,2,yes,no\n"
                                "all,100,c,mean_rank,3,yes,no\n";
    static const char *const networks[] = {"asia", "child", "alarm", "water", "pigs", "link", NULL};
    made_paper p;
    reproduction r;
    friedman_spec *f;
    (void)state;
    make_pairs_paper(&p, 2, verdicts_csv);
    clear_results(&p.base);
    p.base = make_results(networks, (const size_t[]){100, 0}, 1, (const char *const[]){"a", "b", "c", NULL});
    f = add_part(&p.base, PART_TEST, "friedman", "f");
    f->shared.metric = text_copy("shd");
    f->shared.published = text_copy("m.csv");
    put_file(p.folder, "m.csv", marks);
    for (size_t i = 0; i < 18; i++)
        (void)add_done(&p.base, networks[i / 3], 100, 0, p.base.outputs.learners[i % 3], "shd", (double)(i % 3));
    (void)add_reason(&p.base.outputs, "r", REASON_DATA, "f", "100", "c");
    r = compute(&p);
    assert_int_equal(parts_count(&r.base, N_FIGURE_KINDS).n, 3);
    assert_int_equal(outcome_at(&r, "100", "a", NULL)->state, FIGURE_WITHIN);
    assert_int_equal(outcome_at(&r, "100", "b", NULL)->state, FIGURE_WITHIN); /* z = 1.73 */
    assert_int_equal(outcome_at(&r, "100", "c", NULL)->state, FIGURE_SAID);   /* z = 3.46 */
    reproduction_clear(&r);
    clear_paper(&p);
}

/* ---- as the report says it ---- */

static void the_report_counts_and_names_the_reasons(void **state) {
    static const char *const lines[] = {
        "| [shd (edges)](#shd-edges) | 8 | 8 | 10% | 3 (38%) | 1 | 2 | 2 |",
        "| **all** | 8 | 8 | | 3 (38%) | 1 | 2 | 2 |",
        "| base | It may be so. | the text | 3/8 | a, d |",
        "| r1 | It may be so. | the text | 4/8 | b |",
        "| r2 | It may be so. | the text | not run | |",
        "| within tolerance | base | r1 | r2 |",
        "| shd (edges) | 3/8 | **4/8** | - |",
        "| **prior**: It is so. | reading | shd | 3 | 1 | 2 | 0 | `bnbench reproduce made --reason prior` |",
        "| **guess**: It is so. | not known | shd | 1 | 0 | 0 | 1 | |",
        "| **idle**: It is so. | hardware of the time | shd | 0 | 0 | 0 | 0 | |",
        "| 100 | b | 20 | 26.0 | +6.0 | +30.0% | **no** | prior |",
        "| 100 | c | 30 | 3.0 | -27.0 | -90.0% | **no** | prior (not shown) |",
        "| 200 | d | 40 | 4.0 | -36.0 | -90.0% | **no** | open |",
    };
    static const paper_figures ours = {{{1, 26, 3, 40}, {10, 20, 3, 4}}}, reading = {{{1, 20, 3, 40}, {10, 20, 3, 4}}};
    made_paper p;
    text_buffer out = {0};
    reason_spec *reason;
    error_info err = {0};
    (void)state;
    make_paper(&p, &ours, &reading, 1);
    reason = add_reason(&p.base.outputs, "prior", REASON_READING, "shd", NULL, "b c");
    reason->readings = split_names("r1", &reason->n_readings);
    (void)add_reason(&p.base.outputs, "guess", REASON_UNKNOWN, "shd", NULL, "a");
    (void)add_reason(&p.base.outputs, "idle", REASON_HARDWARE, "shd", "100", "d");
    assert_ok(reproduction_append(input_of_paper(&p), &out, &err), &err);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!strstr(out.data, lines[i]))
            fail_msg("'%s' is not in:\n%s", lines[i], out.data);
    }
    text_buffer_clear(&out);
    clear_paper(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_is_what_its_reason_and_evidence_make_it),
        cmocka_unit_test(a_claim_shows_what_it_contradicts_in_the_paper),
        cmocka_unit_test(the_first_reason_that_covers_a_figure_counts),
        cmocka_unit_test(a_reason_may_cover_several_groups_of_cells),
        cmocka_unit_test(a_verdict_is_covered_at_its_network_size_or_both),
        cmocka_unit_test(a_verdict_is_shown_by_a_reading_that_agrees),
        cmocka_unit_test(a_sum_of_verdicts_is_at_its_network),
        cmocka_unit_test(a_mark_of_a_mean_rank_counts),
        cmocka_unit_test(the_report_counts_and_names_the_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
