/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/declare/shipped_experiments.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "generators/catalogue/catalogue.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

status shipped_experiment_names(char ***out, size_t *n, error_info *err) {
    AUTO_FREE char *folder = NULL;
    char **names = NULL;
    DIR *dir = NULL;
    status st = STATUS_OK;
    size_t found = 0;

    TRY(catalogue_shipped_beside("experiments", &folder, err));
    if (folder)
        dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!path_ends_with(entry->d_name, ".yaml"))
            continue;
        entry->d_name[strlen(entry->d_name) - strlen(".yaml")] = '\0';
        TRY(texts_add(&names, &found, entry->d_name, err));
    }
    if (found > 0)
        qsort(names, found, sizeof *names, texts_compare);
    *out = names;
    *n = found;
    names = NULL;
cleanup:
    texts_destroy(names, found);
    if (dir)
        (void)closedir(dir);
    return st;
}

static status no_such_experiment(const char *word, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    const char *near;
    status st = STATUS_OK;
    AUTO(text_buffer_clear) text_buffer file = {0};
    text_append_format(&file, "%s.yaml", word);
    CHECK(text_buffer_check(&file, err));
    if (file_exists(file.data))
        return error_set(err, STATUS_MISSING, "there is no file '%s'; did you mean '%s'?", word, file.data);
    CHECK(shipped_experiment_names(&names, &n, err));
    near = text_nearest(word, (const char *const *)names, n);
    st =
        near
            ? error_set(err, STATUS_MISSING,
                        "there is no file '%s', and no experiment of that name; did you mean '%s'?", word, near)
            : error_set(err, STATUS_MISSING,
                        "there is no file '%s', and no experiment of that name ('bnbench list experiments' shows them)",
                        word);
    texts_destroy(names, n);
    return st;
}

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

status shipped_experiment_locate(const char *word, char **out, error_info *err) {
    AUTO_FREE char *folder = NULL, *path = NULL;
    AUTO(text_buffer_clear) text_buffer file = {0};
    bool is_here = file_exists(word) || strcmp(word, "-") == 0, is_shipped;
    text_append_format(&file, "%s%s", word, path_ends_with(word, ".yaml") ? "" : ".yaml");
    CHECK(text_buffer_check(&file, err));
    if (!strchr(word, '/'))
        CHECK(catalogue_shipped_beside("experiments", &folder, err));
    if (folder)
        CHECK_ALLOC(path = path_join(folder, file.data));
    is_shipped = path && file_exists(path);
    if (is_here && !(is_shipped && is_folder(word))) { /* a store of that name is no experiment */
        *out = text_copy(word);
        return *out ? STATUS_OK : error_out_of_memory(err);
    }
    if (!is_shipped)
        return no_such_experiment(word, err);
    *out = TAKE(path);
    return STATUS_OK;
}
