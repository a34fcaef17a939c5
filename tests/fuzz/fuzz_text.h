/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What targets of texts share. */
#ifndef BNB_TESTS_FUZZ_TEXT_H
#define BNB_TESTS_FUZZ_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** The input on the heap, exactly as long as it is, so that reading past its end is seen; NULL without memory. */
static inline char *fuzz_copy(const uint8_t *data, size_t size) {
    char *text = malloc(size ? size : 1);
    if (text && size)
        memcpy(text, data, size);
    return text;
}

#endif
