/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @mainpage
 * libbnbench (bnbench.h): structure learning of Bayesian networks, and the experiments that compare it, from C and from
 * languages that call C.
 *
 * Handles are opaque. What a function gives through `out` is the caller's, to be freed with the function of its kind;
 * what a getter returns is borrowed and lives as long as the handle. On failure `out` is untouched. Handles do not
 * change once they are made, so several threads may read one; there is no global state. Texts are UTF-8.
 *
 * A function that can fail returns a bnb_status, BNB_OK on success, and puts the same status and a sentence that says
 * what was wrong into `error`, which may be NULL.
 *
 * Options of learners, scores, tests and discretizers are texts "name=value", as the command line takes them after -O,
 * in an array closed by NULL; NULL instead of the array: the initial values (`bnbench info hc` lists them, and
 * bnb_describe tells them as JSON).
 */
#ifndef BNBENCH_H
#define BNBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifndef BNB_API
#ifdef __GNUC__
#define BNB_API __attribute__((visibility("default")))
#else
#define BNB_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---- */

typedef enum {
    BNB_OK = 0,
    BNB_INVALID = 1,  /* the caller asked for something that cannot be */
    BNB_PARSE = 2,    /* an input does not say what its format promises */
    BNB_MISSING = 3,  /* a file, network or program is not there */
    BNB_IO = 4,       /* reading or writing failed */
    BNB_MEMORY = 5,   /* no memory, or a table past its limit */
    BNB_BUG = 6,      /* a promise of the library was broken */
    BNB_CANCELLED = 7 /* the caller's own function said so */
} bnb_status;

typedef struct {
    bnb_status status;
    char message[1024];
} bnb_error;

/** "invalid", "parse", ...: static text. */
BNB_API const char *bnb_status_name(bnb_status status);

/** "0.1.0": static text. */
BNB_API const char *bnb_version(void);

/** Frees a text that a function gave. NULL is fine, as it is for every function that frees. */
BNB_API void bnb_text_free(char *text);

/* ---- what there is ---- */

/** Kinds of things that have names. */
typedef enum { BNB_LEARNERS, BNB_SCORES, BNB_TESTS, BNB_DISCRETIZERS, BNB_METRICS, BNB_NETWORKS } bnb_kind;

/** The i-th name of a kind, in the order of `bnbench list`; NULL past the last. Static text. */
BNB_API const char *bnb_name(bnb_kind kind, size_t i);

/**
 * What a learner, score, test or discretizer is, as JSON: name, summary, citation, options (name, kind, initial value,
 * range, choices, help); of the other kinds name and summary.
 */
BNB_API bnb_status bnb_describe(bnb_kind kind, const char *name, char **out, bnb_error *error);

/* ---- data: rows of named columns, each discrete with its state space, or continuous ---- */

typedef struct bnb_data bnb_data;
typedef struct bnb_network bnb_network;
typedef struct bnb_graph bnb_graph;

typedef enum { BNB_UINT8, BNB_UINT16, BNB_INT8, BNB_INT16, BNB_INT32, BNB_INT64, BNB_FLOAT32, BNB_FLOAT64 } bnb_type;

/** A column in the caller's memory. */
typedef struct {
    const char *name;
    size_t n_states;           /* of a discrete column, seen or not, 1 to 65536; 0: the column is continuous */
    const char *const *states; /* their names; NULL: "0", "1", ... */
    const void *values;        /* discrete: the number of the state, from 0, in an integer type; continuous: a float */
    bnb_type type;
    ptrdiff_t stride; /* bytes from a value to the next; 0: they lie side by side */
} bnb_column;

/** Copies the columns. BNB_INVALID: no columns, two of one name, a value that is no state, a type that does not fit. */
BNB_API bnb_status bnb_data_create(const bnb_column *columns, size_t n_columns, size_t n_rows, bnb_data **out,
                                   bnb_error *error);

/** Reads a file as `bnbench learn` does. State spaces are those of `states` where it is not NULL. */
BNB_API bnb_status bnb_data_read(const char *path, const bnb_network *states, bnb_data **out, bnb_error *error);

/** Writes in the form of the name's ending (docs/file-formats.md): .arff, packed columns for .bnd, else with its schema
 * beside it, tabs between the values for .tsv and commas for any other. */
BNB_API bnb_status bnb_data_write(const bnb_data *data, const char *path, bnb_error *error);

BNB_API void bnb_data_free(bnb_data *data);
BNB_API size_t bnb_data_row_count(const bnb_data *data);
BNB_API size_t bnb_data_column_count(const bnb_data *data);
BNB_API const char *bnb_data_column_name(const bnb_data *data, size_t column);

/** 0 of a continuous column. */
BNB_API size_t bnb_data_state_count(const bnb_data *data, size_t column);
BNB_API const char *bnb_data_state_name(const bnb_data *data, size_t column, size_t state);

/** Fills row_count entries. BNB_INVALID: no such column, or it is of the other kind. */
BNB_API bnb_status bnb_data_states(const bnb_data *data, size_t column, uint16_t *out, bnb_error *error);
BNB_API bnb_status bnb_data_values(const bnb_data *data, size_t column, double *out, bnb_error *error);

/** 64 hex digits (SHA-256) of names, state spaces and values. */
BNB_API bnb_status bnb_data_fingerprint(const bnb_data *data, char out[65], bnb_error *error);

/* ---- networks: tables, or linear-Gaussian ---- */

/** A network of the catalogue by its name, or a file. */
BNB_API bnb_status bnb_network_load(const char *name, bnb_network **out, bnb_error *error);

/** From text in a format that `bnbench convert` reads: "bif", "json". */
BNB_API bnb_status bnb_network_parse(const char *text, size_t length, const char *format, bnb_network **out,
                                     bnb_error *error);

/** Its text in a format. BNB_INVALID: the format holds no such network. */
BNB_API bnb_status bnb_network_text(const bnb_network *network, const char *format, char **out, bnb_error *error);

/** To a file, in the format of its ending. */
BNB_API bnb_status bnb_network_write(const bnb_network *network, const char *path, bnb_error *error);

BNB_API void bnb_network_free(bnb_network *network);
BNB_API const char *bnb_network_name(const bnb_network *network);
BNB_API int bnb_network_is_gaussian(const bnb_network *network);
BNB_API size_t bnb_network_node_count(const bnb_network *network);
BNB_API const char *bnb_network_node_name(const bnb_network *network, size_t node);
BNB_API size_t bnb_network_state_count(const bnb_network *network, size_t node); /* 0 where it is linear-Gaussian */
BNB_API const char *bnb_network_state_name(const bnb_network *network, size_t node, size_t state);

/** The parents in the order of the table; valid as long as the network. */
BNB_API const size_t *bnb_network_parents(const bnb_network *network, size_t node, size_t *n_parents);

/**
 * The conditional probabilities of a node: state k in configuration j of the parents at [j * state_count + k], the
 * first parent varying fastest. NULL of a linear-Gaussian network.
 */
BNB_API const double *bnb_network_table(const bnb_network *network, size_t node, size_t *n_entries);

/** The graph of the network, a DAG. */
BNB_API bnb_status bnb_network_graph(const bnb_network *network, bnb_graph **out, bnb_error *error);

/** `copies` copies with `arcs` arcs between them, as `bnbench tile`. */
BNB_API bnb_status bnb_network_tile(const bnb_network *network, size_t copies, size_t arcs, uint64_t seed,
                                    bnb_network **out, bnb_error *error);

/** The rows of `bnbench sample -n ROWS --seed SEED`. With sigma > 0 each state k is replaced by a draw from
 * N(k + 1, sigma^2), as --continuize does. */
BNB_API bnb_status bnb_sample(const bnb_network *network, size_t n_rows, uint64_t seed, double sigma, bnb_data **out,
                              bnb_error *error);

/* ---- graphs ---- */

typedef enum { BNB_DAG, BNB_CPDAG, BNB_SKELETON } bnb_graph_kind;

/** From `from` to `to`; or between the two, where it is not directed. */
typedef struct {
    size_t from, to;
    int is_directed;
} bnb_edge;

/** Copies. BNB_INVALID: two nodes of one name, an edge out of range or twice, edges that are not of that kind. */
BNB_API bnb_status bnb_graph_create(const char *const *names, size_t n_nodes, const bnb_edge *edges, size_t n_edges,
                                    bnb_graph_kind kind, bnb_graph **out, bnb_error *error);

/** A graph file in the form of its ending, CSV without one, or the graph of a network by file or name. */
BNB_API bnb_status bnb_graph_read(const char *path, bnb_graph **out, bnb_error *error);

/** To a file in the format of its ending, or as text: "csv", "dot". */
BNB_API bnb_status bnb_graph_write(const bnb_graph *graph, const char *path, bnb_error *error);
BNB_API bnb_status bnb_graph_text(const bnb_graph *graph, const char *format, char **out, bnb_error *error);

BNB_API void bnb_graph_free(bnb_graph *graph);
BNB_API size_t bnb_graph_node_count(const bnb_graph *graph);
BNB_API const char *bnb_graph_node_name(const bnb_graph *graph, size_t node);
BNB_API bnb_graph_kind bnb_graph_kind_of(const bnb_graph *graph);
BNB_API size_t bnb_graph_edge_count(const bnb_graph *graph);

/** Fills edge_count entries, ordered by the lower node, then the other. */
BNB_API void bnb_graph_edges(const bnb_graph *graph, bnb_edge *out);

/** The CPDAG of a DAG's class; of another graph a copy. */
BNB_API bnb_status bnb_graph_cpdag(const bnb_graph *graph, bnb_graph **out, bnb_error *error);

/** Edge errors and structural Hamming distances; `bnbench list metrics` says what each is. */
typedef struct {
    size_t true_edges, tp, fp, fn, misoriented;
    size_t shd, shd_skeleton, shd_fu, shd_extended, shd_raw;
} bnb_distance;

/** Nodes are matched by name. BNB_INVALID: the graphs have different nodes. */
BNB_API bnb_status bnb_compare(const bnb_graph *learned, const bnb_graph *truth, bnb_distance *out, bnb_error *error);

/* ---- learning ---- */

/** How far a run is. */
typedef struct {
    double seconds;      /* since it began */
    uint64_t statistics; /* tests and scores that were asked for */
} bnb_progress;

/** Zero stands for the value in brackets. */
typedef struct {
    uint64_t seed;        /* of the learner's random numbers (1) */
    size_t n_threads;     /* (1) */
    double time_limit_s;  /* the best graph so far is the result, marked cut short (none) */
    uint64_t most_scores; /* the same after so many local scores (none) */
    /** Called by the calling thread some twenty times a second; 0 ends the run with BNB_CANCELLED. (none) */
    int (*proceed)(void *context, const bnb_progress *progress);
    void *context;
} bnb_run_options;

typedef struct bnb_result bnb_result;

/**
 * Runs a learner; the same graph and counters as `bnbench learn LEARNER`. `run` may be NULL.
 * BNB_INVALID: no such learner or option, or data of a kind that it does not take.
 */
BNB_API bnb_status bnb_learn(const char *learner, const char *const *options, const bnb_data *data,
                             const bnb_run_options *run, bnb_result **out, bnb_error *error);

typedef struct {
    uint64_t requests, computed, skipped; /* tests and scores: asked for, computed, left out for lack of rows */
    double cpu_seconds, wall_seconds;     /* of learning alone */
    int is_cut_short;
    const char *remark;     /* what a reader of the result ought to know; NULL: nothing */
    const char *score_name; /* NULL where the learner maximises none */
    double score;
} bnb_facts;

BNB_API void bnb_result_free(bnb_result *result);
BNB_API const bnb_graph *bnb_result_graph(const bnb_result *result);
BNB_API bnb_facts bnb_result_facts(const bnb_result *result);

/** What else the learner tells of its run: the i-th figure's name, NULL past the last, and its value. */
BNB_API const char *bnb_result_figure(const bnb_result *result, size_t i, double *value);

/** Makes continuous columns discrete. `thresholds` (may be NULL): CSV of column, states, thresholds. */
BNB_API bnb_status bnb_discretize(const char *method, const char *const *options, const bnb_data *data, uint64_t seed,
                                  bnb_data **out, char **thresholds, bnb_error *error);

/* ---- scores, tests, parameters ---- */

/**
 * The score of a graph on data; larger is better. Nodes are columns by name, or in their order where the graph's file
 * has no names; columns that are no node do not count. Of a CPDAG a DAG of its class is scored. `by_node` (may be
 * NULL): node_count entries.
 */
BNB_API bnb_status bnb_score(const char *score, const char *const *options, const bnb_data *data,
                             const bnb_graph *graph, double *total, double *by_node, bnb_error *error);

typedef struct {
    double statistic, df, p_value, log_p_value; /* log_p_value does not underflow */
    int is_reliable;                            /* enough rows for a learner to rely on it */
    int is_independent;                         /* p_value > alpha, an option of the test */
} bnb_test_result;

/** One test of conditional independence of columns x and y given n_given others. */
BNB_API bnb_status bnb_test(const char *test, const char *const *options, const bnb_data *data, size_t x, size_t y,
                            const size_t *given, size_t n_given, bnb_test_result *out, bnb_error *error);

/** The parameters of a graph from data, as `bnbench fit`; every node is a column and every column a node. */
BNB_API bnb_status bnb_fit(const bnb_graph *graph, const bnb_data *data, const char *const *options, const char *name,
                           bnb_network **out, bnb_error *error);

/* ---- experiments and stores ---- */

/** Zero and NULL stand for the value in brackets. */
typedef struct {
    const char *profile;           /* of the file (none) */
    const char *const *set;        /* "data.replicates=2", closed by NULL (none) */
    const char *store;             /* folder of results (stores/NAME, or stores/NAME-PROFILE) */
    size_t n_jobs;                 /* at once (1) */
    int (*proceed)(void *context); /* called some twenty times a second; 0 stops the run: BNB_CANCELLED (none) */
    void *context;
} bnb_experiment_options;

typedef struct {
    size_t total, done, failed, timeout, memory;
} bnb_cells;

/**
 * Runs what an experiment file, or one that ships, declares, in processes of its own: cells whose results the store
 * has are not run again. A failed job is a result, counted in `cells` (may be NULL). `store` (may be NULL): the folder.
 */
BNB_API bnb_status bnb_experiment_run(const char *experiment, const bnb_experiment_options *options, bnb_cells *cells,
                                      char **store, bnb_error *error);

typedef struct bnb_store bnb_store;

/** The last run of a store, with all its results. */
BNB_API bnb_status bnb_store_read(const char *folder, bnb_store **out, bnb_error *error);
BNB_API void bnb_store_free(bnb_store *store);

/** The id of the i-th table that the experiment declares; NULL past the last. */
BNB_API const char *bnb_store_table_id(const bnb_store *store, size_t i);

/** One line a cell: table,row,column,value,published,difference,n,of,imputed,state. */
BNB_API bnb_status bnb_store_table_csv(const bnb_store *store, const char *id, char **out, bnb_error *error);

typedef struct {
    const char *network, *learner, *state; /* state: "done", "failed", "timeout", "memory" */
    const char *message;                   /* why not done, or a remark; NULL: nothing */
    uint64_t n_samples, replicate;
    double sigma;
} bnb_job;

BNB_API size_t bnb_store_job_count(const bnb_store *store);
BNB_API bnb_job bnb_store_job(const bnb_store *store, size_t job);

/** The i-th metric of a job; NULL past the last. */
BNB_API const char *bnb_store_metric(const bnb_store *store, size_t job, size_t i, double *value);

/** The graph of a job as CSV; NULL where it has none. */
BNB_API const char *bnb_store_graph(const bnb_store *store, size_t job);

#ifdef __cplusplus
}
#endif

#endif
