/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a reproduction: figures, tolerance, order, verdicts, and how claims are declared. */
#include "tests/support/records.h"
#include "tests/support/run_support.h"

#include "core/base/file.h"
#include "report/reproduction/reproduction.h"

#include <math.h>

static const char published_csv[] = "network,sample_size,algorithm,metric,value,normalised_by\n"
                                    "asia,100,a,shd,10,\n"
                                    "asia,100,b,shd,20,\n"
                                    "asia,100,c,shd,30,\n"
                                    "asia,100,d,shd,2,\n"
                                    "asia,200,a,shd,1,\n"
                                    "asia,200,b,shd,2,\n"
                                    "asia,200,c,shd,3,\n"
                                    "asia,100,b,time,1.5,a\n"
                                    "asia,100,a,time,1,a\n";

/* a 11, b 26, c 24, d has failed at 100 rows; at 200 a 3, b 2, c 1, d 4. Times: a 2, b 3. */
static made_results make_run(void) {
    static const double shd[2][4] = {{11, 26, 24, 0}, {3, 2, 1, 4}};
    static const char *const learners[] = {"a", "b", "c", "d", NULL};
    made_results m = make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 200, 0}, 1, learners);
    for (size_t s = 0; s < 2; s++) {
        for (size_t l = 0; l < 4; l++) {
            job_record *r = s == 0 && l == 3
                                ? add_record(&m, "asia", 100, 0, "d", JOB_FAILED)
                                : add_done(&m, "asia", m.outputs.sizes[s], 0, learners[l], "shd", shd[s][l]);
            if (r->state == JOB_DONE)
                set_metric(r, "time", l == 0 ? 2 : 3);
            r->cpu_seconds = 0.5;
        }
    }
    m.outputs.title = text_copy("A run");
    return m;
}

static metric_table_spec *add_published_table(made_results *m, const char *id, const char *metric,
                                              const char *normalise_by) {
    metric_table_spec *t = add_table(m, id, metric, normalise_by);
    t->published = text_copy("p.csv");
    return t;
}

static claim_spec *add_claim(made_results *m, const char *id, size_t n_checks) {
    experiment_outputs *o = &m->outputs;
    o->claims = realloc(o->claims, (o->n_claims + 1) * sizeof *o->claims);
    o->claims[o->n_claims] = (claim_spec){.id = text_copy(id),
                                          .text = text_copy("What the paper says."),
                                          .n_checks = n_checks,
                                          .checks = calloc(n_checks + 1, sizeof(claim_check))};
    return &o->claims[o->n_claims++];
}

/* `learners`: one letter each. */
static void set_check(claim_check *c, claim_relation relation, const char *at, const char *learners, double number) {
    *c = (claim_check){.relation = relation, .table = text_copy("shd"), .at = at ? text_copy(at) : NULL};
    c->n_learners = strlen(learners);
    c->learners = calloc(c->n_learners + 1, sizeof *c->learners);
    for (size_t i = 0; i < c->n_learners; i++)
        c->learners[i] = text_copy_n(learners + i, 1);
    c->number = number;
}

static char *render(const made_results *m) {
    char *folder = text_copy(scratch_folder());
    store_run_facts run = {.version = (char *)"1.2.3", .n_runs = 1};
    reproduction_input in = {.of = {&m->outputs, &m->parts, m->records, m->n},
                             .n_planned = 9,
                             .published_folder = folder,
                             .run = &run,
                             .seed = 7};
    text_buffer out = {0};
    error_info err = {0};
    put_file(folder, "p.csv", published_csv);
    assert_ok(reproduction_append(&in, &out, &err), &err);
    free(folder);
    return out.data;
}

static void assert_says(const char *text, const char *wanted) {
    if (!strstr(text, wanted))
        fail_msg("'%s' is not in:\n%s", wanted, text);
}

static void every_published_figure_stands_beside_the_regenerated_one(void **state) {
    (void)state;
    made_results m = make_run();
    metric_table_spec *t = add_published_table(&m, "shd", "shd", NULL);
    char *text;
    t->within = (table_tolerance){.is_declared = true, .relative = 0.15, .absolute = 3};
    (void)add_published_table(&m, "time", "time", "a");
    text = render(&m);
    assert_says(text, "bnbench 1.2.3");
    assert_says(text, "| results | 8 of 9 cells: 7 done, 1 failed, 0 timeout, 0 memory");
    assert_says(text, "| learning | 4 s of CPU time in all");
    assert_says(text, "| 100 | a | 10 | 11.0 | +1.0 | +10.0% | yes | |");
    assert_says(text, "| 100 | b | 20 | 26.0 | +6.0 | +30.0% | **no** | open |");
    assert_says(text, "| 100 | c | 30 | 24.0 | -6.0 | -20.0% | **no** | open |");
    assert_says(text, "| 100 | d | 2 | failed | | | **no** | open |");
    assert_says(text, "| 200 | a | 1 | 3.0 | +2.0 | +200.0% | yes | |"); /* within three */
    assert_says(text, "| table | figures | here | tolerance | within | shown | in words | open |");
    assert_says(text, "| [shd (edges)](#shd-edges) | 7 | 6 | 15% or 3 | 4 (57%) | 0 | 0 | 3 |");
    assert_says(text, "\n## shd (edges)\n");
    assert_says(text, "| **all** | 7 | 6 | | 4 (57%) | 0 | 0 | 3 |");
    /* The baseline's own 1 is no figure; times are not counted. */
    assert_says(text, "Compared and not counted, as no tolerance is declared: time relative to a (1 figure).");
    /* Orders a c b against a b c, and c b a against a b c. */
    assert_says(text, "Spearman's rho: 100 0.50 (3 learners), 200 -1.00 (3 learners)");
    free(text);
    clear_results(&m);
}

static void ties_share_their_mean_rank(void **state) {
    (void)state;
    static const char *const learners[] = {"a", "b", "c", "d", NULL};
    made_results m = make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 0}, 1, learners);
    static const double ours[] = {1, 2, 2, 4}; /* ranks 1 2.5 2.5 4 against 2 3 4 1 */
    char *text;
    for (size_t l = 0; l < 4; l++)
        (void)add_done(&m, "asia", 100, 0, learners[l], "shd", ours[l]);
    (void)add_published_table(&m, "shd", "shd", NULL);
    text = render(&m);
    assert_says(text, "rho: 100 -0.32 (4 learners)"); /* -1.5 / sqrt(4.5 * 5) */
    free(text);
    clear_results(&m);
}

static void a_verdict_is_computed(void **state) {
    (void)state;
    static const struct {
        claim_relation relation;
        const char *at, *learners;
        double number;
        const char *verdict;
    } cases[] = {
        {CLAIM_LESS, "100", "acb", 0, "| **holds** |"},
        {CLAIM_LESS, "100", "abc", 0, "| **does not hold** |"},
        {CLAIM_LESS, "100", "ad", 0, "| **cannot be decided** |"}, /* d failed */
        {CLAIM_LESS, NULL, "ab", 0, "| **partly** (1 of 2) |"},
        {CLAIM_ABOUT, "100", "bc", 0.08, "| **holds** |"},
        {CLAIM_ABOUT, "100", "bc", 0.07, "| **does not hold** |"},
        {CLAIM_ABOVE, "100", "abc", 10.5, "| **holds** |"},
        {CLAIM_BELOW, "200", "abc", 3, "| **does not hold** |"},
        {CLAIM_LOWEST, "200", "c", 0, "| **holds** |"},
        {CLAIM_HIGHEST, "200", "a", 0, "| **does not hold** |"},
        {CLAIM_RISES, NULL, "a", 0, "| **does not hold** |"}, /* 11, then 3 */
        {CLAIM_RISES, NULL, "ad", 0, "| **cannot be decided** |"},
        {CLAIM_RISES, "100", "a", 0, "| **cannot be decided** |"}, /* nothing stands before it */
        {CLAIM_LESS, "300", "ab", 0, "| **cannot be decided** |"}, /* not run by this profile */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_results m = make_run();
        char *text;
        (void)add_published_table(&m, "shd", "shd", NULL);
        set_check(&add_claim(&m, "one", 1)->checks[0], cases[i].relation, cases[i].at, cases[i].learners,
                  cases[i].number);
        text = render(&m);
        assert_says(text, cases[i].verdict);
        free(text);
        clear_results(&m);
    }
}

static void a_rise_is_from_each_place_to_the_next(void **state) {
    made_results m = make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 200, 500, 0}, 1,
                                  (const char *const[]){"up", "bent", NULL});
    static const double up[] = {1, 2, 3}, bent[] = {1, 3, 2};
    claim_spec *claim;
    char *text;
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        (void)add_done(&m, "asia", m.outputs.sizes[s], 0, "up", "shd", up[s]);
        (void)add_done(&m, "asia", m.outputs.sizes[s], 0, "bent", "shd", bent[s]);
    }
    (void)add_table(&m, "shd", "shd", NULL);
    claim = add_claim(&m, "c", 2);
    for (size_t i = 0; i < 2; i++) {
        claim->checks[i] = (claim_check){
            .relation = CLAIM_RISES, .table = text_copy("shd"), .n_learners = 1, .learners = calloc(2, sizeof(char *))};
        claim->checks[i].learners[0] = text_copy(i ? "bent" : "up");
    }
    text = render(&m);
    assert_says(text, "| **partly** (3 of 4) |");
    assert_says(text, "not above the place before: bent 2.0 (shd, 500)");
    free(text);
    clear_results(&m);
}

static void what_is_missed_by_less_than_five_percent_is_said(void **state) {
    static const struct {
        claim_relation relation;
        const char *at, *learners;
        double number;
        bool is_near;
    } cases[] = {
        {CLAIM_BELOW, "100", "b", 25, true},     {CLAIM_BELOW, "100", "b", 24.5, false},
        {CLAIM_ABOVE, "100", "c", 25, true},     {CLAIM_ABOVE, "100", "c", 25.5, false},
        {CLAIM_ABOVE, "100", "bc", 25, true},    {CLAIM_BELOW, "100", "bc", 25, true},
        {CLAIM_BELOW, "100", "bc", 2, false},    {CLAIM_ABOUT, "100", "bc", 0.05, true},
        {CLAIM_ABOUT, "100", "bc", 0.01, false}, {CLAIM_LOWEST, "200", "b", 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_results m = make_run();
        claim_spec *claim = add_claim(&m, "c", 1);
        char *text;
        (void)add_table(&m, "shd", "shd", NULL);
        set_check(&claim->checks[0], cases[i].relation, cases[i].at, cases[i].learners, cases[i].number);
        text = render(&m);
        if ((strstr(text, "by a hair") != NULL) != cases[i].is_near)
            fail_msg("case %zu: by a hair or not:\n%s", i, text);
        free(text);
        clear_results(&m);
    }
}

static void a_claim_is_held_against_the_papers_own_figures_too(void **state) {
    (void)state;
    made_results m = make_run();
    claim_spec *claim;
    char *text;
    (void)add_published_table(&m, "shd", "shd", NULL);
    claim = add_claim(&m, "both", 2);
    claim->comment = text_copy("A comment.");
    set_check(&claim->checks[0], CLAIM_LESS, "100", "ab", 0);
    set_check(&claim->checks[1], CLAIM_LESS, "200", "bc", 0);
    text = render(&m);
    assert_says(text, "| What the paper says. | **partly** (1 of 2) | holds | not each less than the next: b 2.0 "
                      "\\[2.0\\], c 1.0 \\[3.0\\] (shd, 200) |");
    assert_says(text, "| shd, 100 | each less than the next | a 11.0 \\[10.0\\], b 26.0 \\[20.0\\] | yes |");
    assert_says(text, "| shd, 200 | each less than the next | b 2.0 \\[2.0\\], c 1.0 \\[3.0\\] | no |");
    assert_says(text, "A comment.");
    free(text);
    clear_results(&m);
}

static void words_stand_there_as_they_were_declared(void **state) {
    (void)state;
    made_results m = make_run();
    char *text;
    (void)add_published_table(&m, "shd", "shd", NULL);
    m.outputs.n_remarks = 1;
    m.outputs.remarks = calloc(1, sizeof *m.outputs.remarks);
    m.outputs.remarks[0] = (remark_spec){.title = text_copy("Why"), .text = text_copy("One <b>.\nTwo | three.\n")};
    text = render(&m);
    assert_says(text, "### Why\n\nOne &lt;b&gt;.\n\nTwo \\| three.\n");
    free(text);
    clear_results(&m);
}

/* ---- how long it is ---- */

/* What comes before the appendix is a third of the whole at most, in lines and in letters. */
static void assert_front_is_short(const char *name) {
    AUTO_FREE char *path = path_join(source_path("docs/reproduction"), name);
    AUTO_FREE char *text = NULL;
    const char *appendix;
    size_t length = 0, n_lines = 0, n_front = 0;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    appendix = strstr(text, "\n# Appendix\n");
    if (!appendix)
        fail_msg("%s has no appendix", name);
    for (const char *at = text; *at; at++) {
        n_lines += *at == '\n';
        n_front += *at == '\n' && at < appendix;
    }
    if ((size_t)(appendix - text) * 3 > strlen(text) || n_front * 3 > n_lines)
        fail_msg("%s: %zu of %zu lines and %zu of %zu letters stand before the appendix", name, n_front, n_lines,
                 (size_t)(appendix - text), strlen(text));
}

static void each_papers_report_says_what_came_out_in_a_third(void **state) {
    AUTO(folder_list_clear) folder_list reports = {0};
    size_t n = 0;
    (void)state;
    assert_int_equal(folder_list_read(source_path("docs/reproduction"), ".md", &reports, NULL), STATUS_OK);
    for (size_t i = 0; i < reports.n; i++) {
        if (strcmp(reports.names[i], "README.md") == 0)
            continue;
        assert_front_is_short(reports.names[i]);
        n++;
    }
    assert_true(n > 0);
}

static void the_appendix_comes_behind_what_came_out(void **state) {
    static const char *const parts[] = {"\n## How much came out\n",
                                        "\n## What the paper claims\n",
                                        "\n# Appendix\n",
                                        "\n## shd (edges)\n",
                                        " learner | published | here |",
                                        "\n## The claims, condition by condition\n",
                                        "\n## Discrepancies and choices\n",
                                        "\n## The run\n"};
    made_results m = make_run();
    char *text;
    const char *before;
    (void)state;
    (void)add_published_table(&m, "shd", "shd", NULL);
    set_check(&add_claim(&m, "one", 1)->checks[0], CLAIM_LOWEST, "100", "a", 0);
    m.outputs.n_remarks = 1;
    m.outputs.remarks = calloc(1, sizeof *m.outputs.remarks);
    m.outputs.remarks[0] = (remark_spec){.title = text_copy("Why"), .text = text_copy("So.")};
    text = render(&m);
    before = text;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *at = strstr(text, parts[i]);
        if (!at || at < before)
            fail_msg("'%s' is not there, or not behind '%s' in:\n%s", parts[i], i ? parts[i - 1] : "", text);
        before = at;
    }
    free(text);
    clear_results(&m);
}

/* ---- how they are declared ---- */

#define HEAD                                                                                                           \
    "name: x\nnetworks: [asia]\ndata: {samples: [100, 200]}\nlearners: [hc, gts, empty]\n"                             \
    "tables: [{id: t, metric: shd, learners: [hc, gts]}, {id: n, kind: networks}]\n"

static void claims_and_remarks_are_read(void **state) {
    (void)state;
    experiment e = declare(HEAD "claims:\n"
                                "  - id: c\n"
                                "    text: hc is worse\n"
                                "    holds_if:\n"
                                "      - {table: t, at: average, less: [gts, hc]}\n"
                                "      - {table: t, about: [hc, gts], within: 0.1}\n"
                                "  - {id: d, text: said, comment: not measured}\n"
                                "remarks: [{title: T, text: \"one\\ntwo\"}]\n");
    const claim_check *checks = e.outputs.claims[0].checks;
    assert_int_equal(e.outputs.n_claims, 2);
    assert_int_equal(e.outputs.claims[0].n_checks, 2);
    assert_int_equal(checks[0].relation, CLAIM_LESS);
    assert_string_equal(checks[0].at, "average");
    assert_string_equal(checks[0].learners[1], "hc");
    assert_int_equal(checks[1].relation, CLAIM_ABOUT);
    assert_null(checks[1].at);
    assert_close(checks[1].number, 0.1, 0);
    assert_int_equal(e.outputs.claims[1].n_checks, 0);
    assert_string_equal(e.outputs.remarks[0].text, "one\ntwo");
    assert_string_equal(e.parts.parts[1].kind->name, "networks");
    experiment_clear(&e);
}

static void a_claim_that_cannot_be_checked_is_a_mistake(void **state) {
    (void)state;
    static const struct {
        const char *check, *message;
    } cases[] = {
        {"{table: u, less: [hc, gts]}", "table is 'u', which is no table of learners here"},
        {"{table: n, less: [hc, gts]}", "table is 'n', which is no table of learners here"},
        {"{table: t, less: [hc, empty]}", "'empty' is not in the table 't'"},
        {"{table: t, less: [hc, nosuch]}", "is 'nosuch', which is no learner"},
        {"{table: t, less: [hc]}", "'less' compares two learners or more"},
        {"{table: t, about: [hc, gts]}", "'about' needs 'within', a number"},
        {"{table: t, above: hc, than: much}", "than must be a number"},
        {"{table: t, less: [hc, gts], lowest: hc}", "a check needs one of less|about"},
        {"{table: t, less: [hc, gts], at: averag}", "at is 'averag'"},
        {"{less: [hc, gts]}", "a check needs a 'table'"},
        {"{table: t, les: [hc, gts]}", "unknown key 'les' in a check; did you mean 'less'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_buffer text = {0};
        experiment e = {0};
        error_info err = {0};
        text_append_format(&text, HEAD "claims: [{id: c, text: x, holds_if: [%s]}]\n", cases[i].check);
        status st = experiment_parse(text.data, text.length, "x.yaml", &e, &err);
        if (st != STATUS_PARSE || !strstr(err.message, cases[i].message) || strncmp(err.message, "x.yaml:6:", 9) != 0)
            fail_msg("%s gave '%s' and not '%s'", cases[i].check, err.message, cases[i].message);
        text_buffer_clear(&text);
    }
}

static void figures_without_numbers_stand_with_their_plots_and_claims(void **state) {
    made_results m = make_run();
    experiment_outputs *o = &m.outputs;
    char *text;
    (void)state;
    (void)add_published_table(&m, "shd", "shd", NULL);
    set_check(&add_claim(&m, "c", 1)->checks[0], CLAIM_LOWEST, "100", "a", 0);
    o->paper_figures = calloc(o->n_paper_figures = 2, sizeof *o->paper_figures);
    o->paper_figures[0] = (paper_figure){.figure = text_copy("Figure 5"), .plot = text_copy("p"), .n_claims = 1};
    o->paper_figures[0].claims = calloc(1, sizeof *o->paper_figures[0].claims);
    o->paper_figures[0].claims[0] = text_copy("c");
    o->paper_figures[1] = (paper_figure){.figure = text_copy("Figure 1"), .text = text_copy("Pseudocode.")};
    text = render(&m);
    assert_says(text, "\n## Figures of the paper without printed numbers\n");
    assert_says(text, "| Figure 5 | `p` | c: **");
    assert_says(text, "| Figure 1 | not redrawn | | Pseudocode. |");
    free(text);
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_figure_stands_beside_the_regenerated_one),
        cmocka_unit_test(figures_without_numbers_stand_with_their_plots_and_claims),
        cmocka_unit_test(ties_share_their_mean_rank),
        cmocka_unit_test(a_verdict_is_computed),
        cmocka_unit_test(a_rise_is_from_each_place_to_the_next),
        cmocka_unit_test(what_is_missed_by_less_than_five_percent_is_said),
        cmocka_unit_test(a_claim_is_held_against_the_papers_own_figures_too),
        cmocka_unit_test(words_stand_there_as_they_were_declared),
        cmocka_unit_test(the_appendix_comes_behind_what_came_out),
        cmocka_unit_test(each_papers_report_says_what_came_out_in_a_third),
        cmocka_unit_test(claims_and_remarks_are_read),
        cmocka_unit_test(a_claim_that_cannot_be_checked_is_a_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
