/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench init: a first experiment file, with comments, for networks or for data of one's own. */
#include "cli/base/first_learners.h"
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/file.h"
#include "core/data/data_form.h"
#include "core/base/shell_word.h"
#include "core/data/dataset_csv.h"
#include "runner/declare/experiment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"truth", 0, "GRAPH", "of data: the file of the true arcs, CSV with columns from and to"},
    {"name", 0, "NAME", "of the experiment (that of the file)"},
    {"force", 'f', NULL, "write over a file that is there"},
    {"output", 'o', "FILE", "the experiment's file; - is standard output (experiment.yaml)"},
    {0},
};

/* What the experiment is about: data, all of one kind, or networks. */
typedef struct {
    const char *file; /* NULL: standard output */
    char *name;
    bool is_of_data;
    int kind; /* one of data_kinds, of the data that learners get */
    size_t most_rows, n_columns;
} subject;

static void subject_clear(subject *s) {
    free(s->name);
}

/* ---- what it is about ---- */

static bool is_data_file(const char *word) {
    return data_form_of_path(word) != DATA_FORM_NONE;
}

static status look_at_data(cli *c, const char *word, subject *s, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    CHECK(input_data(c, word, NULL, &data, err));
    s->is_of_data = true;
    if (s->kind && s->kind != dataset_kind(data))
        return cli_refuse(c, err, "%s has %s columns and the data before it %s ones; one experiment a kind", word,
                          data_kinds_name(dataset_kind(data)), data_kinds_name(s->kind));
    s->kind = dataset_kind(data);
    s->most_rows = dataset_row_count(data) > s->most_rows ? dataset_row_count(data) : s->most_rows;
    s->n_columns = dataset_column_count(data) > s->n_columns ? dataset_column_count(data) : s->n_columns;
    return STATUS_OK;
}

static status look_at_network(cli *c, const char *word, subject *s, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    int kind;
    CHECK(input_any_network(c, word, &net, err));
    kind = net.gaussian ? DATA_CONTINUOUS : DATA_DISCRETE;
    if (s->is_of_data || (s->kind && s->kind != kind))
        return cli_refuse(c, err, "%s is %s; one experiment holds networks of tables, linear-Gaussian ones, or data",
                          word, net.gaussian ? "a linear-Gaussian network" : "a network of tables");
    s->kind = kind;
    return STATUS_OK;
}

static status look(cli *c, subject *s, error_info *err) {
    for (size_t i = 0; i < c->args->n_words; i++)
        CHECK(is_data_file(c->args->words[i]) ? look_at_data(c, c->args->words[i], s, err)
                                              : look_at_network(c, c->args->words[i], s, err));
    if (c->args->n_words == 0)
        s->kind = DATA_DISCRETE;
    if (args_has(c->args, "truth") && !(s->is_of_data && c->args->n_words == 1))
        return cli_refuse(c, err, "--truth goes with one file of data");
    return STATUS_OK;
}

/* ---- the text ---- */

/* A YAML scalar in double quotes. */
static void append_quoted(text_buffer *out, const char *text) {
    text_append(out, "\"");
    for (; *text; text++)
        text_append_format(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    text_append(out, "\"");
}

/* A file as the experiment names it: from the experiment's own folder, where one path leads from there. */
static status find_path(const subject *s, const char *word, char **out, error_info *err) {
    const char *slash = s->file ? strrchr(s->file, '/') : NULL;
    AUTO_FREE char *folder = slash ? text_copy_n(s->file, (size_t)(slash - s->file) + 1) : text_copy(".");
    AUTO_FREE char *from = folder ? realpath(folder, NULL) : NULL;
    AUTO_FREE char *to = word[0] != '/' && file_exists(word) ? realpath(word, NULL) : NULL;
    *out = from && to ? path_relative(from, to) : NULL;
    if (!*out)
        *out = text_copy(to ? to : word);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

static void append_path(const subject *s, const char *word, text_buffer *out) {
    AUTO_FREE char *path = NULL;
    if (find_path(s, word, &path, NULL) == STATUS_OK)
        append_quoted(out, path);
    else
        out->failed = true;
}

enum { MOST_ID = 90 };

/* What names files too: "data/my x.csv.gz" is called "my-x", and "(x)" "x-x-". On the heap; NULL without memory. */
static char *id_of(const char *path) {
    const char *base = path_base(path);
    size_t n = strcspn(base, ".");
    text_buffer id = {0};
    text_append(&id, isalnum((unsigned char)*base) ? "" : "x");
    text_append_bytes(&id, base, n < MOST_ID ? n : MOST_ID);
    for (char *at = id.data; at && *at; at++)
        *at = isalnum((unsigned char)*at) || strchr("_-", *at) ? *at : '-';
    if (id.failed)
        text_buffer_clear(&id);
    return id.data;
}

static void append_id(const char *word, text_buffer *out) {
    AUTO_FREE char *id = id_of(word);
    out->failed |= !id;
    text_append(out, id ? id : "");
}

static void append_networks(const cli *c, const subject *s, text_buffer *out) {
    const char *truth = args_value(c->args, "truth");
    if (c->args->n_words == 0) {
        text_append(out, "# Names that 'bnbench list networks' shows, or files: ./my.bif\n"
                         "networks: [asia, child]\n");
        return;
    }
    text_append(out,
                s->is_of_data
                    ? "# Data of one's own. 'edges: arcs.csv' in an entry names the true arcs, where they are known.\n"
                    : "# Names that 'bnbench list networks' shows, or files.\n");
    text_append(out, "networks:\n");
    for (size_t i = 0; i < c->args->n_words; i++) {
        text_append(out, s->is_of_data ? "  - {dataset: " : "  - ");
        append_path(s, c->args->words[i], out);
        if (s->is_of_data) {
            text_append(out, ", id: ");
            append_id(c->args->words[i], out);
        }
        if (truth) {
            text_append(out, ", edges: ");
            append_path(s, truth, out);
        }
        text_append(out, s->is_of_data ? "}\n" : "\n");
    }
}

static void append_data(const subject *s, text_buffer *out) {
    if (s->is_of_data)
        text_append_format(
            out,
            "data:\n"
            "  samples: all      # every row; numbers draw that many, without replacement: [%zu, %zu]\n"
            "  replicates: 1     # data sets of each size; with all rows only the order of columns differs\n",
            s->most_rows / 4 + 1, s->most_rows / 2 + 1);
    else
        text_append(out, "data:\n"
                         "  samples: [500, 2000]\n"
                         "  replicates: 5       # data sets of each network and size; tables show their means\n"
                         "  test_samples: 5000  # fresh rows on which the held-out score is measured\n");
}

/* "ess=1" -> ", ess: 1". */
static void append_option(text_buffer *out, const char *option) {
    size_t n = strcspn(option, "=");
    text_append_format(out, ", %.*s: %s", (int)n, option, option + n + 1);
}

/* "  - {learner: ges, ess: 1}              # greedy search over equivalence classes" */
static void append_learner(const first_learner *l, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer entry = {0};
    text_append_format(&entry, l->options[0] ? "{learner: %s" : "%s", l->learner);
    for (size_t i = 0; l->options[i]; i++)
        append_option(&entry, l->options[i]);
    text_append(&entry, l->options[0] ? "}" : "");
    text_append_format(out, "  - %-35s # %s\n", entry.data ? entry.data : "", l->school);
    out->failed |= entry.failed;
}

/* All candidates but the graph without edges, which is the first. */
static void append_learners(int kind, text_buffer *out) {
    size_t n;
    const first_learner *all = first_learners_for(kind, true, &n);
    text_append(out,
                "\n# 'bnbench list learners' has more; 'bnbench info hc' lists the options of one. Any program is one "
                "too:\n"
                "#   - {id: mine, command: [python3, mine.py, \"{data}\", \"{graph}\"]}\n"
                "learners:\n");
    for (size_t i = 1; i < n; i++)
        append_learner(&all[i], out);
}

static void append_tables(const cli *c, const subject *s, text_buffer *out) {
    bool has_truth = !s->is_of_data || args_has(c->args, "truth");
    const char *score = s->kind == DATA_DISCRETE     ? s->is_of_data ? "bdeu_train" : "bdeu_test"
                        : s->kind == DATA_CONTINUOUS ? s->is_of_data ? "bic-g_train" : "bic-g_test"
                                                     : NULL;
    text_append(out, "# 'bnbench list metrics' has more; 'bnbench info tables' says what a table can do.\ntables:\n");
    if (has_truth)
        text_append(out, "  - {id: shd, metric: shd, title: Structural Hamming distance}\n");
    if (score)
        text_append_format(out, "  - {id: score, metric: %s, title: Score on %s}\n", score,
                           s->is_of_data ? "the data" : "fresh data");
    text_append(out, "  - {id: edges, metric: edges, title: Edges}\n"
                     "  - {id: time, metric: time, title: Seconds}\n\n");
    text_append(out, "# 'bnbench info plots' lists the kinds.\nplots:\n");
    text_append_format(out, "  - {id: time-%s, kind: scatter, x: time, y: %s, log_x: true}\n",
                       has_truth ? "shd" : "edges", has_truth ? "shd" : "edges");
    if (s->is_of_data)
        text_append(out, "  # A learned graph, drawn; --format html draws the first few by itself:\n"
                         "  # - {id: graph, kind: network, network: NAME, learner: hc}\n");
}

static void append_experiment(const cli *c, const subject *s, text_buffer *out) {
    text_append(out, "# Run it: bnbench run ");
    shell_append_word(out, s->file ? s->file : "FILE");
    text_append(out, "   What it would run: the same with --dry-run. Every key: docs/experiment-file.md\n");
    text_append_format(out, "name: %s\nseed: 1   # all random numbers follow from it\n\n", s->name);
    append_networks(c, s, out);
    text_append(out, "\n");
    append_data(s, out);
    append_learners(s->kind, out);
    text_append(out, "\nlimits: {time: 5min, memory: 4GiB}   # of one job\n\n");
    append_tables(c, s, out);
}

/* ---- where it goes ---- */

static status name_experiment(const cli *c, subject *s, error_info *err) {
    const char *typed = args_value(c->args, "name");
    for (const char *at = typed ? typed : ""; *at; at++) {
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            return error_set(err, STATUS_INVALID,
                             "--name is '%s'; it names files too: letters, digits, '.', '_' and '-'", typed);
    }
    CHECK_ALLOC(s->name = typed ? text_copy(typed) : id_of(s->file ? s->file : "experiment"));
    return STATUS_OK;
}

/* What is written is an experiment: what cannot be one is refused before there is a file. */
static status check(cli *c, const text_buffer *text, error_info *err) {
    AUTO(experiment_clear) experiment e = {0};
    CHECK(text_buffer_check(text, err));
    return cli_blame(c, BLAME_INPUT, experiment_parse(text->data, text->length, "the experiment", &e, err));
}

static status write_file(cli *c, const subject *s, const text_buffer *text, error_info *err) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    if (s->file && file_exists(s->file) && !args_has(c->args, "force"))
        return cli_refuse(c, err, "%s is there already; -o names another file, --force writes over it", s->file);
    CHECK(cli_write(c, s->file ? s->file : "-", text, err));
    if (!s->file)
        return STATUS_OK;
    shell_append_word(&line, s->file);
    cli_say(c, "%s is written; 'bnbench run %s' runs it", s->file, line.data ? line.data : "");
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    const char *path = args_value(c->args, "output");
    AUTO(subject_clear) subject s = {.file = path ? path : "experiment.yaml"};
    AUTO(text_buffer_clear) text_buffer text = {0};
    if (strcmp(s.file, "-") == 0)
        s.file = NULL;
    if (c->json && !s.file)
        return cli_refuse(c, err, "--json and -o - would both write to standard output; name a file");
    CHECK(look(c, &s, err));
    CHECK(cli_blame(c, BLAME_WORDS, name_experiment(c, &s, err)));
    append_experiment(c, &s, &text);
    CHECK(check(c, &text, err));
    CHECK(write_file(c, &s, &text, err));
    return c->json ? json_put_all(c->answer = json_object(), err, {"file", json_of_text(s.file)},
                                  {"name", json_of_text(s.name)})
                   : STATUS_OK;
}

const command command_init = {
    .run = run,
    .syntax =
        {.name = "init",
         .words = "[NETWORK|DATA...]",
         .summary = "write a first experiment file, with comments, for networks or for your data",
         .details =
             "NETWORK is a name of the catalogue or a network file, DATA a CSV file; without either two small\n"
             "networks are taken. Learners and tables fit the data: tables of states, numbers, or both. The file is\n"
             "yours to change; nothing is run.",
         .examples = "  bnbench init asia alarm -o first.yaml\n"
                     "  bnbench run first.yaml --dry-run\n"
                     "  bnbench sample child -n 500 -o mine.csv\n"
                     "  bnbench init mine.csv -o mine.yaml",
         .least_words = 0,
         .most_words = 1000,
         .options = options},
};
