/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures and outcomes, and what is asked of them. */
#include "parts/figures/published.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const published_table *t) {
    static const verdict_place anywhere;
    static const published_query query = {
        .network = "asia", .sample_size = "500", .algorithm = "hc", .metric = "shd", .normalised_by = "mmhc"};
    published_figure figure = {0};
    double mean_rank = 0;
    size_t row = 0;
    if (published_find(t, &query, &figure) > 0 && (!figure.printed || !figure.aggregation))
        abort();
    (void)published_network_count(t);
    (void)published_baseline(t, "shd");
    if (!strchr("+-~?", published_verdict_find(t, &anywhere, "hc", "mmhc", &row)))
        abort();
    (void)published_mark_find(t, &anywhere, "hc", &mean_rank, &row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const published_kind kinds[] = {PUBLISHED_FIGURES, PUBLISHED_OUTCOMES};
    for (size_t i = 0; i < 2; i++) {
        published_table *t = NULL;
        error_info err = {0};
        if (published_parse((const char *)data, size, kinds[i], &t, &err) == STATUS_OK)
            ask(t);
        else if (err.message[0] == '\0')
            abort();
        published_destroy(t);
    }
    return 0;
}
