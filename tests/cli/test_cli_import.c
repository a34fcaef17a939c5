/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations of Benchpress, written here in the form of its schemas, become experiments that can be planned. */
#include "tests/support/cli_support.h"

#include <string.h>

/* A configuration of one setup: its data entries, its evaluation, its algorithms. */
static const char *write_config(const char *data, const char *evaluation, const char *algorithms) {
    char text[8000];
    int n = snprintf(text, sizeof text,
                     "{\"benchmark_setup\": [{\"title\": \"small\", \"data\": [%s], \"evaluation\": {%s}}],\n"
                     " \"resources\": {\n"
                     "  \"data\": {\"iid\": [{\"id\": \"sizes\", \"standardized\": true, \"n\": [200, 100]},\n"
                     "                       {\"id\": \"one\", \"standardized\": false, \"sample_sizes\": 50}]},\n"
                     "  \"graph\": {\"pcalg_randdag\": [{\"id\": \"er\", \"n\": 20, \"d\": 4}]},\n"
                     "  \"parameters\": {\"sem_params\": [{\"id\": \"sem\", \"min\": 0.25, \"max\": 1}]},\n"
                     "  \"structure_learning_algorithms\": {%s}}}\n",
                     data, evaluation, algorithms);
    assert_true(n > 0 && (size_t)n < sizeof text);
    return write_file("config.json", text);
}

#define ASIA                                                                                                           \
    "{\"graph_id\": \"asia.csv\", \"parameters_id\": \"bn.fit_networks/asia.rds\", \"data_id\": \"sizes\", "           \
    "\"seed_range\": [3, 7]}"
#define HC                                                                                                             \
    "\"bnlearn_hc\": [{\"id\": \"hc-bde\", \"score\": \"bde\", \"iss\": 1, \"restart\": 0, \"prior\": \"uniform\"}]"

/* Imports config.json, which must end with this status; cli_out has the experiment. */
static void assert_imports(int expected) {
    assert_status(expected, "import", "benchpress", in_folder("config.json"));
}

/* The experiment in cli_out is planned: cli_out has the plan. */
static void assert_is_planned(void) {
    (void)write_file("imported.yaml", cli_out);
    assert_status(0, "run", in_folder("imported.yaml"), "--store", in_folder("store"), "--dry-run");
}

static void what_has_a_counterpart_comes_whole(void **state) {
    (void)state;
    write_config(ASIA, "", HC);
    assert_imports(0);
    assert_string_equal(cli_errors, "");
    assert_text_has(cli_out, "name: \"config\"\ntitle: \"small\"\n");
    assert_text_has(cli_out, "data: {samples: [100, 200], replicates: 5, test_samples: 0}");
    assert_text_has(cli_out, "{id: \"hc-bde\", learner: hc, score: {name: bdeu, ess: 1}}");
    assert_is_planned();
    assert_text_has(cli_out, "10 cells of 1 network, 2 sample sizes, 5 replicates, 1 learner");
}

static void lists_of_values_become_learners(void **state) {
    (void)state;
    write_config(
        ASIA, "",
        "\"pcalg_pc\": [{\"id\": \"pc\", \"alpha\": [0.01, 0.05], \"indepTest\": \"disCItest\", "
        "\"mmax\": \"Inf\", \"skelmethod\": [\"stable\", \"original\"], \"majrule\": true, \"u2pd\": \"relaxed\"}]");
    assert_imports(1);
    assert_text_has(cli_out,
                    "\"pc:alpha=0.01:skelmethod=stable\", learner: pc-stable, alpha: 0.01, colliders: majority");
    assert_text_has(cli_out, "\"pc:alpha=0.05:skelmethod=original\", learner: pc, alpha: 0.05");
    assert_is_planned();
    assert_text_has(cli_out, "4 learners");
}

/* Each algorithm, and what must come of it. */
static void algorithms_become_learners(void **state) {
    static const struct {
        const char *algorithm, *learner;
    } cases[] = {
        {"\"hc\": [{\"id\": \"a\", \"score\": \"k2\"}]", "learner: hc, score: k2}"},
        {"\"bnlearn_hc\": [{\"id\": \"a\", \"score\": \"bic\", \"k\": null}]", "learner: hc, score: bic}"},
        {"\"bnlearn_hc\": [{\"id\": \"a\", \"score\": \"bic\", \"k\": 1}]", "learner: hc, score: aic}"},
        {"\"bnlearn_tabu\": [{\"id\": \"a\", \"score\": \"bde\", \"iss\": 0.5}]",
         "learner: gts, tabu: 10, patience: 10, score: {name: bdeu, ess: 0.5}}"},
        {"\"bnlearn_mmhc\": [{\"id\": \"a\", \"alpha\": 0.01, \"test\": \"mi\", \"score\": \"bde\", \"iss\": 2}]",
         "learner: mmhc, maxk: -1, phase2: hc, alpha: 0.01, test: {name: g2, df: full, min_rows: 0}, "
         "score: {name: bdeu, ess: 2}}"},
        {"\"bnlearn_mmpc\": [{\"id\": \"a\", \"alpha\": 0.02, \"test\": \"x2\"}]",
         "learner: mmpc, maxk: -1, alpha: 0.02, test: {name: x2, df: full, min_rows: 0}}"},
        {"\"bnlearn_pcstable\": [{\"id\": \"a\", \"alpha\": 0.02, \"test\": \"mi-adf\", \"maxsx\": 2}]",
         "learner: pc-stable, maxk: 2, alpha: 0.02, test: {name: g2, df: adj, min_rows: 0}}"},
        {"\"tetrad_fges\": [{\"id\": \"a\", \"score\": \"bdeu-score\", \"samplePrior\": 3}]",
         "learner: ges, score: {name: bdeu, ess: 3}}"},
        {"\"fges\": [{\"id\": \"a\", \"score\": \"bdeu\", \"samplePrior\": 3}]", "score: {name: bdeu, ess: 3}}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_config(ASIA, "", cases[i].algorithm);
        (void)cli_call("import", "benchpress", in_folder("config.json"));
        assert_text_has(cli_out, cases[i].learner);
        assert_is_planned();
    }
}

static void continuous_networks_and_scores(void **state) {
    (void)state;
    assert_status(0, "sample", "asia", "-n", "200", "--continuize", "sigma=0.35", "-o", in_folder("noisy.csv"));
    assert_status(0, "fit", "asia", in_folder("noisy.csv"), "-o", in_folder("normal.json"));
    write_config(
        "{\"graph_id\": \"g.csv\", \"parameters_id\": \"normal.rds\", \"data_id\": \"sizes\", \"seed_range\": null}",
        "",
        "\"bnlearn_hc\": [{\"id\": \"bge\", \"score\": \"bge\", \"iss\": 1, \"issmu\": 0.5, \"issw\": null}],"
        "\"tetrad_fges\": [{\"id\": \"sem\", \"score\": \"sem-bic-score\", \"penaltyDiscount\": [1, 2]}],"
        "\"pcalg_pc\": [{\"id\": \"pc\", \"alpha\": 0.01, \"indepTest\": \"gaussCItest\"}]");
    assert_int_equal(0, cli_call_shell("cd \"$1\" && export BNBENCH_NETWORKS=\"$1\"\n"
                                       "\"$0\" import benchpress config.json -o it.yaml 2>said; test $? = 1 || exit 9\n"
                                       "\"$0\" run it.yaml --dry-run && cat it.yaml said"));
    assert_text_has(cli_out, "learner: hc, score: {name: bge, am: 0.5}}");
    assert_text_has(cli_out, "{id: \"sem:penaltyDiscount=1\", learner: ges, score: bic-g}");
    assert_text_has(cli_out, "tetrad_fges[0]:penaltyDiscount=2: BIC with a penalty discount of 2 is none of bnbench");
    assert_text_has(cli_out, "{id: \"pc\", learner: pc-stable, alpha: 0.01, conflicts: last, test: zf}");
    assert_text_has(cli_out, "benchmark_setup[0].data[0]: columns are standardized there");
}

static void every_loss_is_said_with_its_path_on_both_streams(void **state) {
    static const char *const losses[] = {
        "benchmark_setup[0].data[1]: 'sem' is drawn at random (sem_params), and bnbench draws no parameters of a graph",
        "benchmark_setup[0].data[2]: there is no network 'zoo' on this computer",
        "benchmark_setup[0].data[3]: data of a file, all of whose rows are taken, need an experiment of their own",
        "benchmark_setup[0].data[4]: every network of an experiment has all its sample sizes",
        "benchmark_setup[0].data[4]: every network of an experiment has as many replicates",
        "resources.structure_learning_algorithms.bnlearn_hc[0]:restart=3: hc of bnbench does not start again",
        "resources.structure_learning_algorithms.bnlearn_gs[0]: no learner of bnbench does the same; --adapters",
        "resources.structure_learning_algorithms.gobnilp[0]: neither a learner of bnbench nor an adapter",
        "resources.structure_learning_algorithms.bnlearn_mmpc[0]: learners take no required or forbidden arcs",
        "resources.structure_learning_algorithms.bnlearn_pcstable[0].undirected: the learner is imported without",
        "resources.structure_learning_algorithms: there is no 'nobody'",
        "resources.structure_learning_algorithms: the time limit (timeout) of some algorithms",
        "benchmark_setup[0].evaluation.benchmarks.errorbar: plots are drawn otherwise",
        "benchmark_setup[0].evaluation.ggally_ggpairs: bnbench has no such evaluation",
        "benchmark_setup[0].evaluation.graph_plots.adjmats: ",
    };
    (void)state;
    write_config(
        ASIA ", {\"graph_id\": \"er\", \"parameters_id\": \"sem\", \"data_id\": \"sizes\", \"seed_range\": [1, 5]},"
             "{\"graph_id\": \"zoo.csv\", \"parameters_id\": \"zoo.rds\", \"data_id\": \"sizes\"},"
             "{\"graph_id\": \"g.csv\", \"parameters_id\": null, \"data_id\": \"mine.csv\"},"
             "{\"graph_id\": \"survey.csv\", \"parameters_id\": \"survey.rds\", \"data_id\": \"one\"}",
        "\"benchmarks\": {\"ids\": [\"hc\", \"gs\", \"gob\", \"mmpc\", \"pcs\", \"nobody\"], \"errorbar\": true, "
        "\"path\": false}, \"ggally_ggpairs\": true, \"graph_true_plots\": false, \"mcmc_traj_plots\": [], "
        "\"mcmc_heatmaps\": [{\"id\": \"left\", \"active\": false}], "
        "\"graph_plots\": {\"ids\": [\"hc\"], \"diffplots\": true, \"adjmats\": true}",
        "\"bnlearn_hc\": [{\"id\": \"hc\", \"score\": \"bde\", \"restart\": [0, 3], \"timeout\": 60}],"
        "\"bnlearn_gs\": [{\"id\": \"gs\", \"alpha\": 0.05, \"test\": \"mi\"}],"
        "\"gobnilp\": [{\"id\": \"gob\", \"palim\": 3}, {\"id\": \"left\"}],"
        "\"bnlearn_mmpc\": [{\"id\": \"mmpc\", \"alpha\": 0.05, \"test\": \"mi\", \"edgeConstraints\": \"e.json\"}],"
        "\"bnlearn_pcstable\": [{\"id\": \"pcs\", \"alpha\": 0.05, \"test\": \"mi\", \"undirected\": true}]");
    assert_imports(1);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        assert_text_has(cli_errors, losses[i]);
        assert_text_has(cli_out, losses[i]);
    }
    assert_text_lacks(cli_out, "left");
    assert_text_lacks(cli_out, "limits");
    assert_text_has(cli_out, "kind: network, network: \"survey\", learner: \"hc:restart=0\", samples: 200}");
    assert_is_planned();
    assert_text_has(cli_out, "60 cells of 2 networks, 3 sample sizes, 5 replicates, 2 learners");
}

static void programs_learn_by_their_adapters(void **state) {
    (void)state;
    write_config(
        ASIA, "",
        HC ", \"bnlearn_gs\": [{\"id\": \"gs\", \"alpha\": 0.05, \"test\": \"mi\", \"maxsx\": null}],"
           "\"bnlearn_mmhc\": [{\"id\": \"mmhc\", \"alpha\": 0.05, \"test\": \"mi\", \"score\": \"bde\", \"iss\": 1}],"
           "\"pcalg_pc\": [{\"id\": \"pc\", \"alpha\": 0.01, \"indepTest\": \"disCItest\", \"conservative\": false}],"
           "\"tetrad_boss\": [{\"id\": \"boss\", \"score\": \"bdeu-score\", \"samplePrior\": 1, \"useBes\": true}],"
           "\"causallearn_grasp\": [{\"id\": \"grasp\", \"maxP\": 2}]");
    assert_status(0, "import", "benchpress", in_folder("config.json"), "--adapters", "-q");
    assert_text_has(cli_out,
                    "[Rscript, --vanilla, learn_bnlearn.R, \"{data}\", \"{graph}\", hc, \"score=bde\", \"iss=1\"]");
    assert_text_has(cli_out, "learn_bnlearn.R, \"{data}\", \"{graph}\", gs, \"alpha=0.05\", \"test=mi\"]");
    assert_text_has(cli_out, "learn_pcalg.R, \"{data}\", \"{graph}\", pc, \"alpha=0.01\", \"conservative=FALSE\"]");
    assert_text_has(cli_out, "[java, LearnTetrad.java, \"{data}\", \"{graph}\", Boss, \"score=BdeuScore\", "
                             "\"priorEquivalentSampleSize=1\", \"useBes=true\"]");
    assert_text_has(cli_out, "[python3, learn_causal_learn.py, \"{data}\", \"{graph}\", grasp, \"maxP=2\"]");
    assert_text_has(cli_out, "{id: \"mmhc\", learner: mmhc");
}

static void real_data_are_taken_whole(void **state) {
    (void)state;
    write_config("{\"graph_id\": \"g.csv\", \"parameters_id\": null, \"data_id\": \"mine.csv\", \"seed_range\": null}",
                 "", HC);
    assert_status(0, "sample", "asia", "-n", "50", "-o", in_folder("mine.csv"));
    assert_int_equal(
        0, cli_call_shell("cd \"$1\" && export BNBENCH_DATASETS=\"$1\"\n"
                          "\"$0\" import benchpress config.json -o it.yaml && \"$0\" run it.yaml --dry-run &&\n"
                          "cat it.yaml"));
    assert_text_has(cli_out, "- {dataset: \"mine\"}\n\ndata: {samples: all, replicates: 1, test_samples: 0}");
}

static void one_of_several_setups(void **state) {
    (void)state;
    write_file("config.json",
               "{\"benchmark_setup\": [{\"title\": \"first\", \"data\": [], \"evaluation\": {}},"
               "{\"title\": \"second\", \"data\": [" ASIA "], \"evaluation\": {}}],"
               "\"resources\": {\"data\": {\"standard_sampling\": [{\"id\": \"sizes\", \"sample_sizes\": [100]}]},"
               "\"structure_learning_algorithms\": {" HC "}}}");
    assert_status(1, "import", "benchpress", in_folder("config.json"), "--setup", "second");
    assert_text_has(cli_errors, "benchmark_setup[0]: another setup; --setup 1 imports it");
    assert_is_planned();
    assert_status(1, "import", "benchpress", in_folder("config.json"), "--setup", "2", "-o", in_folder("2.yaml"),
                  "--json");
    json_t *answer = parse_answer();
    assert_true(number_at(answer, "networks") == 1 && number_at(answer, "learners") == 1);
    assert_int_equal(json_array_size(json_object_get(answer, "losses")), 1);
    json_decref(answer);
    assert_status(3, "import", "benchpress", in_folder("config.json"));
    assert_text_has(cli_errors, "no network of the configuration has a counterpart");
    assert_string_equal(cli_out, "");
    assert_status(3, "import", "benchpress", in_folder("config.json"), "--setup", "third");
    assert_text_has(cli_errors, "there is no setup 'third': there are 2");
}

static void odd_names_make_no_odd_files(void **state) {
    (void)state;
    write_config(ASIA, "", "\"bnlearn_hc\": [{\"id\": \"a\\\"} b\\n#\\u00e9: &x\", \"score\": \"bde\"}]");
    assert_imports(0);
    assert_is_planned();
    assert_text_has(cli_out, "a---b----:--x");
    write_config(ASIA, "", HC ", \"gob\\nname: evil\\u0007\": [{\"id\": \"b\"}]");
    assert_imports(1);
    assert_text_has(cli_out, "gob?name: evil?[0]");
    assert_is_planned();
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    assert_status(4, "import", "benchpress", in_folder("none.json"));
    write_file("config.json", "{\"benchmark_setup\": ");
    assert_imports(3);
    assert_text_has(cli_errors, "config.json: 1:");
    write_file("config.json", "{\"name\": 1}");
    assert_imports(3);
    assert_text_has(cli_errors, "'benchmark_setup' and 'resources'");
    assert_status(2, "import", "slurm", in_folder("config.json"));
    assert_text_has(cli_errors, "there is benchpress");
    write_config(ASIA, "", "\"bnlearn_hc\": [{\"id\": \"a\", \"score\": \"bde\", \"iss\": -1}]");
    assert_imports(3);
    assert_text_has(cli_errors, "ess");
    write_config(ASIA, "", HC);
    write_file("there.yaml", "");
    assert_status(2, "import", "benchpress", in_folder("config.json"), "-o", in_folder("there.yaml"));
    assert_status(0, "import", "benchpress", in_folder("config.json"), "-o", in_folder("there.yaml"), "--force");
    assert_text_has(cli_errors, "1 network, 1 learner;");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(what_has_a_counterpart_comes_whole),
        cli_test(lists_of_values_become_learners),
        cli_test(algorithms_become_learners),
        cli_test(continuous_networks_and_scores),
        cli_test(every_loss_is_said_with_its_path_on_both_streams),
        cli_test(programs_learn_by_their_adapters),
        cli_test(real_data_are_taken_whole),
        cli_test(one_of_several_setups),
        cli_test(odd_names_make_no_odd_files),
        cli_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
