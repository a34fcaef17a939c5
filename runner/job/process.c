/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/process_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

enum { MOST_PROCESSES = 4096 };

/* Processes found so far; those beyond the room are left out. */
typedef struct {
    size_t n;
    pid_t ids[MOST_PROCESSES];
} process_list;

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

static void add_numbers(const char *text, process_list *list) {
    while (list->n < MOST_PROCESSES) {
        char *end;
        long id = strtol(text, &end, 10);
        if (end == text)
            return;
        if (id > 0)
            list->ids[list->n++] = (pid_t)id;
        text = end;
    }
}

/* Each thread has children of its own. */
static void add_children(pid_t parent, process_list *list) {
    char path[96], text[8192];
    DIR *tasks;
    const struct dirent *entry;
    (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)parent);
    tasks = opendir(path);
    while (tasks && (entry = readdir(tasks))) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        (void)snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", (long)parent, entry->d_name);
        read_small(path, text, sizeof text);
        add_numbers(text, list);
    }
    if (tasks)
        (void)closedir(tasks);
}

/* The descendants of `root`, itself left out; NULL without memory. */
static process_list *find_descendants(pid_t root) {
    process_list *list = calloc(1, sizeof *list);
    if (!list)
        return NULL;
    add_children(root, list);
    for (size_t i = 0; i < list->n; i++)
        add_children(list->ids[i], list);
    return list;
}

static uint64_t resident_bytes(pid_t id) {
    char path[64], text[128], *end;
    unsigned long long pages;
    (void)snprintf(path, sizeof path, "/proc/%ld/statm", (long)id);
    read_small(path, text, sizeof text);
    (void)strtoull(text, &end, 10);
    pages = strtoull(end, NULL, 10);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
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
    process_list *list = find_descendants(root);
    uint64_t sum = bytes(root);
    for (size_t i = 0; list && i < list->n; i++)
        sum += bytes(list->ids[i]);
    free(list);
    return sum;
}

uint64_t process_tree_resident_bytes(pid_t root) {
    return sum_over_tree(root, resident_bytes);
}

uint64_t process_tree_proportional_bytes(pid_t root) {
    return sum_over_tree(root, proportional_bytes);
}

static void kill_all(const process_list *list) {
    for (size_t i = 0; list && i < list->n; i++)
        (void)kill(list->ids[i], SIGKILL);
}

void process_kill_tree(pid_t root) {
    process_list *list = find_descendants(root);
    (void)kill(-root, SIGKILL);
    (void)kill(root, SIGKILL);
    kill_all(list);
    free(list);
}

void process_kill_descendants(void) {
    for (int round = 0; round < 100; round++) { /* a process may have started another meanwhile */
        process_list *list = find_descendants(getpid());
        bool is_empty = !list || list->n == 0;
        kill_all(list);
        free(list);
        if (is_empty)
            return;
        while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
            ;
    }
}

/* The limit of the container that this process runs in, if it has one. */
static uint64_t container_memory(void) {
    char text[64], *end;
    unsigned long long bytes;
    read_small("/sys/fs/cgroup/memory.max", text, sizeof text);
    bytes = strtoull(text, &end, 10);
    return end == text ? 0 : bytes;
}

uint64_t process_physical_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    uint64_t container = container_memory();
    return container > 0 && container < machine ? container : machine;
}

double process_cpu_seconds(const struct rusage *used) {
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

const char *process_signal_text(int number, char *buffer, unsigned long size) {
    (void)snprintf(buffer, size, "signal %d (%s)", number, strsignal(number));
    return buffer;
}
