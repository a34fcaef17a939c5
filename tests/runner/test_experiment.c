/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The declaration of an experiment: what it says, and what it says of mistakes. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "metrics/distances/graph_distance.h"
#include "metrics/distances/metric.h"
#include "parts/plots/points.h"
#include "parts/tables/metric_table.h"
#include "runner/declare/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char small[] = "name: small\n"
                            "networks: [asia]\n"
                            "data: {samples: [100, 200], replicates: 3}\n"
                            "learners: [hc, empty]\n";

static status parse(const char *text, experiment *e, error_info *err) {
    return experiment_parse(text, strlen(text), "x.yaml", e, err);
}

static char *write_file(const char *name, const char *text) {
    char *path = path_join(scratch_folder(), name);
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    return path;
}

static void what_is_left_out_has_a_default(void **state) {
    (void)state;
    experiment e = {0};
    error_info err = {0};
    assert_ok(parse(small, &e, &err), &err);
    assert_string_equal(e.outputs.name, "small");
    assert_int_equal(e.seed, 1);
    assert_int_equal(e.order, ORDER_SHUFFLED);
    assert_int_equal(e.test_samples, 5000);
    assert_int_equal(e.n_threads, 1);
    assert_close(e.time_limit_s, 0, 0);
    assert_int_equal(e.memory_limit_bytes, 0);
    assert_int_equal(e.outputs.n_sizes, 2);
    assert_int_equal(e.outputs.sizes[1], 200);
    assert_int_equal(e.outputs.n_replicates, 3);
    assert_int_equal(e.n_variants, 2);
    assert_string_equal(e.variants[0].kind->name, "hc");
    assert_string_equal(e.outputs.learners[1], "empty");
    assert_int_equal(e.n_metrics, 4);
    assert_int_equal(e.parts.n, 4); /* a table a metric */
    assert_string_equal(part_text(&e.parts.parts[0], "id"), "time");
    assert_int_equal(part_list_count(&e.parts, PART_PLOT), 0);
    experiment_clear(&e);
}

static void a_network_may_have_another_name(void **state) {
    (void)state;
    experiment e = {0};
    error_info err = {0};
    assert_ok(parse("name: x\nnetworks: [{network: alarm, id: ward}, alarm]\ndata: {samples: [10]}\nlearners: [hc]\n",
                    &e, &err),
              &err);
    assert_int_equal(e.outputs.n_networks, 2);
    assert_string_equal(e.outputs.networks[0], "ward");
    assert_string_equal(e.sources[0].source, "alarm");
    assert_int_equal(e.sources[0].kind, SOURCE_NETWORK);
    assert_string_equal(e.sources[0].where, "x.yaml:2:12");
    assert_string_equal(e.outputs.networks[1], "alarm");
    experiment_clear(&e);
}

static void every_key_lands_where_it_belongs(void **state) {
    (void)state;
    static const char text[] =
        "name: full\n"
        "title: 'A title: with a colon'\n"
        "seed: 7\n"
        "networks: [asia, {tile: child, copies: 3}, {tile: alarm, copies: 2, arcs: 5}]\n"
        "data: {samples: 50, replicates: 2, test_samples: 10, column_order: reverse}\n"
        "learners:\n"
        "  - {id: a, learner: hc, ess: 2.5, score: bic}\n"
        "  - {id: ext, command: [prog, \"{data}\", 'x y', \"\"], returns: cpdag}\n"
        "limits: {time: 2min, memory: 1GiB}\n"
        "threads: 2\n"
        "metrics: [shd, time]\n"
        "tables:\n"
        "  - {id: t, metric: shd, title: T, rows: network, columns: learner, normalise_by: a,\n"
        "     aggregate: mean, ratio: mean-of-ratios, failures: worst, published: p.csv,\n"
        "     published_metric: m, decimals: 2}\n"
        "plots:\n"
        "  - {id: p, kind: scatter, x: time, y: shd, normalise_by: a, log_x: yes, log_y: false}\n"
        "  - {id: q, kind: line, y: shd}\n";
    experiment e = {0};
    error_info err = {0};
    assert_ok(parse(text, &e, &err), &err);
    assert_string_equal(e.outputs.title, "A title: with a colon");
    assert_int_equal(e.seed, 7);
    assert_string_equal(e.outputs.networks[1], "child3");
    assert_string_equal(e.sources[1].source, "child");
    assert_int_equal(e.sources[1].copies, 3);
    assert_int_equal(e.sources[1].tile_arcs, 4); /* of the catalogue */
    assert_string_equal(e.outputs.networks[2], "alarm2");
    assert_int_equal(e.sources[2].tile_arcs, 5);
    assert_true(e.sources[2].has_arcs);
    assert_string_equal(e.sources[2].where, "x.yaml:4:44");
    assert_int_equal(e.order, ORDER_REVERSE);
    assert_int_equal(e.test_samples, 10);
    assert_null(e.variants[1].kind);
    assert_int_equal(e.outputs.n_programs, 1);
    assert_string_equal(e.outputs.programs[0], "ext");
    assert_string_equal(e.variants[1].command[2], "x y");
    assert_string_equal(e.variants[1].command[3], "");
    assert_null(e.variants[1].command[4]);
    assert_true(e.variants[1].has_returns);
    assert_int_equal(e.variants[1].returns, GRAPH_CPDAG);
    assert_close(e.time_limit_s, 120, 0);
    assert_int_equal(e.memory_limit_bytes, 1 << 30);
    assert_int_equal(e.n_threads, 2);
    const metric_table_spec *t = metric_table_of(&e.parts.parts[0]);
    assert_int_equal(t->rows, AXIS_NETWORK);
    assert_string_equal(t->normalise_by, "a");
    assert_int_equal(t->aggregate, AGGREGATE_MEAN);
    assert_int_equal(t->ratio, MEAN_OF_RATIOS);
    assert_int_equal(t->failures, FAILURES_WORST);
    assert_string_equal(t->published_metric, "m");
    assert_int_equal(t->decimals, 2);
    const points_spec *scatter = e.parts.parts[e.parts.n - 2].options;
    assert_true(scatter->log_x);
    assert_false(scatter->log_y);
    assert_string_equal(e.parts.parts[e.parts.n - 1].kind->name, "line");
    experiment_clear(&e);
}

static void a_list_of_values_is_a_sweep(void **state) {
    (void)state;
    static const char text[] = "name: s\nnetworks: asia\ndata: {samples: 10}\n"
                               "learners: [{learner: hc, ess: [1, 10], score: [bdeu, bic], max_parents: 3}, hc]\n";
    static const char *const ids[] = {"hc:ess=1:score=bdeu", "hc:ess=1:score=bic", "hc:ess=10:score=bdeu",
                                      "hc:ess=10:score=bic", "hc"};
    experiment e = {0};
    error_info err = {0};
    assert_ok(parse(text, &e, &err), &err);
    assert_int_equal(e.n_variants, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(e.variants[i].id, ids[i]);
    experiment_clear(&e);
}

/* What is wrong, in a text, and what the message must hold. */
typedef struct {
    const char *text, *message;
} mistake;

#define HEAD "name: m\nnetworks: [asia]\n"
#define DATA "data: {samples: [100]}\n"
#define LEARNERS "learners: [hc]\n"

static const mistake mistakes[] = {
    {"", "x.yaml:1:1: the file is empty"},
    {"- a\n- b\n", "x.yaml:1:1: an experiment is a mapping"},
    {"name: [a\n", "x.yaml:2:1: this is not YAML"},
    {"name: \"a\n", "this is not YAML"},
    {"name: a\n\tseed: 1\n", "x.yaml:2:1: this is not YAML"},
    {HEAD DATA LEARNERS "---\nname: b\n", "x.yaml:5:1: a second document"},
    {"name: &x a\n", "x.yaml:1:7: anchors"},
    {HEAD "data: *x\n", "x.yaml:3:7: aliases"},
    {"name: !!str a\n", "x.yaml:1:7: tags"},
    {HEAD "data: !foo {samples: 3}\n", "x.yaml:3:7: anchors (&) and tags"},
    {"name: \"a\\0b\"\n", "NUL"},
    {"name: a\xff\n", "x.yaml:1:8: this is not UTF-8"},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "nested deeper"},
    {"? [a]\n: b\n", "x.yaml:1:3: a key must be a word"},
    {HEAD DATA DATA LEARNERS, "x.yaml:4:1: the key 'data' stands here a second time; the first is in line 3"},
    /* keys */
    {"networks: [asia]\n" DATA LEARNERS, "x.yaml:1:1: the experiment needs 'name'"},
    {"name: m\n" DATA LEARNERS, "needs 'networks'"},
    {HEAD LEARNERS, "needs 'data'"},
    {HEAD DATA, "needs 'learners'"},
    {HEAD DATA LEARNERS "metrix: [shd]\n",
     "x.yaml:5:1: unknown key 'metrix' in the experiment; did you mean 'metrics'?"},
    {HEAD "data: {sample: 5}\n" LEARNERS, "x.yaml:3:8: unknown key 'sample' in data; did you mean 'samples'?"},
    {HEAD DATA LEARNERS "limits: {tim: 3s}\n", "x.yaml:5:10: unknown key 'tim' in limits; did you mean 'time'?"},
    /* names and numbers */
    {"name: a/b\n" DATA "networks: asia\n" LEARNERS, "x.yaml:1:7: name is 'a/b'"},
    {"name: ..\n" DATA "networks: asia\n" LEARNERS, "name is '..'"},
    {"name:\n" DATA "networks: asia\n" LEARNERS, "x.yaml:1:6: name is nothing; it must be a text"},
    {"name: [a]\n" DATA "networks: asia\n" LEARNERS, "name is a list; it must be a text"},
    {HEAD DATA LEARNERS "seed: -1\n", "x.yaml:5:7: seed is '-1'; it must be a whole number from 0"},
    {HEAD DATA LEARNERS "seed: 1.5\n", "seed is '1.5'"},
    {HEAD DATA LEARNERS "seed: 99999999999999999999999\n", "seed is '99999999999999999999999'"},
    {HEAD DATA LEARNERS "threads: 0\n", "threads is '0'; it must be a whole number from 1 to 1024"},
    {HEAD "data: {samples: [-5]}\n" LEARNERS, "x.yaml:3:18: samples is '-5'; it must be a whole number from 1"},
    {HEAD "data: {samples: 0}\n" LEARNERS, "samples is '0'"},
    {HEAD "data: {samples: 010}\n" LEARNERS, "samples is '010'"},
    {HEAD "data: {samples: 1_000}\n" LEARNERS, "samples is '1_000'"},
    {HEAD "data: {samples: '500'}\n" LEARNERS, "samples is the quoted text '500'"},
    {HEAD "data: {samples: 2000000000}\n" LEARNERS, "samples is '2000000000'"},
    {HEAD "data: {samples: []}\n" LEARNERS, "x.yaml:3:17: samples is an empty list"},
    {HEAD "data: {samples: }\n" LEARNERS, "samples is nothing; it must be a list"},
    {HEAD "data: {samples: [5, {a: b}]}\n" LEARNERS, "x.yaml:3:21: samples is a mapping"},
    {HEAD "data: {samples: [5, 6, 5]}\n" LEARNERS, "x.yaml:3:24: the sample size 5 stands here a second time"},
    {HEAD "data: {replicates: 2}\n" LEARNERS, "data needs 'samples'"},
    {HEAD "data: 5\n" LEARNERS, "x.yaml:3:7: data is '5'; it must be a mapping"},
    {HEAD "data: {samples: 5, replicates: 0}\n" LEARNERS, "replicates is '0'"},
    {HEAD "data: {samples: 5, replicates: 100001}\n" LEARNERS, "replicates is '100001'"},
    {HEAD "data: {samples: 5, test_samples: many}\n" LEARNERS, "test_samples is 'many'"},
    {HEAD "data: {samples: 5, column_order: sorted}\n" LEARNERS,
     "column_order is 'sorted'; it must be one of shuffled|file|reverse"},
    {HEAD "data: {samples: 5, states: seen}\n" LEARNERS, "states is 'seen'; it must be one of declared|observed"},
    {HEAD DATA LEARNERS "limits: {time: -3}\n", "time is '-3'; it must be a time above 0"},
    {HEAD DATA LEARNERS "limits: {time: 0}\n", "time is '0'"},
    {HEAD DATA LEARNERS "limits: {time: 3 weeks}\n", "time is '3 weeks'"},
    {HEAD DATA LEARNERS "limits: {memory: 4Gib}\n", "memory is '4Gib'; it must be a size"},
    {HEAD DATA LEARNERS "limits: {memory: 1000}\n", "memory is '1000'"},
    {HEAD "data: {samples: [1,2,3,4,5,6,7,8,9,10,11], replicates: 100000}\n"
          "learners: [{learner: hc, max_parents: [1,2,3,4,5,6,7,8,9,10]}]\n",
     "x.yaml:3:7: 1 networks x 11 sizes x 100000 replicates x 10 learners are 11000000 cells; at most 10000000"},
    /* networks */
    {"name: m\nnetworks: []\n" DATA LEARNERS, "x.yaml:2:11: networks is an empty list"},
    {"name: m\nnetworks: [asia, asia]\n" DATA LEARNERS, "x.yaml:2:18: the network 'asia' stands here a second time"},
    {"name: m\nnetworks: [child3, {tile: child, copies: 3}]\n" DATA LEARNERS, "the network 'child3' stands here"},
    {"name: m\nnetworks: [{network: asia}]\n" DATA LEARNERS, "x.yaml:2:12: a network under another name needs an 'id'"},
    {"name: m\nnetworks: [{network: child3, id: c}]\n" DATA LEARNERS, "'child3' is tiled, and called after its tile"},
    {"name: m\nnetworks: [{network: pima, id: p}]\n" DATA LEARNERS, "write {dataset: pima, id: ID}"},
    {"name: m\nnetworks: [asia, {network: alarm, id: asia}]\n" DATA LEARNERS,
     "the network 'asia' stands here a second"},
    {"name: m\nnetworks: [{tile: child}]\n" DATA LEARNERS, "x.yaml:2:12: a tiled network needs 'tile'"},
    {"name: m\nnetworks: [{tile: child, copies: 1}]\n" DATA LEARNERS,
     "copies is '1'; it must be a whole number from 2"},
    {"name: m\nnetworks: [{tile: child, copies: 3, arc: 4}]\n" DATA LEARNERS, "unknown key 'arc' in a tiled network"},
    {"name: m\nnetworks: [{tile: asia, copies: 3}]\n" DATA LEARNERS,
     "x.yaml:2:12: the catalogue knows no 'asia3'; give 'arcs'"},
    {"name: m\nnetworks: [{tile: child3, copies: 3}]\n" DATA LEARNERS, "'child3' is tiled already"},
    /* learners */
    {HEAD DATA "learners: []\n", "learners is an empty list"},
    {HEAD DATA "learners: [hcc]\n", "x.yaml:4:12: unknown learner 'hcc'; did you mean 'hc'?"},
    {HEAD DATA "learners: [hc, hc]\n", "x.yaml:4:16: the learner id 'hc' stands here a second time"},
    {HEAD DATA "learners: [{learner: hc, es: 3}]\n", "x.yaml:4:26: unknown option 'es'; did you mean 'ess'?"},
    {HEAD DATA "learners: [{learner: hc, ess: -3}]\n", "x.yaml:4:31: ess is -3; it must lie in"},
    {HEAD DATA "learners: [{learner: hc, ess: x}]\n", "ess is 'x'; it must be a number"},
    {HEAD DATA "learners: [{learner: hc, ess: [1, x]}]\n", "x.yaml:4:35: ess is 'x'"},
    {HEAD DATA "learners: [{learner: hc, ess: []}]\n", "ess is an empty list"},
    {HEAD DATA "learners: [{learner: hc, score: bdu}]\n", "score is 'bdu'; it must be one of"},
    {HEAD DATA "learners: [{learner: hc, command: [x]}]\n", "either 'learner' or 'command'"},
    {HEAD DATA "learners: [{id: x}]\n", "either 'learner' or 'command'"},
    {HEAD DATA "learners: [{id: x, best_of: [hc, gts]}]\n", "x.yaml:4:12: best_of needs 'by', the metric"},
    {HEAD DATA "learners: [{command: [x]}]\n", "an external learner needs an 'id'"},
    {HEAD DATA "learners: [{id: x, command: []}]\n", "command must be a list"},
    {HEAD DATA "learners: [{id: x, command: 'rm -rf'}]\n", "command must be a list"},
    {HEAD DATA "learners: [{id: x, command: [x, [y]]}]\n", "each word of a command must be a text"},
    {HEAD DATA "learners: [{id: x, command: [x, '{dat}']}]\n", "unknown placeholder '{dat}'; did you mean '{data}'?"},
    {HEAD DATA "learners: [{id: x, command: [x], returns: tree}]\n", "returns is 'tree'"},
    {HEAD DATA "learners: [{id: x, command: [x], ess: 4}]\n", "unknown key 'ess' in an external learner"},
    {HEAD DATA "learners: [{id: \"a\\tb\", learner: hc}]\n", "control character"},
    /* metrics, tables, plots */
    {HEAD DATA LEARNERS "metrics: [shdd]\n", "x.yaml:5:11: unknown metric 'shdd'; did you mean 'shd'?"},
    {HEAD DATA LEARNERS "metrics: [shd, shd]\n", "the metric 'shd' stands here a second time"},
    {HEAD "data: {samples: 5, test_samples: 0}\n" LEARNERS "metrics: [bdeu_test]\n",
     "bdeu_test needs test rows; data.test_samples is 0"},
    {HEAD DATA LEARNERS "tables: [{id: t}]\n", "x.yaml:5:10: a table of kind metric needs 'metric', what is shown"},
    {HEAD DATA LEARNERS "tables: [t]\n", "x.yaml:5:10: a table is a mapping with an 'id'"},
    {HEAD DATA LEARNERS "plots: [{id: p}]\n", "a plot is a mapping with an 'id' and a 'kind' (scatter|line|"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: box, y: shd, style: {}}]\n", "style is empty; it must have 'width'"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: box, y: shd, style: {widht: 300}}]\n",
     "x.yaml:5:44: unknown key 'widht' in style; did you mean 'width'?"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: box, y: shd, lerners: hc}]\n",
     "unknown key 'lerners' in a plot of kind box; did you mean 'learners'?"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: sdh}]\n", "x.yaml:5:26: unknown metric 'sdh'"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd, normalise_by: gts}]\n",
     "x.yaml:5:45: normalise_by is 'gts', which is no learner of this experiment; known: hc"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd, rows: learner}]\n",
     "rows and columns of this table are both learner"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd, rows: sample}]\n",
     "rows is 'sample'; it must be one of samples|network|learner"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd, published: ../x.csv}]\n", "published is '../x.csv'"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd, decimals: 11}]\n", "decimals is '11'"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd}, {id: t, metric: time}]\n",
     "x.yaml:5:37: the id 't' stands here a second time"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: pie, y: shd}]\n", "kind is 'pie'; it must be one of scatter|line"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: scatter, y: shd}]\n", "a plot of kind scatter needs 'x', a metric"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: line, x: time, y: shd}]\n",
     "x is 'time'; it must be one of samples|sigma"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: line, y: shd, log_y: 1}]\n", "log_y is '1'; it must be true or false"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd}]\nplots: [{id: t, kind: line, y: shd}]\n",
     "the id 't' stands here a second time"},
    /* networks by name; drawings */
    {HEAD DATA "learners: [{learner: hc, networks: asa}]\n",
     "networks names 'asa', which is no network of this experiment; did you mean 'asia'?"},
    {HEAD DATA "learners: [{learner: hc, networks: []}]\n", "x.yaml:4:"},
    {"name: m\nnetworks: [asia, child]\n" DATA
     "learners: [{learner: hc, networks: asia}, {learner: or, budget: {of: hc}}]\n",
     "the budget depends on 'hc', which does not run on child"},
    {HEAD DATA LEARNERS "tables: [{id: t, metric: shd, networks: child}]\n", "'child', which is no network"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: network, network: asia}]\n",
     "a plot of kind network needs 'learner', whose graph"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: network, network: asia, learner: hc, samples: 5}]\n",
     "samples is 5, which is no sample size of this experiment"},
    {HEAD "data: {samples: [100, 200]}\n" LEARNERS "plots: [{id: p, kind: network, network: asia, learner: hc}]\n",
     "the experiment has several sample sizes"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: network, network: asia, learner: hc, radius: 2}]\n",
     "a radius needs a 'target'"},
    {HEAD DATA LEARNERS "plots: [{id: p, kind: network, network: asia, learner: hc, x: shd}]\n", "unknown key 'x'"},
    /* profiles */
    {HEAD DATA LEARNERS "profiles: [quick]\n", "x.yaml:5:11: profiles must be a mapping"},
    {HEAD DATA LEARNERS "profiles: {quick: 3}\n", "the profile 'quick' must be a mapping"},
    {HEAD DATA LEARNERS "profiles:\n  quick: {dat: {samples: 3}}\n",
     "x.yaml:6:11: unknown key 'dat' in the experiment; did you mean 'data'?"},
    {HEAD DATA LEARNERS "profiles:\n  quick: {learners: [x]}\n", "x.yaml:6:22: unknown learner 'x'"},
};

static void a_mistake_is_named_with_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        experiment e = {0};
        error_info err = {0};
        status st = parse(mistakes[i].text, &e, &err);
        if (st != STATUS_PARSE || !strstr(err.message, mistakes[i].message) || strncmp(err.message, "x.yaml:", 7) != 0)
            fail_msg("%s\ngave %s '%s'\nand not '%s'", mistakes[i].text, status_name(st), err.message,
                     mistakes[i].message);
        assert_null(e.declaration); /* untouched */
    }
}

static void a_network_that_nobody_has_is_an_error_of_the_file(void **state) {
    (void)state;
    char *path = write_file("e.yaml", "name: m\nnetworks:\n  - asia\n  - chidl\n" DATA LEARNERS);
    experiment e = {0};
    error_info err = {0};
    assert_int_equal(experiment_read(path, NULL, NULL, 0, &e, &err), STATUS_PARSE);
    assert_message_has(&err, "e.yaml:4:5: unknown network 'chidl'; did you mean 'child'?");
    free(path);
    path = write_file("e.yaml", "name: m\nnetworks: ['my nets/nöt there.bif']\n" DATA LEARNERS);
    assert_int_equal(experiment_read(path, NULL, NULL, 0, &e, &err), STATUS_PARSE);
    assert_message_has(&err, "e.yaml:2:12: there is no file ");
    free(path);
}

static void a_path_of_a_network_is_relative_to_the_file(void **state) {
    (void)state;
    char *path = write_file("e x.yaml", "name: m\nnetworks: ['Größe 1.bif']\n" DATA LEARNERS);
    char *folder = text_copy_n(path, strlen(path) - strlen("/e x.yaml")), *net = path_join(folder, "Größe 1.bif");
    experiment e = {0};
    error_info err = {0};
    assert_ok(file_write(net, "x", 1, &err), &err);
    assert_ok(experiment_read(path, NULL, NULL, 0, &e, &err), &err);
    assert_string_equal(e.outputs.networks[0], "Größe 1");
    assert_string_equal(e.sources[0].source, net);
    assert_string_equal(e.folder, folder);
    experiment_clear(&e);
    free(path);
    free(folder);
    free(net);
}

static const char with_profiles[] = "name: p\n"
                                    "networks: [asia, child]\n"
                                    "data: {samples: [100, 200], replicates: 9}\n"
                                    "learners: [hc]\n"
                                    "limits: {time: 1h, memory: 1GiB}\n"
                                    "profiles:\n"
                                    "  quick: {networks: [alarm], data: {samples: [10]}, limits: {time: none}}\n"
                                    "  slow: {data: {replicates: 100}}\n";

static void a_profile_merges_mappings_and_replaces_the_rest(void **state) {
    (void)state;
    char *path = write_file("p.yaml", with_profiles);
    experiment e = {0};
    error_info err = {0};
    assert_ok(experiment_read(path, "quick", NULL, 0, &e, &err), &err);
    assert_int_equal(e.outputs.n_networks, 1);
    assert_string_equal(e.outputs.networks[0], "alarm");
    assert_int_equal(e.outputs.n_sizes, 1);
    assert_int_equal(e.outputs.n_replicates, 9);
    assert_close(e.time_limit_s, 0, 0);
    assert_int_equal(e.memory_limit_bytes, 1 << 30);
    experiment_clear(&e);
    assert_ok(experiment_read(path, NULL, NULL, 0, &e, &err), &err);
    assert_int_equal(e.outputs.n_networks, 2);
    assert_close(e.time_limit_s, 3600, 0);
    experiment_clear(&e);
    assert_int_equal(experiment_read(path, "qick", NULL, 0, &e, &err), STATUS_PARSE);
    assert_message_has(&err, "p.yaml:7:3: there is no profile 'qick'; did you mean 'quick'?");
    assert_int_equal(experiment_read(path, "nightly", NULL, 0, &e, &err), STATUS_PARSE);
    assert_message_has(&err, "there is no profile 'nightly'; known: quick, slow");
    free(path);
}

static void an_override_sets_one_value(void **state) {
    (void)state;
    static const char *const sets[] = {"data.replicates=2", "learners=[hc, {learner: gts, tabu: 7}]", "seed=99",
                                       "limits.memory=none", "title=Ärger: no"};
    char *path = write_file("p.yaml", with_profiles);
    experiment e = {0};
    error_info err = {0};
    assert_int_equal(experiment_read(path, NULL, sets, 5, &e, &err), STATUS_PARSE); /* a mapping inside a title */
    assert_message_has(&err, "--set title:1:");
    assert_ok(experiment_read(path, "quick", sets, 4, &e, &err), &err);
    assert_int_equal(e.outputs.n_replicates, 2);
    assert_int_equal(e.outputs.n_sizes, 1); /* the profile's */
    assert_int_equal(e.n_variants, 2);
    assert_int_equal(e.seed, 99);
    assert_int_equal(e.memory_limit_bytes, 0);
    experiment_clear(&e);
    free(path);
}

static void a_wrong_override_is_named(void **state) {
    (void)state;
    static const mistake wrong[] = {
        {"replicates", "--set replicates: write key=value"},
        {"=3", "write key=value"},
        {"data.replicates=x", "--set data.replicates:1:1: replicates is 'x'"},
        {"data.replicas=3", "--set data.replicas:1:1: unknown key 'replicas' in data; did you mean 'replicates'?"},
        {"learners=[hc, hx]", "--set learners:1:6: unknown learner 'hx'"},
        {"name.x=3", "name is a mapping"},
        {"profiles.x=3", "unknown key 'profiles'"},
        {"data..x=3", "unknown key '' in data"},
        {"seed=[", "--set seed:2:1: this is not YAML"},
    };
    char *path = write_file("p.yaml", with_profiles);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        experiment e = {0};
        error_info err = {0};
        assert_int_equal(experiment_read(path, NULL, &wrong[i].text, 1, &e, &err), STATUS_PARSE);
        assert_message_has(&err, wrong[i].message);
    }
    free(path);
}

static void assert_same_experiment(const experiment *a, const experiment *b) {
    assert_string_equal(a->declaration, b->declaration);
    assert_string_equal(a->folder, b->folder);
    assert_int_equal(a->n_variants, b->n_variants);
    for (size_t i = 0; i < a->n_variants; i++)
        assert_string_equal(a->variants[i].id, b->variants[i].id);
    assert_int_equal(a->outputs.n_networks, b->outputs.n_networks);
    assert_int_equal(a->parts.n, b->parts.n);
    assert_int_equal(a->outputs.n_replicates, b->outputs.n_replicates);
    assert_close(a->time_limit_s, b->time_limit_s, 0);
}

static void the_stored_declaration_gives_the_same_experiment(void **state) {
    (void)state;
    char *path;
    experiment a = {0}, b = {0};
    error_info err = {0};
    path = write_file("d.yaml", "name: \"no\"\n"
                                "title: \"yes: 'quoted' # \\u00e4\"\n"
                                "networks: ['asia']\n"
                                "data: {samples: [100]}\n"
                                "learners:\n"
                                "  - {id: 'x y', command: [a, '', '1', \"{data}\", 'a: b', '~', \"two\\nlines\"]}\n"
                                "  - hc\n"
                                "profiles: {quick: {data: {replicates: 4}, limits: {time: 5s}}}\n");
    assert_ok(experiment_read(path, "quick", NULL, 0, &a, &err), &err);
    assert_null(strstr(a.declaration, "profiles"));
    assert_ok(experiment_parse(a.declaration, strlen(a.declaration), "stored", &b, &err), &err);
    assert_same_experiment(&a, &b);
    for (size_t i = 0; a.variants[0].command[i]; i++)
        assert_string_equal(a.variants[0].command[i], b.variants[0].command[i]);
    assert_string_equal(b.outputs.title, "yes: 'quoted' # ä");
    experiment_clear(&a);
    experiment_clear(&b);
    free(path);
}

/* Bytes of a declaration changed at random: whatever comes, it comes soon. */
static void garbage_is_refused_without_harm(void **state) {
    (void)state;
    static const char pieces[] = "[]{}:,-&*!|>'\"%@#?\n\t \\0~19azé\xff\x80";
    random_stream random;
    size_t length = strlen(with_profiles);
    char *text = malloc(length + 64);
    clock_t began = clock();
    random_stream_init(&random, random_key_of(42));
    for (int round = 0; round < 3000; round++) {
        size_t n = length;
        experiment e = {0};
        error_info err = {0};
        memcpy(text, with_profiles, length);
        for (size_t k = 1 + random_below(&random, 8); k > 0; k--)
            text[random_below(&random, n)] = pieces[random_below(&random, sizeof pieces - 1)];
        if (random_below(&random, 4) == 0)
            n = (size_t)random_below(&random, n);
        if (experiment_parse(text, n, "x.yaml", &e, &err) == STATUS_OK)
            experiment_clear(&e);
        else {
            assert_int_equal(err.code, STATUS_PARSE);
            assert_that(strlen(err.message), >, 0);
        }
    }
    assert_between((double)(clock() - began) / CLOCKS_PER_SEC, 0, 60);
    free(text);
}

/* Texts made to be slow: deep, wide, long keys. */
static void a_hostile_text_is_refused_soon(void **state) {
    (void)state;
    static const char *const openings[] = {
        "[", "{", "- ", "? ", "a: [", "{a: ", "[a, ", "- - ", "\"", "&a [*a,", "|\n ", "!"};
    size_t size = 1000000;
    char *text = malloc(size + 16);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        size_t n = strlen(openings[i]);
        experiment e = {0};
        error_info err = {0};
        clock_t began = clock();
        for (size_t at = 0; at < size; at += n)
            memcpy(text + at, openings[i], n);
        assert_int_equal(experiment_parse(text, size, "x.yaml", &e, &err), STATUS_PARSE);
        print_message("  '%s' again and again\n", openings[i]);
        assert_between((double)(clock() - began) / CLOCKS_PER_SEC, 0, 10);
    }
    free(text);
}

static void too_many_keys_are_refused_soon(void **state) {
    (void)state;
    text_buffer text = {0};
    experiment e = {0};
    error_info err = {0};
    for (int i = 0; i < 60000; i++)
        text_append_format(&text, "k%d: 1\n", i);
    assert_int_equal(experiment_parse(text.data, text.length, "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "x.yaml:201:1: more than 200 keys");
    text_buffer_clear(&text);
    for (int i = 0; i < 200000; i++)
        text_append(&text, "- 1\n");
    assert_int_equal(experiment_parse(text.data, text.length, "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "more than 50000 values");
    text_buffer_clear(&text);
    for (int i = 0; i < 300000; i++)
        text_append(&text, "# long\n");
    assert_int_equal(experiment_parse(text.data, text.length, "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "bytes; an experiment has");
    text_buffer_clear(&text);
}

static void the_experiments_that_ship_are_right(void **state) {
    (void)state;
    static const char *const names[] = {"experiments/quickstart.yaml", "experiments/brown2005.yaml",
                                        "experiments/tsamardinos2003.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        experiment e = {0};
        error_info err = {0};
        assert_ok(experiment_read(source_path(names[i]), "quick", NULL, 0, &e, &err), &err);
        experiment_clear(&e);
        assert_ok(experiment_read(source_path(names[i]), NULL, NULL, 0, &e, &err), &err);
        assert_that(part_list_count(&e.parts, PART_TABLE), >=, 3);
        assert_that(part_list_count(&e.parts, PART_PLOT), >=, 1);
        experiment_clear(&e);
    }
}

static void a_file_that_is_not_there_is_missing(void **state) {
    (void)state;
    experiment e = {0};
    error_info err = {0};
    assert_int_equal(experiment_read("/nowhere/x.yaml", NULL, NULL, 0, &e, &err), STATUS_MISSING);
    assert_message_has(&err, "/nowhere/x.yaml");
}

static void every_metric_is_found_by_a_name_of_its_own(void **state) {
    (void)state;
    const metric_info *m;
    for (size_t i = 0; (m = metric_at(i)); i++) {
        assert_ptr_equal(metric_find(m->name), m); /* no name twice */
        assert_true(strlen(m->summary) > 0);
        assert_true(m->needs_truth || !m->of_distance);
    }
    assert_null(metric_find("nothing"));
    assert_string_equal(metric_suggest("bdeu_tets"), "bdeu_test");
}

/* A profile names the folder of its store, and a network stands in every result. */
static void names_that_lead_elsewhere_or_cannot_be_printed_are_refused(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {{"name: a\nnetworks: [asia]\ndata: {samples: 9}\nlearners: [hc]\nprofiles: {../../../up: {seed: 1}}\n",
                  "the name of a profile is '../../../up'"},
                 {"name: a\nnetworks: [asia]\ndata: {samples: 9}\nlearners: [hc]\nprofiles: {.: {seed: 1}}\n",
                  "the name of a profile is '.'"},
                 {"name: a\nnetworks: [\"as\\x01ia.bif\"]\ndata: {samples: 9}\nlearners: [hc]\n",
                  "a network holds a control character"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        experiment e = {0};
        error_info err = {0};
        assert_int_equal(experiment_parse(cases[i].text, strlen(cases[i].text), "x.yaml", &e, &err), STATUS_PARSE);
        assert_message_has(&err, cases[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_has_a_default),
        cmocka_unit_test(a_network_may_have_another_name),
        cmocka_unit_test(every_key_lands_where_it_belongs),
        cmocka_unit_test(a_list_of_values_is_a_sweep),
        cmocka_unit_test(a_mistake_is_named_with_its_place),
        cmocka_unit_test(a_network_that_nobody_has_is_an_error_of_the_file),
        cmocka_unit_test(a_path_of_a_network_is_relative_to_the_file),
        cmocka_unit_test(a_profile_merges_mappings_and_replaces_the_rest),
        cmocka_unit_test(an_override_sets_one_value),
        cmocka_unit_test(a_wrong_override_is_named),
        cmocka_unit_test(the_stored_declaration_gives_the_same_experiment),
        cmocka_unit_test(garbage_is_refused_without_harm),
        cmocka_unit_test(a_hostile_text_is_refused_soon),
        cmocka_unit_test(too_many_keys_are_refused_soon),
        cmocka_unit_test(the_experiments_that_ship_are_right),
        cmocka_unit_test(a_file_that_is_not_there_is_missing),
        cmocka_unit_test(every_metric_is_found_by_a_name_of_its_own),
        cmocka_unit_test(names_that_lead_elsewhere_or_cannot_be_printed_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
