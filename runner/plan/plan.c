/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/plan_internal.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "generators/sampling/continuize.h"
#include "runner/declare/declare_internal.h"
#include "runner/plan/digest_internal.h"
#include "runner/plan/kernel_metric_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

/* Part of keys: raised when a change of the program gives the same declaration other data, so that old results are not
 * used. */
enum { DATA_VERSION = 1, MOST_PROGRAM_BYTES = 1 << 26 };

/* The positions of an axis that are run: all of the declaration's, or a chosen one. */
typedef struct {
    size_t first, n;
} axis;

/* The learners that run on a network; without any where it is not run. Cells are numbered, and not held. */
typedef struct {
    size_t first_cell;
    size_t n_variants, *variants; /* ascending */
} learners_here;

struct plan {
    const experiment *e;
    world **worlds; /* of the networks; NULL until they are read */
    axis sizes, sigmas, replicates;
    learners_here *here; /* by network; and behind the last, with the number of all cells */
    char (*network_digests)[DIGEST_HEX_SIZE];
    char (*variant_digests)[DIGEST_HEX_SIZE];
    digest *hash;
};

/* Options that came later enter only where they differ from what held before them, so that keys stay valid. */
static status add_options(digest *d, const option_spec *specs, const void *options, error_info *err) {
    AUTO(text_buffer_clear) text_buffer value = {0};
    for (option_walk w = options_walk(specs, options); options_next(&w);) {
        if (w.spec.is_later && option_walk_is_initial(&w))
            continue;
        text_buffer_clear(&value);
        options_append_value(&w.spec, options, &value);
        CHECK(text_buffer_check(&value, err));
        digest_text(d, w.name);
        digest_text(d, value.data ? value.data : "");
    }
    return STATUS_OK;
}

static status add_discretizer(digest *d, const discretize_declaration *declared, error_info *err) {
    if (!declared->kind)
        return STATUS_OK;
    digest_text(d, "discretize");
    digest_text(d, declared->kind->name);
    digest_number(d, (uint64_t)declared->kind->version);
    return add_options(d, declared->kind->options, declared->options, err);
}

/* A file of the experiment's folder that the command names is part of the learner: its content is its version. */
static status add_program(digest *d, const experiment *e, const char *word, error_info *err) {
    AUTO_FREE char *path = experiment_path(e, word), *content = NULL;
    size_t length = 0;
    struct stat info;
    error_info quiet = {0};
    CHECK_ALLOC(path);
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MOST_PROGRAM_BYTES &&
        file_read(path, MOST_PROGRAM_BYTES, &content, &length, &quiet) == STATUS_OK)
        digest_bytes(d, content, length);
    return STATUS_OK;
}

/* Raised when the graphs of programs are read or measured otherwise; not for those that are DAGs or skeletons. */
enum { PROGRAM_GRAPH_VERSION = 2 };

static status add_command(digest *d, const experiment *e, const learner_variant *v, error_info *err) {
    for (size_t i = 0; v->command[i]; i++) {
        digest_text(d, v->command[i]);
        if (i > 0 || strchr(v->command[i], '/'))
            CHECK(add_program(d, e, v->command[i], err));
    }
    digest_number(d, v->has_returns ? 1 + (uint64_t)v->returns : 0);
    if (!v->has_returns || v->returns == GRAPH_CPDAG)
        digest_number(d, PROGRAM_GRAPH_VERSION);
    return STATUS_OK;
}

/* The digest of a relative budget. The time that it comes to is left out, so that the key is known before the other
 * learner ran. */
static void add_budget(plan *p, const learner_variant *v) {
    char times[32];
    digest_text(p->hash, "budget");
    digest_text(p->hash, text_from_double(v->budget.times, times));
    digest_text(p->hash, p->variant_digests[v->budget.base]); /* it stands above, so its digest is there */
}

static status digest_variant(plan *p, size_t i, int version, char hex[DIGEST_HEX_SIZE], error_info *err) {
    const learner_variant *v = &p->e->variants[i];
    digest_text(p->hash, v->id);
    if (v->budget.is_relative)
        add_budget(p, v);
    if (v->takes_numbers)
        digest_text(p->hash, "discrete as numbers");
    CHECK(add_discretizer(p->hash, &v->discretize, err));
    if (v->kind) {
        digest_text(p->hash, v->kind->name);
        digest_number(p->hash, (uint64_t)version);
        CHECK(add_options(p->hash, v->kind->options, v->options, err));
    } else {
        digest_text(p->hash, "external");
        CHECK(add_command(p->hash, p->e, v, err));
    }
    return digest_finish(p->hash, hex, err);
}

static int current_version(const plan *p, size_t variant) {
    const learner *kind = p->e->variants[variant].kind;
    return kind ? kind->version : 0;
}

static axis axis_of(size_t choice, size_t n) {
    return choice == 0 ? (axis){0, n} : (axis){choice - 1, 1};
}

/* With a chosen learner, the learner whose time is its budget is run too. */
static bool is_variant_wanted(const experiment *e, size_t variant) {
    size_t only = e->only.variant;
    const learner_budget *budget = only == 0 ? NULL : &e->variants[only - 1].budget;
    return only == 0 || only == variant + 1 || (budget->is_relative && budget->base == variant);
}

static status choose_learners(const experiment *e, size_t network, learners_here *here, error_info *err) {
    CHECK_ALLOC(here->variants = calloc(e->n_variants + 1, sizeof *here->variants));
    for (size_t v = 0; v < e->n_variants; v++) {
        const bool *runs_on = e->variants[v].runs_on;
        if (is_variant_wanted(e, v) && (!runs_on || runs_on[network]))
            here->variants[here->n_variants++] = v;
    }
    return STATUS_OK;
}

/* How many data sets a network has. */
static size_t data_count(const plan *p) {
    return p->sizes.n * p->sigmas.n * p->replicates.n;
}

static status choose_cells(plan *p, error_info *err) {
    const experiment_outputs *o = &p->e->outputs;
    const cell_choice *only = &p->e->only;
    p->sizes = axis_of(only->size, o->n_sizes);
    p->sigmas = axis_of(only->sigma, outputs_sigma_count(o));
    p->replicates = axis_of(only->replicate, o->n_replicates);
    for (size_t i = 0; i < o->n_networks; i++) {
        learners_here *here = &p->here[i];
        if (only->network == 0 || only->network == i + 1)
            CHECK(choose_learners(p->e, i, here, err));
        here[1].first_cell = here->first_cell + here->n_variants * data_count(p);
    }
    return STATUS_OK;
}

/* The network of a cell: the last one that begins no later, so that those without cells are passed over. */
static size_t network_of(const plan *p, size_t i) {
    size_t low = 0, high = p->e->outputs.n_networks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->here[middle].first_cell <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t take_position(const axis *a, size_t *rest) {
    size_t position = a->first + *rest % a->n;
    *rest /= a->n;
    return position;
}

status plan_create(const experiment *e, plan **out, error_info *err) {
    AUTO_PTR(plan_destroy) plan *p = calloc(1, sizeof *p);
    CHECK_ALLOC(p);
    p->e = e;
    CHECK_ALLOC(p->worlds = calloc(e->outputs.n_networks, sizeof(world *)));
    CHECK_ALLOC(p->network_digests = calloc(e->outputs.n_networks, sizeof *p->network_digests));
    CHECK_ALLOC(p->variant_digests = calloc(e->n_variants, sizeof *p->variant_digests));
    CHECK_ALLOC(p->here = calloc(e->outputs.n_networks + 1, sizeof *p->here));
    CHECK(choose_cells(p, err));
    CHECK(digest_create(&p->hash, err));
    for (size_t i = 0; i < e->n_variants; i++)
        CHECK(digest_variant(p, i, current_version(p, i), p->variant_digests[i], err));
    *out = TAKE(p);
    return STATUS_OK;
}

void plan_destroy(plan *p) {
    if (!p)
        return;
    for (size_t i = 0; p->worlds && i < p->e->outputs.n_networks; i++)
        world_destroy(p->worlds[i]);
    for (size_t i = 0; p->here && i < p->e->outputs.n_networks; i++)
        free(p->here[i].variants);
    free(p->worlds);
    free(p->here);
    free(p->network_digests);
    free(p->variant_digests);
    digest_destroy(p->hash);
    free(p);
}

const experiment *plan_experiment(const plan *p) {
    return p->e;
}

size_t plan_cell_count(const plan *p) {
    return p->here[p->e->outputs.n_networks].first_cell;
}

plan_cell plan_cell_at(const plan *p, size_t i) {
    plan_cell cell = {.network = network_of(p, i)};
    const learners_here *here = &p->here[cell.network];
    size_t rest = i - here->first_cell;
    cell.variant = here->variants[rest % here->n_variants];
    rest /= here->n_variants;
    cell.replicate = take_position(&p->replicates, &rest);
    cell.sigma = take_position(&p->sigmas, &rest);
    cell.size = take_position(&p->sizes, &rest);
    return cell;
}

/* The base stands above in the declaration and runs on the same networks, so its cell is among those before. */
size_t plan_base_cell(const plan *p, size_t i, bool *has_base) {
    const learners_here *here = &p->here[network_of(p, i)];
    size_t place = (i - here->first_cell) % here->n_variants;
    const learner_budget *budget = &p->e->variants[here->variants[place]].budget;
    *has_base = budget->is_relative;
    return *has_base ? i - place + array_count_below(here->variants, place, budget->base) : i;
}

/* Refuses a sample size above the number of rows of a real data set. */
static status check_rows(const plan *p, const world *w, error_info *err) {
    const experiment_outputs *o = &p->e->outputs;
    for (size_t i = 0; w->data && i < o->n_sizes; i++) {
        if (o->sizes[i] > dataset_row_count(w->data))
            return error_set(err, STATUS_PARSE, "the data set has %zu rows; the sample size %zu asks for more",
                             dataset_row_count(w->data), o->sizes[i]);
    }
    return STATUS_OK;
}

/* Refuses noise on a network of continuous variables, which has no states to take as means. */
static status check_kind(const plan *p, const world *w, error_info *err) {
    if (p->e->outputs.n_sigmas == 0 || w->net)
        return STATUS_OK;
    return error_set(err, STATUS_PARSE,
                     "its data are not discrete, and data.continuize makes discrete data continuous");
}

size_t plan_rows(const plan *p, const plan_cell *cell) {
    size_t declared = p->e->outputs.sizes[cell->size];
    const world *w = p->worlds[cell->network];
    return declared != OUTPUTS_ALL_ROWS ? declared : w && w->data ? dataset_row_count(w->data) : 0;
}

size_t plan_node_count(const plan *p, size_t network) {
    return p->worlds[network] ? p->worlds[network]->n_nodes : 0;
}

static status load_world(plan *p, size_t network, error_info *err) {
    AUTO_PTR(world_destroy) world *w = NULL;
    CHECK(world_load(&p->e->sources[network], p->e->outputs.networks[network], &w, err));
    CHECK(check_rows(p, w, err));
    CHECK(check_kind(p, w, err));
    CHECK(world_digest(w, p->network_digests[network], err));
    p->worlds[network] = w;
    w = NULL;
    return STATUS_OK;
}

status plan_world(plan *p, size_t network, const world **out, error_info *err) {
    if (!p->worlds[network])
        CHECK(error_at(load_world(p, network, err), err, p->e->sources[network].where));
    *out = p->worlds[network];
    return STATUS_OK;
}

status plan_load_networks(plan *p, error_info *err) {
    const world *w;
    for (size_t i = 0; i < p->e->outputs.n_networks; i++)
        CHECK(plan_world(p, i, &w, err));
    return STATUS_OK;
}

double plan_sigma(const plan *p, const plan_cell *cell) {
    return p->e->outputs.n_sigmas ? p->e->outputs.sigmas[cell->sigma] : 0;
}

/* Noise enters a key only where it is declared, so that keys of earlier versions stay valid. */
static void add_noise(const plan *p, const plan_cell *cell, digest *d) {
    char digits[32];
    if (p->e->outputs.n_sigmas == 0)
        return;
    digest_text(d, "continuize");
    digest_number(d, CONTINUIZE_VERSION);
    digest_text(d, text_from_double(plan_sigma(p, cell), digits));
}

/* What a learner is told of enters a key only where it is not what was always told. */
static void add_states(const plan *p, digest *d) {
    if (p->e->states == STATES_OBSERVED)
        digest_text(d, "observed states");
}

/* The key that a cell has with that digest of its variant. */
static status make_key(plan *p, size_t i, const char *variant_digest, char key[PLAN_KEY_SIZE], error_info *err) {
    plan_cell cell = plan_cell_at(p, i);
    const experiment *e = p->e;
    const world *w;
    CHECK(plan_world(p, cell.network, &w, err));
    digest_text(p->hash, "bnbench cell");
    digest_number(p->hash, DATA_VERSION);
    digest_number(p->hash, e->seed);
    digest_text(p->hash, e->outputs.networks[cell.network]);
    digest_text(p->hash, p->network_digests[cell.network]);
    digest_number(p->hash, e->outputs.sizes[cell.size]);
    digest_number(p->hash, experiment_test_rows(e, cell.size));
    if (e->validation_sets > 1)
        digest_number(p->hash, e->validation_sets);
    add_noise(p, &cell, p->hash);
    add_states(p, p->hash);
    digest_number(p->hash, cell.replicate);
    digest_number(p->hash, (uint64_t)e->order);
    digest_text(p->hash, variant_digest);
    digest_number(p->hash, e->n_threads);
    CHECK(kernel_metric_digest(e, p->hash, err));
    return digest_finish(p->hash, key, err);
}

status plan_key(plan *p, size_t i, char key[PLAN_KEY_SIZE], error_info *err) {
    return make_key(p, i, p->variant_digests[plan_cell_at(p, i).variant], key, err);
}

status plan_stored_version(plan *p, size_t i, const char *stored, int *version, error_info *err) {
    size_t variant = plan_cell_at(p, i).variant;
    char key[PLAN_KEY_SIZE], hex[DIGEST_HEX_SIZE];
    for (int v = current_version(p, variant); v >= 0; v--) {
        CHECK(digest_variant(p, variant, v, hex, err));
        CHECK(make_key(p, i, hex, key, err));
        *version = v;
        if (strcmp(key, stored) == 0)
            return STATUS_OK;
    }
    *version = -1;
    return STATUS_OK;
}

static status key_at(void *self, size_t i, char key[PLAN_KEY_SIZE], error_info *err) {
    return plan_key(self, i, key, err);
}

job_keys plan_job_keys(plan *p) {
    return (job_keys){.n = plan_cell_count(p), .make = key_at, .self = p};
}

status plan_check_networks(plan *p, error_info *err) {
    const world *w;
    for (size_t i = 0; i < p->e->outputs.n_networks; i++) {
        if (p->here[i].n_variants > 0)
            CHECK(plan_world(p, i, &w, err));
    }
    return STATUS_OK;
}

status plan_keys(plan *p, char (**out)[PLAN_KEY_SIZE], error_info *err) {
    size_t n = plan_cell_count(p);
    AUTO_FREE char(*keys)[PLAN_KEY_SIZE] = calloc(n, sizeof *keys);
    CHECK_ALLOC(keys);
    for (size_t i = 0; i < n; i++)
        CHECK(plan_key(p, i, keys[i], err));
    *out = TAKE(keys);
    return STATUS_OK;
}

/* The seed, what the stream is for, and the data set. */
static random_key stream_key(const plan *p, const char *purpose, const plan_cell *cell) {
    random_key key = random_key_text(random_key_of(p->e->seed), purpose);
    key = random_key_text(key, p->e->outputs.networks[cell->network]);
    return random_key_number(key, cell->replicate);
}

random_key plan_data_key(const plan *p, const plan_cell *cell) {
    return stream_key(p, "data", cell);
}

random_key plan_test_key(const plan *p, const plan_cell *cell) {
    return stream_key(p, "test", cell);
}

random_key plan_order_key(const plan *p, const plan_cell *cell) {
    return stream_key(p, "order", cell);
}

status plan_data_digest(const plan *p, const plan_cell *cell, char hex[PLAN_KEY_SIZE], error_info *err) {
    AUTO_PTR(digest_destroy) digest *d = NULL;
    CHECK(digest_create(&d, err));
    digest_text(d, "bnbench data");
    digest_number(d, DATA_VERSION);
    digest_number(d, p->e->seed);
    digest_text(d, p->e->outputs.networks[cell->network]);
    digest_text(d, p->network_digests[cell->network]);
    digest_number(d, p->e->outputs.sizes[cell->size]);
    add_noise(p, cell, d);
    digest_number(d, cell->replicate);
    CHECK(add_discretizer(d, &p->e->variants[cell->variant].discretize, err));
    return digest_finish(d, hex, err);
}

uint64_t plan_discretize_seed(const plan *p, const plan_cell *cell) {
    return random_key_number(stream_key(p, "discretize", cell), p->e->outputs.sizes[cell->size]).hash;
}

uint64_t plan_learner_seed(const plan *p, const plan_cell *cell) {
    random_key key = random_key_number(stream_key(p, "learner", cell), p->e->outputs.sizes[cell->size]);
    return key.hash >> 33; /* what R's set.seed and the like take */
}

const char *plan_cell_label(const plan *p, size_t i, char *buffer, size_t size) {
    plan_cell cell = plan_cell_at(p, i);
    size_t n_rows = plan_rows(p, &cell);
    char rows[32] = "all", noise[48] = "", digits[32];
    if (n_rows > 0)
        (void)snprintf(rows, sizeof rows, "%zu", n_rows);
    if (p->e->outputs.n_sigmas)
        (void)snprintf(noise, sizeof noise, "sigma %s, ", text_from_double(plan_sigma(p, &cell), digits));
    (void)snprintf(buffer, size, "%s, %s rows, %sreplicate %zu, %s", p->e->outputs.networks[cell.network], rows, noise,
                   cell.replicate + 1, p->e->variants[cell.variant].id);
    return buffer;
}

const char *plan_cell_name(const plan *p, size_t i, char *buffer, size_t size) {
    plan_cell cell = plan_cell_at(p, i);
    size_t declared = p->e->outputs.sizes[cell.size];
    char rows[32] = "all", noise[40] = "", digits[32];
    if (declared != OUTPUTS_ALL_ROWS)
        (void)snprintf(rows, sizeof rows, "%zu", declared);
    if (p->e->outputs.n_sigmas)
        (void)snprintf(noise, sizeof noise, "%s/", text_from_double(plan_sigma(p, &cell), digits));
    (void)snprintf(buffer, size, "%s/%s/%s%zu/%s", p->e->outputs.networks[cell.network], rows, noise,
                   cell.replicate + 1, p->e->variants[cell.variant].id);
    return buffer;
}
