/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/bnrep.h"

#include <string.h>

static const bnrep_entry entries[] = {
#define BNREP(id, n, a) {BNREP_PREFIX id, n, a, false},
#define BNREP_GAUSSIAN(id, n, a) {BNREP_PREFIX id, n, a, true},
#include "generators/catalogue/bnrep.def"
#undef BNREP
#undef BNREP_GAUSSIAN
};

size_t bnrep_count(void) {
    return sizeof entries / sizeof *entries;
}

const bnrep_entry *bnrep_at(size_t i) {
    return &entries[i];
}

const bnrep_entry *bnrep_find(const char *name) {
    for (size_t i = 0; i < bnrep_count(); i++) {
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    }
    return NULL;
}
