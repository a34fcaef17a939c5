/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Files for targets whose parser takes a path: in memory, behind names in a folder of this process. */
#ifndef BNB_TESTS_FUZZ_FUZZ_FILE_H
#define BNB_TESTS_FUZZ_FUZZ_FILE_H

#include <stddef.h>

/** The folder, made on first use and removed at the end of the process. */
const char *fuzz_folder(void);

/** Makes the file of that name in it hold these bytes; returns its path, which lives as long as the process. */
const char *fuzz_file(const char *name, const void *bytes, size_t length);

/** A folder in the folder. */
void fuzz_subfolder(const char *name);

#endif
