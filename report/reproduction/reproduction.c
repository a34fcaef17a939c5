/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/reproduction.h"

#include "core/base/file.h"
#include "parts/tests/significance.h"
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const reproduction_input *in;
    reproduced_table *tables;
    size_t n_tables;
} document;

static void document_clear(document *d) {
    for (size_t i = 0; d->tables && i < d->n_tables; i++)
        table_clear(&d->tables[i].t);
    free(d->tables);
}

/* The path of a published file; NULL where none is declared. */
static status find_published(const reproduction_input *in, const char *name, char **out, error_info *err) {
    if (!name || !in->published_folder)
        return STATUS_OK;
    return published_locate(in->published_folder, name, out, err);
}

static status read_published(const reproduction_input *in, const char *name, published_table **out, error_info *err) {
    char *path = NULL;
    status st = STATUS_OK;
    TRY(find_published(in, name, &path, err));
    if (path)
        st = published_read(path, out, err);
cleanup:
    free(path);
    return st;
}

static status read_verdicts(const reproduction_input *in, const char *name, published_verdicts **out, error_info *err) {
    char *path = NULL;
    status st = STATUS_OK;
    TRY(find_published(in, name, &path, err));
    if (path)
        st = published_verdicts_read(path, out, err);
cleanup:
    free(path);
    return st;
}

static status compute_tables(document *d, error_info *err) {
    const experiment_outputs *o = d->in->outputs;
    status st = STATUS_OK;
    CHECK_ALLOC(d->tables = calloc(o->n_tables + 1, sizeof *d->tables));
    for (size_t i = 0; i < o->n_tables; i++) {
        published_table *published = NULL;
        if (o->tables[i].kind == TABLE_OF_POLICIES)
            continue; /* no paper prints thresholds */
        reproduced_table *r = &d->tables[d->n_tables++];
        r->spec = &o->tables[i];
        CHECK(read_published(d->in, r->spec->published, &published, err));
        st = table_compute(o, r->spec, d->in->records, d->in->n_records, published, &r->t, err);
        published_destroy(published);
        CHECK(st);
        figures_count(r);
    }
    return st;
}

/* ---- the run ---- */

static void append_row(text_buffer *out, const char *name, const char *value) {
    if (!value || !*value)
        return;
    text_append_format(out, "| %s | ", name);
    display_append_markdown(out, value);
    text_append(out, " |\n");
}

static void append_program(const store_run_facts *run, text_buffer *out) {
    text_buffer b = {0};
    text_append_format(&b, "bnbench %s, commit %s; %s, %s build%s%s", run->version ? run->version : "?",
                       run->commit ? run->commit : "?", run->compiler ? run->compiler : "?",
                       run->build ? run->build : "?", run->sanitizers && *run->sanitizers ? ", sanitizers " : "",
                       run->sanitizers ? run->sanitizers : "");
    append_row(out, "program", b.data);
    out->failed |= b.failed;
    text_buffer_clear(&b);
}

static void append_counts(const reproduction_input *in, text_buffer *out) {
    size_t counts[4] = {0}, n_cut = 0;
    double cpu = 0, wall = 0;
    for (size_t i = 0; i < in->n_records; i++) {
        counts[in->records[i].state]++;
        n_cut += in->records[i].is_cut_short;
        cpu += in->records[i].cpu_seconds;
        wall += in->records[i].wall_seconds;
    }
    text_append_format(out, "| results | %zu of %zu cells: %zu done", in->n_records, in->n_planned, counts[JOB_DONE]);
    for (job_state s = JOB_FAILED; s <= JOB_MEMORY; s++)
        text_append_format(out, ", %zu %s", counts[s], job_state_name(s));
    text_append_format(out, "; %zu cut short by a limit or a budget |\n", n_cut);
    text_append_format(out, "| learning | %.0f s of CPU time in all, %.0f s elapsed |\n", cpu, wall);
}

static void append_test_sets(const reproduction_input *in, text_buffer *out) {
    if (in->n_validation_sets > 1)
        text_append_format(out, "%zu validation sets of ", in->n_validation_sets);
    if (in->test_is_as_large)
        text_append(out, "as many test rows");
    else
        text_append_format(out, "%zu test rows", in->test_samples);
}

static void append_sigmas(const experiment_outputs *o, text_buffer *out) {
    char digits[32];
    for (size_t i = 0; i < o->n_sigmas; i++)
        text_append_format(out, "%s%s", i ? ", " : ", continuous with noise of sigma ",
                           text_from_double(o->sigmas[i], digits));
}

static void append_data(const reproduction_input *in, text_buffer *out) {
    const experiment_outputs *o = in->outputs;
    text_append_format(out, "| data | %zu networks, sizes", o->n_networks);
    for (size_t i = 0; i < o->n_sizes; i++) {
        text_append(out, i ? ", " : " ");
        outputs_append_size(o->sizes[i], out);
    }
    append_sigmas(o, out);
    text_append_format(out, ", %zu data set%s each, ", o->n_replicates, o->n_replicates == 1 ? "" : "s");
    append_test_sets(in, out);
    text_append_format(out, ", seed %llu |\n", (unsigned long long)in->seed);
}

static void append_run(const reproduction_input *in, text_buffer *out) {
    const store_run_facts *run = in->run;
    text_append(out, "## The run\n\n| | |\n|:--|:--|\n");
    append_program(run, out);
    append_row(out, "processor", run->processor);
    append_row(out, "system", run->system);
    append_row(out, "profile", run->profile ? run->profile : "none: the full protocol");
    append_row(out, "began", run->first_started);
    if (run->n_runs > 1)
        text_append_format(out, "| went on | %zu times |\n", run->n_runs - 1);
    append_row(out, "ended", run->ended);
    append_data(in, out);
    append_counts(in, out);
}

/* ---- how much came out ---- */

static void append_share(size_t n, size_t of, text_buffer *out) {
    if (of)
        text_append_format(out, "%zu of %zu (%.0f%%)", n, of, 100 * (double)n / (double)of);
    else
        text_append(out, "-");
}

static void append_tolerance(const table_spec *spec, text_buffer *out) {
    const char * or = spec->within_relative > 0 && spec->within_absolute > 0 ? " or " : "";
    if (!spec->has_within) {
        text_append(out, "not counted");
        return;
    }
    if (spec->within_relative > 0)
        text_append_format(out, "%g%%", 100 * spec->within_relative);
    text_append(out, or);
    if (spec->within_absolute > 0)
        text_append_format(out, "%g", spec->within_absolute);
    if (spec->within_relative <= 0 && spec->within_absolute <= 0)
        text_append(out, "as printed");
}

static void append_summary(const document *d, text_buffer *out) {
    size_t n_there = 0, n_within = 0, n_published = 0;
    text_append(out, "\n## How much came out\n\n"
                     "A figure that is 1 by definition, the baseline's own, is not counted.\n\n"
                     "| table | published figures | regenerated | within tolerance | tolerance |\n"
                     "|:--|--:|--:|--:|:--|\n");
    for (size_t i = 0; i < d->n_tables; i++) {
        const reproduced_table *r = &d->tables[i];
        if (r->n_published == 0)
            continue;
        text_append(out, "| ");
        display_append_markdown(out, r->t.title);
        text_append_format(out, " | %zu | %zu | ", r->n_published, r->n_there);
        append_share(r->n_within, r->spec->has_within ? r->n_published : 0, out);
        text_append(out, " | ");
        append_tolerance(r->spec, out);
        text_append(out, " |\n");
        if (!r->spec->has_within || r->spec->kind == TABLE_OF_NETWORKS)
            continue;
        n_published += r->n_published;
        n_there += r->n_there;
        n_within += r->n_within;
    }
    text_append_format(out, "| **all results that are counted** | %zu | %zu | ", n_published, n_there);
    append_share(n_within, n_published, out);
    text_append(out, " | |\n");
}

/* ---- all of it ---- */

static void append_tables(const document *d, text_buffer *out) {
    for (size_t i = 0; i < d->n_tables; i++) {
        text_append(out, "\n");
        table_append_markdown(&d->tables[i].t, out);
        figures_append(&d->tables[i], out);
    }
}

static status append_test(const reproduction_input *in, const test_spec *spec, text_buffer *out, error_info *err) {
    published_verdicts *verdicts = NULL;
    published_table *scores = NULL;
    significance s = {0};
    status st = STATUS_OK;
    TRY(read_verdicts(in, spec->published, &verdicts, err));
    TRY(read_published(in, spec->published_scores, &scores, err));
    TRY(significance_compute(in->outputs, spec, in->records, in->n_records, verdicts, scores, &s, err));
    if (!significance_has_results(&s))
        goto cleanup;
    text_append(out, "\n");
    TRY(significance_append_markdown(&s, out, err));
cleanup:
    significance_clear(&s);
    published_verdicts_destroy(verdicts);
    published_destroy(scores);
    return st;
}

static void append_remarks(const experiment_outputs *o, text_buffer *out) {
    if (o->n_remarks > 0)
        text_append(out, "\n## Discrepancies and choices\n");
    for (size_t i = 0; i < o->n_remarks; i++) {
        text_append(out, "\n### ");
        display_append_markdown(out, o->remarks[i].title);
        text_append(out, "\n\n");
        words_append(o->remarks[i].text, out);
    }
}

status reproduction_append(const reproduction_input *in, text_buffer *out, error_info *err) {
    const experiment_outputs *o = in->outputs;
    document d = {.in = in};
    status st = STATUS_OK;
    TRY(compute_tables(&d, err));
    text_append(out, "# Reproduction: ");
    display_append_markdown(out, o->title ? o->title : o->name ? o->name : "results");
    text_append(out,
                "\n\nWritten by `bnbench report --reproduction`. Figures and verdicts are computed from the results; "
                "published figures stand in brackets, or in a column of their own.\n\n");
    append_run(in, out);
    append_summary(&d, out);
    if (o->n_claims > 0)
        text_append(out, "\n## What the paper claims\n");
    claims_append(o, d.tables, d.n_tables, out);
    append_remarks(o, out);
    append_tables(&d, out);
    for (size_t i = 0; i < o->n_tests; i++)
        TRY(append_test(in, &o->tests[i], out, err));
    TRY(text_buffer_check(out, err));
cleanup:
    document_clear(&d);
    return st;
}
