/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, tests and pictures of the HTML page, added as the report makes them. */
#include "report/html_internal.h"

#include "core/base/file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PICTURE_BYTES = 4 << 20, MOST_BYTES_OF_ALL = 5 << 19 };

void html_page_clear(html_page *p) {
    text_buffer_clear(&p->tables);
    text_buffer_clear(&p->table_data);
    text_buffer_clear(&p->tests);
    text_buffer_clear(&p->plots);
    text_buffer_clear(&p->networks);
}

static size_t find_network(const experiment_outputs *o, const char *name) {
    size_t i = 0;
    while (i < o->n_networks && strcmp(o->networks[i], name) != 0)
        i++;
    return i;
}

static void append_networks(const report *r, char *const *names, size_t n, text_buffer *out) {
    text_append(out, "[");
    for (size_t i = 0; i < n; i++)
        text_append_format(out, "%s%zu", i ? "," : "", find_network(r->outputs, names[i]));
    text_append(out, "]");
}

static void append_sizes(const size_t *sizes, size_t n, text_buffer *out) {
    text_append(out, "[");
    for (size_t i = 0; i < n; i++)
        text_append_format(out, "%s%zu", i ? "," : "", sizes[i]);
    text_append(out, "]");
}

static void append_sigmas(const double *sigmas, size_t n, text_buffer *out) {
    char digits[32];
    text_append(out, "[");
    for (size_t i = 0; i < n; i++)
        text_append_format(out, "%s%s", i ? "," : "", text_from_double(sigmas[i], digits));
    text_append(out, "]");
}

/* Names and learners of figures that are the mean of several. */
static void append_pools(const report *r, const metric_table_spec *spec, text_buffer *out) {
    text_append(out, ",\"pools\":[");
    for (size_t i = 0; i < spec->n_pools; i++) {
        const option_pool *pool = &spec->pools[i];
        text_append(out, i ? ",[" : "[");
        html_append_json(out, pool->id);
        for (size_t k = 0; k < pool->n_parts; k++)
            text_append_format(out, ",%zu", outputs_find_learner(r->outputs, pool->parts[k]));
        text_append(out, "]");
    }
    text_append(out, "]");
}

static void append_metrics(const metric_table_spec *spec, text_buffer *out) {
    text_append(out, "[");
    for (size_t i = 0; i < spec->n_sum_of; i++) {
        text_append(out, i ? "," : "");
        html_append_json(out, spec->sum_of[i]);
    }
    if (spec->n_sum_of == 0 && spec->metric)
        html_append_json(out, spec->metric);
    text_append(out, "]");
}

/* Which jobs stand behind a group's figures. */
static void append_table_data(const report *r, const table *t, const metric_table_spec *spec, text_buffer *out) {
    static const char *const axis_names[] = {
        [AXIS_SAMPLES] = "samples", [AXIS_NETWORK] = "network", [AXIS_SIGMA] = "sigma"};
    table_axis axis = spec->rows == AXIS_LEARNER ? spec->columns : spec->rows;
    char *const *groups = t->learners_are_columns ? t->row_names : t->column_names;
    text_append(out, "{\"title\":");
    html_append_json(out, t->title);
    text_append_format(out, ",\"axis\":\"%s\",\"metrics\":", axis_names[axis]);
    append_metrics(spec, out);
    if (spec->normalise_by)
        text_append_format(out, ",\"base\":%zu", outputs_find_learner(r->outputs, spec->normalise_by));
    else
        text_append(out, ",\"base\":-1");
    text_append(out, ",\"groups\":");
    if (axis == AXIS_SAMPLES)
        append_sizes(spec->n_samples ? spec->samples : r->outputs->sizes, t->n_groups, out);
    else if (axis == AXIS_SIGMA)
        append_sigmas(spec->n_sigmas ? spec->sigmas : r->outputs->sigmas, t->n_groups, out);
    else
        append_networks(r, groups, t->n_groups, out);
    text_append(out, ",\"networks\":");
    if (spec->n_networks)
        append_networks(r, spec->networks, spec->n_networks, out);
    else
        text_append(out, "null");
    text_append(out, ",\"sizes\":");
    if (spec->n_samples)
        append_sizes(spec->samples, spec->n_samples, out);
    else
        text_append(out, "null");
    text_append(out, ",\"sigmas\":");
    if (spec->n_sigmas)
        append_sigmas(spec->sigmas, spec->n_sigmas, out);
    else
        text_append(out, "null");
    append_pools(r, spec, out);
    text_append(out, "}");
}

status html_add_table(report *r, const table *t, const metric_table_spec *spec, error_info *err) {
    html_page *p = &r->page;
    if (!r->options->html)
        return STATUS_OK;
    table_append_html(t, spec, r->outputs, p->n_tables, &p->tables);
    text_append(&p->table_data, p->n_tables++ ? "," : "");
    if (spec)
        append_table_data(r, t, spec, &p->table_data);
    else
        text_append(&p->table_data, "null");
    return text_buffer_check(&p->tables, err);
}

status html_add_test(report *r, const significance *s, error_info *err) {
    return r->options->html ? significance_append_html(s, &r->page.tests, err) : STATUS_OK;
}

/* Its size, so that the page does not move when the picture is drawn late. */
static void append_size(const char *svg, text_buffer *out) {
    static const char start[] = "viewBox=\"";
    const char *at = strstr(svg, start);
    double box[4] = {0};
    char *end = NULL;
    at = at ? at + strlen(start) : "";
    for (size_t i = 0; i < sizeof box / sizeof *box; i++) {
        box[i] = strtod(at, &end);
        if (end == at)
            return;
        at = end;
    }
    if (box[2] >= 1 && box[3] >= 1 && box[2] < 1e5 && box[3] < 1e5)
        text_append_format(out, " width=\"%.0f\" height=\"%.0f\"", box[2], box[3]);
}

/* The picture itself, where there is room for it. */
static status append_image(report *r, const char *title, const char *name, text_buffer *out, error_info *err) {
    text_buffer path = {0};
    char *svg = NULL;
    size_t length = 0;
    status st = STATUS_OK;
    text_append_format(&path, "%s/%s.svg", r->options->folder, name);
    TRY(text_buffer_check(&path, err));
    TRY(file_read(path.data, MOST_PICTURE_BYTES, &svg, &length, err));
    if (r->page.picture_bytes + length / 3 * 4 > MOST_BYTES_OF_ALL) {
        text_append(out, "<p>The picture is left out to keep this page small; it lies beside it.</p>");
        goto cleanup;
    }
    r->page.picture_bytes += length / 3 * 4;
    text_append(out, "<img loading=\"lazy\"");
    append_size(svg, out);
    text_append(out, " alt=\"");
    display_append_html(out, title);
    text_append(out, "\" src=\"data:image/svg+xml;base64,");
    html_append_base64(out, svg, length);
    text_append(out, "\">");
cleanup:
    text_buffer_clear(&path);
    free(svg);
    return st;
}

static void append_link(const report *r, const char *name, const char *ending, const char *what, text_buffer *out) {
    text_buffer path = {0};
    text_append_format(&path, "%s/%s%s", r->options->folder, name, ending);
    if (!path.failed && file_exists(path.data)) {
        text_append(out, " <a href=\"");
        display_append_html(out, name);
        text_append_format(out, "%s\">%s</a>", ending, what);
    }
    out->failed |= path.failed;
    text_buffer_clear(&path);
}

status html_add_picture(report *r, const char *program, const char *title, const char *name, bool is_drawn,
                        char *const *notes, size_t n_notes, error_info *err) {
    static const char *const files[][2] = {
        {".csv", "figures (CSV)"}, {".svg", "SVG"}, {".pdf", "PDF"}, {".png", "PNG"}, {".dot", "Graphviz"}};
    text_buffer *out = strcmp(program, "Graphviz") == 0 ? &r->page.networks : &r->page.plots;
    if (!r->options->html)
        return STATUS_OK;
    text_append(out, "<figure>\n");
    if (is_drawn)
        CHECK(append_image(r, title, name, out, err));
    else
        text_append_format(out,
                           "<p class=\"failed\">There is no picture: %s could not draw it (see what could not be "
                           "made, below).</p>",
                           program);
    text_append(out, "\n<figcaption><strong>");
    display_append_html(out, title);
    text_append(out, "</strong>");
    for (size_t i = 0; i < n_notes; i++) {
        text_append(out, "<br>");
        display_append_html(out, notes[i]);
    }
    text_append(out, "<br>Beside this page:");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        append_link(r, name, files[i][0], files[i][1], out);
    text_append(out, "</figcaption>\n</figure>\n");
    return text_buffer_check(out, err);
}
