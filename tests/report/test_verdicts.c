/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of verdicts over several papers. */
#include "tests/report/reproduction_support.h"

#include "parts/tests/wilcoxon_part.h"
#include "report/reproduction/verdicts.h"

enum { MOST_PAPERS = 4, N_COUNTS = 2 + N_FIGURE_STATES }; /* figures, within, shown, of these †, in words, open */

static char *page_of(const reproduction_input *inputs, size_t n) {
    AUTO(document_clear) document d = {0};
    text_buffer out = {0};
    error_info err = {0};
    assert_ok(verdicts_add(inputs, n, &d, &err), &err);
    document_write_markdown(&d, &out);
    return out.data;
}

static char *render(made_paper *papers, size_t n) {
    reproduction_input inputs[MOST_PAPERS];
    for (size_t i = 0; i < n; i++) {
        experiment_outputs *o = &papers[i].base.outputs;
        free(o->name);
        o->name = text_copy((const char *const[]){"made", "made2", "made3", "made4"}[i]);
        inputs[i] = *input_of_paper(&papers[i]);
    }
    return page_of(inputs, n);
}

static void assert_says(const char *text, const char *wanted) {
    if (!strstr(text, wanted))
        fail_msg("'%s' is not in:\n%s", wanted, strstr(text, "\n|") ? strstr(text, "\n|") : text);
}

/* ---- the rule ---- */

/* Published 10 20 30 40 at both sizes, within 10%. */
static void a_table_has_the_verdict_of_the_rule(void **state) {
    static const struct {
        paper_figures figures;
        const char *row;
    } cases[] = {
        {{{{10, 20, 30, 40}, {10, 20, 30, 40}}}, "| shd (edges) | 8 | 8 | 0 | 0 | 0 | 0 | 1.00 (4) | confirmed |"},
        /* 7 of 8; 6 of 8 is less than 80% */
        {{{{10, 20, 30, 40}, {10, 20, 30, 90}}}, "| shd (edges) | 8 | 7 | 0 | 0 | 0 | 1 | 1.00 (4) | confirmed |"},
        /* Four learners are too few to judge their order. */
        {{{{10, 20, 30, 90}, {10, 20, 30, 90}}}, "| shd (edges) | 8 | 6 | 0 | 0 | 0 | 2 | 1.00 (4) | not confirmed |"},
        {{{{11, 10, 30, 40}, {11, 20, 30, 40}}}, "| shd (edges) | 8 | 7 | 0 | 0 | 0 | 1 | 0.90 (4) | confirmed |"},
        {{{{1, 1, 1, 1}, {1, 1, 1, 1}}}, "| shd (edges) | 8 | 0 | 0 | 0 | 0 | 8 | - | not confirmed |"},
        {{{{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}},
         "| shd (edges) | 8 | 0 | 0 | 0 | 0 | 8 | - | cannot be tested |"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_paper p;
        char *text;
        make_paper(&p, &cases[i].figures, NULL, 0);
        text = render(&p, 1);
        assert_says(text, cases[i].row);
        free(text);
        clear_paper(&p);
    }
}

/* Published 10 20 30 40 50 at both sizes, within 10%; five learners, of whose order the median counts. */
static void an_order_of_five_learners_is_judged(void **state) {
    static const char *const learners[] = {"a", "b", "c", "d", "e", NULL};
    static const struct {
        double figures[2][5];
        const char *row;
    } cases[] = {
        {{{10, 20, 30, 40, 50}, {10, 20, 30, 40, 50}}, "| 10 | 10 | 0 | 0 | 0 | 0 | 1.00 (5) | confirmed |"},
        {{{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}},
         "| 10 | 0 | 0 | 0 | 0 | 10 | 1.00 (5) | confirmed in order, not in size |"},
        /* Orders 1.00 and 0.40, of which the median is 0.7; 0.90 and 0.40 give 0.65. */
        {{{1, 2, 3, 4, 5}, {4, 1, 2, 3, 5}},
         "| 10 | 0 | 0 | 0 | 0 | 10 | 0.70 (5) | confirmed in order, not in size |"},
        {{{2, 1, 3, 4, 5}, {4, 1, 2, 3, 5}}, "| 10 | 0 | 0 | 0 | 0 | 10 | 0.65 (5) | not confirmed |"},
        {{{10, 20, 30, 40, 1}, {10, 20, 30, 40, 1}},
         "| 10 | 8 | 0 | 0 | 0 | 2 | 0.00 (5) | confirmed in size, not in order |"},
        /* A group that has fewer is left out where another has enough. */
        {{{1, 2, 3, 4, 5}, {4, 3, 2, NAN, NAN}},
         "| 10 | 0 | 0 | 0 | 0 | 10 | 1.00 (5) | confirmed in order, not in size |"},
        {{{1, 2, 3, 4, NAN}, {4, 3, 2, NAN, NAN}}, "| 10 | 0 | 0 | 0 | 0 | 10 | 0.00 (3) | not confirmed |"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_results m = make_results((const char *const[]){"asia", NULL}, paper_sizes, 1, learners);
        metric_table_spec *t = add_table(&m, "shd", "shd", NULL);
        store_run_facts facts = {.n_runs = 1};
        AUTO_FREE char *folder = text_copy(scratch_folder());
        AUTO(text_buffer_clear) text_buffer csv = {0};
        char *page;
        reproduction_input in = {.published_folder = folder, .run = &facts};
        t->published = text_copy("p.csv");
        t->within = (table_tolerance){.is_declared = true, .relative = 0.1};
        text_append(&csv, "network,sample_size,algorithm,metric,value\n");
        for (size_t k = 0; k < 10; k++) {
            double value = cases[i].figures[k / 5][k % 5];
            text_append_format(&csv, "asia,%zu,%s,shd,%zu\n", paper_sizes[k / 5], learners[k % 5], 10 * (k % 5 + 1));
            if (isnan(value))
                (void)add_record(&m, "asia", paper_sizes[k / 5], 0, learners[k % 5], JOB_FAILED);
            else
                (void)add_done(&m, "asia", paper_sizes[k / 5], 0, learners[k % 5], "shd", value);
        }
        put_file(folder, "p.csv", csv.data);
        in.of = (part_context){&m.outputs, &m.parts, m.records, m.n};
        page = page_of(&in, 1);
        assert_says(page, cases[i].row);
        free(page);
        clear_results(&m);
    }
}

static void the_page_says_its_rule_its_conclusion_and_the_claims(void **state) {
    made_paper p;
    char *text;
    experiment_outputs *o;
    (void)state;
    make_paper(&p, &paper_printed, NULL, 0);
    o = &p.base.outputs;
    o->title = text_copy("A paper");
    o->conclusion = text_copy("Its <table> comes out.");
    o->n_claims = 2;
    o->claims = calloc(2, sizeof *o->claims);
    o->claims[0] = (claim_spec){.id = text_copy("said"), .text = text_copy("It is fast."), .comment = text_copy("No.")};
    o->claims[1] = (claim_spec){.id = text_copy("c"), .text = text_copy("a is best."), .n_checks = 1};
    o->claims[1].checks = calloc(1, sizeof(claim_check));
    o->claims[1].checks[0] = (claim_check){.relation = CLAIM_LOWEST,
                                           .table = text_copy("shd"),
                                           .learners = split_names("a", &(size_t){0}),
                                           .n_learners = 1};
    text = render(&p, 1);
    assert_says(text, "A table is confirmed where 80% of its figures are within tolerance");
    assert_says(text, "Spearman's rho between the learners' order here and in the paper is 0.7 or more");
    assert_says(text, "of fewer than 5, or without an order, size alone decides");
    assert_says(text, "\n## A paper\n\nIts &lt;table&gt; comes out.\n\nThe report: [made](made.md)");
    assert_says(text, "- It is fast. **Not checked by figures.**");
    assert_says(text, "- a is best. **It holds.**");
    free(text);
    clear_paper(&p);
}

/* That `best` is the lowest at 100 rows. */
static claim_spec *add_lowest_claim(experiment_outputs *o, const char *id, const char *best) {
    claim_spec *claim;
    o->claims = realloc(o->claims, (o->n_claims + 1) * sizeof *o->claims);
    claim = &o->claims[o->n_claims++];
    *claim = (claim_spec){.id = text_copy(id), .text = text_copy("It is the best."), .n_checks = 1};
    claim->checks = calloc(1, sizeof(claim_check));
    claim->checks[0] = (claim_check){.relation = CLAIM_LOWEST,
                                     .table = text_copy("shd"),
                                     .at = text_copy("100"),
                                     .learners = split_names(best, &(size_t){0}),
                                     .n_learners = 1};
    return claim;
}

/* Two experiments of one paper, one of another between them. */
static void experiments_of_a_paper_stand_together_below_its_main_claim(void **state) {
    made_paper p[3];
    char *text;
    const char *places[4];
    (void)state;
    for (size_t i = 0; i < 3; i++)
        make_paper(&p[i], &paper_printed, NULL, 0);
    p[0].base.outputs.paper = text_copy("Doe 2001");
    p[2].base.outputs.paper = text_copy("Doe 2001");
    p[1].base.outputs.title = text_copy("Roe 2002");
    p[2].base.outputs.title = text_copy("The second part");
    add_lowest_claim(&p[0].base.outputs, "a", "a")->is_main = true;
    (void)add_lowest_claim(&p[0].base.outputs, "b", "b");
    text = render(p, 3);
    assert_says(text, "| Doe 2001 | 16 | 16 | 0 | 0 | 0 | 0 | 100% |\n| made2 | 8 |");
    assert_says(text, "\n## Doe 2001\n\n**Main claim:** (made) It is the best. **It holds.**\n\n| experiment |");
    assert_says(text, "| made | 8 | 8 | 0 | 0 | 0 | 0 | 100% |\n| made3 | 8 | 8 | 0 | 0 | 0 | 0 | 100% |\n"
                      "| **all** | 16 | 16 | 0 | 0 | 0 | 0 | 100% |");
    assert_says(text, "What else the paper claims:\n\n- It is the best. **It does not hold.**");
    places[0] = strstr(text, "\n## Doe 2001");
    places[1] = strstr(text, "\n### made\n");
    places[2] = strstr(text, "\n### The second part\n");
    places[3] = strstr(text, "\n## Roe 2002\n");
    for (size_t i = 1; i < 4; i++)
        assert_true(places[i - 1] && places[i] && places[i - 1] < places[i]);
    free(text);
    for (size_t i = 0; i < 3; i++)
        clear_paper(&p[i]);
}

static void the_rows_of_the_published_files_are_added_up(void **state) {
    made_paper p;
    char *text;
    experiment_outputs *o;
    (void)state;
    make_paper(&p, &paper_printed, NULL, 0);
    put_file(p.folder, "q.csv",
             "network,sample_size,algorithm,metric,value\nyeast,100,a,shd,1\nyeast,100,b,shd,\npigs,100,a,shd,3\n");
    o = &p.base.outputs;
    o->absent = calloc(1, sizeof *o->absent);
    o->n_absent = 1;
    o->absent[0] = (absent_rows){.published = text_copy("q.csv"),
                                 .reason = text_copy("The data cannot be had."),
                                 .n_conditions = 1,
                                 .conditions = calloc(1, sizeof(row_condition))};
    o->absent[0].conditions[0].column = text_copy("network");
    o->absent[0].conditions[0].values = split_names("yeast", &o->absent[0].conditions[0].n_values);
    text = render(&p, 1);
    assert_says(text, "Published figures in 2 files that these experiments name: 11 rows: 8 counted, 1 empty in print, "
                      "1 absent, 1 left over.");
    free(text);
    text_buffer report = {0};
    error_info err = {0};
    assert_ok(reproduction_append(input_of_paper(&p), &report, &err), &err);
    assert_says(report.data, "\n## Published figures that are not compared\n");
    assert_says(report.data, "| q.csv | 2 | network: yeast | The data cannot be had. |");
    text_buffer_clear(&report);
    clear_paper(&p);
}

static void the_best_reading_is_named(void **state) {
    static const paper_figures half = {{{10, 20, 30, 40}, {90, 90, 90, 90}}},
                               most = {{{10, 20, 30, 40}, {10, 20, 30, 90}}};
    paper_figures readings[PAPER_READINGS] = {half, most};
    made_paper p;
    char *text;
    (void)state;
    make_paper(&p, &half, readings, 2);
    p.base.outputs.readings[2].basis = BASIS_FIGURES;
    text = render(&p, 1);
    assert_says(text, "Best reading: `r2` †, 7 of 8 results within (the base: 4 of 8).");
    free(text);
    clear_paper(&p);
    make_paper(&p, &paper_printed, readings, 1);
    text = render(&p, 1);
    assert_says(text, "Best reading: the base, 8 of 8 results within; of the others `r1`, 4 of 8 results within.");
    free(text);
    clear_paper(&p);
}

/* r1 is of the text, r2 was chosen in view of the figures. */
static void what_a_reading_in_view_of_the_figures_alone_shows_has_a_dagger(void **state) {
    static const paper_figures base = {{{10, 90, 90, 90}, {10, 20, 30, 40}}},
                               first = {{{10, 20, 90, 90}, {10, 20, 30, 40}}},
                               second = {{{10, 20, 30, 90}, {10, 20, 30, 40}}};
    paper_figures readings[PAPER_READINGS] = {first, second};
    made_paper p;
    char *text;
    reason_spec *r;
    (void)state;
    make_paper(&p, &base, readings, 2);
    p.base.outputs.readings[2].basis = BASIS_FIGURES;
    r = add_reason(&p.base.outputs, "r", REASON_READING, "shd", NULL, NULL);
    r->readings = split_names("r1 r2", &r->n_readings);
    text = render(&p, 1);
    assert_says(text, "| made | 8 | 5 | 2 | 1 | 1 | 0 | 88% |");
    assert_says(text, "| shd (edges) | 8 | 5 | 2 | 1 | 1 | 0 |");
    free(text);
    clear_paper(&p);
}

/* A verdict in print. */
static void add_test_of_one_verdict(made_paper *p) {
    wilcoxon_spec *w = add_part(&p->base, PART_TEST, "wilcoxon", "w");
    w->shared.metric = text_copy("shd");
    w->shared.published = text_copy("v.csv");
    w->shared.failures = FAILURES_DROP_DATASET;
    put_file(p->folder, "v.csv", "network,sample_size,algorithm,versus,metric,verdict\nasia,100,a,b,shd,+\n");
}

static void a_test_has_a_row_of_its_own(void **state) {
    static const struct {
        double a, b;
        const char *rows[2];
    } cases[] = {
        {10,
         20,
         {"| w (test) | 1 | 0 | 0 | 0 | 0 | 1 | - | not confirmed |", "| made | 9 | 8 | 0 | 0 | 0 | 1 | 89% |"}},
        {NAN,
         NAN,
         {"| w (test) | 1 | 0 | 0 | 0 | 0 | 1 | - | cannot be tested |", "| made | 9 | 6 | 0 | 0 | 0 | 3 | 67% |"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_paper p;
        char *text;
        paper_figures figures = paper_printed;
        figures.at[0][0] = cases[i].a;
        figures.at[0][1] = cases[i].b;
        make_paper(&p, &figures, NULL, 0);
        add_test_of_one_verdict(&p);
        text = render(&p, 1);
        assert_says(text, cases[i].rows[0]);
        assert_says(text, cases[i].rows[1]);
        free(text);
        clear_paper(&p);
    }
}

/* ---- totals ---- */

/* Two times in print of which one comes out, and a ratio of such times, which does not. */
static void add_table_of_times(made_paper *p) {
    metric_table_spec *t = add_table(&p->base, "seconds", "wall_time", NULL),
                      *ratio = add_table(&p->base, "ratios", "wall_time", "a");
    t->published = text_copy("t.csv");
    ratio->published = text_copy("t.csv");
    t->within = ratio->within = (table_tolerance){.is_declared = true, .relative = 0.1};
    put_file(p->folder, "t.csv",
             "network,sample_size,algorithm,metric,value,normalised_by\nasia,100,a,wall_time,5,\n"
             "asia,100,b,wall_time,60,\nasia,100,a,wall_time,1,a\nasia,100,b,wall_time,7,a\n");
    for (size_t i = 0; i < p->base.n; i++)
        if (p->base.records[i].state == JOB_DONE)
            set_metric(&p->base.records[i], "wall_time", 5);
}

static void add_facts(made_paper *p) {
    static const char csv[] = "network,metric,value\nasia,n_variables,8\nasia,n_edges,8\n";
    const part_kind *kind = part_find(PART_TABLE, "networks");
    char *options = add_part(&p->base, PART_TABLE, "networks", "facts");
    error_info err = {0};
    assert_ok(options_take_text(kind->options, options, "published", "f.csv", &err), &err);
    *(table_tolerance *)(void *)(options + options_find(kind->options, "within")->offset) =
        (table_tolerance){.is_declared = true};
    put_file(p->folder, "f.csv", csv);
}

static void times_and_facts_stand_apart_from_results(void **state) {
    made_paper p;
    char *text;
    (void)state;
    make_paper(&p, &paper_printed, NULL, 0);
    add_table_of_times(&p);
    add_facts(&p);
    text = render(&p, 1);
    assert_says(text, "| made | 8 | 8 | 0 | 0 | 0 | 0 | 100% |\n| **results** | 8 | 8 | 0 | 0 | 0 | 0 | 100% |\n"
                      "| made, times | 3 | 1 | 0 | 0 | 0 | 2 | 33% |\n| **times** | 3 | 1 | 0 | 0 | 0 | 2 | 33% |\n"
                      "| made, facts | 2 | 0 | 0 | 0 | 0 | 2 | 0% |\n| **facts** | 2 | 0 | 0 | 0 | 0 | 2 | 0% |\n"
                      "| **all counted figures** | 13 | 9 | 0 | 0 | 0 | 4 | 69% |\n");
    free(text);
    clear_paper(&p);
}

typedef struct {
    size_t n[N_COUNTS]; /* figures, and in which state */
} counted_row;

/* "| NAME | n | n | n | n | n | ...": whether it is a row of counts. */
static bool read_counts(const char *line, counted_row *row) {
    const char *cell = *line == '|' ? strchr(line + 1, '|') : NULL;
    size_t i = 0;
    for (; cell && i < N_COUNTS; i++, cell = strchr(cell + 1, '|')) {
        char *end;
        row->n[i] = strtoul(cell + 1, &end, 10);
        if (end == cell + 1 || strncmp(end, " |", 2) != 0)
            return false;
    }
    return i == N_COUNTS;
}

static void add_counts(counted_row *sum, const counted_row *row) {
    for (size_t i = 0; i < N_COUNTS; i++)
        sum->n[i] += row->n[i];
}

static void subtract_counts(counted_row *from, const counted_row *row) {
    for (size_t i = 0; i < N_COUNTS; i++)
        from->n[i] -= row->n[i];
}

/* Of each kind (results, times) a row of every paper and one of all come first, and one of all kinds; then, by paper,
 * its tables. */
static void assert_adds_up(const char *page, size_t n_papers, size_t n_kinds) {
    counted_row totals[2 * (MOST_PAPERS + 1) + 1] = {0}, papers[MOST_PAPERS] = {0}, all = {0}, row;
    static const counted_row nothing;
    char *copy = text_copy(page), *rest = copy, *line;
    size_t n_totals = 0, n_headings = 0;
    while ((line = strsep(&rest, "\n"))) {
        n_headings += strncmp(line, "## ", 3) == 0;
        if (!read_counts(line, &row))
            continue;
        assert_int_equal(row.n[0], row.n[1] + row.n[2] + row.n[4] + row.n[5]);
        assert_in_range(row.n[3], 0, row.n[2]);
        if (n_headings == 0)
            totals[n_totals++] = row;
        else
            add_counts(&papers[n_headings - 1], &row);
    }
    assert_int_equal(n_headings, n_papers);
    assert_int_equal(n_totals, n_kinds * (n_papers + 1) + 1);
    for (size_t k = 0; k < n_kinds; k++) {
        counted_row sum = {0};
        for (size_t i = 0; i < n_papers; i++) {
            add_counts(&sum, &totals[k * (n_papers + 1) + i]);
            subtract_counts(&papers[i], &totals[k * (n_papers + 1) + i]);
        }
        assert_memory_equal(&sum, &totals[k * (n_papers + 1) + n_papers], sizeof row);
        add_counts(&all, &sum);
    }
    for (size_t i = 0; i < n_papers; i++)
        assert_memory_equal(&papers[i], &nothing, sizeof row);
    assert_memory_equal(&all, &totals[n_totals - 1], sizeof row);
    free(copy);
}

/* Within, near, beyond, or failed. */
static paper_figures random_figures(random_stream *random) {
    static const double factors[] = {1, 1.05, 1.3, 2, 0.5, NAN};
    paper_figures f;
    for (size_t i = 0; i < (size_t)PAPER_SIZES * PAPER_LEARNERS; i++) {
        double printed = paper_printed.at[i / PAPER_LEARNERS][i % PAPER_LEARNERS];
        f.at[i / PAPER_LEARNERS][i % PAPER_LEARNERS] = printed * factors[random_below(random, 6)];
    }
    return f;
}

static void add_random_reason(random_stream *random, experiment_outputs *o) {
    static const char *const places[] = {NULL, "100", "200"}, *const names[] = {NULL, "a", "b c", "d"},
                             *const exhibits[] = {NULL, NULL, "shd", "missing"},
                             *const readings[] = {NULL, "r1", "r1 r2"};
    reason_spec *r = add_reason(o, "r", (reason_kind)random_below(random, 5), "shd", places[random_below(random, 3)],
                                names[random_below(random, 4)]);
    const char *exhibit = exhibits[random_below(random, 4)];
    r->readings = split_names(readings[random_below(random, 3)], &r->n_readings);
    r->shown_in = exhibit ? text_copy(exhibit) : NULL;
}

static void every_figure_is_counted_once(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(20));
    for (size_t round = 0; round < 60; round++) {
        made_paper papers[MOST_PAPERS];
        size_t n = 1 + random_below(&random, MOST_PAPERS);
        bool with_times = random_below(&random, 2);
        char *text;
        for (size_t i = 0; i < n; i++) {
            paper_figures base = random_figures(&random),
                          readings[PAPER_READINGS] = {random_figures(&random), random_figures(&random)};
            make_paper(&papers[i], &base, readings, random_below(&random, PAPER_READINGS + 1));
            if (random_below(&random, 2))
                add_test_of_one_verdict(&papers[i]);
            if (with_times)
                add_table_of_times(&papers[i]);
            for (size_t k = random_below(&random, 4); k > 0; k--)
                add_random_reason(&random, &papers[i].base.outputs);
        }
        text = render(papers, n);
        assert_adds_up(text, n, 1 + with_times);
        free(text);
        for (size_t i = 0; i < n; i++)
            clear_paper(&papers[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_the_verdict_of_the_rule),
        cmocka_unit_test(an_order_of_five_learners_is_judged),
        cmocka_unit_test(the_page_says_its_rule_its_conclusion_and_the_claims),
        cmocka_unit_test(experiments_of_a_paper_stand_together_below_its_main_claim),
        cmocka_unit_test(the_rows_of_the_published_files_are_added_up),
        cmocka_unit_test(the_best_reading_is_named),
        cmocka_unit_test(what_a_reading_in_view_of_the_figures_alone_shows_has_a_dagger),
        cmocka_unit_test(a_test_has_a_row_of_its_own),
        cmocka_unit_test(times_and_facts_stand_apart_from_results),
        cmocka_unit_test(every_figure_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
