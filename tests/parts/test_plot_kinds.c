/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pareto fronts, box plots, heat maps, growth, and the style of a plot. */
#include "tests/support/plots.h"

#include "parts/plots/plot.h"

static made_results make_small(void) {
    static const char *const networks[] = {"asia", "alarm", NULL}, *const learners[] = {"a", "b", "c", NULL};
    static const size_t sizes[] = {500, 1000, 0};
    made_results m = make_results(networks, sizes, 3, learners);
    for (size_t i = 0; i < 36; i++) {
        size_t l = i / 12, n = i / 6 % 2, s = i / 3 % 2, r = i % 3;
        job_record *job = add_done(&m, networks[n], sizes[s], r, learners[l], "shd",
                                   (double)(10 * (n + 1) + r) * (l == 0   ? 1.0
                                                                 : l == 1 ? 2.0
                                                                          : 3.0));
        set_metric(job, "time", (l == 0 ? 4.0 : l == 1 ? 1.0 : 2.0) * (double)(s + 1));
    }
    return m;
}

static char *csv_of(const plot *p) {
    text_buffer b = {0};
    plot_append_csv(p, &b);
    return b.data;
}

static char *script_of(const plot *p) {
    text_buffer b = {0};
    plot_append_script(p, "name", &b);
    assert_false(b.failed);
    return b.data;
}

/* a: slow and best, b: fast and middling, c: slower than b and worse. */
static void the_front_holds_what_no_other_beats_in_both(void **state) {
    made_results m = make_small();
    plot p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", NULL));
    (void)state;
    assert_true(p.has_front);
    assert_int_equal(p.n_points, 6);
    for (size_t i = 0; i < p.n_points; i++)
        assert_int_equal(p.points[i].is_on_front, p.points[i].learner != 2);
    plot_clear(&p);
    clear_results(&m);
}

static size_t count_in(const char *text, const char *part) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

static const char *behind(const char *text, const char *part) {
    const char *at = strstr(text, part);
    assert_non_null(at);
    return at + strlen(part);
}

static void a_scatter_has_a_panel_a_size_with_one_front_and_every_name(void **state) {
    made_results m = make_small();
    points_spec *spec = add_points(&m, "p", "scatter", "time", "shd", NULL);
    plot p = compute_plot(&m, spec);
    char *script = script_of(&p);
    (void)state;
    /* by network shd a 11 21, b 22 42, c 33 63; time a 4, b 1, c 2, twice that at 1000 rows: each picture's panels */
    assert_int_equal(count_in(script, "set title '500 rows'"), 3);
    assert_int_equal(count_in(script, "set title '1000 rows'"), 3);
    assert_int_equal(count_in(script, " 'a' at graph"), 2 * 3);
    assert_int_equal(count_in(script, " 'c' at graph"), 2 * 3);
    assert_int_equal(count_in(behind(script, "$front0 << END_OF_DATA\n"), "$front0"), 3);
    assert_int_equal(strncmp(strchr(behind(script, "$front0 << END_OF_DATA\n"), '\n'), "\n1 32\n4 16\n", 11), 0);
    assert_int_equal(strncmp(behind(script, "$beaten0 << END_OF_DATA\n"), "2 48 ", 5), 0);
    assert_int_equal(strncmp(strchr(behind(script, "$front1 << END_OF_DATA\n"), '\n'), "\n2 32\n8 16\n", 11), 0);
    free(script);
    plot_clear(&p);
    spec->samples = 1000; /* one panel has no heading of its own */
    spec->style.key = PLOT_KEY_NONE;
    p = compute_plot(&m, spec);
    script = script_of(&p);
    assert_int_equal(count_in(script, " rows' offset"), 0);
    assert_int_equal(count_in(script, " 'a' at graph"), 0);
    free(script);
    plot_clear(&p);
    clear_results(&m);
}

static void a_ratio_of_negative_scores_turns_round(void **state) {
    made_results m = make_small();
    plot p;
    (void)state;
    for (size_t i = 0; i < m.n; i++) /* a has the best score and the least ratio to itself, 1 */
        set_metric(&m.records[i], "bdeu_test", -1000.0 * (i < 12 ? 1.0 : i < 24 ? 1.5 : 2.0));
    p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "bdeu_test", "a"));
    for (size_t i = 0; i < p.n_points; i++)
        assert_int_equal(p.points[i].is_on_front, p.points[i].learner != 2);
    plot_clear(&p);
    clear_results(&m);
}

static void a_box_has_every_data_set_of_its_size(void **state) {
    made_results m = make_small();
    values_spec *spec = add_values(&m, "p", "box", "shd");
    plot p;
    char *csv, *script;
    (void)state;
    spec->samples = 500;
    p = compute_plot(&m, spec);
    assert_int_equal(p.n_values, 3 * 2 * 3);
    csv = csv_of(&p);
    assert_non_null(strstr(csv, "learner,network,samples,replicate,value\na,asia,500,1,10\n"));
    assert_non_null(strstr(csv, "c,alarm,500,3,66\n"));
    script = script_of(&p); /* of a: 10 11 12 20 21 22; quartiles of type 7 */
    assert_non_null(strstr(script, "1 10 11.25 16 20.75 22 0x0072B2\n"));
    free(csv);
    free(script);
    plot_clear(&p);
    clear_results(&m);
}

static void what_lies_beyond_the_whiskers_is_drawn_alone(void **state) {
    made_results m = make_small();
    plot p;
    char *script;
    (void)state;
    for (size_t i = 0; i < 12; i++) /* of a */
        set_metric(&m.records[i], "shd", m.records[i].n_samples == 1000 && i == 11 ? 500 : 10 + (double)(i % 3));
    p = compute_plot(&m, add_values(&m, "p", "box", "shd")); /* the largest size */
    assert_int_equal(p.samples, 1000);
    script = script_of(&p);
    assert_non_null(strstr(script, "$outliers << END_OF_DATA\n1 500\nEND_OF_DATA\n"));
    free(script);
    plot_clear(&p);
    clear_results(&m);
}

static void a_cell_of_a_heat_map_is_the_mean_over_its_data_sets(void **state) {
    made_results m = make_small();
    plot p;
    char *csv, *script;
    (void)state;
    m.records[3].state = JOB_FAILED; /* a, asia, 1000, replicate 1 */
    p = compute_plot(&m, add_values(&m, "p", "heatmap", "shd"));
    csv = csv_of(&p);
    assert_string_equal(csv, "learner,network,samples,n,of,mean\na,asia,1000,2,3,11.5\na,alarm,1000,3,3,21\n"
                             "b,asia,1000,3,3,22\nb,alarm,1000,3,3,42\nc,asia,1000,3,3,33\nc,alarm,1000,3,3,63\n");
    script = script_of(&p);
    assert_non_null(strstr(script, "1 1 0 11.5 0x111111\n"));
    assert_non_null(strstr(script, "2 3 1 63.0 0xFFFFFF\n")); /* white on the darkest */
    free(csv);
    free(script);
    plot_clear(&p);
    clear_results(&m);
}

static void growth_stands_by_the_number_of_variables(void **state) {
    made_results m = make_small();
    plot p;
    char *csv;
    (void)state;
    m.outputs.facts = calloc(2, sizeof *m.outputs.facts);
    m.outputs.facts[0] = (network_facts){.is_known = true, .n_variables = 8};
    m.outputs.facts[1] = (network_facts){.is_known = true, .n_variables = 37};
    p = compute_plot(&m, add_values(&m, "p", "growth", "time"));
    assert_int_equal(p.n_points, 6);
    assert_true(p.x.is_log);
    assert_true(p.y.is_log);
    csv = csv_of(&p);
    assert_non_null(strstr(csv, "a,alarm,37,1000,3,3,8,8,8\n"));
    free(csv);
    plot_clear(&p);
    m.outputs.facts[1].is_known = false;
    p = compute_plot(&m, m.parts.parts[0].options);
    assert_int_equal(p.n_points, 3);
    assert_non_null(strstr(p.notes[0], "Left out"));
    plot_clear(&p);
    clear_results(&m);
}

static void a_style_sets_size_font_and_key(void **state) {
    made_results m = make_small();
    points_spec *spec = add_points(&m, "p", "line", "samples", "shd", NULL);
    plot p;
    char *script;
    (void)state;
    spec->style = (plot_style){.width = 640, .height = 480, .font_size = 14, .key = PLOT_KEY_INSIDE};
    p = compute_plot(&m, spec);
    script = script_of(&p);
    assert_non_null(
        strstr(script, "set terminal svg noenhanced size 640,480 dynamic background rgb 'white' font 'sans,14'"));
    assert_non_null(strstr(script, "set key inside right top"));
    free(script);
    plot_clear(&p);
    clear_results(&m);
}

/* gnuplot takes the script whatever the names hold, and runs nothing of them. */
static void names_from_outside_are_text_in_every_kind(void **state) {
    static const char evil[] = "'; system \"touch hit\"; `touch hit` $(touch hit) \\ \"{/a}@_^\n<script>";
    static const char *const kinds[] = {"scatter", "line", "box", "heatmap"};
    const char *const networks[] = {evil, "asia", NULL}, *const learners[] = {evil, "b", NULL};
    static const size_t sizes[] = {500, 1000, 0};
    made_results m = make_results(networks, sizes, 2, learners);
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 16; i++)
        set_metric(add_done(&m, networks[i % 2], sizes[i / 2 % 2], i / 4 % 2, learners[i / 8], "shd", 1.0 + (double)i),
                   "time", 0.5 + (double)i);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        void *spec = k < 2 ? (void *)add_points(&m, "p", kinds[k], k == 0 ? "time" : "samples", "shd", NULL)
                           : (void *)add_values(&m, "p", kinds[k], "shd");
        plot p;
        char *script;
        const declared_part *part = &m.parts.parts[m.parts.n - 1];
        assert_ok(options_take_text(part->kind->options, spec, "title", evil, &err), &err);
        p = compute_plot(&m, spec);
        script = script_of(&p);
        for (const char *at = strstr(script, "touch"); at; at = strstr(at + 1, "touch")) {
            size_t quotes = 0; /* inside single quotes on its line, which alone gnuplot reads as they are */
            for (const char *c = at; c > script && c[-1] != '\n'; c--)
                quotes += c[-1] == '\'';
            assert_int_equal(quotes % 2, 1);
        }
        free(script);
        plot_clear(&p);
    }
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_front_holds_what_no_other_beats_in_both),
        cmocka_unit_test(a_scatter_has_a_panel_a_size_with_one_front_and_every_name),
        cmocka_unit_test(a_ratio_of_negative_scores_turns_round),
        cmocka_unit_test(a_box_has_every_data_set_of_its_size),
        cmocka_unit_test(what_lies_beyond_the_whiskers_is_drawn_alone),
        cmocka_unit_test(a_cell_of_a_heat_map_is_the_mean_over_its_data_sets),
        cmocka_unit_test(growth_stands_by_the_number_of_variables),
        cmocka_unit_test(a_style_sets_size_font_and_key),
        cmocka_unit_test(names_from_outside_are_text_in_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
