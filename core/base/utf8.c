/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/utf8.h"

#include <string.h>

/* What the first byte says of a character's length; 0 where it begins none (C0 and C1 would begin longer forms). */
static size_t length_of(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

size_t utf8_read(const char *s, size_t n, uint32_t *code) {
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = length_of((unsigned char)*s);
    uint32_t value = (unsigned char)*s & masks[length];
    if (length > n)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (!utf8_is_inner(s[i]))
            return 0;
        value = value << 6 | ((unsigned char)s[i] & 0x3Fu);
    }
    if (length == 0 || value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    if (code)
        *code = value;
    return length;
}

size_t utf8_cut(const char *s, size_t n, size_t most) {
    size_t cut = n < most ? n : most;
    while (cut < n && cut > 0 && utf8_is_inner(s[cut]))
        cut--;
    return cut;
}

void utf8_trim(char *s) {
    size_t n = strlen(s), first = n;
    while (first > 0 && utf8_is_inner(s[first - 1]))
        first--;
    if (first > 0 && length_of((unsigned char)s[first - 1]) > n - (first - 1))
        s[first - 1] = '\0';
}

/* Those of one byte but tab and line end, and those of two (C1), which some terminals obey as well. */
static bool is_control(uint32_t code) {
    return (code < ' ' && code != '\n' && code != '\t') || (code >= 127 && code < 0xA0);
}

void utf8_clean(char *s) {
    while (*s) {
        uint32_t code = 0;
        size_t n = utf8_read(s, SIZE_MAX, &code);
        if (n == 0 || is_control(code))
            memset(s, '?', n ? n : 1);
        s += n ? n : 1;
    }
}
