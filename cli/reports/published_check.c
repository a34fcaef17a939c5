/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/published_check.h"

#include "cli/base/inputs.h"
#include "generators/catalogue/catalogue.h"
#include "runner/declare/shipped_experiments.h"
#include "runner/runner.h"

static status mark_experiment(published_rows *rows, const char *folder, const char *name, error_info *err) {
    AUTO(experiment_clear) experiment e = {0};
    AUTO_FREE char *path = NULL;
    part_context of;
    CHECK(shipped_experiment_locate(name, &path, err));
    CHECK(experiment_read(path, NULL, NULL, 0, &e, err));
    if (part_list_needs(&e.parts, PART_NEEDS_PROBABILITIES)) /* how many there are only the network knows */
        CHECK(runner_read_network_facts(&e, err));
    of = (part_context){.outputs = &e.outputs, .parts = &e.parts};
    return published_rows_mark_declared(rows, &of, folder, err);
}

status published_check(published_rows *out, error_info *err) {
    AUTO_FREE char *folder = NULL;
    AUTO(published_rows_clear) published_rows rows = {0};
    char **names = NULL;
    size_t n = 0, sums[N_ROW_STATES];
    status st;
    CHECK(catalogue_shipped_beside("published", &folder, err));
    if (!folder)
        return error_set(err, STATUS_MISSING, "the folder of published figures is not to be found");
    CHECK(published_rows_add_all(&rows, folder, err));
    CHECK(shipped_experiment_names(&names, &n, err));
    st = STATUS_OK;
    for (size_t i = 0; st == STATUS_OK && i < n; i++)
        st = mark_experiment(&rows, folder, names[i], err);
    texts_destroy(names, n);
    published_rows_count(&rows, sums);
    if (st == STATUS_OK)
        *out = TAKE(rows);
    return st;
}
