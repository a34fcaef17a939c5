/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Memory of the heap of which the contents are needed no more, before it is freed. */
#ifndef BNB_CORE_BASE_PAGE_RELEASE_H
#define BNB_CORE_BASE_PAGE_RELEASE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/** A hint: pages that lie within these bytes go back to the system. What is read there later is anything. */
static inline void page_release(void *data, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), lead = (page - (uintptr_t)data % page) % page;
    if (bytes >= lead + page)
        (void)madvise((char *)data + lead, (bytes - lead) / page * page, MADV_DONTNEED);
}

#endif
