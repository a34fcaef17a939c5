/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/shell_word.h"

#include <string.h>

static const char BLANKS[] = " \t\n";

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

/* Appends the word that begins here without its quotes; `*end` is behind it. */
static status read_word(const char *at, text_buffer *word, const char **end, error_info *err) {
    char quote = '\0';
    for (; *at && (quote || !strchr(BLANKS, *at)); at++) {
        if (*at == quote) {
            quote = '\0';
        } else if (!quote && (*at == '\'' || *at == '"')) {
            quote = *at;
        } else if (*at == '\\' && quote != '\'') {
            if (!*++at)
                return error_set(err, STATUS_INVALID, "a backslash is the last character");
            text_append_bytes(word, at, 1);
        } else {
            text_append_bytes(word, at, 1);
        }
    }
    *end = at;
    return quote ? error_set(err, STATUS_INVALID, "a %c is not closed", quote) : text_buffer_check(word, err);
}

status shell_split_words(const char *line, char ***words, size_t *n, error_info *err) {
    for (line += strspn(line, BLANKS); *line; line += strspn(line, BLANKS)) {
        AUTO(text_buffer_clear) text_buffer word = {0};
        CHECK(read_word(line, &word, &line, err));
        CHECK(texts_add(words, n, word.data ? word.data : "", err));
    }
    return STATUS_OK;
}
