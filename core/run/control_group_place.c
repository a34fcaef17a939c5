/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/control_group_place.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* The n-th word of a line, from 0, as the kernel separates them; "" where there is none. */
static const char *word_at(const char *line, size_t n, size_t *length) {
    for (; n > 0; n--) {
        line += strcspn(line, " \n");
        line += *line == ' ';
    }
    *length = strcspn(line, " \n");
    return line;
}

/* True if a list that commas separate, up to one of `ends`, has the item. */
static bool has_item(const char *list, const char *ends, const char *item) {
    size_t length = strlen(item), rest = strcspn(list, ends);
    for (const char *at = list, *end = list + rest; at < end;) {
        size_t n = strcspn(at, ",");
        n = n < (size_t)(end - at) ? n : (size_t)(end - at);
        if (n == length && strncmp(at, item, n) == 0)
            return true;
        at += n + 1;
    }
    return false;
}

/* "36 35 0:28 /root /mount/point options ... - cgroup2 source options": fields without a fixed number stand before the
 * dash; the last word of a hierarchy of cgroup v1 names its controllers. */
static bool is_of_hierarchy(const char *line, const char *controller) {
    const char *dash = strstr(line, " - "), *end = line + strcspn(line, "\n"), *options;
    size_t length;
    if (!dash || dash >= end)
        return false;
    if (!controller)
        return strncmp(dash, " - cgroup2 ", strlen(" - cgroup2 ")) == 0;
    options = word_at(dash + 3, 2, &length);
    return strncmp(dash, " - cgroup ", strlen(" - cgroup ")) == 0 && has_item(options, " \n", controller);
}

/* What follows `root` in `path`, from its slash; NULL where the path does not lie in it. */
static const char *path_below(const char *path, const char *root, size_t length) {
    if (length == 1 && *root == '/')
        return path;
    if (strncmp(path, root, length) != 0 || (path[length] != '/' && path[length] != '\0' && path[length] != '\n'))
        return NULL;
    return path + length;
}

/* "4:cpu,cpuacct:/path", "0::/path" of cgroup v2. */
static bool is_line_of(const char *line, const char *controller) {
    size_t number = strcspn(line, ":\n");
    if (line[number] != ':')
        return false;
    return controller ? has_item(line + number + 1, ":\n", controller) : strncmp(line, "0::", 3) == 0;
}

/* The path of a line; NULL without one, or for a group outside of what is seen here. */
static const char *own_path(const char *cgroup, const char *controller) {
    for (const char *line = cgroup; *line; line = next_line(line)) {
        const char *path = line + strcspn(line, "/\n");
        if (is_line_of(line, controller) && *path == '/')
            return strncmp(path, "/..", 3) == 0 ? NULL : path;
    }
    return NULL;
}

control_group_place control_group_find(const char *mountinfo, const char *cgroup, const char *controller) {
    const char *path = own_path(cgroup, controller);
    for (const char *line = mountinfo; path && *line; line = next_line(line)) {
        size_t root_length, length;
        const char *root = word_at(line, 3, &root_length), *mount = word_at(line, 4, &length), *below;
        text_buffer folder = {0};
        if (!is_of_hierarchy(line, controller) || *root != '/' || *mount != '/' || memchr(mount, '\\', length) ||
            !(below = path_below(path, root, root_length)))
            continue;
        text_append_bytes(&folder, mount, length);
        text_append_bytes(&folder, below, strcspn(below, "\n"));
        if (folder.failed)
            text_buffer_clear(&folder);
        return (control_group_place){folder.data, length};
    }
    return (control_group_place){NULL, 0};
}

control_group_place control_group_find_own(const char *controller) {
    AUTO_FREE char *mountinfo = NULL, *cgroup = NULL;
    size_t length;
    if (file_read("/proc/self/mountinfo", FILE_READ_MOST, &mountinfo, &length, NULL) != STATUS_OK ||
        file_read("/proc/self/cgroup", FILE_READ_MOST, &cgroup, &length, NULL) != STATUS_OK)
        return (control_group_place){NULL, 0};
    return control_group_find(mountinfo, cgroup, controller);
}
