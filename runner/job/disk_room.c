/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/disk_room_internal.h"

#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

/* A disk is full that does not hold PROBE_BYTES more; a program that wrote LARGE_BYTES has filled it. */
enum { PROBE_BYTES = 64 << 10, LARGE_BYTES = 16 << 20, BLOCK_BYTES = 512 };

uint64_t disk_room_used(const char *folder) {
    AUTO_FREE char *root = strdup(folder);
    char *roots[] = {root, NULL};
    FTS *tree = root ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
    const FTSENT *entry;
    uint64_t bytes = 0;
    while (tree && (entry = fts_read(tree))) {
        if (entry->fts_info == FTS_F)
            bytes += (uint64_t)entry->fts_statp->st_blocks * BLOCK_BYTES;
    }
    if (tree)
        (void)fts_close(tree);
    return bytes;
}

/* Tried, for what the system says of its room leaves out quotas and what is kept for the administrator. */
bool disk_room_is_full(const char *folder) {
    AUTO_FREE char *path = path_join(folder, ".room");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    int why = fd >= 0 ? posix_fallocate(fd, 0, PROBE_BYTES) : errno;
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(path);
    }
    return why == ENOSPC || why == EDQUOT;
}

status disk_room_check(const char *folder, uint64_t used_before, error_info *err) {
    uint64_t used;
    if (!disk_room_is_full(folder))
        return STATUS_OK;
    used = disk_room_used(folder);
    if (used > used_before && used - used_before >= LARGE_BYTES)
        return error_set(err, STATUS_INVALID, "the program filled the disk: it wrote %.0f MiB",
                         (double)(used - used_before) / 1048576);
    return error_set(err, STATUS_IO, "%s: the disk is full, so that what the program did is no result", folder);
}
