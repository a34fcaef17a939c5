/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Files that are read from the disk, and not from memory where the system keeps what was read before. What a host of
 * a virtual machine keeps, it keeps. */
#ifndef BNB_BENCH_SUITE_DISK_H
#define BNB_BENCH_SUITE_DISK_H

#include "core/base/status.h"

/** Asks the system to keep nothing of the file. */
BNB_MUST_CHECK status disk_forget(const char *path, error_info *err);

/** The seconds that it takes to read the file from its beginning to its end, and do nothing with it. */
BNB_MUST_CHECK status disk_read(const char *path, double *seconds, error_info *err);

#endif
