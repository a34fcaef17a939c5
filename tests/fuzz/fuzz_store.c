/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a store's database: refused or read, never believed. */
#include "tests/fuzz/fuzz_file.h"
#include "tests/fuzz/fuzz_stored.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file by its own name: SQLite follows links. */
static void write_database(const uint8_t *data, size_t size) {
    static const char *const others[] = {"-journal", "-wal", "-shm"};
    char path[300];
    int fd;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        (void)snprintf(path, sizeof path, "%s/results.sqlite%s", fuzz_folder(), others[i]);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof path, "%s/results.sqlite", fuzz_folder());
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    write_database(data, size);
    fuzz_read_store(fuzz_folder());
    return 0;
}
