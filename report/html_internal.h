/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The HTML page: tables, tests and pictures are added to it as they are made, the page is put together last. */
#ifndef BNB_REPORT_HTML_INTERNAL_H
#define BNB_REPORT_HTML_INTERNAL_H

#include "report/report_internal.h"

/** A value as JSON that may stand in a script element: "<", ">", "&" and the line separators are escaped. */
void html_append_json(text_buffer *out, const json_t *value);

/** 'sha256-...' of an inline style or script, as a Content-Security-Policy names it. */
BNB_MUST_CHECK status html_append_hash(text_buffer *out, const char *text, error_info *err);

/** The jobs behind a table's figures, for the page's script, and the table's number there; -1 without a page. */
BNB_MUST_CHECK status html_add_table_data(report *r, const table *t, const table_spec *spec, long *number,
                                          error_info *err);

/** Before the drawing of a difference: the true network, if it has not been drawn yet, and the learned one alone. */
BNB_MUST_CHECK status html_add_graphs(report *r, const plot_spec *spec, error_info *err);

/** The jobs, tables and names as one JSON object, for the page's script. */
BNB_MUST_CHECK status html_append_data(const report *r, text_buffer *out, error_info *err);

/** Sections of the page. */
void html_add_summary(const report *r, document *d);
void html_add_failures(const report *r, document *d);
void html_add_provenance(const report *r, document *d);

/** Writes index.html, and experiment.yaml beside it. */
BNB_MUST_CHECK status html_write_page(report *r, error_info *err);

void html_page_clear(html_page *page);

#endif
