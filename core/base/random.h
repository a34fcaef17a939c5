/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random streams. No global generator: a stream's seed is a hash of what the stream is for (experiment seed, purpose,
 * network, sample size, replicate, ...), so no result depends on the order in which jobs run.
 */
#ifndef BNB_CORE_BASE_RANDOM_H
#define BNB_CORE_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_rng.h>

/** The hash of a stream's purpose: start with a seed, then add words and numbers. A value; copy it freely. */
typedef struct {
    uint64_t hash;
} random_key;

random_key random_key_of(uint64_t seed);
random_key random_key_text(random_key key, const char *word);
random_key random_key_number(random_key key, uint64_t number);

/**
 * A stream: xoshiro256++ (Blackman and Vigna 2021, ACM Trans. Math. Softw. 47(4)), its state filled by splitmix64.
 * Ours because GSL's generators take 32 bits of seed at most, and thousands of streams want more.
 */
typedef struct {
    uint64_t s[4];
} random_stream;

void random_stream_init(random_stream *stream, random_key key);
uint64_t random_next(random_stream *stream);

/** Uniform on [0, 1) with 53 bits. */
double random_uniform(random_stream *stream);

/** Uniform on 0 .. n-1, without bias; n > 0. */
uint64_t random_below(random_stream *stream, uint64_t n);

/** A uniform permutation of 0 .. n-1 into `order` (Fisher and Yates). */
void random_permutation(random_stream *stream, size_t *order, size_t n);

/** The stream as GSL's distributions want it: `gsl` points into `stream` and advances it. */
typedef struct {
    gsl_rng rng;
} random_gsl;
const gsl_rng *random_as_gsl(random_stream *stream, random_gsl *gsl);

#endif
