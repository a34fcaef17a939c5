/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/csv_text_internal.h"

#include "core/base/file.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_LOOK = 4096, LONGEST_LOOK = 1 << 16 };

void csv_room_clear(csv_room *room) {
    free(room->bytes);
    *room = (csv_room){0};
}

static status reserve(csv_room *room, size_t n, error_info *err) {
    if (n <= room->capacity)
        return STATUS_OK;
    csv_room_clear(room);
    CHECK_ALLOC(room->bytes = malloc(n));
    room->capacity = n;
    return STATUS_OK;
}

status csv_text_view(const csv_text *text, size_t from, size_t end, csv_room *room, const char **out, error_info *err) {
    if (text->all) {
        *out = text->all + from;
        return STATUS_OK;
    }
    CHECK(reserve(room, end - from + 1, err));
    CHECK(file_read_at(text->fd, from, room->bytes, end - from, err));
    *out = room->bytes;
    return STATUS_OK;
}

status csv_text_line_end(const csv_text *text, size_t from, size_t end, csv_room *room, size_t *out, error_info *err) {
    size_t look = text->all ? end - from : FIRST_LOOK;
    *out = end;
    while (from < end) {
        size_t n = end - from < look ? end - from : look;
        const char *piece, *at;
        CHECK(csv_text_view(text, from, from + n, room, &piece, err));
        at = memchr(piece, '\n', n);
        if (at) {
            *out = from + (size_t)(at - piece);
            return STATUS_OK;
        }
        from += n;
        look = look < LONGEST_LOOK ? 2 * look : look;
    }
    return STATUS_OK;
}

status csv_text_last_line_end(const csv_text *text, csv_room *room, size_t *out, error_info *err) {
    size_t look = text->all ? text->length : FIRST_LOOK, end = text->length;
    while (end > 0) {
        size_t n = end < look ? end : look;
        const char *piece;
        CHECK(csv_text_view(text, end - n, end, room, &piece, err));
        while (n > 0 && (piece[n - 1] == '\n' || piece[n - 1] == '\r')) {
            n--;
            end--;
        }
        if (n > 0)
            break;
    }
    *out = end;
    return STATUS_OK;
}
