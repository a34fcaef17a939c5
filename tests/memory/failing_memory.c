/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory runs out at the n-th allocation of a command, for n = 1, 2, ...: the command says so and leaves with a
 * failure, frees everything, and changes no result; or it does without and answers as ever. The commands run within
 * this process: the sources of cli/ are compiled into it, with another name for main.
 *
 * The first allocations fail one by one, more of them where calls share a folder and are quick; later ones at growing
 * distances, so that the time stays bounded; with BNB_EVERY_ALLOCATION in the environment all do.
 */
#include "tests/memory/failing_malloc.h"
#include "tests/support/cli_support.h"

#include "build_info.h"
#include "cli/base/command.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <sys/wait.h>

int bnbench_main(int argc, char **argv);

enum { MAX_WORDS = 16 };

typedef struct {
    int leave;
    size_t n_allocations, n_leaks;
    void *failed; /* the caller of the allocation that failed */
    char *out, *errors;
} answer;

static char *read_text(const char *path) {
    char *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    return text;
}

/* Puts "@" in place of the folder of the call. */
static void hide_folder(char *text, const char *folder) {
    for (char *at = text; (at = strstr(at, folder)); at++) {
        *at = '@';
        memmove(at + 1, at + strlen(folder), strlen(at + strlen(folder)) + 1);
    }
}

/* Puts 0 in place of what a clock or a scale measured, of the day, and of the statistics that were computed: what a
 * cache could not keep is computed again. */
static void hide_measured(char *text) {
    static const char *const keys[] = {"seconds\": ", "_bytes\": ", "\"computed\": ", "Night "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (char *at = text; (at = strstr(at, keys[i]));) {
            size_t n;
            at += strlen(keys[i]);
            n = strspn(at, "0123456789.e-TZ");
            if (n == 0)
                continue;
            *at = '0';
            memmove(at + 1, at + n, strlen(at + n) + 1);
        }
    }
}

static void answer_clear(answer *a) {
    free(a->out);
    free(a->errors);
}

/* Sends a stream into a file; returns the descriptor that brings it back. */
static int redirect(FILE *stream, const char *path) {
    int kept = dup(fileno(stream)), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0);
    assert_true(file >= 0);
    (void)fflush(stream);
    (void)dup2(file, fileno(stream));
    (void)close(file);
    return kept;
}

static void bring_back(FILE *stream, int kept) {
    (void)fflush(stream);
    (void)dup2(kept, fileno(stream));
    (void)close(kept);
}

/* The words of a command, of which "@" stands for a scratch folder of this call. */
static answer call_failing(const char *const *words, size_t number, const char *folder) {
    char copies[MAX_WORDS][256], *argv[MAX_WORDS + 1] = {NULL};
    const char *out = in_folder("out"), *errors = in_folder("errors");
    answer a = {0};
    int argc = 0, kept_out, kept_errors;
    for (; words[argc]; argc++) {
        (void)snprintf(copies[argc], sizeof copies[0], "%s%s", *words[argc] == '@' ? folder : "",
                       words[argc] + (*words[argc] == '@'));
        argv[argc] = copies[argc];
    }
    kept_out = redirect(stdout, out);
    kept_errors = redirect(stderr, errors);
    failing_malloc_start(number);
    a.leave = bnbench_main(argc, argv);
    a.n_allocations = failing_malloc_stop();
    a.failed = failing_malloc_caller();
    a.n_leaks = failing_malloc_leaks();
    bring_back(stdout, kept_out);
    bring_back(stderr, kept_errors);
    a.out = read_text(out);
    a.errors = read_text(errors);
    hide_folder(a.out, folder);
    hide_measured(a.out);
    return a;
}

/* A night in which jobs found no memory: their failures are its results. */
static bool tells_fewer_cells(const answer *a) {
    return strncmp(a->out, "Night ", 6) == 0 && strstr(a->out, " of 4 cells done") && !strstr(a->out, "4 of 4");
}

/* What a failure at this allocation must look like. */
static bool is_well_answered(const answer *a, const answer *whole) {
    if (a->n_leaks > 0)
        return false;
    if (tells_fewer_cells(a))
        return true;
    if (a->leave == whole->leave)
        return strcmp(a->out, whole->out) == 0;
    if (a->leave == LEAVE_INCOMPLETE)
        return strstr(a->out, "memory") != NULL; /* the result of a job, which the store keeps */
    return (a->leave == LEAVE_INPUT || a->leave == LEAVE_INTERNAL) && strstr(a->errors, "memory");
}

static size_t next_number(size_t number, bool is_quick) {
    bool is_slow = *BNB_SANITIZERS;
    size_t steps_a_doubling = is_slow ? 7 : 40, one_by_one = is_slow ? 80 : is_quick ? 500 : 150;
    bool is_one_by_one = number < one_by_one || getenv("BNB_EVERY_ALLOCATION");
    return number + 1 + (is_one_by_one ? 0 : number / steps_a_doubling);
}

static const char *the_folder(void) {
    return cli_folder;
}

static text_buffer tried; /* the commands, each between blanks */

/* `make_folder` gives the folder of a call, and what it changed there is its own. `leave` is how the command ends with
 * all its memory. */
static void try_until(int leave, const char *const *words, const char *(*make_folder)(void)) {
    answer warm = call_failing(words, 0, make_folder()), whole = call_failing(words, 0, make_folder());
    size_t n_bad = 0, n_tried = 0;
    print_message("  %s %s: %zu allocations\n", words[1], words[2], whole.n_allocations);
    text_append_format(&tried, " %s ", words[1]);
    if (whole.n_leaks || whole.leave != leave)
        fail_msg("status %d: %s", whole.leave, whole.errors);
    for (size_t i = 1; i <= whole.n_allocations; i = next_number(i, make_folder == the_folder)) {
        answer a = call_failing(words, i, make_folder());
        n_tried++;
        if (!is_well_answered(&a, &whole)) {
            print_error("allocation %zu, by %p: status %d, %zu leaks\n%s%s\n", i, a.failed, a.leave, a.n_leaks, a.out,
                        a.errors);
            n_bad++;
        }
        answer_clear(&a);
    }
    answer_clear(&warm);
    answer_clear(&whole);
    if (n_bad)
        fail_msg("%zu of %zu failures were answered badly", n_bad, n_tried);
}

static void try_every_allocation(const char *const *words, const char *(*make_folder)(void)) {
    try_until(0, words, make_folder);
}

static char data_path[512]; /* 60 rows of asia */

static void make_data(void) {
    (void)snprintf(data_path, sizeof data_path, "%s", in_folder("data.csv"));
    assert_status(0, "sample", "asia", "-n", "60", "-o", data_path, "--quiet");
}

static void learn_says_that_memory_ran_out(void **state) {
    static const char *const learners[] = {"hc", "gts", "ges", "mmhc", "pc-stable", "lagd", "chc", "sgs3", "tpda"};
    (void)state;
    make_data();
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        const char *words[] = {"bnbench", "learn", learners[i], data_path, NULL};
        try_every_allocation(words, the_folder);
    }
}

static void commands_on_one_file_say_that_memory_ran_out(void **state) {
    static const char *const commands[][MAX_WORDS] = {
        {"learn", "hc", "@/data.csv", "--json"},
        {"learn", "mmpc", "@/data.csv", "--network", "asia", "--json"},
        {"score", "bdeu", "asia", "@/data.csv"},
        {"score", "bdeu", "asia", "@/data.csv", "--by-node", "--json"},
        {"test", "g2", "@/data.csv", "asia", "tub", "--given", "smoke"},
        {"compare", "asia", "asia", "--json"},
        {"sample", "asia", "-n", "10"},
        {"fit", "asia", "@/data.csv", "-o", "@/fitted.bif"},
        {"convert", "asia", "-", "--to", "csv"},
        {"tile", "asia", "--copies", "2", "--arcs", "1", "-o", "@/tiled.bif"},
        {"info", "asia"},
        {"info", "mmhc", "--json"},
        {"info", "quickstart"},
        {"info", "heatmap", "--kind", "part", "--json"},
        {"list", "learners"},
        {"stats", "friedman", "@/blocks.csv"},
        {"discretize", "eqfreq", "@/reals.csv"},
        {"convert", "@/words.arff", "@/words.tsv.zst"},
        {"convert", "@/words.tab", "@/words2.arff"},
        {"convert", "@/graph.graphml", "-", "--to", "graphml"},
        {"import", "benchpress", "@/config.json"},
    };
    json_malloc_t library_malloc;
    json_free_t library_free;
    (void)state;
    json_get_alloc_funcs(&library_malloc, &library_free);
    json_set_alloc_funcs(malloc, free); /* those that fail: what is printed as JSON is whole, or nothing */
    make_data();
    (void)write_file("blocks.csv", "net,hc,chc\na,1,2\nb,1,3\nc,2,1\n");
    (void)write_file("reals.csv", "x,y\n0.5,1.5\n0.25,2.5\n0.75,3.5\n1.5,0.5\n2.5,0.75\n3.5,0.125\n");
    (void)write_file("words.arff", "@relation r\n@attribute 'a b' {x,'y z'}\n@attribute c real\n@data\nx,1\n'y z',2\n");
    (void)write_file("words.tab", "a\t\"b\"\nx\t\"1\"\"\"\ny\t2\n");
    (void)write_file("graph.graphml", "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                                      "<edge source=\"a\" target=\"b\"/></graph></graphml>");
    (void)write_file(
        "config.json",
        "{\"benchmark_setup\": [{\"title\": \"small\", \"data\": [{\"graph_id\": \"asia.csv\", \"parameters_id\": "
        "\"asia.rds\", \"data_id\": \"d\", \"seed_range\": [1, 2]}], \"evaluation\": {}}], \"resources\": {\"data\": "
        "{\"iid\": [{\"id\": \"d\", \"n\": [200, 100]}]}, \"structure_learning_algorithms\": {\"bnlearn_hc\": "
        "[{\"id\": \"h\", \"score\": \"bde\", \"iss\": [0.5, 1]}]}}}");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *words[MAX_WORDS] = {"bnbench"};
        for (size_t k = 0; commands[i][k]; k++)
            words[k + 1] = commands[i][k];
        try_every_allocation(words, the_folder);
    }
    json_set_alloc_funcs(library_malloc, library_free);
}

static const char declaration[] = "name: small\nnetworks: [asia]\n"
                                  "data: {samples: [20, 40], replicates: 1, test_samples: 10}\n"
                                  "learners: [hc, empty]\nmetrics: [shd, edges]\n"
                                  "tables: [{id: t, metric: shd, rows: samples, columns: learner}]\n"
                                  "failed_in_paper: [{learner: hc, if: nodes > 1 and samples > 20, text: sec. 5}]\n";

/* A store of its own for every run, or a report would find the results of another. */
static const char *new_folder(void) {
    return scratch_folder();
}

static void run_says_that_memory_ran_out_or_stores_the_failure(void **state) {
    char file[512];
    const char *words[] = {"bnbench", "run", file, "--store", "@/store", "--quiet", NULL};
    (void)state;
    (void)snprintf(file, sizeof file, "%s", write_file("small.yaml", declaration));
    try_every_allocation(words, new_folder);
}

static void readings_that_memory_ran_out_for_are_told(void **state) {
    static const char text[] = "name: small\nnetworks: [asia]\ndata: {samples: 20}\nlearners: [empty]\n"
                               "readings: [{id: r, text: T, change: {learners: {empty: {id: e}}}},\n"
                               "           {id: s, text: T, change: {data.samples: 10}}]\n";
    char file[512];
    const char *words[] = {"bnbench", "info", file, NULL};
    (void)state;
    (void)snprintf(file, sizeof file, "%s", write_file("read.yaml", text));
    try_every_allocation(words, the_folder);
}

static void report_says_that_memory_ran_out(void **state) {
    char store_folder[512];
    const char *words[] = {"bnbench", "report", store_folder, "--out", "@/report", "--format", "html", "--quiet", NULL};
    (void)state;
    (void)snprintf(store_folder, sizeof store_folder, "%s", in_folder("store"));
    assert_status(0, "run", write_file("small.yaml", declaration), "--store", store_folder, "--quiet");
    try_every_allocation(words, new_folder);
}

/* ---- what goes on from a store or a plan folder ---- */

static char plan_path[512], store_path[512]; /* a plan that no worker has begun, and the store of a run */

static void make_run(void) {
    const char *file = write_file("small.yaml", declaration);
    (void)snprintf(store_path, sizeof store_path, "%s", in_folder("store"));
    (void)snprintf(plan_path, sizeof plan_path, "%s", in_folder("plan"));
    assert_status(0, "run", file, "--store", store_path, "--quiet");
    assert_status(0, "plan", file, plan_path);
}

static const char *copy_of(const char *from) {
    const char *folder = scratch_folder();
    assert_int_equal(run_program((const char *[]){"cp", "-r", from, folder, NULL}, NULL, NULL), 0);
    return folder;
}

static const char *folder_with_plan(void) {
    return copy_of(plan_path);
}

static void commands_on_a_store_say_that_memory_ran_out(void **state) {
    static const char *const commands[][MAX_WORDS] = {
        {"status", "@/store"},          {"status", "@/plan"},   {"job", "@/store", "asia/20/1/hc"},
        {"diff", "@/store", "@/store"}, {"explain", "@/store"}, {"explain", "@/store", "t", "20", "hc"},
    };
    (void)state;
    make_run();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *words[MAX_WORDS] = {"bnbench"};
        for (size_t k = 0; commands[i][k]; k++)
            words[k + 1] = commands[i][k];
        try_every_allocation(words, the_folder);
    }
}

static void workers_say_that_memory_ran_out(void **state) {
    char file[512];
    const char *lay[] = {"bnbench", "plan", file, "@/other", NULL}, *work[] = {"bnbench", "work", "@/plan", NULL},
               *collect[] = {"bnbench", "collect", "@/plan", "@/collected", NULL};
    (void)state;
    make_run();
    (void)snprintf(file, sizeof file, "%s", in_folder("small.yaml"));
    try_every_allocation(lay, new_folder);
    try_every_allocation(work, folder_with_plan);
    assert_status(0, "work", plan_path);
    try_every_allocation(collect, folder_with_plan);
}

static void nights_say_that_memory_ran_out(void **state) {
    char file[512];
    const char *words[] = {"bnbench", "nightly", file, "--history", "@/nights", "--quiet", NULL};
    (void)state;
    (void)snprintf(file, sizeof file, "%s", write_file("small.yaml", declaration));
    try_every_allocation(words, new_folder);
}

static void other_commands_say_that_memory_ran_out(void **state) {
    static const struct {
        int leave;
        const char *words[MAX_WORDS];
    } calls[] = {
        {0, {"bnbench", "init", "@/data.csv", "-o", "-"}},
        {0, {"bnbench", "recommend", "@/data.csv", "--time", "200s", "--json"}},
        {0, {"bnbench", "completion", "bash"}},
        {0, {"bnbench", "completion", "words", "--", "learn", "hc", "-O", "sc"}},
        {0, {"bnbench", "man", "learn"}},
        {LEAVE_MISSING, {"bnbench", "networks", "fetch", "nosuch"}},
        {LEAVE_MISSING, {"bnbench", "datasets", "fetch", "nosuch"}},
        {LEAVE_MISSING, {"bnbench", "reproduce", "nosuch", "--stores", "@/stores", "--quiet"}},
    };
    (void)state;
    make_data();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        try_until(calls[i].leave, calls[i].words, the_folder);
}

/* By the list that --help prints. `doctor` is left out: what it has no memory to load it takes for absent. */
static void every_command_was_tried(void **state) {
    const char *line;
    size_t n = 0;
    (void)state;
    assert_status(0, "--help");
    line = strstr(cli_out, "Commands:\n");
    assert_non_null(line);
    while ((line = strchr(line, '\n')) && strncmp(line, "\n  ", 3) == 0) {
        char name[32];
        size_t length = strcspn(line += 3, " ");
        if (length == 0)
            continue; /* the rest of a line that was folded */
        (void)snprintf(name, sizeof name, " %.*s ", (int)length, line);
        n++;
        if (!strstr(tried.data, name) && strcmp(name, " doctor ") != 0)
            fail_msg("no call of the command%s", name);
    }
    print_message("  all of %zu commands\n", n);
    assert_in_range(n, 20, 100);
    text_buffer_clear(&tried);
}

/* ---- libcrypto, which makes what it needs once in a process ---- */

static size_t crypto_failing, n_crypto;

static void *crypto_malloc(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return ++n_crypto == crypto_failing ? NULL : malloc(size);
}

static void *crypto_realloc(void *piece, size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return ++n_crypto == crypto_failing ? NULL : realloc(piece, size);
}

static void crypto_free(void *piece, const char *file, int line) {
    (void)file;
    (void)line;
    free(piece);
}

/* How a process of its own ends that asks for a fingerprint. */
static int sample_in_child(size_t number) {
    int how = 0;
    pid_t child = fork();
    if (child == 0) {
        char words[][12] = {"bnbench", "sample", "asia", "-n", "5", "-o", "/dev/null", "--json", "--quiet"};
        char *argv[10] = {NULL};
        for (size_t i = 0; i < 9; i++)
            argv[i] = words[i];
        crypto_failing = number;
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(98);
        _exit(CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) ? bnbench_main(9, argv) : 99);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    return how;
}

static void libcrypto_starts_or_the_command_says_why_not(void **state) {
    (void)state;
    assert_int_equal(sample_in_child(0), 0);
    for (size_t i = 1; i <= 200; i++) {
        int how = sample_in_child(i);
        if (how != 0 && !(WIFEXITED(how) && WEXITSTATUS(how) == LEAVE_INTERNAL))
            fail_msg("allocation %zu of libcrypto: signal %d, status %d", i, WTERMSIG(how), WEXITSTATUS(how));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libcrypto_starts_or_the_command_says_why_not), /* before this process starts it */
        cli_test(learn_says_that_memory_ran_out),
        cli_test(commands_on_one_file_say_that_memory_ran_out),
        cli_test(run_says_that_memory_ran_out_or_stores_the_failure),
        cli_test(readings_that_memory_ran_out_for_are_told),
        cli_test(report_says_that_memory_ran_out),
        cli_test(commands_on_a_store_say_that_memory_ran_out),
        cli_test(workers_say_that_memory_ran_out),
        cli_test(nights_say_that_memory_ran_out),
        cli_test(other_commands_say_that_memory_ran_out),
        cli_test(every_command_was_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
