/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The evaluation of a Benchpress setup as metrics, tables and plots. */
#include "runner/import/benchpress_internal.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DRAWINGS = 100 };

/* What an evaluation asks for, of the parts that bnbench has. */
typedef struct {
    bool benchmarks, networks;
    const json_t *drawn; /* ids of the algorithms whose graphs are drawn */
} wishes;

/* ---- which algorithms it names ---- */

static status want(import *in, const json_t *id, error_info *err) {
    const char *text = json_string_value(id);
    for (size_t i = 0; text && i < in->n_wanted; i++) {
        if (strcmp(in->wanted[i], text) == 0)
            return STATUS_OK;
    }
    return text ? texts_add(&in->wanted, &in->n_wanted, text, err) : STATUS_OK;
}

/* "ID", {"ids": [...]}, {"algorithm_id": "ID"}, {"id": "ID"}, or a list of them. */
static status want_all(import *in, const json_t *part, error_info *err) {
    static const char *const keys[] = {"ids", "algorithm_id", "id"};
    json_t *item;
    size_t i;
    if (!import_is_on(part))
        return STATUS_OK;
    CHECK(want(in, part, err));
    for (i = 0; json_is_object(part) && i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(part, keys[i]), *id;
        size_t k;
        CHECK(want(in, value, err));
        json_array_foreach(value, k, id) CHECK(want(in, id, err));
    }
    json_array_foreach((json_t *)part, i, item) {
        if (!json_is_array(item))
            CHECK(want_all(in, item, err)); /* no deeper than a list of objects */
    }
    return STATUS_OK;
}

status import_wanted(import *in, error_info *err) {
    const char *key;
    json_t *part;
    json_object_foreach(json_object_get(in->setup, "evaluation"), key, part) CHECK(want_all(in, part, err));
    return STATUS_OK;
}

/* ---- what it asks for ---- */

/* Members of a part that are on, and that bnbench does not have. */
static status lose_members(import *in, const char *path, const json_t *part, const char *const *members,
                           const char *sentence, error_info *err) {
    for (; *members; members++) {
        char whole[IMPORT_PATH_SIZE];
        (void)snprintf(whole, sizeof whole, "%.300s.%.90s", path, *members);
        if (import_is_on(json_object_get(part, *members)))
            CHECK(import_lose(in, err, whole, "%s", sentence));
    }
    return STATUS_OK;
}

static status take_benchmarks(import *in, const char *path, const json_t *part, wishes *w, error_info *err) {
    static const char *const style[] = {"show_seed", "errorbar", "errorbarh", "path", "text", "xlim", "ylim", NULL};
    w->benchmarks = true;
    return lose_members(in, path, part, style, "plots are drawn otherwise here", err);
}

static status take_drawings(import *in, const char *path, const json_t *part, wishes *w, error_info *err) {
    static const char *const others[] = {"adjmats", "csvs", "convert_to", NULL};
    static const char *const drawn[] = {"graphs", "diffplots", "graphvizcompare"};
    if (json_is_array(part))
        w->drawn = part;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        if (import_is_on(json_object_get(part, drawn[i])))
            w->drawn = json_object_get(part, "ids");
    }
    return lose_members(in, path, part, others,
                        "'bnbench job STORE CELL -o FOLDER' writes a learned graph, 'bnbench convert' its matrix", err);
}

static status take_part(import *in, const char *key, const json_t *part, wishes *w, error_info *err) {
    char path[2 * IMPORT_PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s.evaluation.%.200s", in->setup_path, key);
    if (!import_is_on(part))
        return STATUS_OK;
    if (strcmp(key, "benchmarks") == 0)
        return take_benchmarks(in, path, json_is_array(part) ? json_array_get(part, 0) : part, w, err);
    if (strcmp(key, "ROC") == 0) {
        w->benchmarks = true;
        return import_lose(in, err, path, "curves are points here, which no line joins");
    }
    if (strcmp(key, "graph_true_stats") == 0) {
        w->networks = true;
        return STATUS_OK;
    }
    if (strcmp(key, "graph_plots") == 0 || strcmp(key, "graph_estimation") == 0)
        return take_drawings(in, path, part, w, err);
    if (strcmp(key, "graph_true_plots") == 0)
        return import_lose(in, err, path, "'bnbench convert NETWORK FILE.dot' draws a true graph");
    return import_lose(in, err, path, "bnbench has no such evaluation");
}

/* ---- the text ---- */

static bool is_drawn(const json_t *ids, const char *origin) {
    json_t *id;
    size_t i;
    json_array_foreach((json_t *)ids, i, id) {
        if (json_is_string(id) && strcmp(json_string_value(id), origin) == 0)
            return true;
    }
    return false;
}

/* The first learner of each algorithm, on each network, at the largest size. */
static void append_drawings(const import *in, const json_t *ids, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 0; i < in->n_learners; i++) {
        const imported_learner *l = &in->learners[i];
        if (!is_drawn(ids, l->origin) || (i > 0 && strcmp(in->learners[i - 1].origin, l->origin) == 0))
            continue;
        for (size_t k = 0; k < in->n_networks && n < MOST_DRAWINGS; k++) {
            text_append_format(out, "  - {id: graph-%zu, kind: network, network: \"%s\", learner: \"%s\"", ++n,
                               in->networks[k], l->id);
            if (in->n_sizes > 1)
                text_append_format(out, ", samples: %zu", in->sizes[in->n_sizes - 1]);
            text_append(out, "}\n");
        }
    }
}

static void append_tables(const wishes *w, text_buffer *out) {
    text_append(out, "\nmetrics: [time, shd, f1, recall, extra_ratio, missing_ratio]\n"
                     "\ntables:\n"
                     "  - {id: time, metric: time, title: CPU seconds of learning}\n"
                     "  - {id: shd, metric: shd, title: Structural Hamming distance of the CPDAGs}\n"
                     "  - {id: f1, metric: f1, title: F1 of the skeletons}\n");
    if (w->networks)
        text_append(out, "  - {id: networks, kind: networks}\n");
}

static void append_plots(const import *in, const wishes *w, text_buffer *out) {
    if (w->benchmarks)
        text_append(out, "\nplots:\n"
                         "  - {id: fpr-tpr, kind: scatter, x: extra_ratio, y: recall, "
                         "title: True edges found against extra ones}\n"
                         "  - {id: fpr-fnr, kind: scatter, x: extra_ratio, y: missing_ratio}\n"
                         "  - {id: f1-box, kind: box, y: f1}\n"
                         "  - {id: shd-box, kind: box, y: shd}\n"
                         "  - {id: time-box, kind: box, y: time}\n");
    else if (w->drawn && json_array_size(w->drawn) > 0)
        text_append(out, "\nplots:\n");
    if (w->drawn)
        append_drawings(in, w->drawn, out);
}

status import_parts(import *in, text_buffer *out, error_info *err) {
    wishes w = {0};
    const char *key;
    json_t *part;
    json_object_foreach(json_object_get(in->setup, "evaluation"), key, part) CHECK(take_part(in, key, part, &w, err));
    append_tables(&w, out);
    append_plots(in, &w, out);
    return STATUS_OK;
}
