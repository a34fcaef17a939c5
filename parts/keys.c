/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/keys.h"

#include <float.h>
#include <string.h>

static const char *const value_words[] = {[OPT_BOOL] = "true|false",
                                          [OPT_NAME] = "a name",
                                          [OPT_LINE] = "a line of text",
                                          [OPT_LEARNER] = "the id of a learner",
                                          [OPT_METRIC] = "a metric",
                                          [OPT_NETWORK] = "the name of a network",
                                          [OPT_TEST] = "the id of a test",
                                          [OPT_SIZE] = "a sample size",
                                          [OPT_SIGMA] = "a noise level",
                                          [OPT_GROUP] = "a mapping, see below",
                                          [OPT_LINES] = "names",
                                          [OPT_LEARNERS] = "ids of learners",
                                          [OPT_METRICS] = "metrics",
                                          [OPT_NETWORKS] = "names of networks",
                                          [OPT_COUNTS] = "sample sizes",
                                          [OPT_SIGMAS] = "noise levels",
                                          [OPT_POOLS] = "{NAME: [ID, ...], ...}"};

void part_key_append_value(const option_spec *spec, text_buffer *out) {
    char low[32], high[32];
    const char *word = value_words[spec->kind];
    if (word)
        text_append(out, word);
    else if (spec->choices)
        text_append(out, spec->choices);
    else if (spec->most == DBL_MAX)
        text_append_format(out, "from %s on", text_from_double(spec->least, low));
    else
        text_append_format(out, "%s to %s", text_from_double(spec->least, low), text_from_double(spec->most, high));
}

void part_key_append_usual(const option_spec *spec, text_buffer *out) {
    char digits[32];
    const char *choice = spec->choices;
    if (spec->is_required) {
        text_append(out, "required");
    } else if (spec->usual) {
        text_append(out, spec->usual);
    } else if (spec->kind == OPT_CHOICE) {
        for (int i = (int)spec->initial; i > 0; i--)
            choice = strchr(choice, '|') + 1;
        text_append_bytes(out, choice, strcspn(choice, "|"));
    } else if (spec->kind == OPT_BOOL) {
        text_append(out, spec->initial != 0 ? "true" : "false");
    } else if (spec->kind == OPT_REAL && spec->initial != 0) {
        text_append(out, text_from_double(spec->initial, digits));
    } else {
        text_append(out, "none");
    }
}

static bool is_same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_key(const option_spec *a, const option_spec *b) {
    return strcmp(a->name, b->name) == 0 && strcmp(a->help, b->help) == 0 && is_same(a->usual, b->usual) &&
           is_same(a->choices, b->choices) && a->initial == b->initial && a->is_required == b->is_required;
}

/* The key as this kind has it; NULL where it has none, or another one of that name. */
static const option_spec *find_key(const part_kind *kind, const option_spec *spec) {
    const option_spec *own = options_find(kind->options, spec->name);
    return own && is_same_key(own, spec) ? own : NULL;
}

/* "all", or the kinds that have the key. */
static void append_owners(part_group group, const option_spec *spec, text_buffer *out) {
    size_t n = 0, n_all = 0;
    for (size_t i = 0; i < part_count(); i++) {
        bool is_of_group = part_at(i)->group == group;
        n_all += is_of_group;
        n += is_of_group && find_key(part_at(i), spec);
    }
    if (n == n_all)
        text_append(out, "all");
    for (size_t i = 0, k = 0; n < n_all && i < part_count(); i++) {
        if (part_at(i)->group == group && find_key(part_at(i), spec))
            text_append_format(out, "%s`%s`", k++ ? ", " : "", part_at(i)->name);
    }
}

/* A bar would end the cell of a Markdown table. */
static void append_cell(const text_buffer *text, text_buffer *out) {
    for (const char *c = text->data ? text->data : ""; *c; c++) {
        text_append(out, *c == '|' ? "\\" : "");
        text_append_bytes(out, c, 1);
    }
    text_append(out, " | ");
    out->failed |= text->failed;
}

static void append_key(const char *outer, const option_spec *spec, const text_buffer *owners, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer cell = {0};
    text_append_format(out, "| `%s%s%s` | ", outer ? outer : "", outer ? "." : "", spec->name);
    append_cell(owners, out);
    part_key_append_value(spec, &cell);
    append_cell(&cell, out);
    cell.length = 0;
    text_append(&cell, spec->help);
    append_cell(&cell, out);
    cell.length = 0;
    part_key_append_usual(spec, &cell);
    append_cell(&cell, out);
    out->length--; /* the blank at the end of the line */
    text_append(out, "\n");
    out->failed |= cell.failed;
}

/* The first kind of the group with such a key says it for all. */
static bool is_said(size_t kind, const option_spec *spec) {
    for (size_t i = 0; i < kind; i++) {
        if (part_at(i)->group == part_at(kind)->group && find_key(part_at(i), spec))
            return true;
    }
    return false;
}

static void append_keys_of(size_t kind, text_buffer *out) {
    for (const option_spec *spec = part_at(kind)->options; spec->kind != OPT_END; spec++) {
        text_buffer owners = {0};
        if (is_said(kind, spec))
            continue;
        append_owners(part_at(kind)->group, spec, &owners);
        append_key(NULL, spec, &owners, out);
        for (const option_spec *inner = spec->inner; inner && inner->kind != OPT_END; inner++)
            append_key(spec->name, inner, &owners, out);
        text_buffer_clear(&owners);
    }
}

status part_append_keys(part_group group, text_buffer *out, error_info *err) {
    const part_group_info *info = part_group_at(group);
    text_append_format(out, "| `%s` | |\n| --- | --- |\n", info->selector);
    for (size_t i = 0; i < part_count(); i++) {
        if (part_at(i)->group == group)
            text_append_format(out, "| `%s` | %s |\n", part_at(i)->name, part_at(i)->summary);
    }
    text_append(out, "\n| key | kinds | value | | default |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < part_count(); i++) {
        if (part_at(i)->group == group)
            append_keys_of(i, out);
    }
    return text_buffer_check(out, err);
}
