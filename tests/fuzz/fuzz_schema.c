/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sidecars of data. The data are the same each time: words, whole numbers and reals. */
#include "core/data/dataset_file.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char csv[] = "w,n,x\nyes,1,0.5\nno,2,1.5\nyes,3,2.5\n";

/* A schema that was taken describes the data. */
static void look_at(const dataset *data) {
    if (dataset_column_count(data) != 3 || dataset_row_count(data) != 3)
        abort();
    for (size_t c = 0; c < 3; c++) {
        const variable *v = dataset_variable(data, c);
        for (size_t row = 0; v->kind == VARIABLE_DISCRETE && row < 3; row++) {
            if (dataset_state(data, row, c) >= v->n_states)
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("a.csv", csv, strlen(csv));
    dataset *read = NULL;
    schema_origin origin;
    error_info err = {0};
    (void)fuzz_file("a.schema.csv", data, size);
    if (dataset_read(path, NULL, &read, &origin, &err) == STATUS_OK)
        look_at(read);
    else if (err.message[0] == '\0')
        abort();
    dataset_destroy(read);
    return 0;
}
