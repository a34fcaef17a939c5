/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The report as one HTML page that needs no network and no other file. What only the upper layers know of an experiment
 * (what a learner is, how the run was limited) comes in as plain texts.
 */
#ifndef BNB_REPORT_HTML_H
#define BNB_REPORT_HTML_H

#include "store/store.h"

/** A name with its value, both for people. */
typedef struct {
    const char *name, *value;
} html_fact;

typedef struct {
    const char *name, *value, *help;
    bool is_changed; /* it is not the initial value */
} html_option;

/** What is to be told of a learner of the experiment; texts may be NULL but the id. */
typedef struct {
    const char *id;      /* as in the experiment */
    const char *kind;    /* its name in the registry; "external program"; "the best of others" */
    const char *summary; /* one line */
    const char *citation;
    const char *takes, *returns;
    const char *command; /* of an external one */
    size_t n_options;
    const html_option *options;
} html_learner;

/** Borrowed while the report is made. */
typedef struct {
    const store_run_facts *run;
    size_t n_planned;        /* cells */
    const char *declaration; /* the experiment as YAML; written beside the page, to repeat a job with */
    size_t n_settings, n_learners;
    const html_fact *settings; /* seed, limits, column order, ... */
    const html_learner *learners;
} html_facts;

#endif
