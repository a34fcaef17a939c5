/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What in a file of data is probably not as its owner means it. */
#ifndef BNB_CLI_BASE_DATA_DOUBTS_H
#define BNB_CLI_BASE_DATA_DOUBTS_H

#include "core/base/text.h"
#include "core/data/dataset.h"

/**
 * Appends a line for each doubt about data whose states were taken from the values seen: another separator, blanks
 * around a name, a column that only names the rows, one that never varies; of data of both kinds which columns are of
 * the rarer one.
 */
void data_doubts_append(const dataset *data, text_buffer *out);

#endif
