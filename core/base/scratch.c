/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/scratch.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

status scratch_create(const char *folder, const char *prefix, char **path, error_info *err) {
    AUTO_FREE char *made = path_join_ending(folder, prefix, "XXXXXX");
    CHECK_ALLOC(made);
    if (!mkdtemp(made))
        return error_set(err, STATUS_IO, "%.300s: %s", folder, strerror(errno));
    *path = TAKE(made);
    return STATUS_OK;
}

/* Opens a folder of this user, whatever its mode was, and makes it one that can be emptied; -1 where it cannot. */
static int open_folder(int at, const char *name) {
    char path[64];
    int seen = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd;
    if (seen < 0)
        return -1;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", seen);
    (void)chmod(path, S_IRWXU);
    fd = openat(seen, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)close(seen);
    return fd;
}

static size_t empty_folder(int fd, int top);

/* Removes what an entry of a folder is. A folder with something in it is emptied in `top`, and moves there from
 * elsewhere. The number of entries that went away. */
static size_t remove_entry(int at, const struct dirent *entry, int top) {
    char name[64];
    int fd;
    size_t n;
    if (unlinkat(at, entry->d_name, 0) == 0 || unlinkat(at, entry->d_name, AT_REMOVEDIR) == 0)
        return 1;
    if ((fd = open_folder(at, entry->d_name)) < 0)
        return 0;
    if (at == top) {
        n = empty_folder(fd, top);
        return n + (unlinkat(at, entry->d_name, AT_REMOVEDIR) == 0);
    }
    (void)close(fd);
    (void)snprintf(name, sizeof name, ".bnbench-%llu", (unsigned long long)entry->d_ino);
    return renameat(at, entry->d_name, top, name) == 0;
}

/* One pass over a folder, or over `top` itself. Closes `fd` unless it is `top`. */
static size_t empty_folder(int fd, int top) {
    DIR *folder = fdopendir(fd == top ? openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : fd);
    const struct dirent *entry;
    size_t n = 0;
    while (folder && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            n += remove_entry(fd, entry, top);
    }
    if (folder)
        (void)closedir(folder);
    else if (fd != top)
        (void)close(fd);
    return n;
}

/* No more than two levels are open at once, so that no depth is too much. */
void folder_remove(const char *path) {
    int top = open_folder(AT_FDCWD, path);
    while (top >= 0 && empty_folder(top, top) > 0)
        ;
    if (top >= 0)
        (void)close(top);
    (void)rmdir(path);
}

void scratch_destroy(char *path) {
    if (path)
        folder_remove(path);
    free(path);
}
