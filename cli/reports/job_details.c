/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/job_details.h"

#include "cli/base/terminal.h"
#include "core/base/text_fold.h"
#include "core/graph/graph_file.h"
#include "metrics/distances/metric.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---- for people ---- */

enum { NAME_WIDTH = 12 };

static void append_fact(text_buffer *out, const char *name, const char *value) {
    if (value && *value)
        text_append_format(out, "%-*s %s\n", NAME_WIDTH, name, value);
}

/* NULL where they are no JSON, or none. */
static status read_options(const char *options, json_t **out, error_info *err) {
    status st = options ? json_read(options, strlen(options), out, NULL) : STATUS_OK;
    return st == STATUS_MEMORY ? error_out_of_memory(err) : STATUS_OK;
}

/* "score=bdeu, ess=10" of a JSON object; as it is where it is none. */
static status append_options(text_buffer *out, const char *options, error_info *err) {
    AUTO_PTR(json_decref) json_t *object = NULL;
    const char *name;
    json_t *value;
    size_t n = 0;
    CHECK(read_options(options, &object, err));
    if (!json_is_object(object)) {
        append_fact(out, "options", options);
        return STATUS_OK;
    }
    text_append_format(out, "%-*s ", NAME_WIDTH, "options");
    json_object_foreach(object, name, value) {
        AUTO_FREE char *text = json_to_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
        CHECK_ALLOC(text);
        text_append_format(out, "%s%s=%s", n++ ? ", " : "", name,
                           json_is_string(value) ? json_string_value(value) : text);
    }
    text_append(out, n ? "\n" : "none\n");
    return STATUS_OK;
}

static void append_state(text_buffer *out, const job_record *r) {
    text_append_format(out, "%-*s %s%s%s%s\n", NAME_WIDTH, "state", job_state_name(r->state),
                       r->is_cut_short ? ", cut short" : "", r->message ? ": " : "", r->message ? r->message : "");
    text_append_format(out, "%-*s %.4g s CPU, %.4g s elapsed, %.1f MiB at most\n", NAME_WIDTH, "learning",
                       r->cpu_seconds, r->wall_seconds, (double)r->peak_memory_bytes / 1048576);
    if (r->time_limit_s > 0)
        text_append_format(out, "%-*s %g s\n", NAME_WIDTH, "time limit", r->time_limit_s);
    if (r->memory_limit_bytes > 0)
        text_append_format(out, "%-*s %.0f MiB\n", NAME_WIDTH, "memory limit", (double)r->memory_limit_bytes / 1048576);
    if (r->confinement)
        append_fact(out, "held by", r->confinement);
    if (r->tests.requests + r->scores.requests > 0)
        text_append_format(out, "%-*s %" PRIu64 " tests and %" PRIu64 " local scores computed\n", NAME_WIDTH,
                           "statistics", r->tests.computed, r->scores.computed);
}

static void append_metrics(text_buffer *out, const job_record *r) {
    if (r->n_metrics > 0)
        text_append(out, "metrics\n");
    for (size_t i = 0; i < r->n_metrics; i++) {
        const metric_info *info = metric_find(r->metrics[i].name);
        text_append_format(out, "  %-22s %.10g%s%s\n", r->metrics[i].name, r->metrics[i].value,
                           info && *info->unit ? " " : "", info ? info->unit : "");
    }
}

static void append_edges(text_buffer *out, const named_graph *g) {
    for (size_t v = 0; v < g->n_nodes; v++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g->graph, v, &n);
        for (size_t k = 0; k < n; k++) {
            bool is_line = edges[k].kind == EDGE_UNDIRECTED;
            if (edges[k].kind == EDGE_OUT || (is_line && edges[k].node > v))
                text_append_format(out, "  %s %s %s\n", g->names[v], is_line ? "--" : "->", g->names[edges[k].node]);
        }
    }
}

static status append_graph(text_buffer *out, const job_record *r, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    if (!r->graph)
        return STATUS_OK;
    CHECK(graph_parse_csv(r->graph, strlen(r->graph), NULL, 0, &g, err));
    text_append_format(out, "%-*s %s, %zu edges\n", NAME_WIDTH, "graph", r->graph_kind ? r->graph_kind : "",
                       pdag_edge_count(g.graph));
    append_edges(out, &g);
    return STATUS_OK;
}

/* What a program said, its lines indented. */
static void append_errors(text_buffer *out, const char *text) {
    if (!text || !*text)
        return;
    text_append(out, "standard error, its end\n");
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        text_append(out, "  ");
        text_append_bytes(out, text, n);
        text_append(out, "\n");
    }
}

static status append_details(const stored_job *j, text_buffer *out, error_info *err) {
    const job_record *r = j->record;
    append_fact(out, "job", j->name);
    if (!r) {
        append_fact(out, "state", "no result");
        return text_buffer_check(out, err);
    }
    append_fact(out, "network", r->network);
    text_append_format(out, "%-*s %" PRIu64 "\n", NAME_WIDTH, "rows", r->n_samples);
    if (r->sigma > 0)
        text_append_format(out, "%-*s %g\n", NAME_WIDTH, "sigma", r->sigma);
    text_append_format(out, "%-*s %" PRIu64 "\n", NAME_WIDTH, "replicate", r->replicate + 1);
    append_fact(out, "learner", r->learner);
    CHECK(append_options(out, r->options, err));
    text_append_format(out, "%-*s %" PRIu64 "\n", NAME_WIDTH, "seed", r->seed);
    append_fact(out, "data", r->fingerprint);
    append_state(out, r);
    append_metrics(out, r);
    CHECK(append_graph(out, r, err));
    append_errors(out, r->stderr_tail);
    return text_buffer_check(out, err);
}

status job_details_print(const stored_job *j, cli *c, error_info *err) {
    AUTO(text_buffer_clear) text_buffer details = {0};
    CHECK(append_details(j, &details, err));
    text_fold(details.data, terminal_width(STDOUT_FILENO), &c->out);
    return text_buffer_check(&c->out, err);
}

/* ---- for machines ---- */

static json_t *counts_of(const statistics_count *n) {
    return json_object_of({"requests", json_of_size(n->requests)}, {"computed", json_of_size(n->computed)},
                          {"skipped", json_of_size(n->skipped)});
}

static status put_metrics(const job_record *r, json_t *object, error_info *err) {
    json_t *metrics = json_object();
    CHECK(json_put(object, "metrics", metrics, err));
    for (size_t i = 0; i < r->n_metrics; i++)
        CHECK(json_put(metrics, r->metrics[i].name, json_of_double(r->metrics[i].value), err));
    return STATUS_OK;
}

status job_details_put(const stored_job *j, json_t *object, error_info *err) {
    const job_record *r = j->record;
    json_t *options = NULL;
    CHECK(json_put(object, "job", json_of_text(j->name), err));
    if (!r)
        return json_put(object, "state", json_null(), err);
    CHECK(read_options(r->options, &options, err));
    CHECK(json_put_all(
        object, err, {"network", json_of_text(r->network)}, {"samples", json_of_size(r->n_samples)},
        {"sigma", r->sigma > 0 ? json_of_double(r->sigma) : json_null()}, {"replicate", json_of_size(r->replicate + 1)},
        {"learner", json_of_text(r->learner)}, {"options", options ? options : json_of_text(r->options)},
        {"seed", json_of_size(r->seed)}, {"fingerprint", json_of_text(r->fingerprint)},
        {"state", json_of_text(job_state_name(r->state))}, {"cut_short", json_boolean(r->is_cut_short)},
        {"message", json_of_text(r->message)}, {"cpu_seconds", json_of_double(r->cpu_seconds)},
        {"wall_seconds", json_of_double(r->wall_seconds)}, {"peak_memory_bytes", json_of_size(r->peak_memory_bytes)},
        {"tests", counts_of(&r->tests)}, {"scores", counts_of(&r->scores)}, {"graph_kind", json_of_text(r->graph_kind)},
        {"graph", json_of_text(r->graph)}, {"stderr", json_of_text(r->stderr_tail)},
        {"confinement", json_of_text(r->confinement)}));
    return put_metrics(r, object, err);
}
