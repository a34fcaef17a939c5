/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/file_mapping.h"

#include "core/base/cache_line.h"
#include "core/base/file.h"

#include <stdlib.h>
#include <sys/mman.h>

static status read_instead(int fd, size_t size, file_mapping *out, error_info *err) {
    unsigned char *bytes = cache_lines_allocate(size, 1);
    status st;
    CHECK_ALLOC(bytes);
    st = file_read_at(fd, 0, bytes, size, err);
    if (st != STATUS_OK) {
        free(bytes);
        return st;
    }
    *out = (file_mapping){bytes, size, false};
    return STATUS_OK;
}

status file_map(int fd, size_t size, file_mapping *out, error_info *err) {
    void *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        return read_instead(fd, size, out, err);
    (void)madvise(at, size, MADV_WILLNEED);
    *out = (file_mapping){at, size, true};
    return STATUS_OK;
}

void file_unmap(file_mapping *m) {
    if (m->is_mapped)
        (void)munmap((void *)m->bytes, m->size);
    else
        free((void *)m->bytes);
    *m = (file_mapping){0};
}
