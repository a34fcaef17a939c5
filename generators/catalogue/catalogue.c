/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/catalogue.h"

#include <string.h>

#define MUNIN                                                                                                          \
    "Andreassen, Jensen, Andersen, Falck, Kjaerulff, Woldbye, Sorensen, Rosenfalck and Jensen 1989, MUNIN: an expert " \
    "EMG assistant"                                                                                                    \
    ", in Computer-Aided Electromyography and Expert Systems, Elsevier, 255-277"

#define STATNIKOV                                                                                                      \
    "; tiled as in Statnikov, Tsamardinos and Aliferis 2003, An algorithm for generation of large Bayesian "           \
    "networks, Vanderbilt DSL TR-03-01"

/* Figures: nodes, arcs, parameters, least and most states, largest in- and out-degree. */
#define REPOSITORY(id, n, a, p, lo, hi, in, out, cite, digest)                                                         \
    {                                                                                                                  \
        .name = id, .nodes = n, .arcs = a, .parameters = p, .min_states = lo, .max_states = hi, .max_in_degree = in,   \
        .max_out_degree = out, .citation = cite, .url = "https://www.bnlearn.com/bnrepository/" id "/" id ".bif.gz",   \
        .sha256 = digest                                                                                               \
    }

#define TILED(id, n, a, p, lo, hi, in, out, base, k, between, cite)                                                    \
    {                                                                                                                  \
        .name = id, .nodes = n, .arcs = a, .parameters = p, .min_states = lo, .max_states = hi, .max_in_degree = in,   \
        .max_out_degree = out, .citation = cite STATNIKOV, .tile = base, .copies = k, .tile_arcs = between             \
    }

/*
 * Figures and copies: the bnlearn Bayesian Network Repository (M. Scutari, CC BY-SA 3.0) as its files are read today.
 * The digests are those of the unpacked files, as pgmpy/pgmpy has them at commit 94105f10: how a file is packed is not
 * part of it.
 */
static const catalogue_entry entries[] = {
    REPOSITORY("asia", 8, 8, 18, 2, 2, 2, 2,
               "Lauritzen and Spiegelhalter 1988, Local computations with probabilities on graphical structures and "
               "their application to expert systems, J. R. Statist. Soc. B 50(2) 157-224",
               "9f770c96940dc4d860b581602120790ac538983b30b28d38631b8184dc7b5f89"),
    REPOSITORY("cancer", 5, 4, 10, 2, 2, 2, 2,
               "Korb and Nicholson 2010, Bayesian Artificial Intelligence, 2nd edition, CRC Press, section 2.2.2",
               "05d4ea00a758450eed6fe68ea6de4da05ce0e3e919bd3e8ff7f0bc80a1db4b48"),
    REPOSITORY("earthquake", 5, 4, 10, 2, 2, 2, 2,
               "Korb and Nicholson 2010, Bayesian Artificial Intelligence, 2nd edition, CRC Press, section 2.5.1",
               "74dd131e2c6437a39de17f2963d2d16fadd91e70450d1fc20501df05e8dc4f2e"),
    REPOSITORY("sachs", 11, 17, 178, 3, 3, 3, 6,
               "Sachs, Perez, Pe'er, Lauffenburger and Nolan 2005, Causal protein-signaling networks derived from "
               "multiparameter single-cell data, Science 308, 523-529",
               "b7bd3931192f9e529f0f88bba15fca6cc61ba3c805d5c8ae57eba57ed3b332ec"),
    REPOSITORY("survey", 6, 6, 21, 2, 3, 2, 2,
               "Scutari and Denis 2014, Bayesian Networks: with Examples in R, Chapman and Hall, chapter 1",
               "3698ccc0f1f74b9f935617d91989e4cdb39edb5360b558216af64047fc88b3b0"),
    REPOSITORY("alarm", 37, 46, 509, 2, 4, 4, 5,
               "Beinlich, Suermondt, Chavez and Cooper 1989, The ALARM monitoring system: a case study with two "
               "probabilistic inference techniques for belief networks, AIME 89, 247-256",
               "701e6c561f71b55669070c29614f0724b761289aa2c4a35bcc97b638ee881fa2"),
    REPOSITORY(
        "barley", 48, 84, 114005, 2, 67, 4, 5,
        "Kristensen and Rasmussen 2002, The use of a Bayesian network in the design of a decision support system for "
        "growing malting barley without use of pesticides, Computers and Electronics in Agriculture 33, 197-217",
        "1250e958b3d8ca87ccf8af9584de8baa18da667fbccbf4e0efa2a33e112fe346"),
    REPOSITORY(
        "child", 20, 25, 230, 2, 6, 2, 7,
        "Spiegelhalter and Cowell 1992, Learning in probabilistic expert systems, Bayesian Statistics 4, 447-466; "
        "Cowell, Dawid, Lauritzen and Spiegelhalter 1999, Probabilistic Networks and Expert Systems, Springer",
        "432c22e661cd0e8235c8d95599ac22ccc261002459f5c4e6e7235b057908fe6e"),
    REPOSITORY("insurance", 27, 52, 1008, 2, 5, 3, 7,
               "Binder, Koller, Russell and Kanazawa 1997, Adaptive probabilistic networks with hidden variables, "
               "Machine Learning 29, 213-244",
               "39f9e706e9208e720a55a98b6811188b33a7292335a53373a9343a0c7065dab4"),
    REPOSITORY("mildew", 35, 46, 540150, 3, 100, 3, 3,
               "Jensen and Jensen 1996, MIDAS: an influence diagram for management of mildew in winter wheat, UAI "
               "1996, 349-356",
               "bc1cf6af78a9b289249b6805a65f83af8be9a742aca5d789188d4737b80cfd9b"),
    REPOSITORY("water", 32, 66, 10083, 3, 4, 5, 3,
               "Jensen, Kjaerulff, Olesen and Pedersen 1989, Et forprojekt til et ekspertsystem for drift af "
               "spildevandsrensning (an expert system for control of waste water treatment: a pilot project), Judex "
               "Datasystemer, Aalborg",
               "433a1c1a795e6a26d4ea41e1916982e7af9c7fff236438f4d4006bbacd226661"),
    REPOSITORY("hailfinder", 56, 66, 2656, 2, 11, 4, 16,
               "Abramson, Brown, Edwards, Murphy and Winkler 1996, Hailfinder: a Bayesian system for forecasting "
               "severe weather, Int. J. Forecasting 12(1) 57-71",
               "cf09960af33dd643771c61e23a89c7815448047f335ffa9ba7d57359bc755548"),
    REPOSITORY("hepar2", 70, 123, 1453, 2, 4, 6, 17,
               "Onisko 2003, Probabilistic causal models in medicine: application to diagnosis of liver disorders, PhD "
               "thesis, Polish Academy of Sciences, Warsaw",
               "d70ffdcc3b698235002898344c98d9645beb277969f29ba7af6f11d7db3f16cc"),
    REPOSITORY("win95pts", 76, 112, 574, 2, 2, 7, 10,
               "Microsoft Research (Breese and Heckerman), printer troubleshooting in Windows 95; the approach in "
               "Heckerman, Breese and Rommelse 1995, Decision-theoretic troubleshooting, Comm. ACM 38(3) 49-57",
               "14d2195e0c4613e0beb1f06e9199c8cd39a1154171a215c38b47c0fd773d0b36"),
    REPOSITORY("andes", 223, 338, 1157, 2, 2, 6, 12,
               "Conati, Gertner, VanLehn and Druzdzel 1997, On-line student modeling for coached problem solving using "
               "Bayesian networks, UM 97, 231-242",
               "2330f233405fbbdf2a485651edd4130d3d09f816e81cb7056842ae6021edabe4"),
    REPOSITORY("diabetes", 413, 602, 429409, 3, 21, 2, 24,
               "Andreassen, Hovorka, Benn, Olesen and Carson 1991, A model-based approach to insulin adjustment, AIME "
               "91, 239-248",
               "062a429ad6fb61120f4a3d68fa9bc7350799cdab33cd60bf383c5d41b42b43fb"),
    REPOSITORY("link", 724, 1125, 14211, 2, 4, 3, 14,
               "Jensen and Kong 1999, Blocking Gibbs sampling for linkage analysis in large pedigrees with many loops, "
               "Am. J. Hum. Genet. 65(3) 885-901",
               "19299d5710d9a59b8812e0c811bbabb1230d3e42801d297c7f90dffb4fc1c59e"),
    REPOSITORY("munin", 1041, 1397, 80592, 2, 21, 3, 69, MUNIN,
               "9235aff13057307e3f1b8aaea0c6cd072653e0cfbd0db8f9068094f8f18dbf11"),
    REPOSITORY("munin1", 186, 273, 15622, 2, 21, 3, 15, MUNIN,
               "decf5ce383c6d1c3010ec3c8419a9fa7520efef924f27f98578bb5332968b6d2"),
    REPOSITORY("munin2", 1003, 1244, 69431, 2, 21, 3, 30, MUNIN,
               "572ba4528e45d933953073c546abae4014eaee73f041356eb181838de8b33880"),
    REPOSITORY("munin3", 1041, 1306, 71059, 2, 21, 3, 66, MUNIN,
               "bbed2463e8f4ab2f84144ea16eb0a94bc4388045e5898110cad514244adc1f2c"),
    REPOSITORY("munin4", 1038, 1388, 80352, 2, 21, 3, 66, MUNIN,
               "af0ec78fce35f3cdebedff4b1a191a44b8d28e1c8d609e3a5cbc7ce4489d74d1"),
    REPOSITORY("pathfinder", 109, 195, 72079, 2, 63, 5, 106,
               "Heckerman, Horvitz and Nathwani 1992, Toward normative expert systems: part I, the Pathfinder project, "
               "Methods of Information in Medicine 31, 90-105",
               "2c67a693139b417067d895077aa00b8610a97eadf8a6fbae544631729a7a6f24"),
    REPOSITORY("pigs", 441, 592, 5618, 3, 3, 2, 39,
               "Jensen 1997, Blocking Gibbs sampling for inference in large and complex Bayesian networks with "
               "applications in genetics, PhD thesis, Aalborg University",
               "1d474376703784f755048daa0fd1ce0be89b5676254e08256c3424e3e4caf805"),
    TILED("child3", 60, 79, 708, 2, 6, 2, 8, "child", 3, 4, "Brown, Tsamardinos and Aliferis 2005, table 1"),
    TILED("child5", 100, 126, 1155, 2, 6, 2, 8, "child", 5, 1, "Brown, Tsamardinos and Aliferis 2005, table 1"),
    TILED("insurance3", 81, 163, 3111, 2, 5, 4, 8, "insurance", 3, 7, "Brown, Tsamardinos and Aliferis 2005, table 1"),
    TILED("alarm3", 111, 149, 1548, 2, 4, 4, 6, "alarm", 3, 11, "Brown, Tsamardinos and Aliferis 2005, table 1"),
    TILED("alarm5", 185, 265, 2655, 2, 4, 4, 6, "alarm", 5, 35, "Brown, Tsamardinos and Aliferis 2005, table 1"),
    TILED("hailfinder3", 168, 283, 13860, 2, 11, 5, 16, "hailfinder", 3, 85,
          "Brown, Tsamardinos and Aliferis 2005, table 1"),
    TILED("alarm135", 4995, 6845, 70073, 2, 4, 4, 7, "alarm", 135, 635,
          "Tsamardinos, Aliferis, Statnikov and Brown 2003, Scaling-up Bayesian network learning to thousands of "
          "variables using local learning techniques"),
    TILED("alarm270", 9990, 13640, 140061, 2, 4, 4, 7, "alarm", 270, 1220,
          "Tsamardinos, Aliferis, Statnikov and Brown 2003, Scaling-up Bayesian network learning to thousands of "
          "variables using local learning techniques"),
};

size_t catalogue_count(void) {
    return sizeof entries / sizeof *entries;
}

const catalogue_entry *catalogue_at(size_t i) {
    return &entries[i];
}

const catalogue_entry *catalogue_find(const char *name) {
    for (size_t i = 0; i < catalogue_count(); i++) {
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    }
    return NULL;
}

/* ---- figures ---- */

static void measure(const bayes_net *net, catalogue_entry *figures) {
    *figures = (catalogue_entry){.nodes = bayes_net_node_count(net),
                                 .arcs = dag_arc_count(bayes_net_dag(net)),
                                 .parameters = bayes_net_parameter_count(net),
                                 .min_states = VARIABLE_MAX_STATES};
    for (size_t i = 0; i < figures->nodes; i++) {
        size_t r = bayes_net_variable(net, i)->n_states, n_parents, n_children;
        (void)dag_parents(bayes_net_dag(net), i, &n_parents);
        (void)dag_children(bayes_net_dag(net), i, &n_children);
        figures->min_states = r < figures->min_states ? r : figures->min_states;
        figures->max_states = r > figures->max_states ? r : figures->max_states;
        figures->max_in_degree = n_parents > figures->max_in_degree ? n_parents : figures->max_in_degree;
        figures->max_out_degree = n_children > figures->max_out_degree ? n_children : figures->max_out_degree;
    }
}

status catalogue_check(const catalogue_entry *entry, const bayes_net *net, error_info *err) {
    catalogue_entry found;
    measure(net, &found);
    const struct {
        const char *what;
        uint64_t found, expected;
    } figures[] = {
        {"nodes", found.nodes, entry->nodes},
        {"arcs", found.arcs, entry->arcs},
        {"parameters", found.parameters, entry->parameters},
        {"states at least", found.min_states, entry->min_states},
        {"states at most", found.max_states, entry->max_states},
        {"parents at most", found.max_in_degree, entry->max_in_degree},
        {"children at most", found.max_out_degree, entry->max_out_degree},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (figures[i].found != figures[i].expected)
            return error_set(err, STATUS_INVALID, "this is not the network '%s' as published: it has %llu %s, not %llu",
                             entry->name, (unsigned long long)figures[i].found, figures[i].what,
                             (unsigned long long)figures[i].expected);
    }
    return STATUS_OK;
}
