/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The parts of the HTML page: each table, test and picture is added as it is made, the page is put together last. */
#ifndef BNB_REPORT_HTML_INTERNAL_H
#define BNB_REPORT_HTML_INTERNAL_H

#include "document/document.h"
#include "parts/tests/significance.h"
#include "report/report_internal.h"

/** A text as a JSON string that may stand in a script element: "<", ">", "&" and the line separators are escaped. */
void html_append_json(text_buffer *out, const char *text);

/** 'sha256-...' of an inline style or script, as a Content-Security-Policy names it. */
BNB_MUST_CHECK status html_append_hash(text_buffer *out, const char *text, error_info *err);

/** All of these do nothing unless the report has a page. */
BNB_MUST_CHECK status html_add_table(report *r, const table *t, const table_spec *spec, error_info *err);
BNB_MUST_CHECK status html_add_test(report *r, const significance *s, error_info *err);

/**
 * A picture of plots/, whose SVG goes into the page as an image, which can run nothing.
 * @param name     "plots/tradeoff"
 * @param is_drawn false: the program that draws was absent; the page says so
 * @param notes    below the picture
 */
BNB_MUST_CHECK status html_add_picture(report *r, plot_kind kind, const char *title, const char *name, bool is_drawn,
                                       char *const *notes, size_t n_notes, error_info *err);

/** Before the drawing of a difference: the true network, if it has not been drawn yet, and the learned one alone. */
BNB_MUST_CHECK status html_add_graphs(report *r, const plot_spec *spec, error_info *err);

/** The jobs, tables and names as one JSON object, for the page's script. */
BNB_MUST_CHECK status html_append_data(const report *r, text_buffer *out, error_info *err);

/** Sections of the page. */
void html_append_summary(const report *r, text_buffer *out);
void html_append_learners(const report *r, text_buffer *out);
void html_append_failures(const report *r, text_buffer *out);
void html_append_provenance(const report *r, text_buffer *out);

/** Writes index.html, and experiment.yaml beside it. */
BNB_MUST_CHECK status html_write_page(report *r, error_info *err);

void html_page_clear(html_page *page);

#endif
