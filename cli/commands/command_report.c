/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench report: the tables and plots of a store. */
#include "cli/base/command.h"
#include "cli/reports/reproductions.h"
#include "cli/reports/runs.h"

#include <stdio.h>
#include <string.h>

static const arg_option options[] = {
    {"format", 0, "FORMAT",
     "html, md, csv, latex or text: write only these files (text: none);\nby default Markdown, CSV and plots"},
    {"out", 0, "DIR", "the folder for the files (STORE/report)"},
    {"reading", 0, "ID", "of this reading of the experiment (run --readings), into STORE/report-ID"},
    RUNS_VERBOSE_OPTION,
    {"policies", 0, NULL, "add the thresholds by which continuous data were made discrete"},
    {"reproduction", 0, "FILE",
     "write the reproduction report there and nothing else: every published\nfigure beside the regenerated one, and "
     "what the paper claims; - is\nstandard output"},
    {"verdicts", 0, NULL,
     "one page over the stores, into --out FILE or on standard output: of each\npublished table how much came out, and "
     "a verdict on it and on each claim;\nHTML where FILE ends in .html, else Markdown"},
    {0},
};

static status refuse(const char *format, error_info *err) {
    char names[200] = "";
    for (size_t i = 0; document_format_at(i); i++)
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s|", document_format_at(i)->name);
    return error_set(err, STATUS_INVALID, "--format is '%s'; it must be one of html|%scsv|text", format, names);
}

static status read_wish(const cli *c, report_files *wish, error_info *err) {
    const char *format = args_value(c->args, "format");
    wish->folder = args_value(c->args, "out");
    wish->reading = args_value(c->args, "reading");
    wish->with_policies = args_has(c->args, "policies");
    wish->form = document_format_find(format ? format : "md");
    wish->html = format && strcmp(format, "html") == 0;
    wish->plots = wish->html || (wish->form && wish->form->has_pictures);
    wish->csv = !format || strcmp(format, "csv") == 0;
    return wish->form || wish->html || wish->csv || strcmp(format, "text") == 0 ? STATUS_OK : refuse(format, err);
}

static status reproduce(cli *c, const char *path, error_info *err) {
    if (args_has(c->args, "format") || args_has(c->args, "out") || args_has(c->args, "policies") ||
        args_has(c->args, "reading"))
        return cli_refuse(c, err,
                          "--reproduction writes one Markdown file, of all readings: leave out --format, --out, "
                          "--policies and --reading");
    if (c->json && strcmp(path, "-") == 0)
        return cli_refuse(c, err,
                          "--json and --reproduction - would both write to standard output; "
                          "name a file");
    CHECK(reproductions_write(c, c->args->words[0], path, err));
    return c->json ? json_put(c->answer = json_object(), "file", json_of_text(path), err) : STATUS_OK;
}

static status judge(cli *c, error_info *err) {
    const char *path = args_value(c->args, "out");
    if (c->json || args_has(c->args, "format") || args_has(c->args, "reading") || args_has(c->args, "verbose") ||
        args_has(c->args, "policies") || args_has(c->args, "reproduction"))
        return cli_refuse(c, err, "--verdicts writes one page: it goes with --out FILE alone");
    return reproductions_write_verdicts(c, (const char *const *)c->args->words, c->args->n_words, NULL, 0, path, err);
}

static status run(cli *c, error_info *err) {
    report_files wish = {0};
    const char *reproduction = args_value(c->args, "reproduction");

    if (args_has(c->args, "verdicts"))
        return judge(c, err);
    if (c->args->n_words > 1)
        return cli_refuse(c, err, "one store at a time; --verdicts takes several");
    if (reproduction)
        return reproduce(c, reproduction, err);
    CHECK(cli_blame(c, BLAME_WORDS, read_wish(c, &wish, err)));
    if (c->json)
        CHECK(json_put(c->answer = json_object(), "store", json_of_text(c->args->words[0]), err));
    return runs_report(c, c->args->words[0], &wish, c->answer, err);
}

const command command_report = {
    .run = run,
    .syntax = {.name = "report",
               .words = "STORE...",
               .summary = "the tables and plots of a store, published figures beside the regenerated",
               .details =
                   "The tables are printed; the files go to STORE/report or --out. html: index.html, one page that\n"
                   "needs nothing else, and experiment.yaml beside it, with which a job is repeated. Where there are\n"
                   "published figures, it begins with how much of them came out.",
               .examples = "  bnbench run quickstart --profile quick\n"
                           "  bnbench report stores/quickstart-quick\n"
                           "  bnbench report stores/quickstart-quick --format html --out page\n"
                           "  bnbench report stores/quickstart-quick --format csv --out tables\n"
                           "  bnbench report stores/quickstart-quick --reproduction quickstart.md",
               .least_words = 1,
               .most_words = 1000,
               .options = options},
};
