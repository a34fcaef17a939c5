/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One thread at a time calls BLAS and LAPACK. An OpenBLAS without threads of its own may have no locks for the memory
 * that its calls share: of 20,000 products by each of two threads beside each other Debian's (openblas-serial 0.3.21)
 * gave 541 wrong ones.
 */
#ifndef BNB_METRICS_NUMERICS_BLAS_TURN_H
#define BNB_METRICS_NUMERICS_BLAS_TURN_H

/** Waits until no other thread of the process is between these two. Some 20 nanoseconds where none is. */
void blas_begin(void);
void blas_end(void);

#endif
