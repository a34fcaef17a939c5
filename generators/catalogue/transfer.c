/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/transfer.h"

#include "core/base/late_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>
#include <openssl/evp.h>

enum { MOST_REDIRECTIONS = 5, CONNECT_S = 20, SLOW_BYTES_A_SECOND = 100, SLOW_S = 30, WHOLE_S = 600 };

/* Of libcurl. */
typedef struct {
    CURL *(*init)(void);
    CURLcode (*set)(CURL *handle, CURLoption option, ...);
    CURLcode (*perform)(CURL *handle);
    const char *(*explain)(CURLcode code);
    void (*clear)(CURL *handle);
} curl_calls;

static status find_curl(curl_calls *c, error_info *err) {
    const late_symbol symbols[] = {{"curl_easy_init", &c->init},
                                   {"curl_easy_setopt", &c->set},
                                   {"curl_easy_perform", &c->perform},
                                   {"curl_easy_strerror", &c->explain},
                                   {"curl_easy_cleanup", &c->clear}};
    return late_library_find(BNB_CURL, symbols, sizeof symbols / sizeof *symbols, err);
}

status transfer_find_library(const char **library, error_info *err) {
    curl_calls calls;
    *library = BNB_CURL;
    return find_curl(&calls, err);
}

typedef struct {
    text_buffer *bytes;
    bool is_too_long;
} received;

/* A return of anything but the size ends the transfer. */
static size_t receive(char *bytes, size_t size, size_t n, void *into) {
    received *r = into;
    size_t length = size * n;
    r->is_too_long = r->bytes->length + length > TRANSFER_MOST_BYTES;
    if (r->is_too_long)
        return 0;
    text_append_bytes(r->bytes, bytes, length);
    return r->bytes->failed ? 0 : length;
}

static bool set_limits(const curl_calls *c, CURL *curl) {
    return c->set(curl, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK &&
           c->set(curl, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTIONS) == CURLE_OK &&
           c->set(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S) == CURLE_OK &&
           c->set(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES_A_SECOND) == CURLE_OK &&
           c->set(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S) == CURLE_OK &&
           c->set(curl, CURLOPT_TIMEOUT, (long)WHOLE_S) == CURLE_OK &&
           c->set(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)TRANSFER_MOST_BYTES) == CURLE_OK;
}

/* Signals stay the program's own: no alarm for time-outs. */
static bool set_up(const curl_calls *c, CURL *curl, const char *url, bool allows_http, received *into, char *message) {
    bool is_secure = !allows_http || strncasecmp(url, "https:", 6) == 0;
    return set_limits(c, curl) && c->set(curl, CURLOPT_URL, url) == CURLE_OK &&
           c->set(curl, CURLOPT_PROTOCOLS_STR, allows_http ? "http,https" : "https") == CURLE_OK &&
           c->set(curl, CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https") == CURLE_OK &&
           c->set(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK && c->set(curl, CURLOPT_NOPROGRESS, 1L) == CURLE_OK &&
           c->set(curl, CURLOPT_FAILONERROR, 1L) == CURLE_OK &&
           c->set(curl, CURLOPT_USERAGENT, "bnbench") == CURLE_OK &&
           c->set(curl, CURLOPT_ERRORBUFFER, message) == CURLE_OK &&
           c->set(curl, CURLOPT_WRITEFUNCTION, receive) == CURLE_OK &&
           c->set(curl, CURLOPT_WRITEDATA, into) == CURLE_OK;
}

static status explain(const curl_calls *c, CURLcode code, const received *r, const char *message, error_info *err) {
    if (code == CURLE_OUT_OF_MEMORY || r->bytes->failed)
        return error_out_of_memory(err);
    if (r->is_too_long || code == CURLE_FILESIZE_EXCEEDED)
        return error_set(err, STATUS_PARSE, "more than %d MiB come; nothing that bnbench fetches is that large",
                         TRANSFER_MOST_BYTES >> 20);
    return error_set(err, STATUS_MISSING, "%s", *message ? message : c->explain(code));
}

status transfer_get(const char *url, bool allows_http, text_buffer *out, error_info *err) {
    received into = {.bytes = out};
    char message[CURL_ERROR_SIZE] = "";
    curl_calls c;
    CURL *curl;
    CURLcode code;
    status st = STATUS_OK;
    if (!allows_http && strncasecmp(url, "http:", 5) == 0)
        return error_set(err, STATUS_INVALID, "over plain http the file could be changed on its way; --http allows it");
    CHECK(find_curl(&c, err));
    curl = c.init();
    CHECK_ALLOC(curl);
    if (!set_up(&c, curl, url, allows_http, &into, message))
        st = error_set(err, STATUS_BUG, "libcurl refuses an option: %s", message);
    else if ((code = c.perform(curl)) != CURLE_OK)
        st = explain(&c, code, &into, message, err);
    else if (into.bytes->length == 0)
        st = error_set(err, STATUS_MISSING, "the file there is empty");
    c.clear(curl);
    return st;
}

status transfer_digest(const char *bytes, size_t length, char digest[TRANSFER_DIGEST_SIZE], error_info *err) {
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (EVP_Digest(bytes, length, sum, &n, EVP_sha256(), NULL) != 1)
        return error_out_of_memory(err);
    for (unsigned i = 0; i < n; i++)
        (void)snprintf(digest + (size_t)i * 2, 3, "%02x", sum[i]);
    return STATUS_OK;
}

status transfer_check_digest(const char *bytes, size_t length, const char *expected, const fetch_options *o,
                             fetch_check *check, error_info *err) {
    char digest[TRANSFER_DIGEST_SIZE];
    CHECK(transfer_digest(bytes, length, digest, err));
    *check = expected && strcmp(digest, expected) == 0 ? FETCH_BY_DIGEST : FETCH_BY_CONTENT;
    if (!expected || *check == FETCH_BY_DIGEST || o->allows_other)
        return STATUS_OK;
    return error_set(err, STATUS_PARSE,
                     "the SHA-256 of what came is %s, expected %s; --unverified keeps it all the same", digest,
                     expected);
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
