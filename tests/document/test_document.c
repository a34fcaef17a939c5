/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One document in its four forms, and that no text in it becomes more than text. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "document/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_text(document *d, size_t width, bool use_bold, const char *expected) {
    text_buffer out = {0};
    document_write_text(d, width, use_bold, &out);
    assert_false(out.failed);
    assert_string_equal(out.data, expected);
    text_buffer_clear(&out);
}

static void assert_markdown(document *d, const char *expected) {
    text_buffer out = {0};
    document_write_markdown(d, &out);
    assert_false(out.failed);
    assert_string_equal(out.data, expected);
    text_buffer_clear(&out);
}

static char *write_html(document *d) {
    html_writer page = {.top = 2, .folder = scratch_folder()};
    text_buffer out = {0};
    error_info err = {0};
    assert_ok(document_write_html(d, &page, &out, &err), &err);
    return out.data;
}

static void assert_html(document *d, const char *expected) {
    char *text = write_html(d);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_latex(document *d, const char *expected) {
    text_buffer out = {0};
    text_append(&out, "");
    document_write_latex(d, &out);
    assert_false(out.failed);
    assert_string_equal(out.data, expected);
    text_buffer_clear(&out);
}

/* Figures of two learners, one with published ones. */
static document make_figures(void) {
    document d = {0};
    document_grid *g;
    document_add_heading(&d, 2, "Distances");
    g = document_add_grid(&d, NULL, 4, 3, false);
    grid_set_head(g, (const char *const[]){"samples", "hc", "a_long_name"}, 3);
    for (size_t r = 1; r < 3; r++) {
        grid_say(g, r, 0, SPAN_TEXT, "%d", r == 1 ? 500 : 5000);
        grid_say(g, r, 1, r == 1 ? SPAN_STRONG : SPAN_TEXT, "%.2f", r == 1 ? 0.5 : 12.25);
        grid_say(g, r, 2, SPAN_TEXT, "failed");
    }
    grid_set_published(g, 1, 1, "0.45");
    grid_set_published(g, 2, 1, "1");
    grid_say(g, 3, 0, SPAN_TEXT, GRID_COUNTS);
    grid_say(g, 3, 1, SPAN_TEXT, "2/2");
    grid_say(g, 3, 2, SPAN_TEXT, "0/2");
    g->n_foot = 1;
    g->may_shrink = true;
    document_add_item(&d, "What the figures are, in a sentence.");
    document_add_item(&d, "Another.");
    return d;
}

static void published_figures_stand_below_each_other_in_a_terminal(void **state) {
    document d = make_figures();
    (void)state;
    assert_text(&d, 0, false,
                "Distances\n"
                "samples            hc  a_long_name\n"
                "500       0.50 [0.45]       failed\n"
                "5000     12.25 [1]          failed\n"
                "n of N     2/2                 0/2\n"
                "  What the figures are, in a sentence.\n"
                "  Another.\n");
    document_clear(&d);
}

static void a_narrow_terminal_gets_blocks_of_columns_and_folded_notes(void **state) {
    document d = make_figures();
    (void)state;
    assert_text(&d, 25, true,
                "\033[1mDistances\033[0m\n"
                "samples            hc\n"
                "500       \033[1m0.50\033[0m [0.45]\n"
                "5000     12.25 [1]\n"
                "n of N     2/2\n"
                "\n"
                "samples  a_long_name\n"
                "500           failed\n"
                "5000          failed\n"
                "n of N           0/2\n"
                "  What the figures are,\n"
                "  in a sentence.\n"
                "  Another.\n");
    document_clear(&d);
}

/* Names and texts that are wider than the terminal: no row is wrapped by it. */
static document make_wide(void) {
    document d = {0};
    document_grid *g = document_add_grid(&d, NULL, 3, 3, true);
    grid_set_head(g, (const char *const[]){"learner", "what it says", "n"}, 3);
    grid_say(g, 1, 0, SPAN_TEXT, "a long name of it");
    grid_say(g, 1, 1, SPAN_STRONG, "some words that are many");
    grid_say(g, 1, 2, SPAN_TEXT, "1");
    grid_say(g, 2, 0, SPAN_TEXT, "hc");
    grid_say(g, 2, 1, SPAN_TEXT, "onewordthatiswiderthanthecolumn");
    return d;
}

static void cells_that_are_wider_than_the_terminal_are_folded(void **state) {
    document d = make_wide();
    (void)state;
    assert_text(&d, 24, true,
                "learner   what it says\n"
                "a long    \033[1msome words\033[0m\n"
                "name of   \033[1mthat are many\033[0m\n"
                "it        \n"
                "hc        onewordthatisw\n"
                "          iderthanthecol\n"
                "          umn\n"
                "\n"
                "learner   n\n"
                "a long    1\n"
                "name of   \n"
                "it        \n"
                "hc        \n");
    document_clear(&d);
}

static void figures_as_markdown_and_latex(void **state) {
    document d = make_figures();
    (void)state;
    assert_markdown(&d, "## Distances\n\n"
                        "| samples | hc | a_long_name |\n|:--|--:|--:|\n"
                        "| 500 | **0.50** \\[0.45\\] | failed |\n"
                        "| 5000 | 12.25 \\[1\\] | failed |\n"
                        "| n of N | 2/2 | 0/2 |\n\n"
                        "- What the figures are, in a sentence.\n- Another.\n");
    assert_latex(&d, "\\begin{table}[htbp]\n\\centering\n\\caption{Distances}\n"
                     "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
                     "\\begin{tabular}{@{}lrr@{}}\n\\toprule\nsamples & hc & a\\_long\\_name \\\\\n\\midrule\n"
                     "500 & \\textbf{0.50} {[}0.45{]} & failed \\\\\n5000 & 12.25 {[}1{]} & failed \\\\\n"
                     "\\midrule\n$n$ of $N$ & 2/2 & 0/2 \\\\\n\\bottomrule\n\\end{tabular}}\n"
                     "\\par\\smallskip{\\footnotesize What the figures are, in a sentence.\\par}\n"
                     "\\par\\smallskip{\\footnotesize Another.\\par}\n\\end{table}\n");
    document_clear(&d);
}

/* Sections within a section, and what belongs to the outer one again. */
static document make_sections(void) {
    document d = {0};
    document_grid *g;
    document_add_heading(&d, 2, "Thresholds");
    for (size_t i = 0; i < 2; i++) {
        document_add_folded(&d, 3, i ? "second" : "first");
        g = document_add_grid(&d, NULL, 2, 2, true);
        grid_set_head(g, (const char *const[]){"variable", "x"}, 2);
        grid_say(g, 1, 0, SPAN_TEXT, "age");
    }
    document_end_section(&d);
    document_add_item(&d, "Of both.");
    return d;
}

static void sections_within_sections_in_every_form(void **state) {
    document d = make_sections();
    (void)state;
    assert_text(&d, 80, false,
                "Thresholds\n\nfirst\nvariable  x\nage       \n\nsecond\nvariable  x\nage       \n\n  Of both.\n");
    assert_markdown(&d, "## Thresholds\n\n### first\n\n| variable | x |\n|:--|:--|\n| age | |\n\n### second\n\n"
                        "| variable | x |\n|:--|:--|\n| age | |\n\n- Of both.\n");
    assert_html(&d, "<section>\n<h3 id=\"at-thresholds\">Thresholds</h3>\n"
                    "<details><summary>first</summary>\n"
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"first\"><table>\n"
                    "<thead><tr><th scope=\"col\">variable</th><th scope=\"col\" class=\"word\">x</th></tr></thead>\n"
                    "<tbody>\n<tr><th scope=\"row\">age</th><td class=\"word\"></td></tr>\n</tbody></table></div>\n"
                    "</details>\n<details><summary>second</summary>\n"
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"second\"><table>\n"
                    "<thead><tr><th scope=\"col\">variable</th><th scope=\"col\" class=\"word\">x</th></tr></thead>\n"
                    "<tbody>\n<tr><th scope=\"row\">age</th><td class=\"word\"></td></tr>\n</tbody></table></div>\n"
                    "</details>\n<ul class=\"notes\">\n<li>Of both.</li>\n</ul>\n</section>\n");
    assert_latex(&d, "\\begin{table}[ht]\n\\centering\n\\caption{Thresholds: first}\n"
                     "\\begin{tabular}{@{}ll@{}}\n\\toprule\nvariable & x \\\\\n\\midrule\nage &  \\\\\n\\bottomrule\n"
                     "\\end{tabular}\n\\end{table}\n"
                     "\\begin{table}[ht]\n\\centering\n\\caption{Thresholds: second}\n"
                     "\\begin{tabular}{@{}ll@{}}\n\\toprule\nvariable & x \\\\\n\\midrule\nage &  \\\\\n\\bottomrule\n"
                     "\\end{tabular}\n\\end{table}\n");
    document_clear(&d);
}

static void a_table_of_many_names_has_a_filter(void **state) {
    (void)state;
    for (size_t n = 6; n < 10; n++) {
        document d = {0};
        document_grid *g = document_add_grid(&d, "t", 2, n + 1, false);
        char *page;
        g->number = 3;
        for (size_t c = 1; c <= n; c++)
            grid_at(g, 0, c)->is_name = true;
        page = write_html(&d);
        assert_int_equal(strstr(page, "aria-controls=\"table-3\"") != NULL, n >= 8);
        free(page);
        document_clear(&d);
    }
}

static void a_figure_on_a_page_shows_what_is_behind_it_and_how_far_off_it_is(void **state) {
    static const double deviations[] = {0.001, -0.15, 3, INFINITY, NAN};
    static const char *const cells[] = {
        ("<td><button type=\"button\" class=\"fig\" aria-haspopup=\"dialog\" data-group=\"1\" data-learner=\"-2\" "
         "data-where=\"&quot;500&quot; rows\">0</button><span class=\"pub\">[1] &plusmn;0%</span></td>"),
        "<td class=\"low2\">1<span class=\"pub\">[1] -15%</span></td>",
        "<td class=\"high3\">2<span class=\"pub\">[1] +300%</span></td>",
        "<td class=\"high3\">3<span class=\"pub\">[1]</span></td>",
        "<td>4<span class=\"pub\">[1]</span></td>",
    };
    document d = {0};
    document_grid *g = document_add_grid(&d, "a & b", 2, 6, false);
    char *page;
    (void)state;
    g->number = 3;
    for (size_t c = 1; c < 6; c++) {
        grid_at(g, 0, c)->is_name = true;
        grid_say(g, 1, c, SPAN_TEXT, "%zu", c - 1);
        grid_set_published(g, 1, c, "1");
        grid_at(g, 1, c)->deviation = deviations[c - 1];
    }
    grid_set_source(g, 1, 1, 1, -2, "\"500\" rows");
    page = write_html(&d);
    for (size_t i = 0; i < 5; i++) {
        if (!strstr(page, cells[i]))
            fail_msg("%s\nlacks %s", page, cells[i]);
    }
    assert_null(strstr(page, "type=\"search\"")); /* five names need no filter */
    assert_non_null(strstr(page, "aria-label=\"a &amp; b\"><table id=\"table-3\" data-table=\"3\" "
                                 "data-learner-columns>"));
    assert_non_null(strstr(page, "<th scope=\"col\" data-name></th>"));
    free(page);
    document_clear(&d);
}

static document make_words(void) {
    document d = {0};
    document_add_heading(&d, 1, "Title");
    document_add_paragraph(&d, "From here ");
    document_say(&d, SPAN_CODE, "x_y");
    document_say(&d, SPAN_STRONG, " to there");
    document_add_fact(&d, "program", "9.8_7_");
    document_add_fact(&d, "nothing", NULL);
    document_add_fact(&d, "system", "a fast one");
    document_begin_figure(&d, "failed");
    document_say(&d, SPAN_BAD, "%d", 3);
    document_add_picture(&d, "A [picture]", NULL, "gnuplot");
    document_begin(&d, BLOCK_ITEM);
    document_say(&d, SPAN_TEXT, "Figures: ");
    document_link(&d, "CSV", "plots/p", ".csv");
    return d;
}

static void words_facts_and_links_in_every_form(void **state) {
    document d = make_words();
    (void)state;
    assert_text(&d, 17, false,
                "Title\nFrom here x_y to\nthere\n\n  program: 9.8_7_\n  system: a fast\n  one\n  failed: 3\n"
                "  Figures: CSV\n");
    assert_markdown(&d, "# Title\n\nFrom here `x_y`** to there**\n\n| | |\n|:--|:--|\n| program | 9.8_7\\_ |\n"
                        "| system | a fast one |\n| failed | 3 |\n\n- Figures: [CSV](plots/p.csv)\n");
    assert_html(
        &d, "<section>\n<h2 id=\"at-title\">Title</h2>\n<p>From here <code>x_y</code><strong> to there</strong></p>\n"
            "<dl class=\"facts\">\n<dt>program</dt><dd>9.8_7_</dd>\n<dt>system</dt><dd>a fast one</dd>\n</dl>\n"
            "<dl class=\"tiles\">\n<div><dt>failed</dt><dd><span class=\"failed\">3</span></dd></div>\n</dl>\n"
            "<p class=\"failed\">There is no picture: gnuplot could not draw it (see what could not be made, "
            "below).</p>\n"
            "<ul class=\"notes\">\n<li>Figures: <a href=\"plots/p.csv\">CSV</a></li>\n</ul>\n</section>\n");
    assert_latex(&d, ""); /* no grid, no float */
    document_clear(&d);
}

static void pictures_go_into_the_page_until_it_would_be_large(void **state) {
    static const char svg[] = "<svg viewBox=\"0 0 640 480\"></svg>";
    html_writer page = {.top = 2, .folder = scratch_folder()};
    char *path = path_join(page.folder, "p.svg");
    document d = {0};
    text_buffer out = {0};
    error_info err = {0};
    (void)state;
    document_add_picture(&d, "It's", "p.svg", "gnuplot");
    assert_int_equal(document_write_html(&d, &page, &out, &err), STATUS_MISSING);
    assert_ok(file_write(path, svg, strlen(svg), &err), &err);
    text_buffer_clear(&out);
    assert_ok(document_write_html(&d, &page, &out, &err), &err);
    assert_string_equal(
        out.data, "<figure><button type=\"button\" class=\"zoom\" aria-pressed=\"false\" title=\"Full size\"><img "
                  "loading=\"lazy\" width=\"640\" height=\"480\" alt=\"It&#39;s\" src=\"data:image/svg+xml;base64,"
                  "PHN2ZyB2aWV3Qm94PSIwIDAgNjQwIDQ4MCI+PC9zdmc+\"></button></figure>\n");
    assert_int_equal(page.picture_bytes, (strlen(svg) / 3) * 4);
    text_buffer_clear(&out);
    page.picture_bytes = 10 << 20;
    assert_ok(document_write_html(&d, &page, &out, &err), &err);
    assert_null(strstr(out.data, "<img"));
    assert_markdown(&d, "![It's](p.svg)\n");
    text_buffer_clear(&out);
    document_clear(&d);
    free(path);
}

/* ---- texts from outside ---- */

static const char evil[] =
    "</script><script>alert(1)</script><!--\"'`|\\|*_x_*[a](b)$x$#%&^~{}\n\\input{x} =1+1\xFF\x01";

static document make_evil(void) {
    document d = {0};
    document_grid *g;
    document_add_heading(&d, 2, evil);
    document_add_paragraph(&d, evil);
    document_add_item(&d, evil);
    document_say(&d, SPAN_CODE, "%s", evil);
    document_say(&d, SPAN_STRONG, "%s", evil);
    document_say(&d, SPAN_BAD, "%s", evil);
    document_link(&d, evil, "plots/p", ".csv");
    document_add_fact(&d, evil, evil);
    document_add_picture(&d, evil, NULL, "gnuplot");
    g = document_add_grid(&d, evil, 2, 2, true);
    for (size_t i = 0; i < 4; i++)
        grid_say(g, i / 2, i % 2, SPAN_TEXT, "%s", evil);
    grid_set_published(g, 1, 1, evil);
    grid_set_source(g, 1, 1, 0, 0, evil);
    return d;
}

static size_t count(const char *text, const char *words) {
    size_t n = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        n++;
    return n;
}

static size_t count_lines(const char *text) {
    return count(text, "\n");
}

/* What no writer takes for its own: the cells of every line of a table are those that were made. */
static void assert_cells(const char *markdown, size_t n_cells) {
    for (const char *line = strstr(markdown, "\n| ") + 1; *line == '|'; line = strchr(line, '\n') + 1) {
        size_t n = 0;
        for (const char *at = line; *at != '\n'; at++)
            n += *at == '|' && at[-1] != '\\';
        assert_int_equal(n, n_cells + 1);
    }
}

static void names_from_outside_are_text_in_every_form(void **state) {
    document d = make_evil();
    text_buffer text = {0}, markdown = {0}, latex = {0};
    char *page = write_html(&d);
    (void)state;
    document_write_text(&d, 0, false, &text);
    document_write_markdown(&d, &markdown);
    document_write_latex(&d, &latex);
    assert_int_equal(count(page, "<script"), 0);
    assert_int_equal(count(page, "<!--"), 0);
    assert_int_equal(count(page, "\"\"'"), 0);
    assert_true(count(page, "&lt;script&gt;alert(1)") > 10);
    assert_int_equal(count(markdown.data, "<script"), 0);
    assert_int_equal(count(markdown.data, "*_x"), 0);
    assert_int_equal(count(markdown.data, "\\input{x}"), count(markdown.data, "\\\\input{x}"));
    assert_cells(strstr(markdown.data, "\n| &lt;"), 2);
    assert_int_equal(count(latex.data, "\\input{x}"), 0);
    assert_int_equal(count(latex.data, "[a]"), 0);
    assert_int_equal(count_lines(text.data), 8); /* a line end in a name is a blank */
    assert_int_equal(count(text.data, "\x01") + count(page, "\x01") + count(markdown.data, "\x01"), 0);
    assert_int_equal(count(text.data, "\xFF") + count(page, "\xFF") + count(markdown.data, "\xFF"), 0);
    free(page);
    text_buffer_clear(&text);
    text_buffer_clear(&markdown);
    text_buffer_clear(&latex);
    document_clear(&d);
}

static void assert_latex_text(const char *text, const char *expected) {
    text_buffer b = {0};
    text_append(&b, "");
    latex_append_text(&b, text);
    assert_string_equal(b.data, expected);
    text_buffer_clear(&b);
}

static void specials_of_latex_are_text(void **state) {
    (void)state;
    assert_latex_text("plain text", "plain text");
    assert_latex_text("a_b%c&d#e$f", "a\\_b\\%c\\&d\\#e\\$f");
    assert_latex_text("\\input{x}", "\\textbackslash{}input\\{x\\}");
    assert_latex_text("^~", "\\textasciicircum{}\\textasciitilde{}");
    assert_latex_text("<\"'`|>",
                      "\\textless{}\\textquotedbl{}\\textquotesingle{}\\textasciigrave{}\\textbar{}\\textgreater{}");
    assert_latex_text("[*] --", "{[}{*}{]} {-}{-}");
    assert_latex_text("a\nb\x01", "a b ");
}

static void unicode_that_pdflatex_may_not_know_is_a_question_mark(void **state) {
    (void)state;
    assert_latex_text("M\xC3\xBCller \xC5\xA0tefan", "M\xC3\xBCller \xC5\xA0tefan");
    assert_latex_text("\xE6\xBC\xA2\xF0\x9F\x98\x80\xCE\xB1", "???");
    assert_latex_text("a\xE2\x80\xA6\xE2\x80\x93", "a\\ldots{}\\textendash{}");
    assert_latex_text("\xFF\xC3", "??");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_figures_stand_below_each_other_in_a_terminal),
        cmocka_unit_test(a_narrow_terminal_gets_blocks_of_columns_and_folded_notes),
        cmocka_unit_test(cells_that_are_wider_than_the_terminal_are_folded),
        cmocka_unit_test(figures_as_markdown_and_latex),
        cmocka_unit_test(sections_within_sections_in_every_form),
        cmocka_unit_test(a_table_of_many_names_has_a_filter),
        cmocka_unit_test(a_figure_on_a_page_shows_what_is_behind_it_and_how_far_off_it_is),
        cmocka_unit_test(words_facts_and_links_in_every_form),
        cmocka_unit_test(pictures_go_into_the_page_until_it_would_be_large),
        cmocka_unit_test(names_from_outside_are_text_in_every_form),
        cmocka_unit_test(specials_of_latex_are_text),
        cmocka_unit_test(unicode_that_pdflatex_may_not_know_is_a_question_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
