/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/base/list_checkpoint.h"

#include "core/base/array.h"
#include "core/base/checksum.h"
#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct list_checkpoint {
    int file;
    char *path;
};

void list_checkpoint_close(list_checkpoint *c) {
    if (!c)
        return;
    if (c->file >= 0)
        (void)close(c->file);
    free(c->path);
    free(c);
}

/* --- reading --- */

/* A text that is read line by line. */
typedef struct {
    char *at, *end;
    size_t *numbers; /* of the last line */
    size_t n, capacity;
} reader;

static void clear_reader(reader *r) {
    free(r->numbers);
}

/* The next whole line, its end overwritten by a NUL; NULL where there is none. */
static char *next_line(reader *r) {
    char *line = r->at, *end = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    r->at = end + 1;
    return line;
}

/* Numbers set apart by single spaces and nothing else; `*good` is false where that is not so. */
static status read_numbers(reader *r, const char *text, bool *good, error_info *err) {
    r->n = 0;
    *good = false;
    for (;;) {
        char *end;
        unsigned long long number;
        if (*text < '0' || *text > '9')
            return STATUS_OK;
        errno = 0;
        number = strtoull(text, &end, 10);
        if (errno)
            return STATUS_OK;
        CHECK(ARRAY_PUSH(r->numbers, r->n, r->capacity, err, (size_t)number));
        if (*end == '\0')
            break;
        if (*end != ' ')
            return STATUS_OK;
        text = end + 1;
    }
    *good = true;
    return STATUS_OK;
}

/* What a reader holds a file against. */
typedef struct {
    size_t n_nodes, n_blocks;
    bool *is_taken; /* by block */
    const checkpoint_taker *taker;
} reading;

/* "block B REQUESTS COMPUTED SKIPPED" */
static status read_start(reader *r, const reading *is, const char *line, bool *good, error_info *err) {
    *good = strncmp(line, "block ", 6) == 0;
    if (*good)
        CHECK(read_numbers(r, line + 6, good, err));
    *good = *good && r->n == 4 && r->numbers[0] < is->n_blocks && !is->is_taken[r->numbers[0]];
    return STATUS_OK;
}

/* Lists "NODE MEMBER ...", handed over once all of the block is known to be good. */
static status read_lists(reader *r, const reading *is, char *text, char *end, bool *good, error_info *err) {
    reader lists = {.at = text, .end = end, .numbers = r->numbers, .capacity = r->capacity};
    status st = STATUS_OK;
    *good = true;
    for (char *line = next_line(&lists); line && *good && st == STATUS_OK; line = next_line(&lists)) {
        st = read_numbers(&lists, line, good, err);
        for (size_t i = 0; *good && i < lists.n; i++)
            *good = lists.numbers[i] < is->n_nodes;
        if (st == STATUS_OK && *good)
            st = is->taker->take_list(is->taker->self, lists.numbers[0], lists.numbers + 1, lists.n - 1, err);
    }
    r->numbers = lists.numbers;
    r->capacity = lists.capacity;
    return st;
}

/* "end B CHECKSUM", of the bytes before it */
static bool is_end_of(const char *line, size_t block, const char *text, const char *end) {
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "end %zu %016" PRIx64, block,
                   checksum_bytes(CHECKSUM_START, text, (size_t)(end - text)));
    return strcmp(line, wanted) == 0;
}

/* "block 12 ..." */
static bool read_number(const char *line, size_t *out) {
    static const char word[] = "block ";
    char *rest = NULL;
    if (strncmp(line, word, strlen(word)) != 0)
        return false;
    *out = strtoul(line + strlen(word), &rest, 10);
    return rest != line + strlen(word) && *rest == ' ';
}

/* One block; `*good` is false where the text has no whole one. */
static status read_block(reader *r, const reading *is, bool *good, error_info *err) {
    char *start = r->at, *lists, *line, *end;
    statistics_count tests;
    size_t block;
    *good = false;
    if (!memchr(r->at, '\n', (size_t)(r->end - r->at)))
        return STATUS_OK;
    /* the checksum is of the bytes as they are, so lines are cut only after it */
    lists = (char *)memchr(start, '\n', (size_t)(r->end - start)) + 1;
    end = lists;
    while (end < r->end && strncmp(end, "end ", 4) != 0) {
        char *next = memchr(end, '\n', (size_t)(r->end - end));
        if (!next)
            return STATUS_OK;
        end = next + 1;
    }
    r->at = end;
    line = next_line(r);
    if (!line || !read_number(start, &block) || !is_end_of(line, block, start, end))
        return STATUS_OK;
    lists[-1] = '\0';
    CHECK(read_start(r, is, start, good, err));
    if (!*good)
        return STATUS_OK;
    tests = (statistics_count){r->numbers[1], r->numbers[2], r->numbers[3]};
    CHECK(read_lists(r, is, lists, end, good, err));
    if (!*good)
        return STATUS_OK;
    is->is_taken[block] = true;
    return is->taker->take_block(is->taker->self, block, &tests, err);
}

static status read_blocks(char *text, size_t length, size_t done, const reading *is, size_t *good_length,
                          error_info *err) {
    AUTO(clear_reader) reader r = {.at = text + done, .end = text + length};
    *good_length = done;
    while (r.at < r.end) {
        bool good = false;
        CHECK(read_block(&r, is, &good, err));
        if (!good)
            break;
        *good_length = (size_t)(r.at - text);
    }
    return STATUS_OK;
}

/* --- the file --- */

static status failed(const list_checkpoint *c, const char *what, error_info *err) {
    return error_set(err, STATUS_IO, "%s: the checkpoint cannot be %s: %s", c->path, what, strerror(errno));
}

static status write_all(list_checkpoint *c, const char *bytes, size_t n, error_info *err) {
    while (n > 0) {
        ssize_t written = write(c->file, bytes, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return failed(c, "written", err);
        bytes += written;
        n -= (size_t)written;
    }
    return STATUS_OK;
}

static status lock(list_checkpoint *c, error_info *err) {
    c->file = open(c->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (c->file < 0)
        return failed(c, "opened", err);
    if (flock(c->file, LOCK_EX | LOCK_NB) == 0)
        return STATUS_OK;
    if (errno == EWOULDBLOCK)
        return error_set(err, STATUS_INVALID, "%s: another process goes on from this checkpoint", c->path);
    return failed(c, "locked", err);
}

/* What the file holds is of the same search; `*is_new`: it holds nothing yet, or its first line was cut short. */
static status check_head(const list_checkpoint *c, const char *text, size_t length, const char *head, bool *is_new,
                         error_info *err) {
    static const char name[] = "bnbench checkpoint 1 ";
    size_t n = strlen(head), n_name = sizeof name - 1;
    *is_new = length < n && memcmp(text, head, length) == 0;
    if (*is_new || (length >= n && memcmp(text, head, n) == 0))
        return STATUS_OK;
    if (length >= n_name && memcmp(text, name, n_name) == 0)
        return error_set(err, STATUS_INVALID,
                         "%s: the checkpoint is of other data, another learner or other options: name another file, or "
                         "remove this one",
                         c->path);
    return error_set(err, STATUS_INVALID, "%s: this is no checkpoint, and it is left as it is", c->path);
}

static status start_anew(list_checkpoint *c, const char *head, error_info *err) {
    if (ftruncate(c->file, 0) != 0 || lseek(c->file, 0, SEEK_SET) < 0)
        return failed(c, "begun", err);
    return write_all(c, head, strlen(head), err);
}

/* Reads what is there, and cuts off what is not whole. */
static status go_on(list_checkpoint *c, const char *head, const reading *is, error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length = 0, good_length = 0;
    bool is_new = false;
    CHECK(file_read(c->path, FILE_READ_MOST, &text, &length, err));
    CHECK(check_head(c, text, length, head, &is_new, err));
    if (is_new)
        return start_anew(c, head, err);
    CHECK(read_blocks(text, length, strlen(head), is, &good_length, err));
    if (ftruncate(c->file, (off_t)good_length) != 0 || lseek(c->file, 0, SEEK_END) < 0)
        return failed(c, "gone on with", err);
    return STATUS_OK;
}

status list_checkpoint_open(const char *path, const char *key, size_t n_nodes, size_t n_blocks,
                            const checkpoint_taker *taker, list_checkpoint **out, error_info *err) {
    AUTO_PTR(list_checkpoint_close) list_checkpoint *c = calloc(1, sizeof *c);
    AUTO_FREE bool *is_taken = calloc(n_blocks + 1, sizeof *is_taken);
    AUTO(text_buffer_clear) text_buffer head = {0};
    reading is = {n_nodes, n_blocks, is_taken, taker};
    CHECK_ALLOC(c);
    c->file = -1;
    CHECK_ALLOC(is_taken);
    CHECK_ALLOC(c->path = strdup(path));
    text_append_format(&head, "bnbench checkpoint 1 %s %zu\n", key, n_nodes);
    CHECK(text_buffer_check(&head, err));
    CHECK(lock(c, err));
    CHECK(go_on(c, head.data, &is, err));
    *out = TAKE(c);
    return STATUS_OK;
}

void list_checkpoint_append(text_buffer *block_text, size_t node, const size_t *members, size_t n) {
    if (n == 0)
        return;
    text_append_format(block_text, "%zu", node);
    for (size_t i = 0; i < n; i++)
        text_append_format(block_text, " %zu", members[i]);
    text_append(block_text, "\n");
}

status list_checkpoint_write(list_checkpoint *c, size_t block, const statistics_count *tests, const text_buffer *lists,
                             error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK(text_buffer_check(lists, err));
    text_append_format(&text, "block %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", block, tests->requests,
                       tests->computed, tests->skipped);
    if (lists->length > 0)
        text_append(&text, lists->data);
    CHECK(text_buffer_check(&text, err));
    text_append_format(&text, "end %zu %016" PRIx64 "\n", block,
                       checksum_bytes(CHECKSUM_START, text.data, text.length));
    CHECK(text_buffer_check(&text, err));
    return write_all(c, text.data, text.length, err);
}
