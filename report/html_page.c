/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTML page, put together. */
#include "report/report_internal.h"

#include "core/base/file.h"
#include "report/html_frame.h"

#include <stdlib.h>
#include <string.h>

static status append_head(const report *r, text_buffer *out, error_info *err) {
    const experiment_outputs *o = r->in.outputs;
    const char *title = o->title ? o->title : o->name ? o->name : "Results";
    CHECK(html_open_page(title, true, out, err));
    text_append(out, "<a class=\"skip\" href=\"#main\">To the content</a>\n<header><div><h1>");
    html_append_text(out, title);
    text_append(
        out,
        "</h1>\n<p class=\"soft\">A comparison of learners of Bayesian networks, made by bnbench. A click on "
        "a figure shows the jobs behind it.</p></div><button type=\"button\" id=\"theme\" hidden>Dark theme</button>"
        "</header>\n");
    return STATUS_OK;
}

static void append_job_browser(text_buffer *out) {
    text_append(
        out,
        "<section id=\"jobs\" aria-labelledby=\"jobs-title\" hidden>\n<h2 id=\"jobs-title\">All jobs</h2>\n"
        "<details id=\"jobs-all\"><summary>Show and search them</summary>\n<div class=\"tools\"><label>Words in "
        "network, "
        "rows, learner, state or message<input type=\"search\" id=\"jobs-filter\"></label>\n"
        "<label>State<select id=\"jobs-state\"><option value=\"\">any</option><option value=\"done\">done</option>"
        "<option value=\"other\">not done</option></select></label></div>\n<div id=\"jobs-found\" aria-live=\"polite\">"
        "</div>\n</details>\n</section>\n"
        "<dialog id=\"behind\" aria-labelledby=\"behind-title\"><button type=\"button\" id=\"behind-close\" "
        "class=\"close\">Close</button>\n<h2 id=\"behind-title\">Jobs</h2>\n<p id=\"behind-table\" "
        "class=\"soft\"></p>\n"
        "<div id=\"behind-jobs\"></div></dialog>\n");
}

static const char about_tables[] = "<p class=\"soft\">The best of a row or column of learners is bold.</p>\n";
static const char legend[] =
    "<p class=\"soft\">Below a figure stands the published one in brackets, and by how much ours differs from "
    "it:</p>\n<p class=\"legend\"><span class=\"low3\">25% or more below</span><span class=\"low2\">10% "
    "below</span><span class=\"low1\">2% below</span><span>alike</span><span class=\"high1\">2% above</span><span "
    "class=\"high2\">10% above</span><span class=\"high3\">25% or more above</span></p>\n";

static bool has_shades(const text_buffer *tables) {
    return strstr(tables->data, " class=\"low") || strstr(tables->data, " class=\"high");
}

/* The folder on the machine that ran it is nobody's concern; `instead` (may be NULL) is how it is named from here. */
static void append_without_folder(const char *declaration, const char *instead, text_buffer *out) {
    static const char folder[] = "folder:";
    for (const char *line = declaration; *line;) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        if (strncmp(line, folder, strlen(folder)) != 0)
            text_append_bytes(out, line, n);
        else if (instead)
            text_append_format(out, "folder: \"%s\"\n", instead);
        line += n;
    }
}

static void append_declaration(const char *declaration, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    append_without_folder(declaration, NULL, &text);
    text_append(out, "<details><summary>The experiment as it was run (experiment.yaml)</summary><pre>");
    if (text.data)
        html_append_text(out, text.data);
    out->failed |= text.failed;
    text_append(out, "</pre></details>\n");
}

/* From the folder of the report; NULL where it cannot be said without naming all of the machine's folders. */
static char *folder_from(const char *report_folder, const char *experiment_folder) {
    AUTO_FREE char *from = realpath(report_folder, NULL), *to = realpath(experiment_folder, NULL), *relative = NULL;
    if (from && to)
        relative = path_relative(from, to);
    return relative && !strpbrk(relative, "\"\\\n") ? TAKE(relative) : NULL;
}

static status write_declaration(report *r, error_info *err) {
    const experiment *e = r->options->html->e;
    AUTO(text_buffer_clear) text_buffer text = {0};
    AUTO_FREE char *folder = folder_from(r->options->folder, e->folder);
    append_without_folder(e->declaration, folder, &text);
    return part_write_text(&r->out, "experiment", ".yaml", &text, err);
}

/* ---- sections ---- */

/* What stands in a section: what was added as the report went, or what is said now. */
typedef struct {
    const char *id, *title;
    page_room room; /* N_ROOMS: none */
    void (*say)(const report *r, document *d);
    bool is_front;              /* what the caller says first */
    const char *before, *after; /* around what stands in it */
} section;

static const section sections[] = {
    {"reproduction", "Do the published figures come out?", N_ROOMS, NULL, true, "", ""},
    {"summary", "Summary", N_ROOMS, html_add_summary, false, "", ""},
    {"tables", "Tables", ROOM_TABLES, NULL, false, "<div class=\"grid tables\">\n", "</div>\n"},
    {"tests", "Tests", ROOM_TESTS, NULL, false, "<div class=\"grid tables\">\n", "</div>\n"},
    {"plots", "Plots", ROOM_PLOTS, NULL, false, "<div class=\"grid\">\n", "</div>\n"},
    {"networks", "Networks", ROOM_NETWORKS, NULL, false, "<div class=\"grid triples\">\n", "</div>\n"},
    {"learners", "Learners", N_ROOMS, html_add_learners, false, "", ""},
    {"failures", "Failures", ROOM_FAILURES, html_add_failures, false, "", ""},
    {"provenance", "Provenance", N_ROOMS, html_add_provenance, false, "", ""},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* The first plot, and beside it what came out, above the summary. */
static void append_glance(const report *r, const text_buffer *summary, text_buffer *out) {
    const text_buffer *verdicts = &r->out.rooms[ROOM_VERDICTS], *plot = &r->out.rooms[ROOM_HEADLINE];
    text_append(out, "<div class=\"glance\">\n<div class=\"headline\">");
    text_append(out, plot->length > 0 ? plot->data : "");
    text_append(out, "</div>\n<div>\n");
    if (verdicts->length > 0) {
        text_append(out, "<section class=\"verdicts\">\n<h3>The best by each table</h3>\n");
        text_append(out, verdicts->data);
        text_append(out, "</section>\n");
    }
    text_append(out, summary->data);
    text_append(out, "</div>\n</div>\n");
}

static status append_text(report *r, const section *s, text_buffer *out, error_info *err) {
    AUTO(document_clear) document d = {0};
    AUTO(text_buffer_clear) text_buffer said = {0};
    if (s->say) {
        s->say(r, &d);
        CHECK(document_write_html(&d, &r->out.writer, &said, err));
    }
    if (s->is_front && r->options->front)
        CHECK(document_write_html(r->options->front, &r->out.writer, &said, err));
    CHECK(text_buffer_check(&said, err));
    if (s->say == html_add_summary)
        append_glance(r, &said, out);
    else
        text_append(out, said.length > 0 ? said.data : "");
    if (s->room < N_ROOMS && r->out.rooms[s->room].length > 0)
        text_append(out, r->out.rooms[s->room].data);
    return STATUS_OK;
}

/* Both start where something stands in the section. */
static status append_section(report *r, const section *s, text_buffer *navigation, text_buffer *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK(append_text(r, s, &text, err));
    if (text.length == 0)
        return STATUS_OK;
    text_append_format(navigation, "<li><a href=\"#%s\">%s</a></li>\n", s->id, s->title);
    text_append_format(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", s->id,
                       s->id, s->id, s->title);
    if (s->room == ROOM_TABLES)
        text_append_format(out, "%s%s", about_tables, has_shades(&text) ? legend : "");
    text_append_format(out, "%s%s%s", s->before, text.data, s->after);
    if (s->say == html_add_provenance && r->options->html->e->declaration)
        append_declaration(r->options->html->e->declaration, out);
    text_append(out, "</section>\n");
    return STATUS_OK;
}

static status append_body(report *r, text_buffer *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer navigation = {0}, text = {0};
    for (size_t i = 0; i < N_SECTIONS; i++)
        CHECK(append_section(r, &sections[i], &navigation, &text, err));
    append_job_browser(&text);
    CHECK(text_buffer_check(&navigation, err));
    CHECK(text_buffer_check(&text, err));
    text_append_format(out,
                       "<nav aria-label=\"Sections\"><ul>\n%s<li><a href=\"#jobs\">All jobs</a></li>\n</ul></nav>\n"
                       "<main id=\"main\" tabindex=\"-1\">\n",
                       navigation.data);
    text_append(out, text.data);
    text_append(out, "</main>\n<footer>Made by bnbench. This page loads nothing and sends nothing.</footer>\n");
    return STATUS_OK;
}

status html_write_page(report *r, error_info *err) {
    AUTO(text_buffer_clear) text_buffer page = {0};
    if (!r->options->html)
        return STATUS_OK;
    CHECK(append_head(r, &page, err));
    CHECK(append_body(r, &page, err));
    text_append(&page, "<script type=\"application/json\" id=\"data\">");
    CHECK(html_append_data(r, &page, err));
    text_append(&page, "</script>\n");
    html_close_page(&page);
    CHECK(part_make_folder(&r->out, NULL, err));
    CHECK(part_write_text(&r->out, "index", ".html", &page, err));
    return r->options->html->e->declaration ? write_declaration(r, err) : STATUS_OK;
}
