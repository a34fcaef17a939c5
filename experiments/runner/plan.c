/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/runner/plan_internal.h"

#include "core/file.h"
#include "experiments/runner/declare_internal.h"
#include "experiments/runner/digest_internal.h"
#include "experiments/runner/networks_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sys/stat.h>

/* Raised when the data of a cell change for the same declaration, so that results of the old data are not taken. */
enum { DATA_VERSION = 1, MOST_PROGRAM_BYTES = 1 << 26 };

struct plan {
    const experiment *e;
    bayes_net **networks; /* NULL until they are read */
    char (*network_digests)[DIGEST_HEX_SIZE];
    char (*variant_digests)[DIGEST_HEX_SIZE];
    digest *hash;
};

static status add_options(digest *d, const learner_variant *v, error_info *err) {
    text_buffer value = {0};
    status st;
    for (size_t i = 0; i < options_count(v->kind->options); i++) {
        text_buffer_clear(&value);
        options_append_value(&v->kind->options[i], v->options, &value);
        digest_text(d, v->kind->options[i].name);
        digest_text(d, value.data ? value.data : "");
    }
    st = text_buffer_check(&value, err);
    text_buffer_clear(&value);
    return st;
}

/* A file of the experiment's folder that the command names is part of the learner: its content is its version. */
static status add_program(digest *d, const experiment *e, const char *word, error_info *err) {
    char *path = experiment_path(e, word), *content = NULL;
    size_t length = 0;
    struct stat info;
    status st = STATUS_OK;
    error_info quiet = {0};
    TRY_ALLOC(path);
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MOST_PROGRAM_BYTES &&
        file_read(path, MOST_PROGRAM_BYTES, &content, &length, &quiet) == STATUS_OK)
        digest_bytes(d, content, length);
cleanup:
    free(path);
    free(content);
    return st;
}

static status add_command(digest *d, const experiment *e, const learner_variant *v, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; v->command[i] && st == STATUS_OK; i++) {
        digest_text(d, v->command[i]);
        if (i > 0 || strchr(v->command[i], '/'))
            st = add_program(d, e, v->command[i], err);
    }
    digest_number(d, v->has_returns ? 1 + (uint64_t)v->returns : 0);
    return st;
}

static status digest_variant(plan *p, size_t i, error_info *err) {
    const learner_variant *v = &p->e->variants[i];
    status st;
    digest_text(p->hash, v->id);
    if (v->kind) {
        digest_text(p->hash, v->kind->name);
        digest_number(p->hash, (uint64_t)v->kind->version);
        st = add_options(p->hash, v, err);
    } else {
        digest_text(p->hash, "external");
        st = add_command(p->hash, p->e, v, err);
    }
    return st == STATUS_OK ? digest_finish(p->hash, p->variant_digests[i], err) : st;
}

status plan_create(const experiment *e, plan **out, error_info *err) {
    plan *p = calloc(1, sizeof *p);
    status st = STATUS_OK;
    TRY_ALLOC(p);
    p->e = e;
    TRY_ALLOC(p->networks = calloc(e->outputs.n_networks, sizeof *p->networks));
    TRY_ALLOC(p->network_digests = calloc(e->outputs.n_networks, sizeof *p->network_digests));
    TRY_ALLOC(p->variant_digests = calloc(e->n_variants, sizeof *p->variant_digests));
    TRY(digest_create(&p->hash, err));
    for (size_t i = 0; i < e->n_variants; i++)
        TRY(digest_variant(p, i, err));
    *out = p;
    p = NULL;
cleanup:
    plan_destroy(p);
    return st;
}

void plan_destroy(plan *p) {
    if (!p)
        return;
    for (size_t i = 0; p->networks && i < p->e->outputs.n_networks; i++)
        bayes_net_destroy(p->networks[i]);
    free(p->networks);
    free(p->network_digests);
    free(p->variant_digests);
    digest_destroy(p->hash);
    free(p);
}

const experiment *plan_experiment(const plan *p) {
    return p->e;
}

size_t plan_cell_count(const plan *p) {
    const experiment_outputs *o = &p->e->outputs;
    return o->n_networks * o->n_sizes * o->n_replicates * p->e->n_variants;
}

plan_cell plan_cell_at(const plan *p, size_t i) {
    const experiment_outputs *o = &p->e->outputs;
    size_t rest = i / p->e->n_variants;
    plan_cell cell = {.variant = i % p->e->n_variants};
    cell.replicate = rest % o->n_replicates;
    rest /= o->n_replicates;
    cell.size = rest % o->n_sizes;
    cell.network = rest / o->n_sizes;
    return cell;
}

status plan_network(plan *p, size_t network, const bayes_net **out, error_info *err) {
    status st = STATUS_OK;
    if (!p->networks[network]) {
        bayes_net *net = NULL;
        st = network_source_load(&p->e->sources[network], p->e->outputs.networks[network], &net, err);
        if (st == STATUS_OK)
            st = digest_network(net, p->network_digests[network], err);
        if (st != STATUS_OK) {
            bayes_net_destroy(net);
            error_context(err, "%s", p->e->sources[network].where);
            return st;
        }
        p->networks[network] = net;
    }
    *out = p->networks[network];
    return st;
}

status plan_load_networks(plan *p, error_info *err) {
    const bayes_net *net;
    status st = STATUS_OK;
    for (size_t i = 0; i < p->e->outputs.n_networks && st == STATUS_OK; i++)
        st = plan_network(p, i, &net, err);
    return st;
}

status plan_key(plan *p, size_t i, char key[PLAN_KEY_SIZE], error_info *err) {
    plan_cell cell = plan_cell_at(p, i);
    const experiment *e = p->e;
    const bayes_net *net;
    status st = plan_network(p, cell.network, &net, err);
    if (st != STATUS_OK)
        return st;
    digest_text(p->hash, "bnbench cell");
    digest_number(p->hash, DATA_VERSION);
    digest_number(p->hash, e->seed);
    digest_text(p->hash, e->outputs.networks[cell.network]);
    digest_text(p->hash, p->network_digests[cell.network]);
    digest_number(p->hash, e->outputs.sizes[cell.size]);
    digest_number(p->hash, e->test_samples);
    digest_number(p->hash, cell.replicate);
    digest_number(p->hash, (uint64_t)e->order);
    digest_text(p->hash, p->variant_digests[cell.variant]);
    digest_number(p->hash, e->n_threads);
    return digest_finish(p->hash, key, err);
}

status plan_keys(plan *p, char (**out)[PLAN_KEY_SIZE], error_info *err) {
    size_t n = plan_cell_count(p);
    char(*keys)[PLAN_KEY_SIZE] = calloc(n, sizeof *keys);
    status st = STATUS_OK;
    TRY_ALLOC(keys);
    for (size_t i = 0; i < n; i++)
        TRY(plan_key(p, i, keys[i], err));
    *out = keys;
    keys = NULL;
cleanup:
    free(keys);
    return st;
}

static json_t *option_value(const option_spec *spec, const char *text) {
    double number = 0;
    int64_t whole = 0;
    if (spec->kind == OPT_BOOL)
        return json_boolean(strcmp(text, "true") == 0);
    if (spec->kind == OPT_INT && text_to_int(text, &whole))
        return json_integer(whole);
    if (spec->kind == OPT_REAL && text_to_double(text, &number))
        return json_real(number);
    return json_string(text);
}

static status built_in_options(const learner_variant *v, json_t *object, error_info *err) {
    text_buffer value = {0};
    status st = STATUS_OK;
    for (size_t i = 0; i < options_count(v->kind->options); i++) {
        const option_spec *spec = &v->kind->options[i];
        text_buffer_clear(&value);
        options_append_value(spec, v->options, &value);
        TRY(text_buffer_check(&value, err));
        if (json_object_set_new(object, spec->name, option_value(spec, value.data ? value.data : "")) != 0)
            TRY(error_out_of_memory(err));
    }
cleanup:
    text_buffer_clear(&value);
    return st;
}

static status command_words(const learner_variant *v, json_t *object, error_info *err) {
    json_t *words = json_array();
    for (size_t i = 0; words && v->command[i]; i++) {
        if (json_array_append_new(words, json_string(v->command[i])) != 0) {
            json_decref(words);
            words = NULL;
        }
    }
    return json_object_set_new(object, "command", words) == 0 ? STATUS_OK : error_out_of_memory(err);
}

status plan_options_json(const learner_variant *v, char **out, error_info *err) {
    json_t *object = json_object();
    status st = STATUS_OK;
    TRY_ALLOC(object);
    TRY(v->kind ? built_in_options(v, object, err) : command_words(v, object, err));
    TRY_ALLOC(*out = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)));
cleanup:
    json_decref(object);
    return st;
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

uint64_t plan_learner_seed(const plan *p, const plan_cell *cell) {
    random_key key = random_key_number(stream_key(p, "learner", cell), p->e->outputs.sizes[cell->size]);
    return key.hash >> 33; /* what R's set.seed and the like take */
}

const char *plan_cell_label(const plan *p, size_t i, char *buffer, size_t size) {
    plan_cell cell = plan_cell_at(p, i);
    (void)snprintf(buffer, size, "%s, %zu rows, replicate %zu, %s", p->e->outputs.networks[cell.network],
                   p->e->outputs.sizes[cell.size], cell.replicate + 1, p->e->variants[cell.variant].id);
    return buffer;
}
