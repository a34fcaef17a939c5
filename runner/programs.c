/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the programs of external learners can be started, asked before anything runs. */
#include "runner/runner.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

/* A file that may be executed. A relative path starts in the folder where programs run. */
static status is_program(const experiment *e, const char *path, bool *out, error_info *err) {
    AUTO_FREE char *from_folder = *path == '/' ? text_copy(path) : path_join(e->folder, path);
    struct stat info;
    CHECK_ALLOC(from_folder);
    *out = stat(from_folder, &info) == 0 && S_ISREG(info.st_mode) && access(from_folder, X_OK) == 0;
    return STATUS_OK;
}

/* As execvp looks for it: a name with a slash is a path, any other is searched in PATH. */
static status find_program(const experiment *e, const char *name, bool *found, error_info *err) {
    const char *path = getenv("PATH");
    *found = false;
    if (strchr(name, '/'))
        return is_program(e, name, found, err);
    for (const char *at = path ? path : "/bin:/usr/bin"; !*found; at++) {
        size_t n = strcspn(at, ":");
        AUTO(text_buffer_clear) text_buffer candidate = {0};
        text_append_bytes(&candidate, n ? at : ".", n ? n : 1);
        text_append_format(&candidate, "/%s", name);
        CHECK(text_buffer_check(&candidate, err));
        CHECK(is_program(e, candidate.data, found, err));
        at += n;
        if (!*at)
            break;
    }
    return STATUS_OK;
}

static status check_program(const experiment *e, const learner_variant *v, error_info *err) {
    static const char *const usual[] = {"python3", "python", "Rscript", "java",   "julia", "perl",
                                        "bash",    "node",   "ruby",    "matlab", "octave"};
    const char *name = v->command[0], *near = text_nearest(name, usual, sizeof usual / sizeof *usual);
    bool found = false;
    if (strchr(name, '{'))
        return STATUS_OK;
    CHECK(find_program(e, name, &found, err));
    if (found)
        return STATUS_OK;
    if (strchr(name, '/'))
        return error_set(err, STATUS_MISSING, "learner '%s': '%s' is no program that can be started from %s", v->id,
                         name, e->folder);
    return error_set(err, STATUS_MISSING, "learner '%s': there is no program '%s' in PATH%s%s%s", v->id, name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* "python3.11" is "python": the number of a version does not matter. */
static bool is_interpreter(const char *program) {
    static const char *const names[] = {"python", "pypy", "Rscript", "sh",   "bash",  "dash",
                                        "zsh",    "ksh",  "perl",    "ruby", "julia", "node"};
    const char *base = path_base(program);
    size_t n = strcspn(base, "0123456789.");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == n && strncmp(base, names[i], n) == 0)
            return true;
    }
    return false;
}

/* The file behind -jar, where options alone stand before it; NULL where java is called otherwise. */
static const char *find_jar(char *const *arguments) {
    while (*arguments && **arguments == '-' && strcmp(*arguments, "-jar") != 0)
        arguments++;
    return *arguments && **arguments == '-' ? arguments[1] : NULL;
}

/* The word that the program surely takes for a file of code, or NULL. Behind a short option it may be that option's
 * value; a long one ("Rscript --vanilla") has its value with it, or one that looks like no script. */
static const char *find_script(char *const *command) {
    static const char *const endings[] = {".py", ".R", ".r", ".sh", ".pl", ".jl", ".js", ".rb"};
    char *const *word = command + 1;
    if (strcmp(path_base(*command), "java") == 0)
        return find_jar(word);
    if (!is_interpreter(*command))
        return NULL;
    while (*word && strncmp(*word, "--", 2) == 0)
        word++;
    for (size_t i = 0; *word && **word != '-' && i < sizeof endings / sizeof *endings; i++) {
        if (path_ends_with(*word, endings[i]))
            return *word;
    }
    return NULL;
}

static status check_script(const experiment *e, const learner_variant *v, error_info *err) {
    AUTO_FREE char *path = NULL;
    const char *script = find_script(v->command);
    if (!script || strpbrk(script, "{: \t\n"))
        return STATUS_OK;
    CHECK_ALLOC(path = *script == '/' ? text_copy(script) : path_join(e->folder, script));
    if (file_exists(path))
        return STATUS_OK;
    return error_set(err, STATUS_MISSING, "learner '%s': there is no script %s", v->id, path);
}

static status check_graph(const learner_variant *v, error_info *err) {
    for (size_t i = 0; v->command[i]; i++) {
        if (strstr(v->command[i], "{graph}"))
            return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID,
                     "learner '%s': its command lacks \"{graph}\", the file into which the program writes its graph",
                     v->id);
}

/* `only` may leave it out; the learner whose time is another's budget runs with that one. */
static bool runs(const experiment *e, size_t variant) {
    const learner_budget *budget = e->only.variant ? &e->variants[e->only.variant - 1].budget : NULL;
    return !budget || e->only.variant == variant + 1 || (budget->is_relative && budget->base == variant);
}

status runner_check_programs(const experiment *e, error_info *err) {
    for (size_t i = 0; i < e->n_variants; i++) {
        const learner_variant *v = &e->variants[i];
        if (!v->command || !runs(e, i))
            continue;
        CHECK(check_graph(v, err));
        CHECK(check_program(e, v, err));
        CHECK(check_script(e, v, err));
    }
    return STATUS_OK;
}
