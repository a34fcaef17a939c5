/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithms of a Benchpress configuration as learners: which stands for which, and their lists of values. */
#include "runner/import/benchpress_setting_internal.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 200, MOST_LEARNERS = 2000 };

/* A module of Benchpress. Parameters that neither column reads have no influence where they are among `idle`. */
typedef struct {
    const char *module, *was;                       /* its name, and that of its first version */
    bool (*own)(setting *s);                        /* NULL: no learner of bnbench */
    bool (*run)(setting *s, const char *algorithm); /* NULL: no adapter can */
    const char *algorithm;
    const char *read, *idle; /* parameters, blanks around each */
} counterpart;

#define BNLEARN_SCORED " score iss issmu issw k prior beta restart perturb "
#define BNLEARN_TESTED " alpha test B maxsx "
#define PCALG " alpha indepTest mmax u2pd skelmethod conservative majrule solveconfl NAdelete "
#define TETRAD " score test samplePrior penaltyDiscount semBicStructurePrior alpha useBes "

static const counterpart counterparts[] = {
    {"bnlearn_hc", "hc", setting_bnlearn_hc, setting_run_bnlearn, "hc", BNLEARN_SCORED, " l "},
    {"bnlearn_tabu", "tabu", setting_bnlearn_tabu, setting_run_bnlearn, "tabu", BNLEARN_SCORED, " l "},
    {"bnlearn_mmhc", "mmhc", setting_bnlearn_mmhc, NULL, NULL, BNLEARN_SCORED BNLEARN_TESTED, " l "},
    {"bnlearn_mmpc", "mmpc", setting_bnlearn_mmpc, setting_run_bnlearn, "mmpc", BNLEARN_TESTED, " debug "},
    {"bnlearn_pcstable", NULL, setting_bnlearn_pc_stable, setting_run_bnlearn, "pc.stable", BNLEARN_TESTED, " debug "},
    {"bnlearn_gs", "gs", NULL, setting_run_bnlearn, "gs", BNLEARN_TESTED, " debug "},
    {"bnlearn_iamb", NULL, NULL, setting_run_bnlearn, "iamb", BNLEARN_TESTED, " debug "},
    {"bnlearn_fastiamb", NULL, NULL, setting_run_bnlearn, "fast.iamb", BNLEARN_TESTED, " debug "},
    {"bnlearn_interiamb", "interiamb", NULL, setting_run_bnlearn, "inter.iamb", BNLEARN_TESTED, " debug "},
    {"bnlearn_iambfdr", NULL, NULL, setting_run_bnlearn, "iamb.fdr", BNLEARN_TESTED, " debug "},
    {"bnlearn_sihitonpc", NULL, NULL, setting_run_bnlearn, "si.hiton.pc", BNLEARN_TESTED, " debug "},
    {"bnlearn_hpc", NULL, NULL, setting_run_bnlearn, "hpc", BNLEARN_TESTED, " debug "},
    {"pcalg_pc", "pcalg", setting_pcalg_pc, setting_run_pcalg, "pc", PCALG, " numCores verbose "},
    {"tetrad_fges", "fges", setting_tetrad_fges, setting_run_tetrad, "Fges", TETRAD,
     " faithfulnessAssumed datatype structurePrior "},
    {"tetrad_boss", NULL, NULL, setting_run_tetrad, "Boss", TETRAD, " datatype "},
    {"tetrad_grasp", NULL, NULL, setting_run_tetrad, "Grasp", TETRAD, " datatype "},
    {"tetrad_pc-all", NULL, NULL, setting_run_tetrad, "Pc", TETRAD, " datatype "},
    {"causallearn_grasp", NULL, NULL, setting_run_causal_learn, "grasp", " maxP ", ""},
};

static const counterpart *find_counterpart(const char *module) {
    for (size_t i = 0; i < sizeof counterparts / sizeof *counterparts; i++) {
        const counterpart *c = &counterparts[i];
        if (strcmp(c->module, module) == 0 || (c->was && strcmp(c->was, module) == 0))
            return c;
    }
    return NULL;
}

/* ---- one value of each parameter ---- */

/* The lists multiply: every combination is a setting. 0 where a list is empty, or they are too many. */
static size_t count_settings(const json_t *algorithm) {
    const char *key;
    json_t *value;
    size_t n = 1;
    json_object_foreach((json_t *)algorithm, key, value) {
        n *= json_is_array(value) ? json_array_size(value) : 1;
        if (n > MOST_SETTINGS)
            return 0;
    }
    return n;
}

static void append_value(text_buffer *out, const char *key, const json_t *value) {
    char digits[32];
    text_append_format(out, ":");
    import_append_word(out, key);
    text_append(out, "=");
    if (json_is_number(value))
        text_append(out, text_from_double(json_number_value(value), digits));
    else
        import_append_word(out, json_is_string(value) ? json_string_value(value) : json_is_true(value) ? "yes" : "no");
}

/* The setting number `at`, the last list changing fastest, and what is put behind the id. */
static status take_setting(const json_t *algorithm, size_t at, json_t *values, text_buffer *behind, error_info *err) {
    const char *key;
    json_t *value;
    size_t n_left = count_settings(algorithm);
    json_object_foreach((json_t *)algorithm, key, value) {
        json_t *one = value;
        if (json_is_array(value)) {
            n_left = json_array_size(value) > 0 ? n_left / json_array_size(value) : 0;
            if (n_left == 0)
                break; /* an empty list: there is no setting */
            one = json_array_get(value, at / n_left);
            at %= n_left;
            if (json_array_size(value) > 1)
                append_value(behind, key, one);
        }
        if (json_object_set(values, key, one) != 0)
            return error_out_of_memory(err);
    }
    return STATUS_OK;
}

/* ---- a learner of it ---- */

static bool is_among(const char *list, const char *key) {
    char word[80];
    return strlen(key) < sizeof word - 3 && snprintf(word, sizeof word, " %s ", key) > 0 && strstr(list, word) != NULL;
}

/* Parameters that nobody here reads. */
static status lose_parameters(import *in, const char *path, const counterpart *c, const json_t *algorithm,
                              error_info *err) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)algorithm, key, value) {
        char whole[IMPORT_PATH_SIZE];
        if (!import_is_on(value) || is_among(" id timeout ", key) || is_among(c->read, key) || is_among(c->idle, key))
            continue;
        (void)snprintf(whole, sizeof whole, "%.300s.%.90s", path, key);
        CHECK(import_lose(in, err, whole, "the learner is imported without this parameter"));
    }
    return STATUS_OK;
}

static bool translate(const counterpart *c, setting *s, bool by_program) {
    text_buffer_clear(&s->words);
    s->why_not[0] = '\0';
    s->remark = NULL;
    if (import_is_on(json_object_get(s->values, "edgeConstraints"))) {
        (void)snprintf(s->why_not, sizeof s->why_not, "learners take no required or forbidden arcs (edgeConstraints)");
        return false;
    }
    return by_program ? c->run && c->run(s, c->algorithm) : c->own && c->own(s);
}

static void setting_clear(setting *s) {
    text_buffer_clear(&s->words);
}

static status refuse(import *in, const char *path, const counterpart *c, const setting *s, error_info *err) {
    AUTO(setting_clear) setting other = {.values = s->values};
    bool has_adapter = !in->wish->wants_programs && translate(c, &other, true);
    return import_lose(in, err, path, "%s%s", s->why_not[0] ? s->why_not : "no learner of bnbench does the same",
                       has_adapter ? "; --adapters imports the program by its script of contrib/adapters" : "");
}

static bool is_taken(const import *in, const char *id) {
    for (size_t i = 0; i < in->n_learners; i++) {
        if (strcmp(in->learners[i].id, id) == 0)
            return true;
    }
    return false;
}

static status add_learner(import *in, const char *path, const char *origin, const text_buffer *id, const setting *s,
                          error_info *err) {
    imported_learner learner = {0};
    double limit = 0;
    if (is_taken(in, id->data))
        return import_lose(in, err, path, "a second learner '%s'", id->data);
    if (in->n_learners == MOST_LEARNERS)
        return import_lose(in, err, path, "one learner more than %d", MOST_LEARNERS);
    if (!setting_number(s, "timeout", &limit) || limit <= 0)
        in->some_unlimited = true;
    in->longest_s = limit > in->longest_s ? limit : in->longest_s;
    text_append_format(&in->learner_lines, "  - {id: \"%s\", %s}\n", id->data, s->words.data);
    CHECK_ALLOC(learner.id = text_copy(id->data));
    learner.origin = text_copy(origin);
    if (!learner.origin || ARRAY_APPEND(in->learners, in->n_learners, err, learner) != STATUS_OK) {
        free(learner.id);
        free(learner.origin);
        return error_out_of_memory(err);
    }
    return STATUS_OK;
}

/* By the program or by a learner, as it was wished, else by the other. */
static status import_setting(import *in, const char *path, const counterpart *c, const char *origin,
                             const json_t *values, const char *behind, error_info *err) {
    AUTO(text_buffer_clear) text_buffer id = {0};
    AUTO(setting_clear) setting s = {.values = values};
    bool by_program = in->wish->wants_programs && translate(c, &s, true);
    bool is_own = !by_program && translate(c, &s, false);
    if (!by_program && !is_own)
        return refuse(in, path, c, &s, err);
    if (s.remark)
        CHECK(import_lose(in, err, path, "%s", s.remark));
    import_append_word(&id, origin);
    text_append(&id, behind);
    CHECK(text_buffer_check(&id, err));
    CHECK(text_buffer_check(&s.words, err));
    return add_learner(in, path, origin, &id, &s, err);
}

static status import_algorithm(import *in, const char *path, const counterpart *c, const json_t *algorithm,
                               error_info *err) {
    const char *id = json_string_value(json_object_get(algorithm, "id"));
    size_t n = count_settings(algorithm);
    if (!c)
        return import_lose(in, err, path, "neither a learner of bnbench nor an adapter does the same");
    if (n == 0)
        return import_lose(in, err, path, "its lists of values are empty, or make more than %d learners",
                           MOST_SETTINGS);
    CHECK(lose_parameters(in, path, c, algorithm, err));
    for (size_t i = 0; i < n; i++) {
        AUTO_PTR(json_decref) json_t *values = json_object();
        AUTO(text_buffer_clear) text_buffer behind = {0};
        char whole[IMPORT_PATH_SIZE];
        CHECK_ALLOC(values);
        text_append(&behind, "");
        CHECK(take_setting(algorithm, i, values, &behind, err));
        CHECK(text_buffer_check(&behind, err));
        (void)snprintf(whole, sizeof whole, "%.300s%.90s", path, behind.data);
        CHECK(import_setting(in, whole, c, id, values, behind.data, err));
    }
    return STATUS_OK;
}

/* ---- all of them ---- */

static bool is_wanted(const import *in, const char *id) {
    for (size_t i = 0; i < in->n_wanted; i++) {
        if (strcmp(in->wanted[i], id) == 0)
            return true;
    }
    return in->n_wanted == 0;
}

static status import_module(import *in, const char *module, const json_t *list, error_info *err) {
    json_t *algorithm;
    size_t i;
    json_array_foreach((json_t *)list, i, algorithm) {
        const char *id = json_string_value(json_object_get(algorithm, "id"));
        char path[IMPORT_PATH_SIZE];
        (void)snprintf(path, sizeof path, "resources.structure_learning_algorithms.%.200s[%zu]", module, i);
        if (id && *id && is_wanted(in, id))
            CHECK(import_algorithm(in, path, find_counterpart(module), algorithm, err));
    }
    return STATUS_OK;
}

/* Ids of the evaluation that no algorithm has. */
static status lose_unknown(import *in, error_info *err) {
    const char *module;
    for (size_t i = 0; i < in->n_wanted; i++) {
        if (!import_find_resource(in, "structure_learning_algorithms", in->wanted[i], &module))
            CHECK(
                import_lose(in, err, "resources.structure_learning_algorithms", "there is no '%.100s'", in->wanted[i]));
    }
    return STATUS_OK;
}

status import_learners(import *in, error_info *err) {
    const char *module;
    json_t *list;
    json_object_foreach(json_object_get(in->resources, "structure_learning_algorithms"), module, list)
        CHECK(import_module(in, module, list, err));
    if (in->longest_s > 0 && in->some_unlimited)
        CHECK(import_lose(in, err, "resources.structure_learning_algorithms",
                          "the time limit (timeout) of some algorithms: an experiment has one for all, or none"));
    return lose_unknown(in, err);
}
