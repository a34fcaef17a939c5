/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fuzz_file.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 8, PATH_SIZE = 256 };

typedef struct {
    char path[PATH_SIZE]; /* a symbolic link to the file in memory */
    int fd;
} memory_file;

static memory_file files[MOST_FILES];
static size_t n_files;
static char folder[PATH_SIZE];

static void must(int is_so) {
    if (!is_so) {
        perror("fuzz_file");
        abort();
    }
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *at) {
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

static void remove_folder(void) {
    (void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void) {
    if (!*folder) {
        (void)snprintf(folder, sizeof folder, "%s/bnbench-fuzz-XXXXXX",
                       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        must(mkdtemp(folder) != NULL);
        must(atexit(remove_folder) == 0);
    }
    return folder;
}

void fuzz_subfolder(const char *name) {
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%.100s/%.100s", fuzz_folder(), name);
    must(mkdir(path, 0700) == 0);
}

static memory_file *find_file(const char *name) {
    char path[PATH_SIZE], target[64];
    (void)snprintf(path, sizeof path, "%.100s/%.140s", fuzz_folder(), name);
    for (size_t i = 0; i < n_files; i++) {
        if (strcmp(files[i].path, path) == 0)
            return &files[i];
    }
    must(n_files < MOST_FILES);
    memory_file *f = &files[n_files++];
    memcpy(f->path, path, sizeof path);
    must((f->fd = memfd_create("fuzz", MFD_CLOEXEC)) >= 0);
    (void)snprintf(target, sizeof target, "/proc/self/fd/%d", f->fd);
    must(symlink(target, path) == 0);
    return f;
}

const char *fuzz_file(const char *name, const void *bytes, size_t length) {
    const memory_file *f = find_file(name);
    must(ftruncate(f->fd, 0) == 0);
    must(length == 0 || pwrite(f->fd, bytes, length, 0) == (ssize_t)length);
    return f->path;
}
