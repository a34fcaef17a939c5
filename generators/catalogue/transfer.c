/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/transfer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>
#include <openssl/evp.h>

enum {
    MOST_BYTES = 64 << 20,
    MOST_REDIRECTIONS = 5,
    CONNECT_S = 20,
    SLOW_BYTES_A_SECOND = 100,
    SLOW_S = 30,
    WHOLE_S = 600
};

typedef struct {
    text_buffer *bytes;
    bool is_too_long;
} received;

/* A return of anything but the size ends the transfer. */
static size_t receive(char *bytes, size_t size, size_t n, void *into) {
    received *r = into;
    size_t length = size * n;
    r->is_too_long = r->bytes->length + length > MOST_BYTES;
    if (r->is_too_long)
        return 0;
    text_append_bytes(r->bytes, bytes, length);
    return r->bytes->failed ? 0 : length;
}

static bool set_limits(CURL *curl) {
    return curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTIONS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES_A_SECOND) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)WHOLE_S) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)MOST_BYTES) == CURLE_OK;
}

/* Signals stay the program's own: no alarm for time-outs. */
static bool set_up(CURL *curl, const char *url, received *into, char *message) {
    bool is_secure = strncasecmp(url, "https:", 6) == 0;
    return set_limits(curl) && curl_easy_setopt(curl, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERAGENT, "bnbench") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, message) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, into) == CURLE_OK;
}

static status explain(CURLcode code, const received *r, const char *message, error_info *err) {
    if (code == CURLE_OUT_OF_MEMORY || r->bytes->failed)
        return error_out_of_memory(err);
    if (r->is_too_long || code == CURLE_FILESIZE_EXCEEDED)
        return error_set(err, STATUS_PARSE, "more than %d MiB come; nothing that bnbench fetches is that large",
                         MOST_BYTES >> 20);
    return error_set(err, STATUS_MISSING, "%s", *message ? message : curl_easy_strerror(code));
}

status transfer_get(const char *url, text_buffer *out, error_info *err) {
    received into = {.bytes = out};
    char message[CURL_ERROR_SIZE] = "";
    CURL *curl = curl_easy_init();
    CURLcode code;
    status st = STATUS_OK;
    CHECK_ALLOC(curl);
    if (!set_up(curl, url, &into, message))
        st = error_set(err, STATUS_BUG, "libcurl refuses an option: %s", message);
    else if ((code = curl_easy_perform(curl)) != CURLE_OK)
        st = explain(code, &into, message, err);
    else if (into.bytes->length == 0)
        st = error_set(err, STATUS_MISSING, "the file there is empty");
    curl_easy_cleanup(curl);
    return st;
}

status transfer_digest(const text_buffer *bytes, char digest[TRANSFER_DIGEST_SIZE], error_info *err) {
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_Digest(bytes->data, bytes->length, sum, &length, EVP_sha256(), NULL) != 1)
        return error_out_of_memory(err);
    for (unsigned i = 0; i < length; i++)
        (void)snprintf(digest + (size_t)i * 2, 3, "%02x", sum[i]);
    return STATUS_OK;
}

char *transfer_address(const char *base, const char *name, const char *stem, const char *suffix) {
    text_buffer url = {0};
    size_t length = strlen(base);
    while (length > 0 && base[length - 1] == '/')
        length--;
    text_append_bytes(&url, base, length);
    text_append_format(&url, "/%s/%s%s", name, stem, suffix);
    if (url.failed)
        text_buffer_clear(&url);
    return url.data;
}
