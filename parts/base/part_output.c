/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/base/part_output.h"

#include "core/base/file.h"
#include "document/display.h"
#include "document/drawing/gnuplot.h"

#include <stdlib.h>
#include <string.h>

static const double gnuplot_timeout_s = 60;

void part_output_clear(part_output *out) {
    text_buffer_clear(&out->text);
    for (size_t i = 0; out->bodies && out->forms && out->forms[i]; i++)
        text_buffer_clear(&out->bodies[i]);
    free(out->bodies);
    text_buffer_clear(&out->tests_json);
    for (size_t i = 0; i < N_ROOMS; i++)
        text_buffer_clear(&out->rooms[i]);
    json_decref(out->tables);
    texts_destroy(out->files, out->n_files);
    texts_destroy(out->notes, out->n_notes);
    texts_destroy(out->names, out->n_names);
    *out = (part_output){0};
}

json_t *part_json_text(const char *text) {
    json_t *string = json_string(text);
    AUTO(text_buffer_clear) text_buffer clean = {0};
    if (string)
        return string;
    display_append_plain(&clean, text);
    string = clean.data && !clean.failed ? json_string(clean.data) : NULL;
    return string;
}

status part_note(part_output *out, const char *name, const char *sentence, error_info *err) {
    text_buffer b = {0};
    display_append_plain(&b, name);
    text_append(&b, *name ? ": " : "");
    display_append_plain(&b, sentence);
    return text_list_take(&out->notes, &out->n_notes, &b, err);
}

status part_judge(part_output *out, const char *name, status answer, const error_info *why, error_info *err) {
    if (answer == STATUS_MEMORY || answer == STATUS_BUG || (answer != STATUS_OK && out->is_strict))
        return error_set(err, answer, "%s", why->message);
    return answer == STATUS_OK ? STATUS_OK : part_note(out, name, why->message, err);
}

/* ---- files ---- */

static bool is_taken(const part_output *out, const char *name) {
    for (size_t i = 0; i < out->n_names; i++) {
        if (strcmp(out->names[i], name) == 0)
            return true;
    }
    return false;
}

status part_choose_name(part_output *out, const char *folder, const char *id, const char **chosen, error_info *err) {
    AUTO_FREE char *clean = display_file_name(id);
    text_buffer b = {0};
    CHECK_ALLOC(clean);
    text_append_format(&b, "%s/%s", folder, clean);
    for (size_t i = 2; !b.failed && is_taken(out, b.data); i++) {
        b.length = 0;
        text_append_format(&b, "%s/%s-%zu", folder, clean, i);
    }
    CHECK(text_list_take(&out->names, &out->n_names, &b, err));
    *chosen = out->names[out->n_names - 1];
    return STATUS_OK;
}

status part_make_folder(const part_output *out, const char *name, error_info *err) {
    AUTO_FREE char *path = name ? path_join(out->folder, name) : text_copy(out->folder);
    status st = STATUS_OK;
    CHECK_ALLOC(path);
    st = folder_create(path, err);
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

status part_list_file(part_output *out, const char *name, const char *ending, error_info *err) {
    text_buffer path = {0};
    text_append_format(&path, "%s/%s%s", out->folder, name, ending);
    return text_list_take(&out->files, &out->n_files, &path, err);
}

status part_write_text(part_output *out, const char *name, const char *ending, const text_buffer *text,
                       error_info *err) {
    const char *path;
    status st;
    CHECK(text_buffer_check(text, err));
    CHECK(part_list_file(out, name, ending, err));
    path = out->files[out->n_files - 1];
    st = file_write(path, text->data ? text->data : "", text->length, err);
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

status part_write_table(part_output *out, const char *id, const text_buffer *csv, error_info *err) {
    const char *name = NULL;
    CHECK(part_choose_name(out, "tables", id, &name, err));
    if (!out->write_csv)
        return STATUS_OK;
    CHECK(part_make_folder(out, "tables", err));
    return part_write_text(out, name, ".csv", csv, err);
}

/* ---- published figures ---- */

status part_read_published(part_output *out, const char *id, const char *file, published_kind kind,
                           published_table **table, error_info *err) {
    error_info why = {0};
    return part_judge(out, id, published_read_in(out->published_folder, file, kind, table, &why), &why, err);
}

/* ---- documents ---- */

status part_show_on_page(part_output *out, page_room room, const document *d, error_info *err) {
    return out->with_page ? document_write_html(d, &out->writer, &out->rooms[room], err) : STATUS_OK;
}

status part_show_in_files(part_output *out, const document *d, error_info *err) {
    size_t n = 0;
    while (out->forms && out->forms[n])
        n++;
    if (!out->bodies)
        CHECK_ALLOC(out->bodies = calloc(n + 1, sizeof *out->bodies));
    for (size_t i = 0; i < n; i++)
        out->forms[i]->append(d, &out->bodies[i]);
    return document_check(d, err);
}

status part_show(part_output *out, page_room room, const document *d, error_info *err) {
    if (room == ROOM_TABLES || room == ROOM_TESTS)
        document_write_text(d, out->width, out->use_bold, &out->text);
    CHECK(part_show_in_files(out, d, err));
    return part_show_on_page(out, room, d, err);
}

/* ---- plots ---- */

status part_show_plot(part_output *out, const document *d, error_info *err) {
    return part_show(out, out->rooms[ROOM_HEADLINE].length > 0 ? ROOM_PLOTS : ROOM_HEADLINE, d, err);
}

/* Runs gnuplot on the script that lies there; a failure is a note. */
static status draw(part_output *out, const char *id, const char *name, bool *is_drawn, error_info *err) {
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    AUTO_FREE char *folder = path_join(out->folder, "plots");
    AUTO(text_buffer_clear) text_buffer script = {0};
    error_info why = {0};
    status st = STATUS_OK, answer;
    CHECK_ALLOC(folder);
    text_append_format(&script, "%s.gp", path_base(name));
    CHECK(text_buffer_check(&script, err));
    answer = out->gnuplot_is_missing ? STATUS_MISSING : gnuplot_run(folder, script.data, gnuplot_timeout_s, &why);
    if (answer == STATUS_IO)
        return error_set(err, STATUS_IO, "%s: %s", folder, why.message);
    *is_drawn = answer == STATUS_OK;
    for (size_t i = 0; *is_drawn && i < sizeof endings / sizeof *endings; i++)
        CHECK(part_list_file(out, name, endings[i], err));
    if (!*is_drawn && !out->gnuplot_is_missing) {
        out->gnuplot_is_missing = answer == STATUS_MISSING;
        st = part_note(out, out->gnuplot_is_missing ? "no pictures" : id, why.message, err);
    }
    return st;
}

status part_begin_plot(part_output *out, const char *id, const char **name, error_info *err) {
    CHECK(part_choose_name(out, "plots", id, name, err));
    return part_make_folder(out, "plots", err);
}

status part_draw_plot(part_output *out, const char *id, const char *name, const text_buffer *csv,
                      const text_buffer *script, bool *is_drawn, error_info *err) {
    CHECK(part_write_text(out, name, ".csv", csv, err));
    CHECK(part_write_text(out, name, ".gp", script, err));
    return draw(out, id, name, is_drawn, err);
}

void part_begin_picture(document *d, const char *title, const char *name, bool is_drawn, const char *program) {
    AUTO(text_buffer_clear) text_buffer file = {0};
    text_append_format(&file, "%s.svg", name);
    d->failed |= file.failed;
    document_add_heading(d, 2, title);
    document_add_picture(d, title, is_drawn ? file.data : NULL, program);
}

void part_add_links(document *d, const char *name, bool is_drawn) {
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
