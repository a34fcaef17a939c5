/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Expression of genes in inbred lines: the steady state of a gene network, line by line, with noise. */
#ifndef BNB_GENERATORS_GENES_GENE_EXPRESSION_H
#define BNB_GENERATORS_GENES_GENE_EXPRESSION_H

#include "core/data/dataset.h"
#include "generators/genes/gene_network.h"

typedef struct {
    double biological_sd;  /* of each line's rates of synthesis and decay around 1, none below 0.1 */
    double measurement_sd; /* of the factor on each level that is reported, none below 0.1 */
    bool genetics;         /* lines differ in their alleles; else every allele is neutral */
    size_t markers;        /* genes a chromosome, in the order of the network */
    double marker_cm;      /* between neighbours, in centimorgan */
} gene_noise;

extern const gene_noise gene_noise_usual; /* 0.1, 0.1, true, 20, 5 */

/**
 * The alleles of a line, recombinant and inbred by selfing: the first of a chromosome by a fair coin, each other as the
 * one before with the probability 1 / (1 + 2 R), R = (1 - exp(-2 d / 100)) / 2 (Haldane).
 */
void gene_draw_alleles(size_t n_genes, const gene_noise *noise, random_stream *random, unsigned char *alleles);

/**
 * Levels of every gene (columns, continuous) in every line (rows). Each line has a stream of its own, made from `key`
 * and its number, so that a longer sample begins with the shorter one.
 * @param[out] n_unsettled  lines whose network did not come to rest (it oscillates); their last state is reported
 */
BNB_MUST_CHECK status gene_expression_simulate(const gene_network *net, const gene_noise *noise, size_t n_lines,
                                               random_key key, dataset **out, size_t *n_unsettled, error_info *err);

#endif
