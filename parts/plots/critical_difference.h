/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The critical-difference diagram of a Friedman test (Demsar, J. Machine Learning Research 7 (2006) 1-30, figure 1):
 * a panel a sample size, mean ranks on a line, a bar over learners that do not differ significantly by Nemenyi's test.
 */
#ifndef BNB_PARTS_PLOTS_CRITICAL_DIFFERENCE_H
#define BNB_PARTS_PLOTS_CRITICAL_DIFFERENCE_H

#include "core/base/text.h"
#include "document/drawing/look.h"
#include "parts/tests/significance.h"

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *test; /* the id of a Friedman test */
    plot_style style;
} critical_difference_spec;

/**
 * A gnuplot script that writes pictures called `file_name` into the folder it runs in.
 * @param title NULL: made of the test's metric
 * @param style size and font; it has no key. A height that is not given is that of its lines
 * @param file_name a plain name, as display_file_name makes it
 */
BNB_MUST_CHECK status critical_difference_append_script(const significance *s, const char *title,
                                                        const plot_style *style, const char *file_name,
                                                        text_buffer *out, error_info *err);

#endif
