/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGKILL at random moments, of the runner, a worker, the collector, the follower, or any process that they started:
 * the results are those of a run that nothing disturbed. BNB_KILLS says how many (12), BNB_SEED which (1).
 */
#include "tests/support/cli_support.h"
#include "tests/support/run_support.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

enum { MOST_WORDS = 20, MOST_PROCESSES = 256, KILLS_OF_A_STORE = 25, N_WORKERS = 2 };

/* The program has children of its own, which may be hit too. */
static const char declared[] = "name: hunted\nseed: 3\nnetworks: [asia]\ndata: {samples: [100, 200], replicates: 8}\n"
                               "learners:\n  - hc\n  - mmhc\n"
                               "  - {id: program, command: [sh, -c, \"sleep 0.03 & wait; "
                               "printf 'from,to,type\\\\nasia,tub,directed\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}\n"
                               "metrics: [shd, bdeu_test]\n";

typedef struct {
    random_stream random;
    size_t wanted, n, by_kind[4];
    const char *file, *whole;
} hunt;

enum { KIND_RUNNER, KIND_WORKER, KIND_COLLECTOR, KIND_FOLLOWER };
static const char *const kind_names[] = {"run", "work", "collect", "run --follow"};

/* In a process group of its own, by which it is found when it has become nobody's child. */
static pid_t begin(const char *const *words) {
    const char *argv[MOST_WORDS] = {"bnbench"};
    pid_t child;
    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = words[i];
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        (void)dup2(null, 1);
        (void)dup2(null, 2);
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)execv(cli_program(), (char *const *)argv);
        _exit(127);
    }
    return child;
}
#define begin_call(...) begin((const char *const[]){__VA_ARGS__, NULL})

/* ---- the processes of a call ---- */

static pid_t parent_of(pid_t id) {
    char path[64], line[512] = "";
    const char *behind;
    FILE *f;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)id);
    f = fopen(path, "r");
    if (f)
        (void)!fgets(line, sizeof line, f);
    if (f)
        (void)fclose(f);
    behind = strrchr(line, ')');
    return behind ? (pid_t)strtol(behind + 4, NULL, 10) : -1;
}

static bool descends(pid_t id, pid_t from) {
    for (int depth = 0; id > 1 && depth < 16; depth++, id = parent_of(id)) {
        if (id == from)
            return true;
    }
    return false;
}

static pid_t any_process(hunt *h, pid_t from) {
    pid_t found[MOST_PROCESSES];
    size_t n = 0;
    DIR *all = opendir("/proc");
    const struct dirent *entry;
    while (all && (entry = readdir(all)) && n < MOST_PROCESSES) {
        pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
        if (id > 0 && descends(id, from))
            found[n++] = id;
    }
    if (all)
        (void)closedir(all);
    return n > 0 ? found[random_below(&h->random, n)] : from;
}

/* ---- killing ---- */

/* Lets the call go on for a random while and kills it, or one of its processes. True where it ended by itself before:
 * its work is done. A learner that is killed is a failure, which runs again when it is asked to. */
static bool hit(hunt *h, pid_t child, int kind, unsigned most_ms) {
    int how = 0;
    pid_t victim;
    (void)usleep((useconds_t)(1000 * random_below(&h->random, most_ms)));
    if (waitpid(child, &how, WNOHANG) == child)
        return true;
    victim = random_below(&h->random, 3) == 0 ? any_process(h, child) : child;
    if (kill(victim, SIGKILL) == 0) {
        h->n++;
        h->by_kind[kind]++;
    }
    if (victim != child) {
        (void)usleep((useconds_t)(1000 * random_below(&h->random, 20)));
        (void)kill(child, SIGKILL);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    return false;
}

static void assert_whole(const hunt *h, const char *place) {
    assert_same_results(h->whole, place);
}

static void hunt_runner(hunt *h) {
    const char *place = new_store();
    size_t until = h->n + KILLS_OF_A_STORE;
    if (until > h->wanted)
        until = h->wanted;
    while (h->n < until &&
           !hit(h, begin_call("run", h->file, "--store", place, "--jobs", "2", "--retry-failed"), KIND_RUNNER, 250))
        ;
    assert_status(0, "run", h->file, "--store", place, "--retry-failed", "--quiet");
    assert_whole(h, place);
}

/* Workers and collectors of a plan, until there is nothing left to do. */
static void hunt_workers(hunt *h) {
    const char *place = new_store(), *jobs = scratch_folder();
    size_t until = h->n + KILLS_OF_A_STORE;
    assert_status(0, "plan", h->file, jobs, "--lease", "5s", "--retries", "1000000");
    while (h->n < until && h->n < h->wanted) {
        pid_t workers[N_WORKERS], collector = begin_call("collect", jobs, place);
        size_t n_done = 0;
        for (size_t i = 0; i < N_WORKERS; i++)
            workers[i] = begin_call("work", jobs);
        (void)hit(h, collector, KIND_COLLECTOR, 60);
        for (size_t i = 0; i < N_WORKERS; i++)
            n_done += hit(h, workers[i], KIND_WORKER, 150);
        if (n_done == N_WORKERS)
            break;
    }
    assert_status(0, "work", jobs); /* waits for the leases of the dead */
    assert_status(0, "plan", h->file, jobs, "--lease", "5s", "--retries", "1000000", "--retry-failed");
    assert_status(0, "work", jobs);
    assert_status(0, "collect", jobs, place);
    assert_text_lacks(cli_out, "queued");
    assert_status(0, "collect", jobs, place);
    assert_text_has(cli_out, "0 results added");
    assert_whole(h, place);
}

/* A follower, whose workers outlive it. */
static void hunt_follower(hunt *h) {
    static const char submit[] = "sh -c '\"$1\" >/dev/null 2>&1 & \"$1\" >/dev/null 2>&1 &' sh {script}";
    const char *place = new_store();
    size_t until = h->n + KILLS_OF_A_STORE / 5;
#define FOLLOW                                                                                                         \
    "run", h->file, "--store", place, "--engine", "command", "--submit", submit, "--tasks", "2", "--lease", "5s",      \
        "--retries", "1000000", "--follow", "--retry-failed"
    while (h->n < until && h->n < h->wanted && !hit(h, begin_call(FOLLOW), KIND_FOLLOWER, 400))
        ;
    assert_status(0, FOLLOW);
#undef FOLLOW
    assert_whole(h, place);
}

static size_t number_of(const char *setting, size_t usual) {
    const char *text = getenv(setting);
    int64_t n;
    return text && text_to_int(text, &n) && n > 0 ? (size_t)n : usual;
}

static void kills_at_random_moments_lose_no_result_and_double_none(void **state) {
    hunt h = {.wanted = number_of("BNB_KILLS", 12)};
    size_t seed = number_of("BNB_SEED", 1);
    (void)state;
    random_stream_init(&h.random, random_key_of(seed));
    h.file = write_file("hunted.yaml", declared);
    h.whole = in_folder("whole");
    assert_status(0, "run", h.file, "--store", h.whole, "--quiet");
    for (int turn = 0; h.n < h.wanted; turn++) {
        if (turn % 3 == 0)
            hunt_runner(&h);
        else if (turn % 3 == 1)
            hunt_workers(&h);
        else
            hunt_follower(&h);
    }
    for (size_t i = 0; i < 4; i++)
        print_message("%zu kills under '%s'\n", h.by_kind[i], kind_names[i]);
    print_message("%zu kills in all, seed %zu\n", h.n, seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cli_test(kills_at_random_moments_lose_no_result_and_double_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
