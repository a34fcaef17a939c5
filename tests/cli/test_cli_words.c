/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the command line: help, mistakes, what is listed and told. */
#include "tests/support/cli_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const small_csv = "a,b,c\n0,0,1\n0,0,0\n1,1,1\n1,1,0\n0,1,1\n1,0,0\n0,0,1\n1,1,1\n";

static const char *const commands[] = {"run",     "report", "status",  "list",   "info",  "networks",
                                       "sample",  "tile",   "convert", "learn",  "score", "test",
                                       "compare", "plan",   "work",    "collect"};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void every_command_has_help_with_an_example(void **state) {
    (void)state;
    for (int i = 0; i < N_COMMANDS; i++) {
        char usage[64], example[64];
        (void)snprintf(usage, sizeof usage, "Usage: bnbench %s", commands[i]);
        (void)snprintf(example, sizeof example, "\n  bnbench %s", commands[i]);
        for (int form = 0; form < 3; form++) {
            if (form == 2)
                assert_status(0, "help", commands[i]);
            else
                assert_status(0, commands[i], form ? "-h" : "--help");
            assert_text_has(cli_out, usage);
            assert_text_has(strstr(cli_out, "Examples:"), example);
            assert_string_equal(cli_errors, "");
        }
    }
    assert_status(0, "--help");
    for (int i = 0; i < N_COMMANDS; i++)
        assert_text_has(cli_out, commands[i]);
}

static void wrong_words_end_with_status_2_and_a_hint(void **state) {
    static const struct {
        const char *words[8];
        const char *hint;
    } cases[] = {
        {{"lern"}, "did you mean 'learn'?"},
        {{"no-such-command"}, "unknown command 'no-such-command'"},
        {{"--hlep"}, "did you mean '--help'?"},
        {{"learn", "hc", "x", "--thread", "2"}, "did you mean '--threads'?"},
        {{"learn", "hc", "x", "--threads"}, "needs a value"},
        {{"learn", "hc", "x", "--checkpoint", "y"}, "hc keeps none; mmbn and mmpc do"},
        {{"learn", "hc", "x", "--threads", "--json"}, "write --threads=--json"},
        {{"learn", "hc", "x", "--threads=0"}, "[1, 1024]"},
        {{"learn", "hc", "x", "--threads=two"}, "whole number"},
        {{"learn", "hc", "x", "--seed", "-1"}, "it must lie in"},
        {{"learn", "hc", "x", "--time", "soon"}, "duration"},
        {{"learn", "hc", "x", "--json=yes"}, "takes no value"},
        {{"learn", "hc"}, "a word is missing behind 'hc'"},
        {{"learn", "hc", "x", "y"}, "'y' is one word too many"},
        {{"learn", "hcc", "x"}, "did you mean 'hc'?"},
        {{"learn", "hc", "x", "-O", "score=bdue"}, "bdeu|k2|bic|aic|loglik"},
        {{"learn", "hc", "x", "-O", "scoer=bic"}, "did you mean 'score'?"},
        {{"learn", "hc", "x", "-O", "score"}, "name=value"},
        {{"score", "bdue", "g", "x"}, "did you mean 'bdeu'?"},
        {{"score", "bdeu", "g", "x", "-Oess=0"}, "ess"},
        {{"test", "g22", "x", "a", "b"}, "did you mean 'g2'?"},
        {{"compare", "g", "h", "--metrics", "sdh"}, "did you mean 'shd'?"},
        {{"list", "lerners"}, "did you mean 'learners'?"},
        {{"list"}, "expected: KIND"},
        {{"sample", "asia"}, "-n ROWS"},
        {{"sample", "asia", "-n", "0"}, "--rows is 0"},
        {{"sample", "asia", "-n", "-5"}, "--rows is -5"},
        {{"sample", "asia", "-n", "1e3"}, "whole number"},
        {{"sample", "asia", "-n", "1000000000000"}, "GiB"},
        {{"tile", "asia"}, "--copies K"},
        {{"tile", "asia", "--copies", "1"}, "--copies is 1"},
        {{"tile", "asia", "--copies", "2", "-o", "x.csv"}, ".bif"},
        {{"tile", "asia", "--copies", "2", "-o", "x.json"}, ".bif"},
        {{"convert", "asia", "asia.png"}, ".bif, .xmlbif, .net, "},
        {{"convert", "asia", "-", "--to", "png"}, "bif|xmlbif|net|"},
        {{"convert", "g.csv", "g.bif"}, "BIF needs its numbers"},
        {{"run", "quickstart", "--engine", "loca"}, "must be local, slurm or command"},
        {{"run", "quickstart", "--follow"}, "--follow is for --engine slurm or command"},
        {{"run", "quickstart", "--engine", "slurm", "--jobs", "2"}, "--tasks says how many workers"},
        {{"run", "quickstart", "--engine", "slurm", "--submit", "qsub"}, "slurm takes --slurm-args"},
        {{"run", "quickstart", "--engine", "slurm", "--slurm-args", "'a"}, "--slurm-args: a ' is not closed"},
        {{"run", "quickstart", "--engine", "slurm", "--tasks", "0"}, "--tasks is 0"},
        {{"run", "quickstart", "--engine", "command"}, "--engine command takes --submit"},
        {{"run", "quickstart", "--engine", "command", "--submit", " "}, "--submit: there is no command"},
        {{"run", "quickstart", "--engine", "command", "--submit", "q {task}"}, "there is no {task}; there are {tasks}"},
        {{"run", "quickstart", "--engine", "command", "--submit", "q", "--task-time", "0"}, "--task-time is '0'"},
        {{"run", "quickstart", "--jobs", "0"}, "--jobs is 0"},
        {{"report", "s", "--format", "htm"}, "must be one of html|md|latex|csv|text"},
        {{"report", "s", "--format", "pdf"}, "md|latex|csv|text"},
        {{"networks", "fech", "asia"}, "did you mean 'fetch'?"},
        {{"info", "hc", "--kind", "lerner"}, "must be one of"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int seen = cli_call_list(cases[i].words);
        if (seen != 2 || !strstr(cli_errors, cases[i].hint) || *cli_out)
            fail_msg("bnbench %s %s ...: status %d, '%s' expected in: %s%s", cases[i].words[0],
                     cases[i].words[1] ? cases[i].words[1] : "", seen, cases[i].hint, cli_errors, cli_out);
    }
    assert_int_equal(cli_call_list((const char *const[]){NULL}), 2);
}

static void options_may_stand_before_the_command_and_after_the_words(void **state) {
    const char *data = write_file("-data.csv", small_csv);
    char *first;
    (void)state;
    assert_status(0, "list", "learners", "--json");
    first = strdup(cli_out);
    assert_status(0, "--json", "list", "learners");
    assert_string_equal(cli_out, first);
    free(first);
    assert_status(0, "-q", "learn", "--json", "--", "hc", data);
    assert_string_equal(cli_errors, "");
}

static void the_version_is_one_line_or_json(void **state) {
    json_t *o;
    (void)state;
    assert_status(0, "--version");
    assert_text_has(cli_out, "bnbench 0.");
    assert_status(0, "--version", "--json");
    o = parse_answer();
    assert_string_equal(text_at(o, "name"), "bnbench");
    json_decref(o);
}

static void what_is_not_there_is_status_4(void **state) {
    const char *data = write_file("d.csv", small_csv);
    (void)state;
    assert_status(4, "learn", "hc", in_folder("none.csv"));
    assert_text_has(cli_errors, "none.csv");
    assert_status(4, "info", "alrm");
    assert_text_has(cli_errors, "did you mean 'alarm'?");
    assert_status(4, "sample", "alrm", "-n", "5");
    assert_text_has(cli_errors, "alarm");
    assert_status(4, "learn", "hc", data, "--network", in_folder("none.bif"));
    assert_status(4, "run", "quickstrat");
    assert_text_has(cli_errors, "quickstart");
    assert_status(4, "status", in_folder("no-store"));
    assert_status(4, "report", in_folder("no-store"));
}

static void lists_are_arrays_of_objects_with_name_and_summary(void **state) {
    static const char *const kinds[] = {"learners", "networks",    "metrics",      "scores",
                                        "tests",    "experiments", "discretizers", "parts"};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        json_t *array, *entry;
        size_t i;
        assert_status(0, "list", kinds[k], "--json");
        array = parse_answer();
        assert_true(json_array_size(array) > 1);
        json_array_foreach(array, i, entry) {
            assert_true(*text_at(entry, "name") != '\0');
            assert_true(*text_at(entry, "summary") != '\0');
        }
        json_decref(array);
        assert_status(0, "list", kinds[k]);
    }
}

static void whatever_is_listed_has_info(void **state) {
    static const char *const kinds[][2] = {
        {"learners", "learner"}, {"networks", "network"},       {"metrics", "metric"},           {"scores", "score"},
        {"tests", "test"},       {"experiments", "experiment"}, {"discretizers", "discretizer"}, {"parts", "part"}};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        json_t *array, *entry, *told;
        size_t i;
        assert_status(0, "list", kinds[k][0], "--json");
        array = parse_answer();
        json_array_foreach(array, i, entry) {
            const char *name = text_at(entry, "name");
            assert_status(0, "info", name, "--kind", kinds[k][1], "--json");
            told = parse_answer();
            assert_string_equal(text_at(told, "kind"), kinds[k][1]);
            assert_string_equal(text_at(told, "name"), name);
            json_decref(told);
            assert_status(0, "info", name, "--kind", kinds[k][1]);
            assert_text_has(cli_out, name);
        }
        json_decref(array);
    }
}

static void info_of_a_network_counts_the_network_itself(void **state) {
    const char *file = write_file("my net.bif", "network unknown {\n}\n"
                                                "variable a { type discrete [ 2 ] { x, y }; }\n"
                                                "variable b { type discrete [ 3 ] { p, q, r }; }\n"
                                                "probability ( a ) { table 0.5, 0.5; }\n"
                                                "probability ( b | a ) { (x) 0.1, 0.2, 0.7; (y) 0.3, 0.3, 0.4; }\n");
    json_t *o;
    (void)state;
    assert_status(0, "info", file, "--json");
    o = parse_answer();
    assert_that(number_at(o, "nodes"), ==, 2);
    assert_that(number_at(o, "arcs"), ==, 1);
    assert_that(number_at(o, "parameters"), ==, 5);
    assert_that(number_at(o, "min_states"), ==, 2);
    assert_that(number_at(o, "max_states"), ==, 3);
    assert_that(number_at(o, "max_in_degree"), ==, 1);
    assert_that(number_at(o, "max_out_degree"), ==, 1);
    json_decref(o);
}

static void networks_that_ship_are_as_the_catalogue_says(void **state) {
    static const struct {
        const char *name;
        double nodes, arcs, parameters;
    } cases[] = {{"asia", 8, 8, 18}, {"survey", 6, 6, 21}, {"child", 20, 25, 230}, {"alarm", 37, 46, 509}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *o;
        assert_status(0, "info", cases[i].name, "--json");
        o = parse_answer();
        assert_true(json_is_true(json_object_get(o, "available")));
        assert_true(*text_at(o, "citation") != '\0');
        assert_true(number_at(o, "nodes") == cases[i].nodes);
        assert_true(number_at(o, "arcs") == cases[i].arcs);
        assert_true(number_at(o, "parameters") == cases[i].parameters);
        json_decref(o);
    }
}

static void learn_says_what_cut_it_short(void **state) {
    const char *data = in_folder("alarm.csv");
    (void)state;
    assert_status(0, "sample", "alarm", "-n", "5000", "-o", data);
    assert_status(0, "learn", "or", data, "-O", "restarts=0", "-O", "budget=0.001", "-o", in_folder("g.csv"));
    assert_text_has(cli_errors, "; cut short by its budget");
    assert_status(0, "learn", "hc", data, "--time", "1ms", "-o", in_folder("g.csv"));
    assert_text_has(cli_errors, "; cut short by the time limit");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(every_command_has_help_with_an_example),
        cli_test(wrong_words_end_with_status_2_and_a_hint),
        cli_test(options_may_stand_before_the_command_and_after_the_words),
        cli_test(the_version_is_one_line_or_json),
        cli_test(what_is_not_there_is_status_4),
        cli_test(lists_are_arrays_of_objects_with_name_and_summary),
        cli_test(whatever_is_listed_has_info),
        cli_test(info_of_a_network_counts_the_network_itself),
        cli_test(networks_that_ship_are_as_the_catalogue_says),
        cli_test(learn_says_what_cut_it_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
