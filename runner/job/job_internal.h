/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One cell's work, as it is done in a process of its own. */
#ifndef BNB_RUNNER_JOB_JOB_INTERNAL_H
#define BNB_RUNNER_JOB_JOB_INTERNAL_H

#include "core/data/dataset.h"
#include "runner/job/program_facts_internal.h"
#include "runner/plan/plan_internal.h"
#include "store/store.h"

/** A cell with all that it needs. Borrows the plan and what the network is. */
typedef struct {
    const plan *plan;
    const world *world;
    size_t cell;
    char key[PLAN_KEY_SIZE];
    const char *cache;    /* the folder for data that are worth keeping; NULL: none */
    double budget_s;      /* what a budget that hangs on another learner came to; 0: the options hold it */
    const char *group;    /* the control group for its program (control_group_internal.h); NULL: none */
    bool group_has_limit; /* the kernel holds the limit of memory for it */
    bool is_in_group;     /* the program is in it */
    char refusal[160];    /* why the job cannot be done; then it fails with this. "" where it can */
} job;

BNB_MUST_CHECK status job_init(plan *p, size_t cell, job *out, error_info *err);

/** Gives a job its budget by the result of the learner on which it hangs; where that has no time, the job will fail. */
void job_set_budget(job *j, const job_record *base);

/** True for the record of a job that failed because there was no time to take its budget from. */
bool job_was_refused(const job_record *record);

/** Begins a record: the cell, its options, seed and limits. The state is failed until the job is done. */
BNB_MUST_CHECK status job_begin_record(const job *j, job_record *out, error_info *err);

/** What holds the processes of the job, as its record says it. */
const char *job_confinement(const job *j);

const learner_variant *job_variant(const job *j);

/** True where the discretizer finds its policy together with the graph: the data stay continuous until then. */
bool job_is_integrated(const job *j);

/** What the process of a job tells its supervisor through a pipe, in one write. */
typedef enum { JOB_LEARNING_STARTS = 1, JOB_LEARNING_ENDS, JOB_IS_IN_GROUP, JOB_FILLED_DISK } job_event;
typedef struct {
    int event;          /* job_event */
    double cpu_seconds; /* of the process so far */
    char fingerprint[DATASET_FINGERPRINT_SIZE];
} job_message;

/** One message; the fingerprint may be NULL. */
void job_tell(int messages, job_event event, const char *fingerprint);

enum { JOB_EXIT_DONE = 0, JOB_EXIT_IO = 74 };

/**
 * Does the job: data, learning, metrics, result file. To be called in a process of its own, with the limits set.
 *
 * @param result_path where the result goes, renamed into place; also when the job fails
 * @param scratch     a private folder for the files of an external learner; else NULL
 * @param messages    pipe to the supervisor
 * @return JOB_EXIT_DONE with a result file; JOB_EXIT_IO where a file could not be written (said on standard error)
 */
int job_run(const job *j, const char *result_path, const char *scratch, int messages);

/** The data of a cell. Zero-initialise. */
typedef struct {
    dataset *train;   /* columns as in the network; discrete where the learner is to have it so */
    dataset *ordered; /* the same rows as the learner sees them: column i is node order[i], told_states its states */
    dataset **tests;  /* columns as in the network */
    size_t n_tests;   /* 0 without test rows */
    size_t *order;
    bool is_discretized;   /* train, and tests by the same thresholds, were continuous */
    double discretize_s;   /* CPU seconds of finding the thresholds */
    cut_policy integrated; /* found together with the graph, for `ordered`; without columns elsewhere */
    char *policy; /* the thresholds, as parts/figures/policy_text.h reads them; NULL where it is not discretized */
} job_data;

BNB_MUST_CHECK status job_data_make(const job *j, job_data *out, error_info *err);
void job_data_clear(job_data *d);

/** The training rows once more, columns as in the network, not made discrete. */
BNB_MUST_CHECK status job_sample_rows(const job *j, dataset **out, error_info *err);

/** Applies data->integrated, if there is one, to training and test rows. */
BNB_MUST_CHECK status job_take_integrated(job_data *data, error_info *err);

/** A learned graph, on the network's nodes. Zero-initialise. */
typedef struct {
    pdag *graph;
    graph_kind kind;
    neighbour_lists *found; /* of learner_result: by column as the learner saw it; NULL where it has none */
} learned_graph;

/**
 * Puts graph and metrics into the record. Where no DAG agrees with the graph, scores are those of an altered one
 * (pdag_extend_anyway), the metric scored_altered is 1 and the record's message says so.
 */
BNB_MUST_CHECK status job_measure(const job *j, const job_data *data, const learned_graph *learned, job_record *record,
                                  error_info *err);

/**
 * Puts the metric bach_score into the record where it is wanted (runner/plan/kernel_metric_internal.h): the kernel
 * score of the DAG on the training rows as they were before any discretizing (Fu 2005, sec. V.2).
 */
BNB_MUST_CHECK status kernel_measure(const job *j, const job_data *data, const dag *g, job_record *record,
                                     error_info *err);

/** The options of a learner of the registry with the job's budget, if it has one; on the heap, NULL without memory. */
void *job_options_create(const job *j);

/** The command of an external learner for these files: a list that ends with NULL, each text on the heap. */
BNB_MUST_CHECK status external_arguments(const job *j, const char *data_path, const char *graph_path, uint64_t seed,
                                         char ***out, error_info *err);

/** What a program needed, and what it tells of that. Zero-initialise; facts are to be cleared. */
typedef struct {
    double cpu_seconds, wall_seconds;
    uint64_t peak_memory_bytes;
    bool was_in_group;
    program_facts facts;
} program_usage;

/**
 * Runs an external learner on the data and reads its graph (node i is column i).
 * @return STATUS_IO where our own files could not be written; else STATUS_INVALID or STATUS_MISSING: why there is no
 * graph.
 */
BNB_MUST_CHECK status external_learn(const job *j, const dataset *data, const char *scratch, uint64_t seed,
                                     int messages, learned_graph *out, program_usage *usage, error_info *err);

#endif
