/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library to be loaded before all others (LD_PRELOAD): the allocation of the number in BNB_FAIL_AT fails, whoever
 * asks for it, our code or a library's. A child process goes on counting from where its parent was. Allocations count
 * from the start of main: what the loader and the libraries' own start do is not ours to answer for.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);                     /* NOLINT(cert-dcl51-cpp): glibc's */
void *__libc_calloc(size_t n, size_t size);           /* NOLINT(cert-dcl51-cpp) */
void *__libc_realloc(void *old, size_t size);         /* NOLINT(cert-dcl51-cpp) */
void *__libc_memalign(size_t alignment, size_t size); /* NOLINT(cert-dcl51-cpp) */

typedef int main_function(int, char **, char **);
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), /* NOLINT */
                      void (*end)(void), void *stack);

static atomic_long left = -1; /* below 1: none fails any more, or yet */
static main_function *real_main;

static bool fails(void) {
    if (atomic_load(&left) < 1 || atomic_fetch_sub(&left, 1) != 1)
        return false;
    errno = ENOMEM;
    return true;
}

static int counted_main(int argc, char **argv, char **environment) {
    const char *number = getenv("BNB_FAIL_AT");
    atomic_store(&left, number ? strtol(number, NULL, 10) : -1);
    return real_main(argc, argv, environment);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void *stack) {
    typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    union {
        void *data;
        start_function *function;
    } next = {dlsym(RTLD_NEXT, "__libc_start_main")};
    real_main = main;
    return next.function(counted_main, argc, argv, init, fini, end, stack);
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *piece = memalign(alignment, size);
    if (!piece)
        return ENOMEM;
    *out = piece;
    return 0;
}
