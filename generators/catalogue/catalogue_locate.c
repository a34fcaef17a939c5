/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where networks lie: a list of folders from the environment, the user's cache, the folder that ships. */
#include "build_info.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "generators/catalogue/bnrep.h"
#include "generators/catalogue/catalogue.h"
#include "generators/networks/network_format.h"
#include "generators/networks/tiling.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- folders ---- */

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

char *catalogue_cache_folder(void) {
    const char *cache = environment("BNBENCH_CACHE");
    const char *xdg = environment("XDG_CACHE_HOME");
    const char *home = environment("HOME");
    if (cache)
        return text_copy(cache);
    if (xdg)
        return path_join(xdg, "bnbench");
    return path_join(home ? home : "/tmp", ".cache/bnbench");
}

static bool take_if_there(char *folder, char **out) {
    if (folder && access(folder, R_OK | X_OK) == 0) {
        *out = folder;
        return true;
    }
    free(folder);
    return false;
}

/* "/opt/bnb/share/bnbench/networks" for the file /opt/bnb/bin/bnbench, and for /opt/bnb/lib/libbnbench.so.0; in Debian
 * a library lies one folder deeper. NULL where there is none. */
static char *beside(const char *file) {
    const char *slash = strrchr(file, '/');
    AUTO_FREE char *folder = slash ? text_copy_n(file, (size_t)(slash - file)) : NULL;
    char *found = NULL;
    if (folder && !take_if_there(path_join(folder, "../share/bnbench/networks"), &found))
        (void)take_if_there(path_join(folder, "../../share/bnbench/networks"), &found);
    return found;
}

/* Of the program that runs; NULL where that cannot be told. */
static char *folder_of_program(void) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return NULL;
    program[length] = '\0';
    return beside(program);
}

/* Of the library that holds this function, where another program loaded it. */
static char *folder_of_library(void) {
    static const char mark;
    Dl_info found;
    AUTO_FREE char *real = NULL;
    if (dladdr(&mark, &found) == 0 || !found.dli_fname)
        return NULL;
    real = realpath(found.dli_fname, NULL);
    return real ? beside(real) : NULL;
}

char *catalogue_shipped_folder(void) {
    const char *share = environment("BNBENCH_SHARE");
    char *folder;
    if (share && take_if_there(path_join(share, "networks"), &folder))
        return folder;
    folder = folder_of_program();
    if (!folder)
        folder = folder_of_library();
    return folder ? folder : path_join(BNB_SHARE_FOLDER, "networks");
}

/* The folder lies beside the networks that ship, or, in the source tree, in results/. */
char *catalogue_shipped_beside(const char *which) {
    static const char *const places[] = {"", "results/"};
    AUTO_FREE char *networks = catalogue_shipped_folder();
    const char *end = networks ? strrchr(networks, '/') : NULL;
    for (size_t i = 0; end && i < 2; i++) {
        text_buffer path = {0};
        text_append_bytes(&path, networks, (size_t)(end - networks));
        text_append_format(&path, "/%s%s", places[i], which);
        if (!path.failed && file_exists(path.data))
            return path.data;
        text_buffer_clear(&path);
    }
    return NULL;
}

/* ---- searching ---- */

typedef struct {
    const char *name;
    char *found;          /* NULL so far */
    text_buffer searched; /* the folders, for the message */
} search;

static void search_clear(search *s) {
    free(s->found);
    text_buffer_clear(&s->searched);
}

static status try_file(search *s, const char *folder, const char *ending, error_info *err) {
    AUTO_FREE char *path = path_join_ending(folder, s->name, ending);
    CHECK_ALLOC(path);
    if (!s->found && file_exists(path)) {
        s->found = TAKE(path);
    }
    return STATUS_OK;
}

static status search_folder(search *s, const char *folder, error_info *err) {
    static const char *const packings[] = {"", ".gz", ".zst"};
    size_t i = 0;
    text_append(&s->searched, s->searched.length ? ", " : "");
    text_append(&s->searched, folder);
    for (const network_format *f; (f = network_format_at(i)) != NULL; i++) {
        for (size_t k = 0; f->parse && k < sizeof packings / sizeof *packings; k++) {
            char ending[24];
            (void)snprintf(ending, sizeof ending, ".%s%s", f->name, packings[k]);
            CHECK(try_file(s, folder, ending, err));
        }
    }
    return STATUS_OK;
}

/* "a:b"; an empty part is left out. */
static status search_list(search *s, const char *folders, error_info *err) {
    while (*folders) {
        size_t length = strcspn(folders, ":");
        AUTO_FREE char *folder = text_copy_n(folders, length);
        CHECK_ALLOC(folder);
        if (length > 0)
            CHECK(search_folder(s, folder, err));
        folders += length + (folders[length] == ':');
    }
    return STATUS_OK;
}

static status search_all(search *s, error_info *err) {
    AUTO_FREE char *cache = catalogue_cache_folder(), *shipped = catalogue_shipped_folder();
    CHECK_ALLOC(cache);
    CHECK_ALLOC(shipped);
    if (environment("BNBENCH_NETWORKS"))
        CHECK(search_list(s, getenv("BNBENCH_NETWORKS"), err));
    CHECK(search_folder(s, cache, err));
    CHECK(search_folder(s, shipped, err));
    return text_buffer_check(&s->searched, err);
}

static const char *near_name(const char *name) {
    const char *names[128];
    size_t n = catalogue_count() < 128 ? catalogue_count() : 128;
    for (size_t i = 0; i < n; i++)
        names[i] = catalogue_at(i)->name;
    return text_nearest(name, names, n);
}

static status not_found(const char *name, const char *searched, error_info *err) {
    const catalogue_entry *entry = catalogue_find(name);
    const char *near = near_name(name);
    if (entry && entry->tile)
        return error_set(err, STATUS_MISSING,
                         "there is no file of the network '%s'; it is made of %zu tiles of '%s' (searched: %s)", name,
                         entry->copies, entry->tile, searched);
    if (entry)
        return error_set(err, STATUS_MISSING,
                         "the network '%s' is not on this computer; `bnbench networks fetch %s` gets it, or name its "
                         "folder in BNBENCH_NETWORKS (searched: %s)",
                         name, name, searched);
    if (bnrep_find(name))
        return error_set(err, STATUS_MISSING,
                         "the network '%s' of bnRep is not on this computer; `bnbench networks fetch %s --unverified` "
                         "gets it (searched: %s)",
                         name, name, searched);
    if (near)
        return error_set(err, STATUS_MISSING, "there is no network '%.200s'; did you mean '%s'? (searched: %s)", name,
                         near, searched);
    return error_set(err, STATUS_MISSING,
                     "there is no network '%.200s'; `bnbench list networks` names those that are known, and a file is "
                     "named by its path (searched: %s)",
                     name, searched);
}

static bool is_path(const char *name) {
    return network_format_of_network(name) || strchr(name, '/') || strcmp(name, "-") == 0;
}

static status take_path(const char *name, char **path, error_info *err) {
    char *copy;
    if (strcmp(name, "-") != 0 && !file_exists(name))
        return error_set(err, STATUS_MISSING, "%.300s: no such file", name);
    CHECK_ALLOC(copy = text_copy(name));
    *path = copy;
    return STATUS_OK;
}

status catalogue_locate(const char *name, char **path, error_info *err) {
    AUTO(search_clear) search s = {.name = name};
    if (is_path(name))
        return take_path(name, path, err);
    CHECK(search_all(&s, err));
    if (!s.found)
        return not_found(name, s.searched.data, err);
    *path = s.found;
    s.found = NULL;
    return STATUS_OK;
}

/* ---- loading ---- */

static status read_located(const char *name, bayes_net **out, error_info *err) {
    AUTO_FREE char *path = NULL;
    any_network found = {0};
    CHECK(catalogue_locate(name, &path, err));
    if (network_format_of_network(path) && !network_format_of_network(path)->is_of_tables)
        return error_set(err, STATUS_INVALID, "%.300s is a linear-Gaussian network; this takes one of tables", path);
    CHECK(any_network_read(path, &found, NULL, err));
    *out = found.tables;
    return STATUS_OK;
}

static status make_tiled(const catalogue_entry *entry, bayes_net **out, error_info *err) {
    random_key key = random_key_text(random_key_text(random_key_of(CATALOGUE_TILING_SEED), "tile"), entry->name);
    random_stream random;
    AUTO_PTR(bayes_net_destroy) bayes_net *base = NULL;
    status st = read_located(entry->tile, &base, err);
    random_stream_init(&random, key);
    if (st == STATUS_OK)
        st = catalogue_check(catalogue_find(entry->tile), base, err);
    if (st == STATUS_OK)
        st = tile_network(base, entry->copies, entry->tile_arcs, NULL, &random, out, err);
    if (st != STATUS_OK)
        error_context(err, "%s, which is tiles of %s", entry->name, entry->tile);
    return st;
}

status catalogue_load(const char *name, bayes_net **out, error_info *err) {
    const catalogue_entry *entry = catalogue_find(name);
    char *path = NULL;
    error_info quiet = {0};
    bool is_nowhere = entry && entry->tile && catalogue_locate(name, &path, &quiet) == STATUS_MISSING;
    free(path);
    return is_nowhere ? make_tiled(entry, out, err) : read_located(name, out, err);
}
