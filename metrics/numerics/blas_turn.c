/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/blas_turn.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void blas_begin(void) {
    (void)pthread_mutex_lock(&turn);
}

void blas_end(void) {
    (void)pthread_mutex_unlock(&turn);
}
