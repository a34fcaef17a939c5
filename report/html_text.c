/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms that texts and bytes take inside the HTML page. */
#include "report/html_internal.h"

#include "core/base/utf8.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

void html_append_json(text_buffer *out, const char *text) {
    text_append(out, "\"");
    for (size_t n; *text; text += n ? n : 1) {
        uint32_t code = 0;
        n = utf8_read(text, SIZE_MAX, &code);
        bool is_plain = n > 1 || (n == 1 && code >= 0x20 && code != 0x7F && !strchr("\"\\<>&", (int)code));
        if (n == 0)
            text_append(out, UTF8_REPLACEMENT);
        else if (is_plain && code != 0x2028 && code != 0x2029)
            text_append_bytes(out, text, n);
        else
            text_append_format(out, "\\u%04" PRIx32, code);
    }
    text_append(out, "\"");
}

void html_append_base64(text_buffer *out, const char *bytes, size_t n) {
    enum { PART = 3 * 1024 };
    unsigned char text[PART / 3 * 4 + 1];
    for (size_t at = 0; at < n; at += PART) {
        size_t length = n - at < PART ? n - at : PART;
        int written = EVP_EncodeBlock(text, (const unsigned char *)bytes + at, (int)length);
        text_append_bytes(out, (const char *)text, (size_t)written);
    }
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
