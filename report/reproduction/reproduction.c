/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/reproduction.h"

#include "parts/figures/paper_failures.h"
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const reproduction_input *in;
    reproduced_table *tables;
    size_t n_tables;
} reproduction;

static void reproduction_clear(reproduction *p) {
    for (size_t i = 0; p->tables && i < p->n_tables; i++)
        table_clear(&p->tables[i].t);
    free(p->tables);
}

/* How near its figures must come; NULL of a part without figures to compare. */
static const table_tolerance *tolerance_of(const declared_part *p) {
    const option_spec *within = p->kind->tabulate ? options_find(p->kind->options, "within") : NULL;
    return within ? (const table_tolerance *)(const void *)((const char *)p->options + within->offset) : NULL;
}

static status compute_tables(reproduction *p, part_output *out, error_info *err) {
    const part_list *parts = p->in->of.parts;
    CHECK_ALLOC(p->tables = calloc(parts->n + 1, sizeof *p->tables));
    for (size_t i = 0; i < parts->n; i++) {
        const declared_part *part = &parts->parts[i];
        reproduced_table *r = &p->tables[p->n_tables];
        r->within = tolerance_of(part);
        if (!r->within)
            continue;
        p->n_tables++;
        r->id = part_text(part, "id");
        r->baseline = part_text(part, "normalise_by");
        CHECK(part->kind->tabulate(&p->in->of, part->options, out, &r->t, err));
        figures_count(r);
    }
    return STATUS_OK;
}

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

/* ---- how much came out ---- */

static void say_share(document_grid *g, size_t row, size_t n, size_t of) {
    if (of)
        grid_say(g, row, 3, SPAN_TEXT, "%zu of %zu (%.0f%%)", n, of, 100 * (double)n / (double)of);
    else
        grid_say(g, row, 3, SPAN_TEXT, "-");
}

static void say_tolerance(document_grid *g, size_t row, const table_tolerance *within) {
    bool has_relative = within->relative > 0, has_absolute = within->absolute > 0;
    if (!within->is_declared)
        grid_say(g, row, 4, SPAN_TEXT, "not counted");
    else if (has_relative)
        grid_say(g, row, 4, SPAN_TEXT, "%g%%", 100 * within->relative);
    else if (!has_absolute)
        grid_say(g, row, 4, SPAN_TEXT, "as printed");
    if (within->is_declared && has_absolute)
        grid_say(g, row, 4, SPAN_TEXT, "%s%g", has_relative ? " or " : "", within->absolute);
}

static void add_counted(document_grid *g, size_t row, size_t n_published, size_t n_there) {
    grid_say(g, row, 1, SPAN_TEXT, "%zu", n_published);
    grid_say(g, row, 2, SPAN_TEXT, "%zu", n_there);
}

static size_t count_compared(const reproduction *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->n_tables; i++)
        n += p->tables[i].n_published > 0;
    return n;
}

static void add_summary(const reproduction *p, document *d) {
    static const char *const head[] = {"table", "published figures", "regenerated", "within tolerance", "tolerance"};
    enum { N_HEAD = sizeof head / sizeof *head };
    size_t n_there = 0, n_within = 0, n_published = 0, row = 0;
    document_grid *g;
    document_add_heading(d, 2, "How much came out");
    document_add_paragraph(d, "A figure that is 1 by definition, the baseline's own, is not counted.");
    g = document_add_grid(d, NULL, count_compared(p) + 2, N_HEAD, false);
    if (!g)
        return;
    g->is_left[N_HEAD - 1] = true;
    grid_set_head(g, head, N_HEAD);
    for (size_t i = 0; i < p->n_tables; i++) {
        const reproduced_table *r = &p->tables[i];
        if (r->n_published == 0)
            continue;
        grid_say(g, ++row, 0, SPAN_TEXT, "%s", r->t.title);
        add_counted(g, row, r->n_published, r->n_there);
        say_share(g, row, r->n_within, r->within->is_declared ? r->n_published : 0);
        say_tolerance(g, row, r->within);
        if (!r->within->is_declared || r->t.has_no_n)
            continue;
        n_published += r->n_published;
        n_there += r->n_there;
        n_within += r->n_within;
    }
    grid_say(g, ++row, 0, SPAN_STRONG, "all results that are counted");
    add_counted(g, row, n_published, n_there);
    say_share(g, row, n_within, n_published);
}

/* ---- all of it ---- */

static void add_tables(const reproduction *p, document *d) {
    for (size_t i = 0; i < p->n_tables; i++) {
        table_append_document(&p->tables[i].t, -1, d);
        figures_append(&p->tables[i], d);
    }
}

static status make_tests(const reproduction_input *in, part_output *out, error_info *err) {
    for (size_t i = 0; i < in->of.parts->n; i++) {
        const declared_part *p = &in->of.parts->parts[i];
        if (p->kind->group == PART_TEST)
            CHECK(p->kind->make(&in->of, p, out, err));
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
    document_add_paragraph(d, "Written by ");
    document_say(d, SPAN_CODE, "bnbench report --reproduction");
    document_say(d, SPAN_TEXT,
                 ". Figures and verdicts are computed from the results; published figures stand in brackets, or in a "
                 "column of their own.");
}

status reproduction_append(const reproduction_input *in, text_buffer *out, error_info *err) {
    const experiment_outputs *o = in->of.outputs;
    AUTO(reproduction_clear) reproduction p = {.in = in};
    static const document_format *const forms[] = {&document_format_markdown, NULL};
    AUTO(part_output_clear)
    part_output made = {.published_folder = in->published_folder, .is_strict = true, .forms = forms};
    AUTO(document_clear) document d = {0};
    CHECK(compute_tables(&p, &made, err));
    add_heading(o, &d);
    add_run(in, &d);
    add_summary(&p, &d);
    if (o->n_claims > 0)
        document_add_heading(&d, 2, "What the paper claims");
    claims_append(o, p.tables, p.n_tables, &d);
    add_remarks(o, &d);
    add_tables(&p, &d);
    CHECK(part_show_in_files(&made, &d, err));
    CHECK(make_tests(in, &made, err));
    CHECK(text_buffer_check(&made.bodies[0], err));
    text_append_bytes(out, made.bodies[0].data, made.bodies[0].length);
    return text_buffer_check(out, err);
}
