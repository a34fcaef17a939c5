/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as they are shown: text, Markdown, CSV, published figures beside. */
#include "tests/parts/table_support.h"

static void write_text(const table *t, size_t width, bool use_bold, text_buffer *out) {
    document d = {0};
    table_append_document(t, -1, &d);
    document_write_text(&d, width, use_bold, out);
    document_clear(&d);
}

static void write_markdown(const table *t, text_buffer *out) {
    document d = {0};
    table_append_document(t, -1, &d);
    document_write_markdown(&d, out);
    document_clear(&d);
}

static published_table *read_brown(const char *name) {
    published_table *p = NULL;
    error_info err = {0};
    assert_ok(published_read(published_source(name), PUBLISHED_FIGURES, &p, &err), &err);
    return p;
}

static made_results make_brown(void) {
    static const char *const networks[] = {"child", "alarm", NULL}, *const learners[] = {"pmmhc", "gts", "mine", NULL};
    static const size_t sizes[] = {500, 5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    for (size_t i = 0; i < 12; i++) {
        job_record *r = add_done(&m, networks[i % 2], sizes[i / 2 % 2], 0, learners[i / 4], "shd", 10 + (double)i);
        set_metric(r, "time", 0.01 * (double)(i + 1));
        set_metric(r, "bdeu_test", -1000 - (double)i);
    }
    return m;
}

static void published_figures_stand_beside_those_of_the_same_learner_and_size(void **state) {
    made_results m = make_brown();
    published_table *brown = read_brown("brown2005_table3_normalized.csv");
    metric_table_spec *spec = add_table(&m, "t", "bdeu_test", "pmmhc");
    table t;
    (void)state;
    spec->published = text_copy("brown2005_table3_normalized.csv");
    t = compute(&m, spec, brown);
    assert_string_equal(cell_of(&t, "500", "pmmhc")->published, "1.00");
    assert_string_equal(cell_of(&t, "500", "gts")->published, "0.99");
    assert_string_equal(cell_of(&t, "5000", "gts")->published, "1.00");
    assert_string_equal(cell_of(&t, "average", "gts")->published, "0.99");
    assert_null(cell_of(&t, "500", "mine")->published);
    assert_has_note(&t, "brown2005_table3_normalized.csv; median over 12 networks");
    table_clear(&t);
    free(spec->metric);
    spec->metric = text_copy("time");
    t = compute(&m, spec, brown);
    assert_string_equal(cell_of(&t, "average", "gts")->published, "5.36");
    assert_has_note(&t, "other machines");
    table_clear(&t);
    published_destroy(brown);
    clear_results(&m);
}

static void scores_of_altered_graphs_are_counted_below_the_table(void **state) {
    made_results m = make_brown();
    table t;
    (void)state;
    for (size_t i = 0; i < 12; i++) /* learner i / 4: one result of gts, three of mine */
        set_metric(&m.records[i], "scored_altered", i == 5 || i > 8);
    t = compute(&m, add_table(&m, "t", "bdeu_test", NULL), NULL);
    assert_has_note(&t, "their scores are those of altered ones: gts 1 result, mine 3 results.");
    table_clear(&t);
    t = compute(&m, add_table(&m, "u", "shd", NULL), NULL);
    for (size_t i = 0; i < t.n_notes; i++)
        assert_null(strstr(t.notes[i], "altered"));
    table_clear(&t);
    clear_results(&m);
}

static void published_figures_of_another_baseline_are_not_shown(void **state) {
    made_results m = make_brown();
    published_table *brown = read_brown("brown2005_table3_normalized.csv");
    table t = compute(&m, add_table(&m, "t", "shd", NULL), brown);
    (void)state;
    for (size_t i = 0; i < t.n_rows * t.n_columns; i++)
        assert_null(t.cells[i].published);
    assert_has_note(&t, "normalised by pmmhc and cannot stand beside these");
    table_clear(&t);
    t = compute(&m, add_table(&m, "t", "recall", "pmmhc"), brown);
    assert_has_note(&t, "holds no figure of 'recall'");
    table_clear(&t);
    published_destroy(brown);
    clear_results(&m);
}

static void a_row_of_a_network_takes_that_networks_published_figure(void **state) {
    static const char *const networks[] = {"alarm", "insurance", NULL}, *const learners[] = {"sgs3", NULL};
    static const size_t sizes[] = {5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    published_table *vandel = read_brown("vandel2012_table4_skeleton_errors.csv");
    metric_table_spec *spec = add_table(&m, "t", "extra_edges", NULL);
    table t;
    (void)state;
    (void)add_done(&m, "alarm", 5000, 0, "sgs3", "extra_edges", 7);
    (void)add_done(&m, "insurance", 5000, 0, "sgs3", "extra_edges", 7);
    spec->rows = AXIS_NETWORK;
    spec->published_metric = text_copy("extra_edges");
    t = compute(&m, spec, vandel);
    assert_string_equal(cell_of(&t, "alarm", "sgs3")->published, "6");
    table_clear(&t);
    published_destroy(vandel);
    clear_results(&m);
}

static void the_text_is_aligned_and_says_what_its_figures_are(void **state) {
    made_results m = make_three();
    published_table *paper = NULL;
    text_buffer text = {0};
    static const char csv[] = "network,sample_size,algorithm,metric,value,normalised_by,aggregation\n"
                              "all,500,b,shd,12.5,base,median of the paper\n";
    metric_table_spec *spec = add_table(&m, "t", "shd", "base");
    error_info err = {0};
    table t;
    (void)state;
    assert_ok(published_parse(csv, strlen(csv), PUBLISHED_FIGURES, &paper, &err), &err);
    spec->published = text_copy("paper.csv");
    spec->rows = AXIS_LEARNER;
    spec->columns = AXIS_SAMPLES;
    fail_cell(&m, "n1", 500, 1, "b", JOB_TIMEOUT);
    t = compute(&m, spec, paper);
    write_text(&t, 0, false, &text);
    assert_string_equal(
        text.data,
        "shd relative to base\n"
        "learner          500\n"
        "base     1.00\n"
        "b        1.50 [12.5]\n"
        "n of N    5/6\n"
        "  shd: structural Hamming distance, a DAG as its CPDAG, a PDAG as it is (Tsamardinos et al. 2006). Median "
        "over 3 networks of (mean "
        "of 2 data "
        "sets / that of base); less is better. n of N: data sets used, of those declared.\n"
        "  b: 1 timed out (n1 500: 1).\n"
        "  A data set on which a learner has no value is left out for all; a learner without any is left out alone.\n"
        "  In brackets: as published (paper.csv; median of the paper), on the paper's own networks and data.\n");
    text_buffer_clear(&text);
    write_text(&t, 0, true, &text);
    assert_non_null(strstr(text.data, "base     \033[1m1.00\033[0m"));
    text_buffer_clear(&text);
    table_clear(&t);
    published_destroy(paper);
    clear_results(&m);
}

static void markdown_and_csv_hold_the_same_figures(void **state) {
    made_results m = make_brown();
    published_table *brown = read_brown("brown2005_table3_normalized.csv");
    table t = compute(&m, add_table(&m, "t,1", "shd", "pmmhc"), brown);
    text_buffer b = {0};
    (void)state;
    /* shd: pmmhc 10 11 12 13, gts 14 15 16 17, mine 18 19 20 21 over (500: child, alarm; 5000: child, alarm) */
    write_markdown(&t, &b);
    assert_non_null(strstr(b.data, "## shd relative to pmmhc\n\n"
                                   "| samples | pmmhc | gts | mine | n of N |\n"
                                   "|:--|--:|--:|--:|--:|\n"
                                   "| 500 | **1.00** \\[1.00\\] | 1.38 \\[1.09\\] | 1.76 | 2/2 |\n"
                                   "| 5000 | **1.00** \\[1.00\\] | 1.32 \\[1.42\\] | 1.64 | 2/2 |\n"
                                   "| average | **1.00** \\[1.00\\] | 1.35 \\[1.21\\] | 1.70 | 4/4 |\n"));
    text_buffer_clear(&b);
    table_append_csv(&t, &b);
    assert_non_null(strstr(b.data, "table,row,column,value,published,difference,n,of,imputed,state\n"
                                   "\"t,1\",500,pmmhc,1,1,,2,2,0,figure\n")); /* 2 networks of 12 */
    assert_non_null(strstr(b.data, "\"t,1\",500,mine,1.76363636363636"));
    assert_non_null(strstr(b.data, ",,,2,2,0,figure\n"));
    text_buffer_clear(&b);
    table_clear(&t);
    published_destroy(brown);
    clear_results(&m);
}

/* Whether a cell of the table is shaded by how far it is from the paper's. */
static bool is_shaded(const table *t) {
    document d = {0};
    html_writer writer = {0};
    text_buffer html = {0};
    error_info err = {0};
    bool answer;
    table_append_document(t, -1, &d);
    assert_ok(document_write_html(&d, &writer, &html, &err), &err);
    answer = strstr(html.data, "class=\"low") || strstr(html.data, "class=\"high");
    document_clear(&d);
    text_buffer_clear(&html);
    return answer;
}

static void an_aggregate_is_compared_where_most_of_the_papers_networks_are(void **state) {
    static const struct {
        const char *aggregation;
        bool is_comparable;
    } cases[] = {{"median over 3 networks of means", true},
                 {"mean over 4 real data sets", true}, /* three quarters */
                 {"median over 5 networks of means", false},
                 {"median over 12 networks of means", false},
                 {"median of the paper", true}}; /* it does not say */
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_results m = make_three();
        published_table *paper = NULL;
        char csv[256];
        error_info err = {0};
        table t;
        (void)snprintf(csv, sizeof csv,
                       "network,sample_size,algorithm,metric,value,normalised_by,aggregation\n"
                       "all,500,b,shd,12.5,base,%s\n",
                       cases[i].aggregation);
        assert_ok(published_parse(csv, strlen(csv), PUBLISHED_FIGURES, &paper, &err), &err);
        t = compute(&m, add_table(&m, "t", "shd", "base"), paper);
        assert_string_equal(cell_of(&t, "500", "b")->published, "12.5");
        assert_int_equal(cell_of(&t, "500", "b")->is_incomparable, !cases[i].is_comparable);
        assert_int_equal(is_shaded(&t), cases[i].is_comparable);
        if (!cases[i].is_comparable)
            assert_has_note(&t, i == 2 ? "Not comparable: the paper's figures are over 5 networks, these over 3."
                                       : "Not comparable: the paper's figures are over 12 networks, these over 3.");
        table_clear(&t);
        published_destroy(paper);
        clear_results(&m);
    }
}

static void a_table_of_times_names_the_programs_timed_as_whole_processes(void **state) {
    made_results m = make_brown();
    error_info err = {0};
    table t;
    (void)state;
    assert_ok(texts_add(&m.outputs.programs, &m.outputs.n_programs, "mine", &err), &err);
    t = compute(&m, add_table(&m, "t", "time", NULL), NULL);
    assert_has_note(&t, "mine: the time is that of the whole process");
    table_clear(&t);
    t = compute(&m, add_table(&m, "u", "shd", NULL), NULL);
    for (size_t i = 0; i < t.n_notes; i++)
        assert_null(strstr(t.notes[i], "whole process"));
    table_clear(&t);
    clear_results(&m);
}

static void numbers_are_shown_by_their_kind(void **state) {
    static const struct {
        double value;
        number_style style;
        int decimals;
        const char *shown;
    } cases[] = {
        {1.005, NUMBER_RATIO, -1, "1.00"},       {2222.35, NUMBER_RATIO, -1, "2222.35"},
        {0.00423, NUMBER_RATIO, -1, "0.0042"},   {0, NUMBER_RATIO, -1, "0.00"},
        {0.01234, NUMBER_SECONDS, -1, "0.0123"}, {12.34, NUMBER_SECONDS, -1, "12.3"},
        {12345, NUMBER_SECONDS, -1, "12345"},    {3, NUMBER_COUNT, -1, "3.0"},
        {81200, NUMBER_COUNT, -1, "81200.0"},    {-54321.06, NUMBER_COUNT, -1, "-54321.1"},
        {0.5, NUMBER_SHARE, -1, "0.500"},        {3145728, NUMBER_BYTES, -1, "3.0"},
        {1.23456, NUMBER_RATIO, 4, "1.2346"},    {-0.0, NUMBER_COUNT, -1, "0.0"},
        {1e300, NUMBER_COUNT, -1, "1e+300"},     {1e-200, NUMBER_SECONDS, -1, "0.000000000000000000000000000000"},
    };
    char out[DISPLAY_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(display_number(cases[i].value, cases[i].style, cases[i].decimals, out), cases[i].shown);
}

static void no_line_is_wider_than_the_terminal(void **state) {
    static const char *const networks[] = {"n1", NULL};
    static const char *const learners[] = {
        "hill-climbing", "pmmhc", "mmhc-\xc3\xa4\xc3\xb6\xc3\xbc", "g", "a-longer-name-of-a-learner", "second-choice",
        "third-choice",  NULL};
    made_results m = make_results(networks, one_size, 1, learners);
    text_buffer text = {0};
    table t;
    (void)state;
    for (size_t l = 0; learners[l]; l++)
        (void)add_done(&m, "n1", 500, 0, learners[l], "shd", 1234.5 + (double)l);
    t = compute(&m, add_table(&m, "t", "shd", "pmmhc"), NULL);
    for (size_t width = 40; width < 120; width += 7) {
        write_text(&t, width, false, &text);
        for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
            if (text_width(line) > width)
                fail_msg("'%s' takes more than %zu columns", line, width);
        }
        text_buffer_clear(&text);
    }
    write_text(&t, 40, false, &text);
    for (size_t l = 0; learners[l]; l++)
        assert_non_null(strstr(text.data, learners[l])); /* folded, not cut */
    text_buffer_clear(&text);
    table_clear(&t);
    clear_results(&m);
}

static const char *const hostile[] = {
    "a|b", "`id`$(id)", "<script>alert(1)</script>", "two\nlines\x1b[2J", "c,\"d\"", "*_[x](y)_*", "\xff\xfe", NULL};

static void hostile_names_stay_text(void **state) {
    static const char *const networks[] = {"n|1\n", NULL};
    made_results m = make_results(networks, one_size, 1, hostile);
    text_buffer text = {0}, markdown = {0}, csv = {0};
    table t;
    size_t n_bars = 0;
    (void)state;
    for (size_t l = 0; hostile[l]; l++)
        (void)add_done(&m, networks[0], 500, 0, hostile[l], "shd", 10 + (double)l);
    t = compute(&m, add_table(&m, "x", "shd", hostile[0]), NULL);
    write_text(&t, 0, false, &text);
    assert_null(strchr(text.data, '\x1b'));
    assert_null(strstr(text.data, "\nlines"));
    assert_null(strchr(text.data, '\xff'));
    write_markdown(&t, &markdown);
    assert_null(strstr(markdown.data, "<script"));
    assert_null(strstr(markdown.data, " `id"));
    assert_non_null(strstr(markdown.data, "a\\|b"));
    assert_non_null(strstr(markdown.data, "\\*\\_\\[x\\](y)\\_\\*"));
    /* The head has as many bars that are not escaped as the table has columns, and one. */
    for (const char *c = strstr(markdown.data, "| samples"); *c != '\n'; c++)
        n_bars += *c == '|' && c[-1] != '\\';
    assert_int_equal(n_bars, 1 + 1 + 7 + 1);
    table_append_csv(&t, &csv);
    assert_non_null(strstr(csv.data, ",\"c,\"\"d\"\"\","));
    assert_non_null(strstr(csv.data, ",\"two\nlines\x1b[2J\","));
    text_buffer_clear(&text);
    text_buffer_clear(&markdown);
    text_buffer_clear(&csv);
    table_clear(&t);
    clear_results(&m);
}

static void file_names_stay_in_their_folder(void **state) {
    static const struct {
        const char *id, *name;
    } cases[] = {{"table3-shd", "table3-shd"},
                 {"../../etc/passwd", "_._.._etc_passwd"},
                 {"", "_"},
                 {".", "_"},
                 {"a b;c'd\"e`f", "a_b_c_d_e_f"},
                 {"gr\xc3\xb6\xc3\x9f"
                  "e",
                  "gr\xc3\xb6\xc3\x9f"
                  "e"},
                 {"x\n<y>", "x__y_"},
                 {"-o", "-o"}};
    char id[1000];
    char *name;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        name = display_file_name(cases[i].id);
        assert_string_equal(name, cases[i].name);
        free(name);
    }
    memset(id, 'x', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    name = display_file_name(id);
    assert_true(strlen(name) <= 96);
    free(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_figures_stand_beside_those_of_the_same_learner_and_size),
        cmocka_unit_test(scores_of_altered_graphs_are_counted_below_the_table),
        cmocka_unit_test(published_figures_of_another_baseline_are_not_shown),
        cmocka_unit_test(a_table_of_times_names_the_programs_timed_as_whole_processes),
        cmocka_unit_test(an_aggregate_is_compared_where_most_of_the_papers_networks_are),
        cmocka_unit_test(a_row_of_a_network_takes_that_networks_published_figure),
        cmocka_unit_test(the_text_is_aligned_and_says_what_its_figures_are),
        cmocka_unit_test(markdown_and_csv_hold_the_same_figures),
        cmocka_unit_test(numbers_are_shown_by_their_kind),
        cmocka_unit_test(no_line_is_wider_than_the_terminal),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(file_names_stay_in_their_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
