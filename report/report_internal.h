/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources that make a report share. */
#ifndef BNB_REPORT_REPORT_INTERNAL_H
#define BNB_REPORT_REPORT_INTERNAL_H

#include "parts/figures/published.h"
#include "parts/plots/critical_difference.h"
#include "parts/plots/network_plot.h"
#include "parts/plots/policy_plot.h"
#include "parts/tables/metric_table.h"
#include "parts/tables/policies_table.h"
#include "parts/tests/friedman_part.h"
#include "parts/tests/wilcoxon_part.h"
#include "report/report.h"

/** The parts of the HTML page that are made as the report goes. */
typedef struct {
    text_buffer tables, table_data, tests, plots, networks;
    size_t n_tables, picture_bytes;
} html_page;

/** What report_make works on. */
typedef struct {
    const experiment_outputs *outputs;
    const part_list *parts;
    const job_record *records;
    size_t n_records;
    const report_options *options;
    report_result *result;
    text_buffer markdown, latex;
    html_page page;
    size_t n_names;
    char **names;                                 /* file names without ending, each once; folder before it */
    bool gnuplot_is_missing, graphviz_is_missing; /* said once */
} report;

/** "name: sentence" among the notes of the result. */
BNB_MUST_CHECK status report_add_note(report *r, const char *name, const char *sentence, error_info *err);

/** Only what the machine cannot do stops a report; what a table, test or plot cannot be is a note. */
bool report_is_grave(status st);

/** "tables/table3-shd" of kind and id: for one file alone; lives as long as the report. */
BNB_MUST_CHECK status report_choose_name(report *r, const char *kind, const char *id, const char **out,
                                         error_info *err);

/** A folder below the report's, or with NULL that one. */
BNB_MUST_CHECK status report_make_folder(const report *r, const char *name, error_info *err);

/** Writes a file of the report and adds it to the list. */
BNB_MUST_CHECK status report_write_text(report *r, const char *name, const char *ending, const text_buffer *text,
                                        error_info *err);

/** The path of a file of published figures (on the heap), NULL where none is named or known. */
BNB_MUST_CHECK status report_find_published(report *r, const char *id, const char *file, char **out, error_info *err);

/** What became of reading it: a failure that is not grave is a note. */
BNB_MUST_CHECK status report_judge_published(report *r, const char *id, status answer, const error_info *why,
                                             error_info *err);
BNB_MUST_CHECK status report_read_published(report *r, const char *id, const char *file, published_table **out,
                                            error_info *err);

/** Runs gnuplot on the script that lies there; a failure is a note. */
BNB_MUST_CHECK status report_draw(report *r, const char *id, const char *name, bool *is_drawn, error_info *err);

/** Tables and tests as a document of its own, and as a part to be read into another. */
BNB_MUST_CHECK status report_write_latex(report *r, error_info *err);

/** A declared test: into the text, the Markdown, files of its own and the JSON. */
BNB_MUST_CHECK status report_make_friedman(report *r, const friedman_spec *spec, error_info *err);
BNB_MUST_CHECK status report_make_wilcoxon(report *r, const wilcoxon_spec *spec, error_info *err);

/** Declared tables and plots of discretization policies. */
BNB_MUST_CHECK status report_make_policies(report *r, const policies_table_spec *spec, error_info *err);
BNB_MUST_CHECK status report_make_policy_plot(report *r, const policy_plot_spec *spec, error_info *err);

/** The plot of a declared Friedman test. */
BNB_MUST_CHECK status report_make_critical_difference(report *r, const critical_difference_spec *spec, error_info *err);

/** Adds a file to the list of those written; takes the path over, also when it fails. */
BNB_MUST_CHECK status report_take_file(report *r, char *path, error_info *err);

/** A drawing of a learned network against the true one: DOT, and SVG where Graphviz is there. */
BNB_MUST_CHECK status report_make_network(report *r, const network_plot_spec *spec, error_info *err);

/** What that draws: the learned graph's record and the text of the true graph, NULL where they are not to be had. */
const job_record *report_find_graph(const report *r, const network_plot_spec *spec);
const char *report_true_graph(const report *r, const char *network);

/** Runs Graphviz on the DOT file that lies there; a failure is a note. */
BNB_MUST_CHECK status report_draw_network(report *r, const char *id, const char *name, bool *is_drawn, error_info *err);

#endif
