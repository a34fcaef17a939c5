/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/shell_word.h"

#include <string.h>

void shell_append_word(text_buffer *out, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,:+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_append(out, word);
        return;
    }
    text_append(out, "'");
    for (; *word; word++)
        text_append_bytes(out, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    text_append(out, "'");
}
