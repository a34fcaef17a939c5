/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How many processors this process has the use of. */
#ifndef BNB_CORE_RUN_PROCESSORS_H
#define BNB_CORE_RUN_PROCESSORS_H

#include <stddef.h>

/** Processors that it may run on, at least 1. */
size_t processors_count(void);

/**
 * Processors' worth of time that a control group (a container's limit of processors, CPUQuota of systemd) lets it
 * use, such as 1.5: the least of all groups that it is in. INFINITY without a limit.
 */
double processors_quota(void);

/** As many as can be busy at a time: processors_count(), or processors_quota() rounded up where that is less. */
size_t processors_usable(void);

#endif
