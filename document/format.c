/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/format.h"

#include <string.h>

#define FORMAT(name) extern const document_format document_format_##name;
#include "document/formats.def"
#undef FORMAT

static const document_format *const formats[] = {
#define FORMAT(name) &document_format_##name,
#include "document/formats.def"
#undef FORMAT
};

const document_format *document_format_at(size_t i) {
    return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

const document_format *document_format_find(const char *name) {
    size_t i = 0;
    while (document_format_at(i) && strcmp(document_format_at(i)->name, name) != 0)
        i++;
    return document_format_at(i);
}
