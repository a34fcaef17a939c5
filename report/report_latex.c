/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables and tests as LaTeX: report.tex compiles as it is and reads tables.tex, which another document may read. */
#include "report/report_internal.h"

#include "document/display.h"

static const char preamble[] = "% needs booktabs and graphicx: \\input{tables} in a document of one's own\n";

status report_write_latex(report *r, error_info *err) {
    const experiment_outputs *o = r->outputs;
    text_buffer tables = {0}, document = {0};
    status st = STATUS_OK;
    text_append(&tables, preamble);
    text_append(&tables, r->latex.data ? r->latex.data : "");
    tables.failed |= r->latex.failed;
    text_append(&document, "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                           "\\usepackage{textcomp}\n\\usepackage{booktabs}\n\\usepackage{graphicx}\n"
                           "\\usepackage[margin=2cm]{geometry}\n\\begin{document}\n\\section*{");
    display_append_latex(&document, o->title ? o->title : o->name ? o->name : "Results");
    text_append(&document, "}\n\\input{tables}\n\\end{document}\n");
    TRY(report_write_text(r, "tables", ".tex", &tables, err));
    TRY(report_write_text(r, "report", ".tex", &document, err));
cleanup:
    text_buffer_clear(&tables);
    text_buffer_clear(&document);
    return st;
}
