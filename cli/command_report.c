/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench report: the tables and plots of a store. */
#include "cli/command.h"
#include "cli/json.h"
#include "cli/runs.h"

#include <string.h>

static const arg_option options[] = {
    {"format", 0, "FORMAT",
     "md, csv or text: write only these files (text: none);\nby default Markdown, CSV and plots"},
    {"out", 0, "DIR", "the folder for the files (STORE/report)"},
    {0},
};

static status read_wish(const cli *c, report_wish *wish, error_info *err) {
    const char *format = args_value(c->args, "format");
    wish->folder = args_value(c->args, "out");
    if (!format) {
        wish->write_markdown = wish->write_csv = wish->write_plots = true;
        return STATUS_OK;
    }
    if (strcmp(format, "html") == 0 || strcmp(format, "latex") == 0)
        return error_set(err, STATUS_INVALID, "--format %s is not in this version; there are md, csv and text", format);
    if (strcmp(format, "md") != 0 && strcmp(format, "csv") != 0 && strcmp(format, "text") != 0)
        return error_set(err, STATUS_INVALID, "--format is '%s'; it must be one of md|csv|text", format);
    wish->write_markdown = wish->write_plots = strcmp(format, "md") == 0;
    wish->write_csv = strcmp(format, "csv") == 0;
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    report_wish wish = {0};
    status st = STATUS_OK;

    TRY(cli_blame(c, BLAME_WORDS, read_wish(c, &wish, err)));
    if (c->json) {
        TRY_ALLOC(c->answer = json_object());
        TRY(json_put(c->answer, "store", json_of_text(c->args->words[0]), err));
    }
    TRY(runs_report(c, c->args->words[0], &wish, c->answer, err));
cleanup:
    return st;
}

const command command_report = {
    .syntax =
        {
            .name = "report",
            .words = "STORE",
            .summary = "the tables and plots of a store, published figures beside the regenerated",
            .details = "The tables are printed; Markdown, CSV, SVG and PNG files go to STORE/report or --out.",
            .examples = "  bnbench report stores/quickstart\n"
                        "  bnbench report stores/quickstart --format csv --out tables",
            .least_words = 1,
            .most_words = 1,
            .options = options,
        },
    .run = run,
};
