/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/command.h"

#include "cli/base/terminal.h"
#include "core/base/file.h"
#include "core/base/text_fold.h"
#include "core/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

status cli_blame(cli *c, blame b, status st) {
    if (st != STATUS_OK)
        c->blame = b;
    return st;
}

status cli_refuse(cli *c, error_info *err, const char *format, ...) {
    char message[sizeof err->message];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list); /* NOLINT(clang-analyzer-valist.Uninitialized): it is */
    va_end(list);
    return cli_blame(c, BLAME_WORDS, error_set(err, STATUS_INVALID, "%s", message));
}

status cli_write(cli *c, const char *path, const text_buffer *text, error_info *err) {
    const char *bytes = text->data ? text->data : "";
    status st;
    CHECK(text_buffer_check(text, err));
    if (!path || strcmp(path, "-") == 0) {
        text_append_bytes(&c->out, bytes, text->length);
        return text_buffer_check(&c->out, err);
    }
    st = cli_blame(c, BLAME_OUTPUT, file_write(path, bytes, text->length, err));
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

static int exit_status_of_output(status st) {
    return st == STATUS_INVALID ? LEAVE_USAGE : LEAVE_INTERNAL;
}

int cli_exit_status(const cli *c, status st) {
    if (c->blame == BLAME_OUTPUT)
        return exit_status_of_output(st);
    switch (st) {
    case STATUS_OK:
        return c->exit_status;
    case STATUS_INVALID:
        return c->blame == BLAME_WORDS ? LEAVE_USAGE : LEAVE_INPUT;
    case STATUS_PARSE:
        return LEAVE_INPUT;
    case STATUS_MISSING:
        return LEAVE_MISSING;
    case STATUS_IO:
    case STATUS_MEMORY: /* of an input: a file that cannot be read, a table that does not fit */
        return c->blame == BLAME_INPUT ? LEAVE_INPUT : LEAVE_INTERNAL;
    case STATUS_BUG:
        break;
    }
    return LEAVE_INTERNAL;
}

void cli_say(const cli *c, const char *format, ...) {
    AUTO(text_buffer_clear) text_buffer folded = {0};
    AUTO_FREE char *line = NULL;
    va_list list;
    if (c->quiet)
        return;
    va_start(list, format);
    if (vasprintf(&line, format, list) < 0) /* NOLINT(clang-analyzer-valist.Uninitialized): it is */
        line = NULL;
    va_end(list);
    if (line)
        utf8_clean(line);
    if (line)
        text_fold(line, terminal_width(STDERR_FILENO), &folded);
    (void)fprintf(stderr, "%s\n", folded.data && !folded.failed ? folded.data : line ? line : "");
}
