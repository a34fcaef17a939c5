/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a paper without printed numbers, and the axes of plots that redraw them, as an experiment declares them.
 */
#include "tests/support/run_support.h"

#include "parts/plots/points.h"

#include <math.h>

#define BASE                                                                                                           \
    "name: a\n"                                                                                                        \
    "networks: [asia]\n"                                                                                               \
    "data: {samples: [100], test_samples: 50}\n"                                                                       \
    "learners: [hc]\n"                                                                                                 \
    "tables: [{id: t, metric: shd}]\n"

#define PLOT "plots: [{id: p, kind: line, y: shd, x_range: {from: 1, to: 50}}]\n"
#define CLAIM "claims: [{id: c, text: It is so., comment: No figure.}]\n"

static void what_redraws_a_figure_is_read(void **state) {
    experiment e = declare(BASE PLOT CLAIM "paper_figures:\n"
                                           "  - {figure: Figure 5, plot: p, claims: c, text: Its axes.}\n"
                                           "  - {figure: Figure 1, text: Pseudocode.}\n");
    const paper_figure *f = e.outputs.paper_figures;
    const points_spec *p = part_list_find(&e.parts, "p")->options;
    (void)state;
    assert_int_equal(e.outputs.n_paper_figures, 2);
    assert_string_equal(f[0].figure, "Figure 5");
    assert_string_equal(f[0].plot, "p");
    assert_string_equal(f[0].text, "Its axes.");
    assert_int_equal(f[0].n_claims, 1);
    assert_string_equal(f[0].claims[0], "c");
    assert_null(f[1].plot);
    assert_close(p->x_range.from, 1, 0);
    assert_close(p->x_range.to, 50, 0);
    assert_true(isnan(p->y_range.from) && isnan(p->y_range.to));
    experiment_clear(&e);
}

/* Such a reading of an experiment has a report of other tables alone. */
static void plots_and_claims_may_all_be_left_out(void **state) {
    experiment e = declare(BASE "plots: []\npaper_figures: [{figure: F, plot: p, claims: [c]}]\n");
    (void)state;
    assert_string_equal(e.outputs.paper_figures[0].plot, "p");
    experiment_clear(&e);
}

static void a_mistake_is_answered_with_its_place(void **state) {
    static const char *const mistakes[][2] = {
        {PLOT CLAIM "paper_figures: [{figure: F}]",
         ":8:17: a figure of the paper needs 'figure', its name, and the 'plot' that redraws it or a 'text' that says "
         "why none does"},
        {PLOT CLAIM "paper_figures: [{plot: p}]", ":8:17: a figure of the paper needs 'figure'"},
        {PLOT CLAIM "paper_figures: [{figure: F, plot: t}]", ":8:35: there is no plot 't' to redraw it"},
        {PLOT CLAIM "paper_figures: [{figure: F, plot: p, claims: [c, d]}]", "there is no claim 'd' to judge it"},
        {PLOT CLAIM "paper_figures: [{figure: F, plott: p}]", "unknown key 'plott' in a figure of the paper"},
        {"plots: [{id: p, kind: line, y: shd, x_range: {from: 5, to: 2}}]", "x_range goes from 5 to 2; it must rise"},
        {"plots: [{id: p, kind: scatter, x: time, y: shd, y_range: {from: 5, to: 5}}]",
         "y_range goes from 5 to 5; it must rise"},
        {"plots: [{id: p, kind: trace, y: best_score, y_range: {from: 5, to: 4}}]",
         "y_range goes from 5 to 4; it must rise"},
        {"plots: [{id: p, kind: line, y: shd, x_range: {}}]", "x_range is empty; it must have 'from'"},
        {"plots: [{id: p, kind: line, y: shd, x_range: {from: nan}}]", "from is"},
        {"plots: [{id: p, kind: box, y: shd, x_range: {from: 1}}]", "unknown key 'x_range' in"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        experiment e = {0};
        error_info err = {0};
        AUTO(text_buffer_clear) text_buffer text = {0};
        text_append_format(&text, BASE "%s\n", mistakes[i][0]);
        assert_int_equal(experiment_parse(text.data, text.length, "x.yaml", &e, &err), STATUS_PARSE);
        assert_message_has(&err, mistakes[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_redraws_a_figure_is_read),
        cmocka_unit_test(plots_and_claims_may_all_be_left_out),
        cmocka_unit_test(a_mistake_is_answered_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
