/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/recipe.h"

#include "bench/suite/process.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/data/dataset_file.h"
#include "core/data/dataset_seen.h"
#include "generators/catalogue/any_network.h"
#include "generators/catalogue/dataset_locate.h"
#include "generators/sampling/gaussian_sampling.h"

#include <stdio.h>
#include <string.h>

#define MOST_MAKING_S 600.0

/* ---- the word ---- */

static bool take_number(const char *from, const char *to, int64_t *out) {
    AUTO_FREE char *digits = text_copy_n(from, (size_t)(to - from));
    return digits && text_to_int(digits, out) && *out > 0;
}

static bool read_parts(const char *word, recipe *r) {
    const char *rows = strchr(word, ':'), *star = strchr(word, '*'), *kind = rows ? strchr(rows + 1, ':') : NULL;
    const char *end = star && star < rows ? star : rows;
    if (!rows || (size_t)(end - word) >= sizeof r->network || (kind && strlen(kind + 1) >= sizeof r->kind))
        return false;
    *r = (recipe){.copies = 1};
    (void)snprintf(r->network, sizeof r->network, "%.*s", (int)(end - word), word);
    (void)snprintf(r->kind, sizeof r->kind, "%s", kind ? kind + 1 : "");
    return (end == rows || take_number(end + 1, rows, &r->copies)) &&
           take_number(rows + 1, kind ? kind : rows + strlen(rows), &r->rows);
}

status recipe_read(const char *word, recipe *out, error_info *err) {
    static const char *const kinds[] = {"", "seen", "gauss", "bnd", "set"};
    if (!read_parts(word, out))
        return error_set(err, STATUS_INVALID, "'%.100s' is no data: NETWORK[*COPIES]:ROWS[:seen|:gauss|:bnd|:set]",
                         word);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(out->kind, kinds[i]) == 0)
            return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID, "'%.100s': there is no kind of data '%s'", word, out->kind);
}

/* ---- the files ---- */

static status call(const char *const *words, error_info *err) {
    process_cost cost;
    CHECK(process_run(&(process_call){.words = words, .most_s = MOST_MAKING_S}, &cost, err));
    if (cost.exit_status != 0)
        return error_set(err, STATUS_INVALID, "'%s %s %.100s' failed with status %d", words[0], words[1], words[2],
                         cost.exit_status);
    return STATUS_OK;
}

/* The network's file, or its name where it is no tiled one. */
static status network_of(const recipe *r, const char *program, const char *folder, char **out, error_info *err) {
    char name[128], copies[24], arcs[24];
    bool is_alarm =
        strcmp(r->network, "alarm") == 0; /* 1,220 arcs between 270 tiles, as the paper's 10,000 variables have */
    if (r->copies == 1) {
        CHECK_ALLOC(*out = text_copy(r->network));
        return STATUS_OK;
    }
    (void)snprintf(name, sizeof name, "%s-x%lld.bif.gz", r->network, (long long)r->copies);
    (void)snprintf(copies, sizeof copies, "%lld", (long long)r->copies);
    (void)snprintf(arcs, sizeof arcs, "%lld", (long long)(is_alarm ? r->copies * 122 / 27 : r->copies - 1));
    CHECK_ALLOC(*out = path_join(folder, name));
    if (file_exists(*out))
        return STATUS_OK;
    return call((const char *const[]){program, "tile", r->network, "--copies", copies, "--arcs", arcs, "-o", *out,
                                      "--quiet", NULL},
                err);
}

static status sample(const recipe *r, const char *program, const char *network, const char *path, error_info *err) {
    char rows[24];
    (void)snprintf(rows, sizeof rows, "%lld", (long long)r->rows);
    return call(
        (const char *const[]){program, "sample", network, "-n", rows, "--seed", "1", "-o", path, "--quiet", NULL}, err);
}

/* The columns with more than one state, which occur. */
static status make_seen(const recipe *r, const char *network, const char *path, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    AUTO_PTR(dataset_destroy) dataset *drawn = NULL, *fewer = NULL, *kept = NULL;
    AUTO_FREE variable *variables = NULL; /* borrowed ones */
    AUTO_FREE size_t *columns = NULL;
    const dataset *from;
    size_t n = 0, n_columns;
    CHECK(any_network_load(network, &net, err));
    CHECK(any_network_draw(&net, (size_t)r->rows, 1, 0, &drawn, err));
    CHECK(dataset_keep_seen_states(drawn, &fewer, err));
    from = fewer ? fewer : drawn;
    n_columns = dataset_column_count(from);
    CHECK_ALLOC(variables = calloc(n_columns, sizeof *variables));
    CHECK_ALLOC(columns = calloc(n_columns, sizeof *columns));
    for (size_t c = 0; c < n_columns; c++) {
        if (dataset_state_count(from, c) < 2)
            continue;
        variables[n] = *dataset_variable(from, c);
        columns[n++] = c;
    }
    CHECK(dataset_create(variables, n, (size_t)r->rows, &kept, err));
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < (size_t)r->rows; i++)
            dataset_set_state(kept, i, c, dataset_state(from, i, columns[c]));
    }
    return dataset_write(kept, path, err);
}

static double draw_weight(random_stream *random) {
    double size = 0.3 + 0.7 * random_uniform(random);
    return random_below(random, 2) == 0 ? size : -size;
}

static status set_weights(const dag *g, random_stream *random, gaussian_net *net, error_info *err) {
    for (size_t v = 0; v < dag_node_count(g); v++) {
        size_t n;
        const size_t *parents = dag_parents(g, v, &n);
        AUTO_FREE double *weights = calloc(n + 1, sizeof *weights);
        CHECK_ALLOC(weights);
        for (size_t i = 0; i < n; i++)
            weights[i] = draw_weight(random);
        CHECK(gaussian_net_set_node(net, v, parents, n, &(gaussian_terms){0, 1, weights}, err));
    }
    return STATUS_OK;
}

static status make_gauss(const recipe *r, const char *network, const char *path, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    AUTO_PTR(gaussian_net_destroy) gaussian_net *linear = NULL;
    AUTO_PTR(dataset_destroy) dataset *drawn = NULL;
    AUTO_FREE const char **names = NULL;
    random_stream random;
    size_t n;
    CHECK(any_network_load(network, &net, err));
    n = any_network_node_count(&net);
    CHECK_ALLOC(names = calloc(n, sizeof *names));
    for (size_t v = 0; v < n; v++)
        names[v] = any_network_variables(&net)[v].name;
    random_stream_init(&random, random_key_of(1));
    CHECK(gaussian_net_create(r->network, names, n, &linear, err));
    CHECK(set_weights(any_network_dag(&net), &random, linear, err));
    CHECK(sample_gaussian_network(linear, (size_t)r->rows, &random, &drawn, err));
    return dataset_write(drawn, path, err);
}

static status make_set(const recipe *r, const char *program, const char *path, error_info *err) {
    AUTO_FREE char *found = NULL;
    CHECK(dataset_locate(r->network, ".csv", &found, err));
    return call((const char *const[]){program, "discretize", "eqfreq", found, "-O", "k=3", "-o", path, "--quiet", NULL},
                err);
}

static status make(const recipe *r, const char *program, const char *network, const char *path, error_info *err) {
    if (strcmp(r->kind, "seen") == 0)
        return make_seen(r, network, path, err);
    if (strcmp(r->kind, "gauss") == 0)
        return make_gauss(r, network, path, err);
    if (strcmp(r->kind, "set") == 0)
        return make_set(r, program, path, err);
    return sample(r, program, network, path, err);
}

bool recipe_has_network(const char *word) {
    recipe r;
    return recipe_read(word, &r, NULL) == STATUS_OK && strcmp(r.kind, "set") != 0;
}

status recipe_network(const char *word, const char *program, const char *folder, char **network, error_info *err) {
    recipe r;
    CHECK(recipe_read(word, &r, err));
    return network_of(&r, program, folder, network, err);
}

status recipe_file(const char *word, const char *program, const char *folder, char **path, error_info *err) {
    AUTO_FREE char *network = NULL;
    char name[192];
    recipe r;
    bool is_packed;
    CHECK(recipe_read(word, &r, err));
    is_packed = strcmp(r.kind, "bnd") == 0;
    (void)snprintf(name, sizeof name, "%s-x%lld-%lld%s%s%s", r.network, (long long)r.copies, (long long)r.rows,
                   *r.kind && !is_packed ? "-" : "", is_packed ? "" : r.kind, is_packed ? ".bnd" : ".csv");
    CHECK_ALLOC(*path = path_join(folder, name));
    if (file_exists(*path))
        return STATUS_OK;
    CHECK(network_of(&r, program, folder, &network, err));
    return error_at(make(&r, program, network, *path, err), err, word);
}
