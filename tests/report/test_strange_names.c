/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that a spreadsheet or Graphviz would take for more than text, through the command line and back. */
#include "tests/support/cli_support.h"

#include "core/base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

static const char graph[] =
    "# nodes: =1+1,+a,-b,@c,\"\ttab\",\"say \"\"hi\"\"\",back\\slash\\,<b>html</b>,{a|b};,a -> b,&lt;,`touch "
    "hit`,$(touch hit),-5,\"two\nlines\"\n"
    "from,to,type\n"
    "=1+1,+a,directed\n"
    "+a,-b,directed\n"
    "@c,\"\ttab\",undirected\n"
    "\"say \"\"hi\"\"\",back\\slash\\,directed\n"
    "<b>html</b>,{a|b};,directed\n"
    "a -> b,&lt;,directed\n"
    "`touch hit`,$(touch hit),directed\n"
    "-5,\"two\nlines\",directed\n";

/* The same as XML text, as Graphviz writes it (a hyphen and a blank may be entities). */
static const char *const drawn[] = {"=1+1",
                                    "+a",
                                    "@c",
                                    "say &quot;hi&quot;",
                                    "back\\slash\\",
                                    "&lt;b&gt;html&lt;/b&gt;",
                                    "{a|b};",
                                    "&amp;lt;",
                                    "`touch hit`",
                                    "$(touch hit)",
                                    "two"};

static char *read_text(const char *path) {
    char *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    return text;
}

static void assert_file_has(const char *path, const char *words) {
    char *text = read_text(path);
    assert_text_has(text, words);
    free(text);
}

static void a_graph_of_any_names_comes_back_as_it_was(void **state) {
    const char *in = write_file("in.csv", graph), *out = in_folder("out.csv");
    char *text;
    (void)state;
    assert_status(0, "convert", in, out);
    text = read_text(out);
    assert_string_equal(text, graph);
    free(text);
    assert_status(0, "compare", in, out, "--json");
}

static void graphviz_takes_any_name_as_text(void **state) {
    const char *in = write_file("in.csv", graph), *dot = in_folder("out.dot");
    (void)state;
    assert_status(0, "convert", in, dot);
    if (cli_call_shell("command -v dot >/dev/null") != 0)
        skip();
    assert_int_equal(cli_call_shell("cd \"$1\" && dot -Tsvg out.dot"), 0);
    assert_string_equal(cli_errors, "");
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        assert_text_has(cli_out, drawn[i]);
    assert_text_lacks(cli_out, "<b>");
    assert_false(is_there(in_folder("hit")));
    assert_int_equal(cli_call_shell("cd \"$1\" && dot -Tsvg out.dot | grep -c 'class=\"node\"'"), 0);
    assert_int_equal(atoi(cli_out), 15); /* no name is two nodes, and none is lost */
}

/* A network whose names and states are formulas to a spreadsheet. */
static const char network[] = "network x { }\n"
                              "variable \"=1+1\" { type discrete [ 2 ] { \"=y\", \"-n\" }; }\n"
                              "variable \"<b>h;{}\" { type discrete [ 2 ] { \"+\", \"@\" }; }\n"
                              "probability ( \"=1+1\" ) { table 0.4, 0.6; }\n"
                              "probability ( \"<b>h;{}\" | \"=1+1\" ) { (\"=y\") 0.9, 0.1; (\"-n\") 0.1, 0.9; }\n";

static void data_of_any_names_are_learned_from_and_keep_them(void **state) {
    const char *net = write_file("net.bif", network), *data = in_folder("data.csv"),
               *learned = in_folder("learned.csv");
    (void)state;
    assert_status(0, "sample", net, "-n", "500", "-o", data);
    assert_file_has(data, "=1+1,");
    assert_status(0, "learn", "hc", data, "-o", learned);
    assert_file_has(learned, "# nodes: =1+1,<b>h;{}\n");
    assert_status(0, "compare", learned, net, "--json");
}

static const char experiment[] =
    "name: strange\nseed: 1\n"
    "networks: [net.bif]\n"
    "data: {samples: [200], replicates: 2, test_samples: 100}\n"
    "learners: [{learner: hc, id: '=HYPERLINK(\"x\")'}, {learner: empty, id: '-5'}, pmmhc]\n"
    "metrics: [time, shd, bdeu_test]\n"
    "tables: [{id: t, metric: bdeu_test}]\n"
    "plots:\n"
    "  - {id: p, kind: line, x: samples, y: shd}\n"
    "  - {id: n, kind: network, network: net, learner: '=HYPERLINK(\"x\")'}\n";

static void a_spreadsheet_takes_no_name_of_a_report_for_a_formula(void **state) {
    const char *net = write_file("net.bif", network), *file = write_file("strange.yaml", experiment);
    (void)state;
    (void)net;
    assert_status(0, "run", file, "--store", in_folder("store"), "--quiet");
    assert_status(0, "report", in_folder("store"), "--out", in_folder("report"));
    assert_int_equal(cli_call_shell("cat \"$1\"/report/*/*.csv"), 0);
    assert_text_has(cli_out, "\"'=HYPERLINK(\"\"x\"\")\"");
    assert_text_lacks(cli_out, "\n\"=");
    assert_text_lacks(cli_out, ",\"=");
    assert_text_lacks(cli_out, "'-5"); /* a number is no formula, and stays one to a program */
    assert_text_has(cli_out, ",-");    /* as do those that are measured */
    assert_file_has(in_folder("report/plots/n.dot"), "label=\"=1+1\"");
    assert_file_has(in_folder("report/plots/n.dot"), "label=\"<b>h;{}\"");
}

/* Its drawings are files, and stay in the folder of the report. */
static void an_id_of_a_learner_is_no_path(void **state) {
    (void)state;
    assert_status(0, "run",
                  write_file("paths.yaml", "name: paths\nnetworks: [asia]\ndata: {samples: 50}\n"
                                           "learners: [{learner: hc, id: '../../../up'}, {learner: empty, id: 'a/b'}]\n"
                                           "metrics: [shd]\ntables: [{id: t, metric: shd}]\n"),
                  "--store", in_folder("store"), "--quiet");
    assert_status(0, "report", in_folder("store"), "--format", "html", "--out", in_folder("one/two"), "--quiet");
    assert_true(is_there(in_folder("one/two/plots/network-asia-.._.._.._up.dot")));
    assert_true(is_there(in_folder("one/two/plots/network-asia-a_b.dot")));
    assert_int_equal(cli_call_shell("cd \"$1\" && ls; ls one; ls one/two"), 0);
    assert_string_equal(cli_out, "one\npaths.yaml\nstore\ntwo\nexperiment.yaml\nindex.html\nplots\n");
}

/* ---- a terminal ---- */

/* What the program prints where its standard output and error are a terminal. Its exit status. */
static int call_in_terminal(const char *const *words, char *seen, size_t size) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), inside, how = 0;
    size_t n = 0;
    ssize_t got;
    pid_t child;
    assert_true(terminal >= 0);
    assert_int_equal(grantpt(terminal), 0);
    assert_int_equal(unlockpt(terminal), 0);
    inside = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(inside >= 0);
    child = fork();
    if (child == 0) {
        if (dup2(inside, 1) >= 0 && dup2(inside, 2) >= 0)
            (void)execv(cli_program(), (char *const *)words);
        _exit(127);
    }
    (void)close(inside);
    while (n + 1 < size && (got = read(terminal, seen + n, size - 1 - n)) > 0) /* EIO: the other end is closed */
        n += (size_t)got;
    seen[n] = '\0';
    (void)close(terminal);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

/* It sets the title of a window, and begins red: by one byte, or by the two of C1. */
static const char commanding_network[] =
    "network x { }\n"
    "variable \"\033[31mred\" { type discrete [ 2 ] { \"y\033]0;t\007\", \"n\" }; }\n"
    "variable \"\xC2\x9B\x31mb\" { type discrete [ 2 ] { \"+\", \"@\" }; }\n"
    "probability ( \"\033[31mred\" ) { table 0.4, 0.6; }\n"
    "probability ( \"\xC2\x9B\x31mb\" | \"\033[31mred\" ) { (\"y\033]0;t\007\") 0.9, 0.1; (\"n\") 0.1, 0.9; }\n";

static const char commanding_experiment[] =
    "name: e\nnetworks: [n.bif]\ndata: {samples: [200], replicates: 2, test_samples: 50}\n"
    "learners: [hc, {id: own, command: [sh, own.sh, \"{graph}\"]}]\nmetrics: [shd, edges]\n"
    "tables: [{id: t, metric: shd, rows: samples, columns: learner}]\n";

/* What names files and columns, and what a program says of its end. */
static void write_commanding_files(void) {
    (void)write_file("n.bif", commanding_network);
    (void)write_file("\033[32m.csv", "\"a\033[31m\",b\n0.5,1.5\n0.25,2.5\n0.75,3.5\n1.5,0.5\n2.5,0.75\n3.5,0.125\n");
    (void)write_file("b.csv", "net,\"h\033[31mc\",chc\n\"a\xC2\x9B\",1,2\nb,1,3\nc,2,1\n");
    (void)write_file("e.yaml", commanding_experiment);
    (void)write_file("own.sh", "printf '\\033[31mbad\\007\\302\\233' >&2; exit 3\n");
}

static void no_name_commands_a_terminal(void **state) {
    static char seen[1 << 16];
    static const struct {
        int leave;
        const char *words[9];
    } calls[] = {
        {0, {"bnbench", "sample", "n.bif", "-n", "200", "-o", "d.csv"}},
        {0, {"bnbench", "sample", "n.bif", "-n", "3"}},
        {0, {"bnbench", "learn", "hc", "d.csv"}},
        {0, {"bnbench", "learn", "hc", "d.csv", "-o", "\033[33m.csv"}},
        {0, {"bnbench", "score", "bdeu", "n.bif", "d.csv", "--by-node"}},
        {0, {"bnbench", "test", "g2", "d.csv", "\033[31mred", "\xC2\x9B\x31mb"}},
        {0, {"bnbench", "compare", "\033[33m.csv", "n.bif"}},
        {0, {"bnbench", "fit", "n.bif", "d.csv", "-o", "\033[34m.bif"}},
        {0, {"bnbench", "convert", "n.bif", "-", "--to", "dot"}},
        {0, {"bnbench", "convert", "n.bif", "-", "--to", "mermaid"}},
        {0, {"bnbench", "convert", "n.bif", "-", "--to", "gml"}},
        {0, {"bnbench", "convert", "n.bif", "-", "--to", "xdsl"}},
        {0, {"bnbench", "tile", "n.bif", "--copies", "2"}},
        {0, {"bnbench", "info", "n.bif"}},
        {0, {"bnbench", "info", "\033[32m.csv"}},
        {0, {"bnbench", "discretize", "eqfreq", "\033[32m.csv"}},
        {0, {"bnbench", "stats", "friedman", "b.csv"}},
        {3, {"bnbench", "init", "\033[32m.csv", "-o", "-"}},
        {0, {"bnbench", "recommend", "d.csv", "--time", "2s"}},
        {6, {"bnbench", "run", "e.yaml", "--store", "s\033[35m", "--quiet"}},
        {0, {"bnbench", "status", "s\033[35m", "--why"}},
        {0, {"bnbench", "report", "s\033[35m", "--out", "r\033[36m"}},
        {0, {"bnbench", "job", "s\033[35m", "n/200/1/own"}},
        {0, {"bnbench", "job", "s\033[35m", "n/200/1/hc"}},
        {0, {"bnbench", "explain", "s\033[35m", "t", "200", "own"}},
        {0, {"bnbench", "diff", "s\033[35m", "s\033[35m"}},
        {0, {"bnbench", "plan", "e.yaml", "p\033[35m", "--quiet"}},
        {0, {"bnbench", "work", "p\033[35m"}},
        {0, {"bnbench", "status", "p\033[35m"}},
        {0, {"bnbench", "collect", "p\033[35m", "c\033[35m"}},
        {0, {"bnbench", "nightly", "e.yaml", "--history", "h\033[35m", "--quiet"}},
        {0, {"bnbench", "completion", "words", "--", "job", "s\033[35m", ""}},
        {2, {"bnbench", "man", "\033[31m"}},
        {2, {"bnbench", "list", "\033[31m"}},
        {2, {"bnbench", "\033[31m"}},
        {2, {"bnbench", "learn", "\033[31m", "d.csv"}},
        {2, {"bnbench", "learn", "hc", "d.csv", "-O", "\033[31m=1"}},
        {2, {"bnbench", "--\033[31m"}},
        {4, {"bnbench", "learn", "hc", "\033[31m.csv"}},
        {4, {"bnbench", "networks", "fetch", "\033[31m"}},
        {4, {"bnbench", "datasets", "fetch", "\033[31m"}},
        {4, {"bnbench", "reproduce", "\033[31m", "--stores", "x"}},
    };
    (void)state;
    write_commanding_files();
    assert_int_equal(chdir(cli_folder), 0);
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0); /* nor bold type, which is ours */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int leave = call_in_terminal(calls[i].words, seen, sizeof seen);
        if (leave != calls[i].leave)
            fail_msg("%s: status %d: %s", calls[i].words[1], leave, seen);
        if (strpbrk(seen, "\033\007") || strstr(seen, "\xC2\x9B"))
            fail_msg("%s %s", calls[i].words[1], seen);
    }
    assert_status(0, "learn", "hc", "d.csv"); /* no terminal: the names as they are */
    assert_text_has(cli_out, "\033[31mred");
}

/* What bnbench says is to be typed next names files as a shell takes them. */
static void a_command_to_copy_has_its_names_quoted(void **state) {
    (void)state;
    write_commanding_files();
    assert_int_equal(chdir(cli_folder), 0);
    assert_status(0, "sample", "asia", "-n", "50", "-o", "$(touch hit).csv");
    assert_status(0, "recommend", "$(touch hit).csv", "--time", "1s");
    assert_text_has(cli_out, " '$(touch hit).csv'");
    assert_status(0, "init", "$(touch hit).csv", "-o", "`touch hit`.yaml");
    assert_text_has(cli_errors, "bnbench run '`touch hit`.yaml'");
    assert_status(6, "run", "e.yaml", "--store", "a;touch hit");
    assert_text_has(cli_out, "bnbench status 'a;touch hit' --why'");
    assert_status(2, "explain", "a;touch hit", "t;", "200");
    assert_text_has(cli_errors, "bnbench explain 'a;touch hit' 't;''");
    assert_false(is_there(in_folder("hit")));
}

/* Two nodes whose names differ by a control character alone. */
static const char alike_network[] = "network x { }\n"
                                    "variable \"a\001\" { type discrete [ 2 ] { y, n }; }\n"
                                    "variable \"a\002\" { type discrete [ 2 ] { y, n }; }\n"
                                    "probability ( \"a\001\" ) { table 0.4, 0.6; }\n"
                                    "probability ( \"a\002\" | \"a\001\" ) { (y) 0.9, 0.1; (n) 0.1, 0.9; }\n";

static void names_that_look_alike_stay_apart_in_a_stored_graph(void **state) {
    (void)state;
    (void)write_file("net.bif", alike_network);
    assert_status(0, "run",
                  write_file("alike.yaml", "name: alike\nnetworks: [net.bif]\ndata: {samples: 200}\nlearners: [hc]\n"
                                           "metrics: [shd]\ntables: [{id: t, metric: shd}]\n"
                                           "plots: [{id: p, kind: network, network: net, learner: hc}]\n"),
                  "--store", in_folder("store"));
    assert_text_lacks(cli_errors, "expected one of");
    assert_file_has(in_folder("store/report/plots/p.dot"), "->");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_graph_of_any_names_comes_back_as_it_was),
        cli_test(graphviz_takes_any_name_as_text),
        cli_test(data_of_any_names_are_learned_from_and_keep_them),
        cli_test(a_spreadsheet_takes_no_name_of_a_report_for_a_formula),
        cli_test(an_id_of_a_learner_is_no_path),
        cli_test(no_name_commands_a_terminal),
        cli_test(a_command_to_copy_has_its_names_quoted),
        cli_test(names_that_look_alike_stay_apart_in_a_stored_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
