/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every format that holds a network of tables: what is written reads back, what is wrong is refused with its place, and
   what other programs write is read. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "generators/networks/bif.h"
#include "generators/networks/network_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same network, whatever the order of its variables ---- */

static bool names_are_kept(const network_format *f) {
    return strcmp(f->name, "uai") != 0; /* knows variables and states by their numbers */
}

static size_t node_in(const network_format *f, const bayes_net *a, size_t i, const bayes_net *b) {
    return names_are_kept(f) ? bayes_net_find_node(b, bayes_net_variable(a, i)->name) : i;
}

static void assert_same_node(const network_format *f, const bayes_net *a, const bayes_net *b, size_t i) {
    size_t j = node_in(f, a, i, b), n, m;
    const size_t *parents = bayes_net_parents(a, i, &n), *others;
    size_t r = bayes_net_variable(a, i)->n_states;
    assert_true(j < bayes_net_node_count(b));
    others = bayes_net_parents(b, j, &m);
    if (names_are_kept(f))
        assert_true(variable_is_equal(bayes_net_variable(a, i), bayes_net_variable(b, j)));
    assert_that(r, ==, bayes_net_variable(b, j)->n_states);
    assert_that(n, ==, m);
    for (size_t p = 0; p < n; p++)
        assert_that(node_in(f, a, parents[p], b), ==, others[p]);
    for (size_t c = 0; c < bayes_net_configuration_count(a, i) * r; c++) {
        if (bayes_net_table(a, i)[c] != bayes_net_table(b, j)[c])
            fail_msg("%s: cell %zu of '%s' is %.17g, expected %.17g", f->title, c, bayes_net_variable(a, i)->name,
                     bayes_net_table(b, j)[c], bayes_net_table(a, i)[c]);
    }
}

static void assert_survives(const network_format *f, const bayes_net *net) {
    text_buffer text = {0};
    any_network given = {.tables = (bayes_net *)net}, again = {0};
    error_info err = {0};
    f->append(&given, &text);
    assert_false(text.failed);
    assert_ok(f->parse(text.data, text.length, bayes_net_name(net), &again, NULL, &err), &err);
    assert_that(bayes_net_node_count(net), ==, bayes_net_node_count(again.tables));
    assert_string_equal(bayes_net_name(net), bayes_net_name(again.tables));
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        assert_same_node(f, net, again.tables, i);
    any_network_clear(&again);
    text_buffer_clear(&text);
}

static void assert_survives_all(const char *path) {
    bayes_net *net = NULL;
    error_info err = {0};
    const network_format *f;
    assert_ok(bif_read(path, &net, NULL, &err), &err);
    for (size_t i = 0; (f = network_format_at(i)) != NULL; i++) {
        if (f->is_of_tables && f->append)
            assert_survives(f, net);
    }
    bayes_net_destroy(net);
}

static void networks_that_ship_survive_every_format(void **state) {
    static const char *const names[] = {"alarm", "asia", "child", "survey"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "networks/%s.bif", names[i]);
        assert_survives_all(source_path(path));
    }
}

static void networks_of_the_repository_survive_every_format(void **state) {
    const char *folder = shared_path("networks");
    folder_list files = {0};
    error_info err = {0};
    (void)state;
    if (!folder)
        skip();
    assert_ok(folder_list_read(folder, ".bif.gz", &files, &err), &err);
    assert_int_equal(files.n, 24);
    for (size_t i = 0; i < files.n; i++) {
        char *path = path_join(folder, files.names[i]);
        assert_survives_all(path);
        free(path);
    }
    folder_list_clear(&files);
}

/* ---- names ---- */

static const char odd_names[] =
    "network \"the <net> & more\" { }\n"
    "variable \"a b\" { type discrete [ 4 ] { \"1\", \"<&>\", x_0041_, \"c:\\d\" }; }\n"
    "variable node { type discrete [ 2 ] { \"\xC3\xA9\", \"tab\there\" }; }\n"
    "variable 7up { type discrete [ 1 ] { \" \" }; }\n"
    "probability ( \"a b\" ) { table 0.1, 0.2, 0.3, 0.4; }\n"
    "probability ( node | \"a b\", 7up ) { (\"1\", \" \") 0.1, 0.9; (\"<&>\", \" \") 0.2, 0.8;\n"
    " (x_0041_, \" \") 0.3, 0.7; (\"c:\\d\", \" \") 0.4, 0.6; }\n"
    "probability ( 7up ) { table 1; }\n";

static void odd_names_survive_and_are_told_of(void **state) {
    bayes_net *net = NULL;
    error_info err = {0};
    const network_format *f;
    (void)state;
    assert_ok(bif_parse(odd_names, strlen(odd_names), "odd", &net, NULL, &err), &err);
    for (size_t i = 0; (f = network_format_at(i)) != NULL; i++) {
        any_network any = {.tables = net};
        text_buffer loss = {0};
        if (!f->is_of_tables || !f->append_loss)
            continue;
        if (names_are_kept(f))
            assert_survives(f, net);
        f->append_loss(&any, &loss);
        assert_non_null(loss.data);
        assert_non_null(strstr(loss.data, names_are_kept(f) ? "written" : "numbers"));
        text_buffer_clear(&loss);
    }
    bayes_net_destroy(net);
}

static void a_format_is_found_by_every_ending_and_by_its_text(void **state) {
    (void)state;
    assert_string_equal(network_format_of_path("a/b.bifxml.gz")->name, "xmlbif");
    assert_string_equal(network_format_of_path("b.xml")->name, "xmlbif");
    assert_string_equal(network_format_of_path("b.bif")->name, "bif");
    assert_string_equal(network_format_of_path("b.json")->name, "json");
    assert_null(network_format_of_path("b.txt"));
}

/* ---- what is wrong ---- */

static void assert_refused(const char *format, const char *text, const char *message) {
    any_network net = {0};
    error_info err = {0};
    const network_format *f = network_format_find(format);
    status st = f->parse(text, strlen(text), "given", &net, NULL, &err);
    if (st != STATUS_PARSE || !strstr(err.message, message))
        fail_msg("expected a refusal with '%s', found %s '%s' for\n%s", message, status_name(st), err.message, text);
    assert_null(net.tables);
    assert_null(net.gaussian);
}

#define X_HEAD                                                                                                         \
    "<BIF>\n<NETWORK>\n<VARIABLE TYPE='nature'><NAME>a</NAME><OUTCOME>y</OUTCOME><OUTCOME>n</OUTCOME></VARIABLE>\n"
#define X_TAIL "</NETWORK></BIF>"
#define X_TABLE(numbers) "<DEFINITION><FOR>a</FOR>\n<TABLE>" numbers "</TABLE></DEFINITION>"

static void bad_xml_is_refused_with_its_place(void **state) {
    char deep[2000] = "";
    (void)state;
    for (size_t i = 0; i < 100; i++)
        strcat(deep, "<a>");
    assert_refused("xmlbif", "", "1:1: expected XML");
    assert_refused("xmlbif", "nonsense", "1:1: expected XML");
    assert_refused("xmlbif", "<BIF>\n<NETWORK></BIF>", "2:16: expected XML");
    assert_refused("xmlbif", deep, "elements lie more than 64 deep");
    assert_refused("xmlbif", "<!DOCTYPE BIF [\n<!ENTITY a 'b'>]><BIF>&a;</BIF>", "entities are not read");
    assert_refused("xmlbif", "<!DOCTYPE BIF [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><BIF>&a;</BIF>",
                   "entities are not read");
    assert_refused("xmlbif", "<BIF>&other;</BIF>", "1:");
    assert_refused("xmlbif", "<html></html>", "expected <BIF> with a <NETWORK> in it, found <html>");
    assert_refused("xmlbif", "<BIF><NETWORK></NETWORK></BIF>", "expected a variable, found none");
}

static void bad_xmlbif_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("xmlbif", X_HEAD X_TAIL, "3:24: expected probabilities for variable 'a', found none");
    assert_refused("xmlbif", X_HEAD X_TABLE("0.5 0.4") X_TAIL, "5:7: a row of 'a' sums to 0.9");
    assert_refused("xmlbif", X_HEAD X_TABLE("1.5 -0.5") X_TAIL, "a probability of 'a' is -0.5");
    assert_refused("xmlbif", X_HEAD X_TABLE("0.5 nan") X_TAIL, "found 'nan'");
    assert_refused("xmlbif", X_HEAD X_TABLE("0.5") X_TAIL, "expected 2 probabilities for 'a', found 1");
    assert_refused("xmlbif", X_HEAD X_TABLE("0.5 0.5") X_TABLE("0.5 0.5") X_TAIL, "'a' has a second table");
    assert_refused("xmlbif", X_HEAD "<DEFINITION><FOR>b</FOR><TABLE>1</TABLE></DEFINITION>" X_TAIL,
                   "expected a declared variable, found 'b'");
    assert_refused("xmlbif", X_HEAD "<DEFINITION><FOR>a</FOR><GIVEN>a</GIVEN><TABLE>1</TABLE></DEFINITION>" X_TAIL,
                   "variable 'a' is its own parent");
    assert_refused("xmlbif", "<BIF><NETWORK><VARIABLE TYPE='decision'><NAME>a</NAME></VARIABLE></NETWORK></BIF>",
                   "only 'nature' is read");
}

static void a_table_of_xmlbif_whose_child_varies_slowest_is_read(void **state) { /* the example of the format's page */
    static const char text[] =
        "<?xml version=\"1.0\"?><!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]><BIF VERSION=\"0.3\"><NETWORK>"
        "<VARIABLE><NAME>b</NAME><OUTCOME>t</OUTCOME><OUTCOME>f</OUTCOME></VARIABLE>"
        "<VARIABLE><NAME>f</NAME><OUTCOME>t</OUTCOME><OUTCOME>f</OUTCOME></VARIABLE>"
        "<VARIABLE><NAME>d</NAME><OUTCOME>t</OUTCOME><OUTCOME>f</OUTCOME></VARIABLE>"
        "<DEFINITION><FOR>b</FOR><TABLE>0.01 0.99</TABLE></DEFINITION>"
        "<DEFINITION><FOR>f</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>"
        "<DEFINITION><FOR>d</FOR><GIVEN>b</GIVEN><GIVEN>f</GIVEN>"
        "<TABLE>0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7</TABLE></DEFINITION></NETWORK></BIF>";
    any_network net = {0};
    error_info err = {0};
    const double *table;
    (void)state;
    assert_ok(network_format_find("xmlbif")->parse(text, strlen(text), "dog", &net, NULL, &err), &err);
    table = bayes_net_table(net.tables, 2);
    assert_close(table[0], 0.99, 1e-15); /* t, t */
    assert_close(table[2], 0.9, 1e-15);  /* f, t */
    assert_close(table[4], 0.97, 1e-15); /* t, f */
    any_network_clear(&net);
}

#define N_HEAD "net { }\nnode a { states = (\"y\" \"n\"); }\n"

static void bad_net_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("net", "", "expected a variable, found none");
    assert_refused("net", "net { name = \"x", "1:14: expected a closing quote");
    assert_refused("net", "net {\n  name x; }", "2:8: expected '=' behind the name of an attribute, found 'x'");
    assert_refused("net", "decision d { }", "1:1: expected 'net', 'node', 'discrete node' or 'potential'");
    assert_refused("net", N_HEAD "node a { }", "3:6: a second variable named 'a'");
    assert_refused("net", N_HEAD, "2:6: expected probabilities for variable 'a', found none");
    assert_refused("net", N_HEAD "potential (a) { data = (0.5 0.4); }", "3:17: a row of 'a' sums to 0.9");
    assert_refused("net", N_HEAD "potential (a) { data = (0.5 z); }", "3:29: expected a number, found 'z'");
    assert_refused("net", N_HEAD "potential (a) { data = (0.5 0.5; }", "expected ')', found ';'");
    assert_refused("net", N_HEAD "potential (a b) { }", "one child for each potential");
    assert_refused("net", N_HEAD "potential (a | b) { }", "3:16: expected a declared variable, found 'b'");
    assert_refused("net", N_HEAD "potential (a) { }", "expected 'data' in this potential");
}

#define D_HEAD "<smile><nodes>\n<cpt id='a'><state id='y'/><state id='n'/>"
#define D_TAIL "</cpt></nodes></smile>"

/* ---- in orders of other programs ---- */

/* P(c0 | a_i, b_j) is (2 i + j + 1) / 10. */
static void assert_has_order(const char *format, const char *text, size_t a, size_t b, size_t c) {
    any_network net = {0};
    error_info err = {0};
    assert_ok(network_format_find(format)->parse(text, strlen(text), "n", &net, NULL, &err), &err);
    size_t n;
    const size_t *parents = bayes_net_parents(net.tables, c, &n);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 2; j++) {
            size_t config = parents[0] == a ? i + 3 * j : j + 2 * i;
            assert_close(bayes_net_table(net.tables, c)[2 * config], (double)(2 * i + j + 1) / 10, 1e-12);
        }
    }
    assert_int_equal(parents[0] == a ? parents[1] : parents[0], b);
    any_network_clear(&net);
}

#define CHAIN_NODES                                                                                                    \
    "<cpt id='a'><state id='a0'/><state id='a1'/><state id='a2'/><probabilities>0.2 0.3 0.5</probabilities></cpt>"     \
    "<cpt id='b'><state id='b0'/><state id='b1'/><probabilities>0.4 0.6</probabilities></cpt>"                         \
    "<cpt id='c'><state id='c0'/><state id='c1'/><parents>a b</parents><probabilities>"

/* The same network by GeNIe's rule, and as pyAgrum 3.3.1 and pgmpy 1.1.2 wrote it. */
static void tables_in_the_orders_of_other_programs_are_read_as_those_mean_them(void **state) {
    (void)state;
    assert_has_order("xdsl",
                     "<smile>"
                     "<nodes>" CHAIN_NODES "0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</probabilities></cpt>"
                     "</nodes><extensions><genie app='GeNIe 5.0' name='m'/></extensions></smile>",
                     0, 1, 2);
    assert_has_order("xdsl",
                     "<smile>"
                     "<nodes>" CHAIN_NODES "0.1 0.9 0.3 0.7 0.5 0.5 0.2 0.8 0.4 0.6 0.6 0.4</probabilities></cpt>"
                     "</nodes><extensions><genie version='1.0' app='aGrUM 3.3.1' name='m'/></extensions></smile>",
                     0, 1, 2);
    assert_has_order("uai",
                     "BAYES\n3\n3 2 2\n3\n1 0\n1 1\n3 0 1 2\n3 0.2 0.3 0.5\n2 0.4 0.6\n12\n0.1 0.9 0.2 0.8 0.3 0.7 0.4 "
                     "0.6 0.5 0.5 0.6 0.4\n",
                     0, 1, 2);
    assert_has_order("uai",
                     "BAYES\n3\n3 2 2 \n3\n1 0   # a\n1 1   # b\n3 0 1 2   # c\n\n\n3\n  0.2 0.3 0.5 \n\n2\n  0.4 0.6 "
                     "\n\n12\n  0.1 0.9 \n  0.3 0.7 \n  0.5 0.5 \n  0.2 0.8 \n  0.4 0.6 \n  0.6 0.4 \n\n\n",
                     0, 1, 2);
    assert_has_order("uai",
                     "BAYES\n3\n2 2 3\n3\n1 2\n1 0\n3 0 2 1\n\n3\n0.2 0.3 0.5\n2\n0.4 0.6\n12\n0.1 0.2 0.3 0.4 0.5 0.6 "
                     "0.9 0.8 0.7 0.6 0.5 0.4\n",
                     2, 0, 1);
}

#define RESULTS(states)                                                                                                \
    "<smile><nodes><cpt id='a'><state id='y'/><state id='n'/><probabilities>0.2 0.8</probabilities></cpt>\n"           \
    "<deterministic id='d'><state id='p'/><state id='q'/><state id='r'/><parents>a</parents>" states                   \
    "</deterministic></nodes></smile>"

static void a_deterministic_node_of_xdsl_has_the_state_that_its_parents_lead_to(void **state) {
    static const double table[] = {0, 0, 1, 1, 0, 0};
    const char *text = RESULTS("<resultingstates>r p</resultingstates>");
    any_network net = {0};
    error_info err = {0};
    (void)state;
    assert_ok(network_format_find("xdsl")->parse(text, strlen(text), "n", &net, NULL, &err), &err);
    assert_memory_equal(bayes_net_table(net.tables, 1), table, sizeof table);
    any_network_clear(&net);
    assert_refused("xdsl", RESULTS(""), "2:22: expected <resultingstates> of 'd', found none");
    assert_refused("xdsl", RESULTS("<resultingstates>r</resultingstates>"), "expected 2 states for 'd', found 1");
    assert_refused("xdsl", RESULTS("<resultingstates>r p q</resultingstates>"), "expected 2 states for 'd', found 3");
    assert_refused("xdsl", RESULTS("<resultingstates>r x</resultingstates>"), "'x'");
}

static void bad_xdsl_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("xdsl", "<smile></smile>", "expected <smile> with <nodes>");
    assert_refused("xdsl", "<smile><nodes><utility id='u'/></nodes></smile>", "found <utility>");
    assert_refused("xdsl", D_HEAD D_TAIL, "2:12: expected <probabilities> of 'a'");
    assert_refused("xdsl", D_HEAD "<probabilities>0.5 0.4</probabilities>" D_TAIL, "a row of 'a' sums to 0.9");
    assert_refused("xdsl", D_HEAD "<parents>b</parents><probabilities>1 0</probabilities>" D_TAIL,
                   "expected a declared variable, found 'b'");
}

#define M_HEAD "belief network \"m\"\nnode a { type: discrete[2] { \"y\", \"n\" }; }\n"

static void bad_dsc_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("dsc", "network", "1:1: expected 'belief network', found 'network'");
    assert_refused("dsc", "belief network \"m\" /* open", "1:20: expected '*/'");
    assert_refused("dsc", "belief network \"m\"\nnode a { type: discrete[3] { y, n } }",
                   "2:25: variable 'a' declares 3 states and lists 2");
    assert_refused("dsc", M_HEAD "probability(a) { 0.5, 0.4; }", "3:18: a row of 'a' sums to 0.9");
    assert_refused("dsc", M_HEAD "probability(a) { }", "3:18: expected 1 rows of 'a', found 0");
    assert_refused("dsc", M_HEAD "probability(a) { 0.5, 0.5; 0.5, 0.5; }", "3:28: a second row of 'a'");
    assert_refused("dsc", M_HEAD "node b { type: discrete[1] { z } }\nprobability(b | a) { (2): 1; }",
                   "4:23: expected the number of a state of a parent, found '2'");
}

#define DNE_HEAD "bnet d {\nnode a { kind = NATURE; states = (y, n); "

static void bad_dne_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("dne", "net", "1:1: expected 'bnet', found 'net'");
    assert_refused("dne", "bnet d {", "1:9: expected 'node', an attribute of the network or '}', found the end");
    assert_refused("dne", "bnet d { node a { kind = UTILITY; } }", "1:26: expected 'NATURE'");
    assert_refused("dne", DNE_HEAD "};\n};", "2:6: expected 'probs' of 'a', found none");
    assert_refused("dne", DNE_HEAD "probs = (0.5, 0.4); }; };", "2:50: a row of 'a' sums to 0.9");
    assert_refused("dne", DNE_HEAD "parents = (b); probs = (1, 0); }; };", "expected a declared variable, found 'b'");
    assert_refused("dne", DNE_HEAD "functable = (z); }; };", "'z' is not a state of 'a'");
    assert_refused("dne", "bnet d { node a { numstates = 60000; }; };", "more than a file of this size could fill");
}

static void bad_uai_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("uai", "MARKOV 1", "1:1: expected 'BAYES'");
    assert_refused("uai", "BAYES\n1\n65537", "3:1: expected a number of states, found '65537'");
    assert_refused("uai", "BAYES\n1\n65536", "more than a file of this size could fill");
    assert_refused("uai", "BAYES\n1\n2\n2", "4:1: expected 1 tables, one for each variable, found 2");
    assert_refused("uai", "BAYES\n1\n2\n1\n1 1", "5:3: expected the number of a variable, found '1'");
    assert_refused("uai", "BAYES\n1\n2\n1\n1 0\n3", "6:1: expected 2 values in the table of 'X0', found 3");
    assert_refused("uai", "BAYES\n1\n2\n1\n1 0\n2 0.5 0.4", "6:1: a row of 'X0' sums to 0.9");
    assert_refused("uai", "BAYES\n1\n2\n1\n1 0\n2 0.5 0.5 7", "6:11: expected the end of the file");
    assert_refused("uai", "BAYES 2 2 2 2\n2 0 1 2 1 0\n4 1 0 1 0\n4 1 0 1 0", "closes a cycle");
}

/* ---- linear-Gaussian networks ---- */

static void assert_gaussian_equal(const gaussian_net *a, const gaussian_net *b) {
    assert_that(gaussian_net_node_count(a), ==, gaussian_net_node_count(b));
    for (size_t i = 0; i < gaussian_net_node_count(a); i++) {
        size_t n, m;
        const size_t *parents = gaussian_net_parents(a, i, &n), *others = gaussian_net_parents(b, i, &m);
        gaussian_terms x = gaussian_net_terms(a, i), y = gaussian_net_terms(b, i);
        assert_string_equal(gaussian_net_variables(a)[i].name, gaussian_net_variables(b)[i].name);
        assert_that(n, ==, m);
        assert_true(x.intercept == y.intercept && x.sd == y.sd);
        for (size_t p = 0; p < n; p++)
            assert_true(parents[p] == others[p] && x.coefficients[p] == y.coefficients[p]);
    }
}

/* Bit for bit, in each format that holds such a network. */
static void assert_gaussian_survives(const char *path) {
    any_network net = {0};
    error_info err = {0};
    const network_format *f;
    size_t n_formats = 0;
    assert_ok(any_network_read(path, &net, NULL, &err), &err);
    for (size_t i = 0; (f = network_format_at(i)) != NULL; i++) {
        any_network again = {0};
        text_buffer text = {0};
        if (f->is_of_tables || !f->append)
            continue;
        f->append(&net, &text);
        assert_ok(f->parse(text.data, text.length, gaussian_net_name(net.gaussian), &again, NULL, &err), &err);
        assert_gaussian_equal(net.gaussian, again.gaussian);
        any_network_clear(&again);
        text_buffer_clear(&text);
        n_formats++;
    }
    assert_int_equal(n_formats, 2);
    any_network_clear(&net);
}

static void linear_gaussian_networks_survive_every_format_of_theirs(void **state) {
    const char *folder = shared_path("networks_gaussian");
    folder_list files = {0};
    error_info err = {0};
    (void)state;
    assert_gaussian_survives(source_path("tests/fuzz/corpus/gaussian/small.json"));
    if (folder)
        assert_ok(folder_list_read(folder, ".json", &files, &err), &err);
    for (size_t i = 0; i < files.n; i++) {
        char *path = path_join(folder, files.names[i]);
        assert_gaussian_survives(path);
        free(path);
    }
    folder_list_clear(&files);
}

#define P_A "{\"nodes\": [\"a\"], \"cpds\": {\"a\": {\"coefficients\": {\"(Intercept)\": [0]"

static void bad_pgmpy_json_is_refused_with_its_node(void **state) {
    (void)state;
    assert_refused("pgmpy", "{\n]", "2:1: ");
    assert_refused("pgmpy", "{\"nodes\": []}", "expected {\"nodes\": [...], \"arcs\": [...], \"cpds\": {...}}");
    assert_refused("pgmpy", "{\"nodes\": [\"a\"], \"cpds\": {}}", "node 1 ('a'): it is missing in \"cpds\"");
    assert_refused("pgmpy", P_A "}, \"variance\": [-1], \"parents\": []}}}", "node 1 ('a'): \"variance\" is -1");
    assert_refused("pgmpy", P_A ", \"b\": [1]}, \"variance\": 1, \"parents\": []}}}", "1 coefficients for 0 parents");
    assert_refused("pgmpy", P_A "}, \"variance\": 1, \"parents\": [\"b\"]}}}", "the parent 'b' is no node");
    assert_refused("pgmpy", P_A "}, \"variance\": 1, \"parents\": []}}, \"arcs\": [[\"a\", \"b\"]]}",
                   "arc 1 of \"arcs\" is none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_that_ship_survive_every_format),
        cmocka_unit_test(networks_of_the_repository_survive_every_format),
        cmocka_unit_test(odd_names_survive_and_are_told_of),
        cmocka_unit_test(a_format_is_found_by_every_ending_and_by_its_text),
        cmocka_unit_test(bad_xml_is_refused_with_its_place),
        cmocka_unit_test(bad_xmlbif_is_refused_with_its_place),
        cmocka_unit_test(a_table_of_xmlbif_whose_child_varies_slowest_is_read),
        cmocka_unit_test(bad_net_is_refused_with_its_place),
        cmocka_unit_test(tables_in_the_orders_of_other_programs_are_read_as_those_mean_them),
        cmocka_unit_test(a_deterministic_node_of_xdsl_has_the_state_that_its_parents_lead_to),
        cmocka_unit_test(bad_xdsl_is_refused_with_its_place),
        cmocka_unit_test(bad_dsc_is_refused_with_its_place),
        cmocka_unit_test(bad_dne_is_refused_with_its_place),
        cmocka_unit_test(bad_uai_is_refused_with_its_place),
        cmocka_unit_test(linear_gaussian_networks_survive_every_format_of_theirs),
        cmocka_unit_test(bad_pgmpy_json_is_refused_with_its_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
