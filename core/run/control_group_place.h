/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where the kernel keeps the control group of this process: man 7 cgroups. */
#ifndef BNB_CORE_RUN_CONTROL_GROUP_PLACE_H
#define BNB_CORE_RUN_CONTROL_GROUP_PLACE_H

#include <stddef.h>

/** `folder` on the heap, NULL where there is none. Its first `top` bytes are the folder of the outermost group that is
 * seen here: where the hierarchy is mounted. */
typedef struct {
    char *folder;
    size_t top;
} control_group_place;

/**
 * The group `cgroup` in a hierarchy that is mounted as `mountinfo` says: texts as in /proc/self/.
 * @param controller of cgroup v1, "cpu"; NULL: cgroup v2
 */
control_group_place control_group_find(const char *mountinfo, const char *cgroup, const char *controller);

/** The same of this process. */
control_group_place control_group_find_own(const char *controller);

#endif
