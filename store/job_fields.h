/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The fields of a record that hold one value each: what the database and the files of results walk. */
#ifndef BNB_STORE_JOB_FIELDS_H
#define BNB_STORE_JOB_FIELDS_H

#include "store/store.h"

#include <stddef.h>

/** The formats of stores, by what each brought. */
enum {
    STORE_FORMAT_WITH_TRACES = 2,
    STORE_FORMAT_WITH_SIGMA = 3, /* and policies */
    STORE_FORMAT_WITH_DIGESTS = 4,
    STORE_FORMAT_WITH_READINGS = 5,
    STORE_FORMAT_WITH_CONFINEMENT = 6,
    STORE_FORMAT = STORE_FORMAT_WITH_CONFINEMENT
};

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
    int since;          /* the store_format before which there is none: 0 or NULL */
} job_field;

enum { JOB_FIELD_COUNT = 28 };
extern const job_field job_fields[JOB_FIELD_COUNT];

#endif
