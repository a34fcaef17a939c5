/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/text_place.h"

#include <stdarg.h>
#include <stdio.h>

status text_place_error(text_place place, error_info *err, const char *format, ...) {
    char message[700];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (place.line == 0)
        return error_set(err, STATUS_PARSE, "%s", message);
    return error_set(err, STATUS_PARSE, "%zu:%zu: %s", place.line, place.column, message);
}
