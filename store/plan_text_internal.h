/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The plan of a run in its row, which may have 67 bytes for each of ten million cells: read and compared piece by
 * piece. */
#ifndef BNB_STORE_PLAN_TEXT_INTERNAL_H
#define BNB_STORE_PLAN_TEXT_INTERNAL_H

#include "store/store_internal.h"

/** Adds it to a sum as checksum_bytes does. `run` has a text for a plan. */
BNB_MUST_CHECK status plan_text_add(store *s, int64_t run, uint64_t *sum, error_info *err);

/** Whether it is that text. */
BNB_MUST_CHECK status plan_text_is(store *s, int64_t run, const char *text, bool *out, error_info *err);

/** All of it, on the heap. */
BNB_MUST_CHECK status plan_text_read(store *s, int64_t run, char **out, error_info *err);

#endif
