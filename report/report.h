/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The report of a store: its tables and tests as text, Markdown, CSV, LaTeX and HTML, its plots as SVG, PDF and PNG,
 * published beside regenerated.
 */
#ifndef BNB_REPORT_REPORT_H
#define BNB_REPORT_REPORT_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "document/format.h"
#include "parts/base/part.h"
#include "report/report_input.h"
#include "store/store.h"

#include <stdbool.h>

/** What the HTML page tells of the run. */
typedef struct {
    const experiment *e;        /* its declaration is written beside the page, to repeat a job with */
    const store_run_facts *run; /* may be NULL */
    size_t n_planned;           /* cells */
} html_facts;

typedef struct {
    const char *folder;                  /* where files go; made if it is not there */
    const char *published_folder;        /* results/published of the installation; NULL: no published figures */
    const document_format *const *forms; /* of the files, NULL behind the last; NULL: none */
    bool write_csv, write_plots;
    const html_facts *html; /* what the HTML page tells of the run; NULL: no such page */
    const document *front;  /* stands at the top of that page; NULL: nothing */
    size_t width;           /* of the terminal, for the text; 0: do not fold */
    bool use_bold;          /* best of a row in bold (ANSI) in the text */
} report_options;

/** What a report made. Zero-initialise. */
typedef struct {
    text_buffer text;       /* the tables and tests, for the terminal */
    text_buffer tests_json; /* an array, an object a test */
    size_t n_files;
    char **files; /* paths written */
    size_t n_notes;
    char **notes; /* what could not be made and why (gnuplot absent, a table without data), a sentence each */
} report_result;

void report_result_clear(report_result *r);

/**
 * Computes every declared table, test and plot from the records and writes the files. A missing gnuplot is a note, not
 * an error.
 * @return STATUS_IO where a file cannot be written.
 */
BNB_MUST_CHECK status report_make(const part_context *in, const report_options *options, report_result *out,
                                  error_info *err);

/** The report of a store, with or without the HTML page. */
BNB_MUST_CHECK status report_write(const report_input *in, bool with_page, const report_options *options,
                                   report_result *out, error_info *err);

#endif
