/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The range of k standard normal values exceeds q with probability
 *     integral of k phi(z) [Phi(z)^(k-1) - (Phi(z) - Phi(z - q))^(k-1)] dz
 * (z is the largest of them). The bracket is Phi(z)^(k-1) (1 - (1 - s)^(k-1)) with s = Phi(z - q) / Phi(z), which loses
 * no digits however small it is. The integrand is smooth and dies like a normal density, so that the trapezoidal rule
 * converges faster than any power of its step.
 */
#include "metrics/statistics/nemenyi.h"

#include "metrics/numerics/log_tail.h"
#include "metrics/statistics/friedman.h"

#include <math.h>

static const double log_sqrt_2_pi = 0.91893853320467274178;
enum { N_STEPS = 1200 };

static double integrand(double z, double q, double k) {
    double log_phi = -z * z / 2 - log_sqrt_2_pi, log_below = normal_log_tail(-z);
    double share = exp(normal_log_tail(q - z) - log_below); /* s, at most 1 */
    double missed = share >= 1 ? 1 : -expm1((k - 1) * log1p(-share));
    return exp(log(k) + log_phi + (k - 1) * log_below) * missed;
}

double studentized_range_tail(double q, size_t k) {
    /* The largest of k lies around q / 2 or higher; the tails beyond are below 1e-30 of the whole. */
    double low = q / 2 - 14, high = q / 2 + 14, step = (high - low) / N_STEPS, sum = 0;
    if (!(q > 0))
        return 1;
    for (int i = 0; i <= N_STEPS; i++)
        sum += integrand(low + i * step, q, (double)k);
    return fmin(1, sum * step);
}

double studentized_range_quantile(double alpha, size_t k) {
    double low = 0, high = 80;
    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2;
        if (studentized_range_tail(middle, k) > alpha)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double nemenyi_critical_difference(double alpha, size_t n_blocks, size_t n_treatments) {
    return studentized_range_quantile(alpha, n_treatments) * M_SQRT1_2 * friedman_rank_error(n_blocks, n_treatments);
}

double nemenyi_p_value(double difference, size_t n_blocks, size_t n_treatments) {
    double z = fabs(difference) / friedman_rank_error(n_blocks, n_treatments);
    return studentized_range_tail(z * M_SQRT2, n_treatments);
}

size_t nemenyi_groups(const double *sorted, size_t n_treatments, double critical_difference, rank_group *groups) {
    size_t n = 0, reached = 0; /* no group that ends before `reached` is a new one */
    for (size_t first = 0; first < n_treatments; first++) {
        size_t last = first;
        while (last + 1 < n_treatments && sorted[last + 1] - sorted[first] <= critical_difference)
            last++;
        if (last > first && (n == 0 || last > reached)) {
            groups[n++] = (rank_group){first, last};
            reached = last;
        }
    }
    return n;
}
