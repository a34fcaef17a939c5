/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shell/candidates.h"

#include "discretizers/registry.h"
#include "document/format.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "learners/registry.h"
#include "metrics/distances/metric.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"
#include "runner/declare/shipped_experiments.h"

#include <string.h>

/* Where the candidates go, and the start that each must have. */
typedef struct {
    const typed_line *line;
    const char *start;
    text_buffer *out;
} offer;

static void add(const offer *o, const char *word, const char *after, const char *what) {
    if (strncmp(word, o->start, strlen(o->start)) == 0 && !strpbrk(word, "\t\n"))
        text_append_format(o->out, "%s%s\t%.*s\n", word, after, (int)strcspn(what, "\t\n"), what);
}

static void add_files(const offer *o) {
    text_append(o->out, "\t\n");
}

/* ---- names of things ---- */

static void add_learners(const offer *o) {
    for (size_t i = 0; i < learner_count(); i++)
        add(o, learner_at(i)->name, "", learner_at(i)->summary);
}

static void add_discretizers(const offer *o) {
    for (size_t i = 0; i < discretizer_count(); i++)
        add(o, discretizer_at(i)->name, "", discretizer_at(i)->summary);
}

static void add_scores(const offer *o) {
    for (size_t i = 0; i < score_registry.n; i++)
        add(o, score_kind_at(i)->name, "", score_kind_at(i)->summary);
}

static void add_tests(const offer *o) {
    for (size_t i = 0; i < ci_test_registry.n; i++)
        add(o, ci_test_kind_at(i)->name, "", ci_test_kind_at(i)->summary);
}

static void add_metrics(const offer *o) {
    for (size_t i = 0; metric_at(i); i++)
        add(o, metric_at(i)->name, "", metric_at(i)->summary);
}

static void add_networks(const offer *o) {
    for (size_t i = 0; i < catalogue_count(); i++)
        add(o, catalogue_at(i)->name, "", "network");
    add_files(o);
}

static void add_datasets(const offer *o) {
    for (size_t i = 0; i < dataset_catalogue_count(); i++)
        add(o, dataset_catalogue_at(i)->name, "", "data set");
}

static void add_experiments(const offer *o) {
    char **names = NULL;
    size_t n = 0;
    if (shipped_experiment_names(&names, &n, NULL) != STATUS_OK)
        return; /* those names are missing, no more */
    for (size_t i = 0; i < n; i++)
        add(o, names[i], "", "experiment");
    texts_destroy(names, n);
}

static void add_experiments_and_files(const offer *o) {
    add_experiments(o);
    add_files(o);
}

static void add_formats(const offer *o) {
    add(o, "html", "", "one page");
    add(o, "csv", "", "tables alone");
    add(o, "text", "", "no files");
    for (size_t i = 0; document_format_at(i); i++)
        add(o, document_format_at(i)->name, "", "report");
}

/* A list of words with '|' between them. */
static void add_choices(const offer *o, const char *choices) {
    for (const char *c = choices; *c;) {
        size_t n = strcspn(c, "|");
        char word[64];
        (void)snprintf(word, sizeof word, "%.*s", (int)n, c);
        add(o, word, "", "");
        c += n + (c[n] == '|');
    }
}

static void add_everything(const offer *o) {
    add_learners(o);
    add_scores(o);
    add_tests(o);
    add_discretizers(o);
    add_metrics(o);
    add_experiments(o);
    add_datasets(o);
    add_networks(o);
}

static void add_kinds_to_list(const offer *o) {
    add_choices(o, "learners|networks|datasets|metrics|scores|tests|experiments|discretizers|parts|published");
}

static void add_commands(const offer *o) {
    for (size_t i = 0; i < o->line->n_commands; i++)
        add(o, o->line->commands[i]->syntax.name, "", o->line->commands[i]->syntax.summary);
}

/* What the words of a syntax and the values of options are called, and what may stand there. Else: a file. */
static const struct {
    const char *command; /* NULL: any */
    const char *word;
    void (*add)(const offer *o);
} kinds[] = {
    {"list", "KIND", add_kinds_to_list},
    {"info", "NAME", add_everything},
    {"reproduce", "NAME", add_experiments},
    {"datasets", "NAME", add_datasets},
    {"run", "FILE", add_experiments_and_files},
    {"nightly", "FILE", add_experiments_and_files},
    {"plan", "FILE", add_experiments_and_files},
    {"report", "FORMAT", add_formats},
    {"compare", "A,B,...", add_metrics},
    {NULL, "LEARNER", add_learners},
    {NULL, "SCORE", add_scores},
    {NULL, "TEST", add_tests},
    {NULL, "METHOD", add_discretizers},
    {NULL, "NETWORK", add_networks},
    {NULL, "TRUTH", add_networks},
    {NULL, "STATES", add_networks},
    {NULL, "GRAPH", add_networks},
    {NULL, "IN", add_networks},
    {"networks", "NAME", add_networks},
    {NULL, "COMMAND", add_commands},
};

static bool is_file(const char *word) {
    static const char *const files[] = {"FILE", "DATA", "DIR", "STORE", "STORE_A", "STORE_B", "OUT", "FILE.svg"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(files[i], word) == 0)
            return true;
    }
    return false;
}

static void add_by_name(const offer *o, const command *c, const char *word) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].word, word) == 0 && (!kinds[i].command || strcmp(kinds[i].command, c->syntax.name) == 0)) {
            kinds[i].add(o);
            return;
        }
    }
    if (is_file(word))
        add_files(o);
    else if (strchr(word, '|'))
        add_choices(o, word);
}

/* ---- options ---- */

static const arg_option *find_option(const command *c, const char *word) {
    const arg_option *tables[] = {c->syntax.options, args_everywhere};
    for (size_t t = 0; t < 2; t++) {
        for (const arg_option *o = tables[t]; o && o->name; o++) {
            bool is_short = word[0] == '-' && word[1] == o->short_name && word[1] && !word[2];
            if (is_short || (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0))
                return o;
        }
    }
    return NULL;
}

static void add_options(const offer *o, const command *c) {
    const arg_option *tables[] = {c->syntax.options, args_everywhere};
    for (size_t t = 0; t < 2; t++) {
        for (const arg_option *row = tables[t]; row && row->name; row++) {
            char word[64];
            (void)snprintf(word, sizeof word, "--%s", row->name);
            add(o, word, "", row->help);
        }
    }
}

/* The options of the thing that the first word names, of learn, score, test and discretize. */
static const option_spec *options_of(const command *c, const char *thing) {
    const learner *l;
    const score_kind *s;
    const ci_test_kind *t;
    const discretizer *d;
    const char *name = c->syntax.name;
    if (strcmp(name, "learn") == 0)
        return learner_find(thing, &l, NULL) == STATUS_OK ? l->options : NULL;
    if (strcmp(name, "score") == 0)
        return score_kind_find(thing, &s, NULL) == STATUS_OK ? s->options : NULL;
    if (strcmp(name, "test") == 0)
        return ci_test_kind_find(thing, &t, NULL) == STATUS_OK ? t->options : NULL;
    if (strcmp(name, "discretize") == 0)
        return discretizer_find(thing, &d, NULL) == STATUS_OK ? d->options : NULL;
    return NULL;
}

/* "name=" before the equals sign, and behind it what the option may be. */
static status add_settings(const offer *o, const option_spec *specs, error_info *err) {
    const char *equals = strchr(o->start, '=');
    for (option_walk w = options_walk(specs, NULL); specs && options_next(&w);) {
        AUTO(text_buffer_clear) text_buffer help = {0}, choices = {0};
        option_walk_append_help(&w, &help);
        CHECK(text_buffer_check(&help, err));
        if (!equals) {
            add(o, w.name, "=", help.data ? help.data : "");
            continue;
        }
        if (strncmp(w.name, o->start, (size_t)(equals - o->start)) != 0 || w.name[equals - o->start])
            continue;
        if (w.spec.kind == OPT_CHOICE || w.spec.kind == OPT_CHOSEN)
            options_append_choices(&w.spec, &choices);
        else if (w.spec.kind == OPT_BOOL)
            text_append(&choices, "true|false");
        for (const char *c = choices.data ? choices.data : ""; *c;) {
            size_t n = strcspn(c, "|");
            char word[160];
            (void)snprintf(word, sizeof word, "%s=%.*s", w.name, (int)n, c);
            add(o, word, "", "");
            c += n + (c[n] == '|');
        }
    }
    return STATUS_OK;
}

/* ---- words ---- */

/* The n-th word of "LEARNER DATA" or "fetch NAME...|all", counted from 0; the last may be repeated. */
static void name_word(const char *words, size_t n, char *out, size_t size) {
    const char *at = words;
    size_t length = strcspn(at, " ");
    for (; n > 0 && at[length] && at[length + 1] != '-'; n--) {
        at += length + 1;
        length = strcspn(at, " ");
    }
    if (n > 0 && !strstr(at, "..."))
        length = 0;
    (void)snprintf(out, size, "%.*s", (int)length, at);
    if (strstr(out, "..."))
        *strstr(out, "...") = '\0';
}

/* What was typed before the last word, sorted into words and options. */
typedef struct {
    const char *first;       /* the first word that is no option; NULL so far */
    size_t n_words;          /* words so far */
    const arg_option *asked; /* the option whose value is being typed; NULL: none */
} typed_so_far;

static typed_so_far sort_words(const command *c, const typed_line *line) {
    typed_so_far so_far = {0};
    for (size_t i = 1; i + 1 < line->n_words; i++) {
        const char *word = line->words[i];
        const arg_option *o = so_far.asked ? NULL : find_option(c, word);
        if (so_far.asked) {
            so_far.asked = NULL;
        } else if (o) {
            so_far.asked = o->value ? o : NULL;
        } else if (word[0] != '-') {
            so_far.first = so_far.first ? so_far.first : word;
            so_far.n_words++;
        }
    }
    return so_far;
}

static status add_for_command(const offer *o, const command *c, error_info *err) {
    typed_so_far so_far = sort_words(c, o->line);
    char word[64];
    if (so_far.asked && strcmp(so_far.asked->value, "K=V") == 0)
        return add_settings(o, so_far.first ? options_of(c, so_far.first) : NULL, err);
    if (so_far.asked) {
        add_by_name(o, c, so_far.asked->value);
        return STATUS_OK;
    }
    if (o->start[0] == '-') {
        add_options(o, c);
        return STATUS_OK;
    }
    name_word(c->syntax.words, so_far.n_words, word, sizeof word);
    if (strcmp(word, "fetch") == 0)
        add(o, "fetch", "", c->syntax.summary);
    else
        add_by_name(o, c, word);
    return STATUS_OK;
}

status candidates_append(const typed_line *line, text_buffer *out, error_info *err) {
    offer o = {line, line->words[line->n_words - 1], out};
    if (line->n_words == 1) {
        add_commands(&o);
        add(&o, "help", "", "the help of a command");
        return text_buffer_check(out, err);
    }
    for (size_t i = 0; i < line->n_commands; i++) {
        if (strcmp(line->commands[i]->syntax.name, line->words[0]) == 0)
            CHECK(add_for_command(&o, line->commands[i], err));
    }
    if (strcmp(line->words[0], "help") == 0)
        add_commands(&o);
    return text_buffer_check(out, err);
}
