/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Hill kinetics, from logarithms: G^h / (G^h + T^h) = 1 / (1 + exp(h (log T - log G))). */
#ifndef BNB_GENERATORS_GENES_GENE_KINETICS_INTERNAL_H
#define BNB_GENERATORS_GENES_GENE_KINETICS_INTERNAL_H

#include <float.h>
#include <math.h>

/** How far a regulator with this level has filled its sites: 0 .. 1. */
static inline double gene_saturation(double log_level, double log_threshold, double hill) {
    return 1 / (1 + exp(hill * (log_threshold - log_level)));
}

/** Of a level that may be 0. */
static inline double gene_log_level(double level) {
    return log(level > DBL_MIN ? level : DBL_MIN);
}

#endif
