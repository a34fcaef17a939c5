/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds by which a job's data were made discrete, as its record keeps them. */
#include "runner/work/job_internal.h"

#include "parts/figures/policy_text.h"

status job_policy_text(const cut_policy *policy, const dataset *data, char **out, error_info *err) {
    policy_table t = {0};
    text_buffer text = {0};
    status st = STATUS_OK;
    for (size_t c = 0; c < policy->n_columns; c++) {
        const double *values = dataset_reals(data, c);
        if (values)
            TRY(policy_table_add(&t, dataset_variable(data, c)->name, policy->columns[c].thresholds,
                                 policy->columns[c].n, values, dataset_row_count(data), err));
    }
    policy_table_append_csv(&t, &text);
    TRY(text_buffer_check(&text, err));
    *out = text.data;
    text = (text_buffer){0};
cleanup:
    text_buffer_clear(&text);
    policy_table_clear(&t);
    return st;
}
