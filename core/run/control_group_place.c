/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/control_group_place.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <math.h>
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

/* A path of mountinfo on the heap, where \040 stands for a space and \134 for a backslash; NULL without memory. */
static char *path_of(const char *word, size_t length) {
    char *path = malloc(length + 1), *to = path;
    for (size_t i = 0; path && i < length; i++) {
        unsigned byte = (unsigned char)word[i];
        if (byte == '\\' && length - i > 3) {
            byte =
                (unsigned)(word[i + 1] - '0') << 6 | (unsigned)(word[i + 2] - '0') << 3 | (unsigned)(word[i + 3] - '0');
            i += 3;
        }
        *to++ = (char)byte;
    }
    if (path)
        *to = '\0';
    return path;
}

/* What follows `root` in `path`, from its slash; NULL where the path does not lie in it. */
static const char *path_below(const char *path, const char *root) {
    size_t length = strlen(root);
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

/* Where the group is in the hierarchy that a line mounts; no folder where it does not lie in it. */
static control_group_place place_in(const char *line, const char *path) {
    size_t root_length, mount_length;
    const char *root_word = word_at(line, 3, &root_length), *mount_word = word_at(line, 4, &mount_length);
    AUTO_FREE char *root = path_of(root_word, root_length), *mount = path_of(mount_word, mount_length);
    const char *below = root && mount && *root == '/' && *mount == '/' ? path_below(path, root) : NULL;
    text_buffer folder = {0};
    if (!below)
        return (control_group_place){NULL, 0};
    text_append(&folder, mount);
    text_append_bytes(&folder, below, strcspn(below, "\n"));
    if (folder.failed)
        text_buffer_clear(&folder);
    return (control_group_place){folder.data, folder.data ? strlen(mount) : 0};
}

control_group_place control_group_place_find(const char *mountinfo, const char *cgroup, const char *controller) {
    const char *path = own_path(cgroup, controller);
    control_group_place place = {NULL, 0};
    for (const char *line = mountinfo; path && *line && !place.folder; line = next_line(line)) {
        if (is_of_hierarchy(line, controller))
            place = place_in(line, path);
    }
    return place;
}

enum { MOST_OF_PROC = 16 << 20, MOST_OF_GROUP = 4096 }; /* bytes of a file */

static bool read_own(char **mountinfo, char **cgroup) {
    size_t length;
    return file_read("/proc/self/mountinfo", MOST_OF_PROC, mountinfo, &length, NULL) == STATUS_OK &&
           file_read("/proc/self/cgroup", MOST_OF_PROC, cgroup, &length, NULL) == STATUS_OK;
}

control_group_place control_group_place_own(const char *controller) {
    AUTO_FREE char *mountinfo = NULL, *cgroup = NULL;
    return read_own(&mountinfo, &cgroup) ? control_group_place_find(mountinfo, cgroup, controller)
                                         : (control_group_place){NULL, 0};
}

double control_group_place_least(const control_group_place *place, double (*limit)(const char *folder)) {
    AUTO_FREE char *folder = place->folder ? text_copy(place->folder) : NULL;
    double least = INFINITY;
    for (size_t n = folder ? strlen(folder) : 0; n > 0 && n >= place->top;) {
        folder[n] = '\0';
        least = fmin(least, limit(folder));
        for (n--; n > place->top && folder[n] != '/';)
            n--;
    }
    return least;
}

double control_group_place_least_own(const char *controller, double (*limit)(const char *folder)) {
    const char *const hierarchies[] = {NULL, controller};
    AUTO_FREE char *mountinfo = NULL, *cgroup = NULL;
    double least = INFINITY;
    if (!read_own(&mountinfo, &cgroup))
        return least;
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        control_group_place place = control_group_place_find(mountinfo, cgroup, hierarchies[i]);
        least = fmin(least, control_group_place_least(&place, limit));
        free(place.folder);
    }
    return least;
}

char *control_group_place_text(const char *folder, const char *name) {
    AUTO_FREE char *path = path_join(folder, name);
    char *text = NULL;
    size_t length;
    return path && file_read(path, MOST_OF_GROUP, &text, &length, NULL) == STATUS_OK ? text : NULL;
}
