/* SPDX-License-Identifier: GPL-3.0-or-later */
/** In front of every source of the preset `coverage`: a process that leaves by _exit, as those of jobs do, keeps its counts. */
#ifndef BNB_TESTS_COVERAGE_FLUSH_H
#define BNB_TESTS_COVERAGE_FLUSH_H

#include <unistd.h>

void __gcov_dump(void); /* NOLINT(cert-dcl51-cpp): gcc's */
#define _exit(status) (__gcov_dump(), _exit(status))

#endif
