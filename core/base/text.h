/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Text: a buffer that grows, strict numbers, and the nearest name to a typo. */
#ifndef BNB_CORE_BASE_TEXT_H
#define BNB_CORE_BASE_TEXT_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/** Zero-initialise; `data` is NUL-terminated once something was added, else NULL. */
typedef struct {
    char *data;
    size_t length, capacity;
    bool failed; /* an allocation failed: what follows is dropped; ask once, at the end */
} text_buffer;

void text_buffer_clear(text_buffer *b);
void text_append(text_buffer *b, const char *s);
void text_append_bytes(text_buffer *b, const char *bytes, size_t n);
void text_append_format(text_buffer *b, const char *format, ...) BNB_PRINTF(2, 3);

/** A CSV field (RFC 4180): quoted where it holds a comma, a quote, a line end, or blanks at an end; then quotes are
 * doubled. */
void text_append_csv(text_buffer *b, const char *field);

/** The same, quoted whatever it holds. */
void text_append_csv_quoted(text_buffer *b, const char *field);

/**
 * The same for a name in a file that people open in a spreadsheet: an apostrophe goes in front of one that begins with
 * =, +, -, @, a tab or a carriage return and is no number, for quotes do not keep it from being taken for a formula.
 * Not for files that programs read back.
 */
void text_append_csv_label(text_buffer *b, const char *label);

/** The last line of `text` that says something, 300 bytes of it at most, with `lead` in front; nothing without one. */
void text_append_last_line(text_buffer *b, const char *lead, const char *text);

/** STATUS_MEMORY if any append failed. */
BNB_MUST_CHECK status text_buffer_check(const text_buffer *b, error_info *err);

/** Moves the text to `*out`, NULL where nothing was added; the buffer is empty after it, also where that fails. */
BNB_MUST_CHECK status text_buffer_take(text_buffer *b, char **out, error_info *err);

/**
 * Moves what the buffer holds to the end of a list of texts, each on the heap; an empty buffer adds none. The buffer is
 * empty after it, also where that fails.
 */
BNB_MUST_CHECK status text_list_take(char ***list, size_t *n, text_buffer *b, error_info *err);

/** A copy on the heap, or NULL without memory. */
char *text_copy(const char *s);
char *text_copy_n(const char *s, size_t n);

/** A list of texts on the heap: its end, and a copy of one more behind the `*n` that there are. NULL is fine. */
void texts_destroy(char **texts, size_t n);
BNB_MUST_CHECK status texts_add(char ***texts, size_t *n, const char *text, error_info *err);

/** For qsort: texts in the order of their bytes. */
int texts_compare(const void *a, const void *b);

/** The whole of `s` as a number; false on anything else, on overflow and on NaN or infinity. "C" locale. */
bool text_to_double(const char *s, double *out);
bool text_to_int(const char *s, int64_t *out);

/** A size with unit: 512MiB, 4GiB, 2GB, 1000 (bytes). */
bool text_to_bytes(const char *s, uint64_t *out);

/** A duration with unit: 90, 20s, 5min (also 5m), 1h, 2d, in seconds. */
bool text_to_seconds(const char *s, double *out);

/** The shortest decimal that reads back as the same double; buffer of at least 32 bytes; returns it. */
char *text_from_double(double value, char *buffer);

/** The candidate nearest to `typed` (edit distance with transpositions, case ignored), or NULL when none is near. */
const char *text_nearest(const char *typed, const char *const *candidates, size_t n);

/** Columns that a UTF-8 string takes in a terminal: one a code point, which is right for what we print. */
size_t text_width(const char *s);

enum { TEXT_SHOWN_SIZE = 64 };

/**
 * The lead of a text as a message shows it, into `shown`, which is returned: 60 bytes at most and "..." where it is
 * longer, cut between characters, control characters as '?', a NUL behind it. The text needs none.
 */
const char *text_show(const char *text, size_t length, char shown[TEXT_SHOWN_SIZE]);

#endif
