/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/network_fetch.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "generators/catalogue/any_network.h"
#include "generators/catalogue/bnrep.h"
#include "generators/networks/bif.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file to be had: of which of the two catalogues it is. */
typedef struct {
    const catalogue_entry *entry; /* NULL: of bnRep */
    const bnrep_entry *bnrep;
    const char *name, *ending; /* in the cache */
} wanted_file;

static wanted_file wanted_of(const catalogue_entry *entry) {
    return (wanted_file){.entry = entry, .name = entry->name, .ending = ".bif.gz"};
}

static wanted_file wanted_of_bnrep(const bnrep_entry *e) {
    return (wanted_file){.bnrep = e, .name = e->name, .ending = e->is_gaussian ? ".json" : ".bif"};
}

/* ---- the checks ---- */

static status check_entry(const catalogue_entry *entry, const char *text, size_t length, const fetch_options *o,
                          fetch_check *check, error_info *err) {
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    CHECK(transfer_check_digest(text, length, entry->sha256, o, check, err));
    CHECK(bif_parse(text, length, entry->name, &net, NULL, err));
    return catalogue_check(entry, net, err);
}

static status check_bnrep(const bnrep_entry *e, const char *text, size_t length, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    const network_format *format = network_format_find(e->is_gaussian ? "json" : "bif");
    CHECK(format->parse(text, length, e->name, &net, NULL, err));
    if (any_network_node_count(&net) == e->nodes && dag_arc_count(any_network_dag(&net)) == e->arcs)
        return STATUS_OK;
    return error_set(err, STATUS_PARSE, "it is not the network '%s': it has %zu nodes and %zu arcs, not %zu and %zu",
                     e->name, any_network_node_count(&net), dag_arc_count(any_network_dag(&net)), e->nodes, e->arcs);
}

/* From the file, since that is what will be read later. */
static status check_file(const wanted_file *wanted, const char *path, const fetch_options *o, fetch_check *check,
                         error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length;
    status st = file_read(path, TRANSFER_MOST_BYTES, &text, &length, err);
    if (st == STATUS_OK)
        st = wanted->entry ? check_entry(wanted->entry, text, length, o, check, err)
                           : check_bnrep(wanted->bnrep, text, length, err);
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

static status download(const wanted_file *wanted, const char *url, const fetch_options *o, const char *folder,
                       char **path, fetch_check *check, error_info *err) {
    AUTO(text_buffer_clear) text_buffer bytes = {0};
    AUTO_FREE char *temporary = NULL, *place = NULL;
    fetch_check how = FETCH_BY_CONTENT;
    status st = STATUS_OK;
    TRY_ALLOC(place = path_join_ending(folder, wanted->name, wanted->ending));
    TRY(transfer_get(url, o->allows_http, &bytes, err));
    TRY(folder_create(folder, err));
    TRY(write_temporary(folder, &bytes, &temporary, err));
    TRY(check_file(wanted, temporary, o, &how, err));
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

status network_download(const catalogue_entry *entry, const char *url, const fetch_options *o, const char *folder,
                        char **path, fetch_check *check, error_info *err) {
    wanted_file wanted = wanted_of(entry);
    return download(&wanted, url, o, folder, path, check, err);
}

/* ---- by name ---- */

static status fetch_bnrep(const bnrep_entry *e, const fetch_options *o, char **path, fetch_check *check,
                          error_info *err) {
    wanted_file wanted = wanted_of_bnrep(e);
    const char *stem = e->name + strlen(BNREP_PREFIX), *base = o->base_url ? o->base_url : BNREP_ADDRESS;
    AUTO_FREE char *url = transfer_address(base, "bnrep", stem, wanted.ending), *folder = catalogue_cache_folder();
    CHECK_ALLOC(url);
    CHECK_ALLOC(folder);
    if (!o->allows_other)
        return error_set(err, STATUS_INVALID,
                         "no checksum of '%s' is known; --unverified keeps what comes where it has the %zu nodes and "
                         "%zu arcs of the catalogue",
                         e->name, e->nodes, e->arcs);
    return download(&wanted, url, o, folder, path, check, err);
}

status network_fetch(const char *name, const fetch_options *o, char **path, fetch_check *check, error_info *err) {
    const catalogue_entry *entry = catalogue_find(name);
    const char *base = o->base_url ? o->base_url : getenv("BNBENCH_REPOSITORY");
    AUTO_FREE char *url = NULL, *folder = NULL;
    if (!entry && bnrep_find(name))
        return fetch_bnrep(bnrep_find(name), o, path, check, err);
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
