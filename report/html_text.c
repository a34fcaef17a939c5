/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms that texts and bytes take inside the HTML page. */
#include "report/html_internal.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the UTF-8 character at s (overlong forms and surrogates count as none), or 0. */
static size_t sequence_length(const unsigned char *s, unsigned long *code) {
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : 4;
    if (s[0] >= 0xF5 || (n == 4 && s[0] < 0xF0))
        return 0;
    *code = s[0] & masks[n];
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (s[i] & 0x3Fu);
    }
    return *code < least[n] || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000) ? 0 : n;
}

void html_append_json(text_buffer *out, const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    text_append(out, "\"");
    while (*s) {
        unsigned long code = 0;
        size_t n = sequence_length(s, &code);
        bool is_plain = n > 1 || (n == 1 && code >= 0x20 && code != 0x7F && !strchr("\"\\<>&", (int)code));
        if (n == 0)
            text_append(out, "\xEF\xBF\xBD");
        else if (is_plain && code != 0x2028 && code != 0x2029)
            text_append_bytes(out, (const char *)s, n);
        else
            text_append_format(out, "\\u%04lx", code);
        s += n ? n : 1;
    }
    text_append(out, "\"");
}

status html_append_hash(text_buffer *out, const char *text, error_info *err) {
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int n = 0;
    if (EVP_Digest(text, strlen(text), hash, &n, EVP_sha256(), NULL) != 1)
        return error_out_of_memory(err);
    text_append(out, "'sha256-");
    html_append_base64(out, (const char *)hash, n);
    text_append(out, "'");
    return STATUS_OK;
}
