/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the HTML page says in words: the summary, the learners, the failures, where it all comes from. */
#include "report/html_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 200, N_STATES = 4 };

static void append_text(text_buffer *out, const char *text) {
    display_append_html(out, text);
}

static void append_fact(const char *name, const char *value, text_buffer *out) {
    if (!value || !*value)
        return;
    text_append(out, "<dt>");
    append_text(out, name);
    text_append(out, "</dt><dd>");
    append_text(out, value);
    text_append(out, "</dd>\n");
}

static void append_tile(const char *name, text_buffer *value, text_buffer *out) {
    text_append_format(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value->data ? value->data : "");
    out->failed |= value->failed;
    text_buffer_clear(value);
}

static void append_count_tile(const char *name, size_t n, bool is_bad, text_buffer *out) {
    text_buffer value = {0};
    text_append_format(&value, n && is_bad ? "<span class=\"failed\">%zu</span>" : "%zu", n);
    append_tile(name, &value, out);
}

static void append_seconds(double s, text_buffer *out) {
    if (s < 100)
        text_append_format(out, "%.3g s", s);
    else if (s < 6000)
        text_append_format(out, "%.0f min", s / 60);
    else
        text_append_format(out, "%.1f h", s / 3600);
}

static void append_tiles(const report *r, text_buffer *out) {
    static const char *const names[N_STATES] = {"done", "failed", "at the time limit", "at the memory limit"};
    size_t counts[N_STATES] = {0};
    double cpu_s = 0;
    text_buffer value = {0};
    for (size_t i = 0; i < r->n_records; i++) {
        counts[r->records[i].state]++;
        cpu_s += r->records[i].cpu_seconds;
    }
    text_append(out, "<dl class=\"tiles\">\n");
    text_append_format(&value, "%zu of %zu", r->n_records, r->options->html->n_planned);
    append_tile("jobs with a result", &value, out);
    for (size_t i = 0; i < N_STATES; i++)
        append_count_tile(names[i], counts[i], i > 0, out);
    append_seconds(cpu_s, &value);
    append_tile("CPU time of learning", &value, out);
    append_count_tile("networks", r->outputs->n_networks, false, out);
    append_count_tile("data sets a network and size", r->outputs->n_replicates, false, out);
    text_append(out, "</dl>\n");
}

static void append_names(const char *name, char *const *names, const bool *is_hidden, size_t n, text_buffer *out) {
    bool is_first = true;
    text_append_format(out, "<dt>%s</dt><dd>", name);
    for (size_t i = 0; i < n; i++) {
        if (is_hidden && is_hidden[i])
            continue;
        text_append(out, is_first ? "" : ", ");
        append_text(out, names[i]);
        is_first = false;
    }
    text_append(out, "</dd>\n");
}

static void append_machine(const store_run_facts *run, text_buffer *out) {
    append_fact("processor", run->processor, out);
    append_fact("system", run->system, out);
    append_fact("bnbench", run->version, out);
}

void html_append_summary(const report *r, text_buffer *out) {
    const experiment_outputs *o = r->outputs;
    char digits[32];
    append_tiles(r, out);
    text_append(out, "<dl class=\"facts\">\n");
    append_names("networks", o->networks, NULL, o->n_networks, out);
    text_append(out, "<dt>sample sizes</dt><dd>");
    for (size_t i = 0; i < o->n_sizes; i++) {
        text_append(out, i ? ", " : "");
        outputs_append_size(o->sizes[i], out);
    }
    text_append(out, o->n_sigmas ? "</dd>\n<dt>noise levels (sigma)</dt><dd>" : "");
    for (size_t i = 0; i < o->n_sigmas; i++)
        text_append_format(out, "%s%s", i ? ", " : "", text_from_double(o->sigmas[i], digits));
    text_append(out, "</dd>\n");
    append_names("learners", o->learners, o->is_hidden, o->n_learners, out);
    if (r->options->html->run)
        append_machine(r->options->html->run, out);
    text_append(out, "</dl>\n");
}

static void append_options(const html_learner *l, text_buffer *out) {
    if (l->n_options == 0)
        return;
    text_append(out, "<details><summary>Options</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                     "aria-label=\"Options\"><table class=\"left\"><thead><tr><th scope=\"col\">option</th><th "
                     "scope=\"col\">value</th><th scope=\"col\">what it does</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < l->n_options; i++) {
        const html_option *option = &l->options[i];
        text_append(out, "<tr><th scope=\"row\">");
        append_text(out, option->name);
        text_append(out, option->is_changed ? "</th><td><strong>" : "</th><td>");
        append_text(out, option->value);
        text_append(out, option->is_changed ? "</strong></td><td>" : "</td><td>");
        append_text(out, option->help);
        text_append(out, "</td></tr>\n");
    }
    text_append(out, "</tbody></table></div></details>\n");
}

void html_append_learners(const report *r, text_buffer *out) {
    const html_facts *facts = r->options->html;
    for (size_t i = 0; i < facts->n_learners; i++) {
        const html_learner *l = &facts->learners[i];
        text_append(out, "<section>\n<h3>");
        append_text(out, l->id);
        text_append(out, "</h3>\n<dl class=\"facts\">\n");
        append_fact("learner", l->kind, out);
        append_fact("what it is", l->summary, out);
        append_fact("citation", l->citation, out);
        append_fact("takes", l->takes, out);
        append_fact("returns", l->returns, out);
        append_fact("command", l->command, out);
        text_append(out, "</dl>\n");
        append_options(l, out);
        text_append(out, "</section>\n");
    }
}

static void append_failure(const job_record *job, text_buffer *out) {
    char digits[32];
    text_append(out, "<tr><td>");
    append_text(out, job->learner);
    text_append(out, "</td><td>");
    append_text(out, job->network);
    text_append_format(out, "</td><td>%" PRIu64 "%s%s</td><td>%" PRIu64 "</td><td class=\"failed\">%s</td><td>",
                       job->n_samples, job->sigma > 0 ? ", sigma " : "",
                       job->sigma > 0 ? text_from_double(job->sigma, digits) : "", job->replicate + 1,
                       job_state_name(job->state));
    append_text(out, job->message ? job->message : "");
    if (job->stderr_tail && *job->stderr_tail) {
        text_append(out, "<pre>");
        append_text(out, job->stderr_tail);
        text_append(out, "</pre>");
    }
    text_append(out, "</td></tr>\n");
}

static size_t count_failures(const report *r) {
    size_t n = 0;
    for (size_t i = 0; i < r->n_records; i++)
        n += r->records[i].state != JOB_DONE;
    return n;
}

static void append_failure_table(const report *r, text_buffer *out) {
    size_t n = count_failures(r), shown = 0;
    if (n == 0) {
        text_append(out, "<p class=\"none\">No job failed.</p>\n");
        return;
    }
    text_append(out,
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Failures\"><table class=\"left\">"
                "<thead><tr><th scope=\"col\">learner</th><th scope=\"col\">network</th><th "
                "scope=\"col\">rows</th><th scope=\"col\">data set</th><th scope=\"col\">state</th><th "
                "scope=\"col\">message</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_records && shown < MOST_FAILURES; i++) {
        if (r->records[i].state == JOB_DONE)
            continue;
        append_failure(&r->records[i], out);
        shown++;
    }
    text_append(out, "</tbody></table></div>\n");
    if (n > shown)
        text_append_format(out, "<p>%zu more: they are among all jobs, below.</p>\n", n - shown);
}

void html_append_failures(const report *r, text_buffer *out) {
    append_failure_table(r, out);
    if (r->result->n_notes == 0)
        return;
    text_append(out, "<h3>What could not be made</h3>\n<ul>\n");
    for (size_t i = 0; i < r->result->n_notes; i++) {
        text_append(out, "<li>");
        append_text(out, r->result->notes[i]);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n");
}

static void append_run(const store_run_facts *run, text_buffer *out) {
    append_machine(run, out);
    append_fact("commit", run->commit, out);
    append_fact("compiler", run->compiler, out);
    append_fact("build", run->build, out);
    append_fact("sanitizers", run->sanitizers, out);
    append_fact("profile", run->profile, out);
    append_fact("first run began", run->first_started, out);
    append_fact("last run began", run->started, out);
    append_fact("last run ended", run->ended ? run->ended : "it was stopped before its end", out);
    append_fact("outcome", run->outcome, out);
}

/* The folder on the machine that ran it is nobody's concern. */
static void append_declaration(const char *declaration, text_buffer *out) {
    static const char folder[] = "folder:";
    text_append(out, "<details><summary>The experiment as it was run (experiment.yaml)</summary><pre>");
    for (const char *line = declaration; *line;) {
        size_t n = strcspn(line, "\n");
        char *copy = strncmp(line, folder, strlen(folder)) == 0 ? NULL : text_copy_n(line, n);
        if (copy) {
            append_text(out, copy);
            text_append(out, "\n");
            free(copy);
        }
        line += n + (line[n] == '\n');
    }
    text_append(out, "</pre></details>\n");
}

void html_append_provenance(const report *r, text_buffer *out) {
    const html_facts *facts = r->options->html;
    text_append(out, "<dl class=\"facts\">\n");
    append_fact("experiment", r->outputs->name, out);
    if (facts->run)
        append_run(facts->run, out);
    for (size_t i = 0; i < facts->n_settings; i++)
        append_fact(facts->settings[i].name, facts->settings[i].value, out);
    text_append(out, "</dl>\n<p>Each job has the seed of its learner and the fingerprint of its data under All jobs. "
                     "Numbers are shown rounded; the store and the CSV files hold them in full.</p>\n");
    if (facts->declaration)
        append_declaration(facts->declaration, out);
}
