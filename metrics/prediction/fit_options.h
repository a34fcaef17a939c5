/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How the parameters of a network are estimated from data, as users name it. */
#ifndef BNB_METRICS_PREDICTION_FIT_OPTIONS_H
#define BNB_METRICS_PREDICTION_FIT_OPTIONS_H

#include "core/base/options.h"
#include "core/data/dataset.h"

typedef struct {
    double ess;   /* of discrete data */
    int estimate; /* fit_estimate; of discrete data */
    int variance; /* score_variance; of continuous data */
} fit_options;

/** The table of options for data of that kind; fills `options` with their initial values. */
const option_spec *fit_options_for(const dataset *data, fit_options *options);

#endif
