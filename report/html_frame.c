/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Style and script lie in report/page/. */
#include "report/html_frame.h"

#include "report_page.h"

#include <openssl/evp.h>
#include <string.h>

status html_append_hash(text_buffer *out, const char *text, error_info *err) {
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int n = 0;
    if (EVP_Digest(text, strlen(text), hash, &n, EVP_sha256(), NULL) != 1)
        return error_out_of_memory(err);
    text_append(out, "'sha256-");
    html_append_base64(out, (const char *)hash, n);
    text_append(out, "'");
    return STATUS_OK;
}

static status append_policy(bool with_script, text_buffer *out, error_info *err) {
    text_append(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                     "style-src ");
    CHECK(html_append_hash(out, report_page_style, err));
    if (with_script) {
        text_append(out, "; script-src ");
        CHECK(html_append_hash(out, report_page_script, err));
    }
    text_append(out, "; base-uri 'none'; form-action 'none'\">\n");
    return STATUS_OK;
}

status html_open_page(const char *title, bool with_script, text_buffer *out, error_info *err) {
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    CHECK(append_policy(with_script, out, err));
    text_append(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_append_text(out, title);
    text_append(out, "</title>\n<style>");
    text_append(out, report_page_style);
    text_append(out, "</style>\n");
    if (with_script) {
        text_append(out, "<script>");
        text_append(out, report_page_script);
        text_append(out, "</script>\n");
    }
    text_append(out, "</head>\n<body>\n");
    return STATUS_OK;
}

void html_close_page(text_buffer *out) {
    text_append(out, "</body>\n</html>\n");
}

status html_append_page(const char *title, const document *d, text_buffer *out, error_info *err) {
    html_writer page = {.top = 1};
    CHECK(html_open_page(title, false, out, err));
    text_append(out, "<main>\n");
    CHECK(document_write_html(d, &page, out, err));
    text_append(out, "</main>\n");
    html_close_page(out);
    return text_buffer_check(out, err);
}
