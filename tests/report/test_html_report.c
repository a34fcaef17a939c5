/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTML page: what stands in it, and that nothing from outside becomes more than text in it. */
#include "tests/support/records.h"

#include "core/base/file.h"
#include "report/html_frame.h"
#include "report/report.h"
#include "report/report_internal.h"

#include <unistd.h>

/* Whatever a name may hold; each medium has something here that it would take for its own. */
static const char evil[] =
    "</script><script>alert(1)</script><!-- \"'`$(touch hit)` \\input{x} #%&_^~{}|\n'; system \"x\"";

static int take_programs_away(void **state) {
    (void)state;
    return setenv("BNBENCH_GNUPLOT", "no-such-program-here", 1) || setenv("BNBENCH_DOT", "no-such-program-here", 1);
}

static int give_programs_back(void **state) {
    (void)state;
    return unsetenv("BNBENCH_GNUPLOT") || unsetenv("BNBENCH_DOT");
}

static bool has_program(const char *name, const char *word) {
    const char *const argv[] = {name, word, NULL};
    return run_program(argv, NULL, NULL) == 0;
}

static made_results make_named(const char *network, const char *id, const char *title) {
    const char *const networks[] = {network, NULL}, *const learners[] = {id, "plain", NULL};
    static const size_t sizes[] = {500, 5000, 0};
    made_results m = make_results(networks, sizes, 2, learners);
    m.outputs.title = text_copy(title);
    for (size_t i = 0; i < 8; i++) {
        job_record *r = add_done(&m, network, sizes[i / 2 % 2], i % 2, learners[i / 4], "shd", 10 + (double)i);
        set_metric(r, "time", 0.01 * (double)(i + 1));
        r->seed = i + 1;
        r->options = text_copy("{\"alpha\":0.05}");
        r->fingerprint = text_copy("0123456789abcdef");
    }
    return m;
}

static char *make_page(const made_results *m, const html_facts *facts, const char *folder, report_result *r) {
    report_options options = {
        .folder = folder, .published_folder = source_path("results/published"), .write_plots = true, .html = facts};
    error_info err = {0};
    char *path = path_join(folder, "index.html"), *text = NULL;
    size_t length = 0;
    assert_ok(report_make(&(part_context){&m->outputs, &m->parts, m->records, m->n}, &options, r, &err), &err);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    assert_int_equal(strlen(text), length);
    free(path);
    return text;
}

static size_t count(const char *text, const char *words) {
    size_t n = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        n++;
    return n;
}

static void assert_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("the page does not hold '%s'", words);
}

static const char declaration[] = "name: made\nseed: 77\nnetworks: [asia]\ndata: {samples: [500]}\n"
                                  "learners: [{learner: hc, ess: 3}, {id: own, command: [run, it]}, "
                                  "{id: best, best_of: [hc, own], by: shd}]\n";

static experiment declared(void) {
    experiment e = {0};
    error_info err = {0};
    assert_ok(experiment_parse(declaration, strlen(declaration), "x.yaml", &e, &err), &err);
    return e;
}

static void the_page_tells_what_ran_and_holds_every_job(void **state) {
    made_results m = make_named("asia", "pmmhc", "A small comparison");
    char version[] = "9.8.7", processor[] = "A fast one";
    store_run_facts run = {.version = version, .processor = processor};
    experiment e = declared();
    html_facts facts = {&e, &run, 9};
    report_result r = {0};
    char *page;
    (void)state;
    m.records[3].state = JOB_TIMEOUT;
    m.records[3].message = text_copy("stopped at its limit of 60 s");
    add_table(&m, "t", "shd", "pmmhc")->published = text_copy("brown2005_table3_normalized.csv");
    (void)add_points(&m, "p", "line", "samples", "shd", NULL);
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_has(page, "<title>A small comparison</title>");
    assert_has(page, "8 of 9");
    assert_has(page, "9.8.7");
    assert_has(page, "A fast one");
    assert_has(page, "<dt>learner</dt><dd>hc, version ");
    assert_has(page, "<strong>3</strong>"); /* an option that is not the usual one */
    assert_has(page, "<dt>learner</dt><dd>an external program</dd>");
    assert_has(page, "<dt>command</dt><dd>run it</dd>");
    assert_has(page, "<dd>the best of hc, own; by shd</dd>");
    assert_has(page, "stopped at its limit of 60 s");
    assert_has(page, "<dt>seed of the experiment</dt><dd>77</dd>");
    assert_has(page, "data-group=\"0\" data-learner=\"1\" data-where=\"500 rows\"");
    assert_has(page, "<span class=\"pub\">[1.00]");
    assert_has(page, "[0,500,0,0,0,1,0,1,-1,-1,null,[");
    assert_null(strstr(page, "/home/somebody")); /* in experiment.yaml alone */
    free(page);
    report_result_clear(&r);
    clear_results(&m);
    experiment_clear(&e);
}

/* Where in the page; it must be there. */
static size_t place_of(const char *page, const char *words) {
    const char *at = strstr(page, words);
    if (!at)
        fail_msg("the page does not hold '%s'", words);
    return (size_t)(at - page);
}

/* pmmhc has 10 11 and 12 13 at the sizes, plain 14 15 and 16 17. */
static void the_first_plot_and_the_best_stand_before_the_tables(void **state) {
    made_results m = make_named("asia", "pmmhc", "t");
    experiment e = declared();
    html_facts facts = {.e = &e};
    report_result r = {0};
    char *page;
    (void)state;
    add_table(&m, "t", "shd", NULL)->title = text_copy("Distance");
    add_points(&m, "p", "scatter", "time", "shd", NULL)->title = text_copy("The first plot");
    add_points(&m, "q", "line", "samples", "shd", NULL)->title = text_copy("The second plot");
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_has(page, "<p><strong>pmmhc</strong> 11.5: Distance (average)</p>");
    assert_that(place_of(page, "The first plot</h3>"), <, place_of(page, "<p><strong>pmmhc</strong>"));
    assert_that(place_of(page, "<p><strong>pmmhc</strong>"), <, place_of(page, "<section id=\"tables\""));
    assert_that(place_of(page, "<section id=\"tables\""), <, place_of(page, "The second plot</h3>"));
    assert_int_equal(count(page, "The first plot</h3>"), 1);
    free(page);
    report_result_clear(&r);
    clear_results(&m);
    experiment_clear(&e);
}

/* On alarm alone a median over twelve networks says nothing; the figures of Vandel et al. are those of alarm. */
static void the_shades_are_explained_where_there_are_any(void **state) {
    static const struct {
        const char *learner, *file, *metric;
        bool is_shaded;
    } cases[] = {{"pmmhc", NULL, NULL, false},
                 {"pmmhc", "brown2005_table3_normalized.csv", NULL, false},
                 {"sgs3", "vandel2012_table4_skeleton_errors.csv", "extra_edges", true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_results m = make_named("alarm", cases[i].learner, "t");
        experiment e = declared();
        html_facts facts = {.e = &e};
        report_result r = {0};
        metric_table_spec *spec = add_table(&m, "t", "shd", cases[i].is_shaded ? NULL : "pmmhc");
        char *page;
        if (cases[i].is_shaded) {
            m.outputs.n_sizes = 1;
            spec->rows = AXIS_NETWORK;
        }
        spec->published = cases[i].file ? text_copy(cases[i].file) : NULL;
        spec->published_metric = cases[i].metric ? text_copy(cases[i].metric) : NULL;
        page = make_page(&m, &facts, scratch_folder(), &r);
        assert_int_equal(strstr(page, "<p class=\"legend\">") != NULL, cases[i].is_shaded);
        assert_int_equal(strstr(page, "<span class=\"pub\">") != NULL, cases[i].file != NULL);
        free(page);
        report_result_clear(&r);
        clear_results(&m);
        experiment_clear(&e);
    }
}

static void the_policy_names_the_style_and_the_script_and_lets_nothing_else_in(void **state) {
    made_results m = make_named("asia", "pmmhc", "t");
    experiment e = declared();
    html_facts facts = {&e, NULL, 9};
    report_result r = {0};
    char *page;
    (void)state;
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_has(page, "default-src 'none'; img-src data:; style-src 'sha256-");
    assert_has(page, "script-src 'sha256-");
    assert_null(strstr(page, "unsafe-inline"));
    assert_null(strstr(page, "http://"));
    assert_null(strstr(page, "https://"));
    assert_null(strstr(page, " style=\""));
    assert_null(strstr(page, " onclick="));
    free(page);
    report_result_clear(&r);
    clear_results(&m);
    experiment_clear(&e);
}

static void assert_pictures_run_nothing(const report_result *r) {
    for (size_t i = 0; i < r->n_files; i++) {
        char *text = NULL;
        size_t length = 0;
        error_info err = {0};
        if (!path_ends_with(r->files[i], ".svg"))
            continue;
        assert_ok(file_read(r->files[i], FILE_READ_MOST, &text, &length, &err), &err);
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "<!-- \""));
        free(text);
    }
}

static void names_from_outside_are_text_on_the_page(void **state) {
    made_results m = make_named(evil, evil, evil);
    char *command[] = {(char *)(uintptr_t)evil, NULL};
    learner_variant variant = {.id = (char *)(uintptr_t)evil, .command = command};
    experiment e = {.n_variants = 1, .variants = &variant, .declaration = (char *)(uintptr_t)evil};
    html_facts facts = {&e, NULL, 9};
    report_result r = {0};
    char *page;
    (void)state;
    m.records[0].state = JOB_FAILED;
    m.records[0].message = text_copy(evil);
    m.records[0].stderr_tail = text_copy(evil);
    add_table(&m, evil, "shd", NULL)->title = text_copy(evil);
    add_points(&m, evil, "scatter", "time", "shd", NULL)->title = text_copy(evil);
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_null(strstr(page, "alert(1)</script>"));
    assert_null(strstr(page, "<!--"));
    assert_int_equal(count(page, "<script"), 2); /* ours, and the data */
    assert_int_equal(count(page, "</script"), 2);
    assert_int_equal(count(page, "<img"), has_program("gnuplot", "--version"));
    assert_has(page, "&lt;script&gt;alert(1)");
    assert_has(page, "\\u003cscript\\u003ealert(1)");
    assert_has(page, "\\n'; system"); /* a newline in a name stays one in the data */
    assert_int_not_equal(access("hit", F_OK), 0);
    assert_pictures_run_nothing(&r);
    free(page);
    report_result_clear(&r);
    clear_results(&m);
}

static void assert_json(const char *text, const char *expected) {
    text_buffer b = {0};
    json_t *value = json_string(text);
    html_append_json(&b, value);
    assert_string_equal(b.data, expected);
    json_decref(value);
    text_buffer_clear(&b);
}

static void text_in_the_data_cannot_end_its_script(void **state) {
    (void)state;
    assert_json("", "\"\"");
    assert_json("a\"b\\c", "\"a\\\"b\\\\c\"");
    assert_json("</script>&", "\"\\u003c/script\\u003e\\u0026\"");
    assert_json("\x01\n", "\"\\u0001\\n\"");
    assert_json("\xE2\x80\xA8|\xE2\x80\xA9|\xE2\x80\xA6", "\"\\u2028|\\u2029|\xE2\x80\xA6\"");
    assert_json("\xC3\xA4\xF0\x9F\x98\x80", "\"\xC3\xA4\xF0\x9F\x98\x80\"");
}

static void names_that_are_no_unicode_stand_on_the_page_as_question_marks(void **state) {
    made_results m = make_named("n\xFF", "l\xC0\xAF", "t\xED\xA0\x80");
    experiment e = declared();
    html_facts facts = {&e, NULL, 9};
    report_result r = {0};
    char *page;
    (void)state;
    (void)add_table(&m, "t\xFF", "shd", "l\xC0\xAF");
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_has(page, "\"networks\":[\"n?\"],\"learners\":[\"l??\",\"plain\"]");
    assert_has(page, "\"base\":0");
    assert_null(strchr(page, '\xFF'));
    free(page);
    report_result_clear(&r);
    clear_results(&m);
    experiment_clear(&e);
}

static void the_hash_is_the_one_that_browsers_compute(void **state) {
    text_buffer b = {0};
    error_info err = {0};
    (void)state;
    assert_ok(html_append_hash(&b, "", &err), &err);
    assert_string_equal(b.data, "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    text_buffer_clear(&b);
    html_append_base64(&b, "Many hands make light work.", 27);
    assert_string_equal(b.data, "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu");
    text_buffer_clear(&b);
}

static void without_the_programs_that_draw_the_page_says_so(void **state) {
    made_results m = make_named("asia", "pmmhc", "t");
    experiment e = declared();
    html_facts facts = {&e, NULL, 9};
    report_result r = {0};
    char *page;
    (void)state;
    (void)add_table(&m, "t", "shd", NULL);
    (void)add_points(&m, "p", "line", "samples", "shd", NULL);
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_has(page, "There is no picture: gnuplot could not draw it");
    assert_has(page, "What could not be made");
    assert_has(page, "BNBENCH_GNUPLOT");
    assert_has(page, "class=\"fig\"");
    assert_int_equal(count(page, "<img"), 0);
    free(page);
    report_result_clear(&r);
    clear_results(&m);
    experiment_clear(&e);
}

/* As many jobs as the full protocol of a paper: 12 networks, 3 sizes, 10 replicates, 9 learners, 30 metrics each. */
static void a_page_of_3240_jobs_stays_below_five_megabytes(void **state) {
    static const char *const networks[] = {"n1", "n2", "n3",  "n4",  "n5",  "n6", "n7",
                                           "n8", "n9", "n10", "n11", "n12", NULL};
    static const char *const learners[] = {"l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", NULL};
    static const size_t sizes[] = {500, 1000, 5000, 0};
    made_results m = make_results(networks, sizes, 10, learners);
    experiment e = declared();
    html_facts facts = {&e, NULL, 9};
    report_result r = {0};
    char *page;
    (void)state;
    for (size_t i = 0; i < 3240; i++) {
        job_record *job =
            add_done(&m, networks[i % 12], sizes[i / 12 % 3], i / 36 % 10, learners[i / 360], "shd", (double)i);
        char text[80];
        for (int k = 0; k < 29; k++) {
            (void)snprintf(text, sizeof text, "metric%d", k);
            set_metric(job, text, -1234.56789 * (double)(i + 1) / (k + 3));
        }
        (void)snprintf(text, sizeof text, "%064zx", i * 7919);
        job->fingerprint = text_copy(text);
    }
    (void)add_table(&m, "t", "shd", NULL);
    page = make_page(&m, &facts, scratch_folder(), &r);
    assert_true(strlen(page) < 5000000);
    assert_int_equal(count(page, ",-1,-1,-1,null,["), 3240);
    free(page);
    report_result_clear(&r);
    clear_results(&m);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_tells_what_ran_and_holds_every_job),
        cmocka_unit_test(the_first_plot_and_the_best_stand_before_the_tables),
        cmocka_unit_test(the_shades_are_explained_where_there_are_any),
        cmocka_unit_test(the_policy_names_the_style_and_the_script_and_lets_nothing_else_in),
        cmocka_unit_test(names_from_outside_are_text_on_the_page),
        cmocka_unit_test(text_in_the_data_cannot_end_its_script),
        cmocka_unit_test(names_that_are_no_unicode_stand_on_the_page_as_question_marks),
        cmocka_unit_test(the_hash_is_the_one_that_browsers_compute),
        cmocka_unit_test_setup_teardown(without_the_programs_that_draw_the_page_says_so, take_programs_away,
                                        give_programs_back),
        cmocka_unit_test(a_page_of_3240_jobs_stays_below_five_megabytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
