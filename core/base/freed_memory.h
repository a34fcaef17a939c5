/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Memory that was freed and is used again costs nothing; memory that the system has to give anew costs a fault a page,
 * up to 1.5 microseconds each on a virtual machine. What reading a file leaves behind is enough for most learners.
 */
#ifndef BNB_CORE_BASE_FREED_MEMORY_H
#define BNB_CORE_BASE_FREED_MEMORY_H

#include <malloc.h>

/** A block of more than this many bytes goes back to the system when it is freed. */
enum { FREED_MEMORY_LARGEST_BLOCK = 8 << 20 };

/** Up to twice as much stays for later use, of each of malloc's arenas. For a program, in its first line: malloc comes
 * to such limits by itself, block by block. */
static inline void freed_memory_keep(void) {
    (void)mallopt(M_MMAP_THRESHOLD, FREED_MEMORY_LARGEST_BLOCK);
    (void)mallopt(M_TRIM_THRESHOLD, 2 * FREED_MEMORY_LARGEST_BLOCK);
}

#endif
