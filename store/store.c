/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening, locking, and what SQLite says. A rollback journal that stays (PERSIST) with synchronous=FULL: a commit is on
 * the disk when it returns, for half the time that deleting the journal takes; and other than a write-ahead log it also
 * holds on a folder that several machines share.
 */
#include "core/base/file.h"
#include "core/base/text.h"
#include "store/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x626e6263, /* "bnbc" */
    FORMAT_VERSION = 3,
    FORMAT_WITH_TRACES = 2, /* the first that has them */
    FORMAT_WITH_SIGMA = 3,
    BUSY_TRIES = 30000,
    BUSY_PAUSE_MS = 2,
    LOCK_TRIES = 41, /* 50 ms apart: two seconds */
    LOCK_PAUSE_MS = 50
};

status store_sqlite_error(sqlite3 *db, const char *doing, error_info *err) {
    int code = sqlite3_extended_errcode(db) & 0xff;
    const char *said = sqlite3_errmsg(db);
    switch (code) {
    case SQLITE_NOMEM:
        return error_out_of_memory(err);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_SCHEMA:
    case SQLITE_ERROR: /* a table or column that ours has is missing */
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_INVALID, "not a database of results, or a damaged one (while %s: %s)", doing,
                         said);
    case SQLITE_FULL:
        return error_set(err, STATUS_IO, "the disk is full (while %s)", doing);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, STATUS_IO, "another program keeps the database locked (while %s)", doing);
    case SQLITE_TOOBIG:
        return error_set(err, STATUS_INVALID, "a value is too long for the database (while %s)", doing);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        return error_set(err, STATUS_BUG, "while %s: %s", doing, said);
    default:
        return error_set(err, STATUS_IO, "while %s: %s", doing, said);
    }
}

status store_execute(store *s, const char *sql, const char *doing, error_info *err) {
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK : store_sqlite_error(s->db, doing, err);
}

status store_prepare(store *s, const char *sql, sqlite3_stmt **out, error_info *err) {
    if (sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK)
        return STATUS_OK;
    return store_sqlite_error(s->db, "reading the tables' layout", err);
}

status store_step(store *s, sqlite3_stmt *statement, bool *has_row, const char *doing, error_info *err) {
    int code = sqlite3_step(statement);
    *has_row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : store_sqlite_error(s->db, doing, err);
}

status store_run_once(store *s, sqlite3_stmt *statement, const char *doing, error_info *err) {
    bool has_row;
    status st = store_step(s, statement, &has_row, doing, err);
    (void)sqlite3_reset(statement);
    return st;
}

status store_end_transaction(store *s, status st, const char *doing, error_info *err) {
    if (st == STATUS_OK)
        st = store_execute(s, "COMMIT", doing, err);
    if (st != STATUS_OK && !sqlite3_get_autocommit(s->db))
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

status store_copy_text(sqlite3_stmt *statement, int column, char **out, error_info *err) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    if (!text && sqlite3_column_type(statement, column) == SQLITE_NULL) {
        *out = NULL;
        return STATUS_OK;
    }
    *out = text ? text_copy_n((const char *)text, (size_t)sqlite3_column_bytes(statement, column)) : NULL;
    return *out ? STATUS_OK : error_out_of_memory(err);
}

void store_bind_text(sqlite3_stmt *statement, int place, const char *text) {
    (void)sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC); /* a NULL binds NULL */
}

static status read_pragma(store *s, const char *sql, int64_t *out, error_info *err) {
    sqlite3_stmt *statement = NULL;
    bool has_row;
    status st = STATUS_OK;
    TRY(store_prepare(s, sql, &statement, err));
    TRY(store_step(s, statement, &has_row, "reading its header", err));
    *out = has_row ? sqlite3_column_int64(statement, 0) : 0;
cleanup:
    (void)sqlite3_finalize(statement);
    return st;
}

static void pause_ms(long ms) {
    struct timespec pause = {.tv_nsec = ms * 1000000L};
    (void)nanosleep(&pause, NULL);
}

/* Short pauses all along, unlike SQLite's own handler: a writer that is at it all the time leaves only short gaps. */
static int wait_for_turn(void *unused, int n_tries) {
    (void)unused;
    pause_ms(BUSY_PAUSE_MS);
    return n_tries < BUSY_TRIES;
}

static status set_up_connection(store *s, error_info *err) {
    (void)sqlite3_busy_handler(s->db, wait_for_turn, NULL);
    (void)sqlite3_extended_result_codes(s->db, 1);
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return store_execute(
        s, "PRAGMA journal_mode=PERSIST; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON",
        "opening it", err);
}

static bool is_known_format(int64_t version) {
    return version >= 1 && version <= FORMAT_VERSION;
}

/* Whose database it is. `*is_empty` for one without anything: a new file, or one whose maker was killed at once. */
static status check_identity(store *s, bool *is_empty, error_info *err) {
    int64_t application = 0, version = 0, n_objects = 0;
    status st = STATUS_OK;
    CHECK(read_pragma(s, "PRAGMA application_id", &application, err));
    CHECK(read_pragma(s, "PRAGMA user_version", &version, err));
    CHECK(read_pragma(s, "SELECT count(*) FROM sqlite_master", &n_objects, err));
    *is_empty = application == 0 && version == 0 && n_objects == 0;
    if (!*is_empty && application != APPLICATION_ID)
        st = error_set(err, STATUS_INVALID, "a database of another program; take another folder for the results");
    else if (!*is_empty && !is_known_format(version))
        st = error_set(err, STATUS_INVALID,
                       "written in format %lld, by another version of bnbench; this one reads and writes format %d",
                       (long long)version, (int)FORMAT_VERSION);
    s->has_traces = version >= FORMAT_WITH_TRACES;
    s->has_sigma = version >= FORMAT_WITH_SIGMA;
    return st;
}

/* One maker at a time: who comes second finds the tables there. */
static status make_tables(store *s, error_info *err) {
    char sql[96];
    bool is_empty = false;
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN IMMEDIATE", "making its tables", err));
    st = check_identity(s, &is_empty, err);
    if (st == STATUS_OK && is_empty)
        st = store_create_tables(s, err);
    if (st == STATUS_OK && is_empty) {
        (void)snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
                       FORMAT_VERSION);
        st = store_execute(s, sql, "making its tables", err);
    }
    st = store_end_transaction(s, st, "making its tables", err);
    s->has_traces = s->has_sigma = st == STATUS_OK;
    return st;
}

static bool is_current(const store *s) {
    return s->has_traces && s->has_sigma;
}

/* Format 2 is format 1 and a table more, format 3 two columns more. Who comes second finds them there. */
static status bring_up_to_date(store *s, error_info *err) {
    char sql[48];
    bool is_empty = false;
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN IMMEDIATE", "bringing it up to date", err));
    st = check_identity(s, &is_empty, err);
    (void)snprintf(sql, sizeof sql, "PRAGMA user_version=%d", FORMAT_VERSION);
    if (st == STATUS_OK && !s->has_traces)
        st = store_create_trace_table(s, err);
    if (st == STATUS_OK && !s->has_sigma)
        st = store_add_sigma(s, err);
    if (st == STATUS_OK && !is_current(s))
        st = store_execute(s, sql, "bringing it up to date", err);
    st = store_end_transaction(s, st, "bringing it up to date", err);
    s->has_traces = s->has_sigma = st == STATUS_OK;
    return st;
}

/* In one reading transaction: another process may be making the tables between two reads of the header. */
static status identify(store *s, bool *is_empty, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN", "reading its header", err));
    st = check_identity(s, is_empty, err);
    return store_end_transaction(s, st, "reading its header", err);
}

static status open_database(store *s, const char *path, bool create, error_info *err) {
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    bool is_empty = false;
    status st = STATUS_OK;
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
        return s->db ? store_sqlite_error(s->db, "opening it", err) : error_out_of_memory(err);
    CHECK(set_up_connection(s, err));
    CHECK(identify(s, &is_empty, err));
    if (is_empty && create)
        CHECK(make_tables(s, err));
    else if (is_empty)
        st = error_set(err, STATUS_MISSING, "no results in it");
    else if (!is_current(s) && !sqlite3_db_readonly(s->db, "main"))
        CHECK(bring_up_to_date(s, err));
    return st;
}

static void sync_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

/* A file system keeps a new name only once the folder that holds it is on the disk. */
static status sync_names(const char *folder, error_info *err) {
    char *above = path_join(folder, "..");
    CHECK_ALLOC(above);
    sync_folder(folder);
    sync_folder(above);
    free(above);
    return STATUS_OK;
}

static void describe_holder(int fd, char *buffer, size_t size) {
    char digits[24] = {0};
    int64_t pid;
    buffer[0] = '\0';
    if (pread(fd, digits, sizeof digits - 1, 0) <= 0)
        return;
    digits[strcspn(digits, "\n")] = '\0';
    if (text_to_int(digits, &pid) && pid > 0)
        (void)snprintf(buffer, size, " (process %lld)", (long long)pid);
}

/*
 * A flock belongs to the open file and not to the process, so workers of a killed runner hold it until they have died
 * too, which takes them an instant: hence the tries.
 */
static status wait_for_lock(int fd, error_info *err) {
    char holder[48];
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return STATUS_OK;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return error_set(err, STATUS_IO, "the lock cannot be taken: %s", strerror(errno));
        pause_ms(LOCK_PAUSE_MS);
    }
    describe_holder(fd, holder, sizeof holder);
    return error_set(err, STATUS_IO, "in use by another run%s; wait for its end or take another folder", holder);
}

static status take_lock(store *s, error_info *err) {
    char *path = path_join(s->folder, "lock");
    char pid[24];
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    status st = STATUS_OK;
    TRY_ALLOC(path);
    s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (s->lock_fd < 0) {
        st = error_set(err, STATUS_IO, "the lock cannot be opened: %s", strerror(errno));
        goto cleanup;
    }
    TRY(wait_for_lock(s->lock_fd, err));
    if (ftruncate(s->lock_fd, 0) != 0 || pwrite(s->lock_fd, pid, (size_t)length, 0) != length)
        st = error_set(err, STATUS_IO, "the lock cannot be written: %s", strerror(errno));
cleanup:
    free(path);
    return st;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

status store_open(const char *folder, bool create, bool exclusive, store **out, error_info *err) {
    store *s = calloc(1, sizeof *s);
    char *path = path_join(folder, "results.sqlite");
    bool is_new;
    status st = STATUS_OK;
    TRY_ALLOC(s);
    s->lock_fd = -1;
    TRY_ALLOC(path);
    s->folder = text_copy(folder);
    TRY_ALLOC(s->folder);
    is_new = !file_exists(path);
    if (is_new && !create) {
        st =
            error_set(err, STATUS_MISSING,
                      is_folder(folder) ? "no results in this folder (results.sqlite is not there)" : "no such folder");
        goto cleanup;
    }
    if (is_new)
        TRY(folder_create(folder, err));
    if (exclusive)
        TRY(take_lock(s, err));
    TRY(open_database(s, path, create, err));
    if (is_new)
        TRY(sync_names(folder, err));
    *out = s;
    s = NULL;
cleanup:
    if (st != STATUS_OK)
        error_context(err, "%s", folder);
    store_close(s);
    free(path);
    return st;
}

void store_close(store *s) {
    if (!s)
        return;
    (void)sqlite3_close(s->db);
    store_release_in_child(s);
    free(s->folder);
    free(s);
}

void store_release_in_child(store *s) {
    if (s->lock_fd >= 0)
        (void)close(s->lock_fd);
    s->lock_fd = -1;
}

const char *store_folder(const store *s) {
    return s->folder;
}
