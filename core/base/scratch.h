/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Folders of our own for files that are gone when the work is done. */
#ifndef BNB_CORE_BASE_SCRATCH_H
#define BNB_CORE_BASE_SCRATCH_H

#include "core/base/status.h"

/**
 * Makes an empty folder that only this user may enter, named `prefix` and six characters, in a folder that is there.
 * @param[out] path   the caller's; end it with scratch_destroy
 * @return STATUS_IO, the message "FOLDER: why"; STATUS_MEMORY.
 */
BNB_MUST_CHECK status scratch_create(const char *folder, const char *prefix, char **path, error_info *err);

/** Removes the folder and all that is in it, and frees the path; NULL is fine. */
void scratch_destroy(char *path);
AUTO_PTR_OF(char, scratch_destroy)

/** Removes a folder and all that is in it, as far as it can; links are removed, not followed. */
void folder_remove(const char *path);

#endif
