/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Where two processors stand to each other. The host of a virtual machine moves its processors, within seconds: to two
 * cores with a cache in common; to two without, where threads that share data take longer; or to one core, whose two
 * hardware threads take turns at its units, so that two are hardly faster than one, whatever the program.
 */
#ifndef BNB_BENCH_SUITE_PLACEMENT_H
#define BNB_BENCH_SUITE_PLACEMENT_H

#include <stdbool.h>

/** Up to this they are near each other: some 0.1 microseconds with a cache in common, 0.3 and more without. */
#define PLACEMENT_NEAR_S 250e-9

/** Up to this each has a core of its own: 1.0 then, 1.6 and more of one core; what else runs may add a little. */
#define PLACEMENT_OWN_CORE 1.25

typedef struct {
    double round_trip_s; /* of a line of the cache, from one to the other and back: the least of a few means */
    double slowdown;     /* of fixed work on one while the other does the same; the median of a few, over alone */
} placement;

/** Takes three milliseconds. Both NAN where the process has one processor. */
placement placement_look(void);

/** Both looks, before and after some runs: the worse of each figure. */
placement placement_worse(placement before, placement after);

/** Whether it is two cores with a cache in common. */
bool placement_is_near(placement p);

#endif
