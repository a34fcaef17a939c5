/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whole files: read plain, gzip or zstd, write so that a reader sees the old content or the new, never half of it. */
#ifndef BNB_CORE_BASE_FILE_H
#define BNB_CORE_BASE_FILE_H

#include "core/base/status.h"

#include <stdbool.h>

/**
 * Reads a file, or standard input for "-", unpacking gzip and zstd, known by their first bytes. `*out` is
 * NUL-terminated and the caller's to free; `*length` leaves the NUL out. The path is not part of the messages.
 * @return STATUS_MISSING, STATUS_IO, STATUS_PARSE (broken gzip or zstd), STATUS_MEMORY, STATUS_INVALID (a folder; or
 * more than `most` bytes when unpacked).
 */
BNB_MUST_CHECK status file_read(const char *path, size_t most, char **out, size_t *length, error_info *err);

/** As a `most`: what the user lets a file hold, 4 GiB or what BNBENCH_READ_LIMIT says ("16GiB"; STATUS_INVALID where
 * that is no size). */
#define FILE_READ_MOST ((size_t)4 << 30)

/**
 * Opens a regular file that begins with the n <= 16 bytes of `lead`, for file_read_at; the caller closes it. `*fd` is
 * -1 where there is none such: file_read tells what there is.
 * @return STATUS_INVALID: it is larger than FILE_READ_MOST, or what BNBENCH_READ_LIMIT says
 */
BNB_MUST_CHECK status file_open_led_by(const char *path, const char *lead, size_t n, int *fd, size_t *size,
                                       error_info *err);

/** So many bytes from `offset` on. STATUS_IO, also where the file ends before. Threads may share the file. */
BNB_MUST_CHECK status file_read_at(int fd, size_t offset, void *out, size_t n, error_info *err);

/** True if the bytes begin as gzip or zstd do, which file_read unpacks. */
bool file_is_compressed(const char *bytes, size_t length);

/** Writes beside `path`, syncs and renames; "-" is standard output. gzip where the name ends in .gz, zstd where in
 * .zst. A file that is replaced hands its mode on. */
BNB_MUST_CHECK status file_write(const char *path, const char *bytes, size_t length, error_info *err);

/** The same of a file of ours that will soon be stored elsewhere: it is not brought to the disk, so that a power
 * failure may lose it, or leave it empty or half written. */
BNB_MUST_CHECK status file_write_in_passing(const char *path, const char *bytes, size_t length, error_info *err);

/** As file_write, of a file and of one that belongs to it, neither of them a device: both are written before either is
 * renamed into place, so that a full disk leaves both as they were. */
BNB_MUST_CHECK status file_write_with(const char *path, const char *bytes, size_t length, const char *companion,
                                      const char *text, size_t text_length, error_info *err);

/** Names of what lies in a folder, in the order of their bytes. Zero-initialise; owns them. */
typedef struct {
    char **names;
    size_t n;
} folder_list;

/**
 * Those that end in `ending` and do not begin with a dot.
 * @return STATUS_MISSING: there is no such folder, the message names it. STATUS_IO.
 */
BNB_MUST_CHECK status folder_list_read(const char *folder, const char *ending, folder_list *out, error_info *err);
void folder_list_clear(folder_list *l);

/** mkdir -p. */
BNB_MUST_CHECK status folder_create(const char *path, error_info *err);

/** "a/b" from "a" and "b", on the heap; NULL without memory. */
char *path_join(const char *folder, const char *name);

/** "a/b.c" from "a", "b" and ".c", likewise. */
char *path_join_ending(const char *folder, const char *name, const char *ending);

/** The folder `to` as it is named from the folder `from`, both absolute and without links: "../../data", "." for the
 * same. NULL where they have nothing in common but the root, and without memory. */
char *path_relative(const char *from, const char *to);

/** The path without `ending` and a .gz or .zst behind it, as far as they are there: "asia" of "asia.bif.gz"; likewise.
 */
char *path_stem(const char *path, const char *ending);

/** The last part of a path without folder; points into `path`. */
const char *path_base(const char *path);

/** The same of the last part of a path: "asia" of "networks/asia.bif.gz"; "stdin" of "-". */
char *path_name(const char *path, const char *ending);

bool path_ends_with(const char *path, const char *ending);

/** ".gz" or ".zst" where the path ends so, else "". */
const char *path_packing(const char *path);

/** True if the path ends in `ending`, or in that and .gz or .zst. */
bool path_ends_with_packed(const char *path, const char *ending);
bool file_exists(const char *path);

#endif
