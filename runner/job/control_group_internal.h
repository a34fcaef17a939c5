/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A control group (cgroup v2) for one job: no process that the job starts, however it detaches itself, leaves it. */
#ifndef BNB_RUNNER_JOB_CONTROL_GROUP_INTERNAL_H
#define BNB_RUNNER_JOB_CONTROL_GROUP_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

/** The folder of the group of this process, on the heap; NULL where there is no cgroup v2, or no group may be made in
 * it. */
char *control_group_own(void);

/**
 * Makes a group in the folder of another one; ends with control_group_destroy. NULL where it cannot be made.
 * @param memory_limit bytes that all its processes may have together; 0: no limit
 * @param has_limit    whether the kernel holds that limit: the group passes the memory controller on
 */
char *control_group_create(const char *parent, uint64_t memory_limit, bool *has_limit);

/**
 * fork, the new process in the group from its start: to move one that runs takes many milliseconds. It must do no more
 * than become another program. -1 where that cannot be.
 */
pid_t control_group_fork(const char *group);

/** True where the kernel ended processes of the group for want of memory. */
bool control_group_lacked_memory(const char *group);

/** SIGKILL to every process of the group and of those below it. */
void control_group_kill(const char *group);

/** Ends what is in the group, waits for it for some seconds at most, removes the folder and frees the name; NULL is
 * fine. */
void control_group_destroy(char *group);

/** The same for a group that a run which was killed left behind, if its name is one of ours. */
void control_group_remove_left(const char *group);

#endif
