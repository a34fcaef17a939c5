/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that filled a store: what was declared, by which program, on which machine. */
#include "build_info.h"
#include "core/base/checksum.h"
#include "core/base/text.h"
#include "store/plan_text_internal.h"

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

/* ---- a run, sealed by its checksum ---- */

/* A plan stands for itself by the type that it has in its row; what it holds is read apart. */
#define SEALED_COLUMNS                                                                                                 \
    "declaration, typeof(plan), plan_run, file, profile, started, ended, outcome, version, git_commit, compiler,"      \
    " build, sanitizers, processor, system"
enum {
    FIRST_SEALED = 2,
    N_SEALED = 15,
    DECLARATION = FIRST_SEALED,
    PLAN,
    PLAN_RUN,
    ENDED = PLAN_RUN + 4,
    OUTCOME,
    READING = FIRST_SEALED + N_SEALED
}; /* columns of prepare_run */

/* "id, digest, ..." of runs. What the format of a store that may not be written lacks is NULL, as are its digests. */
static status prepare_run(store *s, const char *rest, sqlite3_stmt **out, error_info *err) {
    char sql[400];
    const char *columns = s->format >= STORE_FORMAT_WITH_READINGS  ? "digest, " SEALED_COLUMNS ", reading"
                          : s->format >= STORE_FORMAT_WITH_DIGESTS ? "digest, " SEALED_COLUMNS ", NULL"
                                                                   : "NULL, declaration, typeof(plan), NULL";
    (void)snprintf(sql, sizeof sql, "SELECT id, %s FROM run %s", columns, rest);
    return store_prepare(s, sql, out, err);
}

static uint64_t add_column(uint64_t sum, sqlite3_stmt *statement, int column) {
    sum = checksum_number(sum, (uint64_t)sqlite3_column_type(statement, column));
    const void *bytes = sqlite3_column_blob(statement, column);
    return checksum_bytes(sum, bytes, (size_t)sqlite3_column_bytes(statement, column));
}

static bool has_plan(sqlite3_stmt *run) {
    const char *type = (const char *)sqlite3_column_text(run, PLAN);
    return type && strcmp(type, "text") == 0;
}

/* What is neither text nor NULL was never stored: without its bytes its sum differs from theirs as well. */
static status add_plan(store *s, sqlite3_stmt *run, uint64_t *sum, error_info *err) {
    const char *type = (const char *)sqlite3_column_text(run, PLAN);
    bool is_null = type && strcmp(type, "null") == 0;
    if (has_plan(run)) {
        *sum = checksum_number(*sum, SQLITE_TEXT);
        return plan_text_add(s, sqlite3_column_int64(run, 0), sum, err);
    }
    *sum = checksum_bytes(checksum_number(*sum, is_null ? SQLITE_NULL : SQLITE_BLOB), NULL, 0);
    return STATUS_OK;
}

static uint64_t add_value(uint64_t sum, int type, const char *text) {
    return checksum_bytes(checksum_number(sum, (uint64_t)type), text, text ? strlen(text) : 0);
}

/* How a run ends. */
typedef struct {
    const char *ended, *outcome;
} ending;

/* With another end than the stored one, unless that is NULL. The name of a reading counts where there is one, so that
 * the runs of format 4 keep their digests. */
static status digest_run(store *s, sqlite3_stmt *run, const ending *other, uint64_t *out, error_info *err) {
    uint64_t sum = CHECKSUM_START;
    for (int i = FIRST_SEALED; i < FIRST_SEALED + N_SEALED; i++) {
        if (i == PLAN)
            CHECK(add_plan(s, run, &sum, err));
        else if (other && (i == ENDED || i == OUTCOME))
            sum = add_value(sum, SQLITE_TEXT, i == ENDED ? other->ended : other->outcome);
        else
            sum = add_column(sum, run, i);
    }
    *out = sqlite3_column_type(run, READING) == SQLITE_NULL ? sum : add_column(sum, run, READING);
    return STATUS_OK;
}

/* A run that was recorded before there were digests has none. */
static status check_whole(store *s, sqlite3_stmt *run, bool *out, error_info *err) {
    int type = sqlite3_column_type(run, 1);
    uint64_t digest;
    *out = type == SQLITE_NULL;
    if (type != SQLITE_INTEGER)
        return STATUS_OK;
    CHECK(digest_run(s, run, NULL, &digest, err));
    *out = sqlite3_column_int64(run, 1) == (int64_t)digest;
    return STATUS_OK;
}

/* ---- writing ---- */

static status no_run(const char *reading, error_info *err) {
    if (!reading)
        return error_set(err, STATUS_MISSING, "no run was started in this store yet");
    return error_set(err, STATUS_MISSING,
                     "no run of the reading '%.60s' is in this store; 'bnbench run FILE --readings ID' makes one",
                     reading);
}

/* The last run that holds this plan; 0 where there is none, or that one is damaged. */
static status find_plan(store *s, const char *plan, int64_t *id, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *runs = NULL;
    bool has_row, is_same = false, is_whole;
    CHECK(prepare_run(s, "WHERE typeof(plan) = 'text' ORDER BY id DESC", &runs, err));
    *id = 0;
    while (!is_same) {
        CHECK(store_step(s, runs, &has_row, "looking for a plan", err));
        if (!has_row)
            return STATUS_OK;
        CHECK(plan_text_is(s, sqlite3_column_int64(runs, 0), plan, &is_same, err));
    }
    CHECK(check_whole(s, runs, &is_whole, err));
    *id = is_whole ? sqlite3_column_int64(runs, 0) : 0;
    return STATUS_OK;
}

/* What digest_run will find, so that a long plan is written once. */
static uint64_t digest_values(const char *const values[], size_t n, int64_t plan_run) {
    uint64_t sum = CHECKSUM_START;
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%lld", (long long)plan_run);
    for (size_t i = 0; i < n; i++) {
        if (i == PLAN_RUN - FIRST_SEALED && plan_run)
            sum = add_value(sum, SQLITE_INTEGER, digits);
        else if (i < N_SEALED || values[i])
            sum = add_value(sum, values[i] ? SQLITE_TEXT : SQLITE_NULL, values[i]);
    }
    return sum;
}

/* The values in the order in which they are sealed. */
static status insert_run(store *s, const store_run *run, int64_t plan_run, error_info *err) {
    char started[TIME_LENGTH], processor[FACT_LENGTH], system_text[FACT_LENGTH];
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    now_as_text(started);
    find_processor(processor);
    find_system(system_text);
    const char *const values[] = {run->declaration,
                                  plan_run ? NULL : run->plan,
                                  NULL,
                                  run->file,
                                  run->profile,
                                  started,
                                  NULL,
                                  NULL,
                                  BNB_VERSION,
                                  BNB_COMMIT,
                                  BNB_COMPILER,
                                  BNB_BUILD_TYPE,
                                  BNB_SANITIZERS,
                                  processor,
                                  system_text,
                                  run->reading};
    const int n = sizeof values / sizeof *values;
    CHECK(store_prepare(s,
                        "INSERT INTO run(declaration, plan, plan_run, file, profile, started, ended, outcome, version,"
                        " git_commit, compiler, build, sanitizers, processor, system, reading, digest)"
                        " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                        &statement, err));
    for (int i = 0; i < n; i++)
        store_bind_text(statement, i + 1, values[i]);
    if (plan_run)
        (void)sqlite3_bind_int64(statement, PLAN_RUN - FIRST_SEALED + 1, plan_run);
    (void)sqlite3_bind_int64(statement, n + 1, (int64_t)digest_values(values, (size_t)n, plan_run));
    return store_run_once(s, statement, "recording a run", err);
}

static status record_run(store *s, const store_run *run, int64_t *id, error_info *err) {
    int64_t plan_run;
    CHECK(find_plan(s, run->plan, &plan_run, err));
    CHECK(insert_run(s, run, plan_run, err));
    *id = sqlite3_last_insert_rowid(s->db);
    return STATUS_OK;
}

status store_begin_run(store *s, const store_run *run, int64_t *id, error_info *err) {
    int64_t made = 0;
    CHECK(store_begin_writing(s, "recording a run", err));
    CHECK(store_end_transaction(s, record_run(s, run, &made, err), "recording a run", err));
    *id = s->run_id = made;
    return STATUS_OK;
}

status store_continue_run(store *s, const char *reading, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    bool has_row;
    CHECK(store_prepare(s, "SELECT id FROM run WHERE reading IS ? ORDER BY id DESC LIMIT 1", &statement, err));
    store_bind_text(statement, 1, reading);
    CHECK(store_step(s, statement, &has_row, "looking for the last run", err));
    if (!has_row)
        return no_run(reading, err);
    s->run_id = sqlite3_column_int64(statement, 0);
    return STATUS_OK;
}

static status digest_ended(store *s, int64_t id, const ending *end, uint64_t *digest, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *run = NULL;
    bool has_row;
    CHECK(prepare_run(s, "WHERE id = ?", &run, err));
    (void)sqlite3_bind_int64(run, 1, id);
    CHECK(store_step(s, run, &has_row, "recording the end of a run", err));
    if (!has_row)
        return error_set(err, STATUS_INVALID, "there is no run %lld in the store", (long long)id);
    return digest_run(s, run, end, digest, err);
}

/* One statement, since the row is written anew, with a plan that may be long. */
static status note_end(store *s, int64_t id, const char *outcome, error_info *err) {
    char now[TIME_LENGTH];
    const ending end = {now, outcome};
    uint64_t digest;
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    now_as_text(now);
    CHECK(digest_ended(s, id, &end, &digest, err));
    CHECK(store_prepare(s, "UPDATE run SET ended = ?, outcome = ?, digest = ? WHERE id = ?", &statement, err));
    store_bind_text(statement, 1, end.ended);
    store_bind_text(statement, 2, end.outcome);
    (void)sqlite3_bind_int64(statement, 3, (int64_t)digest);
    (void)sqlite3_bind_int64(statement, 4, id);
    return store_run_once(s, statement, "recording the end of a run", err);
}

status store_end_run(store *s, int64_t id, const char *outcome, error_info *err) {
    CHECK(store_begin_writing(s, "recording the end of a run", err));
    return store_end_transaction(s, note_end(s, id, outcome, err), "recording the end of a run", err);
}

/* ---- reading ---- */

static status say_damage(sqlite3_stmt *statement, error_info *err) {
    return error_set(
        err, STATUS_INVALID,
        "the run in row %lld is damaged; 'bnbench run' of the same experiment records it anew and keeps the "
        "results",
        (long long)sqlite3_column_int64(statement, 0));
}

/* The next row of a statement of prepare_run; `reading` is what was looked for. */
static status step_to_run(store *s, sqlite3_stmt *statement, const char *reading, error_info *err) {
    bool has_row, is_whole;
    CHECK(store_step(s, statement, &has_row, "reading the last run", err));
    if (!has_row)
        return no_run(reading, err);
    CHECK(check_whole(s, statement, &is_whole, err));
    return is_whole ? STATUS_OK : say_damage(statement, err);
}

static status copy_text(sqlite3_stmt *run, int column, char **out, error_info *err) {
    return sqlite3_column_type(run, column) == SQLITE_TEXT ? store_copy_text(run, column, out, err)
                                                           : say_damage(run, err);
}

static status copy_own_plan(store *s, sqlite3_stmt *run, char **plan, error_info *err) {
    return has_plan(run) ? plan_text_read(s, sqlite3_column_int64(run, 0), plan, err) : say_damage(run, err);
}

static status copy_plan(store *s, sqlite3_stmt *run, char **plan, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *other = NULL;
    if (sqlite3_column_type(run, PLAN_RUN) == SQLITE_NULL)
        return copy_own_plan(s, run, plan, err);
    CHECK(prepare_run(s, "WHERE id = ?", &other, err));
    (void)sqlite3_bind_int64(other, 1, sqlite3_column_int64(run, PLAN_RUN));
    if (step_to_run(s, other, NULL, err) != STATUS_OK)
        return say_damage(run, err);
    return copy_own_plan(s, other, plan, err);
}

/* Whether the row is a run of that reading; NULL: of an experiment as it is declared. */
static bool is_of_reading(const store *s, sqlite3_stmt *run, const char *reading) {
    bool has_readings = s->format >= STORE_FORMAT_WITH_READINGS;
    const char *stored = has_readings ? (const char *)sqlite3_column_text(run, READING) : NULL;
    return reading && stored ? strcmp(reading, stored) == 0 : !reading && !stored;
}

/* To the last run of a reading. A damaged row on the way might have been it. */
static status step_to_reading(store *s, sqlite3_stmt *runs, const char *reading, error_info *err) {
    do
        CHECK(step_to_run(s, runs, reading, err));
    while (!is_of_reading(s, runs, reading));
    return STATUS_OK;
}

status store_last_run(store *s, const char *reading, char **declaration, char **plan, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    AUTO_FREE char *found_declaration = NULL, *found_plan = NULL;
    CHECK(prepare_run(s, "ORDER BY id DESC", &statement, err));
    CHECK(step_to_reading(s, statement, reading, err));
    CHECK(copy_text(statement, DECLARATION, &found_declaration, err));
    if (plan)
        CHECK(copy_plan(s, statement, &found_plan, err));
    *declaration = TAKE(found_declaration);
    if (plan)
        *plan = TAKE(found_plan);
    return STATUS_OK;
}

void store_run_facts_clear(store_run_facts *f) {
    char *const texts[] = {f->version, f->commit,  f->compiler, f->build, f->sanitizers, f->processor,
                           f->system,  f->profile, f->started,  f->ended, f->outcome,    f->first_started};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *f = (store_run_facts){0};
}

#define FACTS "version, git_commit, compiler, build, sanitizers, processor, system, profile, started, ended, outcome"

status store_last_run_facts(store *s, const char *reading, store_run_facts *out, error_info *err) {
    AUTO(store_run_facts_clear) store_run_facts f = {0};
    char **const places[] = {&f.version, &f.commit,  &f.compiler, &f.build, &f.sanitizers, &f.processor,
                             &f.system,  &f.profile, &f.started,  &f.ended, &f.outcome,    &f.first_started};
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    bool has_row;
    const char *sql = s->format >= STORE_FORMAT_WITH_READINGS
                          ? "SELECT " FACTS ", (SELECT min(started) FROM run WHERE reading IS ?1),"
                            " (SELECT count(*) FROM run WHERE reading IS ?1)"
                            " FROM run WHERE reading IS ?1 ORDER BY id DESC LIMIT 1"
                          : "SELECT " FACTS ", (SELECT min(started) FROM run), (SELECT count(*) FROM run)"
                            " FROM run WHERE ?1 IS NULL ORDER BY id DESC LIMIT 1";
    CHECK(store_prepare(s, sql, &statement, err));
    store_bind_text(statement, 1, reading);
    CHECK(store_step(s, statement, &has_row, "reading the last run", err));
    if (!has_row)
        return no_run(reading, err);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        CHECK(store_copy_text(statement, (int)i, places[i], err));
    f.n_runs = (size_t)sqlite3_column_int64(statement, (int)(sizeof places / sizeof *places));
    *out = TAKE(f);
    return STATUS_OK;
}
