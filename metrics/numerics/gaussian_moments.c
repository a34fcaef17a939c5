/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/gaussian_moments.h"

#include "core/base/cache_line.h"
#include "core/base/text.h"
#include "core/run/atomic_least.h"
#include "core/run/crew.h"
#include "metrics/numerics/product_kernels_internal.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct gaussian_moments {
    size_t n, p;
    double *means;
    double *products; /* p x p */
    double *norms;    /* square roots of the diagonal; 0 of a constant column */
};

/* Rows that are centred at a time: of a thousand columns a block is two megabytes. */
enum { BLOCK = 256 };

static const double largest = 1e150, /* its square, times as many rows as there can be, is finite */
    least_sum_of_squares = 1e-280;   /* below this, squares have lost their digits */

void gaussian_moments_destroy(gaussian_moments *m) {
    if (!m)
        return;
    free(m->means);
    free(m->products);
    free(m->norms);
    free(m);
}

status gaussian_moments_check_column(const dataset *data, size_t column, error_info *err) {
    const variable *v = dataset_variable(data, column);
    char name[TEXT_SHOWN_SIZE];
    const double *x;
    (void)text_show(v->name, strlen(v->name), name);
    if (v->kind != VARIABLE_CONTINUOUS)
        return error_set(err, STATUS_INVALID, "column %s is discrete; it must be continuous here", name);
    x = dataset_reals(data, column);
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        if (!(fabs(x[i]) <= largest))
            return error_set(err, STATUS_INVALID,
                             "column %s holds %g in row %zu; it must be a number of size %g at most", name, x[i], i + 1,
                             largest);
    }
    return STATUS_OK;
}

/* Columns whose sums are made side by side, as each addition waits for the one before. */
enum { TOGETHER = 4 };

static void sum_columns(const double *const *x, size_t n, const double *less, double *sums) {
    double s[TOGETHER] = {0};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < TOGETHER; k++)
            s[k] += x[k][i] - less[k];
    }
    memcpy(sums, s, sizeof s);
}

/* The means to the last bit or so: once more about the first mean. */
static void find_some_means(const double *const *x, size_t n, double *means) {
    double sums[TOGETHER], zero[TOGETHER] = {0};
    sum_columns(x, n, zero, sums);
    for (size_t k = 0; k < TOGETHER; k++)
        means[k] = sums[k] / (double)n;
    sum_columns(x, n, means, sums);
    for (size_t k = 0; k < TOGETHER; k++)
        means[k] += sums[k] / (double)n;
}

static bool is_one_value(const double *x, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (x[i] != x[0])
            return false;
    }
    return true;
}

/* What threads do together. */
typedef struct {
    gaussian_moments *m;
    const dataset *data;
    crew *threads;
    atomic_size_t next;    /* the first column, or panel, that nobody has taken */
    atomic_size_t refused; /* the first column that has no moments; p: none */
    product_kernel kernel;
    double *panels; /* of a round: of each block after the other */
    size_t n_panels, first, n_rows;
} task;

static status run(task *t, parallel_work work, error_info *err) {
    atomic_store(&t->next, 0);
    return crew_run(t->threads, work, t, err);
}

static bool is_refused(task *t, size_t c) {
    if (gaussian_moments_check_column(t->data, c, NULL) == STATUS_OK)
        return false;
    atomic_least_lower(&t->refused, c);
    return true;
}

/* Of a constant column its value. */
static void put_means(task *t, size_t first) {
    gaussian_moments *m = t->m;
    const double *x[TOGETHER];
    double means[TOGETHER];
    for (size_t k = 0; k < TOGETHER; k++) {
        size_t c = first + k < m->p ? first + k : m->p - 1;
        if (is_refused(t, c))
            return;
        x[k] = dataset_reals(t->data, c);
    }
    find_some_means(x, m->n, means);
    for (size_t k = 0; k < TOGETHER && first + k < m->p; k++)
        m->means[first + k] = is_one_value(x[k], m->n) ? x[k][0] : means[k];
}

static status take_columns(void *self, size_t worker, error_info *err) {
    task *t = self;
    (void)worker, (void)err;
    for (size_t first; (first = atomic_fetch_add(&t->next, TOGETHER)) < t->m->p;)
        put_means(t, first);
    return STATUS_OK;
}

static status find_means(task *t, error_info *err) {
    size_t refused;
    atomic_store(&t->refused, t->m->p);
    CHECK(run(t, take_columns, err));
    refused = atomic_load(&t->refused);
    return refused < t->m->p ? gaussian_moments_check_column(t->data, refused, err) : STATUS_OK;
}

/* The products are an upper triangle, by rows: blocks are added in order, so that the result does not depend on
 * anything but the data. */

/* --- by tiles --- */

enum { PANEL_SIZE = BLOCK * PRODUCT_PANEL };

static size_t at_most(size_t n, size_t most) {
    return n < most ? n : most;
}

/* Of the rows of a round that begin at this one. */
static double *panel_of(const task *t, size_t row, size_t panel) {
    return t->panels + (row / BLOCK * t->n_panels + panel) * PANEL_SIZE;
}

/* A column of a round less its mean. */
static void lay_column(const task *t, size_t c) {
    const double *x = dataset_reals(t->data, c) + t->first;
    double mean = t->m->means[c];
    for (size_t first = 0; first < t->n_rows; first += BLOCK) {
        double *out = panel_of(t, first, c / PRODUCT_PANEL) + c % PRODUCT_PANEL;
        for (size_t i = first; i < at_most(t->n_rows, first + BLOCK); i++, out += PRODUCT_PANEL)
            *out = x[i] - mean;
    }
}

static status lay_panels(void *self, size_t worker, error_info *err) {
    task *t = self;
    (void)worker, (void)err;
    for (size_t k; (k = atomic_fetch_add(&t->next, 1)) < t->n_panels;) {
        for (size_t c = k * PRODUCT_PANEL; c < at_most(t->m->p, (k + 1) * PRODUCT_PANEL); c++)
            lay_column(t, c);
    }
    return STATUS_OK;
}

/* Of a tile whose first row and column these are, what is in the triangle. */
static void add_tile(gaussian_moments *m, const double *tile, size_t row, size_t column) {
    size_t end = at_most(m->p - column, PRODUCT_PANEL);
    for (size_t i = 0; i < PRODUCT_TILE && row + i < m->p; i++) {
        double *out = m->products + (row + i) * m->p + column;
        for (size_t j = row + i > column ? row + i - column : 0; j < end; j++)
            out[j] += tile[i * PRODUCT_PANEL + j];
    }
}

/* The panel's columns with those of a tile, in all blocks of a round. */
static void multiply_tile(const task *t, size_t row, size_t panel) {
    _Alignas(CACHE_LINE) double tile[PRODUCT_TILE * PRODUCT_PANEL];
    for (size_t first = 0; first < t->n_rows; first += BLOCK) {
        const double *few = panel_of(t, first, row / PRODUCT_PANEL) + row % PRODUCT_PANEL;
        t->kernel(few, panel_of(t, first, panel), at_most(t->n_rows - first, BLOCK), tile);
        add_tile(t->m, tile, row, panel * PRODUCT_PANEL);
    }
}

/* The columns of a panel with those up to its last: the last panel has the most. */
static status multiply_panels(void *self, size_t worker, error_info *err) {
    task *t = self;
    (void)worker, (void)err;
    for (size_t k; (k = atomic_fetch_add(&t->next, 1)) < t->n_panels;) {
        size_t panel = t->n_panels - 1 - k;
        for (size_t row = 0; row < (panel + 1) * PRODUCT_PANEL; row += PRODUCT_TILE)
            multiply_tile(t, row, panel);
    }
    return STATUS_OK;
}

static status add_by_tiles(task *t, error_info *err) {
    enum { ROUND = 4 * BLOCK }; /* rows between which threads meet */
    size_t n = t->m->n, n_blocks = (at_most(n, ROUND) + BLOCK - 1) / BLOCK;
    AUTO_FREE double *panels = NULL;
    t->n_panels = (t->m->p + PRODUCT_PANEL - 1) / PRODUCT_PANEL;
    CHECK_ALLOC(t->panels = panels = cache_lines_create(n_blocks * t->n_panels * PANEL_SIZE * sizeof *panels));
    for (; t->first < n; t->first += ROUND) {
        t->n_rows = at_most(n - t->first, ROUND);
        CHECK(run(t, lay_panels, err));
        CHECK(run(t, multiply_panels, err));
    }
    return STATUS_OK;
}

/* --- all of it --- */

static void clear_column(gaussian_moments *m, size_t column) {
    for (size_t i = 0; i < m->p; i++)
        m->products[i * m->p + column] = m->products[column * m->p + i] = 0;
}

static void finish(gaussian_moments *m) {
    for (size_t i = 0; i < m->p; i++) {
        for (size_t j = 0; j < i; j++)
            m->products[i * m->p + j] = m->products[j * m->p + i];
    }
    for (size_t i = 0; i < m->p; i++) {
        double squares = m->products[i * m->p + i];
        if (squares < least_sum_of_squares)
            clear_column(m, i);
        else
            m->norms[i] = sqrt(squares);
    }
}

/* Is there more to do than threads take to start? */
static bool is_worth_threads(const gaussian_moments *m) {
    const double many = 1e8; /* products */
    return (double)m->n * (double)m->p * (double)m->p >= many;
}

status gaussian_moments_create(const dataset *data, size_t n_threads, gaussian_moments **out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_PTR(gaussian_moments_destroy) gaussian_moments *m = NULL;
    AUTO_PTR(crew_destroy) crew *threads = NULL;
    task t = {.data = data, .kernel = product_kernel_choose()};

    if (dataset_row_count(data) == 0)
        return error_set(err, STATUS_INVALID, "the data have no rows; it takes one at least");
    CHECK_ALLOC(m = calloc(1, sizeof *m));
    m->n = dataset_row_count(data);
    m->p = p;
    CHECK_ALLOC(m->means = calloc(p, sizeof *m->means));
    CHECK_ALLOC(m->norms = calloc(p, sizeof *m->norms));
    CHECK(crew_create(is_worth_threads(m) ? n_threads : 1, &threads, err));
    t.m = m;
    t.threads = threads;
    CHECK(find_means(&t, err));
    CHECK_ALLOC(m->products = calloc(p, p * sizeof *m->products));
    CHECK(add_by_tiles(&t, err));
    finish(m);
    *out = TAKE(m);
    return STATUS_OK;
}

size_t gaussian_moments_row_count(const gaussian_moments *m) {
    return m->n;
}

size_t gaussian_moments_column_count(const gaussian_moments *m) {
    return m->p;
}

double gaussian_moments_mean(const gaussian_moments *m, size_t column) {
    return m->means[column];
}

bool gaussian_moments_is_constant(const gaussian_moments *m, size_t column) {
    return m->norms[column] == 0;
}

const double *gaussian_moments_products(const gaussian_moments *m, size_t x) {
    return m->products + x * m->p;
}

double gaussian_moments_correlation(const gaussian_moments *m, size_t x, size_t y) {
    double r;
    if (m->norms[x] == 0 || m->norms[y] == 0)
        return 0;
    r = x == y ? 1 : m->products[x * m->p + y] / (m->norms[x] * m->norms[y]);
    return fmax(-1, fmin(r, 1));
}
