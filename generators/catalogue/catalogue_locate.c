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

/* The folder in another one, if nothing is found so far and it is there. */
static status try_folder(const char *in, const char *folder, char **found, error_info *err) {
    AUTO_FREE char *path = *found ? NULL : path_join(in, folder);
    if (*found)
        return STATUS_OK;
    CHECK_ALLOC(path);
    if (access(path, R_OK | X_OK) == 0)
        *found = TAKE(path);
    return STATUS_OK;
}

/* "/opt/bnb/share/bnbench/networks" for the file /opt/bnb/bin/bnbench, and for /opt/bnb/lib/libbnbench.so.0; in Debian
 * a library lies one folder deeper. The file's name is cut. */
static status try_beside(char *file, char **found, error_info *err) {
    char *slash = strrchr(file, '/');
    if (!slash)
        return STATUS_OK;
    *slash = '\0';
    CHECK(try_folder(file, "../share/bnbench/networks", found, err));
    return try_folder(file, "../../share/bnbench/networks", found, err);
}

/* Of the program that runs, where that can be told. */
static status try_program(char **found, error_info *err) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return STATUS_OK;
    program[length] = '\0';
    return try_beside(program, found, err);
}

/* Of the library that holds this function, where another program loaded it. */
static status try_library(char **found, error_info *err) {
    static const char mark;
    char library[PATH_MAX];
    Dl_info info;
    if (dladdr(&mark, &info) == 0 || !info.dli_fname || !realpath(info.dli_fname, library))
        return STATUS_OK;
    return try_beside(library, found, err);
}

status catalogue_shipped_folder(char **out, error_info *err) {
    const char *share = environment("BNBENCH_SHARE");
    *out = NULL;
    if (share)
        CHECK(try_folder(share, "networks", out, err));
    CHECK(try_program(out, err));
    CHECK(try_library(out, err));
    if (!*out)
        CHECK_ALLOC(*out = path_join(BNB_SHARE_FOLDER, "networks"));
    return STATUS_OK;
}

/* The folder lies beside the networks that ship, or, in the source tree, in results/. */
status catalogue_shipped_beside(const char *which, char **out, error_info *err) {
    static const char *const places[] = {"", "results/"};
    AUTO_FREE char *networks = NULL;
    const char *end;
    *out = NULL;
    CHECK(catalogue_shipped_folder(&networks, err));
    end = strrchr(networks, '/');
    for (size_t i = 0; end && !*out && i < 2; i++) {
        AUTO(text_buffer_clear) text_buffer path = {0};
        text_append_bytes(&path, networks, (size_t)(end - networks));
        text_append_format(&path, "/%s%s", places[i], which);
        CHECK(text_buffer_check(&path, err));
        if (file_exists(path.data))
            *out = TAKE(path.data);
    }
    return STATUS_OK;
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
    AUTO_FREE char *cache = catalogue_cache_folder(), *shipped = NULL;
    CHECK_ALLOC(cache);
    CHECK(catalogue_shipped_folder(&shipped, err));
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
