/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A place in a text that is read, for messages: line and column, both from 1; line 0 where nothing is known. */
#ifndef BNB_GENERATORS_NETWORKS_TEXT_PLACE_H
#define BNB_GENERATORS_NETWORKS_TEXT_PLACE_H

#include "core/base/status.h"

typedef struct {
    size_t line, column; /* characters, not bytes */
} text_place;

/** STATUS_PARSE, "line:column: ...", or the message alone where the place is not known. */
status text_place_error(text_place place, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);

#endif
