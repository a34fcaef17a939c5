/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The frame of an HTML page: it holds its style and script, and a policy that lets nothing else run or load. */
#ifndef BNB_REPORT_HTML_FRAME_H
#define BNB_REPORT_HTML_FRAME_H

#include "core/base/text.h"
#include "document/document.h"

/** 'sha256-...' of an inline style or script, as a Content-Security-Policy names it. */
BNB_MUST_CHECK status html_append_hash(text_buffer *out, const char *text, error_info *err);

/** From the doctype to the beginning of the body; the script is that of the report's page. */
BNB_MUST_CHECK status html_open_page(const char *title, bool with_script, text_buffer *out, error_info *err);
void html_close_page(text_buffer *out);

/** A page of one document, without a script. */
BNB_MUST_CHECK status html_append_page(const char *title, const document *d, text_buffer *out, error_info *err);

#endif
