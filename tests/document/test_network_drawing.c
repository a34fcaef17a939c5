/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "document/drawing/drawing_program.h"
#include "document/drawing/network_drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

static pdag *make_graph(size_t n, const pdag_pair *pairs, size_t n_pairs) {
    pdag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_from_pairs(n, pairs, n_pairs, &g, &err), &err);
    return g;
}

static char *draw(const network_drawing *d, network_drawing_tally *tally) {
    text_buffer dot = {0};
    error_info err = {0};
    assert_ok(network_drawing_append_dot(d, &dot, tally, &err), &err);
    return dot.data;
}

static bool has(const char *dot, const char *words) {
    return strstr(dot, words) != NULL;
}

static const char *const letters[] = {"A", "B", "C", "D", "E"};

/* A -> B found, B -> C turned, C -> D missing, D - E extra. */
static network_drawing make_difference(pdag **truth, pdag **learned) {
    *truth = make_graph(5, (const pdag_pair[]){{0, 1, EDGE_OUT}, {1, 2, EDGE_OUT}, {2, 3, EDGE_OUT}}, 3);
    *learned = make_graph(5, (const pdag_pair[]){{0, 1, EDGE_OUT}, {1, 2, EDGE_IN}, {3, 4, EDGE_UNDIRECTED}}, 3);
    return (network_drawing){
        .title = "five", .n_nodes = 5, .names = letters, .truth = *truth, .learned = *learned, .focus = 1};
}

static void every_kind_of_edge_has_its_colour_and_its_line(void **state) {
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    network_drawing_tally t;
    char *dot = draw(&d, &t);
    (void)state;
    assert_true(has(dot, "n0 -> n1 [color=\"#009E73\", style=solid"));
    assert_true(has(dot, "n2 -> n1 [color=\"#E69F00\", style=solid")); /* as learned */
    assert_true(has(dot, "n2 -> n3 [color=\"#0072B2\", style=dotted"));
    assert_true(has(dot, "n3 -> n4 [color=\"#D55E00\", style=dashed, penwidth=1.6, dir=none]"));
    assert_true(has(dot, "</FONT> found: 1</TD>"));
    assert_true(has(dot, "</FONT> found, another direction: 1</TD>"));
    assert_true(has(dot, "</FONT> extra: 1</TD>"));
    assert_true(has(dot, "</FONT> missing: 1</TD>"));
    assert_true(has(dot, "n1 [label=\"B\", style=filled, fillcolor=\"#D9F0E8\", shape=doubleoctagon]"));
    assert_true(has(dot, "n4 [label=\"E\"]")); /* at no edge that was found */
    assert_int_equal(t.n_nodes, 5);
    assert_int_equal(t.n_right, 1);
    assert_int_equal(t.n_turned, 1);
    assert_int_equal(t.n_extra, 1);
    assert_int_equal(t.n_missing, 1);
    free(dot);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void without_directions_an_edge_of_both_is_right_and_drawn_as_it_is_true(void **state) {
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    network_drawing_tally t;
    char *dot;
    (void)state;
    d.ignores_directions = true;
    dot = draw(&d, &t);
    assert_true(has(dot, "n1 -> n2 [color=\"#009E73\""));
    assert_int_equal(t.n_right, 2);
    assert_int_equal(t.n_turned, 0);
    assert_false(has(dot, "another direction"));
    free(dot);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void one_graph_alone_is_drawn_plainly_and_a_subset_without_the_rest(void **state) {
    static const bool shown[] = {true, true, true, false, false};
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    char *dot;
    (void)state;
    d.learned = NULL;
    d.is_shown = shown;
    d.focus = NETWORK_NO_FOCUS;
    dot = draw(&d, NULL);
    assert_true(has(dot, "n0 -> n1 [color=\"#000000\""));
    assert_true(has(dot, "n1 -> n2 [color=\"#000000\""));
    assert_false(has(dot, "n3"));
    assert_false(has(dot, "<TABLE"));
    free(dot);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void of_a_region_the_edges_at_its_rim_are_left_out(void **state) {
    static const bool inner[] = {true, false, false, false, false};
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    network_drawing_tally t;
    char *dot;
    (void)state;
    d.is_inner = inner;
    d.is_filled = inner;
    dot = draw(&d, &t);
    assert_true(has(dot, "n0 [label=\"A\", style=filled"));
    assert_true(has(dot, "n1 [label=\"B\", shape=doubleoctagon]"));
    assert_int_equal(t.n_right, 1);
    assert_int_equal(t.n_turned, 0);
    assert_int_equal(t.n_extra, 0);
    assert_int_equal(t.n_missing, 0);
    assert_int_equal(t.n_nodes, 5);
    free(dot);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void a_region_is_what_either_graph_reaches(void **state) {
    pdag *truth, *learned;
    bool near[5];
    error_info err = {0};
    (void)make_difference(&truth, &learned);
    (void)state;
    assert_ok(network_region(truth, learned, 3, 1, near, &err), &err);
    assert_false(near[0]);
    assert_false(near[1]);
    assert_true(near[2]);
    assert_true(near[3]);
    assert_true(near[4]);
    assert_ok(network_region(truth, NULL, 3, 2, near, &err), &err);
    assert_false(near[0]);
    assert_true(near[1]);
    assert_true(near[2]);
    assert_true(near[3]);
    assert_false(near[4]);
    assert_int_equal(network_region(truth, learned, 5, 1, near, &err), STATUS_INVALID);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

/* "n0 -> n1 n2 -> n1 ...": what a layout hangs on, beside the nodes. */
static char *ends_of(const char *dot) {
    text_buffer b = {0};
    for (const char *line = dot; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *arrow = strstr(line, " -> "), *end = strchr(line, '\n');
        if (arrow && end && arrow < end)
            text_append_format(&b, "%.*s;", (int)strcspn(line, "["), line);
    }
    return b.data;
}

static void either_graph_is_seen_alone_in_the_layout_of_the_difference(void **state) {
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    char *dots[3], *ends[3];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        d.seen = i == 0 ? NULL : i == 1 ? truth : learned;
        dots[i] = draw(&d, NULL);
        ends[i] = ends_of(dots[i]);
    }
    assert_non_null(ends[0]);
    assert_string_equal(ends[1], ends[0]);
    assert_string_equal(ends[2], ends[0]);
    assert_true(has(dots[1], "n2 -> n1 [color=\"#000000\", style=solid, penwidth=1.2, dir=back];")); /* B -> C */
    assert_true(has(dots[1], "n2 -> n3 [color=\"#000000\", style=solid, penwidth=1.2];"));
    assert_true(has(dots[1], "n3 -> n4 [style=invis];"));
    assert_true(has(dots[2], "n2 -> n1 [color=\"#000000\", style=solid, penwidth=1.2];"));
    assert_true(has(dots[2], "n2 -> n3 [style=invis];"));
    assert_true(has(dots[2], "n3 -> n4 [color=\"#000000\", style=solid, penwidth=1.2, dir=none];"));
    assert_false(has(dots[1], "fillcolor") || has(dots[1], "<TABLE"));
    for (size_t i = 0; i < 3; i++) {
        free(dots[i]);
        free(ends[i]);
    }
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void a_title_above_a_legend_is_text(void **state) {
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    char *dot;
    (void)state;
    d.title = "a <b> & \"c\"";
    dot = draw(&d, NULL);
    assert_true(has(dot, "<TD COLSPAN=\"2\">a &lt;b&gt; &amp; \"c\"</TD>"));
    free(dot);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void a_style_sets_the_box_the_font_and_the_legend(void **state) {
    static const plot_style large = {.width = 960, .font_size = 22}, bare = {.height = 480, .key = PLOT_KEY_NONE};
    pdag *truth, *learned;
    network_drawing d = make_difference(&truth, &learned);
    char *plain = draw(&d, NULL), *styled;
    (void)state;
    assert_false(has(plain, "size=\"") || has(plain, "    fontsize="));
    assert_true(has(plain, "fontsize=11"));
    assert_true(has(plain, "<TABLE"));
    d.style = &large;
    styled = draw(&d, NULL);
    assert_true(has(styled, "size=\"10.0000,1000.0000!\";"));
    assert_true(has(styled, " fontsize=28;"));
    assert_true(has(styled, "fontsize=22]"));
    assert_true(has(styled, "<TABLE"));
    free(styled);
    d.style = &bare;
    styled = draw(&d, NULL);
    assert_true(has(styled, "size=\"1000.0000,5.0000!\";"));
    assert_false(has(styled, "<TABLE"));
    free(styled);
    free(plain);
    pdag_destroy(truth);
    pdag_destroy(learned);
}

static void what_cannot_be_drawn_is_refused(void **state) {
    pdag *g = make_graph(4, NULL, 0);
    network_drawing d = {.n_nodes = 5, .names = letters};
    text_buffer dot = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(network_drawing_append_dot(&d, &dot, NULL, &err), STATUS_INVALID);
    d.truth = g;
    assert_int_equal(network_drawing_append_dot(&d, &dot, NULL, &err), STATUS_INVALID);
    assert_message_has(&err, "a graph of 4 nodes; there are names for 5");
    text_buffer_clear(&dot);
    pdag_destroy(g);
}

/* --- Graphviz --- */

static const char *const odd[] = {"say \"hi\"", "back\\slash\\", "<b>bold</b>", "&lt;tag&gt; & more",
                                  "line\nbreak \\N \xFF"};

/* The text of the SVG; NULL where there is no dot. */
static char *render(const char *dot) {
    const char *folder = scratch_folder(), *const arguments[] = {"-Tsvg", "-o", "x.svg", "x.dot", NULL};
    char *path = path_join(folder, "x.dot"), *svg_path = path_join(folder, "x.svg"), *svg = NULL;
    size_t length;
    error_info err = {0};
    status st;
    assert_ok(file_write(path, dot, strlen(dot), &err), &err);
    st = drawing_program_run(&drawing_dot, folder, arguments, 60, &err);
    if (st != STATUS_MISSING) {
        assert_ok(st, &err);
        assert_ok(file_read(svg_path, 1 << 24, &svg, &length, &err), &err);
    }
    free(path);
    free(svg_path);
    return svg;
}

static void any_name_comes_out_as_the_text_that_it_is(void **state) {
    pdag *g = make_graph(5, (const pdag_pair[]){{0, 1, EDGE_OUT}, {2, 3, EDGE_OUT}, {3, 4, EDGE_OUT}}, 3);
    network_drawing d = {.title = "a \"title\" & \\more\\", .n_nodes = 5, .names = odd, .truth = g, .focus = 0};
    char *dot = draw(&d, NULL), *svg = render(dot);
    (void)state;
    free(dot);
    pdag_destroy(g);
    if (!svg)
        skip();
    assert_true(has(svg, "say &quot;hi&quot;"));
    assert_true(has(svg, "back\\slash\\"));
    assert_true(has(svg, "&lt;b&gt;bold&lt;/b&gt;"));
    assert_true(has(svg, "&amp;lt;tag&amp;gt; &amp; more"));
    assert_true(has(svg, "\\N"));
    assert_true(has(svg, "a &quot;title&quot; &amp; \\more\\"));
    free(svg);
}

/* A script in the program's place: what it has of ours. */
static void a_program_gets_few_variables_and_no_open_file(void **state) {
    static const char script[] = "#!/bin/sh\nenv >\"$1\"\nls /proc/self/fd | wc -l >>\"$1\"\n";
    const char *folder = scratch_folder(), *const arguments[] = {"seen", NULL};
    char *path = path_join(folder, "dot"), *seen = path_join(folder, "seen"), *text = NULL;
    int inherited = dup(2);
    size_t length;
    error_info err = {0};
    (void)state;
    assert_true(inherited >= 0);
    assert_ok(file_write(path, script, strlen(script), &err), &err);
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(setenv("BNBENCH_DOT", path, 1), 0);
    assert_int_equal(setenv("SECRET_TOKEN", "x", 1), 0);
    assert_ok(drawing_program_run(&drawing_dot, folder, arguments, 60, &err), &err);
    assert_int_equal(unsetenv("BNBENCH_DOT"), 0);
    assert_int_equal(unsetenv("SECRET_TOKEN"), 0);
    (void)close(inherited);
    assert_ok(file_read(seen, 1 << 20, &text, &length, &err), &err);
    assert_true(has(text, "PATH="));
    assert_false(has(text, "SECRET_TOKEN"));
    assert_false(has(text, "BNBENCH_"));
    assert_true(has(text, "\n4\n")); /* 0, 1, 2, and that of ls itself */
    free(text);
    free(path);
    free(seen);
}

static void a_program_that_is_not_there_is_named_with_what_would_do(void **state) {
    error_info err = {0};
    const char *const arguments[] = {"x.dot", NULL};
    (void)state;
    assert_int_equal(setenv("BNBENCH_DOT", "/nowhere/dot", 1), 0);
    assert_int_equal(drawing_program_run(&drawing_dot, scratch_folder(), arguments, 5, &err), STATUS_MISSING);
    assert_int_equal(unsetenv("BNBENCH_DOT"), 0);
    assert_string_equal(err.message,
                        "dot could not be started ('/nowhere/dot'); install it (Debian: graphviz) or name it "
                        "in BNBENCH_DOT");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_edge_has_its_colour_and_its_line),
        cmocka_unit_test(without_directions_an_edge_of_both_is_right_and_drawn_as_it_is_true),
        cmocka_unit_test(one_graph_alone_is_drawn_plainly_and_a_subset_without_the_rest),
        cmocka_unit_test(of_a_region_the_edges_at_its_rim_are_left_out),
        cmocka_unit_test(a_region_is_what_either_graph_reaches),
        cmocka_unit_test(either_graph_is_seen_alone_in_the_layout_of_the_difference),
        cmocka_unit_test(a_title_above_a_legend_is_text),
        cmocka_unit_test(a_style_sets_the_box_the_font_and_the_legend),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(any_name_comes_out_as_the_text_that_it_is),
        cmocka_unit_test(a_program_gets_few_variables_and_no_open_file),
        cmocka_unit_test(a_program_that_is_not_there_is_named_with_what_would_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
