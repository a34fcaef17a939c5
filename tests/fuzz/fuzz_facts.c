/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an external learner tells of itself: its version and its seconds. */
#include "runner/job/program_facts_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    program_facts facts = {0};
    error_info err = {0};
    if (program_facts_parse((const char *)data, size, &facts, &err) != STATUS_OK) {
        if (err.message[0] == '\0' || facts.version)
            abort();
        return 0;
    }
    if (facts.has_learning_s && !(isfinite(facts.learning_s) && facts.learning_s >= 0))
        abort();
    if (facts.version && (facts.version[0] == '\0' || strchr(facts.version, '\n')))
        abort();
    program_facts_clear(&facts);
    return 0;
}
