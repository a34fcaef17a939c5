/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds every file of the folders that the words name to a target, for builds without libFuzzer. */
#include "core/base/file.h"
#include "core/base/text.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed(const char *folder, const char *name) {
    char *path = path_join(folder, name), *text = NULL;
    size_t length = 0;
    error_info err = {0};
    status st = path ? file_read(path, FILE_READ_MOST, &text, &length, &err) : STATUS_MEMORY;
    if (st == STATUS_OK)
        (void)LLVMFuzzerTestOneInput((const uint8_t *)text, length);
    else
        (void)fprintf(stderr, "%s\n", err.message);
    free(path);
    free(text);
    return st == STATUS_OK ? 0 : 1;
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
