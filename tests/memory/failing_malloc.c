/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/memory/failing_malloc.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The names are those of the linker. NOLINTBEGIN(cert-dcl51-cpp) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *piece);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *piece);
/* NOLINTEND(cert-dcl51-cpp) */

/* The pieces that are alive: a hash table by address, in which a piece that was freed leaves a mark. */
enum { N_PLACES = 1 << 18 };
typedef struct {
    uintptr_t piece; /* 0: never used; FREED */
    size_t number;
    void *caller;
} place;
static const uintptr_t FREED = 1;

static place places[N_PLACES];
static size_t n_used, n_allocations, failing_number;
static void *failed_caller;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static place *find_place(uintptr_t piece) {
    size_t i = (piece >> 4) * 0x9E3779B97F4A7C15u >> (64 - 18);
    while (places[i].piece && places[i].piece != piece)
        i = (i + 1) % N_PLACES;
    return &places[i];
}

static bool fails_now(size_t *number, void *caller) {
    bool fails;
    (void)pthread_mutex_lock(&lock);
    *number = ++n_allocations;
    fails = *number == failing_number;
    if (fails)
        failed_caller = caller;
    (void)pthread_mutex_unlock(&lock);
    if (fails)
        errno = ENOMEM;
    return fails;
}

static void *note(void *piece, size_t number, void *caller) {
    (void)pthread_mutex_lock(&lock);
    if (piece && n_used < N_PLACES / 2) {
        place *at = find_place((uintptr_t)piece);
        n_used += at->piece == 0;
        *at = (place){(uintptr_t)piece, number, caller};
    }
    (void)pthread_mutex_unlock(&lock);
    return piece;
}

static void forget(uintptr_t piece) {
    place *at;
    (void)pthread_mutex_lock(&lock);
    at = find_place(piece);
    if (piece && at->piece == piece)
        at->piece = FREED;
    (void)pthread_mutex_unlock(&lock);
}

void *__wrap_malloc(size_t size) {
    size_t number;
    void *caller = __builtin_return_address(0);
    return fails_now(&number, caller) ? NULL : note(__real_malloc(size), number, caller);
}

void *__wrap_calloc(size_t n, size_t size) {
    size_t number;
    void *caller = __builtin_return_address(0);
    return fails_now(&number, caller) ? NULL : note(__real_calloc(n, size), number, caller);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    size_t number;
    void *caller = __builtin_return_address(0);
    return fails_now(&number, caller) ? NULL : note(__real_aligned_alloc(alignment, size), number, caller);
}

void *__wrap_realloc(void *old, size_t size) {
    size_t number;
    void *caller = __builtin_return_address(0), *piece;
    uintptr_t was = (uintptr_t)old;
    if (fails_now(&number, caller) || !(piece = __real_realloc(old, size)))
        return NULL;
    forget(was);
    return note(piece, number, caller);
}

void *__wrap_reallocarray(void *old, size_t n, size_t size) {
    size_t number;
    void *caller = __builtin_return_address(0), *piece;
    uintptr_t was = (uintptr_t)old;
    if (fails_now(&number, caller) || !(piece = __real_reallocarray(old, n, size)))
        return NULL;
    forget(was);
    return note(piece, number, caller);
}

void __wrap_free(void *piece) {
    forget((uintptr_t)piece);
    __real_free(piece);
}

void failing_malloc_start(size_t number) {
    for (size_t i = 0; i < N_PLACES && n_used > 0; i++)
        places[i].piece = 0;
    n_used = n_allocations = 0;
    failing_number = number;
    failed_caller = NULL;
}

size_t failing_malloc_stop(void) {
    failing_number = 0;
    return n_allocations;
}

size_t failing_malloc_leaks(void) {
    size_t n = 0;
    const place *first = NULL;
    for (size_t i = 0; i < N_PLACES; i++) {
        if (places[i].piece > FREED) {
            first = !first || places[i].number < first->number ? &places[i] : first;
            n++;
        }
    }
    if (first)
        (void)fprintf(stderr, "  %zu pieces were not freed; the first is allocation %zu, by %p\n", n, first->number,
                      first->caller);
    return n;
}

void *failing_malloc_caller(void) {
    return failed_caller;
}
