/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bnbench nightly: runs an experiment into a store of its own, compares the store with that of the last good night,
 * writes junit.xml and changes.html, adds the night to history.csv and draws trends. The exit status tells of a
 * regression.
 */
#include "cli/base/command.h"
#include "cli/base/run_request.h"
#include "cli/reports/comparison_answer.h"

#include "core/base/file.h"
#include "core/base/shell_word.h"
#include "parts/plots/trend.h"
#include "store/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const arg_option options[] = {
    RUN_REQUEST_OPTIONS,
    {"history", 0, "DIR", "the folder of all nights (nightly/NAME)"},
    COMPARISON_OPTIONS,
    {"accept", 0, NULL, "run nothing: take the last night as good, with all that changed in it"},
    {0},
};

/* One call of the command; its paths are on the heap. */
typedef struct {
    run_request words;
    char *folder, *history_path, *night_folder, *night_name;
    history h;
    run_counts counts;
    bool interrupted;
    const char *baseline; /* the night compared with; NULL on the first */
    char *baseline_folder;
    comparison c;
    night_outcome outcome;
} session;

static void clear(session *s) {
    run_request_clear(&s->words);
    comparison_clear(&s->c);
    history_clear(&s->h);
    free(s->folder);
    free(s->history_path);
    free(s->night_folder);
    free(s->night_name);
    free(s->baseline_folder);
}

static status open_history(cli *c, session *s, error_info *err) {
    const char *typed = args_value(c->args, "history");
    CHECK_ALLOC(s->folder = typed ? text_copy(typed) : path_join("nightly", s->words.e.outputs.name));
    CHECK_ALLOC(s->history_path = path_join(s->folder, "history.csv"));
    return cli_blame(c, BLAME_INPUT, history_read(s->history_path, &s->h, err));
}

static status run_folder(const session *s, const char *name, char **out, error_info *err) {
    AUTO_FREE char *runs = path_join(s->folder, "runs");
    CHECK_ALLOC(runs);
    CHECK_ALLOC(*out = path_join(runs, name));
    return STATUS_OK;
}

/* DIR/current holds the name of the night that runs; a night that was interrupted is continued under its name. */
static status name_night(session *s, error_info *err) {
    char stamp[32];
    AUTO_FREE char *path = path_join(s->folder, "current"), *text = NULL;
    size_t length = 0;
    time_t now = time(NULL);
    struct tm utc;
    CHECK_ALLOC(path);
    if (file_exists(path))
        CHECK(file_read(path, sizeof stamp - 1, &text, &length, err));
    if (text && *text && text[strspn(text, "0123456789TZ-.")] == '\0' && !history_has(&s->h, text)) {
        CHECK_ALLOC(s->night_name = text_copy(text));
    } else {
        (void)gmtime_r(&now, &utc);
        (void)strftime(stamp, sizeof stamp, "%Y-%m-%dT%H%M%SZ", &utc);
        for (int i = 2; history_has(&s->h, stamp) && i < 100; i++) /* two nights within a second */
            (void)snprintf(stamp + 18, sizeof stamp - 18, ".%d", i);
        CHECK_ALLOC(s->night_name = text_copy(stamp));
        CHECK(folder_create(s->folder, err));
        CHECK(file_write(path, stamp, strlen(stamp), err));
    }
    return run_folder(s, s->night_name, &s->night_folder, err);
}

static status run_night(cli *c, session *s, error_info *err) {
    run_options o = {.store_folder = s->night_folder,
                     .file = s->words.path,
                     .profile = s->words.profile,
                     .n_jobs = s->words.n_jobs,
                     .quiet = c->quiet};
    return cli_blame(c, BLAME_WORK, runner_run(&s->words.e, &o, &s->counts, &s->interrupted, err));
}

/* The first night is compared with itself: nothing changed, and its values begin the history. */
static status compare(cli *c, session *s, error_info *err) {
    const night *good = history_last_good(&s->h);
    s->baseline = good ? good->name : NULL;
    CHECK(run_folder(s, good ? good->name : s->night_name, &s->baseline_folder, err));
    CHECK(comparison_make(c, s->baseline_folder, s->night_folder, &s->c, err));
    s->outcome = s->c.d.n_regressions > 0                      ? NIGHT_REGRESSION
                 : s->c.d.has_shrunk || s->c.d.n_compared == 0 ? NIGHT_SHRUNK
                                                               : NIGHT_GOOD;
    return STATUS_OK;
}

static status remember(session *s, error_info *err) {
    const comparison_side *after = &s->c.after;
    CHECK(history_add(&s->h, s->night_name, s->baseline ? s->baseline : "", s->outcome, after->records,
                      after->n_records, s->c.options.metrics, s->c.options.n_metrics, err));
    return history_write(&s->h, s->history_path, err);
}

static status write_in(const session *s, const char *name, const text_buffer *text, error_info *err) {
    AUTO_FREE char *path = path_join(s->folder, name);
    CHECK_ALLOC(path);
    CHECK(text_buffer_check(text, err));
    return file_write(path, text->data, text->length, err);
}

static status write_files(const session *s, error_info *err) {
    AUTO(text_buffer_clear) text_buffer xml = {0}, page = {0};
    junit_append(&s->c.d, s->words.e.outputs.name, &xml);
    CHECK(difference_append_html(&s->c.d, &s->c.options, s->baseline ? s->baseline : "itself, the first night",
                                 s->night_name, &page, err));
    CHECK(write_in(s, "junit.xml", &xml, err));
    return write_in(s, "changes.html", &page, err);
}

/* Pictures that cannot be drawn cause a remark on standard error, and the command goes on. */
static status draw_trends(cli *c, const session *s, error_info *err) {
    bool drawn;
    for (size_t i = 0; i < s->c.options.n_metrics; i++) {
        status st = trend_write(&s->h, s->c.options.metrics[i], s->folder, &drawn, err);
        if (st == STATUS_MISSING || st == STATUS_INVALID) {
            cli_say(c, "note: no pictures of trends: %s", err->message);
            return STATUS_OK;
        }
        if (st != STATUS_OK)
            return cli_blame(c, BLAME_OUTPUT, st);
    }
    return STATUS_OK;
}

static void print(cli *c, const session *s) {
    text_append_format(&c->out, "Night %s, %zu of %zu cells done", s->night_name, s->counts.done, s->counts.total);
    if (!s->baseline) {
        text_append(&c->out, ". The first of its history: nothing to compare with yet.\n");
        return;
    }
    text_append_format(&c->out, "; compared with %s, the last good one.\n", s->baseline);
    difference_append_text(&s->c.d, &s->c.options, &c->out);
    if (s->outcome == NIGHT_GOOD)
        return;
    text_append(&c->out, "Until this is mended, or taken as good with 'bnbench nightly FILE --history ");
    shell_append_word(&c->out, s->folder);
    text_append_format(&c->out, " --accept', the nights are compared with %s.\n", s->baseline);
}

static status answer(cli *c, const session *s, error_info *err) {
    CHECK(comparison_answer(&s->c, &c->answer, err));
    return json_put_all(c->answer, err, {"night", json_of_text(s->night_name)}, {"baseline", json_of_text(s->baseline)},
                        {"outcome", json_of_text(night_outcome_name(s->outcome))},
                        {"history", json_of_text(s->history_path)});
}

static status work(cli *c, session *s, error_info *err) {
    AUTO_FREE char *current = path_join(s->folder, "current");
    CHECK_ALLOC(current);
    CHECK(cli_blame(c, BLAME_INPUT, error_at(runner_check_programs(&s->words.e, err), err, s->words.path)));
    CHECK(cli_blame(c, BLAME_OUTPUT, name_night(s, err)));
    CHECK(run_night(c, s, err));
    if (s->interrupted) {
        c->exit_status = LEAVE_INTERRUPTED;
        cli_say(c, "Interrupted. The same command goes on with this night.");
        return STATUS_OK;
    }
    CHECK(compare(c, s, err));
    CHECK(cli_blame(c, BLAME_OUTPUT, write_files(s, err)));
    CHECK(cli_blame(c, BLAME_OUTPUT, remember(s, err)));
    (void)remove(current);
    CHECK(draw_trends(c, s, err));
    c->exit_status = comparison_exit_status(&s->c);
    if (c->json)
        return answer(c, s, err);
    print(c, s);
    return STATUS_OK;
}

static status accept(cli *c, session *s, error_info *err) {
    night *last = s->h.n_nights ? &s->h.nights[s->h.n_nights - 1] : NULL;
    if (!last)
        return error_set(err, STATUS_MISSING, "%s holds no night yet", s->folder);
    last->outcome = NIGHT_ACCEPTED;
    CHECK(cli_blame(c, BLAME_OUTPUT, history_write(&s->h, s->history_path, err)));
    text_append_format(&c->out, "Night %s is what the next ones are compared with.\n", last->name);
    if (c->json) {
        CHECK_ALLOC(c->answer = json_object());
        CHECK(json_put_all(c->answer, err, {"night", json_of_text(last->name)},
                           {"outcome", json_of_text(night_outcome_name(last->outcome))}));
    }
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    AUTO(clear) session s = {0};
    CHECK(run_request_read(c, &s.words, err));
    CHECK(open_history(c, &s, err));
    return args_has(c->args, "accept") ? accept(c, &s, err) : work(c, &s, err);
}

const command command_nightly = {
    .run = run,
    .syntax =
        {.name = "nightly",
         .words = "FILE",
         .summary = "run an experiment, compare with the last good night, keep the history",
         .details =
             "Each night has its store in DIR/runs. DIR/history.csv keeps every cell's figures, DIR/changes.html what\n"
             "changed since the last good night, DIR/junit.xml the same for CI systems, DIR/trend-METRIC.svg how it\n"
             "went. An interrupted night is gone on with. Exit status 1: a regression; 7: less was measured than "
             "before.",
         .examples = "  printf 'name: mine\\nnetworks: [asia]\\ndata: {samples: [500], replicates: 5}\\nlearners: [hc, "
                     "mmhc]\\n' > my.yaml\n"
                     "  bnbench nightly my.yaml --history nightly\n"
                     "  bnbench nightly my.yaml --history nightly --max-slowdown 1.3 --json\n"
                     "  bnbench nightly my.yaml --history nightly --accept",
         .least_words = 1,
         .most_words = 1,
         .options = options},
};
