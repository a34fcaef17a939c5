/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/terminal.h"

#include "core/base/text.h"

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
