/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/stored_job.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/data/dataset_csv.h"
#include "core/graph/graph_file.h"
#include "generators/networks/bif.h"
#include "generators/networks/gaussian_file.h"
#include "runner/engine_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/stored_run_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding it ---- */

static void take_cell(stored_run *r, size_t cell, stored_job *out) {
    *out = (stored_job){.run = r, .cell = cell, .record = record_index_find(&r->records, r->keys[cell])};
    (void)plan_cell_name(r->plan, cell, out->name, sizeof out->name);
}

void stored_job_last(stored_run *r, stored_job *out) {
    take_cell(r, r->n_keys - 1, out);
}

static status no_such_cell(const stored_run *r, const char *word, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    const char *near;
    status st = STATUS_OK;
    for (size_t i = 0; i < r->n_keys && st == STATUS_OK; i++) {
        char name[STORED_JOB_NAME_SIZE];
        st = texts_add(&names, &n, plan_cell_name(r->plan, i, name, sizeof name), err);
    }
    if (st == STATUS_OK) {
        near = text_nearest(word, (const char *const *)names, n);
        st = error_set(err, STATUS_MISSING,
                       near ? "the last run of %s has no cell '%.200s'; did you mean '%s'?"
                            : "the last run of %s has no cell '%.200s'; write NETWORK/ROWS/REPLICATE/LEARNER, as in "
                              "'%s'",
                       r->folder, word,
                       near ? near
                       : n  ? names[0]
                            : "");
    }
    texts_destroy(names, n);
    return st;
}

/* A label may be of data whose rows were counted when the run read them. */
static bool is_labelled(const stored_run *r, size_t cell, const char *word) {
    char label[STORED_JOB_NAME_SIZE];
    return strcmp(plan_cell_label(r->plan, cell, label, sizeof label), word) == 0;
}

status stored_job_find(stored_run *r, const char *word, stored_job *out, error_info *err) {
    char name[STORED_JOB_NAME_SIZE];
    for (size_t i = 0; i < r->n_keys; i++) {
        if (strcmp(plan_cell_name(r->plan, i, name, sizeof name), word) == 0 || is_labelled(r, i, word)) {
            take_cell(r, i, out);
            return STATUS_OK;
        }
    }
    return no_such_cell(r, word, err);
}

/* ---- the job itself ---- */

static status make_job(const stored_job *s, job *out, error_info *err) {
    const stored_run *r = s->run;
    bool has_base = false;
    size_t base = plan_base_cell(r->plan, s->cell, &has_base);
    const job_record *record = has_base ? record_index_find(&r->records, r->keys[base]) : NULL;
    job j;
    CHECK(job_init(r->plan, s->cell, &j, err));
    if (has_base && !record)
        return error_set(err, STATUS_MISSING, "%s: its budget is the time of another learner, which has no result",
                         s->name);
    if (has_base)
        job_set_budget(&j, record);
    *out = j;
    return STATUS_OK;
}

/* ---- files ---- */

void job_files_clear(job_files *f) {
    texts_destroy(f->files, f->n_files);
    texts_destroy(f->words, f->n_words);
    free(f->folder);
    *f = (job_files){0};
}

/* The path of a file of the folder, which is listed; borrowed. */
static status list_file(job_files *f, const char *folder, const char *name, const char **path, error_info *err) {
    AUTO_FREE char *whole = path_join(folder, name);
    CHECK_ALLOC(whole);
    CHECK(texts_add(&f->files, &f->n_files, whole, err));
    *path = f->files[f->n_files - 1];
    return STATUS_OK;
}

static status write_text(job_files *f, const char *folder, const char *name, const text_buffer *text, error_info *err) {
    const char *path = NULL;
    CHECK(text_buffer_check(text, err));
    CHECK(list_file(f, folder, name, &path, err));
    return error_at(file_write(path, text->data ? text->data : "", text->length, err), err, path);
}

static status write_data(const dataset *data, const char *folder, job_files *f, error_info *err) {
    const char *path = NULL, *sidecar;
    CHECK(list_file(f, folder, "data.csv", &path, err));
    CHECK(error_at(dataset_write_csv(data, path, err), err, path));
    return list_file(f, folder, "data.schema.csv", &sidecar, err);
}

static status write_truth(const world *w, const char *folder, job_files *f, error_info *err) {
    AUTO(text_buffer_clear) text_buffer network = {0}, graph = {0};
    if (w->net)
        bif_append(w->net, NULL, &network);
    else if (w->gaussian)
        gaussian_file_append(w->gaussian, &network);
    if (w->net || w->gaussian)
        CHECK(write_text(f, folder, w->net ? "network.bif" : "network.json", &network, err));
    if (!w->truth)
        return STATUS_OK;
    graph_append_csv(w->truth, w->names, &graph);
    return write_text(f, folder, "truth.csv", &graph, err);
}

static status write_learned(const job_record *record, const char *folder, job_files *f, error_info *err) {
    AUTO(text_buffer_clear) text_buffer graph = {0};
    if (!record || !record->graph)
        return STATUS_OK;
    text_append(&graph, record->graph);
    return write_text(f, folder, "learned.csv", &graph, err);
}

/* ---- the command ---- */

static status add_word(job_files *f, const char *word, error_info *err) {
    return texts_add(&f->words, &f->n_words, word, err);
}

static status add_pair(job_files *f, const char *option, const char *value, error_info *err) {
    CHECK(add_word(f, option, err));
    return add_word(f, value, err);
}

/* Those that are not as they are without being said, which `usual` holds. */
static status add_options(job_files *f, const char *option, const option_spec *specs, const void *options,
                          const void *usual, error_info *err) {
    CHECK_ALLOC(usual);
    for (option_walk w = options_walk(specs, options); options_next(&w);) {
        AUTO(text_buffer_clear) text_buffer value = {0}, unsaid = {0}, pair = {0};
        options_append_value(&w.spec, options, &value);
        options_append_value(&w.spec, usual, &unsaid);
        CHECK(text_buffer_check(&value, err));
        CHECK(text_buffer_check(&unsaid, err));
        if (strcmp(value.data, unsaid.data) == 0)
            continue;
        text_append_format(&pair, "%s=%s", w.name, value.data);
        CHECK(text_buffer_check(&pair, err));
        CHECK(add_pair(f, option, pair.data, err));
    }
    return STATUS_OK;
}

static status add_limits(job_files *f, const experiment *e, uint64_t seed, error_info *err) {
    char number[48];
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    CHECK(add_pair(f, "--seed", number, err));
    (void)snprintf(number, sizeof number, "%zu", e->n_threads);
    if (e->n_threads > 1)
        CHECK(add_pair(f, "--threads", number, err));
    if (e->time_limit_s > 0)
        CHECK(add_pair(f, "--time", text_from_double(e->time_limit_s, number), err));
    return STATUS_OK;
}

static status add_learn(job_files *f, const job *j, const char *data, const char *graph, uint64_t seed,
                        error_info *err) {
    const learner_variant *v = job_variant(j);
    const discretizer *method = job_is_integrated(j) ? v->discretize.kind : NULL;
    AUTO_FREE void *options = job_options_create(j), *usual = learner_options_create(v->kind);
    AUTO_FREE void *usual_method = method ? discretizer_options_create(method) : NULL;
    CHECK_ALLOC(options);
    CHECK(add_pair(f, "bnbench", "learn", err));
    CHECK(add_pair(f, v->kind->name, data, err));
    CHECK(add_options(f, "-O", v->kind->options, options, usual, err));
    if (method) {
        CHECK(add_pair(f, "--discretize", method->name, err));
        CHECK(add_options(f, "--discretize-option", method->options, v->discretize.options, usual_method, err));
    }
    CHECK(add_limits(f, plan_experiment(j->plan), seed, err));
    return add_pair(f, "-o", graph, err);
}

/* A program starts in the folder of the experiment, so its files have whole paths. */
static status add_program(job_files *f, const job *j, const char *data, const char *graph, uint64_t seed,
                          error_info *err) {
    AUTO_FREE char *whole_data = realpath(data, NULL), *whole_graph = NULL;
    char **argv = NULL;
    status st = STATUS_OK;
    CHECK_ALLOC(whole_data);
    CHECK_ALLOC(whole_graph = text_copy_n(whole_data, (size_t)(path_base(whole_data) - whole_data)));
    CHECK_ALLOC(f->folder = text_copy(plan_experiment(j->plan)->folder));
    AUTO_FREE char *again = path_join(whole_graph, path_base(graph));
    CHECK_ALLOC(again);
    CHECK(external_arguments(j, whole_data, again, seed, &argv, err));
    for (size_t i = 0; argv[i]; i++) {
        st = st == STATUS_OK ? add_word(f, argv[i], err) : st;
        free(argv[i]);
    }
    free(argv);
    return st;
}

status stored_job_export(const stored_job *s, const char *folder, job_files *out, error_info *err) {
    AUTO(job_files_clear) job_files f = {0};
    AUTO(job_data_clear) job_data data = {0};
    AUTO_FREE char *data_path = path_join(folder, "data.csv"), *graph_path = path_join(folder, "again.csv");
    plan_cell cell = plan_cell_at(s->run->plan, s->cell);
    uint64_t seed = plan_learner_seed(s->run->plan, &cell);
    job j;
    CHECK_ALLOC(data_path);
    CHECK_ALLOC(graph_path);
    CHECK(make_job(s, &j, err));
    CHECK(job_data_make(&j, &data, err));
    CHECK(error_at(folder_create(folder, err), err, folder));
    CHECK(write_data(data.ordered, folder, &f, err));
    CHECK(write_truth(j.world, folder, &f, err));
    CHECK(write_learned(s->record, folder, &f, err));
    CHECK(job_variant(&j)->kind ? add_learn(&f, &j, data_path, graph_path, seed, err)
                                : add_program(&f, &j, data_path, graph_path, seed, err));
    *out = TAKE(f);
    return STATUS_OK;
}

/* ---- once more ---- */

typedef struct {
    job job;
    const char *spool;
    bool is_given, has_record;
    job_record record;
} single;

static void single_clear(single *s) {
    job_record_clear(&s->record);
}

static status give_single(void *self, job *out, bool *has_job, error_info *err) {
    single *s = self;
    (void)err;
    *has_job = !s->is_given;
    s->is_given = true;
    *out = s->job;
    return STATUS_OK;
}

/* The record belongs to the engine; a copy is made by way of a file, which holds every number in full. */
static status take_single(void *self, const job *j, const job_record *record, const char *result_path,
                          error_info *err) {
    single *s = self;
    AUTO_FREE char *path = path_join(s->spool, "repeated.json");
    (void)j;
    (void)result_path;
    CHECK_ALLOC(path);
    if (!record)
        return STATUS_OK;
    CHECK(record_write(record, path, err));
    CHECK(record_read(path, &s->record, err));
    s->has_record = true;
    return STATUS_OK;
}

status stored_job_repeat(const stored_job *stored, job_record *out, bool *interrupted, error_info *err) {
    AUTO_PTR(scratch_destroy) char *spool = NULL;
    const char *place = getenv("TMPDIR");
    AUTO(single_clear) single s = {0};
    engine_client client = {.self = &s, .next = give_single, .finish = take_single};
    CHECK(make_job(stored, &s.job, err));
    CHECK(scratch_create(place && *place == '/' ? place : "/tmp", "bnbench-repeat-", &spool, err));
    s.spool = spool;
    engine_options options = {.spool = spool, .n_jobs = 1, .memory_limit_bytes = stored->run->e.memory_limit_bytes};
    CHECK(engine_run(&options, &client, interrupted, err));
    if (!s.has_record)
        return *interrupted ? STATUS_OK : error_set(err, STATUS_BUG, "%s: the job left no result", stored->name);
    *out = TAKE(s.record);
    return STATUS_OK;
}

status stored_job_append_version(const stored_job *s, text_buffer *out, error_info *err) {
    const stored_run *r = s->run;
    const learner_variant *v = &r->e.variants[plan_cell_at(r->plan, s->cell).variant];
    int now = v->kind ? v->kind->version : 0, stored = 0;
    CHECK(plan_stored_version(r->plan, s->cell, r->keys[s->cell], &stored, err));
    if (stored == now)
        return STATUS_OK;
    if (stored < 0)
        text_append(out, "The network file, a program, or the version of data, discretizer or metric is another one "
                         "now than in the stored run.");
    else
        text_append_format(out, "%s has version %d now; the stored result is of version %d.", v->id, now, stored);
    return text_buffer_check(out, err);
}
