/* SPDX-License-Identifier: GPL-3.0-or-later */
/* learn, score, test, compare, sample and convert, from outside. */
#include "tests/support/cli_support.h"

#include "core/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const small_csv = "a,b,c\n0,0,1\n0,0,0\n1,1,1\n1,1,0\n0,1,1\n1,0,0\n0,0,1\n1,1,1\n";

static void a_learned_graph_scores_what_the_learner_said(void **state) {
    const char *data = in_folder("asia.csv"), *graph = in_folder("learned.csv");
    json_t *learned, *scored, *value;
    const char *node;
    double sum = 0;
    (void)state;
    assert_status(0, "sample", "asia", "-n", "500", "--seed", "3", "-o", data);
    assert_true(is_there(in_folder("asia.schema.csv")));
    assert_status(0, "learn", "hc", data, "--json", "-o", graph, "--network", "asia");
    learned = parse_answer();
    assert_string_equal(text_at(learned, "learner"), "hc");
    assert_string_equal(text_at(learned, "graph"), "dag");
    assert_that(number_at(learned, "cpu_seconds"), >=, 0);
    assert_that(number_at(learned, "wall_seconds"), >=, 0);
    assert_that(number_at(learned, "peak_memory_bytes"), >, 0);
    assert_that(number_at(learned, "edges"), >, 0);
    assert_true(number_at(json_object_get(learned, "statistics"), "computed") > 0);
    assert_true(json_is_object(json_object_get(learned, "options")));
    assert_true(number_at(json_object_get(learned, "distance"), "shd") >= 0);

    const char *name = text_at(json_object_get(learned, "score"), "name");
    char ess[32];
    (void)snprintf(ess, sizeof ess, "ess=%.17g", number_at(json_object_get(learned, "options"), "ess"));
    assert_status(0, "score", name, graph, data, "-O", ess, "--by-node", "--json");
    scored = parse_answer();
    assert_close(number_at(scored, "value"), number_at(json_object_get(learned, "score"), "value"), 1e-12);
    assert_true(number_at(scored, "n") == 500);
    assert_int_equal(json_object_size(json_object_get(scored, "nodes")), 8);
    json_object_foreach(json_object_get(scored, "nodes"), node, value) {
        sum += json_number_value(value);
    }
    assert_close(sum, number_at(scored, "value"), 1e-12);
    json_decref(learned);
    json_decref(scored);
}

static void the_same_seed_gives_the_same_rows_and_the_same_graph(void **state) {
    char *first;
    (void)state;
    assert_status(0, "sample", "child", "-n", "50", "--seed", "9");
    first = strdup(cli_out);
    assert_status(0, "sample", "child", "-n", "50", "--seed", "9");
    assert_string_equal(cli_out, first);
    assert_status(0, "sample", "child", "-n", "50", "--seed", "10");
    assert_string_not_equal(cli_out, first);
    free(first);
}

static void a_graph_without_a_list_of_nodes_stands_for_all_columns(void **state) {
    const char *data = write_file("d.csv", small_csv);
    const char *bare = write_file("bare.csv", "from,to,type\na,b,directed\n");
    const char *listed = write_file("listed.csv", "# nodes: a,b\nfrom,to,type\na,b,directed\n");
    const char *strange = write_file("strange.csv", "from,to,type\na,zebra,directed\n");
    json_t *o;
    (void)state;
    assert_status(0, "score", "bic", bare, data, "--by-node", "--json");
    o = parse_answer();
    assert_int_equal(json_object_size(json_object_get(o, "nodes")), 3);
    json_decref(o);
    assert_status(0, "score", "bic", listed, data, "--by-node", "--json");
    assert_text_has(cli_errors, "left out");
    o = parse_answer();
    assert_int_equal(json_object_size(json_object_get(o, "nodes")), 2);
    json_decref(o);
    assert_status(3, "score", "bic", strange, data);
    assert_text_has(cli_errors, "zebra");
}

static void an_undirected_graph_is_scored_as_a_dag_of_its_class(void **state) {
    const char *data = write_file("d.csv", small_csv);
    const char *chain = write_file("chain.csv", "from,to,type\na,b,undirected\nb,c,undirected\n");
    const char *dag_of_it = write_file("dag.csv", "from,to,type\na,b,directed\nb,c,directed\n");
    const char *square = write_file("cycle.csv", "from,to,type\na,b,directed\nb,c,directed\nc,a,directed\n");
    char *value;
    (void)state;
    assert_status(0, "score", "bdeu", chain, data);
    assert_text_has(cli_errors, "undirected");
    value = strdup(cli_out);
    assert_status(0, "score", "bdeu", dag_of_it, data);
    assert_close(strtod(cli_out, NULL), strtod(value, NULL), 1e-12);
    free(value);
    assert_status(3, "score", "bdeu", square, data);
}

static void a_test_of_the_forty_rows_is_the_worked_one(void **state) {
    /* A, B, C of forty rows; G2(A; B | C) by hand from the counts, full degrees of freedom */
    static const int counts[2][2][2] = {{{10, 3}, {2, 5}}, {{4, 2}, {3, 11}}};
    text_buffer text = {0};
    double g2 = 0;
    json_t *o;
    (void)state;
    text_append(&text, "A,B,C\n");
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            for (int c = 0; c < 2; c++) {
                double total = counts[0][0][c] + counts[0][1][c] + counts[1][0][c] + counts[1][1][c];
                double expected = (counts[a][0][c] + counts[a][1][c]) * (counts[0][b][c] + counts[1][b][c]) / total;
                g2 += 2 * counts[a][b][c] * log(counts[a][b][c] / expected);
                for (int m = 0; m < counts[a][b][c]; m++)
                    text_append_format(&text, "%d,%d,%d\n", a, b, c);
            }
        }
    }
    assert_status(0, "test", "g2", write_file("forty.csv", text.data), "A", "B", "--given", "C", "-O", "df=full",
                  "--json");
    o = parse_answer();
    assert_close(number_at(o, "statistic"), g2, 1e-12);
    assert_that(number_at(o, "df"), ==, 2);
    assert_that(number_at(o, "n"), ==, 40);
    assert_close(number_at(o, "p_value"), exp(-g2 / 2), 1e-12); /* two degrees of freedom: the tail is exp(-x / 2) */
    assert_close(number_at(o, "log_p_value"), -g2 / 2, 1e-12);
    assert_true(json_is_boolean(json_object_get(o, "reliable")));
    assert_int_equal(json_array_size(json_object_get(o, "given")), 1);
    json_decref(o);
    text_buffer_clear(&text);
}

static void a_column_with_a_comma_is_named_in_quotes(void **state) {
    const char *data = write_file("d.csv", "alpha,beta,\"city, country\",age\n0,0,1,0\n1,1,0,1\n0,1,0,0\n1,0,1,1\n");
    json_t *o, *given;
    (void)state;
    assert_status(0, "test", "g2", data, "alpha", "beta", "--given", "\"city, country\",age", "--json");
    o = parse_answer();
    given = json_object_get(o, "given");
    assert_int_equal(json_array_size(given), 2);
    assert_string_equal(json_string_value(json_array_get(given, 0)), "city, country");
    assert_string_equal(json_string_value(json_array_get(given, 1)), "age");
    json_decref(o);
    assert_status(2, "test", "g2", data, "alpha", "beta", "--given", "city, country");
    assert_status(2, "test", "g2", data, "alpha", "beta", "--given", "\"city, country");
    assert_text_has(cli_errors, "a quote that is not closed");
}

static void columns_that_are_not_there_are_wrong_words(void **state) {
    const char *data = write_file("d.csv", "alpha,beta,gamma\n0,0,1\n1,1,0\n0,1,0\n");
    (void)state;
    assert_status(2, "test", "g2", data, "alpha", "bta");
    assert_text_has(cli_errors, "did you mean 'beta'?");
    assert_status(2, "test", "g2", data, "alpha", "alpha");
    assert_status(2, "test", "g2", data, "alpha", "beta", "--given", "gamma,gamma");
    assert_text_has(cli_errors, "twice");
    assert_status(2, "test", "g2", data, "alpha", "beta", "--given", "beta");
}

static void compare_joins_nodes_and_counts_edges(void **state) {
    const char *learned = write_file("l.csv", "from,to,type\na,b,directed\nc,b,directed\nd,e,directed\n");
    const char *truth = write_file("t.csv", "from,to,type\na,b,directed\nc,b,directed\nb,f,directed\n");
    const char *listed = write_file("n.csv", "# nodes: a,b,c\nfrom,to,type\na,b,directed\n");
    json_t *o;
    (void)state;
    assert_status(0, "compare", learned, truth, "--json");
    o = parse_answer();
    assert_that(number_at(o, "shd"), ==, 2);
    assert_that(number_at(o, "missing"), ==, 1);
    assert_that(number_at(o, "extra"), ==, 1);
    assert_that(number_at(o, "misoriented"), ==, 0);
    assert_that(number_at(o, "nodes"), ==, 6);
    assert_true(number_at(json_object_get(o, "skeleton"), "tp") == 2);
    assert_true(number_at(json_object_get(o, "skeleton"), "fp") == 1);
    assert_true(number_at(json_object_get(o, "skeleton"), "fn") == 1);
    assert_true(number_at(json_object_get(o, "metrics"), "precision") > 0);
    json_decref(o);
    assert_status(0, "compare", learned, truth, "--metrics", "recall,shd", "--json");
    o = parse_answer();
    assert_int_equal(json_object_size(json_object_get(o, "metrics")), 2);
    json_decref(o);
    assert_status(3, "compare", learned, listed);
    assert_text_has(cli_errors, "'d'");
    assert_status(0, "compare", "asia", "asia", "--metrics", "shd");
    assert_text_has(cli_out, " 0 ");
}

static void a_graph_that_says_its_kind_is_at_no_distance_from_itself(void **state) {
    /* directed edges alone, which as a DAG would be the undirected chain */
    const char *pattern = write_file("p.csv", "# kind: cpdag\nfrom,to,type\na,b,directed\nb,c,directed\n");
    const char *bare = write_file("b.csv", "from,to,type\na,b,directed\nb,c,directed\n");
    const char *liar = write_file("liar.csv", "# kind: dag\nfrom,to,type\na,b,undirected\n");
    (void)state;
    assert_status(0, "compare", pattern, pattern, "--metrics", "shd");
    assert_text_has(cli_out, " 0 ");
    assert_status(0, "compare", pattern, bare, "--metrics", "shd");
    assert_text_has(cli_out, " 2 ");
    assert_status(0, "compare", bare, pattern, "--metrics", "shd");
    assert_text_has(cli_out, " 2 ");
    assert_status(0, "compare", bare, bare, "--metrics", "shd");
    assert_text_has(cli_out, " 0 ");
    assert_status(0, "convert", pattern, in_folder("again.csv"));
    assert_status(0, "compare", in_folder("again.csv"), pattern, "--metrics", "shd");
    assert_text_has(cli_out, " 0 ");
    assert_status(3, "compare", liar, bare);
    assert_text_has(cli_errors, "liar.csv: 1:9: expected a kind that the graph is of, found 'dag'");
}

/* The values that both commands give of `learner` on d.csv agree, and none is of a metric that needs directions. */
static void check_skeleton(const char *learner) {
    json_t *learned, *compared, *distance;
    assert_status(0, "learn", learner, in_folder("d.csv"), "--network", "asia", "-o", in_folder("g.csv"), "--json");
    learned = parse_answer();
    distance = json_object_get(learned, "distance");
    assert_status(0, "compare", in_folder("g.csv"), "asia", "--json");
    compared = parse_answer();
    assert_true(json_is_null(json_object_get(distance, "shd")));
    assert_true(json_is_null(json_object_get(distance, "misoriented")));
    assert_true(json_is_null(json_object_get(compared, "shd")));
    assert_true(json_is_null(json_object_get(compared, "misoriented")));
    assert_null(json_object_get(json_object_get(compared, "metrics"), "shd_raw"));
    assert_true(number_at(distance, "missing") == number_at(compared, "missing"));
    assert_true(number_at(distance, "extra") == number_at(compared, "extra"));
    assert_true(number_at(distance, "shd_skeleton") == number_at(json_object_get(compared, "metrics"), "shd_skeleton"));
    assert_true(number_at(distance, "shd_skeleton") == number_at(distance, "missing") + number_at(distance, "extra"));
    json_decref(learned);
    json_decref(compared);
}

static void a_skeleton_has_no_distance_that_needs_directions(void **state) {
    (void)state;
    assert_status(0, "sample", "asia", "-n", "500", "-o", in_folder("d.csv"));
    check_skeleton("mmpc");
    check_skeleton("pmmpc");
    assert_status(0, "learn", "mmpc", in_folder("d.csv"), "--network", "asia", "-o", in_folder("g.csv"));
    assert_text_has(cli_errors, "against the skeleton of asia: SHD ");
    assert_null(strstr(cli_errors, "misoriented"));
    assert_status(0, "compare", in_folder("g.csv"), "asia");
    assert_text_has(cli_out, "shd_skeleton ");
    assert_null(strstr(cli_out, "shd "));
    assert_null(strstr(cli_out, "misoriented_edges "));
    assert_status(0, "compare", in_folder("g.csv"), "asia", "--metrics", "shd");
    assert_text_has(cli_out, " -  structural");
}

static void conversions_keep_the_network_and_the_graph(void **state) {
    const char *packed = in_folder("a.bif.gz"), *plain = in_folder("b.bif"), *again = in_folder("c.bif");
    char *first;
    (void)state;
    assert_status(0, "convert", "asia", packed);
    assert_status(0, "convert", packed, plain);
    assert_status(0, "convert", plain, again);
    assert_status(0, "convert", again, "-", "--to", "bif");
    first = strdup(cli_out);
    assert_status(0, "convert", "asia", "-", "--to", "bif");
    assert_string_equal(cli_out, first);
    free(first);
    assert_status(0, "convert", "asia", in_folder("g.csv"));
    assert_status(0, "compare", in_folder("g.csv"), "asia", "--json");
    assert_text_has(cli_out, "\"shd\": 0");
    assert_status(0, "convert", in_folder("g.csv"), "-", "--to", "dot");
    assert_text_has(cli_out, "digraph");
}

static void a_tiled_network_has_the_nodes_and_arcs_asked_for(void **state) {
    const char *file = in_folder("asia4.bif.gz");
    json_t *o;
    (void)state;
    assert_status(0, "tile", "asia", "--copies", "4", "--arcs", "5", "--seed", "2", "-o", file, "--json");
    o = parse_answer();
    assert_that(number_at(o, "nodes"), ==, 32);
    assert_that(number_at(o, "arcs"), ==, 4 * 8 + 5);
    json_decref(o);
    assert_status(0, "info", file, "--json");
    o = parse_answer();
    assert_that(number_at(o, "nodes"), ==, 32);
    assert_that(number_at(o, "arcs"), ==, 37);
    json_decref(o);
    assert_status(2, "tile", "asia", "--copies", "2", "--arcs", "1000000");
}

static void odd_file_names_work(void **state) {
    static const char *const names[] = {"with space.csv",  "it's \"quoted\".csv", "zwölf Äpfel 数据.csv",
                                        "$(touch x);.csv", "-dash.csv",           "percent%s%n.csv",
                                        "a\nb.csv"};
    char *graph;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *data = in_folder(names[i]);
        assert_status(0, "sample", "asia", "-n", "100", "-o", data);
        assert_status(0, "learn", "hc", data, "-q");
        graph = strdup(cli_out);
        assert_status(0, "learn", "hc", data, "-o", in_folder("out put.csv"), "-q");
        assert_status(0, "compare", in_folder("out put.csv"), write_file("g.csv", graph), "--metrics", "shd_raw");
        assert_text_has(cli_out, " 0 ");
        free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_learned_graph_scores_what_the_learner_said),
        cli_test(the_same_seed_gives_the_same_rows_and_the_same_graph),
        cli_test(a_graph_without_a_list_of_nodes_stands_for_all_columns),
        cli_test(an_undirected_graph_is_scored_as_a_dag_of_its_class),
        cli_test(a_test_of_the_forty_rows_is_the_worked_one),
        cli_test(a_column_with_a_comma_is_named_in_quotes),
        cli_test(columns_that_are_not_there_are_wrong_words),
        cli_test(compare_joins_nodes_and_counts_edges),
        cli_test(a_graph_that_says_its_kind_is_at_no_distance_from_itself),
        cli_test(a_skeleton_has_no_distance_that_needs_directions),
        cli_test(conversions_keep_the_network_and_the_graph),
        cli_test(a_tiled_network_has_the_nodes_and_arcs_asked_for),
        cli_test(odd_file_names_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
