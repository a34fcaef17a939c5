/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The page's plots, in the look of the report's. */
#ifndef BNB_BENCH_SUITE_PLOTS_H
#define BNB_BENCH_SUITE_PLOTS_H

#include "bench/suite/rows.h"

typedef struct {
    const char *file_name, *title, *caption, *x_label, *y_label;
} plot_words;

/** Writes folder/FILE_NAME.svg, both axes logarithmic. STATUS_MISSING: there is no gnuplot. */
BNB_MUST_CHECK status plot_series(const series *s, size_t n, const plot_words *words, const char *folder,
                                  error_info *err);

#endif
