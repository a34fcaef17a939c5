/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs in every format: there and back, as other programs write them, and broken ones. */
#include "generators/networks/network_format.h"
#include "tests/support/support.h"

#include "core/graph/equivalence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static named_graph parse(const char *format, const char *text) {
    error_info err = {0};
    named_graph g = {0};
    assert_ok(network_format_find(format)->parse_graph(text, strlen(text), NULL, 0, &g, &err), &err);
    return g;
}

/* "a->b c-d", in the order of the CSV form. */
static void assert_graph(const char *format, const char *text, const char *nodes, const char *edges) {
    named_graph g = parse(format, text);
    char seen[512] = "", names[512] = "";
    for (size_t i = 0; i < g.n_nodes; i++) {
        size_t n, used;
        const pdag_edge *e = pdag_edges(g.graph, i, &n);
        used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? " " : "", g.names[i]);
        for (size_t k = 0; k < n; k++) {
            used = strlen(seen);
            if (e[k].kind == EDGE_OUT || (e[k].kind == EDGE_UNDIRECTED && e[k].node > i))
                (void)snprintf(seen + used, sizeof seen - used, "%s%s%s%s", used ? " " : "", g.names[i],
                               e[k].kind == EDGE_OUT ? "->" : "-", g.names[e[k].node]);
        }
    }
    assert_string_equal(names, nodes);
    assert_string_equal(seen, edges);
    named_graph_clear(&g);
}

/* ---- there and back ---- */

static named_graph random_graph(random_stream *random, graph_kind kind) {
    error_info err = {0};
    named_graph g = {.n_nodes = 1 + random_below(random, 12), .lists_nodes = true, .has_kind = true, .kind = kind};
    dag *d = make_random_dag(random, g.n_nodes, 0.4);
    g.names = calloc(g.n_nodes, sizeof *g.names);
    assert_non_null(g.names);
    for (size_t i = 0; i < g.n_nodes; i++) {
        static const char *const odd[] = {"X", "é", "\"q\"", "a&b", "<p>", "back\\slash", "n-1", "node"};
        char name[40];
        (void)snprintf(name, sizeof name, "%s%zu", odd[random_below(random, 8)], i);
        g.names[i] = strdup(name);
    }
    if (kind == GRAPH_CPDAG) {
        assert_ok(cpdag_from_dag(d, &g.graph, &err), &err);
    } else {
        assert_ok(pdag_from_dag(d, &g.graph, &err), &err);
    }
    if (kind == GRAPH_SKELETON) {
        pdag *directed = g.graph;
        assert_ok(pdag_skeleton(directed, &g.graph, &err), &err);
        pdag_destroy(directed);
    }
    dag_destroy(d);
    return g;
}

/* What a format says that it loses is all that is not there again. */
static void assert_back(const network_format *f, const named_graph *g) {
    error_info err = {0};
    text_buffer text = {0}, losses = {0};
    named_graph back = {0};
    bool loses_edges =
        f->graph_loses & GRAPH_LOSES_UNDIRECTED && pdag_directed_count(g->graph) < pdag_edge_count(g->graph);
    graph_kind looks, kind;
    assert_ok(graph_format_append(f, g, &text, &losses, &err), &err);
    assert_ok(f->parse_graph(text.data, text.length, NULL, 0, &back, &err), &err);
    assert_int_equal(back.n_nodes, g->n_nodes);
    assert_int_equal(back.is_unnamed, (f->graph_loses & GRAPH_LOSES_NAMES) != 0);
    for (size_t i = 0; i < g->n_nodes && !back.is_unnamed; i++)
        assert_string_equal(back.names[i], g->names[i]);
    if (loses_edges)
        assert_int_equal(pdag_edge_count(back.graph), pdag_directed_count(g->graph));
    else
        assert_true(pdag_is_equal(back.graph, g->graph));
    assert_ok(pdag_kind(g->graph, &looks, &err), &err);
    assert_ok(named_graph_kind(&back, &kind, &err), &err);
    if (!loses_edges && (f->graph_loses & GRAPH_LOSES_KIND ? looks : g->kind) != kind)
        fail_msg("%s: the kind is another one", f->name);
    if (back.is_unnamed || loses_edges || kind != g->kind)
        assert_true(losses.length > 0);
    else
        assert_int_equal(losses.length, 0);
    named_graph_clear(&back);
    text_buffer_clear(&text);
    text_buffer_clear(&losses);
}

static void every_format_reads_what_it_writes(void **state) {
    (void)state;
    static const graph_kind kinds[] = {GRAPH_DAG, GRAPH_CPDAG, GRAPH_SKELETON};
    random_stream random;
    random_stream_init(&random, random_key_of(16));
    for (size_t round = 0; round < 150; round++) {
        named_graph g = random_graph(&random, kinds[round % 3]);
        const network_format *f;
        for (size_t i = 0; (f = network_format_at(i)) != NULL; i++) {
            if (f->parse_graph)
                assert_back(f, &g);
        }
        named_graph_clear(&g);
    }
}

static void a_name_that_cannot_be_written_is_refused(void **state) {
    (void)state;
    error_info err = {0};
    text_buffer text = {0};
    named_graph g = parse("csv", "# nodes: a b,c:d\nfrom,to,type\n");
    assert_int_equal(graph_format_append(network_format_find("tetrad"), &g, &text, NULL, &err), STATUS_INVALID);
    assert_message_has(&err, "cannot hold the name 'a b'");
    assert_int_equal(graph_format_append(network_format_find("modelstring"), &g, &text, NULL, &err), STATUS_INVALID);
    assert_message_has(&err, "'c:d'");
    assert_int_equal(text.length, 0);
    named_graph_clear(&g);
}

/* ---- as other programs write them ---- */

static void matrices_are_read_as_their_programs_mean_them(void **state) {
    (void)state;
    assert_graph("adjacency", "A,B,C\n0,1,0\n0,0,1\n0,1,0\n", "A B C", "A->B B-C");
    assert_graph("adjacency", ",A,B\nA,0.0,1.0\nB,0.0,0.0\n", "A B", "A->B");        /* pandas */
    assert_graph("adjacency", "\"A\",\"B\"\n\"A\",0,1\n\"B\",0,0\n", "A B", "A->B"); /* R, write.table */
    assert_graph("adjacency", "0,1\n0,1\n0,0\n", "0 1", "0->1"); /* columns without names, in pandas */
    assert_graph("adjacency", "0,1\n0,0\n", "X1 X2", "X1->X2");
    assert_graph("gadjid", "A,B,C\n0,2,1\n0,0,1\n0,0,0\n", "A B C", "A-B A->C B->C");
    assert_graph("pcalg", "\"\",\"A\",\"B\",\"C\"\n\"A\",0,0,0\n\"B\",1,0,1\n\"C\",0,1,0\n", "A B C", "A->B B-C");
}

static void texts_of_other_programs_are_read(void **state) {
    (void)state;
    assert_graph("modelstring", "[A][C][B|A][D|A:C]\n", "A C B D", "A->B A->D C->D");
    assert_graph("modelstring", "[B|A][A]", "B A", "A->B");
    assert_graph("tetrad",
                 "Graph Nodes:\r\nX1;X2;X3\r\n\r\nGraph Edges:\r\n1. X1 --> X2 dd nl\r\n2. X3 --- X2\r\n\r\nGraph "
                 "Attributes:\r\n",
                 "X1 X2 X3", "X1->X2 X2-X3");
    assert_graph("tetrad", "Graph Nodes:\nX1,X2\n\nGraph Edges:\n1. X1 <-- X2\n", "X1 X2", "X2->X1");
}

static void dot_of_other_programs_is_read(void **state) {
    (void)state;
    assert_graph("dot", "strict digraph \"\" {\nA;\nB [color=red];\nA -> B -> C;\nC -> A;\nA -> C; D }", "A B C D",
                 "A->B A-C B->C"); /* networkx, both ways */
    assert_graph(
        "dot",
        "digraph {\nfontsize=18;\n0 [label=X1];\n1 [label=X2];\n2 [label=\"X 3\"];\n"
        "0 -> 1  [arrowtail=none, arrowhead=normal, dir=both];\n1 -> 2 [arrowhead=none, arrowtail=none, dir=both];\n}",
        "X1 X2 X 3", "X1->X2 X2-X 3"); /* causal-learn */
    assert_graph("dot",
                 "digraph \"asia\" { node [shape=box]\n \"a\"[label=\"{a|0}\", tooltip=\"x\"] ; \"a\"->\"b\" // c\n /* "
                 "d */ b->c [dir=back]}",
                 "a b c", "a->b c->b"); /* pyAgrum */
    assert_graph(
        "gml",
        "Creator \"igraph\"\ngraph [\n  directed 0\n  node [\n id 4 label \"x &#233;&quot;\" graphics [ x 1.0 ] ]\n"
        "edge [ source 4 target 5 value 1 ]\n node [ id 5 ] ]\n",
        "x é\" 5", "x é\"-5");
    assert_graph("gml",
                 "graph [ directed 1 node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] edge [ source 1 target 0 ] ]",
                 "a b", "b->a");
    assert_graph("dot", "graph G { edge [len=2]; a -- b -- c }", "a b c", "a-b b-c");
}

/* Attributes of nodes and edges as networkx 3.6, python-igraph and yEd write them. */
static void graphml_of_other_programs_is_read(void **state) {
    (void)state;
#define GRAPHML(keys, graph)                                                                                           \
    "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "                \
    "xmlns:y=\"http://www.yworks.com/xml/graphml\">" keys graph "</graphml>"
    assert_graph("graphml",
                 GRAPHML("<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>",
                         "<graph edgedefault=\"directed\"><node id=\"a b\"/><node id=\"c&amp;d\"/><node id=\"0\"/>"
                         "<edge source=\"c&amp;d\" target=\"a b\"><data key=\"d0\">3</data></edge>"
                         "<edge source=\"a b\" target=\"0\"/><edge source=\"0\" target=\"a b\"/></graph>"),
                 "a b c&d 0", "a b-0 c&d->a b"); /* networkx */
    assert_graph("graphml",
                 GRAPHML("<!-- Created by igraph --><key id=\"v_name\" for=\"node\" attr.name=\"name\" "
                         "attr.type=\"string\"/><key id=\"e_name\" for=\"edge\" attr.name=\"name\" "
                         "attr.type=\"string\"/>",
                         "<graph id=\"G\" edgedefault=\"undirected\"><node id=\"n0\"><data key=\"v_name\">x y</data>"
                         "</node><node id=\"n1\"><data key=\"v_name\"> z</data></node><edge source=\"n0\" "
                         "target=\"n1\"><data key=\"e_name\">e</data></edge></graph>"),
                 "x y  z", "x y- z"); /* igraph */
    assert_graph(
        "graphml",
        GRAPHML("<key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/><key for=\"edge\" id=\"d10\" "
                "yfiles.type=\"edgegraphics\"/>",
                "<graph edgedefault=\"directed\" id=\"G\"><node id=\"n0\"><data key=\"d6\"><y:ShapeNode><y:Fill "
                "color=\"#FFCC00\"/><y:NodeLabel textColor=\"#000000\">age<y:LabelModel/>\n</y:NodeLabel></y:ShapeNode>"
                "</data></node><node id=\"n1\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel>sex</y:NodeLabel>"
                "</y:ShapeNode></data></node><node id=\"n2\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel "
                "hasText=\"false\"/></y:ShapeNode></data></node>"
                "<edge id=\"e0\" source=\"n0\" target=\"n1\"><data key=\"d10\"><y:PolyLineEdge><y:Arrows "
                "source=\"none\" target=\"standard\"/></y:PolyLineEdge></data></edge>"
                "<edge id=\"e1\" source=\"n1\" target=\"n2\"><data key=\"d10\"><y:PolyLineEdge><y:Arrows "
                "source=\"none\" target=\"none\"/></y:PolyLineEdge></data></edge>"
                "<edge id=\"e2\" source=\"n0\" target=\"n2\"><data key=\"d10\"><y:PolyLineEdge><y:Arrows "
                "source=\"delta\" target=\"none\"/></y:PolyLineEdge></data></edge></graph>"),
        "age sex n2", "age->sex sex-n2 n2->age"); /* yEd */
    assert_graph("graphml",
                 GRAPHML("", "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>"
                             "<edge source=\"a\" target=\"b\" directed=\"false\"/><edge source=\"b\" target=\"c\"/>"
                             "</graph>"),
                 "a b c", "a-b b->c"); /* the format itself mixes them */
}

static void matrices_without_names_are_read(void **state) {
    (void)state;
    assert_graph("mtx", "%%MatrixMarket matrix coordinate pattern general\n%\n3 3 3\n1 2\n2 3\n3 2\n", "X1 X2 X3",
                 "X1->X2 X2-X3");
    assert_graph("mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1.0e+00\n", "X1 X2", "X1-X2");
    /* numpy.save of [[0, 1], [0, 0]] as big-endian 16-bit numbers in the order of Fortran, and a header of version 2.
     */
    static const char npy[] = "\x93NUMPY\x02\x00\x40\x00\x00\x00"
                              "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }     \n"
                              "\0\0\0\0\0\1\0\0";
    error_info err = {0};
    named_graph g = {0};
    assert_ok(network_format_find("npy")->parse_graph(npy, sizeof npy - 1, NULL, 0, &g, &err), &err);
    assert_int_equal(pdag_edge_count(g.graph), 1);
    assert_int_equal(pdag_edge_between(g.graph, 0, 1), EDGE_OUT);
    assert_true(g.is_unnamed);
    named_graph_clear(&g);
    for (size_t n = 0; n + 1 < sizeof npy; n++) {
        assert_int_equal(network_format_find("npy")->parse_graph(npy, n, NULL, 0, &g, &err), STATUS_PARSE);
        assert_null(g.graph);
    }
}

/* ---- broken ---- */

static void broken_files_are_refused_with_a_place(void **state) {
    (void)state;
    static const struct {
        const char *format, *text, *words;
    } cases[] = {
        {"adjacency", "", "found nothing"},
        {"adjacency", "a,b,c\n0,1,0\n", "as many rows as columns"},
        {"adjacency", "a,b\n0,1\n", "order of the columns"},
        {"adjacency", "a,b\n0,2\n0,0\n", "called gadjid"},
        {"adjacency", "a,b\n1,0\n0,0\n", "diagonal"},
        {"adjacency", "a,a\n0,0\n0,0\n", "listed twice"},
        {"adjacency", "a,b\n0,x\n0,0\n", "line 2, column 2"},
        {"adjacency", ",a,b\nb,0,0\na,0,0\n", "order of the columns"},
        {"gadjid", "a,b\n0,1\n1,0\n", "a second"},
        {"gadjid", "a,b\n0,1\n2,0\n", "a second"},
        {"modelstring", "[a][b|c]", "a bracket of its own"},
        {"modelstring", "[a][a]", "is there twice"},
        {"modelstring", "[a|a]", "1:5"},
        {"modelstring", "[a", "the end"},
        {"modelstring", "[a|b:a:a][b|a]", "than the node itself"},
        {"modelstring", "[a|b][b|a]", "a second"},
        {"mtx", "3 3 0\n", "%%MatrixMarket"},
        {"mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 0\n", "as many rows"},
        {"mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", "of 1 to 2"},
        {"mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 3\n", "expected 0, 1 or 2"},
        {"mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n1 2\n", "line 4"},
        {"mtx", "%%MatrixMarket matrix coordinate pattern general\n999999999 999999999 0\n", "at most 100000"},
        {"npy", "NUMPY", "an .npy file"},
        {"dot", "", "expected a node"},
        {"dot", "digraph { a -> b", "expected a node"},
        {"dot", "digraph {\na -> b\na -> b }", "a second"},
        {"dot", "digraph {\na -> b [arrowhead=odot] }", "2:23"},
        {"dot", "digraph { a -> b [dir=both] }", "one end at most"},
        {"dot", "digraph { a -- b }", "expected a node"},
        {"dot", "digraph { subgraph x { a } }", "subgraphs"},
        {"dot", "digraph { a -> a }", "to itself"},
        {"dot", "digraph { kind=skeleton; a -> b }", "'skeleton'"},
        {"dot", "digraph { \"a }", "closing quote"},
        {"dot", "digraph { a } b", "the end"},
        {"graphml", "", "expected XML"},
        {"graphml", "<gexf/>", "'graphml'"},
        {"graphml", "<graphml/>", "expected a graph"},
        {"graphml", "<graphml><graph/></graphml>", "edgedefault"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'/>\n<graph edgedefault='directed'/>"), "a second"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'><hyperedge/></graph>"), "a hyperedge"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'><node/></graph>"), "the id of the node"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'><node id='a'><graph/></node></graph>"), "ungroup"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'><node id='a'/>\n<node id='a'/></graph>"),
         "3:13: the node 'a' is there twice"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'><node id='a'/><edge source='a' target='b'/></graph>"),
         "source and target"},
        {"graphml", GRAPHML("", "<graph edgedefault='directed'><node id='a'/><edge source='a' target='a'/></graph>"),
         "to itself"},
        {"graphml",
         GRAPHML("", "<graph edgedefault='directed'><node id='a'/><node id='b'/><edge source='a' target='b'><data>"
                     "<y:PolyLineEdge><y:Arrows source='standard' target='standard'/></y:PolyLineEdge></data></edge>"
                     "</graph>"),
         "two heads"},
        {"graphml",
         GRAPHML("", "<graph edgedefault='directed'><node id='a'/><node id='b'/><edge source='a' target='b'><data>"
                     "<y:PolyLineEdge><y:Arrows source='circle' target='standard'/></y:PolyLineEdge></data></edge>"
                     "</graph>"),
         "a circle at an end"},
        {"graphml",
         GRAPHML("<key id='k' for='graph' attr.name='kind' attr.type='string'/>",
                 "<graph edgedefault='directed'><data key='k'>x</data></graph>"),
         "expected the kind"},
        {"gml", "", "graph ["},
        {"gml", "graph [ node [ id 1 ]", "a key or ']'"},
        {"gml", "graph [ node [ label \"a\" ] ]", "expected the id"},
        {"gml", "graph [ node [ id 1 ] node [ id 1 ] ]", "there twice"},
        {"gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "source and target"},
        {"gml", "graph [ node [ id 1 x [ [ ] ", "found the end"},
        {"gml", "graph [ node [ id \"1 ] ]", "closing quote"},
        {"gml", "graph [ kind \"x\" ]", "expected the kind"},
        {"tetrad", "X1;X2\n", "Graph Nodes:"},
        {"tetrad", "Graph Nodes:\na;b\nGraph Edges:\n1. a o-> b\n", "no latent variables"},
        {"tetrad", "Graph Nodes:\na;b\nGraph Edges:\n1. a --> c\n", "listed on top"},
        {"tetrad", "Graph Nodes:\na;a\nGraph Edges:\n", "listed twice"},
        {"tetrad", "Graph Nodes:\na;\xff\nGraph Edges:\n", "UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        named_graph g = {0};
        const network_format *f = network_format_find(cases[i].format);
        status st = f->parse_graph(cases[i].text, strlen(cases[i].text), NULL, 0, &g, &err);
        if (st != STATUS_PARSE)
            fail_msg("%s '%s': status %d", cases[i].format, cases[i].text, st);
        assert_message_has(&err, cases[i].words);
        assert_null(g.graph);
    }
}

static void given_names_are_the_nodes(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    static const char text[] = "[c|a][a]";
    error_info err = {0};
    named_graph g = {0};
    assert_ok(network_format_find("modelstring")->parse_graph(text, strlen(text), names, 3, &g, &err), &err);
    assert_int_equal(g.n_nodes, 3);
    assert_int_equal(pdag_edge_between(g.graph, 0, 2), EDGE_OUT);
    named_graph_clear(&g);
    assert_int_equal(network_format_find("modelstring")->parse_graph("[d]", 3, names, 3, &g, &err), STATUS_PARSE);
    assert_message_has(&err, "one of the 3 nodes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_reads_what_it_writes),
        cmocka_unit_test(a_name_that_cannot_be_written_is_refused),
        cmocka_unit_test(matrices_are_read_as_their_programs_mean_them),
        cmocka_unit_test(texts_of_other_programs_are_read),
        cmocka_unit_test(dot_of_other_programs_is_read),
        cmocka_unit_test(graphml_of_other_programs_is_read),
        cmocka_unit_test(matrices_without_names_are_read),
        cmocka_unit_test(broken_files_are_refused_with_a_place),
        cmocka_unit_test(given_names_are_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
