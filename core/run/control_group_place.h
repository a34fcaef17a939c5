/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where the kernel keeps the control group of this process: man 7 cgroups. */
#ifndef BNB_CORE_RUN_CONTROL_GROUP_PLACE_H
#define BNB_CORE_RUN_CONTROL_GROUP_PLACE_H

#include <stddef.h>

/** `folder` is the caller's to free, NULL where there is none. Its first `top` bytes (0 without a folder) are the
 * folder of the outermost group that is seen here: where the hierarchy is mounted. */
typedef struct {
    char *folder;
    size_t top;
} control_group_place;

/**
 * The group `cgroup` in a hierarchy that is mounted as `mountinfo` says: texts as in /proc/self/.
 * @param controller of cgroup v1, "cpu"; NULL: cgroup v2
 */
control_group_place control_group_place_find(const char *mountinfo, const char *cgroup, const char *controller);

/** The same of this process. */
control_group_place control_group_place_own(const char *controller);

/** The least limit of the group and of those around it; INFINITY where there is none. `limit` reads that of the group
 * in one folder, INFINITY without. */
double control_group_place_least(const control_group_place *place, double (*limit)(const char *folder));

/** The least of the groups of this process of either version; `controller` is that of v1. */
double control_group_place_least_own(const char *controller, double (*limit)(const char *folder));

/** The text of a file of the group in that folder, on the heap; NULL where it cannot be read. */
char *control_group_place_text(const char *folder, const char *name);

#endif
