/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Memory that was freed and is used again costs nothing; memory that the system has to give anew costs a fault a page,
 * up to 1.5 microseconds each on a virtual machine. What reading a file leaves behind is enough for many learners;
 * what they need beyond it comes in huge pages, where the system has them.
 */
#ifndef BNB_CORE_BASE_FREED_MEMORY_H
#define BNB_CORE_BASE_FREED_MEMORY_H

#include "core/base/huge_pages.h"

#include <malloc.h>
#include <stdlib.h>

/** A block of more than so many bytes goes back to the system when it is freed; as much as so many of them stays for
 * later use, of each of malloc's arenas. */
enum { FREED_MEMORY_LARGEST_BLOCK = 8 << 20, FREED_MEMORY_BLOCKS = 4 };

/**
 * Has malloc's arena of the calling thread grow at once by what it keeps, in huge pages; left to itself it grows by a
 * few pages at a time. It takes addresses; memory comes when it is touched.
 */
static inline void freed_memory_grow(void) {
    enum { BLOCK = FREED_MEMORY_LARGEST_BLOCK - (64 << 10) };
    char *blocks[FREED_MEMORY_BLOCKS];
    for (size_t i = 0; i < FREED_MEMORY_BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        if (blocks[i])
            huge_pages_ask(blocks[i], BLOCK);
    }
    for (size_t i = FREED_MEMORY_BLOCKS; i-- > 0;)
        free(blocks[i]);
}

/** Has malloc keep what is freed, and grow so. For a program, in its first line: malloc comes to such limits by itself,
 * block by block. */
static inline void freed_memory_keep(void) {
    (void)mallopt(M_MMAP_THRESHOLD, FREED_MEMORY_LARGEST_BLOCK);
    /* One more than it grows by: at the end of a thread what it set aside (thread_start.c) joins what it grew by. */
    (void)mallopt(M_TRIM_THRESHOLD, (FREED_MEMORY_BLOCKS + 1) * FREED_MEMORY_LARGEST_BLOCK);
    freed_memory_grow();
}

#endif
