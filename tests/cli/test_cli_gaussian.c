/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Continuous data and linear-Gaussian networks, from outside. */
#include "tests/support/cli_support.h"

#include "core/base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char chain[] =
    "{\"name\": \"chain\", \"type\": \"linear-gaussian\", \"nodes\": [\n"
    "  {\"name\": \"a\", \"parents\": [], \"intercept\": 1, \"coefficients\": [], \"sd\": 1},\n"
    "  {\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": 0, \"coefficients\": [2], \"sd\": 1},\n"
    "  {\"name\": \"c\", \"parents\": [\"a\"], \"intercept\": 0, \"coefficients\": [-1], \"sd\": 1},\n"
    "  {\"name\": \"d\", \"parents\": [\"b\", \"c\"], \"intercept\": 3, \"coefficients\": [1, 1], \"sd\": 0.5}]}\n";

static json_t *answer_of_info(const char *word) {
    assert_status(0, "info", word, "--json");
    return parse_answer();
}

static void a_network_is_told_of_sampled_learned_and_compared_with(void **state) {
    const char *net = write_file("chain.json", chain), *data = in_folder("data.csv");
    json_t *o = answer_of_info(net);
    (void)state;
    assert_string_equal(text_at(o, "name"), "chain");
    assert_string_equal(text_at(o, "data"), "continuous");
    assert_that(number_at(o, "nodes"), ==, 4);
    assert_that(number_at(o, "arcs"), ==, 4);
    assert_that(number_at(o, "parameters"), ==, 12);
    json_decref(o);
    assert_status(0, "sample", net, "-n", "2000", "-o", data);
    assert_true(is_there(in_folder("data.schema.csv")));
    assert_status(0, "learn", "hc", data, "-O", "score=bic-g", "--network", net, "--json");
    o = parse_answer();
    assert_string_equal(text_at(json_object_get(o, "score"), "name"), "bic-g");
    assert_true(number_at(json_object_get(o, "distance"), "shd") == 0);
    json_decref(o);
    assert_status(2, "sample", net, "-n", "10", "--continuize", "sigma=1");
    assert_text_has(cli_errors, "need no --continuize");
}

static void a_network_is_found_by_its_name_in_the_folders_that_are_searched(void **state) {
    (void)state;
    (void)write_file("chain.json", chain);
    assert_int_equal(cli_call_shell("BNBENCH_NETWORKS=$1 \"$0\" sample chain -n 3 --quiet"), 0);
    assert_text_has(cli_out, "a,b,c,d\n");
    assert_int_equal(cli_call_shell("BNBENCH_NETWORKS=$1 \"$0\" info chain"), 0);
    assert_text_has(cli_out, "linear function");
    assert_int_equal(cli_call_shell("BNBENCH_NETWORKS=$1 \"$0\" convert chain - --to csv"), 0);
    assert_text_has(cli_out, "a,b,directed");
    assert_int_equal(cli_call_shell("BNBENCH_NETWORKS=$1 \"$0\" tile chain --copies 2 --arcs 1"), 3);
    assert_text_has(cli_errors, "linear-Gaussian");
}

static void a_network_converts_to_itself_and_to_its_graph(void **state) {
    const char *net = write_file("chain.json", chain), *once = in_folder("once.json"), *twice = in_folder("twice.json");
    char *a = NULL, *b = NULL;
    size_t n_a, n_b;
    error_info err = {0};
    (void)state;
    assert_status(0, "convert", net, once);
    assert_status(0, "convert", once, twice);
    assert_ok(file_read(once, FILE_READ_MOST, &a, &n_a, &err), &err);
    assert_ok(file_read(twice, FILE_READ_MOST, &b, &n_b, &err), &err);
    assert_string_equal(a, b);
    free(a);
    free(b);
    assert_status(0, "convert", once, in_folder("g.dot"));
    assert_status(0, "convert", once, in_folder("g.csv.gz"));
    assert_status(0, "compare", in_folder("g.csv.gz"), net, "--json");
    assert_status(2, "convert", net, in_folder("x.bif"));
    assert_text_has(cli_errors, "json, pgmpy, csv, dot");
    assert_status(2, "convert", "asia", in_folder("x.json"));
    assert_text_has(cli_errors, "bif, xmlbif, net, xdsl, dsc, dne, uai, csv, dot");
    assert_status(2, "convert", in_folder("g.csv.gz"), in_folder("x.json"));
    assert_text_has(cli_errors, "bnbench fit");
}

static void a_fit_of_continuous_data_gives_the_network_back(void **state) {
    const char *net = write_file("chain.json", chain), *data = in_folder("data.csv"), *fitted = in_folder("fit.json");
    json_t *o, *node;
    json_error_t where;
    size_t i;
    (void)state;
    assert_status(0, "sample", net, "-n", "20000", "-o", data);
    assert_status(0, "fit", net, data, "-o", fitted, "--json");
    o = parse_answer();
    assert_string_equal(text_at(o, "data"), "continuous");
    assert_that(number_at(o, "arcs"), ==, 4);
    assert_that(number_at(o, "n"), ==, 20000);
    assert_string_equal(text_at(json_object_get(o, "options"), "variance"), "unbiased");
    json_decref(o);
    o = json_load_file(fitted, 0, &where);
    assert_non_null(o);
    json_array_foreach(json_object_get(o, "nodes"), i, node) {
        static const double sds[] = {1, 1, 1, .5};
        assert_true(fabs(number_at(node, "sd") - sds[i]) < .03);
    }
    json_decref(o);
    assert_status(2, "fit", net, data, "-o", in_folder("fit.bif"));
    assert_text_has(cli_errors, ".json");
    assert_status(2, "fit", net, data);
    assert_status(2, "fit", net, data, "-o", fitted, "-O", "ess=1");
}

static void a_fit_of_mixed_data_names_a_column_of_each_kind(void **state) {
    const char *data = write_file("m.csv", "p,q,r\n0.5,1,a\n0.75,2,b\n0.1,2,a\n1.3,1,b\n");
    const char *graph = write_file("g.csv", "from,to,type\np,q,directed\n");
    static const char *const outputs[] = {"m.bif", "m.json"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_status(3, "fit", graph, data, "-o", in_folder(outputs[i]));
        assert_text_has(cli_errors, "column 'q' is discrete and 'p' continuous; fit takes data of one kind");
    }
    assert_status(2, "fit", graph, write_file("c.csv", "p,q\n0.5,1.5\n0.7,2.5\n0.1,0.2\n"), "-o", in_folder("m.bif"));
    assert_text_has(cli_errors, "continuous data need a .json or .json.gz network file");
}

static void a_fit_of_discrete_data_gives_tables(void **state) {
    const char *data = in_folder("asia.csv"), *fitted = in_folder("fit.bif");
    json_t *o;
    (void)state;
    assert_status(0, "sample", "asia", "-n", "20000", "-o", data);
    assert_status(0, "fit", "asia", data, "-O", "ess=10", "-o", fitted);
    o = answer_of_info(fitted);
    assert_that(number_at(o, "arcs"), ==, 8);
    assert_that(number_at(o, "parameters"), ==, 18);
    json_decref(o);
    assert_status(0, "sample", fitted, "-n", "5");
    assert_status(2, "fit", "asia", data, "-o", in_folder("fit.json"));
    assert_status(3, "fit", "child", data, "-o", fitted);
    assert_text_has(cli_errors, "no column of the data");
}

static void scores_of_continuous_data_are_told_by_node(void **state) {
    const char *data = write_file("xy.csv", "x,y\n1,2\n2,1\n3,4\n4,3\n5,6\n");
    const char *schema = write_file("xy.schema.csv", "column,type,cardinality\nx,continuous,\ny,continuous,\n");
    const char *graph = write_file("g.csv", "from,to,type\nx,y,directed\n");
    json_t *o;
    (void)state;
    assert_true(is_there(schema));
    assert_status(0, "score", "bic-g", graph, data, "-O", "variance=mle", "--by-node", "--json");
    o = parse_answer();
    assert_close(number_at(json_object_get(o, "nodes"), "y"), -9.406795, 1e-7);
    assert_close(number_at(json_object_get(o, "nodes"), "x"), -10.436999, 1e-7);
    json_decref(o);
    assert_status(0, "score", "bge", graph, data, "--json");
    o = parse_answer();
    assert_close(number_at(o, "value"), -24.394758, 1e-7);
    json_decref(o);
    assert_status(3, "score", "bdeu", graph, data);
    assert_text_has(cli_errors, "column x is continuous: discretize it, or use score=bic-g");
    assert_status(3, "score", "bge", graph, data, "-O", "aw=3");
    assert_text_has(cli_errors, "aw is 3");
}

static void a_file_that_is_no_network_is_answered_with_the_place(void **state) {
    const char *broken = write_file("broken.json", "{\"type\": \"linear-gaussian\",\n \"nodes\": [}");
    const char *loop =
        write_file("loop.json", "{\"type\": \"linear-gaussian\", \"nodes\": [{\"name\": \"a\", \"parents\": [\"a\"], "
                                "\"intercept\": 0, \"coefficients\": [1], \"sd\": 1}]}");
    (void)state;
    assert_status(3, "sample", broken, "-n", "5");
    assert_text_has(cli_errors, "broken.json: 2:");
    assert_status(3, "info", loop);
    assert_text_has(cli_errors, "loop.json: node 1 ('a')");
    assert_status(4, "info", in_folder("nowhere.json"));
}

static void an_experiment_takes_a_linear_gaussian_network(void **state) {
    const char *yaml = write_file("x.yaml", "name: x\nseed: 4\nnetworks: [./chain.json]\n"
                                            "data: {samples: [500], replicates: 2, test_samples: 500}\n"
                                            "learners: [{learner: hc, score: bge}, {id: plain, learner: hc}]\n"
                                            "metrics: [shd, bic-g_test, loglik-g_test]\n");
    (void)state;
    (void)write_file("chain.json", chain);
    assert_status(6, "run", yaml, "--store", in_folder("store"), "--json", "--quiet");
    assert_status(0, "report", in_folder("store"), "--format", "csv", "--out", in_folder("report"));
    assert_status(0, "status", in_folder("store"), "--why");
    assert_text_has(cli_out, "is continuous: discretize it, or use score=bic-g");
    assert_int_equal(cli_call_shell("cat \"$1\"/report/tables/*.csv"), 0);
    assert_text_has(cli_out, "bic-g_test");
    assert_text_has(cli_out, "loglik-g_test");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_network_is_told_of_sampled_learned_and_compared_with),
        cli_test(a_network_is_found_by_its_name_in_the_folders_that_are_searched),
        cli_test(a_network_converts_to_itself_and_to_its_graph),
        cli_test(a_fit_of_continuous_data_gives_the_network_back),
        cli_test(a_fit_of_mixed_data_names_a_column_of_each_kind),
        cli_test(a_fit_of_discrete_data_gives_tables),
        cli_test(scores_of_continuous_data_are_told_by_node),
        cli_test(a_file_that_is_no_network_is_answered_with_the_place),
        cli_test(an_experiment_takes_a_linear_gaussian_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
