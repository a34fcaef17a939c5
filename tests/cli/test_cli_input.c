/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bad input: a message with the place, status 3, and nothing written. */
#include "tests/support/cli_support.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

static void bad_data_is_status_3_with_the_place_and_nothing_is_written(void **state) {
    static const struct {
        const char *text, *hint;
    } cases[] = {
        {"", ""},
        {"a,b\n", ""},
        {"a,b\n0,1\n0\n", "3"},
        {"a,b\n0,1\n0,1,1\n", "3"},
        {"a,b\n0,1\n,1\n", "3"},
        {"a,b\n0,1\n1,NA\n", "3"},
        {"a,a\n0,1\n1,0\n", "a"},
        {"a,b\n0,\"1\n", ""},
        {"\x1f\x8b\x08 broken", ""},
    };
    const char *target = in_folder("g.csv");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *data = write_file("bad.csv", cases[i].text);
        assert_status(3, "learn", "hc", data, "-o", target);
        assert_text_has(cli_errors, "bad.csv");
        assert_text_has(cli_errors, cases[i].hint);
        assert_string_equal(cli_out, "");
        assert_false(is_there(target));
    }
    assert_status(3, "learn", "hc", write_file("d.csv", "asia\nmaybe\n"), "--network", "asia", "-o", target);
    assert_text_has(cli_errors, "maybe");
    assert_status(3, "learn", "hc", cli_folder);
    assert_status(3, "learn", "hc", write_file("real.csv", "a,b\n0.5,0.25\n1.5,0.75\n"));
    assert_text_has(cli_errors, "continuous");
}

static void bad_networks_are_status_3_with_the_place(void **state) {
    static const char head[] = "network n { }\nvariable a { type discrete [ 2 ] { x, y }; }\n"
                               "variable b { type discrete [ 2 ] { x, y }; }\n";
    static const char *const tails[] = {
        "probability ( a ) { table 0.5, 0.6; }\nprobability ( b ) { table 0.5, 0.5; }\n",
        "probability ( a ) { table 0.5; }\nprobability ( b ) { table 0.5, 0.5; }\n",
        "probability ( a ) { table 0.5, 0.5; }\n",
        "probability ( a ) { table 0.5, 0.5; }\nprobability ( b | c ) { (x) 0.5, 0.5; (y) 0.5, 0.5; }\n",
        "probability ( a ) { table 0.5, 0.5; }\nprobability ( b | a ) { (x) 0.5, 0.5; (z) 0.5, 0.5; }\n",
        "probability ( a | b ) { (x) 0.5, 0.5; (y) 0.5, 0.5; }\nprobability ( b | a ) { default 0.5, 0.5; }\n",
        "probability ( a ) { table 1.5, -0.5; }\nprobability ( b ) { table 0.5, 0.5; }\n",
        "variable a { type discrete [ 2 ] { x, y }; }\n",
        "probability ( a ) { table 0.5, 0.5",
    };
    (void)state;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s%s", head, tails[i]);
        assert_status(3, "info", write_file("bad.bif", text));
        assert_text_has(cli_errors, "bad.bif");
        assert_status(3, "sample", in_folder("bad.bif"), "-n", "5", "-o", in_folder("rows.csv"));
        assert_false(is_there(in_folder("rows.csv")));
    }
}

static void a_network_that_would_not_fit_in_memory_is_bad_input(void **state) {
    text_buffer text = {0};
    (void)state;
    text_append(&text, "network huge { }\n");
    for (int i = 0; i <= 60; i++)
        text_append_format(&text, "variable v%d { type discrete [ 2 ] { x, y }; }\n", i);
    for (int i = 1; i <= 60; i++)
        text_append_format(&text, "probability ( v%d ) { table 0.5, 0.5; }\n", i);
    text_append(&text, "probability ( v0 | v1");
    for (int i = 2; i <= 60; i++)
        text_append_format(&text, ", v%d", i);
    text_append(&text, " ) { default 0.5, 0.5; }\n");
    assert_status(3, "info", write_file("huge.bif", text.data));
    text_buffer_clear(&text);
    assert_text_has(cli_errors, "huge.bif");
}

static void bad_graphs_are_status_3_with_the_place(void **state) {
    static const char *const texts[] = {"from,to\na,b\n",
                                        "from,to,type\na,b,sideways\n",
                                        "from,to,type\na,a,directed\n",
                                        "from,to,type\na,b\n",
                                        "from,to,type\na,b,directed\nb,a,directed\n",
                                        ""};
    const char *good = write_file("good.csv", "from,to,type\na,b,directed\n");
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_status(3, "compare", write_file("bad.csv", texts[i]), good);
        assert_text_has(cli_errors, "bad.csv");
    }
}

static void bad_experiments_are_status_3_and_nothing_is_started(void **state) {
    static const struct {
        const char *text, *hint;
    } cases[] = {
        {"name: x\nseed: 1\nnetworks: [asia]\ndata: {samples: [50], replicates: 1}\nlerners: [hc]\nmetrics: [shd]\n",
         "learners"},
        {"name: x\nseed: 1\nnetworks: [asia]\ndata: {samples: [50], replicates: 1}\nlearners: [hcc]\nmetrics: [shd]\n",
         "hc"},
        {"name: x\nseed: 1\nnetworks: [asia]\ndata: {samples: [-50], replicates: 1}\nlearners: [hc]\nmetrics: [shd]\n",
         "-50"},
        {"name: x\nseed: 1\nnetworks: [asia]\ndata: {samples: [50], replicates: 1}\nlearners: [hc]\nmetrics: [sdh]\n",
         "shd"},
        {"name: x\nseed: one\nnetworks: [asia]\ndata: {samples: [50], replicates: 1}\nlearners: [hc]\nmetrics: [shd]\n",
         "one"},
        {"name: [unclosed\n", "2"},
        {"", ""},
    };
    const char *stores = in_folder("store");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_status(3, "run", write_file("bad.yaml", cases[i].text), "--store", stores);
        assert_text_has(cli_errors, "bad.yaml");
        assert_text_has(cli_errors, cases[i].hint);
        assert_false(is_there(stores));
    }
}

/* Data that are read, but hardly as their owner means them; and what an error says of the way out. */
static void what_is_odd_in_data_is_said(void **state) {
    char rows[2000] = "id,a,b\n";
    (void)state;
    assert_status(0, "learn", "empty", write_file("bars.csv", "a|b\nx|y\nz|y\n"));
    assert_text_has(cli_errors, "its one column is 'a|b': fields are separated by commas here, not by bars");
    assert_status(0, "learn", "empty", write_file("semicolons.csv", "a;b\nx;y\nz;y\n"));
    assert_text_has(cli_errors, "'b' has one value alone");
    assert_status(0, "learn", "empty", write_file("blanks.csv", "a, b\nx, y\nz, z\n"));
    assert_text_has(cli_errors, "the blanks of ' b' are part of the column's name");
    for (int i = 0; i < 30; i++)
        (void)snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "p%d,%d,x\n", i, i % 2);
    assert_status(0, "learn", "empty", write_file("id.csv", rows));
    assert_text_has(cli_errors, "'id' has another value in each row");
    assert_text_has(cli_errors, "'b' has one value alone");
    assert_text_lacks(cli_errors, "'a' has");
    assert_status(0, "learn", "empty", write_file("mixed.csv", "a,b,c\n0.5,x,1.5\n0.25,y,2.5\n0.75,x,0.5\n"));
    assert_text_has(cli_errors, "mixed.csv: discrete: b\n");
    assert_status(3, "learn", "empty", write_file("r.csv", "\"\",\"a\"\n\"1\",\"x\"\n"));
    assert_text_has(cli_errors, "row.names = FALSE");
    assert_status(3, "learn", "empty", write_file("missing.csv", "a,b\nx,\n"));
    assert_text_has(cli_errors, "leave out the row, or write a state of its own");
    assert_status(3, "learn", "empty", write_file("missing.csv", "a,b\nx,NA\ny,z\n,?\n"));
    assert_text_has(cli_errors, "line 2, column 2: a missing value ('NA') of 'b'");
    assert_text_has(cli_errors, "(the file has 3 of them in 2 rows)");
    assert_status(0, "learn", "empty", write_file("latin1.csv", "a,b\nx,caf\xE9\ny,z\n"));
    assert_text_has(cli_errors, "'caf?' is not UTF-8; `iconv -f latin1 -t utf-8`");
    assert_status(0, "learn", "empty", write_file("utf8.csv", "a,b\nx,caf\xC3\xA9\ny,z\n"));
    assert_text_lacks(cli_errors, "UTF-8");
    assert_status(0, "sample", "asia", "-n", "50", "-o", in_folder("asia.csv"));
    assert_status(0, "learn", "empty", in_folder("asia.csv"));
    assert_text_lacks(cli_errors, "asia.csv:");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(bad_data_is_status_3_with_the_place_and_nothing_is_written),
        cli_test(bad_networks_are_status_3_with_the_place),
        cli_test(a_network_that_would_not_fit_in_memory_is_bad_input),
        cli_test(bad_graphs_are_status_3_with_the_place),
        cli_test(bad_experiments_are_status_3_and_nothing_is_started),
        cli_test(what_is_odd_in_data_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
