/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How many sets there are. */
#ifndef BNB_METRICS_NUMERICS_SET_COUNT_H
#define BNB_METRICS_NUMERICS_SET_COUNT_H

#include <stddef.h>
#include <stdint.h>

/** The sets of k of n things; UINT64_MAX where there are no fewer. */
uint64_t set_count(size_t n, size_t k);

/** a + b, UINT64_MAX where it is no less. */
uint64_t set_count_add(uint64_t a, uint64_t b);

#endif
