/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/reproduction.h"

#include "parts/figures/absent_rows.h"
#include "parts/figures/paper_failures.h"
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the run ---- */

static void add_program(const store_run_facts *run, document *d) {
    document_begin_fact(d, "program");
    document_say(d, SPAN_TEXT, "bnbench %s, commit %s; %s, %s build%s%s", run->version ? run->version : "?",
                 run->commit ? run->commit : "?", run->compiler ? run->compiler : "?", run->build ? run->build : "?",
                 run->sanitizers && *run->sanitizers ? ", sanitizers " : "", run->sanitizers ? run->sanitizers : "");
}

static void add_paper_failures(const experiment_outputs *o, document *d) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    paper_failures_append(o, &text);
    d->failed |= text.failed;
    document_add_fact(d, "failed in the paper", text.data);
}

static void add_counts(const reproduction_input *in, document *d) {
    size_t counts[4] = {0}, n_cut = 0;
    double cpu = 0, wall = 0;
    for (size_t i = 0; i < in->of.n_records; i++) {
        counts[in->of.records[i].state]++;
        n_cut += in->of.records[i].is_cut_short;
        cpu += in->of.records[i].cpu_seconds;
        wall += in->of.records[i].wall_seconds;
    }
    document_begin_fact(d, "results");
    document_say(d, SPAN_TEXT, "%zu of %zu cells: %zu done", in->of.n_records, in->n_planned, counts[JOB_DONE]);
    for (job_state s = JOB_FAILED; s <= JOB_MEMORY; s++)
        document_say(d, SPAN_TEXT, ", %zu %s", counts[s], job_state_name(s));
    document_say(d, SPAN_TEXT, "; %zu cut short by a limit or a budget", n_cut);
    add_paper_failures(in->of.outputs, d);
    document_begin_fact(d, "learning");
    document_say(d, SPAN_TEXT, "%.0f s of CPU time in all, %.0f s elapsed", cpu, wall);
}

static void add_data(const reproduction_input *in, document *d) {
    const experiment_outputs *o = in->of.outputs;
    AUTO(text_buffer_clear) text_buffer sizes = {0};
    char digits[32];
    for (size_t i = 0; i < o->n_sizes; i++) {
        text_append(&sizes, i ? ", " : " ");
        outputs_append_size(o->sizes[i], &sizes);
    }
    d->failed |= sizes.failed;
    document_begin_fact(d, "data");
    document_say(d, SPAN_TEXT, "%zu networks, sizes%s", o->n_networks, sizes.data ? sizes.data : "");
    for (size_t i = 0; i < o->n_sigmas; i++)
        document_say(d, SPAN_TEXT, "%s%s", i ? ", " : ", continuous with noise of sigma ",
                     text_from_double(o->sigmas[i], digits));
    document_say(d, SPAN_TEXT, ", %zu data set%s each, ", o->n_replicates, o->n_replicates == 1 ? "" : "s");
    if (in->n_validation_sets > 1)
        document_say(d, SPAN_TEXT, "%zu validation sets of ", in->n_validation_sets);
    if (in->test_is_as_large)
        document_say(d, SPAN_TEXT, "as many test rows");
    else
        document_say(d, SPAN_TEXT, "%zu test rows", in->test_samples);
    if (in->tells_seen_states)
        document_say(d, SPAN_TEXT, ", learners told of the states that occur");
    document_say(d, SPAN_TEXT, ", seed %llu", (unsigned long long)in->seed);
}

static void add_run(const reproduction_input *in, document *d) {
    const store_run_facts *run = in->run;
    document_add_heading(d, 2, "The run");
    add_program(run, d);
    document_add_fact(d, "processor", run->processor);
    document_add_fact(d, "system", run->system);
    document_add_fact(d, "profile", run->profile ? run->profile : "none: the full protocol");
    document_add_fact(d, "began", run->first_started);
    if (run->n_runs > 1) {
        document_begin_fact(d, "went on");
        document_say(d, SPAN_TEXT, "%zu times", run->n_runs - 1);
    }
    document_add_fact(d, "ended", run->ended);
    add_data(in, d);
    add_counts(in, d);
}

/* ---- what is not compared ---- */

static status count_rows(const reproduction_input *in, const absent_rows *a, size_t *n, error_info *err) {
    AUTO_PTR(csv_table_destroy) csv_table *rows = NULL;
    *n = 0;
    if (!in->published_folder)
        return STATUS_OK;
    CHECK(published_read_rows(in->published_folder, a->published, &rows, err));
    *n = absent_count(a, rows);
    return STATUS_OK;
}

static void say_conditions(const absent_rows *a, document_grid *g, size_t row, size_t column) {
    for (size_t i = 0; i < a->n_conditions; i++) {
        const row_condition *c = &a->conditions[i];
        grid_say(g, row, column, SPAN_TEXT, "%s%s: ", i ? "; " : "", c->column);
        for (size_t k = 0; k < c->n_values; k++)
            grid_say(g, row, column, SPAN_TEXT, "%s%s", k ? ", " : "", c->values[k]);
    }
    if (a->n_conditions == 0)
        grid_say(g, row, column, SPAN_TEXT, "all rows");
}

static status add_absent(const reproduction_input *in, document *d, error_info *err) {
    static const char *const head[] = {"file", "rows", "which", "why"};
    enum { N_HEAD = sizeof head / sizeof *head };
    const experiment_outputs *o = in->of.outputs;
    document_grid *g;
    if (o->n_absent == 0)
        return STATUS_OK;
    document_add_heading(d, 2, "Published figures that are not compared");
    g = document_add_grid(d, NULL, o->n_absent + 1, N_HEAD, false);
    grid_set_head(g, head, N_HEAD);
    if (g)
        g->is_left[2] = g->is_left[3] = true;
    for (size_t i = 0; i < o->n_absent; i++) {
        size_t n;
        CHECK(count_rows(in, &o->absent[i], &n, err));
        grid_say(g, i + 1, 0, SPAN_TEXT, "%s", o->absent[i].published);
        grid_say(g, i + 1, 1, SPAN_TEXT, "%zu", n);
        say_conditions(&o->absent[i], g, i + 1, 2);
        grid_say(g, i + 1, 3, SPAN_TEXT, "%s", o->absent[i].reason);
    }
    document_begin(d, BLOCK_PARAGRAPH); /* the next heading stands apart */
    return STATUS_OK;
}

/* ---- all of it ---- */

static void add_tables(const reproduction *p, document *d) {
    for (size_t i = 0; i < p->base.n_tables; i++) {
        table_append_document(&p->base.tables[i].t, -1, d);
        figures_append(&p->base.tables[i], d);
    }
}

static status make_tests(reproduction *p, error_info *err) {
    const part_context *of = &p->in->of;
    for (size_t i = 0; i < of->parts->n; i++) {
        const declared_part *part = &of->parts->parts[i];
        if (part->kind->group == PART_TEST)
            CHECK(part->kind->make(of, part, &p->made, err));
    }
    return STATUS_OK;
}

static void add_remarks(const experiment_outputs *o, document *d) {
    if (o->n_remarks > 0)
        document_add_heading(d, 2, "Discrepancies and choices");
    for (size_t i = 0; i < o->n_remarks; i++) {
        document_add_heading(d, 3, o->remarks[i].title);
        words_append("", o->remarks[i].text, d);
        document_begin(d, BLOCK_PARAGRAPH); /* the next heading stands apart */
    }
}

static void add_heading(const experiment_outputs *o, document *d) {
    AUTO(text_buffer_clear) text_buffer title = {0};
    text_append_format(&title, "Reproduction: %s", o->title ? o->title : o->name ? o->name : "results");
    d->failed |= title.failed;
    document_add_heading(d, 1, title.data);
}

/* What a reader sees first. */
static void add_front(const reproduction *p, document *d) {
    const experiment_outputs *o = p->in->of.outputs;
    if (o->conclusion)
        words_append("", o->conclusion, d);
    summary_append(p, d);
    claims_append(o, &p->base, d);
    reasons_append(p, d);
    readings_append(p, d);
}

status reproduction_add_front(const reproduction_input *in, document *out, error_info *err) {
    AUTO(reproduction_clear) reproduction p = {0};
    CHECK(reproduction_compute(in, &p, err));
    if (in->of.outputs->n_claims > 0 || reproduction_has_published(&p))
        add_front(&p, out);
    return document_check(out, err);
}

/* What the words of the tables above mean. */
static void add_key(document *d) {
    document_add_heading(d, 1, "Appendix");
    document_add_paragraph(d, "Written by ");
    document_say(d, SPAN_CODE, "bnbench report --reproduction");
    document_say(d, SPAN_TEXT,
                 ". Figures and verdicts are computed from the results; published figures stand in brackets, or in a "
                 "column of their own. A figure that is 1 by definition, the baseline's own, is not counted. A miss is "
                 "shown where a reason covers it and a reading that the reason names brings the figure within "
                 "tolerance, or past the published one and nearer to it, or where the claim that it names holds here "
                 "and not by the paper's figures. Each reading changes what its row says, the base is what is counted; "
                 "† marks what was "
                 "chosen in view of the published figures.");
}

status reproduction_append(const reproduction_input *in, text_buffer *out, error_info *err) {
    const experiment_outputs *o = in->of.outputs;
    AUTO(reproduction_clear) reproduction p = {0};
    AUTO(document_clear) document d = {0};
    CHECK(reproduction_compute(in, &p, err));
    add_heading(o, &d);
    add_front(&p, &d);
    add_key(&d);
    add_tables(&p, &d);
    CHECK(part_show_in_files(&p.made, &d, err));
    CHECK(make_tests(&p, err));
    document_clear(&d);
    d = (document){0};
    claims_append_conditions(o, &p.base, &d);
    readings_append_shares(&p, &d);
    add_remarks(o, &d);
    paper_figures_append(&p, &d);
    CHECK(add_absent(in, &d, err));
    add_run(in, &d);
    CHECK(part_show_in_files(&p.made, &d, err));
    CHECK(text_buffer_check(&p.made.bodies[0], err));
    text_append_bytes(out, p.made.bodies[0].data, p.made.bodies[0].length);
    return text_buffer_check(out, err);
}
