/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The sections of the page; each appends nothing where nothing of its kind was measured. */
#ifndef BNB_BENCH_SUITE_PAGE_INTERNAL_H
#define BNB_BENCH_SUITE_PAGE_INTERNAL_H

#include "bench/suite/rows.h"
#include "bench/suite/sheet.h"

typedef struct {
    const json_t *measured;
    const sheet *bounds, *peers;
    const char *folder, *name;
} page;

void page_append_asked(const page *p, text_buffer *out);
void page_append_threads(const page *p, text_buffer *out);
void page_append_beside(const page *p, text_buffer *out);
void page_append_reading(const page *p, text_buffer *out);
void page_append_kernels(const page *p, text_buffer *out);
void page_append_runner(const page *p, text_buffer *out);
void page_append_large(const page *p, text_buffer *out);
void page_append_sets(const page *p, text_buffer *out);

/** What bounds a row on this level of the kernels, by the most special line that fits, and in brackets the profile; ""
 * without one. */
void page_append_bound(const page *p, const json_t *row, text_buffer *out);

#endif
