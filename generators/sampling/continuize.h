/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Continuous data from discrete ones: each state becomes the mean of a normal distribution. */
#ifndef BNB_GENERATORS_SAMPLING_CONTINUIZE_H
#define BNB_GENERATORS_SAMPLING_CONTINUIZE_H

#include "core/base/random.h"
#include "core/data/dataset.h"

enum { CONTINUIZE_VERSION = 1 }; /* raised when the same key gives other numbers */

/**
 * Every discrete column made continuous: state k = 0, 1, ... becomes a draw from N(k + 1, sigma^2); a continuous column
 * stays as it is. The data are those of `data`, and the draws come from a stream of their own, row by row and in the
 * order of the columns, so that a longer data set begins with the shorter one; the same key gives the same draws, only
 * stretched, whatever sigma is.
 *
 * @param sigma > 0 and finite
 * @return STATUS_INVALID: sigma is not. STATUS_MEMORY.
 *
 * Source: S. Monti's technique as in Fu 2005, section V.1.1; that states are numbered from 1 is read off its figures.
 */
BNB_MUST_CHECK status continuize(const dataset *data, double sigma, random_key key, dataset **out, error_info *err);

/** The key of the draws that belong to rows which were sampled with `sample`. */
random_key continuize_key(random_key sample);

#endif
