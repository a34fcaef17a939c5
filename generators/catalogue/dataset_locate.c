/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/dataset_locate.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/dataset_file.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"

#include <stdlib.h>
#include <string.h>

static bool is_path(const char *name) {
    return strchr(name, '/') || data_form_of_path(name) != DATA_FORM_NONE;
}

static status try_file(const char *folder, const char *name, const char *ending, char **out, error_info *err) {
    AUTO_FREE char *path = NULL;
    if (*out)
        return STATUS_OK;
    CHECK_ALLOC(path = path_join_ending(folder, name, ending));
    if (file_exists(path))
        *out = TAKE(path);
    return STATUS_OK;
}

/* The file as it is, else with ".gz" or ".zst" behind it. */
static status try_packings(const char *folder, const char *name, const char *ending, char **out, error_info *err) {
    AUTO_FREE char *with_gz = path_join_ending("", ending, ".gz"), *with_zst = path_join_ending("", ending, ".zst");
    CHECK_ALLOC(with_gz);
    CHECK_ALLOC(with_zst);
    CHECK(try_file(folder, name, ending, out, err));
    CHECK(try_file(folder, name, with_gz, out, err));
    return try_file(folder, name, with_zst, out, err);
}

/* Data in any of their forms. */
static status try_folder(const char *folder, const char *name, const char *ending, char **out, error_info *err) {
    CHECK(try_packings(folder, name, ending, out, err));
    if (strcmp(ending, ".csv") != 0)
        return STATUS_OK;
    CHECK(try_packings(folder, name, ".bnd", out, err));
    CHECK(try_packings(folder, name, ".tsv", out, err));
    return try_packings(folder, name, ".arff", out, err);
}

static status search_list(const char *folders, const char *name, const char *ending, char **out, error_info *err) {
    while (*folders && !*out) {
        size_t length = strcspn(folders, ":");
        AUTO_FREE char *folder = text_copy_n(folders, length);
        CHECK_ALLOC(folder);
        if (length > 0)
            CHECK(try_folder(folder, name, ending, out, err));
        folders += length + (folders[length] == ':');
    }
    return STATUS_OK;
}

static status not_found(const char *name, const char *ending, const char *searched, error_info *err) {
    const dataset_entry *entry = dataset_catalogue_find(name);
    const char *near = dataset_catalogue_nearest(name);
    bool is_data = strcmp(ending, ".csv") == 0;
    if (is_data && entry && entry->url)
        return error_set(err, STATUS_MISSING,
                         "the data set '%s' is not on this computer; `bnbench datasets fetch %s` gets it, or name its "
                         "folder in BNBENCH_DATASETS (searched: %s)",
                         name, name, searched);
    if (is_data && entry && entry->page)
        return error_set(err, STATUS_MISSING,
                         "the data set '%s' is not on this computer: %s holds it; name the folder of %s.csv in "
                         "BNBENCH_DATASETS (searched: %s)",
                         name, entry->page, name, searched);
    if (is_data && entry)
        return error_set(err, STATUS_MISSING,
                         "the data set '%s' is not on this computer, and no public address of it is known; name its "
                         "folder in BNBENCH_DATASETS (searched: %s)",
                         name, searched);
    if (is_data && near)
        return error_set(err, STATUS_MISSING, "there is no data set '%.100s'; did you mean '%s'? (searched: %s)", name,
                         near, searched);
    return error_set(err, STATUS_MISSING,
                     "the file %.100s%s of a data set is not on this computer; name its folder in BNBENCH_DATASETS "
                     "(searched: %s)",
                     name, ending, searched);
}

static status search_all(const char *name, const char *ending, char **out, error_info *err) {
    const char *folders = getenv("BNBENCH_DATASETS");
    AUTO_FREE char *cache = catalogue_cache_folder();
    AUTO(text_buffer_clear) text_buffer searched = {0};
    CHECK_ALLOC(cache);
    if (folders)
        CHECK(search_list(folders, name, ending, out, err));
    if (!*out)
        CHECK(try_folder(cache, name, ending, out, err));
    text_append_format(&searched, "%s%s%s", folders ? folders : "", folders && *folders ? ", " : "", cache);
    CHECK(text_buffer_check(&searched, err));
    return *out ? STATUS_OK : not_found(name, ending, searched.data, err);
}

status dataset_locate(const char *name, const char *ending, char **path, error_info *err) {
    AUTO_FREE char *found = NULL;
    if (is_path(name)) {
        if (!file_exists(name))
            return error_set(err, STATUS_MISSING, "there is no file %.300s", name);
        *path = text_copy(name);
        return *path ? STATUS_OK : error_out_of_memory(err);
    }
    CHECK(search_all(name, ending, &found, err));
    *path = TAKE(found);
    return STATUS_OK;
}
