/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs leave behind, and how it goes away. */
#include "runner/work/worker_internal.h"

#include "core/base/file.h"
#include "core/base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

/* A private folder of a job that was killed, found by the link to it. Only what bears our mark is removed. */
static void remove_scratch(const char *link) {
    char target[4096];
    ssize_t n = readlink(link, target, sizeof target - 1);
    struct stat info;
    if (n <= 0)
        return;
    target[n] = '\0';
    if (target[0] == '/' && strncmp(path_base(target), "bnbench-job-", 12) == 0 && lstat(target, &info) == 0 &&
        info.st_uid == geteuid())
        folder_remove(target);
}

status spool_clean(const char *spool, error_info *err) {
    DIR *folder = opendir(spool);
    const struct dirent *entry;
    if (!folder)
        return error_set(err, STATUS_IO, "%s: %s", spool, strerror(errno));
    while ((entry = readdir(folder))) {
        char *path;
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || strcmp(entry->d_name, "..") == 0))
            continue;
        if (path_ends_with(entry->d_name, ".json"))
            continue;
        path = path_join(spool, entry->d_name);
        if (path && path_ends_with(entry->d_name, ".folder"))
            remove_scratch(path);
        if (path)
            (void)unlink(path);
        free(path);
    }
    (void)closedir(folder);
    return STATUS_OK;
}
