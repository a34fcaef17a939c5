/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a declaration is, it is read or refused; what was read can be read again from its own text, which then
 * stays; and every reading of it can be applied. */
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

static void apply_readings(const experiment *e) {
    for (size_t i = 0; i < e->outputs.n_readings; i++) {
        experiment changed = {0}, again = {0};
        error_info err = {0};
        if (reading_is_base(&e->outputs.readings[i]))
            continue;
        if (experiment_apply_reading(e, e->outputs.readings[i].id, &changed, &err) != STATUS_OK)
            abort();
        read_again(&changed, &again);
        experiment_clear(&changed);
        experiment_clear(&again);
    }
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
    apply_readings(&first);
    experiment_clear(&first);
    experiment_clear(&second);
    experiment_clear(&third);
    return 0;
}
