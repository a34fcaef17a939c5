/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "build_info.h"
#include "core/base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void assert_close_at(double a, double b, double relative, const char *file, int line) {
    double size = fmax(1, fmax(fabs(a), fabs(b)));
    if (a == b || fabs(a - b) <= relative * size)
        return;
    print_error("%.17g is not %.17g (difference %.3g)\n", a, b, a - b);
    _fail(file, line);
}

void assert_that_at(bool is_so, double a, double b, const char *what, const char *file, int line) {
    if (is_so)
        return;
    print_error("not %s: %.17g and %.17g\n", what, a, b);
    _fail(file, line);
}

void assert_between_at(double value, double low, double high, const char *what, const char *file, int line) {
    if (value >= low && value <= high)
        return;
    print_error("%s is %.17g, expected %.17g to %.17g\n", what, value, low, high);
    _fail(file, line);
}

size_t rounds_here(size_t n) {
    return *BNB_SANITIZERS ? (n + 2) / 3 : n;
}

void assert_ok_at(status st, const error_info *err, const char *call, const char *file, int line) {
    if (st == STATUS_OK)
        return;
    print_error("%s: %s\n", call, err->message);
    _fail(file, line);
}

void assert_message_has(const error_info *err, const char *words) {
    if (!strstr(err->message, words))
        fail_msg("the message '%s' does not hold '%s'", err->message, words);
}

static const char *below(const char *root, const char *relative) {
    static char paths[8][4096]; /* the last eight stay valid */
    static int turn;
    char *path = paths[turn++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", root, relative);
    return path;
}

const char *source_path(const char *relative) {
    const char *root = getenv("BNB_SOURCE");
    return below(root ? root : ".", relative);
}

const char *shared_path(const char *relative) {
    char root[2048];
    struct stat info;
    (void)snprintf(root, sizeof root, "%s", source_path("../shared"));
    return stat(root, &info) == 0 ? below(root, relative) : NULL;
}

const char *golden_path(const char *relative) {
    static const char *const layouts[] = {"tests/golden/%s", "tests/golden/%s.gz", "../shared/golden/%s"};
    char name[512];
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        (void)snprintf(name, sizeof name, layouts[i], relative);
        if (access(source_path(name), R_OK) == 0)
            return source_path(name);
    }
    return NULL;
}

const char *published_source(const char *file) {
    char relative[300];
    struct stat info;
    (void)snprintf(relative, sizeof relative, "results/published/%.*s/%s", (int)strcspn(file, "_"), file, file);
    if (stat(source_path(relative), &info) != 0)
        (void)snprintf(relative, sizeof relative, "results/published/%s", file);
    return source_path(relative);
}

/* One folder a test program, removed when it ends; BNB_KEEP_SCRATCH keeps it for a look. What it starts has its
 * temporary folders there too: a run that a test kills, and whose store it removes, would leave them for ever. */
static char scratch_root[256];
static pid_t scratch_owner;

static void remove_scratch_root(void) {
    if (getpid() == scratch_owner && !getenv("BNB_KEEP_SCRATCH"))
        folder_remove(scratch_root);
}

static void make_scratch_root(void) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(scratch_root, sizeof scratch_root, "%.200s/bnbench-test-XXXXXX",
                   folder && *folder ? folder : "/tmp");
    if (!mkdtemp(scratch_root))
        fail_msg("no scratch folder: %s", strerror(errno));
    scratch_owner = getpid();
    (void)setenv("TMPDIR", scratch_root, 1);
    (void)atexit(remove_scratch_root);
}

const char *scratch_folder(void) {
    static char folders[8][320];
    static int turn;
    char *folder = folders[turn % 8];
    if (!*scratch_root)
        make_scratch_root();
    (void)snprintf(folder, sizeof folders[0], "%s/%d", scratch_root, turn++);
    if (mkdir(folder, 0700) != 0)
        fail_msg("no scratch folder: %s", strerror(errno));
    return folder;
}

dataset *make_dataset(size_t n_rows, size_t n_columns, const size_t *n_states, const int *cells) {
    static const char *const digits[] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",
                                         "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
                                         "20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
                                         "30", "31", "32", "33", "34", "35", "36", "37", "38", "39"};
    variable *variables = calloc(n_columns, sizeof *variables);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, c < 26 ? "%c" : "%c%zu", (char)('A' + c % 26), c / 26);
        assert_ok(variable_init_discrete(&variables[c], name, digits, n_states[c], &err), &err);
    }
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    for (size_t i = 0; i < n_rows * n_columns; i++)
        dataset_set_state(data, i / n_columns, i % n_columns, (size_t)cells[i]);
    variables_destroy(variables, n_columns);
    return data;
}

dataset *draw_dataset(random_stream *random, size_t n_rows, size_t n_columns, const size_t *n_states,
                      void (*draw)(random_stream *random, const void *how, int *row), const void *how) {
    int *cells = calloc(n_rows * n_columns, sizeof *cells);
    dataset *data;
    assert_non_null(cells);
    for (size_t i = 0; i < n_rows; i++)
        draw(random, how, cells + i * n_columns);
    data = make_dataset(n_rows, n_columns, n_states, cells);
    free(cells);
    return data;
}

dataset *make_random_dataset(random_stream *random, size_t n_rows, size_t n_columns, size_t max_states) {
    size_t *n_states = calloc(n_columns, sizeof *n_states);
    int *cells = calloc(n_rows * n_columns, sizeof *cells);
    dataset *data;
    for (size_t c = 0; c < n_columns; c++)
        n_states[c] = 1 + (size_t)random_below(random, max_states);
    for (size_t i = 0; i < n_rows * n_columns; i++) {
        size_t c = i % n_columns;
        bool copies = c > 0 && random_uniform(random) < 0.6;
        cells[i] = (int)((copies ? (uint64_t)cells[i - 1] : random_next(random) >> 8) % n_states[c]);
    }
    data = make_dataset(n_rows, n_columns, n_states, cells);
    free(n_states);
    free(cells);
    return data;
}

dag *make_random_dag(random_stream *random, size_t n_nodes, double probability) {
    size_t *order = calloc(n_nodes, sizeof *order);
    dag *g = NULL;
    error_info err = {0};
    random_permutation(random, order, n_nodes);
    assert_ok(dag_create(n_nodes, &g, &err), &err);
    for (size_t i = 0; i < n_nodes; i++) {
        for (size_t j = i + 1; j < n_nodes; j++) {
            if (random_uniform(random) < probability)
                assert_ok(dag_add_arc(g, order[i], order[j], &err), &err);
        }
    }
    free(order);
    return g;
}

dataset *make_eight_rows(void) {
    static const size_t n_states[] = {2, 2, 3};
    static const int cells[] = {0, 0, 0, 0, 0, 1, 0, 1, 2, 0, 0, 0, 1, 1, 1, 1, 1, 2, 1, 0, 2, 1, 1, 1};
    return make_dataset(8, 3, n_states, cells);
}

dataset *make_forty_rows(void) {
    static const size_t n_states[] = {2, 2, 2};
    static const int counts[] = {10, 3, 2, 5, 4, 2, 3, 11}; /* 000 001 010 011 100 101 110 111 */
    int cells[120];
    size_t at = 0;
    for (int i = 0; i < 8; i++) {
        for (int m = 0; m < counts[i]; m++) {
            cells[at++] = i >> 2;
            cells[at++] = i >> 1 & 1;
            cells[at++] = i & 1;
        }
    }
    return make_dataset(40, 3, n_states, cells);
}

static char *read_file_back(int fd) {
    off_t length = lseek(fd, 0, SEEK_END);
    char *text = calloc(1, (size_t)length + 1);
    if (pread(fd, text, (size_t)length, 0) != length)
        fail_msg("a program's output could not be read back");
    return text;
}

int run_program(const char *const *argv, char **out, char **errors) {
    char out_name[] = "/tmp/bnbench-out-XXXXXX", err_name[] = "/tmp/bnbench-err-XXXXXX";
    int out_fd = mkstemp(out_name), err_fd = mkstemp(err_name), wait_status = 0;
    pid_t child;
    (void)unlink(out_name);
    (void)unlink(err_name);
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDONLY);
        (void)dup2(null, 0);
        (void)dup2(out_fd, 1);
        (void)dup2(err_fd, 2);
        (void)execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    (void)waitpid(child, &wait_status, 0);
    if (out)
        *out = read_file_back(out_fd);
    if (errors)
        *errors = read_file_back(err_fd);
    (void)close(out_fd);
    (void)close(err_fd);
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}
