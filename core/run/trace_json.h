/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A trace as JSON; the caller's, NULL without memory. */
#ifndef BNB_CORE_RUN_TRACE_JSON_H
#define BNB_CORE_RUN_TRACE_JSON_H

#include "core/run/trace.h"

#include <jansson.h>

/** {"FIGURE": value, ...} */
json_t *json_of_figures(const trace *t);

/** {"SERIES": [[step, value], ...], ...} */
json_t *json_of_series(const trace *t);

#endif
