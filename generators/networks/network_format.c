/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/network_format.h"

#include "core/base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT(name) extern const network_format network_format_##name;
#include "generators/networks/formats.def"
#undef FORMAT

static const network_format *const formats[] = {
#define FORMAT(name) &network_format_##name,
#include "generators/networks/formats.def"
#undef FORMAT
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

void any_network_clear(any_network *net) {
    bayes_net_destroy(net->tables);
    gaussian_net_destroy(net->gaussian);
    *net = (any_network){0};
}

const network_format *network_format_at(size_t i) {
    return i < N_FORMATS ? formats[i] : NULL;
}

const network_format *network_format_find(const char *name) {
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    }
    return NULL;
}

/* The ending number `i` of a format: its name, then the others; NULL behind the last. */
static const char *ending_at(const network_format *f, size_t i) {
    return i == 0 ? f->name : f->endings ? f->endings[i - 1] : NULL;
}

/* Of the longest ending of the format that the path has, plain or packed; 0 where it has none. */
static size_t ending_length(const network_format *f, const char *path) {
    size_t longest = 0;
    const char *ending;
    for (size_t i = 0; (ending = ending_at(f, i)) != NULL; i++) {
        char plain[20];
        size_t n = strlen(ending);
        (void)snprintf(plain, sizeof plain, ".%s", ending);
        if (n > longest && path_ends_with_packed(path, plain))
            longest = n;
    }
    return longest;
}

const network_format *network_format_of_path(const char *path) {
    const network_format *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < N_FORMATS; i++) {
        size_t n = ending_length(formats[i], path);
        if (n > longest) {
            longest = n;
            found = formats[i];
        }
    }
    return found;
}

const network_format *network_format_of_network(const char *path) {
    const network_format *f = network_format_of_path(path);
    return f && f->parse ? f : NULL;
}

/* ---- reading ---- */

/* What standard input holds; the first format takes what no other does. */
static const network_format *format_of_text(const char *text) {
    size_t i = 0;
    while (i < N_FORMATS && !(formats[i]->may_be && formats[i]->may_be(text)))
        i++;
    return i < N_FORMATS ? formats[i] : formats[0];
}

/* "asia" of "nets/asia.xml.gz". */
static char *name_of_path(const char *path, const network_format *format) {
    char ending[20];
    const char *packed = path_packing(path);
    size_t n = ending_length(format, path), behind = n + strlen(packed);
    (void)snprintf(ending, sizeof ending, ".%.*s", (int)(n < 18 ? n : 18), n ? path + strlen(path) - behind : "");
    return path_name(path, n ? ending : "");
}

static status read_file(const char *path, any_network *out, size_t *n_scaled, error_info *err) {
    const network_format *format = network_format_of_network(path);
    AUTO_FREE char *text = NULL, *name = NULL;
    size_t length;
    if (n_scaled)
        *n_scaled = 0;
    CHECK(file_read(path, FILE_READ_MOST, &text, &length, err));
    if (strcmp(path, "-") == 0)
        format = format_of_text(text);
    else if (!format)
        format = formats[0];
    CHECK_ALLOC(name = name_of_path(path, format));
    return format->parse(text, length, name, out, n_scaled, err);
}

status any_network_read(const char *path, any_network *out, size_t *n_scaled, error_info *err) {
    return error_at(read_file(path, out, n_scaled, err), err, path);
}
