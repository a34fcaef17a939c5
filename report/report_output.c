/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a report leave: notes, files, pictures, and documents that are shown in each of its forms. */
#include "core/base/file.h"
#include "document/drawing/gnuplot.h"
#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

static const double gnuplot_timeout_s = 60;

status report_add_note(report *r, const char *name, const char *sentence, error_info *err) {
    text_buffer b = {0};
    display_append_plain(&b, name);
    text_append(&b, *name ? ": " : "");
    display_append_plain(&b, sentence);
    return text_list_take(&r->result->notes, &r->result->n_notes, &b, err);
}

status report_judge(report *r, const char *name, status answer, const error_info *why, error_info *err) {
    if (answer == STATUS_MEMORY || answer == STATUS_BUG)
        return error_set(err, answer, "%s", why->message);
    return answer == STATUS_OK ? STATUS_OK : report_add_note(r, name, why->message, err);
}

status report_read_published(report *r, const char *id, const char *file, published_table **out, error_info *err) {
    error_info why = {0};
    status answer = published_read_in(r->options->published_folder, file, out, &why);
    return report_judge(r, id, answer, &why, err);
}

/* ---- files ---- */

static bool is_taken(const report *r, const char *name) {
    for (size_t i = 0; i < r->n_names; i++) {
        if (strcmp(r->names[i], name) == 0)
            return true;
    }
    return false;
}

status report_choose_name(report *r, const char *folder, const char *id, const char **out, error_info *err) {
    char *clean = display_file_name(id);
    text_buffer b = {0};
    status st = STATUS_OK;
    TRY_ALLOC(clean);
    text_append_format(&b, "%s/%s", folder, clean);
    for (size_t i = 2; !b.failed && is_taken(r, b.data); i++) {
        b.length = 0;
        text_append_format(&b, "%s/%s-%zu", folder, clean, i);
    }
    TRY(text_list_take(&r->names, &r->n_names, &b, err));
    *out = r->names[r->n_names - 1];
cleanup:
    free(clean);
    return st;
}

status report_make_folder(const report *r, const char *name, error_info *err) {
    char *path = name ? path_join(r->options->folder, name) : text_copy(r->options->folder);
    status st = STATUS_OK;
    TRY_ALLOC(path);
    st = folder_create(path, err);
    if (st != STATUS_OK)
        error_context(err, "%s", path);
cleanup:
    free(path);
    return st;
}

status report_list_file(report *r, const char *name, const char *ending, error_info *err) {
    text_buffer path = {0};
    text_append_format(&path, "%s/%s%s", r->options->folder, name, ending);
    return text_list_take(&r->result->files, &r->result->n_files, &path, err);
}

status report_write_text(report *r, const char *name, const char *ending, const text_buffer *text, error_info *err) {
    const char *path;
    status st;
    CHECK(text_buffer_check(text, err));
    CHECK(report_list_file(r, name, ending, err));
    path = r->result->files[r->result->n_files - 1];
    st = file_write(path, text->data ? text->data : "", text->length, err);
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

status report_write_table(report *r, const char *id, const text_buffer *csv, error_info *err) {
    const char *name = NULL;
    CHECK(report_choose_name(r, "tables", id, &name, err));
    if (!r->options->write_csv)
        return STATUS_OK;
    CHECK(report_make_folder(r, "tables", err));
    return report_write_text(r, name, ".csv", csv, err);
}

/* ---- documents ---- */

status report_add_to_page(report *r, report_room room, const document *d, error_info *err) {
    return r->options->html ? document_write_html(d, &r->page.writer, &r->page.rooms[room], err) : STATUS_OK;
}

status report_add_document(report *r, report_room room, const document *d, error_info *err) {
    document_write_markdown(d, &r->markdown);
    if (room == ROOM_TABLES || room == ROOM_TESTS) {
        document_write_text(d, r->options->width, r->options->use_bold, &r->result->text);
        document_write_latex(d, &r->latex);
    }
    CHECK(document_check(d, err));
    return report_add_to_page(r, room, d, err);
}

/* ---- plots ---- */

/* Runs gnuplot on the script that lies there; a failure is a note. */
static status draw(report *r, const char *id, const char *name, bool *is_drawn, error_info *err) {
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    char *folder = path_join(r->options->folder, "plots");
    text_buffer script = {0};
    error_info why = {0};
    status st = STATUS_OK, answer;
    TRY_ALLOC(folder);
    text_append_format(&script, "%s.gp", path_base(name));
    TRY(text_buffer_check(&script, err));
    answer = r->gnuplot_is_missing ? STATUS_MISSING : gnuplot_run(folder, script.data, gnuplot_timeout_s, &why);
    *is_drawn = answer == STATUS_OK;
    for (size_t i = 0; *is_drawn && i < sizeof endings / sizeof *endings; i++)
        TRY(report_list_file(r, name, endings[i], err));
    if (!*is_drawn && !r->gnuplot_is_missing) {
        r->gnuplot_is_missing = answer == STATUS_MISSING;
        st = report_add_note(r, r->gnuplot_is_missing ? "no pictures" : id, why.message, err);
    }
cleanup:
    free(folder);
    text_buffer_clear(&script);
    return st;
}

status report_begin_plot(report *r, const char *id, const char **name, error_info *err) {
    CHECK(report_choose_name(r, "plots", id, name, err));
    return report_make_folder(r, "plots", err);
}

status report_draw_plot(report *r, const char *id, const char *name, const text_buffer *csv, const text_buffer *script,
                        bool *is_drawn, error_info *err) {
    CHECK(report_write_text(r, name, ".csv", csv, err));
    CHECK(report_write_text(r, name, ".gp", script, err));
    return draw(r, id, name, is_drawn, err);
}

void report_begin_picture(document *d, const char *title, const char *name, bool is_drawn, const char *program) {
    text_buffer file = {0};
    text_append_format(&file, "%s.svg", name);
    d->failed |= file.failed;
    document_add_heading(d, 2, title);
    document_add_picture(d, title, is_drawn ? file.data : NULL, program);
    text_buffer_clear(&file);
}

void report_add_links(document *d, const char *name, bool is_drawn) {
    document_add_item(d, "Figures: ");
    document_link(d, "CSV", name, ".csv");
    if (!is_drawn)
        return;
    document_say(d, SPAN_TEXT, "; picture: ");
    document_link(d, "SVG", name, ".svg");
    document_say(d, SPAN_TEXT, ", ");
    document_link(d, "PDF", name, ".pdf");
    document_say(d, SPAN_TEXT, ", ");
    document_link(d, "PNG", name, ".png");
}
