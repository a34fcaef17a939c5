/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening and locking a store. The database has a rollback journal that is kept (PERSIST), and synchronous=FULL:
 * a commit is on the disk when it returns, in half the time that deleting the journal takes. Unlike a write-ahead log
 * this also works in a folder that several machines share.
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
    BUSY_TRIES = 30000,
    BUSY_PAUSE_MS = 2,
    LOCK_TRIES = 41, /* 50 ms apart: two seconds */
    LOCK_PAUSE_MS = 50
};

static void pause_ms(long ms) {
    struct timespec pause = {.tv_nsec = ms * 1000000L};
    (void)nanosleep(&pause, NULL);
}

/* The pauses stay short, unlike those of SQLite's own handler, since a busy writer leaves only short gaps. */
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

static status open_database(store *s, const char *path, bool create, error_info *err) {
    /* A store belongs to one thread; a lock for each value that is read would take a sixth of the time. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
        return s->db ? store_sqlite_error(s->db, "opening it", err) : error_out_of_memory(err);
    CHECK(set_up_connection(s, err));
    return store_prepare_tables(s, create, err);
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
    AUTO_FREE char *above = path_join(folder, "..");
    CHECK_ALLOC(above);
    sync_folder(folder);
    sync_folder(above);
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
 * A flock belongs to the open file and not to the process, so the jobs of a killed runner hold it until they have died
 * too, which takes an instant: hence the tries.
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
    AUTO_FREE char *path = path_join(s->folder, "lock");
    char pid[24];
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    CHECK_ALLOC(path);
    s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (s->lock_fd < 0)
        return error_set(err, STATUS_IO, "the lock cannot be opened: %s", strerror(errno));
    CHECK(wait_for_lock(s->lock_fd, err));
    if (ftruncate(s->lock_fd, 0) != 0 || pwrite(s->lock_fd, pid, (size_t)length, 0) != length)
        return error_set(err, STATUS_IO, "the lock cannot be written: %s", strerror(errno));
    return STATUS_OK;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Names that a store has before its database is there, or while another process makes it. */
static bool is_own_name(const char *name) {
    return strcmp(name, "lock") == 0 || strncmp(name, "results.sqlite", strlen("results.sqlite")) == 0;
}

/* A run writes into its folder and removes files from it, so a folder with other files in it becomes no store. */
static status make_folder(const char *folder, error_info *err) {
    AUTO(folder_list_clear) folder_list entries = {0};
    CHECK(folder_create(folder, err));
    CHECK(folder_list_read(folder, "", &entries, err));
    for (size_t i = 0; i < entries.n; i++) {
        if (!is_own_name(entries.names[i]))
            return error_set(err, STATUS_INVALID,
                             "this folder is no store and holds other files ('%s'); take a new or an empty one",
                             entries.names[i]);
    }
    return STATUS_OK;
}

static status open_folder(const char *folder, bool create, bool exclusive, store **out, error_info *err) {
    AUTO_PTR(store_close) store *s = calloc(1, sizeof *s);
    AUTO_FREE char *path = path_join(folder, "results.sqlite");
    bool is_new;
    CHECK_ALLOC(s);
    s->lock_fd = -1;
    CHECK_ALLOC(path);
    CHECK_ALLOC(s->folder = text_copy(folder));
    is_new = !file_exists(path);
    if (is_new && !create)
        return error_set(err, STATUS_MISSING,
                         is_folder(folder) ? "no results in this folder (results.sqlite is not there)"
                                           : "no such folder");
    if (is_new)
        CHECK(make_folder(folder, err));
    if (exclusive)
        CHECK(take_lock(s, err));
    CHECK(open_database(s, path, create, err));
    if (is_new)
        CHECK(sync_names(folder, err));
    *out = TAKE(s);
    return STATUS_OK;
}

status store_open(const char *folder, bool create, bool exclusive, store **out, error_info *err) {
    return error_at(open_folder(folder, create, exclusive, out, err), err, folder);
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
