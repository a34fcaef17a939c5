/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An external learner: any program that reads a data file and writes a list of edges. It is started without a shell, in
 * a process of its own below the job's, with few environment variables. What it leaves running is killed when it ends.
 */
#include "runner/job/job_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/dataset_csv.h"
#include "core/graph/equivalence.h"
#include "core/graph/graph_file.h"
#include "core/run/run_context.h"
#include "runner/job/control_group_internal.h"
#include "runner/job/disk_room_internal.h"
#include "runner/job/process_internal.h"
#include "runner/job/program_variables.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { MOST_GRAPH_BYTES = 1 << 30 };

/* A placeholder and what replaces it. */
typedef struct {
    const char *word;
    char *value;
} replacement;

enum { N_REPLACEMENTS = 4 };

/* Everything that is prepared before the program starts. */
typedef struct {
    char *data_path, *graph_path, *facts_path;
    replacement replacements[N_REPLACEMENTS];
    char **argv, **environment;
} invocation;

static void free_list(char **list) {
    for (size_t i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}

static void invocation_clear(invocation *in) {
    free(in->data_path);
    free(in->graph_path);
    free(in->facts_path);
    for (size_t i = 0; i < N_REPLACEMENTS; i++)
        free(in->replacements[i].value);
    free_list(in->argv);
    free_list(in->environment);
}

static char *number_text(uint64_t number) {
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return text_copy(text);
}

/* One argument with its placeholders filled in; NULL without memory. */
static char *substitute(const char *word, const replacement *with) {
    text_buffer out = {0};
    text_append(&out, "");
    while (*word) {
        size_t used = 0;
        for (size_t i = 0; i < N_REPLACEMENTS && !used; i++) {
            size_t n = strlen(with[i].word);
            if (strncmp(word, with[i].word, n) == 0) {
                text_append(&out, with[i].value);
                used = n;
            }
        }
        if (!used) {
            text_append_bytes(&out, word, 1);
            used = 1;
        }
        word += used;
    }
    if (out.failed)
        text_buffer_clear(&out);
    return out.data;
}

static status make_arguments(char *const *command, invocation *in, error_info *err) {
    size_t n = 0;
    while (command[n])
        n++;
    CHECK_ALLOC(in->argv = calloc(n + 1, sizeof *in->argv));
    for (size_t i = 0; i < n; i++)
        CHECK_ALLOC(in->argv[i] = substitute(command[i], in->replacements));
    return STATUS_OK;
}

static bool push(char **list, size_t *n, const char *name, const char *value) {
    size_t size = strlen(name) + strlen(value) + 1;
    list[*n] = malloc(size);
    if (!list[*n])
        return false;
    (void)snprintf(list[(*n)++], size, "%s%s", name, value);
    return true;
}

static status make_environment(const char *scratch, const char *threads, invocation *in, error_info *err) {
    static const char *const thread_names[] = {"OMP_NUM_THREADS=", "OPENBLAS_NUM_THREADS=", "MKL_NUM_THREADS="};
    size_t n = 0, room = 0;
    bool ok = true;
    while (environ[room])
        room++;
    CHECK_ALLOC(in->environment = calloc(room + 6, sizeof *in->environment));
    for (size_t i = 0; i < room && ok; i++) {
        if (program_gets_variable(environ[i]))
            ok = push(in->environment, &n, environ[i], "");
    }
    for (size_t i = 0; i < 3 && ok; i++)
        ok = push(in->environment, &n, thread_names[i], threads);
    ok = ok && push(in->environment, &n, "TMPDIR=", scratch);
    ok = ok && push(in->environment, &n, "BNBENCH_FACTS=", in->facts_path);
    return ok ? STATUS_OK : error_out_of_memory(err);
}

/* The arguments for the files data_path and graph_path. */
static status fill_arguments(const job *j, uint64_t seed, invocation *in, error_info *err) {
    static const char *const words[N_REPLACEMENTS] = {"{data}", "{graph}", "{seed}", "{threads}"};
    for (size_t i = 0; i < N_REPLACEMENTS; i++)
        in->replacements[i].word = words[i];
    CHECK_ALLOC(in->replacements[0].value = text_copy(in->data_path));
    CHECK_ALLOC(in->replacements[1].value = text_copy(in->graph_path));
    CHECK_ALLOC(in->replacements[2].value = number_text(seed));
    CHECK_ALLOC(in->replacements[3].value = number_text(plan_experiment(j->plan)->n_threads));
    return make_arguments(job_variant(j)->command, in, err);
}

status external_arguments(const job *j, const char *data_path, const char *graph_path, uint64_t seed, char ***out,
                          error_info *err) {
    AUTO(invocation_clear) invocation in = {0};
    CHECK_ALLOC(in.data_path = text_copy(data_path));
    CHECK_ALLOC(in.graph_path = text_copy(graph_path));
    CHECK(fill_arguments(j, seed, &in, err));
    *out = TAKE(in.argv);
    return STATUS_OK;
}

static status prepare(const job *j, const dataset *data, const char *scratch, uint64_t seed, invocation *in,
                      error_info *err) {
    CHECK_ALLOC(in->data_path = path_join(scratch, "data.csv"));
    CHECK_ALLOC(in->graph_path = path_join(scratch, "graph.csv"));
    CHECK_ALLOC(in->facts_path = path_join(scratch, "facts.json"));
    CHECK(fill_arguments(j, seed, in, err));
    CHECK(make_environment(scratch, in->replacements[3].value, in, err));
    return dataset_write_csv(data, in->data_path, err);
}

/* A limit of the kernel, in case the supervisor looks too late. It is far above the declared limit, so that as a rule
 * the supervisor ends the program and says why. */
static void set_backstop(uint64_t memory_limit) {
    struct rlimit limit;
    if (memory_limit == 0 || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = memory_limit * 2 + ((uint64_t)1 << 30);
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_DATA, &limit);
}

/* In the child: becomes the program, which gets no open file but the three usual ones, or tells through the pipe why
 * not. */
_Noreturn static void become(const invocation *in, const char *folder, uint64_t memory_limit, pid_t parent,
                             int problem) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int reason;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGHUP, SIG_DFL);
    if (getppid() != parent)
        _exit(127);
    (void)dup2(null, 0);
    (void)dup2(null, 1);
    (void)close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); /* nor what bnbench was itself started with */
    set_backstop(memory_limit);
    if (chdir(folder) == 0)
        (void)execvpe(in->argv[0], in->argv, in->environment);
    reason = errno;
    if (write(problem, &reason, sizeof reason) != sizeof reason)
        _exit(126);
    _exit(127);
}

/* In the group of the job where that can be. */
static pid_t new_process(const job *j, bool *is_in_group) {
    pid_t child = j->group ? control_group_fork(j->group) : -1;
    *is_in_group = child > 0;
    return child >= 0 ? child : fork();
}

/* STATUS_MISSING or STATUS_INVALID where the program could not be started. */
static status start(const job *j, const invocation *in, pid_t *child, bool *is_in_group, error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    int problem[2], reason = 0;
    pid_t parent = getpid();
    ssize_t n;
    if (pipe2(problem, O_CLOEXEC) != 0)
        return error_set(err, STATUS_IO, "no pipe: %s", strerror(errno));
    *child = new_process(j, is_in_group);
    if (*child == 0)
        become(in, e->folder, e->memory_limit_bytes, parent, problem[1]);
    (void)close(problem[1]);
    if (*child < 0) {
        (void)close(problem[0]);
        return error_set(err, STATUS_IO, "no new process: %s", strerror(errno));
    }
    do
        n = read(problem[0], &reason, sizeof reason);
    while (n < 0 && errno == EINTR);
    (void)close(problem[0]);
    if (n != sizeof reason)
        return STATUS_OK;
    (void)waitpid(*child, NULL, 0);
    if (reason == ENOENT)
        return error_set(err, STATUS_MISSING, "program '%s' not found (looked for from %s)", in->argv[0], e->folder);
    return error_set(err, STATUS_INVALID, "program '%s' could not be started: %s", in->argv[0], strerror(reason));
}

/* Waits for the program. What it left behind and became ours is reaped as it ends: else each would keep its number
 * until the program ends. `used` is of the program and of the children that it waited for itself. */
static status reap_until(pid_t child, int *how, struct rusage *used, error_info *err) {
    pid_t ended = 0;
    while (ended != child) {
        ended = wait4(-1, how, 0, used);
        if (ended < 0 && errno != EINTR)
            return error_set(err, STATUS_IO, "waiting for the program: %s", strerror(errno));
    }
    return STATUS_OK;
}

static status wait_for(pid_t child, program_usage *usage, error_info *err) {
    struct rusage used = {0};
    int how = 0;
    char text[64];
    CHECK(reap_until(child, &how, &used, err));
    usage->cpu_seconds = process_cpu_seconds(&used);
    usage->peak_memory_bytes = (uint64_t)used.ru_maxrss * 1024;
    if (WIFSIGNALED(how))
        return error_set(err, STATUS_INVALID, "the program was ended by %s",
                         process_signal_text(WTERMSIG(how), text, sizeof text));
    if (WEXITSTATUS(how) != 0)
        return error_set(err, STATUS_INVALID, "the program ended with status %d", WEXITSTATUS(how));
    return STATUS_OK;
}

static status refuse_cycle(const pdag *g, const char *const *names, error_info *err) {
    size_t node;
    CHECK(pdag_find_cycle(g, &node, err));
    if (node == pdag_node_count(g))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID,
                     "the program's graph is no DAG and no CPDAG: its directed edges close a cycle through '%s'",
                     names[node]);
}

/* The graph as the kind that was declared, or that the file says, or that it looks like. May take g->graph. */
static status take_as_kind(const learner_variant *v, named_graph *g, learned_graph *out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *as_dag = NULL;
    graph_kind kind = v->returns;
    if (!v->has_returns)
        CHECK(named_graph_kind(g, &kind, err));
    if (kind != GRAPH_SKELETON)
        CHECK(refuse_cycle(g->graph, (const char *const *)g->names, err));
    if (v->has_returns && kind == GRAPH_DAG)
        CHECK(error_at(pdag_to_dag(g->graph, &as_dag, err), err, "the program promised a DAG"));
    out->kind = kind;
    if (kind == GRAPH_SKELETON)
        return pdag_skeleton(g->graph, &out->graph, err);
    out->graph = TAKE(g->graph);
    return STATUS_OK;
}

static status check_graph_file(const char *path, error_info *err) {
    struct stat info;
    if (stat(path, &info) != 0)
        return error_set(err, STATUS_INVALID, "the program ended well but wrote no graph to {graph}");
    if (!S_ISREG(info.st_mode) || info.st_size > MOST_GRAPH_BYTES)
        return error_set(err, STATUS_INVALID, "{graph} is no file, or larger than 1 GiB");
    return STATUS_OK;
}

static status read_graph(const job *j, const dataset *data, const char *path, learned_graph *out, error_info *err) {
    size_t n = dataset_column_count(data);
    AUTO_FREE const char **names = calloc(n, sizeof *names);
    AUTO(named_graph_clear) named_graph g = {0};
    status st;
    CHECK_ALLOC(names);
    for (size_t i = 0; i < n; i++)
        names[i] = dataset_variable(data, i)->name;
    CHECK(check_graph_file(path, err));
    st = graph_read_csv(path, names, n, &g, err);
    if (st != STATUS_OK)
        return error_at(st, err, "the program's graph") == STATUS_MEMORY ? st : STATUS_INVALID;
    return take_as_kind(job_variant(j), &g, out, err);
}

static status read_facts(const char *path, program_facts *out, error_info *err) {
    status st = program_facts_read(path, out, err);
    if (st == STATUS_OK)
        return st;
    return error_at(st, err, "what the program wrote to $BNBENCH_FACTS") == STATUS_MEMORY ? st : STATUS_INVALID;
}

static status judge_disk(const char *scratch, uint64_t used_before, int messages, error_info *err) {
    status st = disk_room_check(scratch, used_before, err);
    if (st == STATUS_INVALID)
        job_tell(messages, JOB_FILLED_DISK, NULL);
    return st;
}

status external_learn(const job *j, const dataset *data, const char *scratch, uint64_t seed, int messages,
                      learned_graph *out, program_usage *usage, error_info *err) {
    AUTO(invocation_clear) invocation in = {0};
    pid_t child = 0;
    double began;
    uint64_t used_before;
    status st = STATUS_OK;
    CHECK(prepare(j, data, scratch, seed, &in, err));
    used_before = disk_room_used(scratch);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1); /* what the program leaves behind becomes ours to end */
    began = run_clock_s();
    CHECK(start(j, &in, &child, &usage->was_in_group, err));
    if (usage->was_in_group)
        job_tell(messages, JOB_IS_IN_GROUP, NULL);
    st = wait_for(child, usage, err);
    usage->wall_seconds = run_clock_s() - began;
    process_end_children();
    if (usage->was_in_group && control_group_lacked_memory(j->group))
        return error_set(err, STATUS_MEMORY, "stopped at its limit of %.0f MiB",
                         (double)plan_experiment(j->plan)->memory_limit_bytes / 1048576);
    CHECK(judge_disk(scratch, used_before, messages, err));
    CHECK(st);
    CHECK(read_facts(in.facts_path, &usage->facts, err));
    return read_graph(j, data, in.graph_path, out, err);
}
