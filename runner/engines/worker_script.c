/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The script of every task. It looks for its folder before it works: Slurm may start it in another one. */
#include "runner/engines/scheduler_internal.h"

#include "core/base/file.h"
#include "core/base/shell_word.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

static void append_line(text_buffer *out, const char *lead, const char *word, const char *rest) {
    text_append(out, lead);
    shell_append_word(out, word);
    text_append(out, rest);
}

/* Not every scheduler hands the environment on. */
static void append_environment(text_buffer *out) {
    static const char *const names[] = {"PATH", "HOME", "BNBENCH_NETWORKS", "BNBENCH_DATASETS", "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value)
            continue;
        text_append_format(out, "%s=", names[i]);
        append_line(out, "", value, "; ");
        text_append_format(out, "export %s\n", names[i]);
    }
}

static status append_script(const char *folder, double for_s, text_buffer *out, error_info *err) {
    char here[PATH_MAX], program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0 || !getcwd(here, sizeof here))
        return error_set(err, STATUS_IO, "the place of this program is unknown: %s", strerror(errno));
    program[n] = '\0';
    text_append(out,
                "#!/bin/sh\n# Made by bnbench: a worker of the plan in this folder. Status 75: try again later.\n");
    append_environment(out);
    append_line(out, "folder=", folder, "\n");
    append_line(out, "cd ", here, " && test -f \"$folder/plan.json\" || exit 75\n");
    text_append(out, ": > \"$folder/engine/begun.$(uname -n).$$.$(date +%s)\"\n");
    append_line(out, "exec ", program, " work \"$folder\"");
    if (for_s > 0)
        text_append_format(out, " --for %.0fs", for_s);
    text_append(out, "\n");
    return text_buffer_check(out, err);
}

status worker_script_write(const char *folder, double for_s, char **script, error_info *err) {
    AUTO_FREE char *engine = path_join(folder, "engine"), *path = engine ? path_join(engine, "worker.sh") : NULL;
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK_ALLOC(engine);
    CHECK_ALLOC(path);
    CHECK(folder_create(engine, err));
    CHECK(append_script(folder, for_s, &text, err));
    CHECK(error_at(file_write(path, text.data, text.length, err), err, path));
    if (chmod(path, 0755) != 0)
        return error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
    *script = TAKE(path);
    return STATUS_OK;
}

status worker_script_count_begun(const char *folder, size_t *n, error_info *err) {
    AUTO_FREE char *engine = path_join(folder, "engine");
    AUTO(folder_list_clear) folder_list names = {0};
    CHECK_ALLOC(engine);
    CHECK(folder_list_read(engine, "", &names, err));
    *n = 0;
    for (size_t i = 0; i < names.n; i++)
        *n += strncmp(names.names[i], "begun.", strlen("begun.")) == 0;
    return STATUS_OK;
}
