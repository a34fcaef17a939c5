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
#define REPOSITORY(id, n, a, p, lo, hi, in, out, cite, copy)                                                           \
    {                                                                                                                  \
        .name = id, .nodes = n, .arcs = a, .parameters = p, .min_states = lo, .max_states = hi, .max_in_degree = in,   \
        .max_out_degree = out, .citation = cite, .url = "https://www.bnlearn.com/bnrepository/" id "/" id ".bif.gz",   \
        .copy_sha256 = copy                                                                                            \
    }

#define TILED(id, n, a, p, lo, hi, in, out, base, k, between, cite)                                                    \
    {                                                                                                                  \
        .name = id, .nodes = n, .arcs = a, .parameters = p, .min_states = lo, .max_states = hi, .max_in_degree = in,   \
        .max_out_degree = out, .citation = cite STATNIKOV, .tile = base, .copies = k, .tile_arcs = between             \
    }

/*
 * Figures and copies: the bnlearn Bayesian Network Repository (M. Scutari, CC BY-SA 3.0) as its files are read today.
 * The digests are those of the copies in pgmpy/pgmpy, commit 94105f10, which were checked against these figures.
 * Digests of the repository's own files are not known.
 */
static const catalogue_entry entries[] = {
    REPOSITORY("asia", 8, 8, 18, 2, 2, 2, 2,
               "Lauritzen and Spiegelhalter 1988, Local computations with probabilities on graphical structures and "
               "their application to expert systems, J. R. Statist. Soc. B 50(2) 157-224",
               "7d5e7b8549834824c1b05f367eb7860fa3fca3adaf3649f0c7be6035af197197"),
    REPOSITORY("cancer", 5, 4, 10, 2, 2, 2, 2,
               "Korb and Nicholson 2010, Bayesian Artificial Intelligence, 2nd edition, CRC Press, section 2.2.2",
               "dcfafbaadabcd1b8c9ec531e16721a19fc06829e980a3967d6345496ea081818"),
    REPOSITORY("earthquake", 5, 4, 10, 2, 2, 2, 2,
               "Korb and Nicholson 2010, Bayesian Artificial Intelligence, 2nd edition, CRC Press, section 2.5.1",
               "77a41f1d509cea15eb7caf9dba932907837149e7145a2cc9d6c95c80849e62b0"),
    REPOSITORY("sachs", 11, 17, 178, 3, 3, 3, 6,
               "Sachs, Perez, Pe'er, Lauffenburger and Nolan 2005, Causal protein-signaling networks derived from "
               "multiparameter single-cell data, Science 308, 523-529",
               "ed1830fbde101ed50cce3c7a3c8cbf1d2f5225531cf35ff09fb3cec0af101bce"),
    REPOSITORY("survey", 6, 6, 21, 2, 3, 2, 2,
               "Scutari and Denis 2014, Bayesian Networks: with Examples in R, Chapman and Hall, chapter 1",
               "676e1fe97efec18b31d1a0a3bcd9b7d52985129c60a78b69172c99e82902ef96"),
    REPOSITORY("alarm", 37, 46, 509, 2, 4, 4, 5,
               "Beinlich, Suermondt, Chavez and Cooper 1989, The ALARM monitoring system: a case study with two "
               "probabilistic inference techniques for belief networks, AIME 89, 247-256",
               "f5860caa7137b5817e0c4f169cce0f1451ce6c246b96f5ce4fb4a8167993be29"),
    REPOSITORY(
        "barley", 48, 84, 114005, 2, 67, 4, 5,
        "Kristensen and Rasmussen 2002, The use of a Bayesian network in the design of a decision support system for "
        "growing malting barley without use of pesticides, Computers and Electronics in Agriculture 33, 197-217",
        "b8a18fdb91701da379f260eea0808bdaa690612f7de9a34397df8d8f5d43afd9"),
    REPOSITORY(
        "child", 20, 25, 230, 2, 6, 2, 7,
        "Spiegelhalter and Cowell 1992, Learning in probabilistic expert systems, Bayesian Statistics 4, 447-466; "
        "Cowell, Dawid, Lauritzen and Spiegelhalter 1999, Probabilistic Networks and Expert Systems, Springer",
        "2bc3236dcbdbf9c9f1bbdeb060aa93c0bdee389d23a549b7248b9d89ed8a980c"),
    REPOSITORY("insurance", 27, 52, 1008, 2, 5, 3, 7,
               "Binder, Koller, Russell and Kanazawa 1997, Adaptive probabilistic networks with hidden variables, "
               "Machine Learning 29, 213-244",
               "92bcecd1b85387726af564bf1b50cd400ddbbea1b017303cc54d4654e50a8971"),
    REPOSITORY("mildew", 35, 46, 540150, 3, 100, 3, 3,
               "Jensen and Jensen 1996, MIDAS: an influence diagram for management of mildew in winter wheat, UAI "
               "1996, 349-356",
               "06f4342f1bef2eef67988b41382b327ca7bf4b308841534c9a3b3c48ff61189a"),
    REPOSITORY("water", 32, 66, 10083, 3, 4, 5, 3,
               "Jensen, Kjaerulff, Olesen and Pedersen 1989, Et forprojekt til et ekspertsystem for drift af "
               "spildevandsrensning (an expert system for control of waste water treatment: a pilot project), Judex "
               "Datasystemer, Aalborg",
               "5d506713902c9ea625fae7cd84d0a6f9fad980d5cca926281adeecdd0c039db3"),
    REPOSITORY("hailfinder", 56, 66, 2656, 2, 11, 4, 16,
               "Abramson, Brown, Edwards, Murphy and Winkler 1996, Hailfinder: a Bayesian system for forecasting "
               "severe weather, Int. J. Forecasting 12(1) 57-71",
               "efa122a88c4b550569ec821c7879bed9007f2b1e012e1ea52ea26069c7f26099"),
    REPOSITORY("hepar2", 70, 123, 1453, 2, 4, 6, 17,
               "Onisko 2003, Probabilistic causal models in medicine: application to diagnosis of liver disorders, PhD "
               "thesis, Polish Academy of Sciences, Warsaw",
               "f98d4a65c496b79d76b15797e6a6cbeafaff32a17d66a844d8e5b9506d379fcd"),
    REPOSITORY("win95pts", 76, 112, 574, 2, 2, 7, 10,
               "Microsoft Research (Breese and Heckerman), printer troubleshooting in Windows 95; the approach in "
               "Heckerman, Breese and Rommelse 1995, Decision-theoretic troubleshooting, Comm. ACM 38(3) 49-57",
               "a4987cf8c09d3aa034504b03ea3e5dc01c57ca20228e2bd79ec9a861c3aef684"),
    REPOSITORY("andes", 223, 338, 1157, 2, 2, 6, 12,
               "Conati, Gertner, VanLehn and Druzdzel 1997, On-line student modeling for coached problem solving using "
               "Bayesian networks, UM 97, 231-242",
               "dc9cd41e8658c4fd2b96305cc60392224032f02934d27e43123a61c2eab9dab7"),
    REPOSITORY("diabetes", 413, 602, 429409, 3, 21, 2, 24,
               "Andreassen, Hovorka, Benn, Olesen and Carson 1991, A model-based approach to insulin adjustment, AIME "
               "91, 239-248",
               "2100374d7be11024e708a50cac537102ef9f9b693aba4cc0e6918a60e4599d59"),
    REPOSITORY("link", 724, 1125, 14211, 2, 4, 3, 14,
               "Jensen and Kong 1999, Blocking Gibbs sampling for linkage analysis in large pedigrees with many loops, "
               "Am. J. Hum. Genet. 65(3) 885-901",
               "5d09fd46f685fed1ba795f7cd944e1860938175c541826a2a342ffa5ec6ed1c5"),
    REPOSITORY("munin", 1041, 1397, 80592, 2, 21, 3, 69, MUNIN,
               "97e26c9dbf0635008434438084e94ca20250984b1c769f4666fed6bf912c3eae"),
    REPOSITORY("munin1", 186, 273, 15622, 2, 21, 3, 15, MUNIN,
               "d1917abbba1064e6b75f90bf9eb07d76779237b4a0698aecaac6d5b8bdfe1b2c"),
    REPOSITORY("munin2", 1003, 1244, 69431, 2, 21, 3, 30, MUNIN,
               "4679fae4e67ee892eb2fd94437777d8d8adc8fea97205065ec7f20aec0396f1a"),
    REPOSITORY("munin3", 1041, 1306, 71059, 2, 21, 3, 66, MUNIN,
               "4eb186935c12d47869d36403ab813af97d34b88dde66b79c0047386445058bf5"),
    REPOSITORY("munin4", 1038, 1388, 80352, 2, 21, 3, 66, MUNIN,
               "d01410d1f04631462927b160a518a030cf5f24ca57cdbbc259f29d84836d955b"),
    REPOSITORY("pathfinder", 109, 195, 72079, 2, 63, 5, 106,
               "Heckerman, Horvitz and Nathwani 1992, Toward normative expert systems: part I, the Pathfinder project, "
               "Methods of Information in Medicine 31, 90-105",
               "1b23ccf9d398471c1c8e6353e8d11d8e3579537adc6bbbf535806d781f6e8e7f"),
    REPOSITORY("pigs", 441, 592, 5618, 3, 3, 2, 39,
               "Jensen 1997, Blocking Gibbs sampling for inference in large and complex Bayesian networks with "
               "applications in genetics, PhD thesis, Aalborg University",
               "618c72433d8814e5197f78938e9ef75cf91dfb9a7463952682b3703c8eef68f1"),
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
