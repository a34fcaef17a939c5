/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as LaTeX: what stands in them, and that pdflatex takes them whatever the names hold. */
#include "tests/support/records.h"

#include "core/base/file.h"
#include "report/report.h"

#include <unistd.h>

static const document_format *const latex_alone[] = {&document_format_latex, NULL};

static const char evil[] =
    "\\input{/etc/passwd}\\write18{touch hit}$(x)`y`{}}{#1%&_^~\"'<>|[*]\n\\end{document} \xE6\xBC\xA2";

static made_results make_evil(void) {
    const char *const networks[] = {evil, "asia", NULL}, *const learners[] = {evil, "[plain]", NULL};
    static const size_t sizes[] = {500, 5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    metric_table_spec *t;
    m.outputs.title = text_copy(evil);
    for (size_t i = 0; i < 8; i++)
        (void)add_done(&m, networks[i % 2], sizes[i / 2 % 2], 0, learners[i / 4], "shd", 10 + (double)i);
    t = add_table(&m, "a", "shd", evil);
    t->title = text_copy(evil);
    t = add_table(&m, "b", "shd", NULL);
    t->rows = AXIS_LEARNER;
    t->columns = AXIS_NETWORK;
    return m;
}

static char *write_latex(const char *folder) {
    made_results m = make_evil();
    report_options options = {.folder = folder, .forms = latex_alone};
    report_result r = {0};
    error_info err = {0};
    char *path = path_join(folder, "tables.tex"), *text = NULL;
    size_t length = 0;
    assert_ok(report_make(&(part_context){&m.outputs, &m.parts, m.records, m.n}, &options, &r, &err), &err);
    assert_int_equal(r.n_files, 2);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    free(path);
    report_result_clear(&r);
    clear_results(&m);
    return text;
}

static void a_table_has_rules_and_its_best_in_bold(void **state) {
    char *text = write_latex(scratch_folder());
    (void)state;
    assert_non_null(strstr(text, "\\toprule"));
    assert_non_null(strstr(text, "\\bottomrule"));
    assert_non_null(strstr(text, "\n500 & \\textbf{1.00} & 1.38 & 2/2 \\\\\n"));
    assert_non_null(strstr(text, "\\midrule\n$n$ of $N$ & 2/2 & 2/2 \\\\\n"));
    assert_null(strstr(text, "\\input{/etc"));
    assert_null(strstr(text, "\\write18"));
    free(text);
}

static void pdflatex_compiles_it(void **state) {
    const char *folder = scratch_folder();
    const char *const there[] = {"pdflatex", "--version", NULL};
    const char *const argv[] = {
        "pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-output-directory", folder, "\\input{report}", NULL};
    text_buffer inputs = {0};
    char *said = NULL, *pdf = path_join(folder, "report.pdf");
    (void)state;
    if (run_program(there, NULL, NULL) != 0) {
        free(pdf);
        skip();
    }
    free(write_latex(folder));
    text_append_format(&inputs, "%s:", folder); /* the empty path behind it: where LaTeX looks anyway */
    assert_int_equal(setenv("TEXINPUTS", inputs.data, 1), 0);
    text_buffer_clear(&inputs);
    if (run_program(argv, &said, NULL) != 0)
        fail_msg("pdflatex: %s", said);
    assert_true(file_exists(pdf));
    assert_int_not_equal(access("hit", F_OK), 0);
    free(said);
    free(pdf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_rules_and_its_best_in_bold),
        cmocka_unit_test(pdflatex_compiles_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
