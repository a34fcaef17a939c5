/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTML page, put together. Its style and script lie in report/page/; the policy lets nothing else run or load. */
#include "report/html_internal.h"
#include "report_page.h"

#include <string.h>

static status append_head(const report *r, text_buffer *out, error_info *err) {
    const experiment_outputs *o = r->outputs;
    const char *title = o->title ? o->title : o->name ? o->name : "Results";
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                     "style-src ");
    CHECK(html_append_hash(out, report_page_style, err));
    text_append(out, "; script-src ");
    CHECK(html_append_hash(out, report_page_script, err));
    text_append(out, "; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>");
    display_append_html(out, title);
    text_append(out, "</title>\n<style>");
    text_append(out, report_page_style);
    text_append(out, "</style>\n<script>");
    text_append(out, report_page_script);
    text_append(out,
                "</script>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n<header><div><h1>");
    display_append_html(out, title);
    text_append(
        out,
        "</h1>\n<p class=\"soft\">A comparison of learners of Bayesian networks, made by bnbench. A click on "
        "a figure shows the jobs behind it.</p></div><button type=\"button\" id=\"theme\" hidden>Dark theme</button>"
        "</header>\n");
    return STATUS_OK;
}

/* A section of the page; `text` NULL or empty leaves it out. */
typedef struct {
    const char *id, *title;
    const text_buffer *text;
} section;

static bool is_there(const section *s) {
    return s->text->length > 0;
}

static void append_navigation(const section *sections, size_t n, text_buffer *out) {
    text_append(out, "<nav aria-label=\"Sections\"><ul>\n");
    for (size_t i = 0; i < n; i++) {
        if (is_there(&sections[i]))
            text_append_format(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    }
    text_append(out, "<li><a href=\"#jobs\">All jobs</a></li>\n</ul></nav>\n");
}

static void append_section(const section *s, text_buffer *out) {
    if (!is_there(s))
        return;
    text_append_format(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", s->id,
                       s->id, s->id, s->title);
    text_append_bytes(out, s->text->data, s->text->length);
    text_append(out, "</section>\n");
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

static const char legend[] =
    "<p class=\"soft\">The best of a row or column of learners is bold. Below a figure stands the published one in "
    "brackets, and by how much ours differs from it:</p>\n<p class=\"legend\"><span class=\"low3\">25% or more below"
    "</span><span class=\"low2\">10% below</span><span class=\"low1\">2% below</span><span>alike</span><span "
    "class=\"high1\">2% above</span><span class=\"high2\">10% above</span><span class=\"high3\">25% or more "
    "above</span>"
    "</p>\n";

static void wrap(text_buffer *b, const char *before, const char *after, text_buffer *out) {
    if (b->length == 0)
        return;
    text_append(out, before);
    text_append_bytes(out, b->data, b->length);
    text_append(out, after);
    out->failed |= b->failed;
}

static status append_body(report *r, text_buffer *out, error_info *err) {
    text_buffer texts[8] = {{0}};
    const section sections[] = {{"summary", "Summary", &texts[0]},   {"tables", "Tables", &texts[1]},
                                {"tests", "Tests", &texts[2]},       {"plots", "Plots", &texts[3]},
                                {"networks", "Networks", &texts[4]}, {"learners", "Learners", &texts[5]},
                                {"failures", "Failures", &texts[6]}, {"provenance", "Provenance", &texts[7]}};
    enum { N_SECTIONS = sizeof sections / sizeof *sections };
    status st = STATUS_OK;
    html_append_summary(r, &texts[0]);
    wrap(&r->page.tables, legend, "", &texts[1]);
    wrap(&r->page.tests, "", "", &texts[2]);
    wrap(&r->page.plots, "<div class=\"grid\">\n", "</div>\n", &texts[3]);
    wrap(&r->page.networks, "<div class=\"grid\">\n", "</div>\n", &texts[4]);
    html_append_learners(r, &texts[5]);
    html_append_failures(r, &texts[6]);
    html_append_provenance(r, &texts[7]);
    append_navigation(sections, N_SECTIONS, out);
    text_append(out, "<main id=\"main\" tabindex=\"-1\">\n");
    for (size_t i = 0; i < N_SECTIONS; i++)
        append_section(&sections[i], out);
    append_job_browser(out);
    text_append(out, "</main>\n<footer>Made by bnbench. This page loads nothing and sends nothing.</footer>\n");
    for (size_t i = 0; i < N_SECTIONS; i++) {
        if (st == STATUS_OK)
            st = text_buffer_check(&texts[i], err);
        text_buffer_clear(&texts[i]);
    }
    return st;
}

status html_write_page(report *r, error_info *err) {
    text_buffer page = {0}, declaration = {0};
    status st = STATUS_OK;
    if (!r->options->html)
        return STATUS_OK;
    TRY(append_head(r, &page, err));
    TRY(append_body(r, &page, err));
    text_append(&page, "<script type=\"application/json\" id=\"data\">");
    TRY(html_append_data(r, &page, err));
    text_append(&page, "</script>\n</body>\n</html>\n");
    TRY(report_make_folder(r, NULL, err));
    TRY(report_write_text(r, "index", ".html", &page, err));
    if (r->options->html->declaration) {
        text_append(&declaration, r->options->html->declaration);
        TRY(report_write_text(r, "experiment", ".yaml", &declaration, err));
    }
cleanup:
    text_buffer_clear(&page);
    text_buffer_clear(&declaration);
    return st;
}
