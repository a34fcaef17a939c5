/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/processors.h"

#include "core/base/status.h"
#include "core/run/control_group_place.h"
#include "core/run/processors_internal.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t processors_count(void) {
    cpu_set_t set;
    long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (size_t)n;
}

/* Microseconds of processor time in each period of so many; "max" and -1 are no limit. */
static double share_of(const char *quota, const char *period) {
    double time = strtod(quota, NULL), whole = strtod(period, NULL);
    return time > 0 && whole > 0 ? time / whole : INFINITY;
}

/* "150000 100000" */
static double quota_of_v2(const char *group) {
    AUTO_FREE char *text = control_group_place_text(group, "cpu.max");
    return text ? share_of(text, text + strcspn(text, " ")) : INFINITY;
}

static double quota_of_v1(const char *group) {
    AUTO_FREE char *quota = control_group_place_text(group, "cpu.cfs_quota_us");
    AUTO_FREE char *period = control_group_place_text(group, "cpu.cfs_period_us");
    return quota && period ? share_of(quota, period) : INFINITY;
}

double processors_quota_of(const char *group) {
    return fmin(quota_of_v2(group), quota_of_v1(group));
}

double processors_quota(void) {
    return control_group_place_least_own("cpu", processors_quota_of);
}

size_t processors_usable(void) {
    size_t n = processors_count();
    double quota = ceil(processors_quota());
    return quota < (double)n ? (size_t)fmax(quota, 1) : n;
}
