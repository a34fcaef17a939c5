/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/process_internal.h"

#include "core/base/array.h"
#include "core/run/control_group_place.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

typedef struct {
    size_t n, capacity;
    pid_t *ids;
} process_list;

static void process_list_clear(process_list *list) {
    free(list->ids);
}

/* Up to size - 1 bytes of a file of /proc; "" where it cannot be read. */
static void read_small(const char *path, char *buffer, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    while (fd >= 0 && used + 1 < size) {
        ssize_t n = read(fd, buffer + used, size - 1 - used);
        if (n <= 0)
            break;
        used += (size_t)n;
    }
    buffer[used] = '\0';
    if (fd >= 0)
        (void)close(fd);
}

const char *process_next_id(const char *text, pid_t *id) {
    char *end;
    long number = strtol(text, &end, 10);
    if (number <= 1 || number > INT_MAX || *end != ' ')
        return NULL;
    *id = (pid_t)number;
    return end + 1;
}

/* Those that find no memory are left out. */
static void add_ids(const char *path, process_list *list) {
    FILE *f = fopen(path, "re");
    AUTO_FREE char *word = NULL;
    size_t size = 0;
    pid_t id;
    while (f && getdelim(&word, &size, ' ', f) > 0) {
        if (!process_next_id(word, &id) || ARRAY_PUSH(list->ids, list->n, list->capacity, NULL, id) != STATUS_OK)
            break;
    }
    if (f)
        (void)fclose(f);
}

/* Each thread has children of its own. */
static void add_children(pid_t parent, process_list *list) {
    char path[96];
    DIR *tasks;
    const struct dirent *entry;
    (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)parent);
    tasks = opendir(path);
    while (tasks && (entry = readdir(tasks))) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        (void)snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", (long)parent, entry->d_name);
        add_ids(path, list);
    }
    if (tasks)
        (void)closedir(tasks);
}

/* The descendants of `root`, itself left out. */
static process_list find_descendants(pid_t root) {
    process_list list = {0};
    add_children(root, &list);
    for (size_t i = 0; i < list.n; i++)
        add_children(list.ids[i], &list);
    return list;
}

/* Fields of statm, pages each: size, resident, shared, text, 0, data. */
enum { STATM_RESIDENT = 1, STATM_DATA = 5 };

static uint64_t statm_bytes(pid_t id, int field) {
    char path[64], text[128], *at = text;
    unsigned long long pages = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/statm", (long)id);
    read_small(path, text, sizeof text);
    for (int i = 0; i <= field; i++)
        pages = strtoull(at, &at, 10);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t resident_bytes(pid_t id) {
    return statm_bytes(id, STATM_RESIDENT);
}

uint64_t process_data_bytes(void) {
    return statm_bytes(getpid(), STATM_DATA);
}

static uint64_t proportional_bytes(pid_t id) {
    char path[64], text[2048];
    const char *pss;
    (void)snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)id);
    read_small(path, text, sizeof text);
    pss = strstr(text, "\nPss:");
    return pss ? 1024 * strtoull(pss + 5, NULL, 10) : resident_bytes(id);
}

static uint64_t sum_over_tree(pid_t root, uint64_t (*bytes)(pid_t)) {
    AUTO(process_list_clear) process_list list = find_descendants(root);
    uint64_t sum = bytes(root);
    for (size_t i = 0; i < list.n; i++)
        sum += bytes(list.ids[i]);
    return sum;
}

uint64_t process_tree_resident_bytes(pid_t root) {
    return sum_over_tree(root, resident_bytes);
}

uint64_t process_tree_proportional_bytes(pid_t root) {
    return sum_over_tree(root, proportional_bytes);
}

void process_kill_tree(pid_t root) {
    AUTO(process_list_clear) process_list list = find_descendants(root);
    (void)kill(-root, SIGKILL);
    (void)kill(root, SIGKILL);
    for (size_t i = 0; i < list.n; i++)
        (void)kill(list.ids[i], SIGKILL);
}

/* What does not fit is left to the next look. */
static void kill_children(void) {
    char text[4096];
    const char *at = text;
    pid_t id;
    read_small("/proc/thread-self/children", text, sizeof text);
    while ((at = process_next_id(at, &id)))
        (void)kill(id, SIGKILL);
}

/* Each look that sees no end is followed by a pause of a millisecond. */
enum { MOST_IDLE_LOOKS = 4000 };

void process_end_children(void) {
    static const struct timespec pause = {.tv_nsec = 1000000};
    int n_idle = 0;
    while (n_idle < MOST_IDLE_LOOKS) {
        pid_t ended;
        n_idle++;
        kill_children();
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            n_idle = 0;
        if (ended < 0)
            return; /* there are no children */
        if (n_idle > 0)
            (void)nanosleep(&pause, NULL);
    }
}

/* Bytes: "max" of cgroup v2 is no limit, nor is what v1 has for none, which is more than any computer has. */
static double memory_limit_of(const char *group) {
    AUTO_FREE char *v2 = control_group_place_text(group, "memory.max");
    AUTO_FREE char *v1 = control_group_place_text(group, "memory.limit_in_bytes");
    double bytes = v2 || v1 ? strtod(v2 ? v2 : v1, NULL) : 0;
    return bytes > 0 ? bytes : INFINITY;
}

uint64_t process_physical_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    double container = control_group_place_least_own("memory", memory_limit_of);
    return container < (double)machine ? (uint64_t)container : machine;
}

double process_cpu_seconds(const struct rusage *used) {
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

const char *process_signal_text(int number, char *buffer, unsigned long size) {
    (void)snprintf(buffer, size, "signal %d (%s)", number, strsignal(number));
    return buffer;
}
