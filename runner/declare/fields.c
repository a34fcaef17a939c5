/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/declare/fields_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static status wrong(const yaml_node *node, const char *what, const char *expected, error_info *err) {
    char found[96];
    return yaml_fail(node, err, "%s is %s; it must be %s", what, yaml_describe(node, found, sizeof found), expected);
}

const char *field_suggestion(const char *typed, const char *const *known, size_t n, char *buffer, size_t size) {
    const char *near = text_nearest(typed, known, n);
    size_t used = 0;
    buffer[0] = '\0';
    if (near) {
        (void)snprintf(buffer, size, "; did you mean '%s'?", near);
        return buffer;
    }
    for (size_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "; known: ", known[i]);
    return buffer;
}

status field_mapping(const yaml_node *node, const char *what, const char *const *known, error_info *err) {
    size_t n_known = 0;
    char hint[300];
    if (node->kind != YAML_MAP)
        return wrong(node, what, "a mapping (key: value)", err);
    while (known[n_known])
        n_known++;
    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->keys[i]->text;
        size_t k = 0;
        while (k < n_known && strcmp(known[k], key) != 0)
            k++;
        if (k == n_known)
            return yaml_fail(node->keys[i], err, "unknown key '%.60s' in %s%s", key, what,
                             field_suggestion(key, known, n_known, hint, sizeof hint));
    }
    return STATUS_OK;
}

status field_text(const yaml_node *node, const char *what, const char **out, error_info *err) {
    if (node->kind != YAML_TEXT || yaml_is_null(node) || !*node->text)
        return wrong(node, what, "a text", err);
    *out = node->text;
    return STATUS_OK;
}

status field_line(const yaml_node *node, const char *what, char **out, error_info *err) {
    const char *text = NULL;
    char *copy;
    if (!node)
        return STATUS_OK;
    CHECK(field_text(node, what, &text, err));
    if (strlen(text) > 1000)
        return yaml_fail(node, err, "%s has %zu bytes; it may have 1000", what, strlen(text));
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127)
            return yaml_fail(node, err, "%s holds a control character (code %d); write it in one line", what, *c);
    }
    CHECK_ALLOC(copy = text_copy(text));
    free(*out);
    *out = copy;
    return STATUS_OK;
}

status field_check_name(const yaml_node *node, const char *what, error_info *err) {
    const char *text = NULL;
    CHECK(field_text(node, what, &text, err));
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
            return yaml_fail(node, err, "%s is '%.60s'; it names files too: letters, digits, '.', '_' and '-'", what,
                             text);
    }
    if (*text == '.' || *text == '-' || strlen(text) > 100)
        return yaml_fail(node, err, "%s is '%.60s'; it must start with a letter or digit and have at most 100 of them",
                         what, text);
    return STATUS_OK;
}

status field_name(const yaml_node *node, const char *what, char **out, error_info *err) {
    if (!node)
        return STATUS_OK;
    CHECK(field_check_name(node, what, err));
    return field_line(node, what, out, err);
}

/* Decimal digits alone: YAML 1.1 reads 010 as eight, 1_000 as a thousand and 1:30 as ninety, which nobody means. */
static bool read_digits(const char *text, uint64_t *out) {
    uint64_t value = 0;
    if (!*text || (text[0] == '0' && text[1]))
        return false;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text) || value > (UINT64_MAX - 9) / 10)
            return false;
        value = 10 * value + (uint64_t)(*text - '0');
    }
    *out = value;
    return true;
}

status field_whole(const yaml_node *node, const char *what, uint64_t least, uint64_t most, uint64_t *out,
                   error_info *err) {
    char expected[96];
    uint64_t value = 0;
    if (!node)
        return STATUS_OK;
    (void)snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)least,
                   (unsigned long long)most);
    if (node->kind != YAML_TEXT || node->is_quoted || !read_digits(node->text, &value) || value < least || value > most)
        return wrong(node, what, expected, err);
    *out = value;
    return STATUS_OK;
}

status field_bool(const yaml_node *node, const char *what, bool *out, error_info *err) {
    static const char *const words[] = {"true", "yes", "on", "false", "no", "off"};
    if (!node)
        return STATUS_OK;
    for (size_t i = 0; node->kind == YAML_TEXT && !node->is_quoted && i < 6; i++) {
        if (strcasecmp(node->text, words[i]) == 0) {
            *out = i < 3;
            return STATUS_OK;
        }
    }
    return wrong(node, what, "true or false", err);
}

status field_choice(const yaml_node *node, const char *what, const char *choices, int *out, error_info *err) {
    char expected[160];
    const char *text = NULL;
    int i = 0;
    if (!node)
        return STATUS_OK;
    CHECK(field_text(node, what, &text, err));
    for (const char *c = choices; *c; i++) {
        size_t n = strcspn(c, "|");
        if (strlen(text) == n && strncmp(c, text, n) == 0) {
            *out = i;
            return STATUS_OK;
        }
        c += n + (c[n] == '|');
    }
    (void)snprintf(expected, sizeof expected, "one of %s", choices);
    return wrong(node, what, expected, err);
}

static bool is_none(const yaml_node *node) {
    return node->kind == YAML_TEXT && strcmp(node->text, "none") == 0;
}

status field_seconds(const yaml_node *node, const char *what, double *out, error_info *err) {
    double value = 0;
    if (!node)
        return STATUS_OK;
    if (!is_none(node) &&
        (node->kind != YAML_TEXT || !text_to_seconds(node->text, &value) || value <= 0 || value > 1e9))
        return wrong(node, what, "a time above 0 such as 90s, 5min, 1h or 2d, or none", err);
    *out = value;
    return STATUS_OK;
}

status field_bytes(const yaml_node *node, const char *what, uint64_t *out, error_info *err) {
    uint64_t value = 0;
    if (!node)
        return STATUS_OK;
    if (!is_none(node) && (node->kind != YAML_TEXT || !text_to_bytes(node->text, &value) || value < 1 << 20))
        return wrong(node, what, "a size of at least 1MiB such as 512MiB or 4GiB, or none", err);
    *out = value;
    return STATUS_OK;
}

status field_items(const yaml_node *node, const char *what, size_t most, size_t *n, error_info *err) {
    if (node->kind != YAML_LIST && yaml_is_null(node))
        return wrong(node, what, "a list", err);
    if (node->kind == YAML_LIST && node->n == 0)
        return yaml_fail(node, err, "%s is an empty list; it must hold at least one", what);
    if (node->kind == YAML_LIST && node->n > most)
        return yaml_fail(node, err, "%s has %zu entries; it may have %zu", what, node->n, most);
    *n = node->kind == YAML_LIST ? node->n : 1;
    return STATUS_OK;
}

const yaml_node *field_item(const yaml_node *node, size_t i) {
    return node->kind == YAML_LIST ? node->items[i] : node;
}

status field_at(const yaml_node *node, status st, error_info *err) {
    if (st != STATUS_INVALID)
        return st;
    error_context(err, "%s:%zu:%zu", node->source, node->line, node->column);
    err->code = STATUS_PARSE;
    return STATUS_PARSE;
}
