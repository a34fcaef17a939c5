/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The spool is the folder of the running jobs' files: KEY.json is a result, KEY.running marks a job that runs,
 * KEY.folder is a link to the private folder of an external learner, and the rest is half written, or data that jobs
 * share. A run that was killed leaves such files; the next run takes the results in and removes the others.
 */
#include "runner/job/job_process_internal.h"

#include "core/base/file.h"
#include "core/base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

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
        AUTO_FREE char *path = path_join(spool, entry->d_name);
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || strcmp(entry->d_name, "..") == 0))
            continue;
        if (path_ends_with(entry->d_name, ".json"))
            continue;
        if (path && path_ends_with(entry->d_name, ".folder"))
            remove_scratch(path);
        if (path)
            (void)unlink(path);
    }
    (void)closedir(folder);
    return STATUS_OK;
}
