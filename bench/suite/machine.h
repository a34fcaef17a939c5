/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The machine on which, and the program by which, something was measured. */
#ifndef BNB_BENCH_SUITE_MACHINE_H
#define BNB_BENCH_SUITE_MACHINE_H

#include "core/base/json.h"

#include <stdbool.h>

/** Processor, processors, caches, SIMD level, memory, system; NULL without memory. */
json_t *machine_of_this(void);

/** Version, commit, compiler, kind of build; NULL without memory. */
json_t *machine_build(void);

/** The load over the last minute; NAN where it is not told. */
double machine_load(void);

/** Whether others have so much of it that elapsed times say little: a load of half a processor or more. */
bool machine_is_busy(double load);

#endif
