/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/learners.h"
#include "bench/suite/process.h"
#include "bench/suite/recipe.h"
#include "bench/suite/rows.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 32 };

/* Whether the profile measured such a row. */
static bool is_measured(const json_t *rows, const sheet *peers, size_t row) {
    size_t i;
    json_t *o;
    json_array_foreach(rows, i, o) {
        if (row_is(o, "group", "beside") && row_is_of(o, peers, row))
            return true;
    }
    return false;
}

/* The command's words in an array; they point into `text`. */
static void split(char *text, const char *data, const char *graph, const char *words[MOST_WORDS + 1]) {
    char *left = text;
    size_t n = 0;
    for (char *word; n < MOST_WORDS && (word = strtok_r(left, " ", &left)); n++)
        words[n] = strcmp(word, "{data}") == 0 ? data : strcmp(word, "{graph}") == 0 ? graph : word;
    words[n] = NULL;
}

/* Its learning time as its adapter tells it (docs/peers.md); `*facts` is NULL where it told none. `*is_stopped`: it was
 * there, and not done in time. */
static status measure(const suite *s, const char *command, const char *data, json_t **facts, bool *is_stopped,
                      error_info *err) {
    AUTO_FREE char *path = path_join(s->scratch, "facts.json"), *graph = path_join(s->scratch, "peer.csv"),
                   *folder = path_join(s->source, "contrib/adapters"), *text = text_copy(command);
    const char *words[MOST_WORDS + 1];
    process_cost cost = {0};
    status st;
    CHECK_ALLOC(path);
    CHECK_ALLOC(graph);
    CHECK_ALLOC(folder);
    CHECK_ALLOC(text);
    split(text, data, graph, words);
    (void)unlink(path);
    (void)setenv("BNBENCH_FACTS", path, 1);
    st = process_run(&(process_call){.words = words, .folder = folder, .most_s = s->most_peer_s}, &cost, err);
    (void)unsetenv("BNBENCH_FACTS");
    *is_stopped = cost.is_stopped;
    if (st == STATUS_MISSING || !file_exists(path))
        return STATUS_OK;
    CHECK(st);
    return json_read_file(path, 1 << 16, facts, err);
}

static const char *today(char buffer[16]) {
    time_t now = time(NULL);
    struct tm parts;
    (void)strftime(buffer, 16, "%Y-%m-%d", localtime_r(&now, &parts));
    return buffer;
}

/* With what its adapter told, and what the sheet has beside it; where `facts` is NULL: as the sheet has it. */
static status add_figure(const sheet *peers, size_t row, const json_t *facts, json_t *out, error_info *err) {
    double seconds = NAN;
    char date[16], version[96];
    const char *kind = sheet_cell(peers, row, "kind"), *sheet_date = sheet_cell(peers, row, "date");
    (void)text_to_double(sheet_cell(peers, row, "seconds"), &seconds);
    (void)snprintf(version, sizeof version, "%s %s", sheet_cell(peers, row, "peer"), sheet_cell(peers, row, "version"));
    bool is_earlier = facts && strcmp(kind, "learning") == 0;
    return json_add(
        out,
        json_object_of(
            {"data", json_of_text(sheet_cell(peers, row, "data"))},
            {"learner", json_of_text(sheet_cell(peers, row, "learner"))},
            {"options", json_of_text(sheet_cell(peers, row, "options"))},
            {"program", facts ? json_incref(json_object_get(facts, "version")) : json_of_text(version)},
            {"seconds", facts ? json_incref(json_object_get(facts, "learning_seconds")) : json_of_double(seconds)},
            {"kind", json_of_text(facts ? "learning" : kind)}, {"date", json_of_text(facts ? today(date) : sheet_date)},
            {"earlier_s", is_earlier ? json_of_double(seconds) : json_null()},
            {"earlier_program", is_earlier ? json_of_text(version) : json_null()},
            {"earlier_date", is_earlier ? json_of_text(sheet_date) : json_null()}),
        err);
}

static const char *outcome_of(const json_t *facts, bool is_stopped) {
    if (facts)
        return "measured";
    return is_stopped ? "not done in time; its earlier figure stands" : "not installed; its earlier figures stand";
}

/* A program that ended once and told nothing is not asked again. */
static status add_peer(const suite *s, const sheet *peers, size_t row, json_t *absent, json_t *out, error_info *err) {
    const char *peer = sheet_cell(peers, row, "peer"), *command = sheet_cell(peers, row, "command");
    const char *data = sheet_cell(peers, row, "data");
    AUTO_PTR(json_decref) json_t *facts = NULL;
    AUTO_FREE char *path = NULL;
    bool is_stopped = false;
    if (*command && !json_object_get(absent, peer)) {
        CHECK(recipe_file(data, s->program, s->data, &path, err));
        CHECK(measure(s, command, path, &facts, &is_stopped, err));
        (void)fprintf(stderr, "beside: %s on %s: %s\n", peer, data, outcome_of(facts, is_stopped));
        if (!facts && !is_stopped)
            CHECK(json_put(absent, peer, json_true(), err));
    }
    return add_figure(peers, row, facts, out, err);
}

status peers_measure(const suite *s, const sheet *peers, const json_t *rows, json_t *out, error_info *err) {
    AUTO_PTR(json_decref) json_t *absent = json_object();
    CHECK_ALLOC(absent);
    for (size_t i = 0; i < peers->n_rows; i++) {
        if (is_measured(rows, peers, i))
            CHECK(add_peer(s, peers, i, absent, out, err));
    }
    return STATUS_OK;
}
