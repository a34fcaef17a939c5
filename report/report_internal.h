/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources that make a report share. */
#ifndef BNB_REPORT_REPORT_INTERNAL_H
#define BNB_REPORT_REPORT_INTERNAL_H

#include "document/document.h"
#include "document/drawing/network_drawing.h"
#include "parts/figures/published.h"
#include "parts/tables/table.h"
#include "report/report.h"

#include <jansson.h>

/** Where a part stands on the HTML page. */
typedef enum {
    ROOM_TABLES,
    ROOM_TESTS,
    ROOM_PLOTS,
    ROOM_NETWORKS,
    ROOM_LEARNERS,
    ROOM_FAILURES,
    ROOM_PROVENANCE,
    N_ROOMS
} report_room;

/** The parts of the HTML page that are made as the report goes. */
typedef struct {
    text_buffer rooms[N_ROOMS];
    html_writer writer;
    json_t *tables; /* which jobs stand behind their figures, for the script; NULL: none yet */
} html_page;

/** What report_make works on. */
typedef struct {
    const experiment_outputs *outputs;
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

/** What became of making a part: only STATUS_MEMORY and STATUS_BUG end the report, other failures become notes. */
BNB_MUST_CHECK status report_judge(report *r, const char *name, status answer, const error_info *why, error_info *err);

/** "tables/table3-shd", made of the id, for one file alone; lives as long as the report. */
BNB_MUST_CHECK status report_choose_name(report *r, const char *folder, const char *id, const char **out,
                                         error_info *err);

/** A folder below the report's, or with NULL that one. */
BNB_MUST_CHECK status report_make_folder(const report *r, const char *name, error_info *err);

/** Writes a file of the report and adds it to the list; or only adds one that is there. */
BNB_MUST_CHECK status report_write_text(report *r, const char *name, const char *ending, const text_buffer *text,
                                        error_info *err);
BNB_MUST_CHECK status report_list_file(report *r, const char *name, const char *ending, error_info *err);

/** The file of a table, where files of figures are asked for. */
BNB_MUST_CHECK status report_write_table(report *r, const char *id, const text_buffer *csv, error_info *err);

/** Published figures, where a file of them is named and known; a failure is a note. */
BNB_MUST_CHECK status report_read_published(report *r, const char *id, const char *file, published_table **out,
                                            error_info *err);

/** Shows a part: in the Markdown and on the page, tables and tests in the text and the LaTeX too. */
BNB_MUST_CHECK status report_add_document(report *r, report_room room, const document *d, error_info *err);

/** On the page alone; without one it does nothing. */
BNB_MUST_CHECK status report_add_to_page(report *r, report_room room, const document *d, error_info *err);

/** A plot by gnuplot: its name, then its files and the picture; a failure of gnuplot is a note. */
BNB_MUST_CHECK status report_begin_plot(report *r, const char *id, const char **name, error_info *err);
BNB_MUST_CHECK status report_draw_plot(report *r, const char *id, const char *name, const text_buffer *csv,
                                       const text_buffer *script, bool *is_drawn, error_info *err);

/** The heading and the picture of a part, which `program` drew or not; and a line with its files. */
void report_begin_picture(document *d, const char *title, const char *name, bool is_drawn, const char *program);
void report_add_links(document *d, const char *name, bool is_drawn);

/** A declared test: into the text, the Markdown, files of its own and the JSON. */
BNB_MUST_CHECK status report_make_test(report *r, const test_spec *spec, error_info *err);

/** Declared tables and plots of discretization policies. */
BNB_MUST_CHECK status report_make_policies(report *r, const table_spec *spec, error_info *err);
BNB_MUST_CHECK status report_make_policy_plot(report *r, const plot_spec *spec, error_info *err);

/** The plot of a declared Friedman test. */
BNB_MUST_CHECK status report_make_critical_difference(report *r, const plot_spec *spec, error_info *err);

/** A drawing of a learned network against the true one: DOT, and SVG where Graphviz is there. */
BNB_MUST_CHECK status report_make_network(report *r, const plot_spec *spec, error_info *err);

/** What that draws: the learned graph's record and the text of the true graph, NULL where they are not to be had. */
const job_record *report_find_graph(const report *r, const plot_spec *spec);
const char *report_true_graph(const report *r, const char *network);

/** Draws a network by Graphviz, whose failure is a note. `tally` may be NULL. */
BNB_MUST_CHECK status report_draw_network(report *r, const char *id, const network_drawing *drawing,
                                          network_drawing_tally *tally, const char **name, bool *is_drawn,
                                          error_info *err);

#endif
