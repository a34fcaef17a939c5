/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data: from the caller's memory, from files, and back. */
#include "library/library_internal.h"

#include "core/data/dataset_file.h"
#include "discretizers/base/policy.h"
#include "discretizers/registry.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static status wrap(dataset **rows, bnb_data **out, error_info *err) {
    bnb_data *data = calloc(1, sizeof *data);
    CHECK_ALLOC(data);
    data->rows = TAKE(*rows);
    *out = data;
    return STATUS_OK;
}

/* ---- columns of the caller ---- */

static const struct {
    size_t width;
    bool is_real;
} types[] = {[BNB_UINT8] = {1, false}, [BNB_UINT16] = {2, false}, [BNB_INT8] = {1, false},   [BNB_INT16] = {2, false},
             [BNB_INT32] = {4, false}, [BNB_INT64] = {8, false},  [BNB_FLOAT32] = {4, true}, [BNB_FLOAT64] = {8, true}};

static status check_column(const bnb_column *c, error_info *err) {
    const char *name = c->name ? c->name : "";
    if (c->type < 0 || (size_t)c->type >= sizeof types / sizeof *types)
        return error_set(err, STATUS_INVALID, "column '%s': there is no type %d", name, (int)c->type);
    if (types[c->type].is_real != (c->n_states == 0))
        return error_set(err, STATUS_INVALID,
                         c->n_states == 0 ? "column '%s' is continuous and needs values of a float type"
                                          : "column '%s' is discrete and needs values of an integer type",
                         name);
    if (!c->values)
        return error_set(err, STATUS_INVALID, "column '%s' has no values", name);
    return STATUS_OK;
}

static status describe_column(const bnb_column *c, variable *v, error_info *err) {
    const char *name = c->name ? c->name : "";
    CHECK(check_column(c, err));
    if (c->n_states == 0)
        return variable_init_continuous(v, name, err);
    return c->states ? variable_init_discrete(v, name, c->states, c->n_states, err)
                     : policy_number_states(v, name, c->n_states, err);
}

static int64_t read_whole(const unsigned char *at, bnb_type type) {
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    int64_t i64;
    switch (type) {
    case BNB_UINT8:
        return *at;
    case BNB_INT8:
        return (int8_t)*at;
    case BNB_UINT16:
        memcpy(&u16, at, sizeof u16);
        return u16;
    case BNB_INT16:
        memcpy(&i16, at, sizeof i16);
        return i16;
    case BNB_INT32:
        memcpy(&i32, at, sizeof i32);
        return i32;
    default:
        memcpy(&i64, at, sizeof i64);
        return i64;
    }
}

static double read_real(const unsigned char *at, bnb_type type) {
    double d;
    float f;
    if (type == BNB_FLOAT64) {
        memcpy(&d, at, sizeof d);
        return d;
    }
    memcpy(&f, at, sizeof f);
    return f;
}

static status fill_states(const bnb_column *c, dataset *to, size_t column, error_info *err) {
    const unsigned char *at = c->values;
    ptrdiff_t stride = c->stride ? c->stride : (ptrdiff_t)types[c->type].width;
    for (size_t row = 0; row < dataset_row_count(to); row++, at += stride) {
        int64_t state = read_whole(at, c->type);
        if (state < 0 || (uint64_t)state >= c->n_states)
            return error_set(err, STATUS_INVALID, "column '%s', row %zu: %" PRId64 " is no state; they are 0 to %zu",
                             c->name, row + 1, state, c->n_states - 1);
        dataset_set_state(to, row, column, (size_t)state);
    }
    return STATUS_OK;
}

static status fill_values(const bnb_column *c, dataset *to, size_t column, error_info *err) {
    const unsigned char *at = c->values;
    ptrdiff_t stride = c->stride ? c->stride : (ptrdiff_t)types[c->type].width;
    double *values = dataset_build_reals(to, column);
    for (size_t row = 0; row < dataset_row_count(to); row++, at += stride) {
        values[row] = read_real(at, c->type);
        if (!isfinite(values[row]))
            return error_set(err, STATUS_INVALID, "column '%s', row %zu: the value is not finite", c->name, row + 1);
    }
    return STATUS_OK;
}

static status build(const bnb_column *columns, size_t n, const variable *variables, size_t n_rows, bnb_data **out,
                    error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *rows = NULL;
    if (n_rows == 0)
        return error_set(err, STATUS_INVALID, "data need at least one row");
    CHECK(dataset_create(variables, n, n_rows, &rows, err));
    for (size_t i = 0; i < n; i++)
        CHECK(columns[i].n_states ? fill_states(&columns[i], rows, i, err) : fill_values(&columns[i], rows, i, err));
    return wrap(&rows, out, err);
}

static status create(const bnb_column *columns, size_t n, size_t n_rows, bnb_data **out, error_info *err) {
    variable *variables = calloc(n + 1, sizeof *variables);
    status st = STATUS_OK;
    TRY_ALLOC(variables);
    for (size_t i = 0; i < n; i++)
        TRY(describe_column(&columns[i], &variables[i], err));
    TRY(build(columns, n, variables, n_rows, out, err));
cleanup:
    variables_destroy(variables, n);
    return st;
}

bnb_status bnb_data_create(const bnb_column *columns, size_t n_columns, size_t n_rows, bnb_data **out,
                           bnb_error *error) {
    LIBRARY_CALL(error, create(columns, n_columns, n_rows, out, err));
}

/* ---- files ---- */

static status read_file(const char *path, const bnb_network *states, bnb_data **out, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *rows = NULL;
    schema_origin origin = SCHEMA_GIVEN;
    data_reading how = {0};
    if (states)
        how = (data_reading){.given = any_network_variables(&states->net),
                             .n_given = any_network_node_count(&states->net)};
    CHECK(dataset_read(path, &how, &rows, &origin, err));
    return wrap(&rows, out, err);
}

bnb_status bnb_data_read(const char *path, const bnb_network *states, bnb_data **out, bnb_error *error) {
    LIBRARY_CALL(error, read_file(path, states, out, err));
}

bnb_status bnb_data_write(const bnb_data *data, const char *path, bnb_error *error) {
    LIBRARY_CALL(error, dataset_write(data->rows, path, err));
}

/* ---- what they hold ---- */

void bnb_data_free(bnb_data *data) {
    if (data)
        dataset_destroy(data->rows);
    free(data);
}

size_t bnb_data_row_count(const bnb_data *data) {
    return dataset_row_count(data->rows);
}

size_t bnb_data_column_count(const bnb_data *data) {
    return dataset_column_count(data->rows);
}

const char *bnb_data_column_name(const bnb_data *data, size_t column) {
    return column < dataset_column_count(data->rows) ? dataset_variable(data->rows, column)->name : NULL;
}

size_t bnb_data_state_count(const bnb_data *data, size_t column) {
    return column < dataset_column_count(data->rows) ? dataset_variable(data->rows, column)->n_states : 0;
}

const char *bnb_data_state_name(const bnb_data *data, size_t column, size_t state) {
    return state < bnb_data_state_count(data, column) ? dataset_variable(data->rows, column)->states[state] : NULL;
}

static status check_kind(const bnb_data *data, size_t column, variable_kind kind, error_info *err) {
    size_t n = dataset_column_count(data->rows);
    if (column >= n)
        return error_set(err, STATUS_INVALID, "there is no column %zu; they are 0 to %zu", column, n - 1);
    if (dataset_variable(data->rows, column)->kind != kind)
        return error_set(err, STATUS_INVALID, "column '%s' is %s", dataset_variable(data->rows, column)->name,
                         kind == VARIABLE_DISCRETE ? "continuous" : "discrete");
    return STATUS_OK;
}

static status copy_states(const bnb_data *data, size_t column, uint16_t *out, error_info *err) {
    CHECK(check_kind(data, column, VARIABLE_DISCRETE, err));
    for (size_t row = 0; row < dataset_row_count(data->rows); row++)
        out[row] = (uint16_t)dataset_state(data->rows, row, column);
    return STATUS_OK;
}

static status copy_values(const bnb_data *data, size_t column, double *out, error_info *err) {
    CHECK(check_kind(data, column, VARIABLE_CONTINUOUS, err));
    memcpy(out, dataset_reals(data->rows, column), dataset_row_count(data->rows) * sizeof *out);
    return STATUS_OK;
}

bnb_status bnb_data_states(const bnb_data *data, size_t column, uint16_t *out, bnb_error *error) {
    LIBRARY_CALL(error, copy_states(data, column, out, err));
}

bnb_status bnb_data_values(const bnb_data *data, size_t column, double *out, bnb_error *error) {
    LIBRARY_CALL(error, copy_values(data, column, out, err));
}

_Static_assert(DATASET_FINGERPRINT_SIZE == 65, "bnb_data_fingerprint says how long it is");

bnb_status bnb_data_fingerprint(const bnb_data *data, char out[65], bnb_error *error) {
    LIBRARY_CALL(error, dataset_fingerprint(data->rows, out, err));
}

/* ---- discretizing and sampling ---- */

static status discretize(const char *method, const char *const *options, const bnb_data *data, uint64_t seed,
                         bnb_data **out, char **thresholds, error_info *err) {
    const discretizer *d;
    AUTO_FREE void *chosen = NULL;
    AUTO(policy_clear) cut_policy policy = {0};
    AUTO_PTR(dataset_destroy) dataset *rows = NULL;
    AUTO(text_buffer_clear) text_buffer text = {0};
    run_context ctx;
    CHECK(discretizer_find(method, &d, err));
    CHECK_ALLOC(chosen = discretizer_options_create(d));
    CHECK(library_options(options, d->options, chosen, err));
    run_context_init(&ctx, seed);
    CHECK(discretizer_fit(d, data->rows, chosen, &ctx, &policy, err));
    CHECK(policy_apply(&policy, data->rows, &rows, err));
    policy_append_csv(&policy, data->rows, &text);
    CHECK(text_buffer_check(&text, err));
    CHECK(wrap(&rows, out, err));
    if (thresholds)
        *thresholds = TAKE(text.data);
    return STATUS_OK;
}

bnb_status bnb_discretize(const char *method, const char *const *options, const bnb_data *data, uint64_t seed,
                          bnb_data **out, char **thresholds, bnb_error *error) {
    LIBRARY_CALL(error, discretize(method, options, data, seed, out, thresholds, err));
}

static status sample(const bnb_network *network, size_t n_rows, uint64_t seed, double sigma, bnb_data **out,
                     error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *rows = NULL;
    if (n_rows == 0)
        return error_set(err, STATUS_INVALID, "a sample needs at least one row");
    CHECK(any_network_draw(&network->net, n_rows, seed, sigma, &rows, err));
    return wrap(&rows, out, err);
}

bnb_status bnb_sample(const bnb_network *network, size_t n_rows, uint64_t seed, double sigma, bnb_data **out,
                      bnb_error *error) {
    LIBRARY_CALL(error, sample(network, n_rows, seed, sigma, out, err));
}
