/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One job in a process of its own, watched: its limits, its end, its result. */
#ifndef BNB_RUNNER_JOB_JOB_PROCESS_INTERNAL_H
#define BNB_RUNNER_JOB_JOB_PROCESS_INTERNAL_H

#include "runner/job/job_internal.h"

#include <signal.h>
#include <sys/resource.h>

enum { JOB_TAIL_BYTES = 16384 };

typedef enum { KILLED_NOT, KILLED_FOR_TIME, KILLED_FOR_MEMORY, KILLED_TO_STOP } kill_reason;

/** Open fields for the event loop that watches several; zero-initialise. */
typedef struct {
    job job;
    uint64_t computer_bytes; /* see job_process_start */
    pid_t pid;
    int messages, errors; /* read ends, not blocking; -1 where closed */
    char *result_path, *scratch, *scratch_link;
    char *group, *group_link; /* of a program, where cgroup v2 is at hand (control_group_internal.h); else NULL */
    bool learning_started, learning_ended;
    double started_s, looked_s, learned_s; /* on run_clock_s: learning began, memory was looked at, learning took */
    double killed_s;                       /* on run_clock_s: it was told to end */
    double cpu_before;
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    uint64_t peak_bytes; /* as far as it was looked at */
    kill_reason reason;
    bool is_over;
    bool had_company;   /* other jobs ran beside it at some time */
    bool met_full_disk; /* another job ended beside it, and the disk was full until that one's files were removed */
    bool filled_disk;   /* its program did */
    int how;            /* wait status */
    struct rusage usage;
    char *tail; /* the end of its standard error */
    size_t tail_length;
} job_process;

/**
 * Starts a job. Its result file goes into `spool` as KEY.json.
 * @param computer_bytes process_physical_memory(), which need not be looked up for each job
 * @param mask           the signal mask that the new process gets
 * @return STATUS_MEMORY where there is no room for one more, in memory or among descriptors and processes: it may be
 *         started when another has ended. STATUS_IO.
 */
BNB_MUST_CHECK status job_process_start(const job *j, const char *spool, uint64_t computer_bytes, const sigset_t *mask,
                                        job_process *out, error_info *err);

/** In the new process: does the job and ends. `messages` and `errors` are its ends of the pipes. */
_Noreturn void job_process_become(const job_process *p, const sigset_t *mask, pid_t parent, int messages, int errors);

/** True for a program, false for a learner of the registry. */
bool job_process_is_external(const job_process *p);

/** Takes in what the process said, ends it where it passed a limit, and notices its end. True once it is over. */
bool job_process_step(job_process *p, double now_s);

/** Seconds until job_process_step has something to do even if the process says nothing. */
double job_process_patience(const job_process *p, double now_s);

/** Ends the process; its job leaves no result. */
void job_process_stop(job_process *p);

/**
 * The record of a job that is over: from its result file, or of how it ended. `*has_record` is false where it was
 * stopped.
 * @return STATUS_IO where the process could not write its files.
 */
BNB_MUST_CHECK status job_process_take_record(job_process *p, job_record *out, bool *has_record, error_info *err);

/** Whether the disk of its private folder is full, while the folder is there. False where it has none. */
bool job_process_has_full_disk(const job_process *p);

/** Closes what is open and removes the private folder; the process must be over. */
void job_process_clear(job_process *p);

/** Makes the folder where it is not there. STATUS_INVALID: its name is a link, which is not followed. */
BNB_MUST_CHECK status spool_open(const char *spool, error_info *err);

/** True where the first `length` characters of a name are a key. */
bool spool_is_key(const char *name, size_t length);

/**
 * Makes a spool fit for use after a run that was killed: removes the private folders and half-written files that it
 * left, known by their names; whatever has another name stays.
 */
BNB_MUST_CHECK status spool_clean(const char *spool, error_info *err);

#endif
