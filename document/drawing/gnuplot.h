/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * gnuplot as a program: found on PATH, or named by BNBENCH_GNUPLOT; its arguments as an array, never through a shell.
 * What comes from outside gets into a script through gnuplot_append_text alone.
 */
#ifndef BNB_DOCUMENT_DRAWING_GNUPLOT_H
#define BNB_DOCUMENT_DRAWING_GNUPLOT_H

#include "core/base/status.h"
#include "core/base/text.h"

/**
 * Runs a script, whose pictures are moved into its folder once each of them is whole.
 *
 * @param folder    where the script lies; gnuplot works in a private one below it
 * @param script    the file's name without folder
 * @param timeout_s gnuplot is killed after so many seconds
 * @return STATUS_MISSING: there is no gnuplot. STATUS_INVALID: it failed or took too long; the message holds what it
 * said. STATUS_IO: the pictures could not be written.
 */
BNB_MUST_CHECK status gnuplot_run(const char *folder, const char *script, double timeout_s, error_info *err);

/**
 * Appends any text as a gnuplot string that means just this text: in single quotes, where gnuplot knows neither escapes
 * nor backquotes. A quote becomes a typographic apostrophe, a control character a blank, broken UTF-8 "?"; at most
 * `most` columns. To be drawn with `noenhanced`.
 */
void gnuplot_append_text(text_buffer *b, const char *text, size_t most);

#endif
