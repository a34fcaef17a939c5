/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/csv_blocks_internal.h"

#include "core/base/array.h"
#include "core/run/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

status csv_block_view(const csv_block *block, const csv_text *text, csv_room *room, const char **from, const char **end,
                      error_info *err) {
    CHECK(csv_text_view(text, block->from, block->end, room, from, err));
    *end = *from + (block->end - block->from);
    if (*end > *from && (*end)[-1] == '\r')
        (*end)--;
    return STATUS_OK;
}

static status add_block(csv_blocks *out, size_t *capacity, size_t from, size_t end, size_t n_rows, error_info *err) {
    size_t n = out->n;
    csv_block block = {from, end, 0, n_rows, false};
    CHECK(ARRAY_PUSH(out->blocks, out->n, *capacity, err, block));
    out->blocks[n].first_row = out->n_rows;
    out->n_rows += n_rows;
    return STATUS_OK;
}

/* ---- where there are no quotes ---- */

static status cut_at_line_ends(const csv_text *text, size_t from, size_t end, size_t size, csv_blocks *out,
                               error_info *err) {
    AUTO(csv_room_clear) csv_room room = {0};
    size_t capacity = 0;
    for (;;) {
        size_t at = end;
        if (end - from > size)
            CHECK(csv_text_line_end(text, from + size, end, &room, &at, err));
        CHECK(add_block(out, &capacity, from, at, 0, err));
        if (at == end)
            return STATUS_OK;
        from = at + 1;
    }
}

typedef struct {
    const csv_text *text;
    csv_blocks *all;
    atomic_size_t next;
} counting;

/* Vectorised by the compiler: a line end every few hundred bytes is too near for memchr. */
static size_t count_line_ends(const char *from, const char *end) {
    enum { STEP = 128 };
    size_t n = 0;
    for (; end - from >= STEP; from += STEP) {
        unsigned char here = 0;
        for (size_t i = 0; i < STEP; i++)
            here = (unsigned char)(here + (from[i] == '\n'));
        n += here;
    }
    for (; from < end; from++)
        n += *from == '\n';
    return n;
}

static status count_blocks(void *self, size_t worker, error_info *err) {
    AUTO(csv_room_clear) csv_room room = {0};
    counting *c = self;
    size_t i;
    (void)worker;
    while ((i = atomic_fetch_add(&c->next, 1)) < c->all->n) {
        csv_block *b = &c->all->blocks[i];
        const char *from, *end;
        CHECK(csv_block_view(b, c->text, &room, &from, &end, err));
        b->has_quotes = memchr(from, '"', (size_t)(end - from)) != NULL;
        b->n_rows = count_line_ends(from, end) + 1;
    }
    return STATUS_OK;
}

/* True if some block has a quote. */
static bool number_rows(csv_blocks *all) {
    bool has_quotes = false;
    all->n_rows = 0;
    for (size_t i = 0; i < all->n; i++) {
        all->blocks[i].first_row = all->n_rows;
        all->n_rows += all->blocks[i].n_rows;
        has_quotes = has_quotes || all->blocks[i].has_quotes;
    }
    return has_quotes;
}

/* ---- where there are some ---- */

/* A quote opens a field at its beginning alone; *at stands on it and moves behind its partner, or to the end. */
static void skip_quoted(const char **at, const char *end) {
    const char *close = *at;
    do
        close = memchr(close + 1, '"', (size_t)(end - close - 1));
    while (close && close + 1 < end && close[1] == '"' && ++close);
    *at = close ? close + 1 : end;
}

/* One pass in one thread, since a byte alone does not tell whether it lies within quotes. */
static status cut_between_quotes(const char *text, size_t first, size_t last, size_t size, char separator,
                                 csv_blocks *out, error_info *err) {
    const char *from = text + first, *end = text + last;
    size_t capacity = 0, n_rows = 1;
    bool at_field = true;
    for (const char *at = from; at < end;) {
        if (at_field && *at == '"') {
            skip_quoted(&at, end);
            at_field = false;
            continue;
        }
        if (*at == '\n' && (size_t)(at - from) >= size) {
            CHECK(add_block(out, &capacity, (size_t)(from - text), (size_t)(at - text), n_rows, err));
            from = at + 1;
            n_rows = 0;
        }
        n_rows += *at == '\n';
        at_field = *at == separator || *at == '\n';
        at++;
    }
    return add_block(out, &capacity, (size_t)(from - text), last, n_rows, err);
}

status csv_blocks_find(const csv_text *text, size_t from, size_t end, size_t size, size_t n_threads, char separator,
                       csv_blocks *out, error_info *err) {
    counting c = {.text = text, .all = out};
    CHECK(cut_at_line_ends(text, from, end, size, out, err));
    CHECK(parallel_run(n_threads < out->n ? n_threads : out->n, count_blocks, &c, err));
    if (!number_rows(out))
        return STATUS_OK;
    if (!text->all)
        return error_set(err, STATUS_PARSE, "quotes, in a text that is read by pieces");
    free(out->blocks);
    *out = (csv_blocks){0};
    CHECK(cut_between_quotes(text->all, from, end, size, separator, out, err));
    for (size_t i = 0; i < out->n; i++)
        out->blocks[i].has_quotes = true;
    return STATUS_OK;
}
