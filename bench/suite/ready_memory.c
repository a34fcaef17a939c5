/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/ready_memory.h"

#include "core/base/huge_pages.h"

enum { READY = 64 << 20, SMALL_PAGE = 4 << 10 };

void ready_memory(void) {
    volatile char *memory = mmap(NULL, READY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    huge_pages_ask((void *)memory, READY);
    for (size_t at = 0; at < READY; at += SMALL_PAGE)
        memory[at] = 1;
    (void)munmap((void *)memory, READY);
}
