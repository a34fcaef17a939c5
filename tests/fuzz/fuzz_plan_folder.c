/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan folder: its plan.json and, behind a line "%%", a result, as whoever collects reads them. */
#include "runner/shared/plan_folder_internal.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* That of the result in the corpus. */
#define NAME "a45be5110c3ea2df7e907de19023755b54e3e40a7f7d78825a5c4b26e47287d3.worker.json"

static void read_result(const folder_plan *p) {
    job_record r = {0};
    error_info err = {0};
    if (plan_result_read(fuzz_folder(), p, NAME, &r, &err) == STATUS_OK) {
        size_t cell = folder_plan_find(p, NAME);
        if (cell >= p->n_keys || strcmp(r.key, p->keys[cell]) != 0)
            abort();
    } else if (err.message[0] == '\0') {
        abort();
    }
    job_record_clear(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool has_results;
    const char *mark = size ? memmem(data, size, "\n%%\n", 4) : NULL;
    size_t length = mark ? (size_t)(mark - (const char *)data) : size;
    folder_plan p = {0};
    error_info err = {0};
    if (!has_results)
        fuzz_subfolder("results");
    has_results = true;
    (void)fuzz_file("plan.json", data, length);
    (void)fuzz_file("results/" NAME, mark ? mark + 4 : "", mark ? size - length - 4 : 0);
    if (folder_plan_read(fuzz_folder(), &p, &err) == STATUS_OK)
        read_result(&p);
    else if (err.message[0] == '\0')
        abort();
    folder_plan_clear(&p);
    return 0;
}
