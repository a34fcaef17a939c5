/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `failed_in_paper`: what it says, which cells it means, and what it says of mistakes. */
#include "tests/support/run_support.h"

#include "parts/figures/paper_failures.h"
#include "runner/failed_in_paper.h"

/* asia has 8 nodes and 8 arcs, child 20 and 25, alarm 37 and 46; the most states 2, 6 and 4. */
#define HEAD                                                                                                           \
    "name: x\nnetworks: [asia, child, alarm]\ndata: {samples: [100, 5000], replicates: 2}\n"                           \
    "learners: [hc, mmhc]\nmetrics: [shd]\n"
#define RULE(entry) HEAD "failed_in_paper: [{learner: mmhc, " entry "}]\n"

static experiment resolve(const char *text) {
    experiment e = declare(text);
    error_info err = {0};
    assert_ok(runner_read_network_facts(&e, &err), &err);
    return e;
}

/* "child alarm 5000" */
static char *list_cells(const paper_failure *f) {
    text_buffer b = {0};
    for (size_t i = 0; i < f->n_networks; i++)
        text_append_format(&b, "%s ", f->networks[i]);
    for (size_t i = 0; i < f->n_sizes; i++)
        text_append_format(&b, "%s%zu", i ? " " : "", f->sizes[i]);
    return b.data;
}

static void a_rule_means_the_cells_of_which_it_holds(void **state) {
    static const struct {
        const char *entry, *cells;
    } cases[] = {
        {RULE("if: nodes >= 20"), "child alarm 100 5000"},
        {RULE("if: 'nodes>20'"), "alarm 100 5000"},
        {RULE("if: n_variables = 20"), "child 100 5000"},
        {RULE("if: edges <= 25"), "asia child 100 5000"},
        {RULE("if: n_edges < 25 and samples > 100"), "asia 5000"},
        {RULE("if: states_max > 3 and  nodes < 3e1"), "child 100 5000"},
        {RULE("if: parents_mean < 1.2"), "asia 100 5000"}, /* 1, 1.25 and 1.243 */
        {RULE("if: longest_path = 4"), "asia 100 5000"},   /* asia, tub, either, xray */
        {RULE("if: longest_path = 11"), "alarm 100 5000"}, /* as printed in Vandel et al. 2012, Table 1 */
        {RULE("if: samples >= 1000"), "asia child alarm 5000"},
        {RULE("networks: [alarm, asia]"), "asia alarm 100 5000"},
        {RULE("networks: alarm, samples: 5000"), "alarm 5000"},
        {RULE("networks: [asia, child], if: nodes > 10, samples: [100]"), "child 100"},
        {RULE("if: samples > 100, samples: [100]"), "asia child alarm "},
        {RULE("networks: [munin1, alarm], samples: [7, 100]"), "alarm 100"}, /* which this experiment leaves out */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        experiment e = resolve(cases[i].entry);
        char *cells;
        assert_int_equal(e.outputs.n_paper_failures, 1);
        cells = list_cells(&e.outputs.paper_failures[0]);
        if (strcmp(cells, cases[i].cells) != 0)
            fail_msg("%s means '%s' and not '%s'", cases[i].entry, cells, cases[i].cells);
        assert_string_equal(e.outputs.paper_failures[0].learner, "mmhc");
        free(cells);
        experiment_clear(&e);
    }
}

static void networks_are_read_only_where_a_rule_asks_what_they_are(void **state) {
    (void)state;
    experiment e = resolve(RULE("networks: [alarm], if: samples > 100"));
    assert_null(e.outputs.facts);
    experiment_clear(&e);
    e = resolve(RULE("if: nodes > 1"));
    assert_non_null(e.outputs.facts);
    experiment_clear(&e);
}

static void a_network_that_cannot_be_read_is_said_to_be_unknown(void **state) {
    (void)state;
    experiment e = resolve("name: x\nnetworks: [asia, ./lost.bif]\ndata: {samples: [100]}\nlearners: [hc, mmhc]\n"
                           "failed_in_paper: [{learner: mmhc, if: nodes >= 8}]\n");
    text_buffer note = {0};
    paper_failures_append(&e.outputs, &note);
    assert_string_equal(note.data, "mmhc counts as failed on 1 network, as in the paper (failed_in_paper). "
                                   "Whether mmhc counts as failed (failed_in_paper) is not known on lost, for want of "
                                   "facts; mmhc counts there as it ran.");
    text_buffer_clear(&note);
    experiment_clear(&e);
}

static void of_all_rows_of_data_their_number_is_a_fact(void **state) {
    static const char csv[] = "a,b\nx,y\ny,x\nx,x\n";
    char *path = path_join(scratch_folder(), "three.csv");
    char text[2000];
    error_info err = {0};
    experiment e;
    (void)state;
    assert_ok(file_write(path, csv, strlen(csv), &err), &err);
    for (size_t bound = 3; bound <= 4; bound++) {
        (void)snprintf(text, sizeof text,
                       "name: x\nnetworks: [{dataset: '%s', id: three}]\ndata: {samples: all, test_samples: 0}\n"
                       "learners: [hc, mmhc]\nfailed_in_paper: [{learner: mmhc, if: nodes = 2 and samples >= %zu}]\n",
                       path, bound);
        e = resolve(text);
        assert_int_equal(e.outputs.paper_failures[0].n_networks, bound == 3);
        assert_int_equal(e.outputs.paper_failures[0].n_unknown, 0);
        experiment_clear(&e);
    }
    free(path);
}

static void several_entries_and_their_texts_are_told(void **state) {
    (void)state;
    experiment e = resolve(HEAD "failed_in_paper:\n"
                                "  - {learner: mmhc, if: nodes >= 37, text: Section 5}\n"
                                "  - {learner: hc, networks: [asia]}\n"
                                "  - {learner: mmhc, networks: [child], samples: [5000], text: Table 3}\n");
    text_buffer note = {0};
    assert_int_equal(e.outputs.n_paper_failures, 3);
    paper_failures_append(&e.outputs, &note);
    assert_string_equal(note.data, "mmhc counts as failed on 1 network at 100 rows, on 2 networks at 5000 rows, as in "
                                   "the paper (failed_in_paper: Section 5; Table 3). hc counts as failed on 1 network, "
                                   "as in the paper (failed_in_paper).");
    text_buffer_clear(&note);
    experiment_clear(&e);
}

static void profiles_add_it_and_take_it_away(void **state) {
    static const char text[] = RULE("if: nodes >= 20") "profiles: {paper: {failed_in_paper: []}}\n";
    static const char *const sets[] = {"failed_in_paper=[{learner: hc, networks: [asia]}]"};
    char *path = path_join(scratch_folder(), "x.yaml");
    error_info err = {0};
    experiment e = {0};
    (void)state;
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    assert_ok(experiment_read(path, "paper", NULL, 0, &e, &err), &err);
    assert_int_equal(e.n_failure_rules, 0);
    experiment_clear(&e);
    assert_ok(experiment_read(path, NULL, sets, 1, &e, &err), &err);
    assert_int_equal(e.n_failure_rules, 1);
    assert_string_equal(e.failure_rules[0].learner, "hc");
    experiment_clear(&e);
    free(path);
}

static void mistakes_are_named_with_their_place(void **state) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {RULE("if: noodes > 3"), "x.yaml:6:39: if: 'noodes' is no fact of a network; did you mean 'nodes'?"},
        {RULE("if: frobs > 3"), "x.yaml:6:39: if: 'frobs' is no fact of a network; known: samples, nodes, n_variables"},
        {RULE("if: nodes >> 3"), "if: expected one of >=, >, <=, < and = after 'nodes', found '>>'"},
        {RULE("if: nodes == 3"), "after 'nodes', found '=='"},
        {RULE("if: nodes"), "after 'nodes', found nothing more"},
        {RULE("if: nodes > many"), "if: expected a number after 'nodes >', found 'many'"},
        {RULE("if: nodes > 3x"), "found '3x'"},
        {RULE("if: nodes > nan"), "found 'nan'"},
        {RULE("if: nodes > 3 edges > 4"), "if: expected 'and' or the end after 'nodes > 3', found 'edges'"},
        {RULE("if: nodes > 3 or edges > 4"),
         "there is no 'or'; write what holds of other cells as an entry of its own"},
        {RULE("if: nodes > 3 and"), "if: expected a fact such as nodes, edges, states_max or samples after 'nodes > 3 "
                                    "and', found nothing more"},
        {RULE("if: ' '"), "if: expected a fact such as nodes, edges, states_max or samples, found nothing more"},
        {RULE("if: [nodes]"), "x.yaml:6:39: if is a list; it must be a text"},
        {RULE("networks: [alram]"),
         "x.yaml:6:46: networks names 'alram', which is no network of this experiment; did you "
         "mean 'alarm'?"},
        {RULE("networks: [asia, asia]"), "'asia' stands here a second time"},
        {RULE("samples: [0]"), "samples is '0'; it must be a whole number from 1"},
        {RULE("when: nodes > 3"), "unknown key 'when' in an entry of failed_in_paper"},
        {RULE("text: why"), "x.yaml:6:19: an entry of failed_in_paper needs 'if', 'networks' or 'samples'"},
        {HEAD "failed_in_paper: [{if: nodes > 3}]\n", "x.yaml:6:19: an entry of failed_in_paper needs a 'learner'"},
        {HEAD "failed_in_paper: [{learner: mmch, if: nodes > 3}]\n",
         "x.yaml:6:29: learner is 'mmch', which is no learner of this experiment; did you mean 'mmhc'?"},
        {HEAD "failed_in_paper: mmhc\n", "x.yaml:6:18: an entry of failed_in_paper is 'mmhc'; it must be a "
                                         "mapping"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        experiment e = {0};
        error_info err = {0};
        status st = experiment_parse(cases[i].text, strlen(cases[i].text), "x.yaml", &e, &err);
        if (st != STATUS_PARSE || !strstr(err.message, cases[i].message))
            fail_msg("%s gave '%s' and not '%s'", cases[i].text + strlen(HEAD), err.message, cases[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_means_the_cells_of_which_it_holds),
        cmocka_unit_test(networks_are_read_only_where_a_rule_asks_what_they_are),
        cmocka_unit_test(a_network_that_cannot_be_read_is_said_to_be_unknown),
        cmocka_unit_test(of_all_rows_of_data_their_number_is_a_fact),
        cmocka_unit_test(several_entries_and_their_texts_are_told),
        cmocka_unit_test(profiles_add_it_and_take_it_away),
        cmocka_unit_test(mistakes_are_named_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
