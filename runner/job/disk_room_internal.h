/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a full disk is to blame for what a program did, and whether the program filled it. */
#ifndef BNB_RUNNER_JOB_DISK_ROOM_INTERNAL_H
#define BNB_RUNNER_JOB_DISK_ROOM_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes that the files below a folder take on the disk. */
uint64_t disk_room_used(const char *folder);

/** Whether a small file more does not fit below a folder. */
bool disk_room_is_full(const char *folder);

/**
 * Looks when a program is over whose folder took `used_before` bytes when it began.
 * @return STATUS_IO: the disk is full, and the program took little of it: it ought to run again when there is room.
 *         STATUS_INVALID: the program itself filled it.
 */
BNB_MUST_CHECK status disk_room_check(const char *folder, uint64_t used_before, error_info *err);

#endif
