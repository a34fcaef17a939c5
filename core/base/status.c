/* SPDX-License-Identifier: GPL-3.0-or-later */
#define BNB_STATUS_SOURCE
#include "core/base/status.h"

#include "core/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message is text: half of a character, where a name or the whole was cut, does not stay. */
static void finish(error_info *err) {
    utf8_trim(err->message);
    utf8_clean(err->message);
}

status error_set(error_info *err, status code, const char *format, ...) {
    char message[sizeof err->message] = ""; /* what is formatted may be the message that was there */
    va_list args;
    if (!err)
        return code;
    err->code = code;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    memcpy(err->message, message, sizeof message);
    finish(err);
    return code;
}

status error_out_of_memory(error_info *err) {
    return error_set(err, STATUS_MEMORY, "out of memory");
}

void error_context(error_info *err, const char *format, ...) {
    char inner[sizeof err->message];
    va_list args;
    int length;
    if (!err)
        return;
    memcpy(inner, err->message, sizeof inner);
    va_start(args, format);
    length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length + 2 < sizeof err->message) {
        memcpy(err->message + length, ": ", 2);
        length += 2;
        memcpy(err->message + length, inner, sizeof inner - (size_t)length);
        err->message[sizeof err->message - 1] = '\0';
    }
    finish(err);
}

status error_at(status st, error_info *err, const char *where) {
    if (st != STATUS_OK)
        error_context(err, "%.300s", where);
    return st;
}

const char *status_name(status code) {
    static const char *const names[] = {"ok", "invalid", "parse", "missing", "io", "memory", "bug"};
    return (size_t)code < sizeof names / sizeof *names ? names[code] : "unknown";
}
