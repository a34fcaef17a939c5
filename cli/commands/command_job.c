/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench job: one job of a store: its details, its files, and the same once more. */
#include "cli/base/command.h"
#include "core/base/shell_word.h"
#include "cli/reports/job_details.h"

#include "core/base/file.h"
#include "report/difference/repetition.h"
#include "store/store.h"

#include <math.h>
#include <string.h>

static const arg_option options[] = {
    {"output", 'o', "DIR",
     "write its data, the true network and graph, and the learned\ngraph there, and say how it is repeated by hand"},
    {"repeat", 0, NULL, "do it again and say what differs; the store stays as it is"},
    {0},
};

/* ---- files ---- */

static void append_command(text_buffer *out, const job_files *f) {
    if (f->folder) {
        text_append(out, "cd ");
        shell_append_word(out, f->folder);
        text_append(out, " && ");
    }
    for (size_t i = 0; i < f->n_words; i++) {
        text_append(out, i ? " " : "");
        shell_append_word(out, f->words[i]);
    }
}

static status write_files(cli *c, const stored_job *j, error_info *err) {
    AUTO(job_files_clear) job_files f = {0};
    AUTO(text_buffer_clear) text_buffer by_hand = {0};
    CHECK(cli_blame(c, BLAME_OUTPUT, stored_job_export(j, args_value(c->args, "output"), &f, err)));
    append_command(&by_hand, &f);
    CHECK(text_buffer_check(&by_hand, err));
    if (c->json)
        return json_put_all(c->answer, err, {"files", json_of_texts((const char *const *)f.files, f.n_files)},
                            {"command", json_of_text(by_hand.data)});
    for (size_t i = 0; i < f.n_files; i++)
        text_append_format(&c->out, "%s%s", i ? ", " : "Written: ", f.files[i]);
    text_append_format(&c->out, "\nBy hand:\n  %s\n", by_hand.data);
    return STATUS_OK;
}

/* ---- once more ---- */

static const repeated_metric *find_metric(const repetition *r, const char *name) {
    for (size_t i = 0; i < r->n_metrics; i++) {
        if (strcmp(r->metrics[i].name, name) == 0)
            return &r->metrics[i];
    }
    return NULL;
}

static const char *number(double value, char text[32]) {
    return isfinite(value) ? text_from_double(value, text) : "none";
}

/* "graph identical, shd 46 = 46, time x0.90" */
static void append_same(text_buffer *out, const job_record *after, const repetition *r) {
    const repeated_metric *shd = find_metric(r, "shd");
    char text[32];
    text_append_format(out, "same as stored: %s", after->graph ? "graph identical" : job_state_name(after->state));
    if (shd)
        text_append_format(out, ", shd %s = %s", number(shd->before, text), text);
    if (r->n_metrics > 0)
        text_append_format(out, ", all %zu metrics equal", r->n_metrics);
    if (isfinite(r->time_ratio))
        text_append_format(out, ", time x%.2f", r->time_ratio);
    text_append(out, "\n");
}

static void append_differences(text_buffer *out, const job_record *before, const job_record *after,
                               const repetition *r) {
    char a[32], b[32];
    text_append(out, "differs from what is stored:\n");
    if (!r->same_state)
        text_append_format(out, "  state: %s stored, %s now%s%s\n", job_state_name(before->state),
                           job_state_name(after->state), after->message ? ": " : "",
                           after->message ? after->message : "");
    if (!r->same_data)
        text_append(out, "  data: other rows than those stored\n");
    text_append_format(out, "  graph: %s\n", r->same_graph ? "identical" : "another one");
    if (!r->same_counts)
        text_append(out, "  statistics: another number of tests or scores\n");
    for (size_t i = 0; i < r->n_metrics; i++) {
        const repeated_metric *m = &r->metrics[i];
        if (!m->is_same)
            text_append_format(out, "  %s: %s stored, %s now\n", m->name, number(m->before, a), number(m->after, b));
    }
    if (isfinite(r->time_ratio))
        text_append_format(out, "  time: x%.2f\n", r->time_ratio);
}

static status put_repetition(json_t *answer, const job_record *after, const repetition *r, const char *version,
                             error_info *err) {
    json_t *changes = json_object(), *o;
    CHECK(json_put(answer, "repeat", o = json_object(), err));
    CHECK(json_put_all(o, err, {"differences", changes}, {"same", json_boolean(r->is_same)},
                       {"state", json_of_text(job_state_name(after->state))}, {"message", json_of_text(after->message)},
                       {"data_same", json_boolean(r->same_data)}, {"graph_same", json_boolean(r->same_graph)},
                       {"statistics_same", json_boolean(r->same_counts)}, {"time_ratio", json_of_double(r->time_ratio)},
                       {"version", json_of_text(version)}));
    for (size_t i = 0; i < r->n_metrics; i++) {
        const repeated_metric *m = &r->metrics[i];
        if (!m->is_same)
            CHECK(json_put(changes, m->name,
                           json_object_of({"stored", json_of_double(m->before)}, {"now", json_of_double(m->after)}),
                           err));
    }
    return STATUS_OK;
}

static status tell(cli *c, const stored_job *j, const job_record *after, error_info *err) {
    AUTO(repetition_clear) repetition r = {0};
    AUTO(text_buffer_clear) text_buffer version = {0};
    CHECK(repetition_compare(j->record, after, &r, err));
    CHECK(stored_job_append_version(j, &version, err));
    c->exit_status = r.is_same ? LEAVE_DONE : LEAVE_NO;
    if (c->json)
        return put_repetition(c->answer, after, &r, version.data, err);
    if (r.is_same)
        append_same(&c->out, after, &r);
    else
        append_differences(&c->out, j->record, after, &r);
    text_append_format(&c->out, "%s%s", version.data ? version.data : "", version.data ? "\n" : "");
    return STATUS_OK;
}

static status repeat(cli *c, const stored_job *j, error_info *err) {
    AUTO(job_record_clear) job_record after = {0};
    bool interrupted = false;
    if (!j->record)
        return error_set(err, STATUS_MISSING, "%s has no result to compare with; 'bnbench run' makes one", j->name);
    CHECK(cli_blame(c, BLAME_WORK, stored_job_repeat(j, &after, &interrupted, err)));
    if (!interrupted)
        return tell(c, j, &after, err);
    c->exit_status = LEAVE_INTERRUPTED;
    cli_say(c, "Interrupted.");
    return STATUS_OK;
}

static status read_job(cli *c, stored_run **run, stored_job *out, error_info *err) {
    AUTO_PTR(store_close) store *s = NULL;
    CHECK(store_open(c->args->words[0], false, false, &s, err));
    CHECK(stored_run_read(s, NULL, STORED_RUN_TEXTS, run, err));
    return stored_job_find(*run, c->args->words[1], out, err);
}

static status run(cli *c, error_info *err) {
    AUTO_PTR(stored_run_destroy) stored_run *stored = NULL;
    stored_job j = {0};
    bool writes = args_has(c->args, "output"), repeats = args_has(c->args, "repeat");

    CHECK(cli_blame(c, BLAME_INPUT, read_job(c, &stored, &j, err)));
    CHECK_ALLOC(c->answer = json_object());
    if (c->json)
        CHECK(job_details_put(&j, c->answer, err));
    else if (!writes && !repeats)
        CHECK(job_details_print(&j, c, err));
    if (writes)
        CHECK(write_files(c, &j, err));
    return repeats ? repeat(c, &j, err) : STATUS_OK;
}

const command command_job = {
    .run = run,
    .syntax =
        {.name = "job",
         .words = "STORE CELL",
         .summary = "one job of a store: its details, its data and graphs, the same once more",
         .details =
             "CELL is NETWORK/ROWS/REPLICATE/LEARNER, as in alarm/500/3/hc ('all' for all rows; with noise\n"
             "NETWORK/ROWS/SIGMA/REPLICATE/LEARNER), or as 'bnbench status --why' names it. LEARNER is its id in the\n"
             "experiment.\n"
             "Exit status 1: --repeat came to another result than the stored one, times and memory aside.",
         .examples = "  printf 'name: mine\\nnetworks: [asia]\\ndata: {samples: [500], replicates: 3}\\nlearners: [hc, "
                     "mmhc]\\n' > my.yaml\n"
                     "  bnbench run my.yaml\n"
                     "  bnbench job stores/mine asia/500/3/hc\n"
                     "  bnbench job stores/mine asia/500/3/hc -o third\n"
                     "  bnbench job stores/mine asia/500/3/hc --repeat",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
