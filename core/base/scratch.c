/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/scratch.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

status scratch_create(const char *folder, const char *prefix, char **path, error_info *err) {
    AUTO_FREE char *made = path_join_ending(folder, prefix, "XXXXXX");
    CHECK_ALLOC(made);
    if (!mkdtemp(made))
        return error_set(err, STATUS_IO, "%.300s: %s", folder, strerror(errno));
    *path = TAKE(made);
    return STATUS_OK;
}

/* Deeper folders are left to lie: each level holds a descriptor open. */
enum { MOST_LEVELS = 200 };

/* Empties the folder behind a descriptor, which it closes. */
static void empty_folder(int fd, int level) {
    DIR *folder = fdopendir(fd);
    const struct dirent *entry;
    if (!folder) {
        (void)close(fd);
        return;
    }
    while ((entry = readdir(folder))) {
        int inner;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) == 0 || level >= MOST_LEVELS)
            continue;
        inner = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0)
            continue;
        empty_folder(inner, level + 1);
        (void)unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
    }
    (void)closedir(folder);
}

void folder_remove(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        empty_folder(fd, 0);
    (void)rmdir(path);
}

void scratch_destroy(char *path) {
    if (path)
        folder_remove(path);
    free(path);
}
