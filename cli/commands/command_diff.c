/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench diff: what changed between two runs of an experiment. */
#include "cli/base/command.h"
#include "cli/reports/comparison_answer.h"

static const arg_option options[] = {
    COMPARISON_OPTIONS,
    {"html", 0, "FILE", "write the comparison as a page, too"},
    {0},
};

static status run(cli *c, error_info *err) {
    const char *page = args_value(c->args, "html"), *before = c->args->words[0], *after = c->args->words[1];
    AUTO(comparison_clear) comparison s = {0};

    CHECK(comparison_make(c, before, after, &s, err));
    if (page)
        CHECK(cli_blame(c, BLAME_OUTPUT, comparison_write_page(&s, before, after, page, err)));
    if (c->json)
        CHECK(comparison_answer(&s, &c->answer, err));
    else
        difference_append_text(&s.d, &s.options, &c->out);
    c->exit_status = comparison_exit_status(&s);
    return STATUS_OK;
}

const command command_diff = {
    .run = run,
    .syntax =
        {.name = "diff",
         .words = "STORE_A STORE_B",
         .summary = "what changed from one run to another: accuracy, graphs, failures, times",
         .details =
             "Graphs, counters and metrics of one version are the same bit for bit, so every change of theirs is\n"
             "found by comparing. Times are held against the processor's speed at their moment and tested: a cell is\n"
             "slower where its ratio exceeds --max-slowdown and the replicates show it at --alpha.\n"
             "Exit status 1: a regression. 7: nothing could be compared, or less was measured than before.",
         .examples = "  printf 'name: mine\\nnetworks: [asia]\\ndata: {samples: [500], replicates: 5}\\nlearners: [hc, "
                     "mmhc]\\n' > my.yaml\n"
                     "  bnbench run my.yaml --store stores/monday\n"
                     "  bnbench run my.yaml --store stores/tuesday\n"
                     "  bnbench diff stores/monday stores/tuesday\n"
                     "  bnbench diff stores/monday stores/tuesday --max-slowdown 1.1 --metrics shd,time --json",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
