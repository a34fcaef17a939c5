/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The spool is the folder of the running jobs' files: KEY.json is a result, KEY.running marks a job that runs,
 * KEY.folder is a link to the private folder of an external learner, KEY.group one to its control group, KEY.data is
 * data that jobs share, and .bnbench-*.tmp is half written. A run that was killed leaves such files; the next run takes
 * the results in and removes the others. Files of other names are not ours and stay.
 */
#include "runner/job/job_process_internal.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "runner/job/control_group_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

static bool read_link(const char *link, char *target, size_t size) {
    ssize_t n = readlink(link, target, size - 1);
    target[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Ends and removes the control group of a job that was killed, found by its link. */
static void remove_group(const char *link) {
    char target[4096];
    if (read_link(link, target, sizeof target))
        control_group_remove_left(target);
}

/* Removes the private folder of a job that was killed, found by its link, if its name and its owner are ours. */
static void remove_scratch(const char *link) {
    char target[4096];
    struct stat info;
    if (!read_link(link, target, sizeof target))
        return;
    if (target[0] == '/' && strncmp(path_base(target), "bnbench-job-", 12) == 0 && lstat(target, &info) == 0 &&
        info.st_uid == geteuid())
        folder_remove(target);
}

bool spool_is_key(const char *name, size_t length) {
    return length == PLAN_KEY_SIZE - 1 && strspn(name, "0123456789abcdef") >= length;
}

/* Names of files that a killed run may leave, but for results. */
static bool is_leftover(const char *name) {
    static const char *const endings[] = {".running", ".folder", ".group", ".data"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (path_ends_with(name, endings[i]) && spool_is_key(name, length - strlen(endings[i])))
            return true;
    }
    return strncmp(name, ".bnbench-", strlen(".bnbench-")) == 0 && path_ends_with(name, ".tmp");
}

status spool_open(const char *spool, error_info *err) {
    struct stat info;
    CHECK(folder_create(spool, err));
    if (lstat(spool, &info) != 0)
        return error_set(err, STATUS_IO, "%s: %s", spool, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return error_set(err, STATUS_INVALID,
                         "%s: a link to another folder; a run keeps its files in a folder of its own", spool);
    return STATUS_OK;
}

status spool_clean(const char *spool, error_info *err) {
    DIR *folder = opendir(spool);
    const struct dirent *entry;
    if (!folder)
        return error_set(err, STATUS_IO, "%s: %s", spool, strerror(errno));
    while ((entry = readdir(folder))) {
        AUTO_FREE char *path = path_join(spool, entry->d_name);
        if (!is_leftover(entry->d_name))
            continue;
        if (path && path_ends_with(entry->d_name, ".folder"))
            remove_scratch(path);
        if (path && path_ends_with(entry->d_name, ".group"))
            remove_group(path);
        if (path)
            (void)unlink(path);
    }
    (void)closedir(folder);
    return STATUS_OK;
}
