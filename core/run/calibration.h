/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How fast this processor is at this moment: the time of a fixed piece of work, against which times of two runs, or of
 * two nights, can be held. */
#ifndef BNB_CORE_RUN_CALIBRATION_H
#define BNB_CORE_RUN_CALIBRATION_H

#include <stddef.h>

/** Rounds that are worth their time beside most learners. */
#define CALIBRATION_ROUNDS 5

/**
 * CPU seconds of the fixed work: counting over 64 KiB of bits, byte histograms and logarithms, the inner loops of every
 * learner. The mean of n_rounds >= 1 of about a fifth of a millisecond each: what disturbs the learner disturbs them
 * too.
 */
double calibration_s(size_t n_rounds);

#endif
