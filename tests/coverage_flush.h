/* SPDX-License-Identifier: GPL-3.0-or-later */
/** In front of every source of the preset `coverage`: a process that leaves by _exit, as those of jobs do, keeps its
 * counts. */
#ifndef BNB_TESTS_COVERAGE_FLUSH_H
#define BNB_TESTS_COVERAGE_FLUSH_H

#include <unistd.h>

void __gcov_dump(void); /* NOLINT(cert-dcl51-cpp): gcc's */

_Noreturn static inline void flush_and_exit(int status) { /* once its argument has run */
    __gcov_dump();
    _exit(status);
}
#define _exit flush_and_exit

#endif
