/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench doctor: what works on this computer, what does not, and how that is mended. */
#include "build_info.h"
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/file.h"
#include "core/counting/counts.h"
#include "core/run/processors.h"
#include "core/run/run_context.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "generators/catalogue/transfer.h"
#include "generators/networks/xml_tree.h"
#include "runner/declare/shipped_experiments.h"
#include "runner/job/program_variables.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

#define MOST_ANSWER_S 10.0

typedef enum { FOUND_WELL, FOUND_ABSENT, FOUND_BROKEN } finding;

/* A thing to look at. Only what bnbench itself needs can be broken. */
typedef struct check {
    const char *name;
    finding (*look)(const struct check *k, text_buffer *out);
    const char *const *program; /* of look_program: a program and its words, which ends with 0 where all is there */
    const char *mend;
    status (*find)(const char **library, error_info *err); /* of look_library: whether it can be loaded */
} check;

/* ---- programs ---- */

static bool wait_for(pid_t child, double until_s, int *how) {
    const struct timespec pause = {.tv_nsec = 5000000};
    while (waitpid(child, how, WNOHANG) != child) {
        if (run_clock_s() > until_s) {
            (void)kill(-child, SIGKILL);
            (void)waitpid(child, how, 0);
            return false;
        }
        (void)nanosleep(&pause, NULL);
    }
    return true;
}

/* What programs of a run get, and where they may put what they do not keep; of this process's own texts. */
static char **small_environment(void) {
    size_t room = 0, n = 0;
    char **kept;
    while (environ[room])
        room++;
    kept = calloc(room + 1, sizeof *kept);
    for (char **at = environ; kept && *at; at++) {
        if (program_gets_variable(*at) || strncmp(*at, "TMPDIR=", 7) == 0)
            kept[n++] = *at;
    }
    return kept;
}

/* What it says goes to `answer`, and it has no other open file. False where it cannot be started. */
static bool start(const char *const *words, int answer, pid_t *child) {
    AUTO_FREE char **environment = small_environment();
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int why;
    if (!environment)
        return false;
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    (void)posix_spawn_file_actions_adddup2(&files, answer, STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&files, answer, STDERR_FILENO);
    (void)posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    why = posix_spawnp(child, words[0], &files, &attributes, (char *const *)words, environment);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return why == 0;
}

/* The first line of what it wrote. */
static void append_first_line(int answer, text_buffer *out) {
    char line[121];
    ssize_t n = pread(answer, line, sizeof line - 1, 0);
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    }
    text_append(out, *line ? line : "there");
}

static finding look_program(const check *k, text_buffer *out) {
    int answer = memfd_create("answer", MFD_CLOEXEC), how = 0;
    pid_t child = 0;
    bool ended, well;
    if (answer < 0 || !start(k->program, answer, &child)) {
        if (answer >= 0)
            (void)close(answer);
        text_append_format(out, "no program '%s'", k->program[0]);
        return FOUND_ABSENT;
    }
    ended = wait_for(child, run_clock_s() + MOST_ANSWER_S, &how);
    well = ended && WIFEXITED(how) && WEXITSTATUS(how) == 0;
    if (well)
        append_first_line(answer, out);
    else
        text_append_format(out,
                           !ended          ? "'%s' gave no answer"
                           : k->program[2] ? "'%s' does not have it"
                                           : "'%s' ends with an error",
                           k->program[0]);
    (void)close(answer);
    return well ? FOUND_WELL : FOUND_ABSENT;
}

/* As Java looks for it, which takes CLASSPATH. */
static finding look_tetrad(const check *k, text_buffer *out) {
    finding f = look_program(k, out);
    if (f != FOUND_WELL)
        return f;
    text_buffer_clear(out);
    text_append(out, "in CLASSPATH");
    return f;
}

/* ---- the computer ---- */

static finding look_version(const check *k, text_buffer *out) {
    (void)k;
    text_append_format(out, "%s, commit %s, %s, %s", BNB_VERSION, BNB_COMMIT, BNB_COMPILER, BNB_BUILD_TYPE);
    return FOUND_WELL;
}

static finding look_processors(const check *k, text_buffer *out) {
    double quota = processors_quota();
    (void)k;
    text_append_format(out, "%zu", processors_count());
    if (quota < (double)processors_count())
        text_append_format(out, ", of which a control group lets %g be busy", quota);
    text_append_format(out, ", counting by %s", counts_simd_level());
    return FOUND_WELL;
}

static finding look_memory(const check *k, text_buffer *out) {
    double pages = (double)sysconf(_SC_PHYS_PAGES), free_pages = (double)sysconf(_SC_AVPHYS_PAGES);
    double gib = (double)sysconf(_SC_PAGESIZE) / (double)(1 << 30);
    (void)k;
    text_append_format(out, "%.1f GiB, %.1f unused", pages * gib, free_pages * gib);
    return FOUND_WELL;
}

static finding look_groups(const check *k, text_buffer *out) {
    bool is_there = access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0 ||
                    access("/sys/fs/cgroup/unified/cgroup.controllers", R_OK) == 0;
    (void)k;
    text_append(out, is_there ? "cgroup v2 is mounted" : "no cgroup v2; a program that detaches itself is not held");
    return is_there ? FOUND_WELL : FOUND_ABSENT;
}

/* ---- libraries that are loaded where they are asked for ---- */

static finding look_library(const check *k, text_buffer *out) {
    const char *library;
    error_info err = {0};
    bool is_found = k->find(&library, &err) == STATUS_OK;
    text_append(out, is_found ? library : err.message);
    return is_found ? FOUND_WELL : FOUND_ABSENT;
}

/* ---- what ships ---- */

static finding look_networks(const check *k, text_buffer *out) {
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    error_info err = {0};
    size_t n = 0;
    (void)k;
    for (size_t i = 0; i < catalogue_count(); i++)
        n += input_is_available(catalogue_at(i)->name);
    text_append_format(out, "%zu of the %zu of the catalogue", n, catalogue_count());
    if (catalogue_load("asia", &net, &err) == STATUS_OK)
        return FOUND_WELL;
    text_append_format(out, "; asia, which ships: %s", err.message);
    return FOUND_BROKEN;
}

static finding look_datasets(const check *k, text_buffer *out) {
    size_t n = 0;
    (void)k;
    for (size_t i = 0; i < dataset_catalogue_count(); i++)
        n += input_data_is_here(dataset_catalogue_at(i)->name);
    text_append_format(out, "%zu of the %zu of the catalogue", n, dataset_catalogue_count());
    return n == dataset_catalogue_count() ? FOUND_WELL : FOUND_ABSENT;
}

static finding look_experiments(const check *k, text_buffer *out) {
    char **names = NULL;
    size_t n = 0;
    error_info err = {0};
    status st = shipped_experiment_names(&names, &n, &err);
    (void)k;
    texts_destroy(names, n);
    if (st != STATUS_OK)
        text_append(out, err.message);
    else
        text_append_format(out, "%zu that ship", n);
    return st == STATUS_OK && n > 0 ? FOUND_WELL : FOUND_BROKEN;
}

/* A folder that is not there yet can be made if its first parent that is there may be written to. */
static finding look_cache(const check *k, text_buffer *out) {
    AUTO_FREE char *folder = catalogue_cache_folder(), *near = folder ? text_copy(folder) : NULL;
    bool may;
    (void)k;
    while (near && access(near, F_OK) != 0 && errno == ENOENT && strrchr(near, '/') > near)
        *strrchr(near, '/') = '\0';
    may = near && access(near, W_OK | X_OK) == 0;
    text_append_format(out, "%s%s", folder ? folder : "none", may ? "" : " cannot be written to");
    return may ? FOUND_WELL : FOUND_BROKEN;
}

/* ---- the table ---- */

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PYTHON(package) WORDS("python3", "-c", "import importlib.metadata as m; print(m.version('" package "'))")
#define R(package) WORDS("Rscript", "--vanilla", "-e", "cat(as.character(packageVersion('" package "')))")

static const check checks[] = {
    {"bnbench", look_version, NULL, ""},
    {"processors", look_processors, NULL, ""},
    {"memory", look_memory, NULL, ""},
    {"networks", look_networks, NULL, "install bnbench whole, or name their folder in BNBENCH_NETWORKS"},
    {"experiments", look_experiments, NULL, "install bnbench whole: experiments/ belongs to it"},
    {"cache", look_cache, NULL, "name a folder of yours in BNBENCH_CACHE"},
    {"data sets", look_datasets, NULL, "'bnbench datasets fetch NAME', or name their folder in BNBENCH_DATASETS"},
    {"control groups", look_groups, NULL, "mount cgroup v2, as systemd does"},
    {"libcurl", look_library, NULL, "for 'fetch': Debian's libcurl4", transfer_find_library},
    {"libxml2", look_library, NULL, "for networks in XML: Debian's libxml2", xml_tree_find_library},
    {"gnuplot", look_program, WORDS("gnuplot", "--version"), "for plots: Debian's gnuplot-nox"},
    {"Graphviz", look_program, WORDS("dot", "-V"), "for drawings of graphs: Debian's graphviz"},
    {"Slurm", look_program, WORDS("sbatch", "--version"), "for --engine slurm: on a cluster"},
    {"PBS", look_program, WORDS("qsub", "--version"), "for --engine command: on a cluster"},
    {"GNU parallel", look_program, WORDS("parallel", "--version"), "for --engine command: Debian's parallel"},
    /* NOLINTBEGIN(bugprone-suspicious-missing-comma): a script for R is made of pieces */
    {"bnlearn", look_program, R("bnlearn"), "in R: install.packages(\"bnlearn\")"},
    {"pcalg", look_program, R("pcalg"), "in R: install.packages(\"BiocManager\"); BiocManager::install(\"pcalg\")"},
    /* NOLINTEND(bugprone-suspicious-missing-comma) */
    {"Tetrad", look_tetrad, WORDS("javap", "-public", "edu.cmu.tetrad.util.Version"),
     "docs/peers.md tells which jars CLASSPATH names"},
    {"causal-learn", look_program, PYTHON("causal-learn"), "pip install causal-learn"},
    {"pgmpy", look_program, PYTHON("pgmpy"), "pip install pgmpy"},
    {"pyAgrum", look_program, PYTHON("pyagrum"), "pip install pyagrum"},
    {"FLOP", look_program, PYTHON("flopsearch"), "pip install flopsearch"},
};

static status report(cli *c, const check *k, error_info *err) {
    static const char *const words[] = {"ok", "absent", "BROKEN"};
    AUTO(text_buffer_clear) text_buffer said = {0};
    finding f = k->look(k, &said);
    const char *mend = f == FOUND_WELL ? "" : k->mend;
    CHECK(text_buffer_check(&said, err));
    if (f == FOUND_BROKEN)
        c->exit_status = LEAVE_NO;
    if (c->json)
        return json_add(c->answer,
                        json_object_of({"check", json_of_text(k->name)}, {"state", json_of_text(words[f])},
                                       {"found", json_of_text(said.data)}, {"mend", json_of_text(mend)}),
                        err);
    text_append_format(&c->out, "%-8s%-16s%s%s%s\n", words[f], k->name, said.data, *mend ? ": " : "", mend);
    return text_buffer_check(&c->out, err);
}

static status run(cli *c, error_info *err) {
    if (c->json)
        CHECK_ALLOC(c->answer = json_array());
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        CHECK(report(c, &checks[i], err));
    return STATUS_OK;
}

const command command_doctor = {
    .run = run,
    .is_for_people = true,
    .syntax = {.name = "doctor",
               .words = "",
               .summary = "what works on this computer, and how the rest is mended",
               .details =
                   "A line a check: 'ok', 'absent' for what bnbench can do without, 'BROKEN' for what it needs.\n"
                   "The last ones are programs for which contrib/adapters/ has a script (docs/peers.md).\n"
                   "Exit status 1: something that bnbench itself needs is not there.",
               .examples = "  bnbench doctor\n"
                           "  bnbench doctor --json",
               .least_words = 0,
               .most_words = 0},
};
