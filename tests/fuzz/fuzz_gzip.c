/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files as they are read, plain or gzip: never more than was asked for, and a NUL behind it. */
#include "core/base/file.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_at_most(const char *path, size_t most) {
    char *text = NULL;
    size_t length = 0;
    error_info err = {0};
    if (file_read(path, most, &text, &length, &err) == STATUS_OK) {
        if (length > most || text[length] != '\0')
            abort();
    } else if (text || err.message[0] == '\0') {
        abort();
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("a.gz", data, size);
    read_at_most(path, 100);
    read_at_most(path, (size_t)1 << 20);
    return 0;
}
