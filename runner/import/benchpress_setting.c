/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An algorithm of Benchpress with one value of each of its parameters, in the words of bnbench or of an adapter. */
#include "runner/import/benchpress_setting_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---- */

const char *setting_word(const setting *s, const char *key) {
    const char *text = json_string_value(json_object_get(s->values, key));
    return text ? text : "";
}

bool setting_number(const setting *s, const char *key, double *out) {
    const json_t *value = json_object_get(s->values, key);
    if (json_is_number(value)) {
        *out = json_number_value(value);
        return true;
    }
    return json_is_string(value) && text_to_double(json_string_value(value), out);
}

static bool is_word(const setting *s, const char *key, const char *word) {
    return strcmp(setting_word(s, key), word) == 0;
}

/* Whether the parameter asks for nothing, or for this. */
static bool is_word_or_off(const setting *s, const char *key, const char *word) {
    return !import_is_on(json_object_get(s->values, key)) || is_word(s, key, word);
}

static bool is_above_zero(const setting *s, const char *key) {
    double value;
    return setting_number(s, key, &value) && value > 0;
}

static bool refuse(setting *s, const char *format, ...) BNB_PRINTF(2, 3);
static bool refuse(setting *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    (void)vsnprintf(s->why_not, sizeof s->why_not, format, list);
    va_end(list);
    return false;
}

/* ", ess: 0.1" where the parameter has a number. */
static void append_number(setting *s, const char *key, const char *name) {
    double value;
    char digits[32];
    if (setting_number(s, key, &value))
        text_append_format(&s->words, ", %s: %s", name, text_from_double(value, digits));
}

/* ---- by learners of bnbench ---- */

typedef struct {
    const char *theirs, *ours; /* the words of bnbench */
} translation;

static const char *translate(const translation *table, size_t n, const char *word) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(table[i].theirs, word) == 0)
            return table[i].ours;
    }
    return NULL;
}
#define TRANSLATE(table, word) translate(table, sizeof(table) / sizeof *(table), word)

/* BIC and AIC of bnlearn take the penalty k of a parameter, 1 for AIC: Benchpress hands it on to either. */
static bool append_penalized(setting *s, const char *score) {
    bool is_gaussian = strstr(score, "-g") != NULL;
    double k;
    if (!setting_number(s, "k", &k)) {
        text_append_format(&s->words, ", score: %s", score);
        return true;
    }
    if (k != 1)
        return refuse(s, "score %s with a penalty of k = %g a parameter is none of bnbench", score, k);
    if (strncmp(score, "bic", 3) == 0)
        s->remark = "a penalty of k = 1 makes it AIC there, and so here";
    text_append_format(&s->words, ", score: aic%s", is_gaussian ? "-g" : "");
    return true;
}

static bool append_bnlearn_score(setting *s, const char *score) {
    static const translation plain[] = {{"loglik", "loglik"}, {"loglik-g", "loglik-g"}, {"k2", "k2"}};
    const char *ours = TRANSLATE(plain, score);
    if (!is_word_or_off(s, "prior", "uniform"))
        return refuse(s, "the structure prior '%.40s' is none of bnbench", setting_word(s, "prior"));
    if (strcmp(score, "bde") == 0 || strcmp(score, "bdeu") == 0) {
        double ess = 1;
        char digits[32];
        (void)setting_number(s, "iss", &ess);
        text_append_format(&s->words, ", score: {name: bdeu, ess: %s}", text_from_double(ess, digits));
        return true;
    }
    if (strcmp(score, "bge") == 0) {
        text_append(&s->words, ", score: {name: bge");
        append_number(s, "issmu", "am");
        append_number(s, "issw", "aw");
        text_append(&s->words, "}");
        return true;
    }
    if (strncmp(score, "bic", 3) == 0 || strncmp(score, "aic", 3) == 0)
        return append_penalized(s, score);
    if (!ours)
        return refuse(s, "the score '%.40s' is none of bnbench", score);
    text_append_format(&s->words, ", score: %s", ours);
    return true;
}

static const translation bnlearn_tests[] = {
    {"mi", "{name: g2, df: full, min_rows: 0}"},
    {"mi-adf", "{name: g2, df: adj, min_rows: 0}"},
    {"x2", "{name: x2, df: full, min_rows: 0}"},
    {"x2-adf", "{name: x2, df: adj, min_rows: 0}"},
    {"zf", "zf"},
    {"cor", "cor"},
};

static bool append_bnlearn_test(setting *s) {
    const char *ours = TRANSLATE(bnlearn_tests, setting_word(s, "test"));
    if (import_is_on(json_object_get(s->values, "B")))
        return refuse(s, "tests by permutation (B) are none of bnbench");
    if (!ours)
        return refuse(s, "the test '%.40s' is none of bnbench", setting_word(s, "test"));
    append_number(s, "alpha", "alpha");
    text_append_format(&s->words, ", test: %s", ours);
    return true;
}

static bool has_continuous_test(const setting *s) {
    return is_word(s, "test", "zf") || is_word(s, "test", "cor");
}

bool setting_bnlearn_hc(setting *s) {
    if (is_above_zero(s, "restart"))
        return refuse(s, "hc of bnbench does not start again (restart)");
    text_append(&s->words, "learner: hc");
    return append_bnlearn_score(s, setting_word(s, "score"));
}

/* tabu of bnlearn: a list of 10 structures, and as many changes without a better one; Benchpress sets neither. */
bool setting_bnlearn_tabu(setting *s) {
    s->remark = "gts keeps the last structures in a way of its own";
    text_append(&s->words, "learner: gts, tabu: 10, patience: 10");
    return append_bnlearn_score(s, setting_word(s, "score"));
}

bool setting_bnlearn_mmpc(setting *s) {
    text_append(&s->words, "learner: mmpc, maxk: -1");
    return append_bnlearn_test(s);
}

bool setting_bnlearn_mmhc(setting *s) {
    const char *score = setting_word(s, "score");
    text_append(&s->words, "learner: mmhc, maxk: -1, phase2: hc");
    return append_bnlearn_test(s) && append_bnlearn_score(s, *score ? score : has_continuous_test(s) ? "bic-g" : "bic");
}

bool setting_bnlearn_pc_stable(setting *s) {
    text_append(&s->words, "learner: pc-stable");
    append_number(s, "maxsx", "maxk");
    return append_bnlearn_test(s);
}

/* Tests of pcalg on discrete data leave variables independent where a test has too few rows. */
static bool append_pcalg_test(setting *s) {
    static const translation tests[] = {
        {"gaussCItest", "zf"},
        {"disCItest", "{name: g2, df: full}, unreliable: indep"},
        {"binCItest", "{name: g2, df: full}, unreliable: indep"},
    };
    const char *ours = TRANSLATE(tests, setting_word(s, "indepTest"));
    if (!ours)
        return refuse(s, "the test '%.40s' is none of bnbench", setting_word(s, "indepTest"));
    if (strcmp(ours, "zf") != 0)
        s->remark = "pcalg calls variables independent below 10 rows a degree of freedom, pc-stable below 5 a cell";
    text_append_format(&s->words, ", test: %s", ours);
    return true;
}

bool setting_pcalg_pc(setting *s) {
    if (!is_word_or_off(s, "u2pd", "relaxed"))
        return refuse(s, "u2pd '%.40s' is none of bnbench", setting_word(s, "u2pd"));
    text_append_format(&s->words, "learner: %s", is_word(s, "skelmethod", "original") ? "pc" : "pc-stable");
    append_number(s, "alpha", "alpha");
    append_number(s, "mmax", "maxk");
    if (import_is_on(json_object_get(s->values, "conservative")))
        text_append(&s->words, ", colliders: conservative");
    else if (import_is_on(json_object_get(s->values, "majrule")))
        text_append(&s->words, ", colliders: majority");
    text_append_format(&s->words, ", conflicts: %s",
                       import_is_on(json_object_get(s->values, "solveconfl")) ? "bidirected" : "last");
    return append_pcalg_test(s);
}

static const translation tetrad_scores[] = {
    {"bdeu-score", "BdeuScore"}, {"sem-bic-score", "SemBicScore"},
    {"bdeu", "BdeuScore"},       {"sem-bic", "SemBicScore"},
    {"bde", "BdeuScore"},        {"cg-bic-score", "ConditionalGaussianBicScore"},
};

bool setting_tetrad_fges(setting *s) {
    const char *score = TRANSLATE(tetrad_scores, setting_word(s, "score"));
    double ess = 1, penalty = 1;
    char digits[32];
    (void)setting_number(s, "samplePrior", &ess);
    (void)setting_number(s, "penaltyDiscount", &penalty);
    if (score && strcmp(score, "BdeuScore") == 0)
        text_append_format(&s->words, "learner: ges, score: {name: bdeu, ess: %s}", text_from_double(ess, digits));
    else if (score && strcmp(score, "SemBicScore") == 0 && penalty == 1)
        text_append(&s->words, "learner: ges, score: bic-g");
    else if (score && strcmp(score, "SemBicScore") == 0)
        return refuse(s, "BIC with a penalty discount of %g is none of bnbench", penalty);
    else
        return refuse(s, "the score '%.40s' is none of bnbench", setting_word(s, "score"));
    return true;
}

/* ---- by the programs ---- */

static void start_command(setting *s, const char *runner, const char *script, const char *algorithm) {
    text_append_format(&s->words, "command: [%s, %s, \"{data}\", \"{graph}\", %s", runner, script, algorithm);
}

/* ", iss=10": a number, a word, or TRUE and FALSE as R writes them. */
static void append_argument(setting *s, const char *key, const char *name) {
    const json_t *value = json_object_get(s->values, key);
    double number;
    char digits[32];
    if (!value || json_is_null(value))
        return;
    text_append_format(&s->words, ", \"%s=", name);
    if (json_is_boolean(value))
        text_append(&s->words, json_is_true(value) ? s->is_true : s->is_false);
    else if (setting_number(s, key, &number))
        text_append(&s->words, text_from_double(number, digits));
    else
        import_append_word(&s->words, setting_word(s, key));
    text_append(&s->words, "\"");
}

static bool end_command(setting *s) {
    text_append(&s->words, "]");
    return true;
}

static void append_bnlearn_score_arguments(setting *s) {
    const char *score = setting_word(s, "score");
    append_argument(s, "score", "score");
    if (strcmp(score, "bde") == 0 || strcmp(score, "bds") == 0)
        append_argument(s, "iss", "iss");
    if (strcmp(score, "bge") == 0) {
        append_argument(s, "issmu", "iss.mu");
        append_argument(s, "issw", "iss.w");
    }
    if (strncmp(score, "bic", 3) == 0 || strncmp(score, "aic", 3) == 0)
        append_argument(s, "k", "k");
    if (!is_word_or_off(s, "prior", "uniform")) {
        append_argument(s, "prior", "prior");
        append_argument(s, "beta", "beta");
    }
}

bool setting_run_bnlearn(setting *s, const char *algorithm) {
    s->is_true = "TRUE";
    s->is_false = "FALSE";
    start_command(s, "Rscript, --vanilla", "learn_bnlearn.R", algorithm);
    append_bnlearn_score_arguments(s);
    if (is_above_zero(s, "restart")) {
        append_argument(s, "restart", "restart");
        append_argument(s, "perturb", "perturb");
    }
    append_argument(s, "alpha", "alpha");
    append_argument(s, "test", "test");
    append_argument(s, "B", "B");
    append_argument(s, "maxsx", "max.sx");
    return end_command(s);
}

bool setting_run_pcalg(setting *s, const char *algorithm) {
    static const char *const arguments[][2] = {
        {"alpha", "alpha"},
        {"mmax", "m.max"},
        {"u2pd", "u2pd"},
        {"skelmethod", "skel.method"},
        {"conservative", "conservative"},
        {"majrule", "maj.rule"},
        {"solveconfl", "solve.confl"},
        {"NAdelete", "NAdelete"},
    };
    s->is_true = "TRUE";
    s->is_false = "FALSE";
    start_command(s, "Rscript, --vanilla", "learn_pcalg.R", algorithm);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        append_argument(s, arguments[i][0], arguments[i][1]);
    return end_command(s);
}

static bool append_tetrad_class(setting *s, const char *key, const translation *table, size_t n) {
    const char *word = setting_word(s, key), *name = translate(table, n, word);
    if (*word && !name)
        return refuse(s, "the %s '%.40s' has no class here", key, word);
    if (name)
        text_append_format(&s->words, ", \"%s=%s\"", key, name);
    return true;
}

bool setting_run_tetrad(setting *s, const char *algorithm) {
    static const translation tests[] = {
        {"fisher-z-test", "FisherZ"},
        {"chi-square-test", "ChiSquare"},
        {"g-square-test", "GSquare"},
        {"cg-lr-test", "ConditionalGaussianLRT"},
    };
    s->is_true = "true";
    s->is_false = "false";
    start_command(s, "java", "LearnTetrad.java", algorithm);
    if (!append_tetrad_class(s, "score", tetrad_scores, sizeof tetrad_scores / sizeof *tetrad_scores) ||
        !append_tetrad_class(s, "test", tests, sizeof tests / sizeof *tests))
        return false;
    append_argument(s, "alpha", "alpha");
    append_argument(s, "samplePrior", "priorEquivalentSampleSize");
    append_argument(s, "penaltyDiscount", "penaltyDiscount");
    append_argument(s, "semBicStructurePrior", "semBicStructurePrior");
    append_argument(s, "useBes", "useBes");
    return end_command(s);
}

bool setting_run_causal_learn(setting *s, const char *algorithm) {
    s->is_true = "True";
    s->is_false = "False";
    start_command(s, "python3", "learn_causal_learn.py", algorithm);
    append_argument(s, "maxP", "maxP");
    return end_command(s);
}
