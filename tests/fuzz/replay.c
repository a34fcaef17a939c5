/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds every file of the folders that the words name to a target, for builds without libFuzzer. */
#include "core/base/file.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Exactly as long as the file, so that reading past the end is seen. Not by file_read, which inflates. */
static int feed(const char *folder, const char *name) {
    static char bytes[MOST_BYTES];
    char *path = path_join(folder, name);
    FILE *f = path ? fopen(path, "rbe") : NULL;
    size_t length = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    uint8_t *data = malloc(length ? length : 1);
    int failed = !f || !data;
    if (!failed) {
        memcpy(data, bytes, length);
        (void)LLVMFuzzerTestOneInput(data, length);
    } else {
        perror(name);
    }
    if (f)
        (void)fclose(f);
    free(data);
    free(path);
    return failed;
}

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        const struct dirent *entry;
        size_t n = 0;
        while (folder && (entry = readdir(folder))) {
            if (entry->d_type == DT_REG) {
                failed |= feed(argv[i], entry->d_name);
                n++;
            }
        }
        if (folder)
            (void)closedir(folder);
        (void)printf("%s: %zu files\n", argv[i], n);
        failed |= n == 0;
    }
    return failed;
}
