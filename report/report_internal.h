/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources that make a report share. */
#ifndef BNB_REPORT_REPORT_INTERNAL_H
#define BNB_REPORT_REPORT_INTERNAL_H

#include "parts/base/part_output.h"
#include "report/report.h"

/** What report_make works on. */
typedef struct {
    part_context in;
    const report_options *options;
    part_output out;
} report;

/** A value as JSON that may stand in a script element: "<", ">", "&" and the line separators are escaped. */
void html_append_json(text_buffer *out, const json_t *value);

/** The jobs, tables and names as one JSON object, for the page's script. */
BNB_MUST_CHECK status html_append_data(const report *r, text_buffer *out, error_info *err);

/** Sections of the page. */
void html_add_summary(const report *r, document *d);
void html_add_learners(const report *r, document *d);
void html_add_failures(const report *r, document *d);
void html_add_provenance(const report *r, document *d);

/** Writes index.html, and experiment.yaml beside it. */
BNB_MUST_CHECK status html_write_page(report *r, error_info *err);

#endif
