/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How fast this processor is at this moment: the time of a fixed piece of work, against which times of two runs, or of
 * two nights, can be held. */
#ifndef BNB_CORE_RUN_CALIBRATION_H
#define BNB_CORE_RUN_CALIBRATION_H

/**
 * CPU seconds of the fixed work: counting over 64 KiB of bits, byte histograms and logarithms, the inner loops of every
 * learner. The mean of five rounds of about half a millisecond each: what disturbs the learner disturbs them too.
 */
double calibration_s(void);

#endif
