/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/calibration.h"

#include "core/run/run_context.h"

#include <math.h>
#include <stdint.h>

enum { N_PASSES = 4, N_WORDS = 8192, N_LOGARITHMS = 8192 };

static uint64_t step(uint64_t x) {
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

static double work(void) {
    static const uint64_t mask = 0x0f0f0f0f0f0f0f0fULL;
    uint32_t histogram[256] = {0};
    uint64_t x = 88172645463325252ULL, n_bits = 0;
    double sum = 0;
    for (int pass = 0; pass < N_PASSES; pass++) {
        for (int i = 0; i < N_WORDS; i++) {
            x = step(x);
            n_bits += (uint64_t)__builtin_popcountll(x & mask);
            histogram[x >> 56]++;
        }
    }
    for (int i = 1; i <= N_LOGARITHMS; i++)
        sum += log((double)histogram[i & 255] + i);
    return sum + (double)n_bits;
}

/* By the time of this thread: others may still look for work. */
double calibration_s(size_t n_rounds) {
    double began = run_thread_cpu_s(), sum = 0;
    for (size_t round = 0; round < n_rounds; round++)
        sum += work();
    return sum > 0 ? (run_thread_cpu_s() - began) / (double)n_rounds
                   : 0; /* asked, so that the work is done: a sum of bits is positive */
}
