/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as LaTeX that means just this text. */
#include "document/display.h"

#include "core/base/utf8.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *character, *text;
} replacements[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"^", "\\textasciicircum{}"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"%", "\\%"},
    {"\"", "\\textquotedbl{}"},
    {"'", "\\textquotesingle{}"},
    {"`", "\\textasciigrave{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"-", "{-}"}, /* two of them would be joined to a dash */
    {"[", "{[}"}, /* behind \\ it would be a length */
    {"]", "{]}"},
    {"*", "{*}"}, /* behind \\ it would be its other form */
    {"\xE2\x80\xA6", "\\ldots{}"},
    {"\xE2\x80\x93", "\\textendash{}"},
    {"\xE2\x80\x94", "\\textemdash{}"},
    {"\xE2\x80\x99", "\\textquoteright{}"},
    {"\xE2\x86\x92", "$\\rightarrow$"},
    {"\xC3\x97", "$\\times$"},
    {"\xC2\xB1", "$\\pm$"},
};
enum { N_REPLACEMENTS = sizeof replacements / sizeof *replacements };

/* Letters of Latin-1 and Latin Extended-A, which T1 has; not the few there that it lacks. */
static bool is_known(const char *s, size_t n) {
    unsigned code = n == 2 ? ((unsigned char)s[0] & 0x1Fu) << 6 | ((unsigned char)s[1] & 0x3Fu) : 0;
    if (n == 1)
        return true;
    if (n > 2 || code == 0xD7 || code == 0xF7)
        return false;
    return (code >= 0xC0 && code <= 0xFF) || (code >= 0x100 && code <= 0x107) || (code >= 0x10C && code <= 0x111) ||
           (code >= 0x118 && code <= 0x11B) || (code >= 0x141 && code <= 0x144) || (code >= 0x158 && code <= 0x15B) ||
           (code >= 0x160 && code <= 0x161) || (code >= 0x179 && code <= 0x17E);
}

static const char *replacement_of(const char *s, size_t n) {
    for (size_t i = 0; i < N_REPLACEMENTS; i++) {
        if (strlen(replacements[i].character) == n && strncmp(replacements[i].character, s, n) == 0)
            return replacements[i].text;
    }
    return is_known(s, n) ? NULL : "?";
}

void display_append_latex(text_buffer *b, const char *name) {
    text_buffer clean = {0};
    display_append_plain(&clean, name);
    b->failed |= clean.failed;
    for (const char *s = clean.data && !clean.failed ? clean.data : ""; *s;) {
        size_t n = utf8_read(s, SIZE_MAX, NULL);
        const char *text = replacement_of(s, n);
        if (text)
            text_append(b, text);
        else
            text_append_bytes(b, s, n);
        s += n;
    }
    text_buffer_clear(&clean);
}
