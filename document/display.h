/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How numbers and names look to people. Names come from experiment files and outside programs, so they may hold
 * anything: here they become plain text, which the writers of a document escape for their media.
 */
#ifndef BNB_DOCUMENT_DISPLAY_H
#define BNB_DOCUMENT_DISPLAY_H

#include "core/base/text.h"

#include <stdint.h>

typedef enum {
    NUMBER_RATIO,   /* two decimals; two significant digits below 0.1, so that nothing small reads as zero */
    NUMBER_SECONDS, /* three significant digits */
    NUMBER_SHARE,   /* three decimals */
    NUMBER_COUNT,   /* one decimal, as a mean of counts */
    NUMBER_BYTES    /* in MiB, one decimal */
} number_style;

enum { DISPLAY_NUMBER_SIZE = 48 };

/** Writes a finite number; decimals >= 0 overrides the style's. Returns `out`. */
char *display_number(double value, number_style style, int decimals, char out[DISPLAY_NUMBER_SIZE]);

/** "500 rows", and of data with noise "500 rows, sigma 0.35". */
void display_append_rows(text_buffer *b, uint64_t n_samples, double sigma);

/** For a terminal and inside an SVG: control characters become spaces, what is no UTF-8 becomes "?". */
void display_append_plain(text_buffer *b, const char *name);

/** A name as display_append_plain shows it, on the heap, cut to `most` columns with an ellipsis.
 * NULL without memory. */
char *display_copy_plain(const char *name, size_t most);

/** A file name without folder, hidden form or reserved characters, at most 96 bytes, on the heap;
 * NULL without memory. */
char *display_file_name(const char *name);

#endif
