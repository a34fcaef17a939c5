/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An algorithm of Benchpress with one value of each of its parameters. */
#ifndef BNB_RUNNER_IMPORT_BENCHPRESS_SETTING_INTERNAL_H
#define BNB_RUNNER_IMPORT_BENCHPRESS_SETTING_INTERNAL_H

#include "runner/import/benchpress_internal.h"

typedef struct {
    const json_t *values; /* an object: no list among its values */
    text_buffer words;    /* what comes of it: keys of an entry of `learners` */
    char why_not[200];
    const char *remark;             /* where what came of it is near, and not the same; NULL: nowhere */
    const char *is_true, *is_false; /* as the program writes them */
} setting;

/** A text, "" where there is none; a number, also one that is written as text. */
const char *setting_word(const setting *s, const char *key);
bool setting_number(const setting *s, const char *key, double *out);

/** The learner of bnbench that does the same: false, and `why_not`, where none does. */
bool setting_bnlearn_hc(setting *s);
bool setting_bnlearn_tabu(setting *s);
bool setting_bnlearn_mmpc(setting *s);
bool setting_bnlearn_mmhc(setting *s);
bool setting_bnlearn_pc_stable(setting *s);
bool setting_pcalg_pc(setting *s);
bool setting_tetrad_fges(setting *s);

/** The program itself, by its script of contrib/adapters and its own name of the algorithm. */
bool setting_run_bnlearn(setting *s, const char *algorithm);
bool setting_run_pcalg(setting *s, const char *algorithm);
bool setting_run_tetrad(setting *s, const char *algorithm);
bool setting_run_causal_learn(setting *s, const char *algorithm);

#endif
