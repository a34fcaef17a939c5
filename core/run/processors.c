/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/processors_internal.h"

#include "core/base/file.h"
#include "core/base/status.h"

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

enum { MOST_BYTES = 4096 };

/* The text of a file of a group; NULL where it cannot be read. */
static char *text_of(const char *group, const char *name) {
    AUTO_FREE char *path = path_join(group, name);
    char *text = NULL;
    size_t length;
    return path && file_read(path, MOST_BYTES, &text, &length, NULL) == STATUS_OK ? text : NULL;
}

/* Microseconds of processor time in each period of so many; "max" and -1 are no limit. */
static double share_of(const char *quota, const char *period) {
    double time = strtod(quota, NULL), whole = strtod(period, NULL);
    return time > 0 && whole > 0 ? time / whole : INFINITY;
}

/* "150000 100000" */
static double quota_of_v2(const char *group) {
    AUTO_FREE char *text = text_of(group, "cpu.max");
    return text ? share_of(text, text + strcspn(text, " ")) : INFINITY;
}

static double quota_of_v1(const char *group) {
    AUTO_FREE char *quota = text_of(group, "cpu.cfs_quota_us"), *period = text_of(group, "cpu.cfs_period_us");
    return quota && period ? share_of(quota, period) : INFINITY;
}

double processors_quota_at(const control_group_place *place) {
    AUTO_FREE char *folder = place->folder ? strdup(place->folder) : NULL;
    double least = INFINITY;
    for (size_t n = folder ? strlen(folder) : 0; n >= place->top && n > 0;) {
        folder[n] = '\0';
        least = fmin(least, fmin(quota_of_v2(folder), quota_of_v1(folder)));
        for (n--; n > place->top && folder[n] != '/';)
            n--;
    }
    return least;
}

double processors_quota(void) {
    control_group_place v2 = control_group_find_own(NULL), v1 = control_group_find_own("cpu");
    double least = fmin(processors_quota_at(&v2), processors_quota_at(&v1));
    free(v2.folder);
    free(v1.folder);
    return least;
}

size_t processors_usable(void) {
    size_t n = processors_count();
    double quota = ceil(processors_quota());
    return quota < (double)n ? (size_t)fmax(quota, 1) : n;
}
