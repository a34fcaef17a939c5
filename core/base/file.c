/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/file.h"

#include "core/base/compression_internal.h"
#include "core/base/huge_pages.h"
#include "core/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, MOST_AT_ONCE = 1 << 30, PRIVATE = 0600, PUBLIC = 0666 };

/* Some readers have a limit of their own, which stays. */
static status set_limit(bytes_buffer *b, size_t most, error_info *err) {
    const char *typed = most == FILE_READ_MOST ? getenv("BNBENCH_READ_LIMIT") : NULL;
    uint64_t limit = most;
    if (typed && *typed && (!text_to_bytes(typed, &limit) || limit == 0))
        return error_set(err, STATUS_INVALID, "BNBENCH_READ_LIMIT is '%.60s'; it must be a size, like 16GiB", typed);
    b->most = (size_t)limit;
    b->has_users_limit = most == FILE_READ_MOST;
    return STATUS_OK;
}

static status system_error(const char *what, error_info *err) {
    int code = errno;
    bool missing = code == ENOENT || code == ENOTDIR;
    return error_set(err, missing ? STATUS_MISSING : STATUS_IO, "%s: %s", what, strerror(code));
}

/* ---- reading ---- */

/* For what a file says that it holds, so that it is not moved as it grows; a pipe says nothing. */
static status reserve_whole(int fd, bytes_buffer *b, error_info *err) {
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0)
        return STATUS_OK;
    if ((uintmax_t)about.st_size > b->most)
        return bytes_too_long(b, err);
    CHECK(bytes_reserve(b, (size_t)about.st_size + CHUNK, err));
    huge_pages_ask(b->data, b->capacity);
    return STATUS_OK;
}

static status read_all(int fd, bytes_buffer *b, error_info *err) {
    CHECK(reserve_whole(fd, b, err));
    for (;;) {
        CHECK(bytes_reserve(b, CHUNK, err));
        size_t room = b->capacity - b->length - 1;
        ssize_t got = read(fd, b->data + b->length, room < MOST_AT_ONCE ? room : MOST_AT_ONCE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return system_error("cannot be read", err);
        if (got == 0)
            break;
        b->length += (size_t)got;
        if (b->length > b->most)
            return bytes_too_long(b, err);
    }
    b->data[b->length] = '\0';
    return STATUS_OK;
}

static status open_for_reading(const char *path, int *fd, error_info *err) {
    struct stat about;
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return errno == ENOENT ? error_set(err, STATUS_MISSING, "no such file") : system_error("cannot be opened", err);
    if (fstat(*fd, &about) == 0 && S_ISDIR(about.st_mode)) {
        (void)close(*fd);
        return error_set(err, STATUS_INVALID, "is a folder; a file is needed");
    }
    return STATUS_OK;
}

status file_read(const char *path, size_t most, char **out, size_t *length, error_info *err) {
    bool standard = strcmp(path, "-") == 0;
    int fd = STDIN_FILENO;
    AUTO(bytes_clear) bytes_buffer raw = {0}, plain = {0};

    CHECK(set_limit(&raw, most, err));
    CHECK(set_limit(&plain, most, err));
    if (!standard)
        CHECK(open_for_reading(path, &fd, err));
    status st = read_all(fd, &raw, err);
    if (!standard)
        (void)close(fd);
    CHECK(st);
    if (compression_is_of(&raw))
        CHECK(compression_unpack(&raw, &plain, err));
    bytes_buffer *wanted = compression_is_of(&raw) ? &plain : &raw;
    *out = wanted->data;
    *length = wanted->length;
    wanted->data = NULL;
    return STATUS_OK;
}

status file_read_at(int fd, size_t offset, void *out, size_t n, error_info *err) {
    for (char *to = out; n > 0;) {
        ssize_t got = pread(fd, to, n < MOST_AT_ONCE ? n : MOST_AT_ONCE, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? system_error("cannot be read", err)
                           : error_set(err, STATUS_IO, "ends at byte %zu: it was cut short while it was read", offset);
        to += got;
        offset += (size_t)got;
        n -= (size_t)got;
    }
    return STATUS_OK;
}

bool file_is_compressed(const char *bytes, size_t length) {
    char lead[4] = {0};
    size_t n = length < sizeof lead ? length : sizeof lead;
    memcpy(lead, bytes, n);
    return compression_is_of(&(bytes_buffer){.data = lead, .length = n});
}

/* A pipe is not opened: what is read of it is gone. */
static bool is_led_by(const char *path, const char *lead, size_t n, int *fd, size_t *size) {
    struct stat about;
    char found[16];
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || (uintmax_t)about.st_size < n)
        return false;
    *size = (size_t)about.st_size;
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    return *fd >= 0 && file_read_at(*fd, 0, found, n, NULL) == STATUS_OK && memcmp(found, lead, n) == 0;
}

status file_open_led_by(const char *path, const char *lead, size_t n, int *fd, size_t *size, error_info *err) {
    bytes_buffer limit = {0};
    status st = set_limit(&limit, FILE_READ_MOST, err);
    *fd = -1;
    if (st == STATUS_OK && is_led_by(path, lead, n, fd, size)) {
        if (*size <= limit.most)
            return STATUS_OK;
        st = bytes_too_long(&limit, err);
    }
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
    return st;
}

/* ---- writing ---- */

static status write_all(int fd, const char *bytes, size_t length, error_info *err) {
    for (size_t at = 0; at < length;) {
        size_t step = length - at < ((size_t)1 << 30) ? length - at : (size_t)1 << 30;
        ssize_t put = write(fd, bytes + at, step);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return error_set(err, STATUS_IO, "cannot be written: %s", strerror(errno));
        at += (size_t)put;
    }
    return STATUS_OK;
}

static status write_standard(const char *bytes, size_t length, error_info *err) {
    errno = 0;
    if (fwrite(bytes, 1, length, stdout) != length || fflush(stdout) != 0)
        return error_set(err, STATUS_IO, "standard output cannot be written: %s", strerror(errno));
    return STATUS_OK;
}

/* Devices and pipes take the bytes as they come: there is nothing that a rename could protect. */
static status write_straight(const char *path, const char *bytes, size_t length, error_info *err) {
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return system_error("cannot be opened for writing", err);
    status st = write_all(fd, bytes, length, err);
    if (close(fd) != 0 && st == STATUS_OK)
        st = error_set(err, STATUS_IO, "cannot be written: %s", strerror(errno));
    return st;
}

/* The folder of a path, on the heap: "a/b" gives "a", "b" gives ".", "/b" gives "/". */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return text_copy(".");
    return text_copy_n(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A path in the folder that nobody can foresee; NULL with errno set. */
static char *draw_temporary_path(const char *folder) {
    unsigned long long drawn = 0;
    char name[64];
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return NULL;
    (void)snprintf(name, sizeof name, ".bnbench-%016llx.tmp", drawn);
    return path_join(folder, name);
}

/*
 * A new file in the folder, opened for writing, its path in *out. Not mkstemp: that one sets mode 0600, and the umask
 * that would mend it can only be read by changing it, which other threads would see.
 */
static status create_temporary(const char *folder, mode_t mode, char **out, int *fd, error_info *err) {
    AUTO_FREE char *path = draw_temporary_path(folder);
    if (!path)
        return error_set(err, STATUS_IO, "no random name: %s", strerror(errno));
    *fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (*fd < 0)
        return errno == ENOENT ? error_set(err, STATUS_MISSING, "the folder %s does not exist", folder)
                               : system_error("cannot be created", err);
    *out = TAKE(path);
    return STATUS_OK;
}

/* So that the new name survives a power cut; file systems that cannot sync a folder say EINVAL. */
static status sync_folder(const char *folder, error_info *err) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return STATUS_OK;
    int code = fsync(fd) != 0 ? errno : 0;
    (void)close(fd);
    return code == EIO ? error_set(err, STATUS_IO, "its folder cannot be synced: %s", strerror(code)) : STATUS_OK;
}

/* A file that is written beside its place, and not renamed into it yet. Zero-initialise. */
typedef struct {
    char *target, *folder, *temporary;
    bool replaces;      /* a file that is there, */
    mode_t mode;        /* whose mode this is; else what the umask is taken from */
    bool is_in_passing; /* not to be brought to the disk */
} pending_file;

static void pending_clear(pending_file *p) {
    if (p->temporary)
        (void)unlink(p->temporary);
    free(p->temporary);
    free(p->folder);
    free(p->target);
}

/* A symbolic link keeps pointing: its target is what gets replaced. */
static status find_target(const char *path, pending_file *p, error_info *err) {
    struct stat about;
    p->replaces = stat(path, &about) == 0;
    p->mode = p->replaces ? about.st_mode & ACCESSPERMS : PUBLIC;
    p->target = p->replaces ? realpath(path, NULL) : text_copy(path);
    return p->target ? STATUS_OK : system_error("cannot be written", err);
}

static status fill_and_close(int fd, const char *bytes, size_t length, bool is_in_passing, error_info *err) {
    status st = write_all(fd, bytes, length, err);
    if (st == STATUS_OK && !is_in_passing && fsync(fd) != 0)
        st = error_set(err, STATUS_IO, "cannot be written: %s", strerror(errno));
    if (close(fd) != 0 && st == STATUS_OK)
        st = error_set(err, STATUS_IO, "cannot be written: %s", strerror(errno));
    return st;
}

static status put_beside(const char *path, const char *bytes, size_t length, pending_file *p, error_info *err) {
    int fd = -1;
    CHECK(find_target(path, p, err));
    CHECK_ALLOC(p->folder = folder_of(p->target));
    CHECK(create_temporary(p->folder, p->replaces ? PRIVATE : p->mode, &p->temporary, &fd, err));
    if (p->replaces)
        (void)fchmod(fd, p->mode); /* not every file system can */
    return fill_and_close(fd, bytes, length, p->is_in_passing, err);
}

static status move_into_place(pending_file *p, error_info *err) {
    if (rename(p->temporary, p->target) != 0)
        return error_set(err, STATUS_IO, "cannot be written: %s", strerror(errno));
    free(p->temporary);
    p->temporary = NULL;
    return p->is_in_passing ? STATUS_OK : sync_folder(p->folder, err);
}

static status write_beside(const char *path, const char *bytes, size_t length, error_info *err) {
    AUTO(pending_clear) pending_file p = {0};
    CHECK(put_beside(path, bytes, length, &p, err));
    return move_into_place(&p, err);
}

/* Picks the way by what the path is now. */
static status write_to(const char *path, const char *bytes, size_t length, error_info *err) {
    struct stat about;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return write_standard(bytes, length, err);
    if (path[0] == '\0')
        return error_set(err, STATUS_INVALID, "the name is empty; a file name is needed");
    if (stat(path, &about) != 0)
        return write_beside(path, bytes, length, err);
    if (S_ISDIR(about.st_mode))
        return error_set(err, STATUS_INVALID, "is a folder; a file name is needed");
    return S_ISREG(about.st_mode) ? write_beside(path, bytes, length, err) : write_straight(path, bytes, length, err);
}

status file_write(const char *path, const char *bytes, size_t length, error_info *err) {
    AUTO(bytes_clear) bytes_buffer packed = {.most = SIZE_MAX};
    CHECK(compression_pack(path_packing(path), &bytes, &length, &packed, err));
    return write_to(path, bytes, length, err);
}

status file_write_in_passing(const char *path, const char *bytes, size_t length, error_info *err) {
    AUTO(pending_clear) pending_file p = {.is_in_passing = true};
    CHECK(put_beside(path, bytes, length, &p, err));
    return move_into_place(&p, err);
}

status file_write_with(const char *path, const char *bytes, size_t length, const char *companion, const char *text,
                       size_t text_length, error_info *err) {
    AUTO(bytes_clear) bytes_buffer packed = {.most = SIZE_MAX};
    AUTO(pending_clear) pending_file main = {0}, other = {0};
    CHECK(compression_pack(path_packing(path), &bytes, &length, &packed, err));
    CHECK(put_beside(companion, text, text_length, &other, err));
    CHECK(put_beside(path, bytes, length, &main, err));
    CHECK(move_into_place(&other, err));
    return move_into_place(&main, err);
}

/* ---- folders and paths ---- */

static status make_folder(const char *path, error_info *err) {
    struct stat about;
    if (mkdir(path, 0777) == 0)
        return STATUS_OK;
    int code = errno;
    /* Not only EEXIST: mkdir of a folder that is there may also say EROFS or EACCES. */
    if (stat(path, &about) == 0)
        return S_ISDIR(about.st_mode) ? STATUS_OK
                                      : error_set(err, STATUS_INVALID, "%s is a file; a folder is needed", path);
    return error_set(err, STATUS_IO, "the folder %s cannot be made: %s", path, strerror(code));
}

status folder_create(const char *path, error_info *err) {
    if (path[0] == '\0')
        return error_set(err, STATUS_INVALID, "the name is empty; a folder name is needed");
    AUTO_FREE char *part = text_copy(path);
    CHECK_ALLOC(part);
    for (char *at = part + 1; *at; at++) {
        if (*at != '/' || at[-1] == '/')
            continue;
        *at = '\0';
        CHECK(make_folder(part, err));
        *at = '/';
    }
    return make_folder(part, err);
}

void folder_list_clear(folder_list *l) {
    texts_destroy(l->names, l->n);
    *l = (folder_list){0};
}

static status add_names(DIR *folder, const char *ending, folder_list *out, error_info *err) {
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] != '.' && path_ends_with(entry->d_name, ending))
            CHECK(texts_add(&out->names, &out->n, entry->d_name, err));
    }
    if (out->n > 0)
        qsort(out->names, out->n, sizeof *out->names, texts_compare);
    return STATUS_OK;
}

status folder_list_read(const char *folder, const char *ending, folder_list *out, error_info *err) {
    DIR *handle = opendir(folder);
    status st;
    if (!handle)
        return error_set(err, errno == ENOENT ? STATUS_MISSING : STATUS_IO, "%s: %s", folder, strerror(errno));
    st = add_names(handle, ending, out, err);
    (void)closedir(handle);
    return st;
}

char *path_join(const char *folder, const char *name) {
    return path_join_ending(folder, name, "");
}

char *path_join_ending(const char *folder, const char *name, const char *ending) {
    size_t length = strlen(folder), size = length + strlen(name) + strlen(ending) + 2;
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    char *joined = malloc(size);
    if (joined)
        (void)snprintf(joined, size, "%s%s%s%s", folder, slash, name, ending);
    return joined;
}

/* The bytes of the folders that both begin with. */
static size_t common_folders(const char *a, const char *b) {
    size_t common = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++) {
        if (a[i] == '/')
            common = i;
    }
    return (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/') ? i : common;
}

char *path_relative(const char *from, const char *to) {
    size_t common = common_folders(from, to);
    text_buffer out = {0};
    if (common == 0)
        return NULL;
    for (const char *at = from + common; *at; at++) {
        if (*at == '/')
            text_append(&out, out.length ? "/.." : "..");
    }
    if (to[common])
        text_append_format(&out, "%s%s", out.length ? "/" : "", to + common + 1);
    if (out.length == 0)
        text_append(&out, ".");
    if (out.failed)
        text_buffer_clear(&out);
    return out.data;
}

char *path_stem(const char *path, const char *ending) {
    size_t length = strlen(path) - strlen(path_packing(path)), tail = strlen(ending);
    if (length >= tail && strncmp(path + length - tail, ending, tail) == 0)
        length -= tail;
    return text_copy_n(path, length);
}

const char *path_packing(const char *path) {
    return path_ends_with(path, ".gz") ? ".gz" : path_ends_with(path, ".zst") ? ".zst" : "";
}

const char *path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

bool path_ends_with_packed(const char *path, const char *ending) {
    size_t length = strlen(path) - strlen(path_packing(path)), tail = strlen(ending);
    return length >= tail && strncmp(path + length - tail, ending, tail) == 0;
}

bool file_exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

char *path_name(const char *path, const char *ending) {
    return path_stem(strcmp(path, "-") == 0 ? "stdin" : path_base(path), ending);
}
