/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A drawing of a learned network against the true one. */
#ifndef BNB_PARTS_PLOTS_NETWORK_PLOT_H
#define BNB_PARTS_PLOTS_NETWORK_PLOT_H

#include "document/drawing/look.h"

/** As it is declared. Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *network, *learner; /* the graph of the learner on the network's first data set ... */
    size_t samples;          /* ... of that size, one of the experiment's */
    char *target;            /* a variable: what lies within `radius` steps of it; NULL: the whole network */
    size_t radius;           /* at least 1 */
    plot_style style;
} network_plot_spec;

#endif
