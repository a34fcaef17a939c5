/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the HTML report tells of an experiment. */
#ifndef BNB_REPORT_HTML_FACTS_H
#define BNB_REPORT_HTML_FACTS_H

#include "report/html.h"
#include "report/report_input.h"

/** Owns its arrays and texts; zero-initialise. */
typedef struct {
    html_facts facts;
    size_t n_learners, n_texts;
    html_learner *learners;
    html_option **options; /* by learner */
    html_fact *settings;
    char **texts;
} report_page;

/** Borrows the experiment and the facts of its run. */
BNB_MUST_CHECK status report_page_create(const report_input *in, report_page *out, error_info *err);
void report_page_clear(report_page *p);

#endif
