/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/known_pairs_internal.h"

#include "core/base/array.h"

#include <stdlib.h>

enum { MOST_KEPT = 1 << 27 /* pairs: 512 MiB */ };

void candidate_list_clear(candidate_list *l) {
    free(l->items);
    free(l->exact);
    *l = (candidate_list){0};
}

static void free_letters(pair_letter *l) {
    while (l) {
        pair_letter *next = l->next;
        free(l);
        l = next;
    }
}

status known_pairs_init(known_pairs *k, const pair_blocks *blocks, size_t p, error_info *err) {
    *k = (known_pairs){.blocks = blocks};
    (void)pthread_mutex_init(&k->lock, NULL);
    CHECK_ALLOC(k->places = calloc(p + 1, sizeof *k->places));
    CHECK_ALLOC(k->to = calloc(blocks->n_blocks + 1, sizeof *k->to));
    CHECK_ALLOC(k->is_begun = calloc(blocks->n_blocks + 1, sizeof *k->is_begun));
    for (size_t block = 0; block < blocks->n_blocks; block++) {
        for (size_t i = blocks->starts[block]; i < blocks->starts[block + 1]; i++)
            k->places[blocks->columns[i]] = (block_place){(uint32_t)block, (uint32_t)(i - blocks->starts[block])};
    }
    return STATUS_OK;
}

void known_pairs_clear(known_pairs *k) {
    if (!k->blocks)
        return;
    for (size_t block = 0; k->to && block < k->blocks->n_blocks; block++)
        free_letters(k->to[block]);
    (void)pthread_mutex_destroy(&k->lock);
    free(k->places);
    free(k->to);
    free(k->is_begun);
}

void known_pairs_pass_over(known_pairs *k, size_t block) {
    k->is_begun[block] = true;
}

/* --- telling --- */

/* The letters of one block, by the block that is told; NULL: it is not. */
typedef struct {
    size_t from, end, n_columns;
    pair_letter **letters;
    size_t *n; /* pairs */
} letter_set;

static void letter_set_clear(letter_set *s) {
    for (size_t to = s->from + 1; s->letters && to < s->end; to++)
        free(s->letters[to]);
    free(s->letters);
    free(s->n);
}

static void count_pairs(const known_pairs *k, const letter_set *s, const candidate_list *lists) {
    for (size_t i = 0; i < s->n_columns; i++) {
        for (size_t j = 0; j < lists[i].count; j++)
            s->n[k->places[lists[i].items[j].variable].block]++;
    }
}

/* In pairs, what a letter of n takes. */
static size_t size_of_letter(size_t n) {
    return n + (sizeof(pair_letter) + sizeof(known_pair) - 1) / sizeof(known_pair);
}

/* Makes room in the account for a letter of n pairs to a block that is not begun. */
static bool reserve(known_pairs *k, size_t to, size_t n) {
    size_t size = size_of_letter(n);
    bool is_told;
    (void)pthread_mutex_lock(&k->lock);
    is_told = !k->is_begun[to] && k->n_kept + size <= MOST_KEPT;
    k->n_kept += is_told ? size : 0;
    (void)pthread_mutex_unlock(&k->lock);
    return is_told;
}

static void give_back(known_pairs *k, size_t n) {
    (void)pthread_mutex_lock(&k->lock);
    k->n_kept -= n;
    (void)pthread_mutex_unlock(&k->lock);
}

static status make_letters(known_pairs *k, letter_set *s, error_info *err) {
    for (size_t to = s->from + 1; to < s->end; to++) {
        if (!reserve(k, to, s->n[to]))
            continue;
        CHECK_ALLOC(s->letters[to] = malloc(sizeof **s->letters + s->n[to] * sizeof(known_pair)));
        *s->letters[to] = (pair_letter){.block = s->from};
    }
    return STATUS_OK;
}

static void write_pairs(const known_pairs *k, const letter_set *s, size_t lane, const candidate_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const dependent_column *c = &list->items[i];
        block_place to = k->places[c->variable];
        pair_letter *l = to.block < s->end ? s->letters[to.block] : NULL;
        if (l)
            l->pairs[l->n++] = (known_pair){(uint16_t)c->grade, (unsigned char)lane, (unsigned char)to.lane};
    }
}

static void send_letters(known_pairs *k, letter_set *s) {
    for (size_t to = s->from + 1; to < s->end; to++) {
        pair_letter *l = s->letters[to];
        if (!l)
            continue;
        (void)pthread_mutex_lock(&k->lock);
        if (!k->is_begun[to]) {
            l->next = k->to[to];
            k->to[to] = TAKE(s->letters[to]);
        } else {
            k->n_kept -= size_of_letter(l->n);
        }
        (void)pthread_mutex_unlock(&k->lock);
    }
}

status known_pairs_tell(known_pairs *k, size_t block, size_t end, const candidate_list *lists, error_info *err) {
    size_t n_blocks = k->blocks->n_blocks, n_columns = k->blocks->starts[block + 1] - k->blocks->starts[block];
    AUTO(letter_set_clear) letter_set s = {.from = block, .end = end, .n_columns = n_columns};
    CHECK_ALLOC(s.letters = calloc(n_blocks + 1, sizeof *s.letters));
    CHECK_ALLOC(s.n = calloc(n_blocks + 1, sizeof *s.n));
    count_pairs(k, &s, lists);
    CHECK(make_letters(k, &s, err));
    for (size_t i = 0; i < n_columns; i++)
        write_pairs(k, &s, i, &lists[i]);
    send_letters(k, &s);
    return STATUS_OK;
}

/* --- reading --- */

status pair_reader_init(pair_reader *r, known_pairs *k, error_info *err) {
    r->of = k;
    CHECK_ALLOC(r->letters = calloc(k->blocks->n_blocks + 1, sizeof *r->letters));
    return STATUS_OK;
}

void pair_reader_clear(pair_reader *r) {
    if (r->letters)
        pair_reader_end(r);
    free(r->letters);
}

void pair_reader_begin(pair_reader *r, size_t block) {
    pair_letter *first;
    (void)pthread_mutex_lock(&r->of->lock);
    first = TAKE(r->of->to[block]);
    r->of->is_begun[block] = true;
    (void)pthread_mutex_unlock(&r->of->lock);
    for (pair_letter *l = first; l; l = l->next)
        r->letters[l->block] = l;
}

void pair_reader_end(pair_reader *r) {
    size_t n = 0;
    for (size_t block = 0; block < r->of->blocks->n_blocks; block++) {
        n += r->letters[block] ? size_of_letter(r->letters[block]->n) : 0;
        free(TAKE(r->letters[block]));
    }
    give_back(r->of, n);
}

bool pair_reader_find(pair_reader *r, size_t x, const known_pair **pairs, size_t *n) {
    block_place from = r->of->places[x];
    pair_letter *l = r->letters[from.block];
    size_t first;
    if (!l)
        return false;
    first = l->n_read;
    while (l->n_read < l->n && l->pairs[l->n_read].from == from.lane)
        l->n_read++;
    *pairs = l->pairs + first;
    *n = l->n_read - first;
    return true;
}
