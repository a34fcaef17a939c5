/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a declaration is, it is read or refused; what was read can be read again from its own text, which then
 * stays. */
#include "runner/declare/experiment.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const experiment *e, experiment *again) {
    error_info err = {0};
    if (experiment_parse(e->declaration, strlen(e->declaration), "again", again, &err) != STATUS_OK)
        abort();
    if (again->n_variants != e->n_variants || strcmp(again->folder, e->folder) != 0 || again->seed != e->seed)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    experiment first = {0}, second = {0}, third = {0};
    error_info err = {0};
    if (experiment_parse((const char *)data, size, "input", &first, &err) != STATUS_OK)
        return 0;
    read_again(&first, &second);
    read_again(&second, &third); /* libyaml may quote a text at first that was plain */
    if (strcmp(second.declaration, third.declaration) != 0)
        abort();
    experiment_clear(&first);
    experiment_clear(&second);
    experiment_clear(&third);
    return 0;
}
