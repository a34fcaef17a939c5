/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text_show.h"

#include <stdio.h>

static char show_byte(char c) {
    if ((unsigned char)c < ' ' || c == 0x7F)
        return '?';
    return c;
}

const char *text_show(const char *text, size_t length, char shown[TEXT_SHOWN_SIZE]) {
    size_t most = TEXT_SHOWN_SIZE - 4, n = length < most ? length : most;
    while (n < length && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    for (size_t i = 0; i < n; i++)
        shown[i] = show_byte(text[i]);
    (void)snprintf(shown + n, 4, "%s", n < length ? "..." : "");
    return shown;
}
