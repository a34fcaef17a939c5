/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands in the rows of a store, as another program may have written it: sums that fit are not asked for, as in
 * rows of earlier formats. The input has parts "run.COLUMN=VALUE" or "job.COLUMN=VALUE", between them lines "%%".
 */
#include "tests/fuzz/fuzz_file.h"
#include "tests/fuzz/fuzz_stored.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sqlite3 *db;

static void execute(const char *sql) {
    (void)sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* A store of one job, to which each input's changes are made anew. */
static void make_store(void) {
    char path[300], key[JOB_KEY_SIZE] = "", keys[JOB_KEY_SIZE + 8], network[] = "small", id_of_learner[] = "hc",
                    kind[] = "dag", graph[] = "# nodes: a,b\nfrom,to,type\na,b,directed\n", options[] = "{}";
    store *s = NULL;
    job_record r = {.network = network,
                    .n_samples = 20,
                    .learner = id_of_learner,
                    .key = key,
                    .options = options,
                    .graph_kind = kind,
                    .graph = graph};
    int64_t id = 0;
    bool added;
    memset(key, 'a', JOB_KEY_SIZE - 1);
    (void)snprintf(keys, sizeof keys, "[\"%s\"]", key);
    store_run run = {.declaration = "name: small\nnetworks: [small]\ndata: {samples: 20}\nlearners: [hc]\n"
                                    "metrics: [shd]\nfolder: /nowhere\n",
                     .plan = keys};
    if (store_open(fuzz_folder(), true, false, &s, NULL) != STATUS_OK ||
        store_begin_run(s, &run, &id, NULL) != STATUS_OK || job_record_set_metric(&r, "shd", 1, NULL) != STATUS_OK ||
        store_add(s, &r, &added, NULL) != STATUS_OK)
        abort();
    free(r.metrics[0].name);
    free(r.metrics);
    store_close(s);
    (void)snprintf(path, sizeof path, "%s/results.sqlite", fuzz_folder());
    if (sqlite3_open(path, &db) != SQLITE_OK)
        abort();
    execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
            "UPDATE run SET digest=NULL; UPDATE job SET digest=NULL, texts_digest=NULL;"
            "CREATE TABLE run_kept AS SELECT * FROM run; CREATE TABLE job_kept AS SELECT * FROM job;"
            "CREATE TABLE metric_kept AS SELECT * FROM metric");
}

static void restore(void) {
    execute("DELETE FROM metric; DELETE FROM job; DELETE FROM run; INSERT INTO run SELECT * FROM run_kept;"
            "INSERT INTO job SELECT * FROM job_kept; INSERT INTO metric SELECT * FROM metric_kept");
}

/* "table.column=value"; a value that begins with "#" is a number, a single "0" is NULL, all else a text. */
static void change(const char *part, size_t length) {
    const char *dot = memchr(part, '.', length), *equals = memchr(part, '=', length);
    const char *value = equals ? equals + 1 : NULL;
    size_t n = equals ? length - (size_t)(value - part) : 0;
    char sql[160];
    sqlite3_stmt *statement = NULL;
    if (!dot || !equals || dot > equals || equals - part > 60)
        return;
    for (const char *c = part; c < equals; c++) {
        if (c != dot && !islower((unsigned char)*c) && *c != '_')
            return;
    }
    (void)snprintf(sql, sizeof sql, "UPDATE %.*s SET %.*s=?1", (int)(dot - part), part, (int)(equals - dot - 1),
                   dot + 1);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
        if (n == 1 && *value == '0')
            (void)sqlite3_bind_null(statement, 1);
        else if (n > 0 && *value == '#')
            (void)sqlite3_bind_double(statement, 1, strtod(value + 1, NULL));
        else
            (void)sqlite3_bind_text(statement, 1, value, (int)n, SQLITE_TRANSIENT);
        (void)sqlite3_step(statement);
    }
    (void)sqlite3_finalize(statement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_FREE char *text = calloc(size + 1, 1);
    const char *at = text;
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    if (!db)
        make_store();
    execute("BEGIN");
    restore();
    for (const char *end = text + size; at < end;) {
        const char *mark = memmem(at, (size_t)(end - at), "\n%%\n", 4);
        change(at, (size_t)((mark ? mark : end) - at));
        at = mark ? mark + 4 : end;
    }
    execute("COMMIT");
    fuzz_read_store(fuzz_folder());
    return 0;
}
