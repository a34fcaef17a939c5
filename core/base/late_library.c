/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/late_library.h"

#include <dlfcn.h>
#include <string.h>

static status find_one(void *library, const char *file, const late_symbol *symbol, error_info *err) {
    void *at = dlsym(library, symbol->name);
    if (!at)
        return error_set(err, STATUS_MISSING, "%s has no %s", file, symbol->name);
    memcpy(symbol->into, &at, sizeof at); /* POSIX has both kinds of pointers alike */
    return STATUS_OK;
}

status late_library_find(const char *file, const late_symbol *symbols, size_t n, error_info *err) {
    void *library = RTLD_DEFAULT;
    if (n > 0 && !dlsym(library, symbols[0].name)) {
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return error_set(err, STATUS_MISSING, "a library cannot be loaded: %s", dlerror());
    }
    for (size_t i = 0; i < n; i++)
        CHECK(find_one(library, file, &symbols[i], err));
    return STATUS_OK;
}
