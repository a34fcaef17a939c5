/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The store of an experiment: a folder with a SQLite database (`results.sqlite`), written in transactions, so that a
 * kill at any moment leaves every result whole, and none twice.
 */
#ifndef BNB_STORE_STORE_H
#define BNB_STORE_STORE_H

#include "core/base/status.h"
#include "core/run/run_context.h"

#include <stdbool.h>
#include <stdint.h>

enum { JOB_KEY_SIZE = 65 }; /* 64 hex digits and NUL */

/** The keys of a declaration's cells; borrowed. They stand in an array, or each is made when it is asked for. */
typedef struct {
    char (*keys)[JOB_KEY_SIZE]; /* NULL: */
    size_t n;
    status (*make)(void *self, size_t i, char key[JOB_KEY_SIZE], error_info *err);
    void *self;
} job_keys;

BNB_MUST_CHECK status job_keys_at(const job_keys *k, size_t i, char key[JOB_KEY_SIZE], error_info *err);

/** How a job ended. */
typedef enum { JOB_DONE, JOB_FAILED, JOB_TIMEOUT, JOB_MEMORY } job_state;
const char *job_state_name(job_state state); /* "done", "failed", "timeout", "memory" */
bool job_state_from_name(const char *name, job_state *out);

typedef struct {
    char *name;
    double value; /* finite */
} metric_value;

/** One cell's result. Owns its strings; zero-initialise. Strings may be NULL where a job did not come that far. */
typedef struct {
    char *key;     /* 64 hex digits: declaration of the cell, learner's version, data */
    char *network; /* as the experiment names it */
    uint64_t n_samples;
    double sigma;       /* of the noise that made the data continuous; 0: they are as they were sampled */
    uint64_t replicate; /* from 0 */
    char *learner;      /* the variant's id in the experiment */
    job_state state;
    char *message; /* why not done; or a remark */
    bool is_cut_short;
    char *options; /* JSON object of every option's value; for an external learner its command */
    uint64_t seed;
    char *fingerprint; /* of the training data */
    char *graph_kind;  /* "dag", "cpdag", "skeleton" */
    char *graph;       /* CSV, as graph_append_csv writes it */
    char *policy;      /* the thresholds by which continuous data were made discrete, with histograms of them; CSV that
                          parts/figures/policy_text.h reads; NULL where nothing was discretized */
    statistics_count tests, scores;
    double cpu_seconds, wall_seconds; /* of learning alone */
    uint64_t peak_memory_bytes;
    double time_limit_s; /* the limits under which it ran; 0 for none */
    uint64_t memory_limit_bytes;
    char *confinement; /* what held its processes together: "process group", "cgroup", or "cgroup with memory.max"; NULL
                          in results of earlier versions */
    char *stderr_tail; /* what an external learner wrote to its standard error, the end of it */
    size_t n_metrics;
    metric_value *metrics; /* by name, ascending; "time", "statistics", ... are metrics too */
    trace trace;           /* series that the learner told of; its figures are among the metrics */
} job_record;

void job_record_clear(job_record *r);
void job_records_destroy(job_record *records, size_t n);

/** Adds or replaces a metric, keeping the order. */
BNB_MUST_CHECK status job_record_set_metric(job_record *r, const char *name, double value, error_info *err);
/** NULL where the record has no such metric. Valid until a metric is set. */
const double *job_record_metric(const job_record *r, const char *name);

/** Puts a remark behind the record's message, "; " between them. */
BNB_MUST_CHECK status job_record_remark(job_record *r, const char *remark, error_info *err);

/** For one thread at a time. */
typedef struct store store;

/**
 * Opens the store in `folder`. With `create`, makes it where it is not there, in a new folder or an empty one. With
 * `exclusive`, takes the lock that one runner at a time may hold (freed by the kernel when the process ends): STATUS_IO
 * "in use by another run" where it is taken.
 * @return STATUS_MISSING without a store, STATUS_INVALID for a database of another program or a later version, or where
 * a store is to be made among other files.
 */
BNB_MUST_CHECK status store_open(const char *folder, bool create, bool exclusive, store **out, error_info *err);
void store_close(store *s); /* NULL is fine */
AUTO_PTR_OF(store, store_close)

/** For a child after fork: lets go of the lock, which otherwise stays taken as long as the child lives. The parent
 * keeps it. */
void store_release_in_child(store *s);

const char *store_folder(const store *s);

/** Facts of a run that is about to start; strings may be NULL. */
typedef struct {
    const char *declaration; /* the experiment as YAML text, after profile and --set, as the reader takes it again */
    const char *file, *profile;
    const char *reading; /* NULL: the experiment as it is declared */
    const char *plan;    /* JSON array of the keys planned, in order */
} store_run;

/** Records a run with version, commit, compiler, processor, system, time. A plan that an earlier run had is not stored
 * once more. Returns its number. */
BNB_MUST_CHECK status store_begin_run(store *s, const store_run *run, int64_t *id, error_info *err);
/** What is added from here on is of the last run of that reading (NULL: of an experiment as it is declared), as if that
 * one went on. STATUS_MISSING without one. */
BNB_MUST_CHECK status store_continue_run(store *s, const char *reading, error_info *err);
BNB_MUST_CHECK status store_end_run(store *s, int64_t id, const char *outcome, error_info *err);

/**
 * What the last run declared: `*declaration` and `*plan` on the heap, neither NULL. `plan` may be NULL: it is not read.
 * @param reading the last run of that reading; NULL: of an experiment as it is declared
 * @return STATUS_MISSING without a run, STATUS_INVALID where its row is damaged.
 */
BNB_MUST_CHECK status store_last_run(store *s, const char *reading, char **declaration, char **plan, error_info *err);

/** What is known of the last run; strings are owned, NULL where they were not recorded. */
typedef struct {
    char *version, *commit, *compiler, *build, *sanitizers, *processor, *system;
    char *profile;
    char *started, *ended, *outcome; /* UTC, ISO 8601; ended is NULL where it was killed */
    char *first_started;             /* of the first such run of the store: it may have gone on after an interruption */
    size_t n_runs;
} store_run_facts;

/** `reading` as of store_last_run. STATUS_MISSING without a run. */
BNB_MUST_CHECK status store_last_run_facts(store *s, const char *reading, store_run_facts *out, error_info *err);
void store_run_facts_clear(store_run_facts *f);

/**
 * Stores a result, one transaction, durable on return; within a batch, when that ends. A key that is there already
 * keeps its record, `*added` false, unless the one there is not done and this attempt ran under a limit that is higher
 * (then it replaces it). One that is done but was cut short gives way to an attempt with more time.
 * @return STATUS_INVALID: no key, network or learner, or a number that is not finite. STATUS_IO: the disk is full, or
 * an error.
 */
BNB_MUST_CHECK status store_add(store *s, const job_record *record, bool *added, error_info *err);

/** The record of a key; STATUS_MISSING. STATUS_INVALID as of store_read_all. */
BNB_MUST_CHECK status store_find(store *s, const char *key, job_record *out, error_info *err);

/**
 * Every record, ordered by network, n_samples, sigma, replicate, learner; `with_graphs` false leaves graph, stderr_tail
 * and policy NULL, and unchecked.
 * @return STATUS_INVALID: a record is not what was stored (its checksum differs), and the message names its row.
 */
BNB_MUST_CHECK status store_read_all(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err);

/** The same for one declaration: a damaged record whose key is none of `of` is passed over. */
BNB_MUST_CHECK status store_read_of(store *s, const job_keys *of, bool with_graphs, job_record **out, size_t *n,
                                    error_info *err);

/** Those of these keys alone, in the order of the keys; one that has no record is left out. */
BNB_MUST_CHECK status store_read_keys(store *s, const job_keys *keys, bool with_graphs, job_record **out, size_t *n,
                                      error_info *err);

/**
 * Hands each key's record to `see`, or NULL where there is none, in the order of the keys: one record at a time,
 * without graph, stderr_tail and policy. An error of `see` ends it.
 */
typedef struct {
    void *self;
    status (*see)(void *self, size_t i, const job_record *record, error_info *err);
} record_walk;
BNB_MUST_CHECK status store_walk_keys(store *s, const job_keys *keys, const record_walk *walk, error_info *err);

/** How many records there are. */
BNB_MUST_CHECK status store_count(store *s, size_t *n, error_info *err);

/**
 * Forgets every record that store_read_of would refuse, so that those jobs run again. Where there is none, nothing is
 * written.
 */
BNB_MUST_CHECK status store_remove_damaged(store *s, const job_keys *of, size_t *n_removed, error_info *err);

/** Forgets a record, so that the job runs again. */
BNB_MUST_CHECK status store_remove(store *s, const char *key, error_info *err);

/**
 * What store_add and store_remove do between these two is one transaction: others see it, and it is durable, when
 * store_end_batch returns STATUS_OK; after an error of that, nothing of it is stored. A call that fails within a batch
 * undoes what itself did. Runs are begun and ended, and damaged results removed, outside.
 */
BNB_MUST_CHECK status store_begin_batch(store *s, error_info *err);
BNB_MUST_CHECK status store_end_batch(store *s, error_info *err);

#endif
