/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const arg_option args_everywhere[] = {
    {"json", 0, NULL, "answer as JSON on standard output"},
    {"quiet", 'q', NULL, "no progress and no remarks on standard error"},
    {"help", 'h', NULL, "show this help"},
    {"version", 0, NULL, "show the version"},
    {0},
};

enum { MOST_OPTIONS = 32 };

void args_clear(args *a) {
    free(a->words);
    free(a->given);
    *a = (args){0};
}

/* The option tables of a command one after the other: its own, then those of every command. */
static const arg_option *option_at(const arg_syntax *syntax, size_t i) {
    const arg_option *own = syntax->options;
    for (; own && own->name; own++) {
        if (i-- == 0)
            return own;
    }
    return i < sizeof args_everywhere / sizeof *args_everywhere - 1 ? &args_everywhere[i] : NULL;
}

static const arg_option *find_long(const arg_syntax *syntax, const char *name, size_t length) {
    const arg_option *o;
    for (size_t i = 0; (o = option_at(syntax, i)); i++) {
        if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0')
            return o;
    }
    return NULL;
}

static const arg_option *find_short(const arg_syntax *syntax, char name) {
    const arg_option *o;
    for (size_t i = 0; (o = option_at(syntax, i)); i++) {
        if (o->short_name && o->short_name == name)
            return o;
    }
    return NULL;
}

static status unknown_option(const arg_syntax *syntax, const char *typed, error_info *err) {
    const char *names[MOST_OPTIONS], *near;
    const arg_option *o;
    char bare[64];
    size_t n = 0, length = strcspn(typed, "=");
    for (size_t i = 0; n < MOST_OPTIONS && (o = option_at(syntax, i)); i++)
        names[n++] = o->name;
    if (length >= sizeof bare)
        length = sizeof bare - 1;
    memcpy(bare, typed, length);
    bare[length] = '\0';
    near = text_nearest(bare + strspn(bare, "-"), names, n);
    if (near)
        return error_set(err, STATUS_INVALID, "unknown option '%s'; did you mean '--%s'?", bare, near);
    return error_set(err, STATUS_INVALID, "unknown option '%s'", bare);
}

typedef struct {
    const arg_syntax *syntax;
    int argc, at;
    char *const *argv;
    args *out;
} reader;

/* A value that begins with `--` is refused, since as a rule the value was forgotten. */
static status take_value(reader *r, const arg_option *o, const char *typed, const char **value, error_info *err) {
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
    if (!next)
        return error_set(err, STATUS_INVALID, "option '%s' needs a value: %s", typed, o->value);
    if (strncmp(next, "--", 2) == 0)
        return error_set(err, STATUS_INVALID, "option '%s' needs a value: %s; if '%s' is meant, write --%s=%s", typed,
                         o->value, next, o->name, next);
    *value = next;
    r->at++;
    return STATUS_OK;
}

static void add_option(reader *r, const arg_option *o, const char *value) {
    r->out->given[r->out->n_given++] = (arg_given){o, value};
}

static status read_long(reader *r, error_info *err) {
    const char *word = r->argv[r->at] + 2;
    const char *equals = strchr(word, '='), *value = NULL;
    const arg_option *o = find_long(r->syntax, word, equals ? (size_t)(equals - word) : strlen(word));
    if (!o)
        return unknown_option(r->syntax, r->argv[r->at], err);
    if (!o->value && equals)
        return error_set(err, STATUS_INVALID, "option '--%s' takes no value", o->name);
    if (o->value && equals)
        value = equals + 1;
    else if (o->value)
        CHECK(take_value(r, o, r->argv[r->at], &value, err));
    add_option(r, o, value);
    return STATUS_OK;
}

/* `-q`, `-n 5`, `-n5`; several letters behind one dash only where the first takes a value. */
static status read_short(reader *r, error_info *err) {
    const char *word = r->argv[r->at];
    const arg_option *o = find_short(r->syntax, word[1]);
    const char *value = NULL;
    if (!o || (!o->value && word[2]))
        return unknown_option(r->syntax, word, err);
    if (o->value && word[2])
        value = word + 2;
    else if (o->value)
        CHECK(take_value(r, o, word, &value, err));
    add_option(r, o, value);
    return STATUS_OK;
}

static status check_words(const arg_syntax *syntax, const args *a, error_info *err) {
    if (args_has(a, "help") || args_has(a, "version"))
        return STATUS_OK;
    if (a->n_words > syntax->most_words)
        return error_set(err, STATUS_INVALID, "'%s' is one word too many; expected: %s", a->words[syntax->most_words],
                         syntax->most_words ? syntax->words : "no words");
    if (a->n_words < syntax->least_words && a->n_words == 0)
        return error_set(err, STATUS_INVALID, "expected: %s", syntax->words);
    if (a->n_words < syntax->least_words)
        return error_set(err, STATUS_INVALID, "a word is missing behind '%s'; expected: %s", a->words[a->n_words - 1],
                         syntax->words);
    return STATUS_OK;
}

status args_read(const arg_syntax *syntax, int argc, char *const *argv, args *out, error_info *err) {
    AUTO(args_clear) args a = {.syntax = syntax};
    reader r = {syntax, argc, 0, argv, &a};
    bool options_ended = false;

    a.words = calloc((size_t)argc + 1, sizeof *a.words);
    a.given = calloc((size_t)argc + 1, sizeof *a.given);
    CHECK_ALLOC(a.words);
    CHECK_ALLOC(a.given);
    for (; r.at < argc; r.at++) {
        const char *word = argv[r.at];
        if (options_ended || word[0] != '-' || word[1] == '\0')
            a.words[a.n_words++] = word;
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else if (word[1] == '-')
            CHECK(read_long(&r, err));
        else
            CHECK(read_short(&r, err));
    }
    CHECK(check_words(syntax, &a, err));
    *out = TAKE(a);
    return STATUS_OK;
}

bool args_has(const args *a, const char *name) {
    for (size_t i = 0; i < a->n_given; i++) {
        if (strcmp(a->given[i].option->name, name) == 0)
            return true;
    }
    return false;
}

const char *args_value(const args *a, const char *name) {
    for (size_t i = a->n_given; i-- > 0;) {
        if (strcmp(a->given[i].option->name, name) == 0)
            return a->given[i].value;
    }
    return NULL;
}

size_t args_values(const args *a, const char *name, const char **out) {
    size_t n = 0;
    for (size_t i = 0; i < a->n_given; i++) {
        if (strcmp(a->given[i].option->name, name) == 0)
            out[n++] = a->given[i].value;
    }
    return n;
}

status args_whole(const args *a, const char *name, int64_t least, int64_t most, int64_t initial, int64_t *out,
                  error_info *err) {
    const char *typed = args_value(a, name);
    int64_t value = initial;
    if (typed && !text_to_int(typed, &value))
        return error_set(err, STATUS_INVALID, "--%s is '%s'; it must be a whole number", name, typed);
    if (value < least || value > most)
        return error_set(err, STATUS_INVALID, "--%s is %" PRId64 "; it must lie in [%" PRId64 ", %" PRId64 "]", name,
                         value, least, most);
    *out = value;
    return STATUS_OK;
}

static void append_option_help(const arg_option *o, text_buffer *out) {
    enum { HELP_COLUMN = 28 };
    AUTO(text_buffer_clear) text_buffer left = {0};
    const char *help = o->help;
    if (o->short_name)
        text_append_format(&left, "  -%c, --%s", o->short_name, o->name);
    else
        text_append_format(&left, "      --%s", o->name);
    if (o->value)
        text_append_format(&left, " %s", o->value);
    text_append_format(out, "%-*s ", HELP_COLUMN, left.data ? left.data : "");
    if (left.length > HELP_COLUMN)
        text_append_format(out, "\n%*s ", HELP_COLUMN, "");
    for (size_t n; *help; help += n + (help[n] == '\n')) {
        n = strcspn(help, "\n");
        text_append_bytes(out, help, n);
        text_append(out, "\n");
        if (help[n])
            text_append_format(out, "%*s ", HELP_COLUMN, "");
    }
}

void args_append_help(const arg_syntax *syntax, text_buffer *out) {
    const arg_option *o;
    text_append_format(out, "bnbench %s: %s\n\n", syntax->name, syntax->summary);
    text_append_format(out, "Usage: bnbench %s%s%s [options]\n", syntax->name, *syntax->words ? " " : "",
                       syntax->words);
    if (syntax->details)
        text_append_format(out, "\n%s\n", syntax->details);
    text_append(out, "\nOptions:\n");
    for (size_t i = 0; (o = option_at(syntax, i)); i++)
        append_option_help(o, out);
    text_append_format(out, "\nExamples:\n%s\n", syntax->examples);
}
