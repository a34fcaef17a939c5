/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/control_group_internal.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/run/control_group_place.h"
#include "runner/job/process_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/magic.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#define NAME_START "bnbench-job-"

char *control_group_own(void) {
    AUTO_FREE char *folder = control_group_place_own(NULL).folder;
    AUTO_FREE char *processes = folder ? path_join(folder, "cgroup.procs") : NULL;
    return processes && access(processes, W_OK) == 0 && access(folder, W_OK) == 0 ? TAKE(folder) : NULL;
}

/* ---- its files ---- */

static int open_file(const char *group, const char *name, int flags) {
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", group, name);
    return n > 0 && (size_t)n < sizeof path ? open(path, flags | O_CLOEXEC) : -1;
}

static bool write_to(const char *group, const char *name, const char *text) {
    size_t length = strlen(text);
    int fd = open_file(group, name, O_WRONLY);
    bool ok = fd >= 0 && write(fd, text, length) == (ssize_t)length;
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* The beginning of a file, "" where it cannot be read. */
static void read_from(const char *group, const char *name, char *text, size_t size) {
    int fd = open_file(group, name, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;
    text[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        (void)close(fd);
}

/* The number behind a name in a file of lines "name number"; `otherwise` where it is not there. */
static uint64_t number_from(const char *group, const char *file, const char *name, uint64_t otherwise) {
    char text[1024];
    size_t length = strlen(name);
    read_from(group, file, text, sizeof text);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, name, length) == 0 && line[length] == ' ')
            return strtoull(line + length, NULL, 10);
    }
    return otherwise;
}

/* ---- its life ---- */

/* All of its processes end where one must; memory on a disk does not help. */
static bool limit_memory(const char *group, uint64_t bytes) {
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRIu64 "\n", bytes);
    if (!write_to(group, "memory.oom.group", "1\n") || !write_to(group, "memory.max", text))
        return false;
    (void)write_to(group, "memory.swap.max", "0\n");
    return true;
}

char *control_group_create(const char *parent, uint64_t memory_limit, bool *has_limit) {
    char *group = NULL;
    *has_limit = false;
    if (scratch_create(parent, NAME_START, &group, NULL) == STATUS_OK && memory_limit > 0)
        *has_limit = limit_memory(group, memory_limit);
    return group;
}

pid_t control_group_fork(const char *group) {
    int fd = open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct clone_args how = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (unsigned)fd};
    pid_t child = fd >= 0 ? (pid_t)syscall(SYS_clone3, &how, sizeof how) : -1;
    if (fd >= 0)
        (void)close(fd);
    return child;
}

bool control_group_lacked_memory(const char *group) {
    return number_from(group, "memory.events", "oom_kill", 0) > 0;
}

/* Before Linux 5.14. What does not fit is left to the next look. */
static void kill_one_by_one(const char *group) {
    char text[4096];
    read_from(group, "cgroup.procs", text, sizeof text);
    for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
        pid_t id;
        *end = ' ';
        if (process_next_id(at, &id))
            (void)kill(id, SIGKILL);
    }
}

void control_group_kill(const char *group) {
    if (!write_to(group, "cgroup.kill", "1\n"))
        kill_one_by_one(group);
}

/* Groups that the job made in its own go first. */
static bool remove_group(const char *group) {
    if (rmdir(group) != 0 && errno != ENOENT)
        folder_remove(group);
    return access(group, F_OK) != 0;
}

/* Each look is followed by a pause of a millisecond. */
enum { MOST_LOOKS = 2000 };

static void end_and_remove(const char *group) {
    static const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < MOST_LOOKS; i++) {
        if (number_from(group, "cgroup.events", "populated", 0) == 0 && remove_group(group))
            return;
        control_group_kill(group);
        (void)nanosleep(&pause, NULL);
    }
}

void control_group_destroy(char *group) {
    if (group)
        end_and_remove(group);
    free(group);
}

void control_group_remove_left(const char *group) {
    struct statfs place;
    if (group[0] == '/' && strncmp(path_base(group), NAME_START, strlen(NAME_START)) == 0 &&
        statfs(group, &place) == 0 && place.f_type == CGROUP2_SUPER_MAGIC)
        end_and_remove(group);
}
