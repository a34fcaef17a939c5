/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that filled a store: what was declared, by which program, on which machine. */
#include "build_info.h"
#include "core/base/text.h"
#include "store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

enum { TIME_LENGTH = 32, FACT_LENGTH = 256 };

static void now_as_text(char out[TIME_LENGTH]) {
    struct timespec now;
    struct tm utc;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (!gmtime_r(&now.tv_sec, &utc) || strftime(out, TIME_LENGTH, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        out[0] = '\0';
}

static void find_processor(char out[FACT_LENGTH]) {
    char line[FACT_LENGTH];
    FILE *f = fopen("/proc/cpuinfo", "re");
    (void)snprintf(out, FACT_LENGTH, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", strlen("model name")) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(out, FACT_LENGTH, "%s", colon + strspn(colon, ": \t"));
        break;
    }
    if (f)
        (void)fclose(f);
}

static void find_system(char out[FACT_LENGTH]) {
    struct utsname u;
    if (uname(&u) == 0)
        (void)snprintf(out, FACT_LENGTH, "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
    else
        (void)snprintf(out, FACT_LENGTH, "unknown");
}

status store_begin_run(store *s, const store_run *run, int64_t *id, error_info *err) {
    char started[TIME_LENGTH], processor[FACT_LENGTH], system_text[FACT_LENGTH];
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    now_as_text(started);
    find_processor(processor);
    find_system(system_text);
    CHECK(
        store_prepare(s,
                      "INSERT INTO run(declaration, file, profile, plan, started, version, git_commit, compiler, build,"
                      " sanitizers, processor, system) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                      &statement, err));
    const char *values[] = {run->declaration, run->file,    run->profile,   run->plan,      started,   BNB_VERSION,
                            BNB_COMMIT,       BNB_COMPILER, BNB_BUILD_TYPE, BNB_SANITIZERS, processor, system_text};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        store_bind_text(statement, (int)i + 1, values[i]);
    CHECK(store_run_once(s, statement, "recording a run", err));
    s->run_id = sqlite3_last_insert_rowid(s->db);
    *id = s->run_id;
    return STATUS_OK;
}

status store_end_run(store *s, int64_t id, const char *outcome, error_info *err) {
    char ended[TIME_LENGTH];
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    now_as_text(ended);
    CHECK(store_prepare(s, "UPDATE run SET ended = ?, outcome = ? WHERE id = ?", &statement, err));
    store_bind_text(statement, 1, ended);
    store_bind_text(statement, 2, outcome);
    (void)sqlite3_bind_int64(statement, 3, id);
    CHECK(store_run_once(s, statement, "recording the end of a run", err));
    if (sqlite3_changes(s->db) != 1)
        return error_set(err, STATUS_INVALID, "there is no run %lld in the store", (long long)id);
    return STATUS_OK;
}

status store_last_run(store *s, char **declaration, char **plan, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    AUTO_FREE char *found_declaration = NULL, *found_plan = NULL;
    bool has_row;
    CHECK(store_prepare(s, "SELECT declaration, plan FROM run ORDER BY id DESC LIMIT 1", &statement, err));
    CHECK(store_step(s, statement, &has_row, "reading the last run", err));
    if (!has_row)
        return error_set(err, STATUS_MISSING, "no run was started in this store yet");
    CHECK(store_copy_text(statement, 0, &found_declaration, err));
    CHECK(store_copy_text(statement, 1, &found_plan, err));
    *declaration = found_declaration;
    *plan = found_plan;
    found_declaration = found_plan = NULL;
    return STATUS_OK;
}

void store_run_facts_clear(store_run_facts *f) {
    char *const texts[] = {f->version, f->commit,  f->compiler, f->build, f->sanitizers, f->processor,
                           f->system,  f->profile, f->started,  f->ended, f->outcome,    f->first_started};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *f = (store_run_facts){0};
}

status store_last_run_facts(store *s, store_run_facts *out, error_info *err) {
    AUTO(store_run_facts_clear) store_run_facts f = {0};
    char **const places[] = {&f.version, &f.commit,  &f.compiler, &f.build, &f.sanitizers, &f.processor,
                             &f.system,  &f.profile, &f.started,  &f.ended, &f.outcome,    &f.first_started};
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    bool has_row;
    CHECK(store_prepare(s,
                        "SELECT version, git_commit, compiler, build, sanitizers, processor, system, profile, started,"
                        " ended, outcome, (SELECT min(started) FROM run), (SELECT count(*) FROM run)"
                        " FROM run ORDER BY id DESC LIMIT 1",
                        &statement, err));
    CHECK(store_step(s, statement, &has_row, "reading the last run", err));
    if (!has_row)
        return error_set(err, STATUS_MISSING, "no run was started in this store yet");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        CHECK(store_copy_text(statement, (int)i, places[i], err));
    f.n_runs = (size_t)sqlite3_column_int64(statement, (int)(sizeof places / sizeof *places));
    *out = TAKE(f);
    return STATUS_OK;
}
