/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The forms in which a report is written to files. Adding one is a file, document/write_NAME.c, and a line of
 * formats.def. */
#ifndef BNB_DOCUMENT_FORMAT_H
#define BNB_DOCUMENT_FORMAT_H

#include "document/document.h"

typedef struct {
    const char *name;   /* as `bnbench report --format` takes it */
    const char *file;   /* without its ending, "report": it holds every document of the report */
    const char *ending; /* ".md" */
    const char *head;   /* what the file begins with; NULL: nothing */
    bool has_pictures;  /* plots are drawn for it */
    void (*append)(const document *d, text_buffer *out);
    void (*append_frame)(const char *title, text_buffer *out); /* a file "report" that reads the other; NULL: none */
} document_format;

extern const document_format document_format_markdown, document_format_latex;

/** NULL past the last; by name, NULL where there is none. */
const document_format *document_format_at(size_t i);
const document_format *document_format_find(const char *name);

#endif
