/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments are run in a process of their own, and stores are read. */
#include "library/library_internal.h"

#include "generators/catalogue/catalogue.h"
#include "parts/base/part_output.h"
#include "parts/tables/table.h"
#include "report/report_input.h"
#include "runner/declare/shipped_experiments.h"
#include "runner/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

enum { ASKED_PER_SECOND = 20 };

struct bnb_store {
    report_input in;
    char *published;
    const declared_part **tables;
    size_t n_tables;
};

/* ---- a run: its signals and its children are those of a process of its own ---- */

/* What that process says when it ends. */
typedef struct {
    status st;
    char message[sizeof((error_info){0}.message)];
    run_counts counts;
    bool is_interrupted;
} run_outcome;

typedef struct {
    experiment e;
    char *path, *store;
    run_options options;
} prepared_run;

static void prepared_run_clear(prepared_run *p) {
    experiment_clear(&p->e);
    free(p->path);
    free(p->store);
}

static status name_store(const bnb_experiment_options *o, const char *name, char **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer path = {0};
    if (o->store)
        text_append(&path, o->store);
    else
        text_append_format(&path, "stores/%s%s%s", name, o->profile ? "-" : "", o->profile ? o->profile : "");
    return text_buffer_take(&path, out, err);
}

static status prepare(const char *word, const bnb_experiment_options *o, prepared_run *p, error_info *err) {
    size_t n_sets = 0;
    while (o->set && o->set[n_sets])
        n_sets++;
    CHECK(shipped_experiment_locate(word, &p->path, err));
    CHECK(experiment_read(p->path, o->profile, o->set, n_sets, &p->e, err));
    CHECK(runner_check_programs(&p->e, err));
    CHECK(name_store(o, p->e.outputs.name, &p->store, err));
    p->options = (run_options){.store_folder = p->store,
                               .file = p->path,
                               .profile = o->profile,
                               .n_jobs = o->n_jobs ? o->n_jobs : 1,
                               .quiet = true};
    return STATUS_OK;
}

/* In the new process. What it prints goes nowhere. */
static void run_and_tell(const prepared_run *p, int to) {
    run_outcome o = {0};
    error_info err = {0};
    o.st = runner_run(&p->e, &p->options, &o.counts, &o.is_interrupted, &err);
    (void)snprintf(o.message, sizeof o.message, "%s", err.message);
    (void)!write(to, &o, sizeof o); /* less than PIPE_BUF */
    _exit(0);
}

static void pause_between_questions(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000000 / ASKED_PER_SECOND}, NULL);
}

/* Waits for the process; asks the caller meanwhile. */
static void await(pid_t child, const bnb_experiment_options *o, bool *is_cancelled) {
    while (waitpid(child, NULL, o->proceed && !*is_cancelled ? WNOHANG : 0) == 0 || errno == EINTR) {
        if (errno == EINTR) {
            errno = 0;
            continue;
        }
        if (o->proceed && !o->proceed(o->context)) {
            *is_cancelled = true;
            (void)kill(child, SIGTERM);
        }
        pause_between_questions();
    }
}

static status judge(const run_outcome *o, ssize_t length, error_info *err) {
    if (length != (ssize_t)sizeof *o)
        return error_set(err, STATUS_IO, "the process of the run ended without an answer");
    return o->st == STATUS_OK ? STATUS_OK : error_set(err, o->st, "%s", o->message);
}

static status run_apart(const prepared_run *p, const bnb_experiment_options *options, run_outcome *o,
                        bool *is_cancelled, error_info *err) {
    int ends[2];
    pid_t child;
    ssize_t length;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, STATUS_IO, "no pipe to a new process: %s", strerror(errno));
    child = fork();
    if (child == 0)
        run_and_tell(p, ends[1]);
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return error_set(err, STATUS_IO, "no new process: %s", strerror(errno));
    }
    errno = 0;
    await(child, options, is_cancelled);
    length = read(ends[0], o, sizeof *o);
    (void)close(ends[0]);
    if (*is_cancelled && length <= 0)
        return STATUS_OK; /* it had not come to take signals */
    return judge(o, length, err);
}

static status run(const char *word, const bnb_experiment_options *given, bnb_cells *cells, char **folder,
                  bool *is_cancelled, error_info *err) {
    AUTO(prepared_run_clear) prepared_run p = {0};
    bnb_experiment_options none = {0};
    const bnb_experiment_options *options = given ? given : &none;
    run_outcome o = {0};
    CHECK(prepare(word, options, &p, err));
    CHECK(run_apart(&p, options, &o, is_cancelled, err));
    *is_cancelled |= o.is_interrupted;
    if (cells)
        *cells = (bnb_cells){o.counts.total, o.counts.done, o.counts.failed, o.counts.timeout, o.counts.memory};
    if (folder)
        *folder = TAKE(p.store);
    return STATUS_OK;
}

bnb_status bnb_experiment_run(const char *file, const bnb_experiment_options *options, bnb_cells *cells, char **folder,
                              bnb_error *error) {
    error_info err = {0};
    bool is_cancelled = false;
    bnb_status answer = library_answer(run(file, options, cells, folder, &is_cancelled, &err), &err, error);
    return answer == BNB_OK && is_cancelled ? library_cancelled(error) : answer;
}

/* ---- a store ---- */

void bnb_store_free(bnb_store *from) {
    if (!from)
        return;
    report_input_clear(&from->in);
    free(from->published);
    free(from->tables);
    free(from);
}

static status list_tables(bnb_store *s, error_info *err) {
    const part_list *parts = &s->in.e->parts;
    CHECK_ALLOC(s->tables = calloc(parts->n + 1, sizeof *s->tables));
    for (size_t i = 0; i < parts->n; i++) {
        if (parts->parts[i].kind->tabulate)
            s->tables[s->n_tables++] = &parts->parts[i];
    }
    return STATUS_OK;
}

static status read_store(const char *folder, bnb_store **out, error_info *err) {
    bnb_store *s = calloc(1, sizeof *s);
    status st = STATUS_OK;
    TRY_ALLOC(s);
    TRY(report_input_read(folder, NULL, (report_wish){.drawings = true}, &s->in, err));
    TRY(catalogue_shipped_beside("published", &s->published, err));
    TRY(list_tables(s, err));
    *out = TAKE(s);
cleanup:
    bnb_store_free(s);
    return st;
}

bnb_status bnb_store_read(const char *folder, bnb_store **out, bnb_error *error) {
    LIBRARY_CALL(error, read_store(folder, out, err));
}

const char *bnb_store_table_id(const bnb_store *from, size_t i) {
    return i < from->n_tables ? part_text(from->tables[i], "id") : NULL;
}

static status find_table(const bnb_store *s, const char *id, const declared_part **out, error_info *err) {
    AUTO_FREE const char **ids = calloc(s->n_tables + 1, sizeof *ids);
    const char *near;
    CHECK_ALLOC(ids);
    for (size_t i = 0; i < s->n_tables; i++) {
        ids[i] = part_text(s->tables[i], "id");
        if (strcmp(ids[i], id) == 0) {
            *out = s->tables[i];
            return STATUS_OK;
        }
    }
    near = text_nearest(id, ids, s->n_tables);
    return near ? error_set(err, STATUS_MISSING, "there is no table '%s'; did you mean '%s'?", id, near)
                : error_set(err, STATUS_MISSING, "there is no table '%s'", id);
}

static status tabulate(const bnb_store *s, const char *id, char **out, error_info *err) {
    const part_context context = {&s->in.e->outputs, &s->in.e->parts, s->in.records, s->in.n_records};
    const declared_part *part = NULL;
    AUTO(part_output_clear) part_output made = {.published_folder = s->published};
    AUTO(table_clear) table t = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK(find_table(s, id, &part, err));
    CHECK(part->kind->tabulate(&context, part->options, &made, &t, err));
    table_append_csv(&t, &text);
    return text_buffer_take(&text, out, err);
}

bnb_status bnb_store_table_csv(const bnb_store *from, const char *id, char **out, bnb_error *error) {
    LIBRARY_CALL(error, tabulate(from, id, out, err));
}

size_t bnb_store_job_count(const bnb_store *from) {
    return from->in.n_records;
}

bnb_job bnb_store_job(const bnb_store *from, size_t job) {
    const job_record *r;
    if (job >= from->in.n_records)
        return (bnb_job){0};
    r = &from->in.records[job];
    return (bnb_job){.network = r->network,
                     .learner = r->learner,
                     .state = job_state_name(r->state),
                     .message = r->message,
                     .n_samples = r->n_samples,
                     .replicate = r->replicate,
                     .sigma = r->sigma};
}

const char *bnb_store_metric(const bnb_store *from, size_t job, size_t i, double *value) {
    const job_record *r = job < from->in.n_records ? &from->in.records[job] : NULL;
    if (!r || i >= r->n_metrics)
        return NULL;
    *value = r->metrics[i].value;
    return r->metrics[i].name;
}

const char *bnb_store_graph(const bnb_store *from, size_t job) {
    return job < from->in.n_records ? from->in.records[job].graph : NULL;
}
