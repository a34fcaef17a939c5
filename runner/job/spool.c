/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The spool is the folder of the running jobs' files: KEY.json is a result, KEY.running marks a job that runs,
 * KEY.folder is a link to the private folder of an external learner, and the rest is half written, or data that jobs
 * share. A run that was killed leaves such files; the next run takes the results in and removes the others.
 */
#include "runner/job/job_process_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

char *spool_path(const char *spool, const char *key, const char *ending) {
    text_buffer path = {0};
    text_append_format(&path, "%s/%s%s", spool, key, ending);
    if (path.failed)
        text_buffer_clear(&path);
    return path.data;
}

/* Folders below this level are left where they are, since each level holds a descriptor open. */
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

/* Removes the private folder of a job that was killed, found by its link, if its name and its owner are ours. */
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
