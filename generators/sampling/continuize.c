/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/sampling/continuize.h"

#include <gsl/gsl_randist.h>
#include <math.h>

random_key continuize_key(random_key sample) {
    return random_key_text(sample, "continuize");
}

static void fill_row(const dataset *data, size_t row, double sigma, const gsl_rng *rng, dataset *to) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const double *reals = dataset_reals(data, c);
        double *place = dataset_build_reals(to, c) + row;
        *place = reals ? reals[row]
                       : (double)(dataset_state(data, row, c) + 1) + sigma * gsl_ran_gaussian_ratio_method(rng, 1);
    }
}

status continuize(const dataset *data, double sigma, random_key key, dataset **out, error_info *err) {
    random_stream random;
    random_gsl holder;
    const gsl_rng *rng;
    dataset *made = NULL;
    if (!isfinite(sigma) || !(sigma > 0))
        return error_set(err, STATUS_INVALID, "sigma is %g; it must be a number above 0", sigma);
    random_stream_init(&random, key);
    rng = random_as_gsl(&random, &holder);
    CHECK(dataset_create_reals_like(data, &made, err));
    for (size_t row = 0; row < dataset_row_count(data); row++)
        fill_row(data, row, sigma, rng, made);
    *out = made;
    return STATUS_OK;
}
