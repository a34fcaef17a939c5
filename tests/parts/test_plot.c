/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plots.h"

#include "core/base/file.h"
#include "core/base/random.h"
#include "document/drawing/gnuplot.h"
#include "parts/plots/plot.h"

#include <fcntl.h>
#include <poll.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const two_networks[] = {"n1", "n2", NULL};

static const plot_point *point_of(const plot *p, const char *id, size_t samples) {
    for (size_t i = 0; i < p->n_points; i++) {
        if (strcmp(p->outputs->learners[p->points[i].learner], id) == 0 && p->points[i].samples == samples)
            return &p->points[i];
    }
    fail_msg("no point of %s at %zu", id, samples);
    return NULL;
}

static void assert_spread(plot_spread s, double low, double middle, double high) {
    assert_close(s.low, low, 1e-12);
    assert_close(s.middle, middle, 1e-12);
    assert_close(s.high, high, 1e-12);
}

/* time and shd of base and b on four data sets; base: time 1 2 4 8, shd 2 4 5 10; b: time 2 2 2 2, shd 4 4 4 4. */
static made_results make_four(void) {
    static const char *const learners[] = {"base", "b", NULL};
    static const size_t sizes[] = {500, 0};
    static const double base_time[] = {1, 2, 4, 8}, base_shd[] = {2, 4, 5, 10};
    made_results m = make_results(two_networks, sizes, 2, learners);
    for (size_t i = 0; i < 4; i++) {
        job_record *r = add_done(&m, two_networks[i / 2], 500, i % 2, "base", "time", base_time[i]);
        set_metric(r, "shd", base_shd[i]);
        r = add_done(&m, two_networks[i / 2], 500, i % 2, "b", "time", 2);
        set_metric(r, "shd", 4);
    }
    return m;
}

static void a_point_is_the_median_and_the_quartiles_over_networks(void **state) {
    made_results m = make_four();
    plot p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", NULL));
    const plot_point *base = point_of(&p, "base", 500), *b = point_of(&p, "b", 500);
    (void)state;
    assert_spread(base->x, 2.625, 3.75, 4.875); /* of the means 1.5 and 6, by interpolation */
    assert_spread(base->y, 4.125, 5.25, 6.375); /* of 3 and 7.5 */
    assert_spread(b->x, 2, 2, 2);
    assert_int_equal(base->n, 4);
    assert_int_equal(base->of, 4);
    assert_true(p.x.is_log);
    assert_false(p.y.is_log); /* no time */
    assert_string_equal(p.x.label, "time (s)");
    assert_string_equal(p.y.label, "shd (edges)");
    plot_clear(&p);
    clear_results(&m);
}

static void a_normalised_point_is_the_median_of_the_networks_ratios(void **state) {
    made_results m = make_four();
    plot p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", "base"));
    (void)state;
    assert_spread(point_of(&p, "b", 500)->x, 7.0 / 12, 5.0 / 6, 13.0 / 12);    /* of 2/1.5 and 2/6 */
    assert_spread(point_of(&p, "b", 500)->y, 11.0 / 15, 14.0 / 15, 17.0 / 15); /* of 4/3 and 4/7.5 */
    assert_spread(point_of(&p, "base", 500)->x, 1, 1, 1);
    assert_string_equal(p.y.label, "shd relative to base");
    plot_clear(&p);
    clear_results(&m);
}

/* base stands at (3.75, 5.25), b at (2, 4); the axis of x is logarithmic. */
static void axes_are_as_declared(void **state) {
    static const struct {
        plot_range x, y;
        const char *has[2], *note;
    } cases[] = {
        {{1, 10}, {0, 6}, {"set xrange [1:10]\n", "set yrange [0:6]\n"}, NULL},
        {{1, NAN}, {NAN, 8}, {"set xrange [1:4.", ":8]\n"}, NULL},
        {{1, 10},
         {0, 5},
         {"set xrange [1:10]\n", "set yrange [0:5]\n"},
         "1 of 2 points lie beyond the declared range of an axis and are not drawn."},
        /* A logarithm has no 0. */
        {{0, 10}, {NAN, NAN}, {"set xrange [1.", ":10]\n"}, NULL},
        /* The figures begin above it: an end that leaves no room. */
        {{NAN, 1}, {NAN, NAN}, {"set xrange [1.", "set yrange [3."}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_results m = make_four();
        points_spec *spec = add_points(&m, "p", "scatter", "time", "shd", NULL);
        AUTO(text_buffer_clear) text_buffer script = {0};
        plot p;
        spec->x_range = cases[i].x;
        spec->y_range = cases[i].y;
        p = compute_plot(&m, spec);
        plot_append_script(&p, "p", &script);
        for (size_t k = 0; k < 2; k++) {
            if (!strstr(script.data, cases[i].has[k]))
                fail_msg("case %zu: '%s' is not in %s", i, cases[i].has[k], strstr(script.data, "set xrange"));
        }
        if (cases[i].note)
            assert_string_equal(p.notes[p.n_notes - 1], cases[i].note);
        for (size_t k = 0; !cases[i].note && k < p.n_notes; k++)
            assert_null(strstr(p.notes[k], "beyond the declared range"));
        plot_clear(&p);
        clear_results(&m);
    }
}

static table tabulate(made_results *m, const char *metric, const char *by, table_aggregate aggregate) {
    metric_table_spec *spec = add_table(m, metric, metric, by);
    table t = {0};
    error_info err = {0};
    spec->aggregate = aggregate;
    assert_ok(metric_table_compute(&m->outputs, spec, m->records, m->n, NULL, &t, &err), &err);
    return t;
}

static const table_cell *cell_of(const table *t, const char *row, const char *column) {
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (strcmp(t->row_names[i / t->n_columns], row) == 0 && strcmp(t->column_names[i % t->n_columns], column) == 0)
            return &t->cells[i];
    }
    fail_msg("no cell of %s and %s", row, column);
    return NULL;
}

/* Three networks, sizes in no order, three learners, and some cells without a result. */
static made_results make_ragged(random_stream *random) {
    static const char *const networks[] = {"n1", "n2", "n3", NULL}, *const learners[] = {"a", "b", "c", NULL};
    static const size_t sizes[] = {1000, 500, 5000, 0};
    made_results m = make_results(networks, sizes, 3, learners);
    for (size_t i = 0; i < 81; i++) {
        size_t network = i / 27, size = i / 9 % 3, replicate = i / 3 % 3;
        job_record *job = add_record(&m, networks[network], sizes[size], replicate, learners[i % 3],
                                     random_below(random, 12) == 0 ? JOB_TIMEOUT : JOB_DONE);
        if (job->state != JOB_DONE)
            continue;
        set_metric(job, "time", 0.001 * (double)(1 + random_below(random, 5000)));
        set_metric(job, "shd", (double)random_below(random, 40));
    }
    return m;
}

static void the_points_of_a_plot_are_the_cells_of_the_tables(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(1));
    for (int trial = 0; trial < 40; trial++) {
        made_results m = make_ragged(&random);
        table_aggregate aggregate = trial % 2 ? AGGREGATE_MEAN : AGGREGATE_MEDIAN;
        const char *by = trial / 2 % 2 ? "b" : NULL;
        points_spec *spec = add_points(&m, "p", "scatter", "time", "shd", by);
        table times = tabulate(&m, "time", by, aggregate), distances = tabulate(&m, "shd", by, aggregate);
        plot p;
        spec->aggregate = aggregate;
        p = compute_plot(&m, spec);
        assert_int_equal(p.n_points, 9);
        for (size_t i = 0; i < p.n_points; i++) {
            const char *learner = m.outputs.learners[p.points[i].learner];
            char size[32];
            (void)snprintf(size, sizeof size, "%zu", p.points[i].samples);
            assert_true(p.points[i].x.middle == cell_of(&times, size, learner)->value);
            assert_true(p.points[i].y.middle == cell_of(&distances, size, learner)->value);
        }
        table_clear(&times);
        table_clear(&distances);
        plot_clear(&p);
        clear_results(&m);
    }
}

/* The mean over its data sets, for which there is an error; a median of one is the same. */
static void one_network_has_a_mean_and_its_error(void **state) {
    made_results m = make_four();
    plot p;
    (void)state;
    free(m.outputs.networks[1]);
    m.outputs.n_networks = 1;
    p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", NULL));
    assert_true(p.has_means);
    assert_spread(point_of(&p, "base", 500)->x, 1, 1.5, 2); /* of 1 and 2: variance 1/2, of the mean 1/4 */
    plot_clear(&p);
    clear_results(&m);
}

static void a_data_set_on_which_one_failed_is_left_out_for_all(void **state) {
    made_results m = make_four();
    plot p;
    text_buffer script = {0};
    (void)state;
    m.records[7].state = JOB_TIMEOUT; /* b on the last data set */
    p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", NULL));
    assert_spread(point_of(&p, "base", 500)->x, 2.125, 2.75, 3.375); /* of 1.5 and 4 */
    assert_int_equal(point_of(&p, "b", 500)->n, 3);
    plot_append_script(&p, "p", &script);
    assert_non_null(strstr(script.data, "n = 3 of 4"));
    text_buffer_clear(&script);
    plot_clear(&p);
    clear_results(&m);
}

static bool is_noted(const plot *p, const char *words) {
    for (size_t i = 0; i < p->n_notes; i++) {
        if (strstr(p->notes[i], words))
            return true;
    }
    return false;
}

static void a_program_of_others_is_said_to_be_timed_as_a_whole_process(void **state) {
    static const char *const axes[][2] = {{"time", "shd"}, {"shd", "time"}, {"shd", "shd"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        made_results m = make_four();
        error_info err = {0};
        text_buffer script = {0};
        plot p;
        assert_ok(texts_add(&m.outputs.programs, &m.outputs.n_programs, "b", &err), &err);
        p = compute_plot(&m, add_points(&m, "p", "scatter", axes[i][0], axes[i][1], NULL));
        plot_append_script(&p, "p", &script);
        assert_int_equal(is_noted(&p, "b: the time is that of the whole process"), i < 2);
        assert_int_equal(strstr(script.data, "; time of the whole process: b;") != NULL, i < 2);
        text_buffer_clear(&script);
        plot_clear(&p);
        clear_results(&m);
    }
}

static void a_baseline_of_zero_costs_its_network(void **state) {
    made_results m = make_four();
    plot p;
    (void)state;
    set_metric(&m.records[0], "shd", 0); /* base on both data sets of n1 */
    set_metric(&m.records[2], "shd", 0);
    p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", "base"));
    assert_int_equal(point_of(&p, "b", 500)->n, 2);
    assert_close(point_of(&p, "b", 500)->y.middle, 8.0 / 15, 1e-12);
    assert_true(isnan(point_of(&p, "b", 500)->y.low)); /* one network has no quartiles */
    plot_clear(&p);
    clear_results(&m);
}

static void lines_run_by_sample_size_in_whatever_order_it_is_declared(void **state) {
    static const char *const learners[] = {"a", "b", NULL};
    static const size_t sizes[] = {5000, 500, 1000, 0};
    made_results m = make_results(two_networks, sizes, 1, learners);
    plot p;
    (void)state;
    for (size_t i = 0; i < 12; i++)
        (void)add_done(&m, two_networks[i % 2], sizes[i / 2 % 3], 0, learners[i / 6], "shd", (double)i);
    p = compute_plot(&m, add_points(&m, "p", "line", "samples", "shd", NULL));
    assert_int_equal(p.n_points, 6);
    for (size_t i = 0; i < 6; i++) {
        static const size_t ascending[] = {500, 1000, 5000};
        assert_int_equal(p.points[i].learner, i / 3);
        assert_int_equal(p.points[i].samples, ascending[i % 3]);
        assert_true(p.points[i].x.middle == (double)ascending[i % 3]);
    }
    assert_true(p.x.is_log);
    assert_true(p.x.is_samples);
    plot_clear(&p);
    clear_results(&m);
}

static void what_is_not_positive_has_no_logarithm(void **state) {
    made_results m = make_four();
    points_spec *spec = add_points(&m, "p", "scatter", "time", "shd", NULL);
    plot p;
    bool is_said = false;
    (void)state;
    spec->log_y = true;
    p = compute_plot(&m, spec);
    assert_true(p.y.is_log);
    plot_clear(&p);
    for (size_t i = 0; i < m.n; i++)
        set_metric(&m.records[i], "shd", 0);
    p = compute_plot(&m, spec);
    assert_false(p.y.is_log);
    for (size_t i = 0; i < p.n_notes; i++)
        is_said |= strstr(p.notes[i], "linear") != NULL;
    assert_true(is_said);
    plot_clear(&p);
    clear_results(&m);
}

static void what_makes_no_plot_is_refused(void **state) {
    made_results m = make_four();
    points_spec *spec = add_points(&m, "p9", "line", "shd", "samples", NULL);
    plot p = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(part_find(PART_PLOT, "line")->plot(&m.outputs, spec, m.records, m.n, &p, &err), STATUS_INVALID);
    assert_message_has(&err, "p9");
    spec = add_points(&m, "q", "scatter", "time", "shd", "nobody");
    assert_int_equal(part_find(PART_PLOT, "scatter")->plot(&m.outputs, spec, m.records, m.n, &p, &err), STATUS_INVALID);
    assert_message_has(&err, "nobody");
    clear_results(&m);
}

static void the_figures_of_a_plot_lie_beside_it(void **state) {
    made_results m = make_four();
    plot p = compute_plot(&m, add_points(&m, "p", "scatter", "time", "shd", NULL));
    text_buffer csv = {0};
    (void)state;
    plot_append_csv(&p, &csv);
    assert_string_equal(csv.data, "learner,samples,n,of,x,x_q1,x_q3,y,y_q1,y_q3,on_front\n"
                                  "base,500,4,4,3.75,2.625,4.875,5.25,4.125,6.375,0\n"
                                  "b,500,4,4,2,2,2,4,4,4,1\n");
    text_buffer_clear(&csv);
    plot_clear(&p);
    clear_results(&m);
}

static void any_text_is_a_string_of_gnuplot_that_means_itself(void **state) {
    static const struct {
        const char *text, *string;
    } cases[] = {{"plain", "'plain'"},
                 {"it's", "'it\xe2\x80\x99s'"},
                 {"''", "'\xe2\x80\x99\xe2\x80\x99'"},
                 {"`touch x`", "'`touch x`'"},
                 {"a\\nb\"c", "'a\\nb\"c'"},
                 {"two\nlines\r\t!", "'two lines  !'"},
                 {"\xff\xc3", "'?"
                              "?'"},
                 {"\xc3\xa4", "'\xc3\xa4'"},
                 {"abcdefghijklmnopqrstuvwxyz", "'abcdefghijklmnopqrs\xe2\x80\xa6'"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_buffer b = {0};
        gnuplot_append_text(&b, cases[i].text, 20);
        assert_string_equal(b.data, cases[i].string);
        text_buffer_clear(&b);
    }
}

static bool has_gnuplot(void) {
    static const char *const argv[] = {"gnuplot", "--version", NULL};
    return run_program(argv, NULL, NULL) == 0;
}

static char *read_text(const char *folder, const char *name) {
    char *path = path_join(folder, name), *text = NULL;
    size_t length = 0;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    free(path);
    return text;
}

static bool is_in(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    bool is_there = file_exists(path);
    free(path);
    return is_there;
}

static void remove_from(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    assert_int_equal(unlink(path), 0);
    free(path);
}

static void write_into(const char *folder, const char *name, const char *text) {
    char *path = path_join(folder, name);
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    free(path);
}

static void a_hostile_name_is_drawn_and_does_nothing(void **state) {
    static const char *const learners[] = {"`touch hit1`",
                                           "'; system('touch hit2'); '",
                                           "$(touch hit3)\nset output 'hit4'\n",
                                           "<script>alert(1)</script>",
                                           "\\\"\n!touch hit5",
                                           "%s%n{/*9 x}@^_",
                                           "\xff\xfe\x01",
                                           "{{",
                                           "}",
                                           "@hit8 #",
                                           "ends in \\",
                                           "",
                                           NULL};
    static const size_t sizes[] = {500, 0};
    const char *folder = scratch_folder();
    made_results m = make_results(two_networks, sizes, 1, learners);
    points_spec *spec;
    text_buffer script = {0};
    char *svg;
    plot p;
    error_info err = {0};
    (void)state;
    if (!has_gnuplot())
        skip();
    for (size_t l = 0; learners[l]; l++) {
        for (size_t i = 0; i < 2; i++)
            set_metric(add_done(&m, two_networks[i], 500, 0, learners[l], "shd", (double)(l + i)), "time",
                       0.1 * (double)(l + 1));
    }
    spec = add_points(&m, "p", "scatter", "time", "shd", learners[1]);
    spec->title = text_copy("`touch hit6` ' \" \\n <b> & $(touch hit7)");
    p = compute_plot(&m, spec);
    plot_append_script(&p, "p", &script);
    write_into(folder, "p.gp", script.data);
    assert_ok(gnuplot_run(folder, "p.gp", 60, &err), &err);
    for (int i = 1; i <= 7; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "hit%d", i);
        assert_false(is_in(folder, name));
    }
    svg = read_text(folder, "p.svg");
    assert_null(strstr(svg, "<script>alert"));
    assert_non_null(strstr(svg, "&lt;script>alert(1)"));
    assert_non_null(strstr(svg, "`touch hit1`"));
    assert_non_null(strstr(svg, "{/*9 x}@^_"));
    assert_true(is_in(folder, "p.png"));
    free(svg);
    text_buffer_clear(&script);
    plot_clear(&p);
    clear_results(&m);
}

static void plots_of_every_odd_shape_are_drawn(void **state) {
    static const char *const learners[] = {"a", "b", "c", NULL};
    static const struct {
        const char *kind, *x, *y, *by;
        double scale, offset;
        bool is_log;
    } cases[] = {
        {"scatter", "time", "shd", NULL, 0, 0, false},          {"scatter", "time", "shd", NULL, 0, 3, true},
        {"line", "samples", "bdeu_test", "a", 1, -1e6, false},  {"line", "samples", "time", NULL, 1e-9, 1e-9, true},
        {"line", "samples", "memory", NULL, 1e9, 1e6, true},    {"scatter", "memory", "bdeu_test", NULL, 1, -5, false},
        {"scatter", "time", "statistics", NULL, 1e12, 1, true}, {"line", "time", "shd", "b", 1, 1, false}};
    static const size_t sizes[] = {500, 600, 0};
    const char *folder = scratch_folder();
    (void)state;
    if (!has_gnuplot())
        skip();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        made_results m = make_results(two_networks, sizes, 1, learners);
        points_spec *spec = add_points(&m, "p", cases[c].kind, cases[c].x, cases[c].y, cases[c].by);
        text_buffer script = {0};
        error_info err = {0};
        plot p;
        spec->log_x = spec->log_y = cases[c].is_log;
        for (size_t i = 0; i < 12; i++) {
            double value = cases[c].offset + cases[c].scale * (double)(i % 5);
            job_record *r = add_done(&m, two_networks[i % 2], sizes[i / 2 % 2], 0, learners[i / 4], cases[c].y, value);
            if (strcmp(cases[c].x, "samples") != 0)
                set_metric(r, cases[c].x, value + 1);
        }
        p = compute_plot(&m, spec);
        assert_true(p.n_points > 0);
        plot_append_script(&p, "p", &script);
        write_into(folder, "p.gp", script.data);
        assert_ok(gnuplot_run(folder, "p.gp", 60, &err), &err);
        assert_true(is_in(folder, "p.svg"));
        assert_true(is_in(folder, "p.png"));
        remove_from(folder, "p.svg"); /* the next one must make its own */
        remove_from(folder, "p.png");
        text_buffer_clear(&script);
        plot_clear(&p);
        clear_results(&m);
    }
}

/* One data set at 500 rows, two at 600: the mean of one has no standard error, which is not one of 0. */
static void a_point_of_one_data_set_has_no_bar(void **state) {
    static const char *const learners[] = {"a", NULL}, *const one_network[] = {"n1", NULL},
                             *const kinds[] = {"line", "scatter"};
    static const size_t sizes[] = {500, 600, 0};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const char *folder = scratch_folder();
        made_results m = make_results(one_network, sizes, 2, learners);
        points_spec *spec = add_points(&m, "p", kinds[k], k ? "time" : "samples", "shd", NULL);
        text_buffer csv = {0}, script = {0};
        error_info err = {0};
        for (size_t i = 0; i < 3; i++)
            set_metric(add_done(&m, "n1", sizes[i > 0], i == 2, "a", "shd", 4 + (double)i), "time", 1 + (double)i);
        plot p = compute_plot(&m, spec);
        assert_true(isnan(point_of(&p, "a", 500)->y.low) && isnan(point_of(&p, "a", 500)->y.high));
        assert_close(point_of(&p, "a", 500)->y.middle, 4, 0);
        assert_spread(point_of(&p, "a", 600)->y, 5, 5.5, 6);
        plot_append_csv(&p, &csv);
        assert_non_null(strstr(csv.data, k ? "a,500,1,2,1,,,4,," : "a,500,1,2,500,500,500,4,,"));
        plot_append_script(&p, "p", &script);
        assert_non_null(strstr(script.data, k ? "\n1 4 NaN NaN NaN NaN" : "\n500 4 500 500 NaN NaN"));
        assert_non_null(strstr(script.data, "yerrorbars"));
        assert_non_null(strstr(script.data, "one standard error"));
        write_into(folder, "p.gp", script.data);
        if (has_gnuplot())
            assert_ok(gnuplot_run(folder, "p.gp", 60, &err), &err);
        text_buffer_clear(&csv);
        text_buffer_clear(&script);
        plot_clear(&p);
        clear_results(&m);
    }
}

static void where_no_point_has_a_bar_none_is_spoken_of(void **state) {
    static const char *const learners[] = {"a", NULL}, *const one_network[] = {"n1", NULL};
    static const size_t sizes[] = {500, 600, 0};
    made_results m = make_results(one_network, sizes, 1, learners);
    text_buffer script = {0};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        (void)add_done(&m, "n1", sizes[i], 0, "a", "shd", 4);
    plot p = compute_plot(&m, add_points(&m, "p", "line", "samples", "shd", NULL));
    plot_append_script(&p, "p", &script);
    assert_null(strstr(script.data, "yerrorbars"));
    assert_null(strstr(script.data, "standard error"));
    text_buffer_clear(&script);
    plot_clear(&p);
    clear_results(&m);
}

/* A program that stands in for gnuplot; its path lives as long as the test. */
static void take_for_gnuplot(const char *folder, const char *text) {
    static char path[256];
    write_into(folder, "fake", text);
    (void)snprintf(path, sizeof path, "%s/fake", folder);
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(setenv("BNBENCH_GNUPLOT", path, 1), 0);
}

static int forget_gnuplot(void **state) {
    (void)state;
    return unsetenv("BNBENCH_GNUPLOT");
}

static void without_gnuplot_the_error_says_how_to_get_it(void **state) {
    error_info err = {0};
    (void)state;
    assert_int_equal(setenv("BNBENCH_GNUPLOT", "no-such-program-here", 1), 0);
    assert_int_equal(gnuplot_run(scratch_folder(), "p.gp", 5, &err), STATUS_MISSING);
    assert_message_has(&err, "gnuplot-nox");
    assert_message_has(&err, "no-such-program-here");
}

static void what_gnuplot_says_is_in_the_error(void **state) {
    const char *folder = scratch_folder();
    error_info err = {0};
    (void)state;
    take_for_gnuplot(folder, "#!/bin/sh\necho \"$# $1 $2\" >&2; echo; echo bad  >&2; exit 3\n");
    assert_int_equal(gnuplot_run(folder, "p q.gp", 5, &err), STATUS_INVALID);
    assert_message_has(&err, "gnuplot failed: 2 --default-settings ../p q.gp bad");
    take_for_gnuplot(folder, "#!/bin/sh\nexit 0\n");
    assert_int_equal(gnuplot_run(folder, "p.gp", 5, &err), STATUS_INVALID);
    assert_message_has(&err, "drew nothing");
    take_for_gnuplot(folder, "#!/bin/sh\nkill -9 $$\n");
    assert_int_equal(gnuplot_run(folder, "p.gp", 5, &err), STATUS_INVALID);
    assert_message_has(&err, "signal 9");
}

static void a_gnuplot_that_hangs_is_stopped_with_its_children(void **state) {
    const char *folder = scratch_folder();
    struct pollfd pipe_end = {.events = POLLIN};
    char path[256], byte;
    error_info err = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    pipe_end.fd = open(path, O_RDONLY | O_NONBLOCK);
    take_for_gnuplot(folder, "#!/bin/sh\nexec 3>../pipe\necho >&3\nsleep 100 &\nsleep 100\n");
    assert_int_equal(gnuplot_run(folder, "p.gp", 1, &err), STATUS_INVALID);
    assert_message_has(&err, "took more than 1 s");
    /* What was written, if it came so far, and then the end, for nobody holds the other end any more. */
    while (poll(&pipe_end, 1, 20000) == 1 && read(pipe_end.fd, &byte, 1) == 1)
        continue;
    assert_int_equal(pipe_end.revents & (POLLIN | POLLHUP), POLLHUP);
    (void)close(pipe_end.fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_the_median_and_the_quartiles_over_networks),
        cmocka_unit_test(a_normalised_point_is_the_median_of_the_networks_ratios),
        cmocka_unit_test(axes_are_as_declared),
        cmocka_unit_test(the_points_of_a_plot_are_the_cells_of_the_tables),
        cmocka_unit_test(one_network_has_a_mean_and_its_error),
        cmocka_unit_test(a_data_set_on_which_one_failed_is_left_out_for_all),
        cmocka_unit_test(a_program_of_others_is_said_to_be_timed_as_a_whole_process),
        cmocka_unit_test(a_baseline_of_zero_costs_its_network),
        cmocka_unit_test(lines_run_by_sample_size_in_whatever_order_it_is_declared),
        cmocka_unit_test(what_is_not_positive_has_no_logarithm),
        cmocka_unit_test(what_makes_no_plot_is_refused),
        cmocka_unit_test(the_figures_of_a_plot_lie_beside_it),
        cmocka_unit_test(any_text_is_a_string_of_gnuplot_that_means_itself),
        cmocka_unit_test(a_hostile_name_is_drawn_and_does_nothing),
        cmocka_unit_test(plots_of_every_odd_shape_are_drawn),
        cmocka_unit_test(a_point_of_one_data_set_has_no_bar),
        cmocka_unit_test(where_no_point_has_a_bar_none_is_spoken_of),
        cmocka_unit_test_teardown(without_gnuplot_the_error_says_how_to_get_it, forget_gnuplot),
        cmocka_unit_test_teardown(what_gnuplot_says_is_in_the_error, forget_gnuplot),
        cmocka_unit_test_teardown(a_gnuplot_that_hangs_is_stopped_with_its_children, forget_gnuplot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
