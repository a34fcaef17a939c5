/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A memory that fails when told to. The linker puts these functions where our code calls malloc, calloc, realloc,
 * reallocarray, aligned_alloc and free (--wrap); the libraries that we use keep those of the system, for some of them
 * end the program where memory runs out.
 */
#ifndef BNB_TESTS_MEMORY_FAILING_MALLOC_H
#define BNB_TESTS_MEMORY_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>

/** From here on allocations count from 1; the one of that number fails (0: none). What was allocated before is
 * forgotten.
 */
void failing_malloc_start(size_t number);

/** No allocation fails any more. Returns how many there were since the start. */
size_t failing_malloc_stop(void);

/** Pieces allocated since the start and not freed; prints the number and the caller of the first of them. */
size_t failing_malloc_leaks(void);

/** The caller of the allocation that failed; NULL if none did. For addr2line. */
void *failing_malloc_caller(void);

#endif
