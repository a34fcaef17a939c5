/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Shared libraries that few commands ask for, loaded where they are: each start of the program, and each job's process,
 * would pay for what they bring.
 */
#ifndef BNB_CORE_BASE_LATE_LIBRARY_H
#define BNB_CORE_BASE_LATE_LIBRARY_H

#include "core/base/status.h"

#include <stddef.h>

typedef struct {
    const char *name;
    void *into; /* a pointer to the function, of whatever type */
} late_symbol;

/**
 * Finds each function in the process, where it is there already (a wheel's program is linked with all), or in the
 * library of that file name, which stays loaded. Any number of threads.
 * @return STATUS_MISSING: there is no such library, or it has no such function; the message says which.
 */
BNB_MUST_CHECK status late_library_find(const char *file, const late_symbol *symbols, size_t n, error_info *err);

#endif
