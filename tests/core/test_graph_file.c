/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/graph_file.h"

#include "core/base/file.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static named_graph parse(const char *text) {
    error_info err = {0};
    named_graph g = {0};
    assert_ok(graph_parse_csv(text, strlen(text), NULL, 0, &g, &err), &err);
    return g;
}

static size_t node(const named_graph *g, const char *name) {
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (strcmp(g->names[i], name) == 0)
            return i;
    }
    fail_msg("there is no node '%s'", name);
    return 0;
}

static void assert_names(const named_graph *g, const char *const *names, size_t n) {
    assert_int_equal(g->n_nodes, n);
    assert_int_equal(pdag_node_count(g->graph), n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(g->names[i], names[i]);
}

static char *csv_of(const pdag *g, const char *const *names) {
    error_info err = {0};
    text_buffer b = {0};
    graph_append_csv(g, names, &b);
    assert_ok(text_buffer_check(&b, &err), &err);
    return b.data;
}

static void without_a_list_nodes_come_in_order_of_appearance(void **state) {
    (void)state;
    named_graph g = parse("from,to,type\nsmoke,lung,directed\nasia,tub,undirected\nlung,asia,directed\n");
    assert_names(&g, (const char *const[]){"smoke", "lung", "asia", "tub"}, 4);
    assert_int_equal(pdag_edge_count(g.graph), 3);
    assert_int_equal(pdag_edge_between(g.graph, 0, 1), EDGE_OUT);
    assert_int_equal(pdag_edge_between(g.graph, 2, 3), EDGE_UNDIRECTED);
    assert_int_equal(pdag_edge_between(g.graph, 2, 1), EDGE_IN);
    named_graph_clear(&g);
    assert_null(g.graph);
    named_graph_clear(&g); /* twice is fine */
}

static void the_list_of_nodes_fixes_the_order_and_names_lonely_nodes(void **state) {
    (void)state;
    named_graph g = parse("# made by hand\n#nodes:c , b,a,\"d, e\"\n\nfrom,to,type\n# an edge\nb,a,directed\n");
    assert_names(&g, (const char *const[]){"c", "b", "a", "d, e"}, 4);
    assert_int_equal(pdag_edge_between(g.graph, 1, 2), EDGE_OUT);
    assert_int_equal(pdag_edge_count(g.graph), 1);
    named_graph_clear(&g);
}

static graph_kind kind_of(const char *text) {
    named_graph g = parse(text);
    error_info err = {0};
    graph_kind kind;
    assert_ok(named_graph_kind(&g, &kind, &err), &err);
    named_graph_clear(&g);
    return kind;
}

static void a_graph_is_what_its_file_says_or_else_what_it_looks_like(void **state) {
    (void)state;
    assert_int_equal(kind_of("from,to,type\na,b,directed\n"), GRAPH_DAG);
    assert_int_equal(kind_of("# kind: cpdag\nfrom,to,type\na,b,directed\n"), GRAPH_CPDAG);
    assert_int_equal(kind_of("# nodes: a,b\n#kind:dag \r\nfrom,to,type\r\na,b,directed\r\n"), GRAPH_DAG);
    assert_int_equal(kind_of("from,to,type\na,b,undirected\n"), GRAPH_SKELETON);
    assert_int_equal(kind_of("# kind: cpdag\nfrom,to,type\na,b,undirected\n"), GRAPH_CPDAG);
    assert_int_equal(kind_of("from,to,type\na,b,undirected\nb,c,directed\n"), GRAPH_CPDAG);
    assert_int_equal(kind_of("# kind: skeleton\n# nodes: a,b\nfrom,to,type\n"), GRAPH_SKELETON);
    assert_int_equal(kind_of("# kinds: of all kinds\n# a kind: dag\nfrom,to,type\na,b,undirected\n"), GRAPH_SKELETON);
}

static void a_kind_that_is_written_reads_back(void **state) {
    (void)state;
    for (graph_kind kind = GRAPH_DAG; kind <= GRAPH_SKELETON; kind++) {
        text_buffer b = {0};
        graph_append_kind(kind, &b);
        text_append(&b, "from,to,type\n");
        assert_int_equal(kind_of(b.data), kind);
        text_buffer_clear(&b);
    }
}

static void a_graph_may_have_no_edges_and_even_no_nodes(void **state) {
    (void)state;
    named_graph g = parse("from,to,type");
    assert_int_equal(g.n_nodes, 0);
    named_graph_clear(&g);
    g = parse("# nodes: a,b\nfrom,to,type\n");
    assert_int_equal(g.n_nodes, 2);
    assert_int_equal(pdag_edge_count(g.graph), 0);
    named_graph_clear(&g);
    g = parse("# nodes:\nfrom,to,type\n");
    assert_int_equal(g.n_nodes, 0);
    char *csv = csv_of(g.graph, NULL);
    named_graph again = parse(csv);
    assert_int_equal(again.n_nodes, 0);
    free(csv);
    named_graph_clear(&again);
    named_graph_clear(&g);
}

static void line_ends_marks_quotes_and_blanks_are_taken_as_they_come(void **state) {
    (void)state;
    named_graph g = parse("\xEF\xBB\xBF# nodes: a, \" b \",\"c\"\"d\",\"two\r\nlines\"\r\n\"from\",to , type\r\n\r\n"
                          " a ,\" b \",directed\r\n\"c\"\"d\" , \"two\r\nlines\",undirected\r\n  \r\n");
    assert_names(&g, (const char *const[]){"a", " b ", "c\"d", "two\r\nlines"}, 4);
    assert_int_equal(pdag_edge_between(g.graph, 0, 1), EDGE_OUT);
    assert_int_equal(pdag_edge_between(g.graph, 2, 3), EDGE_UNDIRECTED);
    named_graph_clear(&g);
}

static void given_names_are_the_nodes_in_their_order(void **state) {
    (void)state;
    static const char *const names[] = {"x", "y", "z"};
    static const char text[] = "from,to,type\nz,x,directed\n", listed[] = "# nodes: z,y\nfrom,to,type\nz,y,directed\n";
    error_info err = {0};
    named_graph g = {0};
    assert_ok(graph_parse_csv(text, strlen(text), names, 3, &g, &err), &err);
    assert_names(&g, names, 3);
    assert_int_equal(pdag_edge_between(g.graph, 2, 0), EDGE_OUT);
    named_graph_clear(&g);
    assert_ok(graph_parse_csv(listed, strlen(listed), names, 3, &g, &err), &err);
    assert_names(&g, names, 3);
    assert_int_equal(pdag_edge_between(g.graph, 1, 2), EDGE_IN);
    named_graph_clear(&g);
    assert_int_equal(graph_parse_csv(text, strlen(text), (const char *const[]){"x", "x"}, 2, &g, &err), STATUS_INVALID);
}

typedef struct {
    const char *text, *message;
} bad_case;

static const bad_case bad_cases[] = {
    {"", "1:1: expected the header row from,to,type, found the end of the file"},
    {"# nodes: a,b\n", "2:1: expected the header row from,to,type, found the end of the file"},
    {"a,b,directed\n", "1:1: expected 'from' of the header row from,to,type, found 'a'"},
    {"from,to\n", "1:8: expected a comma and type, found the end of the line"},
    {"from,to,type,weight\n", "1:13: expected the end of the line after three fields, found a comma"},
    {"from,to,type\na,b\n", "2:4: expected a comma and directed or undirected, found the end of the line"},
    {"from,to,type\na\n", "2:2: expected a comma and the node that the edge leads to, found the end of the line"},
    {"from,to,type\na,b,direct\n", "2:5: expected directed or undirected, found 'direct'"},
    {"from,to,type\na,b,directed,1\n", "2:13: expected the end of the line after three fields, found a comma"},
    {"from,to,type\n,b,directed\n", "2:1: expected the name of a node, found nothing"},
    {"from,to,type\na,\"\",directed\n", "2:3: expected the name of a node, found nothing"},
    {"from,to,type\na,a,directed\n", "2:3: expected another node than 'a', which the edge comes from"},
    {"from,to,type\na,b,directed\nb,c,directed\na,b,directed\n",
     "4:1: expected one edge between 'a' and 'b', directed or undirected, found a second (the one before is on line "
     "2)"},
    {"from,to,type\na,b,directed\nb,a,directed\n", "3:1: expected one edge between 'b' and 'a', directed or "
                                                   "undirected, found a second (the one before is on line 2)"},
    {"from,to,type\na,b,undirected\nb,a,directed\n", "3:1: expected one edge between 'b' and 'a'"},
    {"# nodes: alarm,burglar\nfrom,to,type\nalrm,burglar,directed\n",
     "3:1: expected one of the 2 nodes, found 'alrm'; did you mean 'alarm'?"},
    {"# nodes: alarm,burglar\nfrom,to,type\nalarm,weather,directed\n",
     "3:7: expected one of the 2 nodes, found 'weather'"},
    {"# nodes: a,b,a\nfrom,to,type\n", "1:14: the node 'a' is listed twice"},
    {"# nodes: a,,b\nfrom,to,type\n", "1:12: expected the name of a node, found nothing"},
    {"# nodes: a,\nfrom,to,type\n", "1:12: expected the name of a node after the comma, found the end of the line"},
    {"# nodes: a\n# nodes: b\nfrom,to,type\n", "2:1: expected one list of nodes, found a second"},
    {"from,to,type\n# nodes: a,b\n", "2:1: expected the list of nodes in front of the header row, found it behind"},
    {"# kind: pdag\nfrom,to,type\n", "1:9: expected dag, cpdag or skeleton behind '# kind:', found 'pdag'"},
    {"# kind:\nfrom,to,type\n", "1:8: expected dag, cpdag or skeleton behind '# kind:', found ''"},
    {"# kind: dag, really\nfrom,to,type\n", "1:9: expected dag, cpdag or skeleton behind '# kind:', found 'dag'"},
    {"# kind: dag\n#kind: dag\nfrom,to,type\n", "2:1: expected one kind of the graph, found a second"},
    {"from,to,type\n# kind: dag\n", "2:1: expected the kind of the graph in front of the header row, found it behind"},
    {"# kind: skeleton\nfrom,to,type\na,b,directed\nb,c,undirected\n",
     "1:9: expected a kind that the graph is of, found 'skeleton': 1 of 2 edges are directed"},
    {"# kind: dag\nfrom,to,type\na,b,directed\nb,c,undirected\n",
     "1:9: expected a kind that the graph is of, found 'dag': "},
    {"# kind: dag\nfrom,to,type\na,b,directed\nb,c,directed\nc,a,directed\n",
     "1:9: expected a kind that the graph is of, found 'dag': "},
    {"from,to,type\n\"a,b,directed\n", "2:1: expected a closing quote, found the end of the file"},
    {"from,to,type\n\"a\"b,c,directed\n",
     "2:4: expected a comma or the end of the line after the closing quote, found more"},
    {"from,to,type\na\"b,c,directed\n", "2:2: expected a comma, found a quote inside a field that is not quoted"},
    {"from,to,type\nd\xC3\xA9j\xC3\xA0,b,x\n",
     "2:8: expected directed or undirected, found 'x'"}, /* columns are characters */
    {"from,to,type\nd\xE9j\xE0,b,directed\n", "2:2: expected UTF-8 text, found the byte 0xE9"},
    {"from,to,type\na,b\xED\xA0\x80,directed\n", "2:4: expected UTF-8 text, found the byte 0xED"},
    {"from,to,type\na,b,\xF0\x9F\x98", "2:5: expected UTF-8 text, found the byte 0xF0"},
    {"from,to,type\n\"a\nb\",c,x\n", "3:6: expected directed or undirected, found 'x'"},
    {"from,to,type\na,b,0123456789012345678901234567890123456789012345678901234567890123456789\n",
     "2:5: expected directed or undirected, found '0123456789012345678901234567890123456789...'"},
};

static void bad_input_says_where_and_what_was_expected(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++) {
        error_info err = {0};
        named_graph g = {0};
        status st = graph_parse_csv(bad_cases[i].text, strlen(bad_cases[i].text), NULL, 0, &g, &err);
        if (st != STATUS_PARSE || strncmp(err.message, bad_cases[i].message, strlen(bad_cases[i].message)) != 0)
            fail_msg("case %zu: status %d, '%s' instead of '%s'", i, (int)st, err.message, bad_cases[i].message);
        assert_null(g.graph);
        assert_null(g.names);
    }
}

static void nodes_that_were_not_given_are_unknown(void **state) {
    (void)state;
    static const char *const names[] = {"alarm", "burglar", "call"};
    static const bad_case cases[] = {
        {"from,to,type\nalarm,burglr,directed\n",
         "2:7: expected one of the 3 nodes, found 'burglr'; did you mean 'burglar'?"},
        {"# nodes: alarm,quake\nfrom,to,type\n", "1:16: expected one of the 3 nodes, found 'quake'"},
        {"# nodes: alarm,alarm\nfrom,to,type\n", "1:16: the node 'alarm' is listed twice"},
        {"# nodes: alarm,burglar\nfrom,to,type\nalarm,call,directed\n",
         "3:7: expected one of the nodes listed on top, found 'call'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        named_graph g = {0};
        assert_int_equal(graph_parse_csv(cases[i].text, strlen(cases[i].text), names, 3, &g, &err), STATUS_PARSE);
        assert_string_equal(err.message, cases[i].message);
    }
}

static void what_does_not_belong_into_text_is_refused(void **state) {
    (void)state;
    static const char nul[] = "from,to,type\na\0b,c,directed\n";
    error_info err = {0};
    named_graph g = {0};
    text_buffer b = {0};
    assert_int_equal(graph_parse_csv(nul, sizeof nul - 1, NULL, 0, &g, &err), STATUS_PARSE);
    assert_string_equal(err.message, "2:2: expected text, found a NUL byte");
    text_append(&b, "from,to,type\n");
    for (int i = 0; i < 4097; i++)
        text_append(&b, "x");
    assert_int_equal(graph_parse_csv(b.data, b.length, NULL, 0, &g, &err), STATUS_PARSE);
    assert_message_has(&err, "2:1: expected a field of at most 4096 bytes, found a longer one");
    b.data[0] = '#';
    b.data[12] = ' ';
    for (int i = 0; i < 70000; i++)
        text_append(&b, "x");
    assert_int_equal(graph_parse_csv(b.data, b.length, NULL, 0, &g, &err), STATUS_PARSE);
    assert_message_has(&err, "1:1: expected a comment of at most 65536 bytes, found a longer one");
    text_buffer_clear(&b);
}

static const char *const odd_names[] = {
    "plain",     "comma, and \"quote\"", " blanks ", "#hash",      "größe",
    "new\nline", "back\\slash\\",        "&lt;<b>",  "# nodes: x", "\xE5\x90\x8D\xE5\x89\x8D"};
enum { N_ODD = sizeof odd_names / sizeof *odd_names };

static pdag *random_pdag(random_stream *random, size_t n, double density) {
    error_info err = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(n, &g, &err), &err);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            if (random_uniform(random) < density)
                assert_ok(pdag_set_edge(g, a, b, (edge_kind)(1 + random_below(random, 3)), &err), &err);
        }
    }
    return g;
}

static void what_is_written_reads_back_whatever_the_names(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        pdag *g = random_pdag(&random, N_ODD, random_uniform(&random));
        char *csv = csv_of(g, odd_names), *again;
        named_graph back = parse(csv);
        assert_names(&back, odd_names, N_ODD);
        assert_true(pdag_is_equal(back.graph, g));
        again = csv_of(back.graph, odd_names);
        assert_string_equal(again, csv);
        free(again);
        free(csv);
        named_graph_clear(&back);
        pdag_destroy(g);
    }
}

static void edges_are_written_by_the_lower_node_and_then_the_other(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    named_graph g = parse("# nodes: a,b,c\nfrom,to,type\nc,b,directed\nc,a,undirected\nb,a,directed\n");
    char *csv = csv_of(g.graph, names);
    assert_string_equal(csv, "# nodes: a,b,c\nfrom,to,type\nb,a,directed\na,c,undirected\nc,b,directed\n");
    free(csv);
    named_graph_clear(&g);
}

static void files_are_read_plain_and_packed_and_named_in_messages(void **state) {
    (void)state;
    static const char text[] = "from,to,type\na,b,directed\n";
    const char *folder = scratch_folder();
    static const char *const names[] = {"g.csv", "g.csv.gz", "ein Graph, \"schön\".csv"};
    for (size_t i = 0; i < 3; i++) {
        error_info err = {0};
        named_graph g = {0};
        char *path = path_join(folder, names[i]);
        assert_ok(file_write(path, text, strlen(text), &err), &err);
        assert_ok(graph_read_csv(path, NULL, 0, &g, &err), &err);
        assert_int_equal(pdag_edge_between(g.graph, 0, 1), EDGE_OUT);
        named_graph_clear(&g);
        assert_ok(file_write(path, text, strlen(text) - 3, &err), &err);
        assert_int_equal(graph_read_csv(path, NULL, 0, &g, &err), STATUS_PARSE);
        assert_message_has(&err, names[i]);
        assert_message_has(&err, ": 2:5: expected directed or undirected, found 'direct'");
        assert_int_equal(unlink(path), 0);
        assert_int_equal(graph_read_csv(path, NULL, 0, &g, &err), STATUS_MISSING);
        free(path);
    }
}

static void a_graph_is_aligned_by_name(void **state) {
    (void)state;
    static const char *const order[] = {"c", "a", "b"};
    error_info err = {0};
    pdag *aligned = NULL;
    named_graph g = parse("# nodes: a,b,c\nfrom,to,type\na,b,directed\nb,c,undirected\n");
    assert_ok(named_graph_align(&g, order, 3, &aligned, &err), &err);
    assert_int_equal(pdag_edge_between(aligned, 1, 2), EDGE_OUT);
    assert_int_equal(pdag_edge_between(aligned, 2, 0), EDGE_UNDIRECTED);
    assert_int_equal(pdag_edge_count(aligned), 2);
    pdag_destroy(aligned);
    aligned = NULL;
    assert_int_equal(named_graph_align(&g, (const char *const[]){"a", "b", "d"}, 3, &aligned, &err), STATUS_INVALID);
    assert_message_has(&err, "node 'c'");
    assert_int_equal(named_graph_align(&g, (const char *const[]){"a", "b", "c", "d"}, 4, &aligned, &err),
                     STATUS_INVALID);
    assert_int_equal(named_graph_align(&g, (const char *const[]){"a", "b", "c", "a"}, 4, &aligned, &err),
                     STATUS_INVALID);
    assert_null(aligned);
    assert_int_equal(node(&g, "c"), 2);
    named_graph_clear(&g);
}

static void dot_says_which_edges_have_a_direction(void **state) {
    (void)state;
    static const char *const names[] = {"a \"b\"", "c\\", "d&amp;"};
    error_info err = {0};
    text_buffer b = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(3, &g, &err), &err);
    assert_ok(pdag_set_edge(g, 0, 1, EDGE_IN, &err), &err);
    assert_ok(pdag_set_edge(g, 1, 2, EDGE_UNDIRECTED, &err), &err);
    graph_append_dot(g, names, &b);
    assert_string_equal(b.data, "digraph {\n    \"a \\\"b\\\"\";\n    \"c\\\\\";\n"
                                "    \"d&amp;\" [label=\"d&amp;amp;\"];\n    \"c\\\\\" -> \"a \\\"b\\\"\";\n"
                                "    \"c\\\\\" -> \"d&amp;\" [dir=none];\n}\n");
    text_buffer_clear(&b);
    pdag_destroy(g);
}

static void graphviz_draws_odd_names_as_they_are(void **state) {
    (void)state;
    random_stream random;
    random_stream_init(&random, random_key_of(1));
    error_info err = {0};
    text_buffer b = {0};
    char *svg = NULL, *path = path_join(scratch_folder(), "g.dot");
    pdag *g = random_pdag(&random, N_ODD, 0.3);
    graph_append_dot(g, odd_names, &b);
    assert_ok(file_write(path, b.data, b.length, &err), &err);
    int code = run_program((const char *const[]){"dot", "-Tsvg", path, NULL}, &svg, NULL);
    if (code == 0) {
        assert_non_null(strstr(svg, ">&amp;lt;&lt;b&gt;</text>"));
        assert_non_null(strstr(svg, ">back\\slash\\</text>"));
        assert_non_null(strstr(svg, "größe"));
    }
    free(svg);
    text_buffer_clear(&b);
    pdag_destroy(g);
    free(path);
    if (code == 127)
        skip(); /* no Graphviz here */
    assert_int_equal(code, 0);
}

/* Every cut, and many garblings, of a text with everything in it: a status and a message, and
 * sanitizers stay silent. */
static void garbled_input_never_does_worse_than_a_message(void **state) {
    (void)state;
    static const char text[] =
        "\xEF\xBB\xBF# nodes: a,\"b, c\",\"d\"\"e\",g\r\n# remark\nfrom,to,type\na,\"b, c\",directed\n"
        "\"d\"\"e\",g,undirected\r\n\ng,a,directed\n";
    static const char pool[] = "\",\n\r#:a \0\xFF\xC3";
    random_stream random;
    random_stream_init(&random, random_key_of(99));
    for (int round = 0; round < 20000; round++) {
        char mutated[sizeof text];
        error_info err = {0};
        named_graph g = {0};
        size_t length = round < (int)sizeof text ? (size_t)round : sizeof text - 1;
        memcpy(mutated, text, sizeof text);
        for (size_t k = round < (int)sizeof text ? 0 : 1 + (size_t)random_below(&random, 4); k > 0; k--)
            mutated[random_below(&random, length)] = pool[random_below(&random, sizeof pool - 1)];
        status st = graph_parse_csv(mutated, length, NULL, 0, &g, &err);
        assert_true(st == STATUS_OK || (st == STATUS_PARSE && strchr(err.message, ':')));
        assert_int_equal(st == STATUS_OK, g.graph != NULL);
        named_graph_clear(&g);
    }
}

/* A hub whose edges come in the worst order, and as many nodes that only the list knows. */
static void a_large_file_takes_no_more_than_seconds(void **state) {
    (void)state;
    enum { N = 300000 };
    clock_t start = clock();
    error_info err = {0};
    text_buffer b = {0};
    named_graph g = {0};
    text_append(&b, "# nodes: v0");
    for (int i = 1; i < N; i++)
        text_append_format(&b, ",v%d", i);
    text_append(&b, "\nfrom,to,type\n");
    for (int i = N - 1; i > 0; i--)
        text_append_format(&b, "v%d,v0,directed\n", i);
    assert_ok(graph_parse_csv(b.data, b.length, NULL, 0, &g, &err), &err);
    assert_int_equal(pdag_edge_count(g.graph), N - 1);
    named_graph_clear(&g);
    text_append(&b, "v1,w0,directed\n");
    assert_int_equal(graph_parse_csv(b.data, b.length, NULL, 0, &g, &err), STATUS_PARSE);
    text_buffer_clear(&b);
    assert_between((double)(clock() - start) / CLOCKS_PER_SEC, 0, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_list_nodes_come_in_order_of_appearance),
        cmocka_unit_test(the_list_of_nodes_fixes_the_order_and_names_lonely_nodes),
        cmocka_unit_test(a_graph_is_what_its_file_says_or_else_what_it_looks_like),
        cmocka_unit_test(a_kind_that_is_written_reads_back),
        cmocka_unit_test(a_graph_may_have_no_edges_and_even_no_nodes),
        cmocka_unit_test(line_ends_marks_quotes_and_blanks_are_taken_as_they_come),
        cmocka_unit_test(given_names_are_the_nodes_in_their_order),
        cmocka_unit_test(bad_input_says_where_and_what_was_expected),
        cmocka_unit_test(nodes_that_were_not_given_are_unknown),
        cmocka_unit_test(what_does_not_belong_into_text_is_refused),
        cmocka_unit_test(what_is_written_reads_back_whatever_the_names),
        cmocka_unit_test(edges_are_written_by_the_lower_node_and_then_the_other),
        cmocka_unit_test(files_are_read_plain_and_packed_and_named_in_messages),
        cmocka_unit_test(a_graph_is_aligned_by_name),
        cmocka_unit_test(dot_says_which_edges_have_a_direction),
        cmocka_unit_test(graphviz_draws_odd_names_as_they_are),
        cmocka_unit_test(garbled_input_never_does_worse_than_a_message),
        cmocka_unit_test(a_large_file_takes_no_more_than_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
