/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/plan_text_internal.h"

#include "core/base/checksum.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 }; /* a multiple of the eight bytes that a sum takes at a time */

static void blob_close(sqlite3_blob **blob) {
    (void)sqlite3_blob_close(*blob);
}

/* Hands the text to `see` in pieces; its length first, with a NULL. False ends it. */
typedef struct {
    void *self;
    bool (*see)(void *self, const char *piece, size_t n);
} piece_reader;

static status read_pieces(store *s, int64_t run, const piece_reader *to, error_info *err) {
    AUTO(blob_close) sqlite3_blob *blob = NULL;
    char piece[PIECE];
    int length;
    if (sqlite3_blob_open(s->db, "main", "run", "plan", run, 0, &blob) != SQLITE_OK)
        return store_sqlite_error(s->db, "reading a plan", err);
    length = sqlite3_blob_bytes(blob);
    if (!to->see(to->self, NULL, (size_t)length))
        return STATUS_OK;
    for (int at = 0; at < length; at += PIECE) {
        int n = length - at < PIECE ? length - at : PIECE;
        if (sqlite3_blob_read(blob, piece, n, at) != SQLITE_OK)
            return store_sqlite_error(s->db, "reading a plan", err);
        if (!to->see(to->self, piece, (size_t)n))
            return STATUS_OK;
    }
    return STATUS_OK;
}

static bool add_piece(void *self, const char *piece, size_t n) {
    uint64_t *sum = self;
    *sum = piece ? checksum_words(*sum, piece, n) : checksum_number(*sum, n);
    return true;
}

status plan_text_add(store *s, int64_t run, uint64_t *sum, error_info *err) {
    return read_pieces(s, run, &(piece_reader){sum, add_piece}, err);
}

typedef struct {
    const char *text;
    bool is_same;
} comparison;

static bool compare_piece(void *self, const char *piece, size_t n) {
    comparison *c = self;
    c->is_same = piece ? memcmp(c->text, piece, n) == 0 : strlen(c->text) == n;
    c->text += piece ? n : 0;
    return c->is_same;
}

status plan_text_is(store *s, int64_t run, const char *text, bool *out, error_info *err) {
    comparison c = {text, false};
    CHECK(read_pieces(s, run, &(piece_reader){&c, compare_piece}, err));
    *out = c.is_same;
    return STATUS_OK;
}

typedef struct {
    char *text;
    size_t n;
} copy;

static bool copy_piece(void *self, const char *piece, size_t n) {
    copy *c = self;
    if (!piece) {
        c->text = calloc(n + 1, 1);
        return c->text != NULL;
    }
    memcpy(c->text + c->n, piece, n);
    c->n += n;
    return true;
}

status plan_text_read(store *s, int64_t run, char **out, error_info *err) {
    copy c = {0};
    status st = read_pieces(s, run, &(piece_reader){&c, copy_piece}, err);
    if (st != STATUS_OK) {
        free(c.text);
        return st;
    }
    CHECK_ALLOC(c.text);
    *out = c.text;
    return STATUS_OK;
}
