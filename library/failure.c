/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors, texts and options, as all functions of the library have them. */
#include "build_info.h"
#include "library/library_internal.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)BNB_BUG == (int)STATUS_BUG && (int)BNB_MEMORY == (int)STATUS_MEMORY &&
                   (int)BNB_IO == (int)STATUS_IO && (int)BNB_MISSING == (int)STATUS_MISSING &&
                   (int)BNB_PARSE == (int)STATUS_PARSE && (int)BNB_INVALID == (int)STATUS_INVALID,
               "the library's statuses begin with the program's");

bnb_status library_answer(status st, const error_info *err, bnb_error *to) {
    bnb_status answer = (bnb_status)st;
    if (to) {
        to->status = answer;
        (void)snprintf(to->message, sizeof to->message, "%s", st == STATUS_OK ? "" : err->message);
    }
    return answer;
}

bnb_status library_cancelled(bnb_error *to) {
    if (to) {
        to->status = BNB_CANCELLED;
        (void)snprintf(to->message, sizeof to->message, "the run was cancelled");
    }
    return BNB_CANCELLED;
}

const char *bnb_status_name(bnb_status st) {
    return st == BNB_CANCELLED ? "cancelled" : status_name((status)st);
}

const char *bnb_version(void) {
    return BNB_VERSION;
}

void bnb_text_free(char *text) {
    free(text);
}

status library_options(const char *const *pairs, const option_spec *specs, void *options, error_info *err) {
    for (size_t i = 0; pairs && pairs[i]; i++)
        CHECK(options_set_pair(specs, options, pairs[i], err));
    return STATUS_OK;
}
