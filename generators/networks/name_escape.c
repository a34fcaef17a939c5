/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/name_escape.h"

#include "core/base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTE_CODE = 0xDC00, SHOWN_EXAMPLES = 3 };

static bool is_letter(uint32_t code) {
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

/* The length of x_HHHH_, of four to six digits, at a place; 0 where there is none. */
static size_t escape_length(const char *text, size_t n) {
    size_t digits = 0;
    if (n < 7 || text[0] != 'x' || text[1] != '_')
        return 0;
    while (digits < 6 && digits + 2 < n && is_hex(text[digits + 2]))
        digits++;
    return digits >= 4 && digits + 2 < n && text[digits + 2] == '_' ? digits + 3 : 0;
}

/* ---- writing ---- */

static bool is_kept(name_style style, uint32_t code, bool is_first, bool is_last) {
    if (style == NAME_IDENTIFIER)
        return is_letter(code) || (!is_first && (code == '_' || (code >= '0' && code <= '9')));
    if (code == ' ')
        return !is_first && !is_last;
    return code > ' ' && code != 0x7F && code != 0xFFFE && code != 0xFFFF;
}

static bool is_reserved(const char *const *reserved, const char *name) {
    for (; reserved && *reserved; reserved++) {
        if (strcmp(*reserved, name) == 0)
            return true;
    }
    return false;
}

void name_escape(name_style style, const char *const *reserved, const char *name, text_buffer *out) {
    bool must = is_reserved(reserved, name);
    text_append(out, "");
    for (const char *at = name; *at; must = false) {
        uint32_t code = 0;
        size_t n = utf8_read(at, SIZE_MAX, &code), length = n ? n : 1;
        if (n == 0)
            code = FIRST_BYTE_CODE + (unsigned char)*at;
        if (n > 0 && !must && is_kept(style, code, at == name, at[n] == '\0') && !escape_length(at, strlen(at)))
            text_append_bytes(out, at, n);
        else
            text_append_format(out, "x_%04X_", (unsigned)code);
        at += length;
    }
}

/* ---- reading ---- */

static void append_code(uint32_t code, text_buffer *out) {
    char bytes[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    if (code >= FIRST_BYTE_CODE + 0x80 && code <= FIRST_BYTE_CODE + 0xFF) {
        bytes[0] = (char)(code - FIRST_BYTE_CODE);
        text_append_bytes(out, bytes, 1);
        return;
    }
    for (size_t i = n; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(leads[n] | code);
    text_append_bytes(out, bytes, n);
}

/* Whether name_escape writes that code. */
static bool is_code(uint32_t code) {
    bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code > 0 && code <= 0x10FFFF &&
           (!is_surrogate || (code >= FIRST_BYTE_CODE + 0x80 && code <= FIRST_BYTE_CODE + 0xFF));
}

char *name_unescape(const char *text, size_t length) {
    AUTO(text_buffer_clear) text_buffer out = {0};
    char *taken = NULL;
    text_append(&out, "");
    for (size_t i = 0; i < length;) {
        size_t n = escape_length(text + i, length - i);
        uint32_t code = n ? (uint32_t)strtoul(text + i + 2, NULL, 16) : 0;
        if (n && is_code(code)) {
            append_code(code, &out);
            i += n;
        } else {
            text_append_bytes(&out, text + i, 1);
            i++;
        }
    }
    if (text_buffer_take(&out, &taken, NULL) != STATUS_OK)
        return NULL;
    return taken ? taken : text_copy("");
}

/* ---- what to say ---- */

typedef struct {
    size_t n_changed, n_long;
    text_buffer examples;
} changes;

static void note(const name_rules *rules, name_style style, const char *const *reserved, const char *name, changes *c) {
    AUTO(text_buffer_clear) text_buffer written = {0};
    name_escape(style, reserved, name, &written);
    if (written.failed || !written.data)
        return;
    c->n_long += rules->longest > 0 && written.length > rules->longest;
    if (strcmp(written.data, name) == 0)
        return;
    if (c->n_changed++ < SHOWN_EXAMPLES)
        text_append_format(&c->examples, "%s'%s' as '%s'", c->n_changed > 1 ? ", " : "", name, written.data);
}

void name_append_loss(const name_rules *rules, const char *title, const bayes_net *net, text_buffer *out) {
    changes c = {0};
    if (!rules->no_network)
        note(rules, rules->network, NULL, bayes_net_name(net), &c);
    for (size_t i = 0; i < bayes_net_node_count(net); i++) {
        const variable *v = bayes_net_variable(net, i);
        note(rules, rules->nodes, rules->reserved, v->name, &c);
        for (size_t k = 0; k < v->n_states; k++)
            note(rules, rules->states, rules->reserved, v->states[k], &c);
    }
    if (rules->no_network)
        text_append_format(out, "%s has no place for the name of the network, '%s'\n", title, bayes_net_name(net));
    if (c.n_changed > 0)
        text_append_format(out,
                           "%s cannot hold %zu of the names as they are: written %s%s; bnbench reads them back as they "
                           "were\n",
                           title, c.n_changed, c.examples.data ? c.examples.data : "",
                           c.n_changed > SHOWN_EXAMPLES ? ", ..." : "");
    if (c.n_long > 0)
        text_append_format(out,
                           "%zu of the names written are longer than the %zu characters that %s's own program takes\n",
                           c.n_long, rules->longest, title);
    text_buffer_clear(&c.examples);
}
