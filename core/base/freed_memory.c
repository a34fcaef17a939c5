/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/freed_memory.h"

#include "core/base/huge_pages.h"

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

enum { BLOCK = FREED_MEMORY_LARGEST_BLOCK - (64 << 10) };

static bool is_kept;

void freed_memory_grow(void) {
    char *blocks[FREED_MEMORY_BLOCKS];
    for (size_t i = 0; i < FREED_MEMORY_BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        if (blocks[i])
            huge_pages_ask(blocks[i], BLOCK);
    }
    for (size_t i = FREED_MEMORY_BLOCKS; i-- > 0;)
        free(blocks[i]);
}

/* One block more than it grows by is kept: at the end of a thread what it set aside (thread_start.c) joins what it grew
 * by. Whether malloc is glibc's shows in how far glibc's main arena grew. */
void freed_memory_keep(void) {
    (void)mallopt(M_MMAP_THRESHOLD, FREED_MEMORY_LARGEST_BLOCK);
    (void)mallopt(M_TRIM_THRESHOLD, (FREED_MEMORY_BLOCKS + 1) * FREED_MEMORY_LARGEST_BLOCK);
    freed_memory_grow();
    is_kept = mallinfo2().arena >= FREED_MEMORY_BLOCKS * (size_t)BLOCK;
}

bool freed_memory_is_kept(void) {
    return is_kept;
}
