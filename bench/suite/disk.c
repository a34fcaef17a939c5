/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/disk.h"

#include "core/run/run_context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AT_ONCE = 1 << 20 };

static status failed(const char *path, int code, error_info *err) {
    return error_set(err, STATUS_IO, "%s: %s", path, strerror(code));
}

/* Only what was written to the disk can be forgotten. */
status disk_forget(const char *path, error_info *err) {
    int file = open(path, O_RDONLY | O_CLOEXEC), code;
    if (file < 0)
        return failed(path, errno, err);
    code = fdatasync(file) == 0 ? posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) : errno;
    (void)close(file);
    return code == 0 ? STATUS_OK : failed(path, code, err);
}

status disk_read(const char *path, double *seconds, error_info *err) {
    AUTO_FREE char *room = malloc(AT_ONCE);
    int file = open(path, O_RDONLY | O_CLOEXEC), code = 0;
    double began = run_clock_s();
    ssize_t n = 1;
    if (file < 0)
        return failed(path, errno, err);
    while (room && n > 0)
        n = read(file, room, AT_ONCE);
    code = n < 0 ? errno : 0;
    *seconds = run_clock_s() - began;
    (void)close(file);
    CHECK_ALLOC(room);
    return code == 0 ? STATUS_OK : failed(path, code, err);
}
