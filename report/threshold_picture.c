/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/threshold_picture.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "document/display.h"
#include "document/drawing/gnuplot.h"
#include "parts/plots/policy_plot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double timeout_s = 60;
/* Every continuous column, at most as many as a picture shows. */
static status make_table(const dataset *data, const cut_policy *policy, policy_table *out, error_info *err) {
    status st = STATUS_OK;
    for (size_t c = 0; c < policy->n_columns && out->n_columns < POLICY_MOST_PANELS && st == STATUS_OK; c++) {
        const double *values = dataset_reals(data, c);
        if (values)
            st = policy_table_add(out, dataset_variable(data, c)->name, policy->columns[c].thresholds,
                                  policy->columns[c].n, values, dataset_row_count(data), err);
    }
    if (st == STATUS_OK && out->n_columns == 0)
        st = error_set(err, STATUS_INVALID, "there is nothing to plot: no column is continuous");
    return st;
}

static status make_script(const char *method, const dataset *data, const policy_table *table, const char *name,
                          text_buffer *out, error_info *err) {
    policy_panel panels[POLICY_MOST_PANELS];
    policy_lane lanes[POLICY_MOST_PANELS];
    AUTO(text_buffer_clear) text_buffer title = {0};
    policy_plot plot = {.n_panels = table->n_columns, .n_lanes = 1, .panels = panels};
    for (size_t i = 0; i < table->n_columns; i++) {
        lanes[i] = (policy_lane){method, &table->columns[i]};
        panels[i] = (policy_panel){&table->columns[i], &lanes[i]};
    }
    text_append_format(&title, "Thresholds of %s, %zu rows", method, dataset_row_count(data));
    CHECK(text_buffer_check(&title, err));
    plot.title = title.data;
    policy_plot_append_svg_script(&plot, name, out);
    return text_buffer_check(out, err);
}

/* In a folder of its own beside the file, then moved: gnuplot is given no name that comes from outside. */
static status draw(const text_buffer *script, const char *folder, const char *path, error_info *err) {
    AUTO_FREE char *gp = path_join(folder, "plot.gp"), *svg = path_join(folder, "plot.svg");
    error_info why = {0};
    status st;
    CHECK_ALLOC(gp);
    CHECK_ALLOC(svg);
    CHECK(file_write(gp, script->data, script->length, err));
    st = gnuplot_run(folder, "plot.gp", timeout_s, &why);
    if (st != STATUS_OK) /* no fault of the data that gnuplot fails */
        return error_set(err, st == STATUS_INVALID ? STATUS_IO : st, "%s", why.message);
    if (rename(svg, path) != 0)
        return error_set(err, STATUS_IO, "%.300s: %s", path, strerror(errno));
    return STATUS_OK;
}

status threshold_picture_draw(const char *method, const dataset *data, const cut_policy *policy, const char *path,
                              error_info *err) {
    AUTO(policy_table_clear) policy_table table = {0};
    AUTO(text_buffer_clear) text_buffer script = {0};
    AUTO_FREE char *beside = NULL;
    AUTO_PTR(scratch_destroy) char *folder = NULL;
    CHECK(make_table(data, policy, &table, err));
    CHECK(make_script(method, data, &table, "plot", &script, err));
    CHECK_ALLOC(beside =
                    path_base(path) == path ? text_copy(".") : text_copy_n(path, (size_t)(path_base(path) - path)));
    CHECK(scratch_create(beside, ".plot-", &folder, err));
    return draw(&script, folder, path, err);
}
