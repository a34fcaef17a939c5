/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/terminal.h"

#include "core/base/text.h"
#include "core/base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST_WIDTH = 20, USUAL_WIDTH = 80, MOST_WIDTH = 10000 };

size_t terminal_width(int fd) {
    const char *typed = getenv("COLUMNS");
    struct winsize size = {0};
    int64_t columns = 0;
    if (typed && text_to_int(typed, &columns) && columns >= LEAST_WIDTH && columns <= MOST_WIDTH)
        return (size_t)columns;
    if (!isatty(fd))
        return 0;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

/* What cli/ itself says to a terminal: bold, and an end of it. */
static size_t bold_length(const char *text) {
    static const char *const own[] = {"\033[1m", "\033[0m"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strncmp(text, own[i], strlen(own[i])) == 0)
            return strlen(own[i]);
    }
    return 0;
}

void terminal_clean(char *text) {
    for (char *start = text; *start;) {
        char *end = strchr(start, '\033');
        while (end && bold_length(end) == 0)
            end = strchr(end + 1, '\033');
        if (!end) {
            utf8_clean(start);
            return;
        }
        *end = '\0';
        utf8_clean(start);
        *end = '\033';
        start = end + bold_length(end);
    }
}
