/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/network_fetch.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "generators/networks/bif.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the checks ---- */

/* From the file, since that is what will be read later. */
static status check_file(const catalogue_entry *entry, const char *path, const fetch_options *o, fetch_check *check,
                         error_info *err) {
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    AUTO_FREE char *text = NULL;
    size_t length;
    status st = file_read(path, TRANSFER_MOST_BYTES, &text, &length, err);
    if (st == STATUS_OK)
        st = transfer_check_digest(text, length, entry->sha256, o, check, err);
    if (st == STATUS_OK)
        st = bif_parse(text, length, entry->name, &net, NULL, err);
    if (st == STATUS_OK)
        st = catalogue_check(entry, net, err);
    return st == STATUS_INVALID ? STATUS_PARSE : st;
}

/* ---- into the cache ---- */

/* Under a name of our own that does not end in .gz: file_write would compress it again. */
static status write_temporary(const char *folder, const text_buffer *bytes, char **path, error_info *err) {
    char *made = path_join(folder, ".fetch-XXXXXX");
    int fd;
    status st;
    CHECK_ALLOC(made);
    fd = mkstemp(made);
    if (fd < 0) {
        st = error_set(err, STATUS_IO, "%.300s: %s", folder, strerror(errno));
        free(made);
        return st;
    }
    (void)close(fd);
    *path = made;
    return file_write(made, bytes->data, bytes->length, err);
}

status network_download(const catalogue_entry *entry, const char *url, const fetch_options *o, const char *folder,
                        char **path, fetch_check *check, error_info *err) {
    AUTO(text_buffer_clear) text_buffer bytes = {0};
    AUTO_FREE char *temporary = NULL, *place = NULL;
    fetch_check how = FETCH_BY_CONTENT;
    status st = STATUS_OK;
    TRY_ALLOC(place = path_join_ending(folder, entry->name, ".bif.gz"));
    TRY(transfer_get(url, o->allows_http, &bytes, err));
    TRY(folder_create(folder, err));
    TRY(write_temporary(folder, &bytes, &temporary, err));
    TRY(check_file(entry, temporary, o, &how, err));
    if (rename(temporary, place) != 0)
        TRY(error_set(err, STATUS_IO, "%.300s: %s", place, strerror(errno)));
    free(temporary);
    temporary = NULL;
    if (check)
        *check = how;
    if (path) {
        *path = TAKE(place);
    }
cleanup:
    if (temporary)
        (void)unlink(temporary);
    return error_at(st, err, url);
}

/* ---- by name ---- */

status network_fetch(const char *name, const fetch_options *o, char **path, fetch_check *check, error_info *err) {
    const catalogue_entry *entry = catalogue_find(name);
    const char *base = o->base_url ? o->base_url : getenv("BNBENCH_REPOSITORY");
    AUTO_FREE char *url = NULL, *folder = NULL;
    if (entry && entry->tile)
        return error_set(err, STATUS_MISSING, "'%s' is made of %zu tiles of '%s'; fetch that one", name, entry->copies,
                         entry->tile);
    if (!entry || !entry->url)
        return error_set(err, STATUS_MISSING,
                         "no network '%.200s' can be fetched; `bnbench list networks` names those that can", name);
    CHECK_ALLOC(url = base && *base ? transfer_address(base, entry->name, entry->name, ".bif.gz")
                                    : text_copy(entry->url));
    CHECK_ALLOC(folder = catalogue_cache_folder());
    return network_download(entry, url, o, folder, path, check, err);
}
