/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/job_digest.h"

#include "core/base/checksum.h"
#include "store/job_fields.h"

static uint64_t add_field(uint64_t sum, const job_record *r, const job_field *f) {
    const void *at = (const char *)r + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
        return checksum_text(sum, *(char *const *)at);
    case FIELD_NUMBER:
        return checksum_number(sum, *(const uint64_t *)at);
    case FIELD_REAL:
        return checksum_real(sum, *(const double *)at);
    case FIELD_FLAG:
        return checksum_number(sum, *(const bool *)at);
    case FIELD_STATE:
        return checksum_text(sum, job_state_name(*(const job_state *)at));
    }
    return sum;
}

/* A text that came after the digests counts where there is one, so that the results of earlier formats keep theirs. */
static bool is_counted(const job_record *r, const job_field *f) {
    const void *at = (const char *)r + f->offset;
    return f->since <= STORE_FORMAT_WITH_DIGESTS || f->kind != FIELD_TEXT || *(char *const *)at;
}

static uint64_t add_fields(const job_record *r, bool are_long) {
    uint64_t sum = CHECKSUM_START;
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++) {
        if (job_fields[i].is_long == are_long && is_counted(r, &job_fields[i]))
            sum = add_field(sum, r, &job_fields[i]);
    }
    return sum;
}

static uint64_t digest_series(const trace_series *series) {
    uint64_t sum = checksum_text(CHECKSUM_START, series->name);
    for (size_t i = 0; i < series->n; i++)
        sum = checksum_real(checksum_number(sum, series->points[i].step), series->points[i].value);
    return sum;
}

uint64_t job_digest(const job_record *r) {
    uint64_t sum = add_fields(r, false), series = 0;
    for (size_t i = 0; i < r->n_metrics; i++)
        sum = checksum_real(checksum_text(sum, r->metrics[i].name), r->metrics[i].value);
    for (size_t i = 0; i < r->trace.n_series; i++)
        series += digest_series(&r->trace.series[i]); /* a store does not keep their order */
    return checksum_number(sum, series);
}

uint64_t job_texts_digest(const job_record *r) {
    return add_fields(r, true);
}
