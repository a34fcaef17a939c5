/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench explain: where a figure of a store's table came from, and what it hangs on. */
#include "cli/base/command.h"

#include "cli/reports/explained.h"
#include "cli/reports/job_details.h"
#include "cli/reports/stored_readings.h"
#include "core/base/shell_word.h"
#include "generators/catalogue/catalogue.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {{0}};

/* A store with its readings, and the tables of all of them. */
typedef struct {
    char *published;
    report_input base;
    stored_readings readings;
    reproduction_input of; /* all this */
    explanation *tables;
} explained_store;

static void explained_store_clear(explained_store *s) {
    explanation_destroy(s->tables);
    report_input_clear(&s->base);
    stored_readings_clear(&s->readings);
    free(s->published);
}

static status read_store(const char *folder, explained_store *s, error_info *err) {
    CHECK(catalogue_shipped_beside("published", &s->published, err));
    CHECK(report_input_read(folder, NULL, (report_wish){0}, &s->base, err));
    CHECK(stored_readings_read(folder, &s->base.e->outputs, &s->readings, err));
    s->of = stored_reading_input(&s->base, &s->readings, s->published);
    return explanation_create(&s->of, &s->tables, err);
}

/* ---- which cells there are ---- */

static void append_names(const char *what, char *const *names, size_t n, text_buffer *out) {
    text_append_format(out, "%-8s", what);
    for (size_t i = 0; i < n; i++)
        text_append_format(out, "%s%s", i ? ", " : " ", names[i]);
    text_append(out, "\n");
}

static status show_cells(cli *c, const explained_store *s, error_info *err) {
    const char *id = c->args->words[1];
    const table *t = NULL;
    CHECK(cli_blame(c, BLAME_INPUT, explanation_find_table(s->tables, id, &t, err)));
    if (c->json)
        return json_put_all(c->answer = json_object(), err, {"table", json_of_text(id)},
                            {"title", json_of_text(t->title)},
                            {"rows", json_of_texts((const char *const *)t->row_names, t->n_rows)},
                            {"columns", json_of_texts((const char *const *)t->column_names, t->n_columns)});
    text_append_format(&c->out, "%s: %s\n", id, t->title);
    append_names("rows", t->row_names, t->n_rows, &c->out);
    append_names("columns", t->column_names, t->n_columns, &c->out);
    return text_buffer_check(&c->out, err);
}

static status show_tables(cli *c, const explained_store *s, error_info *err) {
    json_t *all = json_array();
    CHECK(json_put_all(c->answer = json_object(), err, {"tables", all}));
    for (size_t i = 0; i < explanation_table_count(s->tables); i++) {
        const char *id = explanation_table_id(s->tables, i);
        const table *t = NULL;
        CHECK(explanation_find_table(s->tables, id, &t, err));
        CHECK(json_add(all, json_of_text(id), err));
        text_append_format(&c->out, "%s: %s\n", id, t->title);
    }
    if (c->json)
        text_buffer_clear(&c->out);
    return text_buffer_check(&c->out, err);
}

/* ---- a job, a figure ---- */

static status show_job(cli *c, error_info *err) {
    AUTO_PTR(store_close) store *s = NULL;
    AUTO_PTR(stored_run_destroy) stored_run *run = NULL;
    stored_job j = {0};
    CHECK(cli_blame(c, BLAME_INPUT, store_open(c->args->words[0], false, false, &s, err)));
    CHECK(cli_blame(c, BLAME_INPUT, stored_run_read(s, NULL, STORED_RUN_TEXTS, &run, err)));
    CHECK(cli_blame(c, BLAME_INPUT, stored_job_find(run, c->args->words[1], &j, err)));
    return c->json ? job_details_put(&j, c->answer = json_object(), err) : job_details_print(&j, c, err);
}

static status show_figure(cli *c, const explained_store *s, error_info *err) {
    const char *const *w = c->args->words;
    explained_figure f = {0};
    CHECK(cli_blame(c, BLAME_INPUT, explanation_find(s->tables, w[1], w[2], w[3], &f, err)));
    return c->json ? explained_put(&f, &s->base, w[0], c->answer = json_object(), err)
                   : explained_print(&f, &s->base, w[0], c, err);
}

static bool names_job(const args *a) {
    return a->n_words == 2 && strpbrk(a->words[1], "/,");
}

static status refuse_half_a_name(cli *c, error_info *err) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    text_append(&line, "bnbench explain ");
    shell_append_word(&line, c->args->words[0]);
    text_append(&line, " ");
    shell_append_word(&line, c->args->words[1]);
    CHECK(text_buffer_check(&line, err));
    return cli_refuse(c, err, "a figure is named by its table, row and column; '%s' lists those", line.data);
}

static status run(cli *c, error_info *err) {
    AUTO(explained_store_clear) explained_store s = {0};
    size_t n = c->args->n_words;
    if (n == 3)
        return refuse_half_a_name(c, err);
    if (names_job(c->args))
        return show_job(c, err);
    CHECK(cli_blame(c, BLAME_INPUT, read_store(c->args->words[0], &s, err)));
    if (n == 1)
        return show_tables(c, &s, err);
    return n == 2 ? show_cells(c, &s, err) : show_figure(c, &s, err);
}

const command command_explain = {
    .run = run,
    .syntax =
        {.name = "explain",
         .words = "STORE [TABLE [ROW COLUMN]]",
         .summary = "where a figure of a table came from: how it was made, and the jobs behind it",
         .details =
             "TABLE is the id of a table of the experiment; without ROW and COLUMN its rows and columns are listed,\n"
             "and without TABLE the tables. The figure is shown with the published one and whether it is within the\n"
             "table's tolerance; the metric; how the values of the jobs became the figure; the jobs, each with the\n"
             "command that repeats it; options, version, machine and date; and what the experiment says of it.\n"
             "The name of a job (alarm/500/3/hc) in place of TABLE shows that job, as 'bnbench job' does.",
         .examples = "  printf 'name: mine\\nnetworks: [asia]\\ndata: {samples: [500], replicates: 3}\\nlearners: [hc, "
                     "mmhc]\\ntables: [{id: shd, metric: shd}]\\n' > my.yaml\n"
                     "  bnbench run my.yaml\n"
                     "  bnbench explain stores/mine\n"
                     "  bnbench explain stores/mine shd\n"
                     "  bnbench explain stores/mine shd 500 hc",
         .least_words = 1,
         .most_words = 4,
         .options = options},
};
