/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/random.h"

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

random_key random_key_of(uint64_t seed) {
    return (random_key){mix(seed + 0x9E3779B97F4A7C15u)};
}

random_key random_key_number(random_key key, uint64_t number) {
    return (random_key){mix(key.hash * 0x9FB21C651E98DF25u + mix(number + 0x632BE59BD9B4E019u))};
}

random_key random_key_text(random_key key, const char *word) {
    uint64_t h = 14695981039346656037u;
    for (; *word; word++)
        h = (h ^ (unsigned char)*word) * 1099511628211u;
    return random_key_number(key, h);
}

void random_stream_init(random_stream *stream, random_key key) {
    uint64_t z = key.hash;
    for (int i = 0; i < 4; i++)
        stream->s[i] = mix(z += 0x9E3779B97F4A7C15u);
}

static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

uint64_t random_next(random_stream *stream) {
    uint64_t *s = stream->s;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double random_uniform(random_stream *stream) {
    return (double)(random_next(stream) >> 11) * 0x1p-53;
}

uint64_t random_below(random_stream *stream, uint64_t n) {
    uint64_t reject = (UINT64_MAX - n + 1) % n; /* 2^64 mod n values at the low end would be drawn once too often */
    uint64_t r;
    do
        r = random_next(stream);
    while (r < reject);
    return r % n;
}

void random_permutation(random_stream *stream, size_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)random_below(stream, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static void gsl_set(void *state, unsigned long seed) {
    random_stream_init(state, random_key_of(seed));
}

static unsigned long gsl_get(void *state) {
    return (unsigned long)(random_next(state) >> 32);
}

static double gsl_get_double(void *state) {
    return random_uniform(state);
}

static const gsl_rng_type stream_type = {
    .name = "bnbench-xoshiro256++",
    .max = 0xFFFFFFFFul,
    .min = 0,
    .size = sizeof(random_stream),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

const gsl_rng *random_as_gsl(random_stream *stream, random_gsl *gsl) {
    gsl->rng = (gsl_rng){.type = &stream_type, .state = stream};
    return &gsl->rng;
}
