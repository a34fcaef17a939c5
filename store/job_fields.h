/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The fields of a record that hold one value each: what the database and the files of results walk. */
#ifndef BNB_STORE_JOB_FIELDS_H
#define BNB_STORE_JOB_FIELDS_H

#include "store/store.h"

#include <stddef.h>

typedef enum {
    FIELD_TEXT,   /* char * */
    FIELD_NUMBER, /* uint64_t */
    FIELD_REAL,   /* double */
    FIELD_FLAG,   /* bool */
    FIELD_STATE   /* job_state */
} job_field_kind;

typedef struct {
    job_field_kind kind;
    const char *name; /* of the member, as files of results have it */
    size_t offset;
    const char *column; /* of the database */
    bool is_long;       /* a reader may leave it out */
    bool is_later;      /* stores of earlier versions have none: 0 or NULL */
} job_field;

enum { JOB_FIELD_COUNT = 27 };
extern const job_field job_fields[JOB_FIELD_COUNT];

#endif
