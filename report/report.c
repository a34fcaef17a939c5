/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

void report_result_clear(report_result *r) {
    text_buffer_clear(&r->text);
    text_buffer_clear(&r->tests_json);
    texts_destroy(r->files, r->n_files);
    texts_destroy(r->notes, r->n_notes);
    *r = (report_result){0};
}

static const char *title_of(const experiment_outputs *o) {
    return o->title ? o->title : o->name ? o->name : "Results";
}

static status write_heading(report *r, error_info *err) {
    const experiment_outputs *o = r->in.outputs;
    AUTO(document_clear) document d = {0};
    char digits[32];
    document_add_heading(&d, 1, title_of(o));
    document_begin(&d, BLOCK_PARAGRAPH);
    if (o->reading)
        document_say(&d, SPAN_TEXT, "The reading '%s' of the experiment. ", o->reading);
    document_say(&d, SPAN_TEXT,
                 "Networks: %zu, sample sizes: %zu, replicates: %zu, learners: %zu; results in the store: %zu.",
                 o->n_networks, o->n_sizes, o->n_replicates, o->n_learners, r->in.n_records);
    if (o->n_sigmas > 0)
        document_add_paragraph(&d, "The data are continuous, with noise of sigma ");
    for (size_t i = 0; i < o->n_sigmas; i++)
        document_say(&d, SPAN_TEXT, "%s%s%s", i ? ", " : "", text_from_double(o->sigmas[i], digits),
                     i + 1 == o->n_sigmas ? "." : "");
    return part_show_in_files(&r->out, &d, err);
}

/* In the files after the parts, on the page among the failures. */
static status write_notes(report *r, error_info *err) {
    AUTO(document_clear) document d = {0};
    if (r->out.n_notes > 0)
        document_add_heading(&d, 2, "What could not be made");
    document_add_items(&d, r->out.notes, r->out.n_notes);
    CHECK(part_show_in_files(&r->out, &d, err));
    return part_show_on_page(&r->out, ROOM_FAILURES, &d, err);
}

static status write_form(report *r, const document_format *form, const text_buffer *body, error_info *err) {
    AUTO(text_buffer_clear) text_buffer whole = {0}, frame = {0};
    text_append_format(&whole, "%s%s", form->head ? form->head : "", body->data ? body->data : "");
    whole.failed |= body->failed;
    CHECK(part_write_text(&r->out, form->file, form->ending, &whole, err));
    if (!form->append_frame)
        return STATUS_OK;
    form->append_frame(title_of(r->in.outputs), &frame);
    return part_write_text(&r->out, "report", form->ending, &frame, err);
}

/* What was made goes to the caller; the rest of the output stays. */
static void hand_over(part_output *out, report_result *to) {
    *to = (report_result){.text = out->text,
                          .tests_json = out->tests_json,
                          .n_files = out->n_files,
                          .files = out->files,
                          .n_notes = out->n_notes,
                          .notes = out->notes};
    out->text = out->tests_json = (text_buffer){0};
    out->files = out->notes = NULL;
    out->n_files = out->n_notes = 0;
}

static status make_parts(report *r, error_info *err) {
    for (size_t i = 0; i < r->in.parts->n; i++) {
        const declared_part *p = &r->in.parts->parts[i];
        if (p->kind->group != PART_PLOT || r->options->write_plots)
            CHECK(p->kind->make(&r->in, p, &r->out, err));
    }
    return STATUS_OK;
}

static status list_tests(report *r, error_info *err) {
    text_buffer list = {0};
    text_append_format(&list, "[%s]", r->out.tests_json.data ? r->out.tests_json.data : "");
    list.failed |= r->out.tests_json.failed;
    text_buffer_clear(&r->out.tests_json);
    r->out.tests_json = list;
    return text_buffer_check(&list, err);
}

status report_make(const part_context *in, const report_options *options, report_result *out, error_info *err) {
    report r = {.in = *in,
                .options = options,
                .out = {.folder = options->folder,
                        .published_folder = options->published_folder,
                        .write_csv = options->write_csv,
                        .forms = options->forms,
                        .with_page = options->html != NULL,
                        .use_bold = options->use_bold,
                        .width = options->width,
                        .writer = {.top = 2, .folder = options->folder}}};
    status st = STATUS_OK;
    if (options->forms || options->write_csv || options->write_plots)
        TRY(part_make_folder(&r.out, NULL, err));
    TRY(write_heading(&r, err));
    TRY(make_parts(&r, err));
    TRY(list_tests(&r, err));
    TRY(write_notes(&r, err));
    for (size_t i = 0; options->forms && options->forms[i]; i++)
        TRY(write_form(&r, options->forms[i], &r.out.bodies[i], err));
    TRY(html_write_page(&r, err));
    TRY(text_buffer_check(&r.out.text, err));
    hand_over(&r.out, out);
cleanup:
    part_output_clear(&r.out);
    return st;
}

status report_write(const report_input *in, bool with_page, const report_options *options, report_result *out,
                    error_info *err) {
    const part_context context = {&in->e->outputs, &in->e->parts, in->records, in->n_records};
    const html_facts facts = {in->e, &in->facts, in->n_planned};
    report_options all = *options;
    all.html = with_page ? &facts : NULL;
    return report_make(&context, &all, out, err);
}
