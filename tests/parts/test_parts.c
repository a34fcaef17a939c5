/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The registry of parts. This program has a kind more than bnbench: what stands here, and a line in further_parts.def,
 * is all that it takes for a kind to be declared, checked, told of and shown in every form of a report.
 */
#define BNB_PARTS "tests/parts/further_parts.def"
#include "parts/registry.c" /* NOLINT(bugprone-suspicious-include): with the line above */

#include "core/base/file.h"
#include "parts/base/part_output.h"
#include "report/report.h"
#include "tests/support/records.h"
#include "tests/support/support.h"

static const document_format *const markdown_and_latex[] = {&document_format_markdown, &document_format_latex, NULL};

/* ---- a further kind: how many jobs each learner has ---- */

typedef struct {
    char *id, *title;
    size_t n_learners;
    char **learners;
    size_t times;
} jobs_table_spec;

static const option_spec jobs_options[] = {
    PART_HEAD_ROWS(jobs_table_spec, "Jobs"),
    PART_LIST_ROW(OPT_LEARNERS, "learners", jobs_table_spec, learners, .is_required = true, .help = "whose jobs"),
    PART_ROW(OPT_COUNT, "times", jobs_table_spec, times, .initial = 1, .least = 1, .most = 9, .usual = "1",
             .help = "what the counts are multiplied by"),
    {0},
};

static status complete_jobs(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    const jobs_table_spec *spec = declared;
    *key = "times";
    return spec->times <= outputs->n_networks ? STATUS_OK
                                              : error_set(err, STATUS_INVALID, "times exceeds the number of networks");
}

static size_t count_jobs(const part_context *c, const char *learner_id) {
    size_t n = 0;
    for (size_t i = 0; i < c->n_records; i++)
        n += strcmp(c->records[i].learner, learner_id) == 0;
    return n;
}

static status make_jobs(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    const jobs_table_spec *spec = p->options;
    document d = {0};
    text_buffer csv = {0};
    document_grid *g;
    status st = STATUS_OK;
    document_add_heading(&d, 2, spec->title ? spec->title : "Jobs");
    g = document_add_grid(&d, NULL, spec->n_learners + 1, 2, false);
    grid_set_head(g, (const char *const[]){"learner", "jobs"}, 2);
    text_append(&csv, "learner,jobs\n");
    for (size_t i = 0; i < spec->n_learners; i++) {
        size_t n = spec->times * count_jobs(c, spec->learners[i]);
        grid_say(g, i + 1, 0, SPAN_TEXT, "%s", spec->learners[i]);
        grid_say(g, i + 1, 1, SPAN_TEXT, "%zu", n);
        text_append_format(&csv, "%s,%zu\n", spec->learners[i], n);
    }
    TRY(part_show(out, ROOM_TABLES, &d, err));
    TRY(part_write_table(out, spec->id, &csv, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&csv);
    return st;
}

extern const part_kind part_jobs_table;
const part_kind part_jobs_table = {
    .group = PART_TABLE,
    .name = "jobs",
    .summary = "how many jobs each learner has",
    .options_size = sizeof(jobs_table_spec),
    .options = jobs_options,
    .complete = complete_jobs,
    .make = make_jobs,
};

/* ---- what it takes ---- */

static status parse(const char *tables, experiment *e, error_info *err) {
    text_buffer text = {0};
    status st;
    text_append_format(
        &text, "name: x\nnetworks: [asia, child]\ndata: {samples: [100]}\nlearners: [hc, gts]\ntables: [%s]\n", tables);
    st = experiment_parse(text.data, text.length, "x.yaml", e, err);
    text_buffer_clear(&text);
    return st;
}

static void assert_refused(const char *tables, const char *message) {
    experiment e = {0};
    error_info err = {0};
    assert_int_equal(parse(tables, &e, &err), STATUS_PARSE);
    assert_message_has(&err, message);
}

static void a_further_kind_is_declared_by_its_options(void **state) {
    experiment e = {0};
    error_info err = {0};
    const jobs_table_spec *spec;
    (void)state;
    assert_ok(parse("{id: j, kind: jobs, learners: [gts, hc], times: 2}", &e, &err), &err);
    spec = e.parts.parts[0].options;
    assert_int_equal(spec->n_learners, 2);
    assert_string_equal(spec->learners[0], "gts");
    assert_int_equal(spec->times, 2);
    experiment_clear(&e);
    assert_ok(parse("{id: j, kind: jobs, learners: hc}", &e, &err), &err);
    assert_int_equal(((const jobs_table_spec *)e.parts.parts[0].options)->times, 1);
    experiment_clear(&e);
    assert_refused("{id: j, kind: jobs}", "x.yaml:5:10: a table of kind jobs needs 'learners', whose jobs");
    assert_refused("{id: j, kind: jobs, learners: [hc, pc]}", "learners is 'pc', which is no learner");
    assert_refused("{id: j, kind: jobs, learners: hc, times: 12}", "times is '12'; it must be a whole number");
    assert_refused("{id: j, kind: jobs, learners: hc, times: 3}", "x.yaml:5:51: times exceeds the number of networks");
    assert_refused("{id: j, kind: jobs, learners: hc, metric: shd}", "it belongs to a table of kind metric");
    assert_refused("{id: j, kind: jobs, learners: hc, tmes: 2}", "did you mean 'times'?");
    assert_refused("{id: j, kind: job}",
                   "kind is 'job'; it must be one of metric|networks|probabilities|policies|jobs");
}

static void assert_file_has(const char *folder, const char *name, const char *words) {
    char *path = path_join(folder, name), *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    if (!strstr(text, words))
        fail_msg("'%s' is not in %s:\n%s", words, name, text);
    free(text);
    free(path);
}

static void a_further_kind_is_shown_in_every_form(void **state) {
    const char *folder = scratch_folder();
    made_results m = make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 0}, 1,
                                  (const char *const[]){"hc", "gts", NULL});
    const experiment e = {0};
    const html_facts facts = {.e = &e};
    const report_options options = {.folder = folder, .forms = markdown_and_latex, .write_csv = true, .html = &facts};
    jobs_table_spec *spec = add_part(&m, PART_TABLE, "jobs", "j");
    report_result r = {0};
    error_info err = {0};
    (void)state;
    (void)add_done(&m, "asia", 100, 0, "hc", "shd", 3);
    spec->learners = copy_names((const char *const[]){"hc", "gts", NULL}, &spec->n_learners);
    assert_ok(report_make(&(part_context){&m.outputs, &m.parts, m.records, m.n}, &options, &r, &err), &err);
    assert_non_null(strstr(r.text.data, "hc          1\n"));
    assert_file_has(folder, "report.md", "| hc | 1 |");
    assert_file_has(folder, "tables/j.csv", "learner,jobs\nhc,1\ngts,0\n");
    assert_file_has(folder, "tables.tex", "hc & 1");
    assert_file_has(folder, "index.html", ">Jobs</h3>");
    report_result_clear(&r);
    clear_results(&m);
}

/* ---- every kind ---- */

static void every_kind_can_be_declared_and_made(void **state) {
    (void)state;
    for (size_t i = 0; i < part_count(); i++) {
        const part_kind *kind = part_at(i);
        const option_spec *id = options_find(kind->options, "id"), *title = options_find(kind->options, "title");
        assert_ptr_equal(part_find(kind->group, kind->name), kind);
        assert_non_null(kind->make);
        assert_true(*kind->summary != '\0');
        assert_non_null(id);
        assert_true(id->is_required);
        assert_non_null(title);
        for (const option_spec *o = kind->options; o->kind != OPT_END; o++) {
            assert_ptr_equal(options_find(kind->options, o->name), o); /* none twice */
            assert_string_not_equal(o->name, part_group_at(kind->group)->selector);
            assert_non_null(o->help);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_further_kind_is_declared_by_its_options),
        cmocka_unit_test(a_further_kind_is_shown_in_every_form),
        cmocka_unit_test(every_kind_can_be_declared_and_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
