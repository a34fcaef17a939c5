/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read is as wide as $COLUMNS says; what a file or a pipe gets is not folded without it. */
#include "tests/support/cli_support.h"

#include <stdio.h>
#include <string.h>

static size_t widest_line(const char *text) {
    size_t widest = 0;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        widest = n > widest ? n : widest;
        line += n + (line[n] == '\n');
    }
    return widest;
}

static void assert_fits(const char *words, size_t width) {
    char script[512];
    (void)snprintf(script, sizeof script, "COLUMNS=%zu \"$0\" %s", width, words);
    assert_int_equal(cli_call_shell(script), 0);
    if (widest_line(cli_out) > width)
        fail_msg("%s: wider than %zu:\n%s", words, width, cli_out);
}

static void commands_keep_to_the_width(void **state) {
    (void)state;
    (void)write_file("e.yaml", "name: e\nnetworks: [asia]\ndata: {samples: [50], replicates: 2}\nlearners: [hc, gts, "
                               "mmhc, mmpc, empty]\ntables: [{id: t, metric: shd, normalise_by: hc}]\n");
    for (size_t width = 72; width <= 100; width += 14) {
        assert_fits("list metrics", width);
        assert_fits("list learners", width);
        assert_fits("info hc", width);
        assert_fits("info heatmap", width);
        assert_fits("compare asia asia", width);
        assert_fits("run \"$1/e.yaml\" --store \"$1/s\" -q", width);
        assert_fits("status \"$1/s\"", width);
        assert_fits("report \"$1/s\" --format text", width);
    }
    assert_fits("report \"$1/s\" --format text", 40);
}

static void a_pipe_gets_whole_lines(void **state) {
    (void)state;
    assert_int_equal(cli_call_shell("unset COLUMNS; \"$0\" list metrics"), 0);
    assert_that(widest_line(cli_out), >, 100);
    assert_int_equal(cli_call_shell("COLUMNS=nonsense \"$0\" list metrics"), 0);
    assert_that(widest_line(cli_out), >, 100);
    assert_int_equal(cli_call_shell("COLUMNS=30 \"$0\" sample asia -n 2"), 0); /* a file is none for people */
    assert_that(widest_line(cli_out), >, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(commands_keep_to_the_width),
        cli_test(a_pipe_gets_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
