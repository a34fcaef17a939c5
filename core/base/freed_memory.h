/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Memory that was freed and is used again costs nothing; memory that the system has to give anew costs a fault a page,
 * up to 1.5 microseconds each on a virtual machine. What reading a file leaves behind is enough for many learners;
 * what they need beyond it comes in huge pages, where the system has them.
 *
 * That is the choice of a program. Its threads follow (core/run/thread_start.h); in a program that has not chosen it,
 * such as one that uses the library, or where malloc is not glibc's, they leave memory as it comes.
 */
#ifndef BNB_CORE_BASE_FREED_MEMORY_H
#define BNB_CORE_BASE_FREED_MEMORY_H

#include <stdbool.h>

/** A block of more than so many bytes goes back to the system when it is freed; as much as so many of them stays for
 * later use, of each of malloc's arenas. */
enum { FREED_MEMORY_LARGEST_BLOCK = 8 << 20, FREED_MEMORY_BLOCKS = 4 };

/** Has malloc keep what is freed, and grow as freed_memory_grow() says. For a program, in its first line, before it has
 * threads: malloc comes to such limits by itself, block by block. */
void freed_memory_keep(void);

/** Does malloc keep what is freed? A malloc that is not glibc's, of a sanitizer, takes no such wish. */
bool freed_memory_is_kept(void);

/**
 * Has malloc's arena of the calling thread grow at once by what it keeps, in huge pages; left to itself it grows by a
 * few pages at a time. It takes addresses; memory comes when it is touched.
 */
void freed_memory_grow(void);

#endif
