/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A paper of three figures, for tests of what is made of papers: its files, and a share folder that holds them. */
#ifndef BNB_TESTS_SUPPORT_TINY_PAPER_H
#define BNB_TESTS_SUPPORT_TINY_PAPER_H

#include "tests/support/cli_support.h"

#include <stdio.h>
#include <stdlib.h>

/* asia has 8 arcs: the empty graph misses all of them, the complete order none. */
static const char published_csv[] = "network,sample_size,algorithm,metric,value\n"
                                    "asia,100,empty,missing_edges,8\n"
                                    "asia,100,own,missing_edges,0\n"
                                    "asia,100,lost,missing_edges,3\n";

/* `own` finds nothing, and the whole graph in the reading; what `lost` is, nobody knows. */
static const char paper_yaml[] =
    "name: tiny\n"
    "title: A tiny paper\n"
    "networks: [asia]\n"
    "data: {samples: [100], test_samples: 50}\n"
    "learners: [empty, {id: own, command: [cp, none.csv, \"{graph}\"]}, {id: lost, command: [cp, none.csv, "
    "\"{graph}\"]}]\n"
    "metrics: [missing_edges]\n"
    "tables: [{id: missing, metric: missing_edges, published: tiny.csv, within: {absolute: 1}}]\n"
    "readings:\n"
    "  - {id: whole, text: It finds all., change: {learners: {own: {command: [cp, asia.csv, \"{graph}\"]}}}}\n"
    "reasons:\n"
    "  - {id: graph, kind: reading, text: Another graph., cells: [{table: missing, learners: [own]}], readings: "
    "[whole]}\n"
    "conclusion: It comes out.\n"
    "profiles: {quick: {title: A quick one}}\n";

static inline const char *write_paper(const char *name) {
    (void)write_file("none.csv", "from,to,type\n");
    (void)write_file("asia.csv", "from,to,type\nasia,tub,directed\nsmoke,lung,directed\nsmoke,bronc,directed\n"
                                 "lung,either,directed\ntub,either,directed\neither,xray,directed\n"
                                 "either,dysp,directed\nbronc,dysp,directed\n");
    return write_file(name, paper_yaml);
}

/* A share folder of its own, whose only published file is that of the paper. */
static inline int tiny_paper_start(void **state) {
    char script[600];
    int st = cli_start_test(state);
    (void)snprintf(script, sizeof script,
                   "mkdir -p \"$1/share/published\" \"$1/share/experiments\" && "
                   "ln -s '%s' \"$1/share/networks\"",
                   source_path("networks"));
    if (st || cli_call_shell(script))
        return 1;
    (void)write_file("share/published/tiny.csv", published_csv);
    return setenv("BNBENCH_SHARE", in_folder("share"), 1);
}

static inline int tiny_paper_end(void **state) {
    (void)unsetenv("BNBENCH_SHARE");
    return cli_end_test(state);
}

static inline void assert_file_has(const char *name, const char *words) {
    char script[300];
    (void)snprintf(script, sizeof script, "cat \"$1/%s\"", name);
    assert_int_equal(cli_call_shell(script), 0);
    assert_text_has(cli_out, words);
}

#endif
