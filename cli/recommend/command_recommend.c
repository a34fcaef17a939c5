/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench recommend: which learner to use on my data, by a few that are tried on it. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/recommend/recommend.h"

#include "cli/base/terminal.h"
#include "core/base/shell_word.h"
#include "core/base/text_fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    {"time", 0, "LIMIT", "elapsed time for all of it: 30s, 5min (60s); each learner has an\nequal share"},
    {"threads", 0, "N", "threads that reading and the learners may use (1)"},
    {"seed", 0, "S", "of the folds, the half samples and the learners (1)"},
    {0},
};

enum { FEW_ROWS = 50, ROWS_A_PARAMETER = 5, MANY_STATES = 20 };

/* What is tried, and what came of it. */
typedef struct {
    dataset *data;
    trial_request in;
    size_t n;
    trial *trials;
    choice c;
    size_t n_warnings;
    char **warnings;
} session;

static void session_clear(session *s) {
    for (size_t i = 0; s->trials && i < s->n; i++)
        trial_clear(&s->trials[i]);
    free(s->trials);
    texts_destroy(s->warnings, s->n_warnings);
    dataset_destroy(s->data);
}

/* ---- trying ---- */

static status read_words(cli *c, session *s, error_info *err) {
    const char *limit = args_value(c->args, "time");
    int64_t threads = 1, seed = 1;
    double seconds = 60;
    if (limit && (!text_to_seconds(limit, &seconds) || !(seconds > 0)))
        return error_set(err, STATUS_INVALID, "--time is '%s'; it must be a duration above zero: 30s, 5min, 1h", limit);
    CHECK(args_whole(c->args, "threads", 1, INPUT_MOST_THREADS, 1, &threads, err));
    CHECK(args_whole(c->args, "seed", 0, INT64_MAX, 1, &seed, err));
    s->in = (trial_request){.seed = (uint64_t)seed, .n_threads = (size_t)threads, .seconds = seconds};
    return STATUS_OK;
}

/* The time that a candidate leaves goes to those behind it. */
static status try_candidates(session *s, error_info *err) {
    const first_learner *all = first_learners_for(dataset_kind(s->data), false, &s->n);
    double end_s = run_clock_s() + s->in.seconds;
    CHECK_ALLOC(s->trials = calloc(s->n + 1, sizeof *s->trials));
    s->in.data = s->data;
    for (size_t i = 0; i < s->n; i++) {
        s->in.seconds = fmax(0, end_s - run_clock_s()) / (double)(s->n - i);
        CHECK(trial_run(&s->in, &all[i], &s->trials[i], err));
    }
    s->c = trials_choose(s->trials, s->n);
    return STATUS_OK;
}

/* ---- warnings ---- */

static bool is_constant(const dataset *data, size_t column) {
    const double *reals =
        dataset_variable(data, column)->kind == VARIABLE_CONTINUOUS ? dataset_reals(data, column) : NULL;
    for (size_t row = 1; row < dataset_row_count(data); row++) {
        if (reals ? reals[row] != reals[0] : dataset_state(data, row, column) != dataset_state(data, 0, column))
            return false;
    }
    return true;
}

static status warn_of_columns(session *s, error_info *err) {
    for (size_t i = 0; i < dataset_column_count(s->data); i++) {
        const variable *v = dataset_variable(s->data, i);
        AUTO(text_buffer_clear) text_buffer b = {0};
        if (is_constant(s->data, i))
            text_append_format(&b, "The column '%s' is constant: it can have no edge; leave it out.", v->name);
        else if (v->n_states > MANY_STATES)
            text_append_format(&b,
                               "The column '%s' has %zu states: tables with it grow large; join states, or leave "
                               "it out where it names the rows.",
                               v->name, v->n_states);
        CHECK(text_list_take(&s->warnings, &s->n_warnings, &b, err));
    }
    return STATUS_OK;
}

static status warn_of_rows(session *s, error_info *err) {
    size_t n = dataset_row_count(s->data);
    double parameters = s->c.chosen < s->n ? s->trials[s->c.chosen].parameters : NAN;
    AUTO(text_buffer_clear) text_buffer b = {0};
    if (n < FEW_ROWS)
        text_append_format(&b, "There are too few rows to rely on any of this: %zu.", n);
    else if ((double)n < ROWS_A_PARAMETER * parameters)
        text_append_format(&b, "There are too few rows for such a graph: %zu for %.0f parameters.", n, parameters);
    return text_list_take(&s->warnings, &s->n_warnings, &b, err);
}

/* ---- what to do ---- */

static void append_command(const cli *c, const session *s, text_buffer *out) {
    const first_learner *of = s->trials[s->c.chosen].of;
    text_append_format(out, "bnbench learn %s ", of->learner);
    shell_append_word(out, c->args->words[0]);
    for (size_t i = 0; of->options[i]; i++)
        text_append_format(out, " -O %s", of->options[i]);
    text_append(out, " -o graph.csv");
}

static void append_equals(const session *s, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 1; i < s->n; i++) {
        const trial *t = &s->trials[i];
        if (i == s->c.chosen || t->failure || t->is_over || isnan(t->mean_held_out) ||
            !trial_is_as_good(t, &s->trials[s->c.best]))
            continue;
        text_append_format(out, "%s%s",
                           n++ ? ", "
                               : " Within one standard error of the best likelihood, fold by fold, "
                                 "are too: ",
                           t->of->learner);
    }
    if (n && isnan(s->trials[s->c.chosen].stability))
        text_append(out, "; none of these finds an edge in half of the rows.");
    else if (n)
        text_append_format(out, "; of these %s is the most stable, its edges being found again in other rows (%.2f).",
                           s->trials[s->c.chosen].of->learner, s->trials[s->c.chosen].stability);
}

static void append_advice(const session *s, text_buffer *out) {
    const trial *t = &s->trials[s->c.chosen];
    if (s->c.chosen == s->n) {
        text_append(out, "No learner ended within its share of the time; give more by --time.");
        return;
    }
    text_append_format(out, "Use %s: %s. ", t->of->learner, t->of->school);
    if (!s->c.by_score)
        text_append_format(out,
                           "There is no held-out likelihood to compare learners by for these data, so the most "
                           "stable one is taken (%.2f).",
                           t->stability);
    else if (s->c.chosen == s->c.best)
        text_append(out, "Rows that it did not learn from are the most likely under its graph.");
    else
        text_append_format(out, "%s has the best likelihood, by no more than chance would give.",
                           s->trials[s->c.best].of->learner);
    if (s->c.by_score)
        append_equals(s, out);
    if (s->c.none_better)
        text_append(out, " But a graph without edges does as well: these rows show hardly any dependence.");
}

/* ---- for people ---- */

static void append_number(const char *format, double value, text_buffer *out) {
    char text[32] = "-";
    if (!isnan(value))
        (void)snprintf(text, sizeof text, format, value);
    text_append_format(out, "  %10s", text);
}

static void append_trial(const trial *t, text_buffer *out) {
    text_append_format(out, "%-12s", t->of->learner);
    append_number("%.4f", t->mean_held_out, out);
    append_number("%.2f", t->stability, out);
    append_number("%.0f", (double)t->n_edges, out);
    append_number("%.3g", t->seconds, out);
    text_append_format(out, "  %s%s\n",
                       t->failure   ? "failed: "
                       : t->is_over ? "did not end in its share"
                                    : "",
                       t->failure ? t->failure : "");
}

static status print(cli *c, const session *s, error_info *err) {
    AUTO(text_buffer_clear) text_buffer words = {0};
    text_append_format(&c->out, "%-12s  %10s  %10s  %10s  %10s\n", "learner", "held-out", "stability", "edges",
                       "seconds");
    for (size_t i = 0; i < s->n; i++)
        append_trial(&s->trials[i], &c->out);
    text_append(&words, "\n");
    append_advice(s, &words);
    for (size_t i = 0; i < s->n_warnings; i++)
        text_append_format(&words, "\n%s", s->warnings[i]);
    text_append(&words, "\n");
    CHECK(text_buffer_check(&words, err));
    text_fold(words.data, terminal_width(STDOUT_FILENO), &c->out);
    if (s->c.chosen < s->n) {
        text_append(&c->out, "\nNext:\n  ");
        append_command(c, s, &c->out);
        text_append(&c->out, "\n");
    }
    return text_buffer_check(&c->out, err);
}

/* ---- for machines ---- */

static json_t *trial_json(const trial *t) {
    size_t n = 0;
    while (t->of->options[n])
        n++;
    return json_object_of({"learner", json_of_text(t->of->learner)}, {"options", json_of_texts(t->of->options, n)},
                          {"ended", json_boolean(!t->is_over && !t->failure)}, {"message", json_of_text(t->failure)},
                          {"held_out", json_of_double(t->mean_held_out)}, {"stability", json_of_double(t->stability)},
                          {"edges", json_of_size(t->n_edges)}, {"parameters", json_of_double(t->parameters)},
                          {"seconds", json_of_double(t->seconds)});
}

static status put(cli *c, const session *s, error_info *err) {
    AUTO(text_buffer_clear) text_buffer advice = {0};
    AUTO(text_buffer_clear) text_buffer next = {0};
    json_t *all = json_array();
    bool is_there = s->c.chosen < s->n;
    append_advice(s, &advice);
    if (is_there)
        append_command(c, s, &next);
    CHECK(json_put_all(c->answer = json_object(), err, {"trials", all},
                       {"recommended", json_of_text(is_there ? s->trials[s->c.chosen].of->learner : NULL)},
                       {"best", json_of_text(s->c.best < s->n ? s->trials[s->c.best].of->learner : NULL)},
                       {"no_dependence", json_boolean(s->c.none_better)}, {"advice", json_of_buffer(&advice)},
                       {"warnings", json_of_texts((const char *const *)s->warnings, s->n_warnings)},
                       {"command", json_of_buffer(&next)}));
    for (size_t i = 0; i < s->n; i++)
        CHECK(json_add(all, trial_json(&s->trials[i]), err));
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    AUTO(session_clear) session s = {0};
    CHECK(cli_blame(c, BLAME_WORDS, read_words(c, &s, err)));
    CHECK(input_data(c, c->args->words[0], NULL, &s.data, err));
    CHECK(try_candidates(&s, err));
    CHECK(warn_of_rows(&s, err));
    CHECK(warn_of_columns(&s, err));
    return c->json ? put(c, &s, err) : print(c, &s, err);
}

const command command_recommend = {
    .run = run,
    .syntax =
        {.name = "recommend",
         .words = "DATA",
         .summary = "which learner to use on your data: tries a few, and says why",
         .details =
             "Tries one learner of each school that takes such data, and the graph without edges to compare with: on\n"
             "all rows, by cross-validation in five folds (held-out: log-likelihood a row, of rows that were not\n"
             "learned from) and on eight halves of the rows (stability: how alike the edges are that are found in\n"
             "two of them, from 0 to 1). Of those whose likelihood is within a standard error of the best it takes\n"
             "the most stable. The same seed gives the same advice, but for what the limit of time cuts.",
         .examples = "  bnbench sample asia -n 500 -o mine.csv\n"
                     "  bnbench recommend mine.csv --time 20s",
         .least_words = 1,
         .most_words = 1,
         .options = options},
};
