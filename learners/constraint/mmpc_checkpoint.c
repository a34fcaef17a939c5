/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/mmpc_checkpoint.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 };

static size_t count_blocks(size_t n_targets) {
    return (n_targets + BLOCK - 1) / BLOCK;
}

static size_t end_of(const mmpc_checkpoint *c, size_t block) {
    return (block + 1) * BLOCK < c->n_targets ? (block + 1) * BLOCK : c->n_targets;
}

/* --- reading --- */

/* Those that were not removed; returns their number. */
static size_t leave_members(const mmpc_record *r, size_t *members) {
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        members[n] = r->entered[i];
        n += !r->is_removed[i];
    }
    return n;
}

/* Of a list as append_target writes it. */
static status read_record(const size_t *list, size_t n, mmpc_record *out, error_info *err) {
    CHECK_ALLOC(out->entered = calloc(n + 1, sizeof *out->entered));
    CHECK_ALLOC(out->is_removed = calloc(n + 1, sizeof *out->is_removed));
    for (size_t i = 0; i < n; i++) {
        size_t place = mmpc_record_place(out, list[i]);
        if (place < out->n)
            out->is_removed[place] = true;
        else
            out->entered[out->n++] = list[i];
    }
    return STATUS_OK;
}

static status take_list(void *self, size_t target, const size_t *list, size_t n, error_info *err) {
    mmpc_checkpoint *c = self;
    mmpc_record *r = mmpc_search_record(c->search, target);
    AUTO_FREE size_t *members = calloc(n + 1, sizeof *members);
    CHECK_ALLOC(members);
    mmpc_record_clear(r);
    CHECK(read_record(list, n, r, err));
    return c->taker.take(c->taker.self, target, members, leave_members(r, members), err);
}

/* They are written in order, so the file has all before the last. */
static status take_block(void *self, size_t block, const statistics_count *tests, error_info *err) {
    mmpc_checkpoint *c = self;
    if (block * BLOCK != c->n_done)
        return error_set(err, STATUS_INVALID, "the checkpoint has block %zu before block %zu", block,
                         c->n_done / BLOCK);
    c->n_done = end_of(c, block);
    statistics_count_add(&c->read, tests);
    return STATUS_OK;
}

status mmpc_checkpoint_open(mmpc_checkpoint *c, const char *path, const char *key, size_t n_targets,
                            mmpc_search *search, const mmpc_parts *parts, mmpc_taker taker, error_info *err) {
    checkpoint_taker lists = {c, take_list, take_block};
    size_t n_blocks = count_blocks(n_targets);
    *c = (mmpc_checkpoint){.search = search, .parts = *parts, .n_targets = n_targets, .taker = taker};
    CHECK_ALLOC(c->counted = calloc(n_blocks + 1, sizeof *c->counted));
    return list_checkpoint_open(path, key, n_targets, n_blocks, &lists, &c->file, err);
}

void mmpc_checkpoint_clear(mmpc_checkpoint *c) {
    list_checkpoint_close(c->file);
    free(c->counted);
    *c = (mmpc_checkpoint){0};
}

/* --- writing --- */

void mmpc_checkpoint_count(mmpc_checkpoint *c, size_t target, const statistics_count *tests) {
    if (c->file)
        statistics_count_add(&c->counted[target / BLOCK], tests);
}

static status append_target(const mmpc_checkpoint *c, size_t target, text_buffer *out, error_info *err) {
    const mmpc_record *r = mmpc_search_record(c->search, target);
    AUTO_FREE size_t *list = calloc(2 * r->n + 1, sizeof *list);
    size_t n = r->n;
    CHECK_ALLOC(list);
    if (n > 0)
        memcpy(list, r->entered, n * sizeof *list);
    for (size_t i = 0; i < r->n; i++) {
        list[n] = r->entered[i];
        n += r->is_removed[i];
    }
    list_checkpoint_append(out, target, list, n);
    return STATUS_OK;
}

static status write_block(mmpc_checkpoint *c, size_t block, error_info *err) {
    AUTO(text_buffer_clear) text_buffer lists = {0};
    size_t first = block * BLOCK, end = end_of(c, block);
    statistics_count tests = c->counted[block];
    if (c->parts.count)
        tests.computed += c->parts.count(c->parts.self, first, end);
    for (size_t target = first; target < end; target++)
        CHECK(append_target(c, target, &lists, err));
    return list_checkpoint_write(c->file, block, &tests, &lists, err);
}

status mmpc_checkpoint_write(mmpc_checkpoint *c, size_t n_done, error_info *err) {
    while (c->file && c->n_done < c->n_targets && end_of(c, c->n_done / BLOCK) <= n_done) {
        CHECK(write_block(c, c->n_done / BLOCK, err));
        c->n_done = end_of(c, c->n_done / BLOCK);
    }
    return STATUS_OK;
}
