/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A comparison of two runs as JUnit XML, which CI systems show: a test case a cell, a failure a regression. */
#ifndef BNB_REPORT_DIFFERENCE_JUNIT_H
#define BNB_REPORT_DIFFERENCE_JUNIT_H

#include "core/base/text.h"
#include "report/difference/difference.h"

/** Jobs that fail now are test cases of their own; what is not measured any more is an error. */
void junit_append(const difference *d, const char *experiment, text_buffer *out);

#endif
