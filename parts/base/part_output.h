/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where parts leave what they make: notes, files, pictures, and documents that are shown in each form of a report. */
#ifndef BNB_PARTS_BASE_PART_OUTPUT_H
#define BNB_PARTS_BASE_PART_OUTPUT_H

#include "document/format.h"
#include "parts/base/part.h"
#include "parts/figures/published.h"

#include <jansson.h>

/** Where a part stands on the HTML page. */
typedef enum {
    ROOM_VERDICTS, /* who is the best by each table: a paragraph each */
    ROOM_HEADLINE, /* the first plot */
    ROOM_TABLES,
    ROOM_TESTS,
    ROOM_PLOTS,
    ROOM_NETWORKS,
    ROOM_FAILURES,
    N_ROOMS
} page_room;

/** Zero-initialise; the first lines are the caller's to set, the rest is owned. */
struct part_output {
    const char *folder;                  /* where files go; NULL: none are written */
    const char *published_folder;        /* NULL: no published figures */
    bool write_csv;                      /* of tables and tests; those of plots are always written */
    bool with_page;                      /* HTML is made too */
    bool use_bold;                       /* in the text */
    bool is_strict;                      /* what cannot be made or read is an error, not a note */
    size_t width;                        /* of the text; 0: it is not folded */
    html_writer writer;                  /* of the page */
    const document_format *const *forms; /* of the files, NULL behind the last; NULL: none */
    text_buffer text;
    text_buffer *bodies;    /* by form: what was shown so far */
    text_buffer tests_json; /* objects, a comma between */
    text_buffer rooms[N_ROOMS];
    json_t *tables; /* which jobs stand behind the figures of the page's tables; NULL: none yet */
    size_t n_files;
    char **files; /* paths written */
    size_t n_notes;
    char **notes; /* what could not be made and why, a sentence each */
    size_t n_names;
    char **names;                                 /* file names without ending, each once; folder before it */
    bool gnuplot_is_missing, graphviz_is_missing; /* said once */
};

void part_output_clear(part_output *out);

/** "name: sentence" among the notes. */
BNB_MUST_CHECK status part_note(part_output *out, const char *name, const char *sentence, error_info *err);

/** What became of making a part: STATUS_MEMORY and STATUS_BUG end the report, other failures become notes. */
BNB_MUST_CHECK status part_judge(part_output *out, const char *name, status answer, const error_info *why,
                                 error_info *err);

/** "tables/table3-shd", made of the id, for one file alone; lives as long as the output. */
BNB_MUST_CHECK status part_choose_name(part_output *out, const char *folder, const char *id, const char **chosen,
                                       error_info *err);

/** A folder below the report's, or with NULL that one. */
BNB_MUST_CHECK status part_make_folder(const part_output *out, const char *name, error_info *err);

/** Writes a file and adds it to the list; or only adds one that is there. */
BNB_MUST_CHECK status part_write_text(part_output *out, const char *name, const char *ending, const text_buffer *text,
                                      error_info *err);
BNB_MUST_CHECK status part_list_file(part_output *out, const char *name, const char *ending, error_info *err);

/** The file of a table, where files of figures are asked for. */
BNB_MUST_CHECK status part_write_table(part_output *out, const char *id, const text_buffer *csv, error_info *err);

/** Published figures and outcomes; NULL where none are named, or with a note where they cannot be read. */
BNB_MUST_CHECK status part_read_published(part_output *out, const char *id, const char *file, published_kind kind,
                                          published_table **table, error_info *err);

/** Shows a plot: in the files and on the page, the first one as its headline. */
BNB_MUST_CHECK status part_show_plot(part_output *out, const document *d, error_info *err);

/** Shows a part: in the files and on the page, tables and tests in the text too. */
BNB_MUST_CHECK status part_show(part_output *out, page_room room, const document *d, error_info *err);

/** In the files alone. */
BNB_MUST_CHECK status part_show_in_files(part_output *out, const document *d, error_info *err);

/** On the page alone; without one it does nothing. */
BNB_MUST_CHECK status part_show_on_page(part_output *out, page_room room, const document *d, error_info *err);

/** A plot by gnuplot: its name, then its files and the picture; a failure of gnuplot is a note. */
BNB_MUST_CHECK status part_begin_plot(part_output *out, const char *id, const char **name, error_info *err);
BNB_MUST_CHECK status part_draw_plot(part_output *out, const char *id, const char *name, const text_buffer *csv,
                                     const text_buffer *script, bool *is_drawn, error_info *err);

/** The heading and the picture of a part, which `program` drew or not; and a line with its files. */
void part_begin_picture(document *d, const char *title, const char *name, bool is_drawn, const char *program);
void part_add_links(document *d, const char *name, bool is_drawn);

/** A text as JSON; what is no UTF-8 becomes text that is. */
json_t *part_json_text(const char *text);

#endif
