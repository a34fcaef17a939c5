/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The least of what several threads find. */
#ifndef BNB_CORE_RUN_ATOMIC_LEAST_H
#define BNB_CORE_RUN_ATOMIC_LEAST_H

#include <stdatomic.h>
#include <stddef.h>

/** Lowers `*least` to `value`, unless it is as low. */
static inline void atomic_least_lower(atomic_size_t *least, size_t value) {
    size_t now = atomic_load(least);
    while (value < now && !atomic_compare_exchange_weak(least, &now, value)) {
    }
}

#endif
