/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library from outside: what it gives is what the program gives, bit for bit. */
#include "library/bnbench.h"
#include "tests/library/every_call.h"
#include "tests/support/cli_support.h"

#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#define assert_fine(call)                                                                                              \
    do {                                                                                                               \
        if ((call) != BNB_OK)                                                                                          \
            fail_msg("%s: %s", #call, error.message);                                                                  \
    } while (0)

static bnb_data *sample_of(const char *name, size_t n_rows, double sigma) {
    bnb_error error = {0};
    bnb_network *net = NULL;
    bnb_data *data = NULL;
    assert_fine(bnb_network_load(name, &net, &error));
    assert_fine(bnb_sample(net, n_rows, 7, sigma, &data, &error));
    bnb_network_free(net);
    return data;
}

/* ---- learners ---- */

/* The graph as the program prints it, behind the line that says what it is. */
static const char *graph_of(const char *text) {
    const char *end = strchr(text, '\n');
    return strncmp(text, "# kind", 6) == 0 && end ? end + 1 : text;
}

static void check_learner(const char *name, const bnb_data *data, const char *file) {
    bnb_error error = {0};
    bnb_result *result = NULL;
    bnb_facts facts;
    char *graph = NULL;
    json_t *answer;
    if (bnb_learn(name, NULL, data, NULL, &result, &error) == BNB_INVALID) {
        assert_int_not_equal(0, cli_call("learn", name, file));
        assert_text_has(cli_errors, error.message);
        return;
    }
    assert_non_null(result);
    facts = bnb_result_facts(result);
    assert_fine(bnb_graph_text(bnb_result_graph(result), "csv", &graph, &error));
    assert_status(0, "learn", name, file, "-q");
    assert_string_equal(graph_of(graph), graph_of(cli_out));
    assert_status(0, "learn", name, file, "--json");
    answer = parse_answer();
    assert_int_equal(facts.requests, (uint64_t)number_at(json_object_get(answer, "statistics"), "requests"));
    assert_int_equal(facts.computed, (uint64_t)number_at(json_object_get(answer, "statistics"), "computed"));
    assert_int_equal(facts.skipped, (uint64_t)number_at(json_object_get(answer, "statistics"), "skipped"));
    if (facts.score_name)
        assert_true(facts.score == number_at(json_object_get(answer, "score"), "value"));
    json_decref(answer);
    bnb_text_free(graph);
    bnb_result_free(result);
}

static void every_learner_gives_what_the_command_gives(void **state) {
    bnb_error error = {0};
    (void)state;
    for (int is_continuous = 0; is_continuous < 2; is_continuous++) {
        bnb_data *data = sample_of("asia", 300, is_continuous ? 0.35 : 0);
        const char *file = in_folder(is_continuous ? "noisy.csv" : "asia.csv");
        size_t i = 0;
        assert_fine(bnb_data_write(data, file, &error));
        for (const char *name; (name = bnb_name(BNB_LEARNERS, i)); i++)
            check_learner(name, data, file);
        assert_that(i, >, 20);
        bnb_data_free(data);
    }
}

static void a_sample_is_that_of_the_command(void **state) {
    bnb_error error = {0};
    char fingerprint[65];
    bnb_data *data = sample_of("asia", 200, 0.35);
    json_t *answer;
    (void)state;
    assert_fine(bnb_data_fingerprint(data, fingerprint, &error));
    assert_status(0, "sample", "asia", "-n", "200", "--seed", "7", "--continuize", "sigma=0.35", "-o",
                  in_folder("a.csv"), "--json");
    answer = parse_answer();
    assert_string_equal(fingerprint, text_at(answer, "fingerprint"));
    json_decref(answer);
    bnb_data_free(data);
}

/* ---- data ---- */

/* Two columns that lie in rows of a struct, and one by itself. */
static void columns_of_any_type_and_stride_are_copied(void **state) {
    struct {
        int64_t a;
        float x;
    } rows[] = {{0, 0.5F}, {2, -1.25F}, {1, 8}};
    uint8_t b[] = {1, 0, 1};
    static const char *const words[] = {"no", "yes"};
    bnb_column columns[] = {
        {.name = "A", .n_states = 3, .values = &rows[0].a, .type = BNB_INT64, .stride = sizeof rows[0]},
        {.name = "X", .values = &rows[0].x, .type = BNB_FLOAT32, .stride = sizeof rows[0]},
        {.name = "B", .n_states = 2, .states = words, .values = b, .type = BNB_UINT8}};
    bnb_error error = {0};
    bnb_data *data = NULL;
    uint16_t states[3];
    double values[3];
    (void)state;
    assert_fine(bnb_data_create(columns, 3, 3, &data, &error));
    assert_fine(bnb_data_states(data, 0, states, &error));
    assert_fine(bnb_data_values(data, 1, values, &error));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(states[i], rows[i].a);
        assert_true(values[i] == (double)rows[i].x);
    }
    assert_string_equal("2", bnb_data_state_name(data, 0, 2));
    assert_string_equal("yes", bnb_data_state_name(data, 2, 1));
    assert_null(bnb_data_state_name(data, 2, 2));
    assert_null(bnb_data_column_name(data, 3));
    assert_int_equal(BNB_INVALID, bnb_data_states(data, 1, states, &error));
    assert_text_has(error.message, "'X' is continuous");
    bnb_data_free(data);
}

static void data_that_cannot_be_are_refused(void **state) {
    uint8_t values[] = {0, 1, 2};
    double reals[] = {0, NAN, 1};
    bnb_column states = {.name = "A", .n_states = 2, .values = values, .type = BNB_UINT8},
               real = {.name = "A", .values = reals, .type = BNB_FLOAT64},
               odd = {.name = "A", .values = values, .type = BNB_UINT8}, twice[2];
    bnb_error error = {0};
    bnb_data *data = NULL;
    (void)state;
    assert_int_equal(BNB_INVALID, bnb_data_create(&states, 1, 3, &data, &error));
    assert_string_equal("column 'A', row 3: 2 is no state; they are 0 to 1", error.message);
    assert_int_equal(BNB_INVALID, bnb_data_create(&real, 1, 3, &data, &error));
    assert_text_has(error.message, "row 2");
    assert_int_equal(BNB_INVALID, bnb_data_create(&odd, 1, 3, &data, &error));
    assert_text_has(error.message, "float type");
    twice[0] = twice[1] = states;
    assert_int_equal(BNB_INVALID, bnb_data_create(twice, 2, 2, &data, &error));
    assert_text_has(error.message, "two columns");
    assert_int_equal(BNB_INVALID, bnb_data_create(&states, 0, 2, &data, &error));
    assert_int_equal(BNB_INVALID, bnb_data_create(&states, 1, 0, &data, NULL));
    assert_null(data);
}

/* ---- scores, tests, parameters, graphs ---- */

static void measures_are_those_of_the_commands(void **state) {
    static const char *const ess[] = {"ess=10", NULL};
    bnb_error error = {0};
    bnb_network *net = NULL, *fitted = NULL;
    bnb_graph *truth = NULL;
    bnb_data *data = sample_of("asia", 500, 0);
    bnb_test_result result;
    double total = 0, by_node[8], sum = 0;
    size_t n_entries, given = 2;
    const double *table;
    const char *file = in_folder("asia.csv");
    char *text = NULL;
    json_t *answer;
    (void)state;
    assert_fine(bnb_data_write(data, file, &error));
    assert_fine(bnb_network_load("asia", &net, &error));
    assert_fine(bnb_network_graph(net, &truth, &error));

    assert_fine(bnb_score("bdeu", ess, data, truth, &total, by_node, &error));
    assert_status(0, "score", "bdeu", "asia", file, "-O", "ess=10", "--json");
    answer = parse_answer();
    assert_true(total == number_at(answer, "value"));
    json_decref(answer);
    for (size_t i = 0; i < 8; i++)
        sum += by_node[i];
    assert_close(sum, total, 1e-12);

    assert_fine(bnb_test("g2", NULL, data, 0, 1, &given, 1, &result, &error));
    assert_status(0, "test", "g2", file, bnb_data_column_name(data, 0), bnb_data_column_name(data, 1), "--given",
                  bnb_data_column_name(data, 2), "--json");
    answer = parse_answer();
    assert_true(result.statistic == number_at(answer, "statistic"));
    assert_true(result.p_value == number_at(answer, "p_value"));
    json_decref(answer);
    assert_int_equal(BNB_INVALID, bnb_test("g2", NULL, data, 0, 2, &given, 1, &result, &error));
    assert_text_has(error.message, "named twice");

    assert_fine(bnb_fit(truth, data, ess, "fitted", &fitted, &error));
    assert_fine(bnb_network_text(fitted, "bif", &text, &error));
    assert_status(0, "fit", "asia", file, "-O", "ess=10", "-o", in_folder("fitted.bif"));
    bnb_network_free(net);
    assert_fine(bnb_network_load(in_folder("fitted.bif"), &net, &error));
    for (size_t node = 0; node < 8; node++) {
        size_t n_other;
        const double *other = bnb_network_table(net, node, &n_other);
        table = bnb_network_table(fitted, node, &n_entries);
        assert_int_equal(n_entries, n_other);
        assert_memory_equal(table, other, n_entries * sizeof *table);
    }
    bnb_text_free(text);
    bnb_network_free(fitted);
    bnb_network_free(net);
    bnb_graph_free(truth);
    bnb_data_free(data);
}

static void a_graph_without_names_is_placed_as_the_command_does(void **state) {
    bnb_error error = {0};
    bnb_graph *graph = NULL;
    bnb_data *data = sample_of("asia", 100, 0);
    double total = 0;
    const char *rows = in_folder("rows.csv"),
               *matrix = write_file("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n8 8 2\n1 2\n3 2\n");
    json_t *answer;
    (void)state;
    assert_fine(bnb_data_write(data, rows, &error));
    assert_fine(bnb_graph_read(matrix, &graph, &error));
    assert_fine(bnb_score("bic", NULL, data, graph, &total, NULL, &error));
    assert_status(0, "score", "bic", matrix, rows, "--json");
    answer = parse_answer();
    assert_true(total == number_at(answer, "value"));
    json_decref(answer);
    bnb_graph_free(graph);
    bnb_data_free(data);
}

static void graphs_are_made_compared_and_completed(void **state) {
    static const char *const names[] = {"A", "B", "C"}, *const turned[] = {"C", "A", "B"};
    static const bnb_edge chain[] = {{0, 1, 1}, {1, 2, 1}}, collider[] = {{1, 2, 1}, {0, 2, 1}}, /* A -> B <- C */
        circle[] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
    bnb_error error = {0};
    bnb_graph *truth = NULL, *learned = NULL, *completed = NULL, *none = NULL;
    bnb_distance d;
    bnb_edge edges[2];
    (void)state;
    assert_fine(bnb_graph_create(names, 3, chain, 2, BNB_DAG, &truth, &error));
    assert_fine(bnb_graph_create(turned, 3, collider, 2, BNB_DAG, &learned, &error));
    assert_fine(bnb_compare(learned, truth, &d, &error));
    assert_int_equal(0, d.shd_skeleton);
    assert_int_equal(2, d.misoriented); /* the chain's CPDAG has no direction, the collider's has both */
    assert_fine(bnb_graph_cpdag(truth, &completed, &error));
    bnb_graph_edges(completed, edges);
    assert_int_equal(BNB_CPDAG, bnb_graph_kind_of(completed));
    assert_false(edges[0].is_directed || edges[1].is_directed);
    assert_int_equal(BNB_INVALID, bnb_graph_create(names, 3, circle, 3, BNB_DAG, &none, &error));
    assert_int_equal(BNB_INVALID, bnb_graph_create(names, 3, chain, 2, BNB_SKELETON, &none, &error));
    assert_null(none);
    bnb_graph_free(truth);
    bnb_graph_free(learned);
    bnb_graph_free(completed);
}

/* ---- errors ---- */

static void a_wrong_name_is_said_with_the_right_one(void **state) {
    static const char *const wrong[] = {"ess=many", NULL};
    bnb_error error = {0};
    bnb_data *data = sample_of("asia", 50, 0);
    bnb_result *result = NULL;
    bnb_network *net = NULL;
    (void)state;
    assert_int_equal(BNB_INVALID, bnb_learn("hv", NULL, data, NULL, &result, &error));
    assert_text_has(error.message, "did you mean 'hc'");
    assert_int_equal(BNB_INVALID, bnb_learn("hc", wrong, data, NULL, &result, &error));
    assert_int_equal(BNB_INVALID, error.status);
    assert_int_equal(BNB_MISSING, bnb_network_load("alarn", &net, &error));
    assert_int_equal(BNB_PARSE, bnb_network_parse("network x {", 11, "bif", &net, &error));
    assert_string_equal("parse", bnb_status_name(error.status));
    assert_null(result);
    assert_null(net);
    bnb_data_free(data);
}

static void everything_there_is_describes_itself(void **state) {
    (void)state;
    for (bnb_kind kind = BNB_LEARNERS; kind <= BNB_NETWORKS; kind++) {
        size_t n = 0;
        for (const char *name; (name = bnb_name(kind, n)); n++) {
            bnb_error error = {0};
            char *text = NULL;
            json_t *o;
            assert_fine(bnb_describe(kind, name, &text, &error));
            o = json_loads(text, 0, NULL);
            assert_string_equal(name, text_at(o, "name"));
            json_decref(o);
            bnb_text_free(text);
        }
        assert_that(n, >, 3);
    }
}

/* ---- a caller who watches ---- */

static int count_and_stop(void *context, const bnb_progress *p) {
    size_t *left = context;
    assert_true(p->seconds >= 0);
    return *left > 0 ? (int)(*left)-- : 0;
}

static void a_caller_may_end_a_run(void **state) {
    size_t left = 1;
    bnb_run_options options = {.proceed = count_and_stop, .context = &left};
    bnb_error error = {0};
    bnb_result *result = NULL;
    bnb_data *data = sample_of("asia", 100000, 0);
    static const char *const many[] = {"restarts=100000", NULL};
    (void)state;
    assert_int_equal(BNB_CANCELLED, bnb_learn("sgs3", many, data, &options, &result, &error));
    assert_int_equal(0, left);
    assert_null(result);
    assert_string_equal("cancelled", bnb_status_name(error.status));
    bnb_data_free(data);
}

/* ---- several threads ---- */

typedef struct {
    const bnb_data *data;
    char *graph;
} errand;

static void *learn_in_thread(void *argument) {
    errand *e = argument;
    bnb_result *result = NULL;
    if (bnb_learn("gts", NULL, e->data, NULL, &result, NULL) == BNB_OK)
        (void)bnb_graph_text(bnb_result_graph(result), "csv", &e->graph, NULL);
    bnb_result_free(result);
    return NULL;
}

static void several_threads_learn_from_the_same_data(void **state) {
    enum { N = 4 };
    bnb_data *data = sample_of("asia", 1000, 0);
    errand errands[N];
    pthread_t threads[N];
    (void)state;
    for (size_t i = 0; i < N; i++) {
        errands[i] = (errand){data, NULL};
        assert_int_equal(0, pthread_create(&threads[i], NULL, learn_in_thread, &errands[i]));
    }
    for (size_t i = 0; i < N; i++)
        assert_int_equal(0, pthread_join(threads[i], NULL));
    for (size_t i = 0; i < N; i++) {
        assert_non_null(errands[i].graph);
        assert_string_equal(errands[0].graph, errands[i].graph);
    }
    for (size_t i = 0; i < N; i++)
        bnb_text_free(errands[i].graph);
    bnb_data_free(data);
}

/* ---- experiments ---- */

static const char *declare(void) {
    return write_file("mine.yaml", "name: mine\n"
                                   "networks: [asia]\n"
                                   "data: {samples: [100, 200], replicates: 2}\n"
                                   "learners: [hc, mmhc]\n"
                                   "tables:\n"
                                   "  - {id: distance, metric: shd}\n");
}

static void an_experiment_runs_and_its_store_is_read(void **state) {
    bnb_error error = {0};
    bnb_cells cells;
    bnb_store *store = NULL;
    char *csv = NULL, *folder = NULL;
    const char *file = declare();
    static const char *const set[] = {"data.replicates=3", NULL};
    bnb_experiment_options options = {.store = in_folder("store"), .n_jobs = 2, .set = set};
    double value = NAN;
    size_t n = 0;
    (void)state;
    assert_fine(bnb_experiment_run(file, &options, &cells, &folder, &error));
    assert_string_equal(options.store, folder);
    assert_int_equal(12, cells.total);
    assert_int_equal(12, cells.done);
    assert_fine(bnb_store_read(folder, &store, &error));
    assert_string_equal("distance", bnb_store_table_id(store, 0));
    assert_null(bnb_store_table_id(store, 1));
    assert_fine(bnb_store_table_csv(store, "distance", &csv, &error));
    assert_status(0, "report", folder, "--format", "csv", "--out", in_folder("report"));
    assert_status(0, "--version");
    cli_call_shell("cat \"$1/report/tables/distance.csv\"");
    assert_string_equal(cli_out, csv);
    assert_int_equal(12, bnb_store_job_count(store));
    assert_string_equal("asia", bnb_store_job(store, 0).network);
    assert_string_equal("done", bnb_store_job(store, 11).state);
    while (bnb_store_metric(store, 0, n, &value))
        n++;
    assert_that(n, >, 5);
    assert_non_null(strstr(bnb_store_graph(store, 0), "from,to,type"));
    bnb_text_free(csv);
    assert_int_equal(BNB_MISSING, bnb_store_table_csv(store, "distanc", &csv, &error));
    assert_text_has(error.message, "did you mean 'distance'");
    bnb_store_free(store);
    bnb_text_free(folder);
}

static int never(void *context) {
    (void)context;
    return 0;
}

static void an_experiment_can_be_cancelled_and_goes_on(void **state) {
    bnb_error error = {0};
    bnb_cells cells;
    const char *file = declare();
    static const char *const set[] = {"data.replicates=200", NULL};
    bnb_experiment_options options = {.store = in_folder("store"), .set = set, .proceed = never};
    (void)state;
    assert_int_equal(BNB_CANCELLED, bnb_experiment_run(file, &options, &cells, NULL, &error));
    options.proceed = NULL;
    options.set = NULL;
    assert_fine(bnb_experiment_run(file, &options, &cells, NULL, &error));
    assert_int_equal(8, cells.done);
}

/* ---- the caller's process ---- */

/* What of a process is its owner's: files, signals, variables, locale, folder, umask, how numbers are rounded. */
typedef struct {
    struct sigaction signals[NSIG];
    sigset_t mask;
    char folder[PATH_MAX], locale[200], *variables;
    bool is_open[256];
    mode_t mask_of_files;
    int rounding;
} belongings;

static char *variables_of(char **from) {
    text_buffer all = {0};
    for (size_t i = 0; from[i]; i++)
        text_append_format(&all, "%s\n", from[i]);
    return all.data;
}

static void look(belongings *b) {
    memset(b, 0, sizeof *b);
    for (int i = 1; i < NSIG; i++)
        (void)sigaction(i, NULL, &b->signals[i]);
    (void)pthread_sigmask(SIG_SETMASK, NULL, &b->mask);
    assert_non_null(getcwd(b->folder, sizeof b->folder));
    (void)snprintf(b->locale, sizeof b->locale, "%s", setlocale(LC_ALL, NULL));
    b->variables = variables_of(environ);
    for (int fd = 0; fd < 256; fd++)
        b->is_open[fd] = fcntl(fd, F_GETFD) >= 0;
    b->mask_of_files = umask(0);
    (void)umask(b->mask_of_files);
    b->rounding = fegetround();
}

static void assert_untouched(const belongings *before) {
    belongings now;
    look(&now);
    for (int i = 1; i < NSIG; i++)
        assert_ptr_equal(before->signals[i].sa_handler, now.signals[i].sa_handler);
    assert_memory_equal(&before->mask, &now.mask, sizeof now.mask);
    assert_string_equal(before->folder, now.folder);
    assert_string_equal(before->locale, now.locale);
    assert_string_equal(before->variables, now.variables);
    assert_memory_equal(before->is_open, now.is_open, sizeof now.is_open);
    assert_int_equal(before->mask_of_files, now.mask_of_files);
    assert_int_equal(before->rounding, now.rounding);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    assert_int_equal(errno, ECHILD);
    free(now.variables);
}

static void a_callers_process_stays_as_it_was(void **state) {
    belongings before;
    bnb_experiment_options options = {.store = in_folder("store"), .n_jobs = 2};
    bnb_store *store = NULL;
    bnb_error error = {0};
    (void)state;
    assert_true(call_everything()); /* libraries open what they keep open: once */
    look(&before);
    assert_true(call_everything());
    assert_fine(bnb_experiment_run(declare(), &options, NULL, NULL, &error));
    assert_fine(bnb_store_read(options.store, &store, &error));
    bnb_store_free(store);
    assert_untouched(&before);
    free(before.variables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(every_learner_gives_what_the_command_gives),
        cli_test(a_sample_is_that_of_the_command),
        cli_test(columns_of_any_type_and_stride_are_copied),
        cli_test(data_that_cannot_be_are_refused),
        cli_test(measures_are_those_of_the_commands),
        cli_test(a_graph_without_names_is_placed_as_the_command_does),
        cli_test(graphs_are_made_compared_and_completed),
        cli_test(a_wrong_name_is_said_with_the_right_one),
        cli_test(everything_there_is_describes_itself),
        cli_test(a_caller_may_end_a_run),
        cli_test(several_threads_learn_from_the_same_data),
        cli_test(an_experiment_runs_and_its_store_is_read),
        cli_test(an_experiment_can_be_cancelled_and_goes_on),
        cli_test(a_callers_process_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
