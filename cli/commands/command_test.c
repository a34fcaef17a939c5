/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench test: one test of conditional independence. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "metrics/tests/ci_test.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"given", 0, "A,B,...",
     "the columns to condition on; may be repeated;\na name with a comma stands in quotes: '\"city, country\",age'"},
    {"network", 0, "STATES", "the network (name or file) that gives the state spaces"},
    {"option", 'O', "K=V",
     "an option of the test, as `bnbench info TEST` lists them:\ndf=full, alpha=0.01, tail=one; may be repeated"},
    {0},
};

typedef struct {
    cli *c;
    const ci_test_kind *kind;
    void *options; /* they begin with the level */
    any_network states;
    dataset *data;
    size_t x, y, n_z;
    size_t *z;
    ci_result result;
} testing;

static void clear(testing *t) {
    any_network_clear(&t->states);
    dataset_destroy(t->data);
    free(t->z);
    free(t->options);
}

static const char *column_name(const testing *t, size_t column) {
    return dataset_variable(t->data, column)->name;
}

static status add_given(void *self, const char *part, error_info *err) {
    testing *t = self;
    size_t column = 0;

    CHECK(input_column(t->c, t->data, part, &column, err));
    for (size_t i = 0; i < t->n_z; i++) {
        if (t->z[i] == column)
            return cli_refuse(t->c, err, "'%s' is given twice", part);
    }
    if (column == t->x || column == t->y)
        return cli_refuse(t->c, err, "'%s' is tested and given at once; leave it out of --given", part);
    t->z[t->n_z++] = column;
    return STATUS_OK;
}

static status read_columns(testing *t, error_info *err) {
    const args *a = t->c->args;
    AUTO_FREE const char **lists = calloc(a->n_given + 1, sizeof *lists);
    size_t n_lists;

    CHECK_ALLOC(lists);
    CHECK_ALLOC(t->z = calloc(dataset_column_count(t->data) + 1, sizeof *t->z));
    CHECK(input_column(t->c, t->data, a->words[2], &t->x, err));
    CHECK(input_column(t->c, t->data, a->words[3], &t->y, err));
    if (t->x == t->y)
        CHECK(cli_refuse(t->c, err, "X and Y are both '%s'; name two columns", a->words[2]));
    n_lists = args_values(a, "given", lists);
    for (size_t i = 0; i < n_lists; i++)
        CHECK(cli_blame(t->c, BLAME_WORDS, input_list(lists[i], add_given, t, err)));
    return STATUS_OK;
}

static status evaluate(testing *t, error_info *err) {
    ci_test *evaluator = NULL;
    status st = ci_test_create(t->kind, t->options, t->data, NULL, &evaluator, err);
    if (st == STATUS_OK)
        st = ci_test_evaluate(evaluator, t->x, t->y, t->z, t->n_z, &t->result, err);
    ci_test_destroy(evaluator);
    return cli_blame(t->c, BLAME_WORK, st);
}

static json_t *given_names(const testing *t) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < t->n_z; i++)
        array = json_with(array, json_of_text(column_name(t, t->z[i])));
    return array;
}

static status answer(cli *c, const testing *t, error_info *err) {
    const ci_result *r = &t->result;
    return json_put_all(c->answer = json_object(), err, {"test", json_of_text(t->kind->name)},
                        {"x", json_of_text(column_name(t, t->x))}, {"y", json_of_text(column_name(t, t->y))},
                        {"given", given_names(t)}, {"statistic", json_of_double(r->statistic)},
                        {"df", json_of_count(r->df)}, {"p_value", json_of_double(r->p_value)},
                        {"log_p_value", json_of_double(r->log_p)}, {"n", json_of_size(dataset_row_count(t->data))},
                        {"reliable", json_boolean(r->is_reliable)},
                        {"independent", json_boolean(r->p_value > ci_test_level(t->options))},
                        {"options", json_of_options(t->kind->options, t->options)});
}

static void print(cli *c, const testing *t) {
    const ci_result *r = &t->result;
    text_buffer *out = &c->out;
    char a[32], b[32], level[32];
    text_append_format(out, "%s of %s and %s", t->kind->name, column_name(t, t->x), column_name(t, t->y));
    for (size_t i = 0; i < t->n_z; i++)
        text_append_format(out, "%s%s", i ? ", " : " given ", column_name(t, t->z[i]));
    text_append_format(out, " (%zu rows)\n", dataset_row_count(t->data));
    text_append_format(out, "statistic  %s on %s degrees of freedom\n", text_from_double(r->statistic, a),
                       text_from_double(r->df, b));
    text_append_format(out, "p-value    %s (log %s)\n", text_from_double(r->p_value, a), text_from_double(r->log_p, b));
    text_append_format(out, "%s at level %s%s\n", r->p_value > ci_test_level(t->options) ? "independent" : "dependent",
                       text_from_double(ci_test_level(t->options), level),
                       r->is_reliable ? "" : "; too few rows for a learner to rely on it");
}

static status run(cli *c, error_info *err) {
    AUTO(clear) testing t = {.c = c};

    CHECK(cli_blame(c, BLAME_WORDS, ci_test_kind_find(c->args->words[0], &t.kind, err)));
    CHECK_ALLOC(t.options = options_create(t.kind->options, t.kind->options_size));
    CHECK(input_options(c, "option", t.kind->options, t.options, err));
    if (args_has(c->args, "network"))
        CHECK(input_network(c, args_value(c->args, "network"), &t.states.tables, err));
    CHECK(input_data(c, c->args->words[1], &t.states, &t.data, err));
    CHECK(read_columns(&t, err));
    CHECK(evaluate(&t, err));
    if (c->json)
        return answer(c, &t, err);
    print(c, &t);
    return STATUS_OK;
}

const command command_test = {
    .run = run,
    .syntax = {.name = "test",
               .words = "TEST DATA X Y",
               .summary = "test whether two columns are independent, given others",
               .details =
                   "X and Y are columns of DATA. 'bnbench list tests' names the tests; their log p-value does not\n"
                   "underflow. g2, x2, bayes: discrete columns; zf, cor: continuous ones; rcit: any.\n"
                   "The exit status is 0 whatever the answer is.",
               .examples = "  bnbench sample alarm -n 5000 -o alarm.csv\n"
                           "  bnbench test g2 alarm.csv HR BP --given CO --network alarm\n"
                           "  bnbench test x2 alarm.csv HR BP --given CO,TPR -O df=full --json\n"
                           "  bnbench sample alarm -n 1000 --continuize sigma=0.35 -o noisy.csv\n"
                           "  bnbench test zf noisy.csv HR BP --given CO",
               .least_words = 4,
               .most_words = 4,
               .options = options},
};
