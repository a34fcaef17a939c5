/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The text of a CSV file: in memory, or in the file still, of which pieces are read when they are looked at. */
#ifndef BNB_CORE_DATA_CSV_TEXT_INTERNAL_H
#define BNB_CORE_DATA_CSV_TEXT_INTERNAL_H

#include "core/base/status.h"

typedef struct {
    const char *all; /* NULL: it is in the file */
    int fd;
    size_t length;
} csv_text;

/** Where a piece is read to. Zero-initialise; of one thread. */
typedef struct {
    char *bytes;
    size_t capacity;
} csv_room;

void csv_room_clear(csv_room *room);

/** The bytes from .. end - 1, until the room is used again. STATUS_IO, STATUS_MEMORY. */
BNB_MUST_CHECK status csv_text_view(const csv_text *text, size_t from, size_t end, csv_room *room, const char **out,
                                    error_info *err);

/** Where the first line end of from .. end - 1 is, or `end`. */
BNB_MUST_CHECK status csv_text_line_end(const csv_text *text, size_t from, size_t end, csv_room *room, size_t *out,
                                        error_info *err);

/** Where the line ends at the end of the text begin. */
BNB_MUST_CHECK status csv_text_last_line_end(const csv_text *text, csv_room *room, size_t *out, error_info *err);

#endif
