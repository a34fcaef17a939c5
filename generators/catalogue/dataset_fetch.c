/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/dataset_fetch.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/data/dataset_file.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_convert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A data set's two files in a folder. */
typedef struct {
    char *data, *schema;
} place;

static status place_init(place *p, const char *folder, const char *name, error_info *err) {
    p->data = path_join_ending(folder, name, ".csv.gz");
    p->schema = path_join_ending(folder, name, ".schema.csv");
    return p->data && p->schema ? STATUS_OK : error_out_of_memory(err);
}

static void place_clear(place *p) {
    free(p->data);
    free(p->schema);
}

/* ---- the checks ---- */

/* From the files, since that is what will be read later. */
static status check_content(const dataset_entry *entry, const place *p, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    status st = dataset_read(p->data, NULL, &data, NULL, err);
    if (st == STATUS_PARSE)
        error_context(err, "these are not the data '%s'", entry->name);
    if (st == STATUS_OK)
        st = dataset_entry_check(entry, data, err);
    return st == STATUS_INVALID ? STATUS_PARSE : st;
}

/* ---- into the cache ---- */

static status write_files(const dataset_entry *entry, const text_buffer *csv, const place *p, error_info *err) {
    AUTO(text_buffer_clear) text_buffer schema = {0};
    dataset_append_entry_schema(entry, &schema);
    CHECK(text_buffer_check(&schema, err));
    CHECK(file_write(p->schema, schema.data, schema.length, err));
    return file_write(p->data, csv->data, csv->length, err);
}

static status move(const char *from, const char *to, error_info *err) {
    return rename(from, to) == 0 ? STATUS_OK : error_set(err, STATUS_IO, "%.300s: %s", to, strerror(errno));
}

/* The schema first: data beside no schema would be read with guessed kinds. */
static status move_files(const place *from, const place *to, error_info *err) {
    CHECK(move(from->schema, to->schema, err));
    return move(from->data, to->data, err);
}

/* A file of the user's own would be read in place of ours, with our schema. */
static status refuse_shadow(const char *folder, const char *name, error_info *err) {
    AUTO_FREE char *path = path_join_ending(folder, name, ".csv");
    CHECK_ALLOC(path);
    if (file_exists(path))
        return error_set(err, STATUS_INVALID, "%.300s is there already and would be read instead; move it away first",
                         path);
    return STATUS_OK;
}

/* Written and checked in a folder of their own, then moved. */
static status keep(const dataset_entry *entry, const text_buffer *csv, const char *folder, const place *to,
                   error_info *err) {
    AUTO_PTR(scratch_destroy) char *scratch = NULL;
    AUTO(place_clear) place from = {0};
    CHECK(refuse_shadow(folder, entry->name, err));
    CHECK(folder_create(folder, err));
    CHECK(scratch_create(folder, ".fetch-", &scratch, err));
    CHECK(place_init(&from, scratch, entry->name, err));
    CHECK(write_files(entry, csv, &from, err));
    CHECK(check_content(entry, &from, err));
    return move_files(&from, to, err);
}

static status download(const dataset_entry *entry, const char *url, const fetch_options *o, const char *folder,
                       char **path, fetch_check *check, error_info *err) {
    AUTO(text_buffer_clear) text_buffer source = {0}, csv = {0};
    fetch_check how = FETCH_BY_CONTENT;
    AUTO(place_clear) place to = {0};
    CHECK(place_init(&to, folder, entry->name, err));
    CHECK(transfer_get(url, o->allows_http, &source, err));
    CHECK(dataset_convert(entry, source.data, source.length, &csv, err));
    CHECK(transfer_check_digest(csv.data, csv.length, entry->csv_sha256, o, &how, err));
    CHECK(keep(entry, &csv, folder, &to, err));
    if (check)
        *check = how;
    if (path) {
        *path = to.data;
        to.data = NULL;
    }
    return STATUS_OK;
}

status dataset_download(const dataset_entry *entry, const char *url, const fetch_options *o, const char *folder,
                        char **path, fetch_check *check, error_info *err) {
    return error_at(download(entry, url, o, folder, path, check, err), err, url);
}

/* ---- by name ---- */

status dataset_fetch(const char *name, const fetch_options *o, char **path, fetch_check *check, error_info *err) {
    const dataset_entry *entry = dataset_catalogue_find(name);
    AUTO_FREE char *url = NULL, *folder = NULL;
    if (!entry)
        return error_set(err, STATUS_MISSING,
                         "no data set '%.200s' can be fetched; `bnbench list datasets` names those that can", name);
    if (entry->page)
        return error_set(err, STATUS_MISSING,
                         "the data set '%s' is not fetched: %s holds it, in files that are not known here; who has it "
                         "puts %s.csv, a gene a column, into a folder that BNBENCH_DATASETS names",
                         name, entry->page, name);
    if (!entry->url)
        return error_set(err, STATUS_MISSING,
                         "no public address of the data set '%s' is known; who has it puts %s.csv and %s.schema.csv "
                         "into a folder that BNBENCH_DATASETS names",
                         name, name, name);
    CHECK_ALLOC(url = o->base_url ? transfer_address(o->base_url, entry->name, path_base(entry->url), "")
                                  : text_copy(entry->url));
    CHECK_ALLOC(folder = catalogue_cache_folder());
    return dataset_download(entry, url, o, folder, path, check, err);
}
