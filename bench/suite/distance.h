/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far two processors are from each other. The host of a virtual machine moves its processors, within minutes: to
 * two that share a cache, or to two that do not; and threads that share data take longer there. */
#ifndef BNB_BENCH_SUITE_DISTANCE_H
#define BNB_BENCH_SUITE_DISTANCE_H

/** Up to this they are near each other: some 0.1 microseconds with a cache in common, 0.4 and more without. */
#define DISTANCE_NEAR_S 250e-9

/** Seconds in which a line of the cache goes from one processor to another and back: the mean of some hundred times,
 * the least of a few such means. NAN where the process has one processor. */
double distance_round_trip_s(void);

#endif
