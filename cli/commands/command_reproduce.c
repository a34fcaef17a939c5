/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bnbench reproduce: runs experiments of papers with all their readings, writes the report on each and one page of
 * verdicts over them. What is stored does not run again, so the same command goes on after an interruption.
 */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/base/run_request.h"
#include "cli/reports/reproductions.h"
#include "cli/reports/run_readings.h"
#include "cli/reports/runs.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/run/run_context.h"
#include "runner/declare/shipped_experiments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    {"stores", 0, "DIR", "where the stores are, one an experiment (stores)"},
    {"out", 'o', "DIR", "where the reports go: NAME.md and README.md (reproduction or\nreproduction-P)"},
    {"profile", 0, "P", "overlay this profile of each file: quick"},
    {"jobs", 'j', "N", "jobs at once (as many as processors may be busy)"},
    {"reason", 0, "ID", "of one NAME: run what shows this reason of its figures that do not come\nout, and print it"},
    {0},
};

/* An experiment, its readings and what came of them. */
typedef struct {
    experiment e;
    char *path, *store;
    run_counts counts;
    chosen_readings readings;
    double seconds;
    char *problem; /* why there is no report of it; NULL: there is one, or it has not begun */
} paper;

typedef struct {
    size_t n;
    paper *papers;
    size_t n_jobs;
    const char *out;
    bool interrupted;
} session;

static void paper_clear(paper *p) {
    experiment_clear(&p->e);
    chosen_readings_clear(&p->readings);
    free(p->path);
    free(p->store);
    free(p->problem);
}

static void clear(session *s) {
    for (size_t i = 0; i < s->n; i++)
        paper_clear(&s->papers[i]);
    free(s->papers);
}

/* ---- which ---- */

static bool has_readings(const experiment *e) {
    for (size_t i = 0; i < e->outputs.n_readings; i++) {
        if (!reading_is_base(&e->outputs.readings[i]))
            return true;
    }
    return false;
}

static status read_paper(const cli *c, const char *word, paper *p, error_info *err) {
    CHECK(shipped_experiment_locate(word, &p->path, err));
    CHECK(experiment_read(p->path, args_value(c->args, "profile"), NULL, 0, &p->e, err));
    if (has_readings(&p->e))
        CHECK(chosen_readings_read(&p->e, "all", &p->readings, err));
    CHECK(error_at(runner_check_programs(&p->e, err), err, p->path));
    return runs_name_store(args_value(c->args, "stores"), p->e.outputs.name, args_value(c->args, "profile"), &p->store,
                           err);
}

/* Store and report are called like the experiment. */
static status check_store(const session *s, const paper *p, error_info *err) {
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->papers[i].e.outputs.name, p->e.outputs.name) == 0)
            return error_set(err, STATUS_INVALID, "%s and %s are both called '%s': each needs a name of its own",
                             s->papers[i].path, p->path, p->e.outputs.name);
    }
    return STATUS_OK;
}

/* One that nobody named is left out where it is of no paper. */
static status add_paper(const cli *c, session *s, const char *word, bool is_named, error_info *err) {
    AUTO(paper_clear) paper p = {0};
    CHECK(read_paper(c, word, &p, err));
    if (!is_named && !p.e.outputs.paper)
        return STATUS_OK;
    CHECK(check_store(s, &p, err));
    CHECK(ARRAY_APPEND(s->papers, s->n, err, p));
    p = (paper){0};
    return STATUS_OK;
}

static status add_all(const cli *c, session *s, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    status st = shipped_experiment_names(&names, &n, err);
    for (size_t i = 0; st == STATUS_OK && i < n; i++)
        st = add_paper(c, s, names[i], false, err);
    texts_destroy(names, n);
    return st;
}

static status choose_papers(const cli *c, session *s, error_info *err) {
    const args *a = c->args;
    if (a->n_words == 1 && strcmp(a->words[0], "all") == 0)
        return add_all(c, s, err);
    for (size_t i = 0; i < a->n_words; i++)
        CHECK(add_paper(c, s, a->words[i], true, err));
    return STATUS_OK;
}

/* ---- running ---- */

static run_options options_of(const cli *c, const session *s, const paper *p) {
    return (run_options){.store_folder = p->store,
                         .file = p->path,
                         .profile = args_value(c->args, "profile"),
                         .n_jobs = s->n_jobs,
                         .quiet = c->quiet,
                         .show_progress = !c->quiet && isatty(STDERR_FILENO)};
}

static status run_paper(cli *c, session *s, paper *p, error_info *err) {
    run_options o = options_of(c, s, p);
    double start = run_clock_s();
    CHECK(runner_run(&p->e, &o, &p->counts, &s->interrupted, err));
    CHECK(chosen_readings_run(c, &p->readings, &o, &s->interrupted, err));
    p->seconds = run_clock_s() - start;
    return STATUS_OK;
}

static status write_report(cli *c, const session *s, const paper *p, error_info *err) {
    AUTO_FREE char *path = path_join_ending(s->out, p->e.outputs.name, ".md");
    CHECK_ALLOC(path);
    CHECK(reproductions_write(c, p->store, path, err));
    cli_say(c, "%s: %.0f s, %s", p->e.outputs.name, p->seconds, path);
    return STATUS_OK;
}

/* Over those that have a report; the page names the others. Where there is none, no page is written. */
static status write_verdicts(cli *c, const session *s, error_info *err) {
    AUTO_FREE const char **stores = calloc(s->n + 1, sizeof *stores), **problems = calloc(s->n + 1, sizeof *problems);
    AUTO_FREE char *path = path_join(s->out, "README.md");
    size_t n = 0, n_problems = 0;
    CHECK_ALLOC(stores && problems && path);
    for (size_t i = 0; i < s->n; i++) {
        if (s->papers[i].problem)
            problems[n_problems++] = s->papers[i].problem;
        else
            stores[n++] = s->papers[i].store;
    }
    return n > 0 ? reproductions_write_verdicts(c, stores, n, problems, n_problems, path, err) : STATUS_OK;
}

static status reproduce(cli *c, session *s, paper *p, error_info *err) {
    CHECK(cli_blame(c, BLAME_WORK, run_paper(c, s, p, err)));
    return s->interrupted ? STATUS_OK : write_report(c, s, p, err);
}

/* What stops one paper does not stop the others. */
static status note_problem(const cli *c, paper *p, status st, error_info *problem, error_info *err) {
    text_buffer text = {0};
    if (st == STATUS_MEMORY || st == STATUS_BUG)
        return error_set(err, st, "%s", problem->message);
    text_append_format(&text, "%s: %s", p->e.outputs.name, problem->message);
    CHECK(text_buffer_check(&text, err));
    p->problem = text.data;
    cli_say(c, "%s", p->problem);
    return STATUS_OK;
}

static status run_all(cli *c, session *s, error_info *err) {
    for (size_t i = 0; i < s->n && !s->interrupted; i++) {
        error_info problem = {0};
        status st;
        cli_say(c, "%s (%zu of %zu):", s->papers[i].e.outputs.name, i + 1, s->n);
        st = reproduce(c, s, &s->papers[i], &problem);
        if (st != STATUS_OK)
            CHECK(note_problem(c, &s->papers[i], st, &problem, err));
    }
    return s->interrupted ? STATUS_OK : write_verdicts(c, s, err);
}

/* ---- how long ---- */

typedef struct {
    size_t n_cells;
    double seconds; /* of those whose learners have run before */
    bool is_known;  /* for all of them */
} forecast;

/* Cells that an earlier plan of the same paper runs are not counted again. */
static status add_forecast(const session *s, const paper *p, const experiment *e, planned_keys *earlier, forecast *f,
                           error_info *err) {
    AUTO(planned_run_clear) planned_run plan = {0};
    CHECK(runner_describe_plan(e, p->store, false, s->n_jobs, earlier, &plan, err));
    f->n_cells += plan.n_new;
    if (plan.n_new == 0)
        return STATUS_OK;
    if (plan.counts.seconds_left < 0)
        f->is_known = false;
    else
        f->seconds += plan.counts.seconds_left * (double)plan.n_new / (double)plan.counts.left;
    return STATUS_OK;
}

static status add_forecast_of(const session *s, const paper *p, forecast *f, error_info *err) {
    AUTO(planned_keys_clear) planned_keys earlier = {0};
    CHECK(add_forecast(s, p, &p->e, &earlier, f, err));
    for (size_t i = 0; i < p->readings.n; i++)
        CHECK(add_forecast(s, p, &p->readings.experiments[i], &earlier, f, err));
    return STATUS_OK;
}

/* By the times of what is stored: of learners that have never run nobody knows. What cannot be planned says so when its
 * turn comes. */
static void say_how_long(const cli *c, const session *s) {
    forecast f = {.is_known = true};
    for (size_t i = 0; i < s->n; i++) {
        error_info quiet = {0};
        f.is_known &= add_forecast_of(s, &s->papers[i], &f, &quiet) == STATUS_OK;
    }
    if (f.n_cells == 0 && f.is_known)
        cli_say(c, "All cells are stored: the reports are written anew.");
    else if (f.seconds > 0)
        cli_say(c, "%zu cells are to run, in about %.0f minutes%s.", f.n_cells, ceil(f.seconds / 60),
                f.is_known ? "" : " and what experiments without any results take");
    else
        cli_say(c, "%zu cells are to run. Nothing is stored by which to tell how long; progress does as it comes.",
                f.n_cells);
}

/* ---- the answer ---- */

/* An interruption leaves experiments that did not begin: they have no counts. */
static bool has_begun(const paper *p) {
    return p->counts.total > 0;
}

static status answer(cli *c, const session *s, error_info *err) {
    json_t *array = json_array();
    double seconds = 0;
    size_t n_reported = 0;
    for (size_t i = 0; i < s->n; i++) {
        const paper *p = &s->papers[i];
        if (p->problem) {
            array = json_with(array, json_object_of({"name", json_of_text(p->e.outputs.name)},
                                                    {"problem", json_of_text(p->problem)}));
            text_append_format(&c->out, "%s\n", p->problem);
            continue;
        }
        if (!has_begun(p))
            continue;
        array = json_with(
            array, json_object_of({"name", json_of_text(p->e.outputs.name)}, {"store", json_of_text(p->store)},
                                  {"seconds", json_of_double(p->seconds)}, {"cells", runs_counts_object(&p->counts)},
                                  {"readings", chosen_readings_array(&p->readings)}));
        text_append_format(&c->out, "%s: ", p->e.outputs.name);
        runs_append_counts(&c->out, &p->counts);
        chosen_readings_append(&p->readings, &c->out);
        seconds += p->seconds;
        n_reported++;
    }
    if (s->interrupted)
        text_append(&c->out, "Interrupted. What is done is stored; the same command goes on from there.\n");
    else if (n_reported > 0)
        text_append_format(&c->out, "%.0f s. Verdicts: %s/README.md\n", seconds, s->out);
    CHECK_ALLOC(c->answer = json_object());
    return json_put_all(c->answer, err, {"experiments", array}, {"interrupted", json_boolean(s->interrupted)});
}

static bool is_complete(const session *s) {
    for (size_t i = 0; i < s->n; i++) {
        const paper *p = &s->papers[i];
        if (p->problem || p->counts.done < p->counts.total || !chosen_readings_are_complete(&p->readings))
            return false;
    }
    return true;
}

/* ---- one reason ---- */

static status refuse_reason(const experiment_outputs *o, const char *id, error_info *err) {
    AUTO(text_buffer_clear) text_buffer list = {0};
    for (size_t i = 0; i < o->n_reasons; i++)
        text_append_format(&list, "%s%s", i ? ", " : "", o->reasons[i].id);
    return error_set(err, STATUS_INVALID, "%s has no reason '%.60s'; it has %s", o->name, id,
                     list.data ? list.data : "none");
}

/* Whether the reason covers figures of the table or test, or is shown by it. */
static bool looks_at(const reason_spec *r, const claim_spec *claim, const char *part) {
    bool is_seen = r->shown_in && strcmp(part, r->shown_in) == 0;
    for (size_t i = 0; i < r->n_cells && !is_seen; i++)
        is_seen = strcmp(part, r->cells[i].table) == 0;
    for (size_t i = 0; claim && i < claim->n_checks && !is_seen; i++)
        is_seen = strcmp(part, claim->checks[i].table) == 0;
    return is_seen;
}

/* What the reason's tables and tests look at, as the experiment or a reading of it declares them. */
static void find_scope(const experiment *e, const reason_spec *r, part_scope *out) {
    const claim_spec *claim = r->claim ? outputs_find_claim(&e->outputs, r->claim) : NULL;
    for (size_t i = 0; i < e->parts.n; i++) {
        if (looks_at(r, claim, part_text(&e->parts.parts[i], "id")))
            part_scope_add(out, &e->parts.parts[i], &e->outputs);
    }
}

static status run_scope(cli *c, session *s, const experiment *e, const reason_spec *r, const run_options *o,
                        run_counts *counts, error_info *err) {
    AUTO(part_scope_clear) part_scope scope = {0};
    run_options only = *o;
    CHECK(part_scope_create(&e->outputs, &scope, err));
    find_scope(e, r, &scope);
    only.only = &scope;
    cli_say(c, "%s%s%s:", e->outputs.name, e->outputs.reading ? ", reading " : "",
            e->outputs.reading ? e->outputs.reading : "");
    return runner_run(e, &only, counts, &s->interrupted, err);
}

static bool is_evidence(const reason_spec *r, const char *reading) {
    for (size_t i = 0; i < r->n_readings; i++) {
        if (strcmp(r->readings[i], reading) == 0)
            return true;
    }
    return false;
}

static status run_reason(cli *c, session *s, paper *p, const reason_spec *r, error_info *err) {
    run_options o = options_of(c, s, p);
    CHECK(run_scope(c, s, &p->e, r, &o, &p->counts, err));
    for (size_t i = 0; i < p->readings.n && !s->interrupted; i++) {
        if (is_evidence(r, p->readings.experiments[i].outputs.reading))
            CHECK(run_scope(c, s, &p->readings.experiments[i], r, &o, &p->readings.counts[i], err));
    }
    return STATUS_OK;
}

static status show_reason(cli *c, session *s, const char *id, error_info *err) {
    paper *p = s->papers;
    const reason_spec *r = s->n == 1 ? outputs_find_reason(&p->e.outputs, id) : NULL;
    if (s->n != 1 || args_has(c->args, "out") || c->json)
        return cli_refuse(c, err, "--reason prints one reason of one experiment: leave out --out and --json");
    if (!r)
        return cli_blame(c, BLAME_WORDS, refuse_reason(&p->e.outputs, id, err));
    CHECK(cli_blame(c, BLAME_WORK, run_reason(c, s, p, r, err)));
    c->exit_status = s->interrupted ? LEAVE_INTERRUPTED : is_complete(s) ? LEAVE_DONE : LEAVE_INCOMPLETE;
    if (s->interrupted) {
        cli_say(c, "Interrupted. What is done is stored; the same command goes on from there.");
        return STATUS_OK;
    }
    return reproductions_print_reason(c, p->store, id, err);
}

/* A profile's reports do not stand in the place of those of the full protocol. */
static status name_folder(const cli *c, char **out, error_info *err) {
    const char *typed = args_value(c->args, "out"), *profile = args_value(c->args, "profile");
    text_buffer name = {0};
    text_append_format(&name, "%s", typed ? typed : "reproduction");
    if (!typed && profile)
        text_append_format(&name, "-%s", profile);
    *out = name.data;
    return text_buffer_check(&name, err);
}

static status run(cli *c, error_info *err) {
    AUTO(clear) session s = {0};
    AUTO_FREE char *out = NULL;
    CHECK(run_request_read_jobs(c, &s.n_jobs, err));
    CHECK(name_folder(c, &out, err));
    s.out = out;
    CHECK(cli_blame(c, BLAME_INPUT, choose_papers(c, &s, err)));
    if (args_has(c->args, "reason"))
        return show_reason(c, &s, args_value(c->args, "reason"), err);
    CHECK(cli_blame(c, BLAME_OUTPUT, folder_create(s.out, err)));
    if (!c->quiet)
        say_how_long(c, &s);
    CHECK(run_all(c, &s, err));
    c->exit_status = s.interrupted ? LEAVE_INTERRUPTED : is_complete(&s) ? LEAVE_DONE : LEAVE_INCOMPLETE;
    return answer(c, &s, err);
}

const command command_reproduce = {
    .run = run,
    .syntax = {.name = "reproduce",
               .words = "NAME...|all",
               .summary = "run papers' experiments with all readings, write their reports and verdicts",
               .details =
                   "all: every experiment that ships and names its paper. What is stored\n"
                   "does not run again: the same command goes on after an interruption.\n"
                   "Exit status 6: a job did not succeed, the reports say which; or an experiment stopped, the page\n"
                   "of verdicts, written over the others, says why.",
               .examples = "  bnbench reproduce vandel2012-alarm --profile quick --out vandel\n"
                           "  bnbench reproduce vandel2012-alarm --profile quick --reason long-moves",
               .least_words = 1,
               .most_words = 100,
               .options = options},
};
