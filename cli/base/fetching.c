/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/fetching.h"

#include <stdlib.h>
#include <string.h>

/* How many are to be fetched, and what failed. */
typedef struct {
    cli *c;
    const fetch_catalogue *catalogue;
    size_t n_wanted, n_failed;
    status first_failure;
    error_info first_error;
} fetching;

static void tell_failure(fetching *f, const char *name, status st, const error_info *trouble) {
    if (f->n_wanted > 1)
        (void)fprintf(stderr, "bnbench %s: %s\n", f->catalogue->command, trouble->message);
    if (f->n_failed++ == 0) {
        f->first_failure = st;
        f->first_error = *trouble;
        if (!strstr(trouble->message, name))
            error_context(&f->first_error, "%s", name);
    }
}

static status tell(const fetching *f, const char *name, const char *path, fetch_check check, error_info *err) {
    cli *c = f->c;
    bool is_verified = check == FETCH_BY_DIGEST;
    if (c->json)
        return json_add(json_object_get(c->answer, "fetched"),
                        json_object_of({"name", json_of_text(name)}, {"path", json_of_text(path)},
                                       {"verified_by", json_of_text(is_verified ? "checksum" : NULL)}),
                        err);
    text_append_format(&c->out, "%s: %s (%s%s)\n", name, path, is_verified ? "checksum verified" : "not verified: ",
                       is_verified ? "" : f->catalogue->doubt(name));
    return text_buffer_check(&c->out, err);
}

/* Fetches one; a failure is told and kept, so that the others are fetched all the same. */
static status fetch(fetching *f, const char *name, error_info *err) {
    fetch_check check = FETCH_BY_CONTENT;
    AUTO_FREE char *path = NULL;
    error_info trouble = {0};
    const args *a = f->c->args;
    fetch_options o = {.base_url = args_value(a, "from"),
                       .allows_http = args_has(a, "http"),
                       .allows_other = args_has(a, "unverified")};
    status st = f->catalogue->fetch(name, &o, &path, &check, &trouble);
    if (st != STATUS_OK) {
        tell_failure(f, name, st, &trouble);
        return STATUS_OK;
    }
    return tell(f, name, path, check, err);
}

static size_t count_group(const fetch_catalogue *known, const char *group) {
    size_t n = 0;
    for (size_t i = 0; i < known->count(); i++)
        n += known->is_in(i, group);
    return n;
}

static status fetch_group(fetching *f, const char *group, error_info *err) {
    const fetch_catalogue *known = f->catalogue;
    f->n_wanted = count_group(known, group);
    for (size_t i = 0; i < known->count(); i++) {
        if (known->is_in(i, group))
            CHECK(fetch(f, known->name_at(i), err));
    }
    return STATUS_OK;
}

/* Names are checked before anything is downloaded. */
static status check_name(const fetching *f, const char *name, error_info *err) {
    const fetch_catalogue *known = f->catalogue;
    const char *names[FETCH_MOST_NAMES], *near;
    size_t n = known->count() < FETCH_MOST_NAMES ? known->count() : FETCH_MOST_NAMES;
    for (size_t i = 0; i < n; i++) {
        names[i] = known->name_at(i);
        if (strcmp(names[i], name) == 0)
            return STATUS_OK;
    }
    near = text_nearest(name, names, n);
    return cli_blame(
        f->c, BLAME_WORDS,
        near ? error_set(err, STATUS_MISSING, "no %s is called '%s'; did you mean '%s'?", known->noun, name, near)
             : error_set(err, STATUS_MISSING, "no %s is called '%s'", known->noun, name));
}

static status fetch_named(fetching *f, error_info *err) {
    const args *a = f->c->args;
    f->n_wanted = a->n_words - 1;
    for (size_t i = 1; i < a->n_words; i++)
        CHECK(check_name(f, a->words[i], err));
    for (size_t i = 1; i < a->n_words; i++)
        CHECK(fetch(f, a->words[i], err));
    return STATUS_OK;
}

static status check_words(cli *c, const fetch_catalogue *catalogue, error_info *err) {
    static const char *const verbs[] = {"fetch"};
    const char *verb = c->args->words[0];
    if (strcmp(verb, "fetch") != 0)
        return error_set(err, STATUS_INVALID, "unknown word '%s'; %s", verb,
                         text_nearest(verb, verbs, 1) ? "did you mean 'fetch'?" : "expected: fetch NAME...");
    if (c->args->n_words < 2)
        return error_set(err, STATUS_INVALID, "which %ss? expected: fetch NAME... or fetch all", catalogue->noun);
    return STATUS_OK;
}

/* Those that were fetched are told even where others failed. */
status fetching_run(cli *c, const fetch_catalogue *catalogue, error_info *err) {
    fetching f = {.c = c, .catalogue = catalogue};
    status st = STATUS_OK;

    CHECK(cli_blame(c, BLAME_WORDS, check_words(c, catalogue, err)));
    if (c->json)
        CHECK_ALLOC(c->answer = json_pack("{s:[]}", "fetched"));
    if (c->args->n_words == 2 && count_group(catalogue, c->args->words[1]) > 0)
        CHECK(fetch_group(&f, c->args->words[1], err));
    else
        CHECK(fetch_named(&f, err));
    if (f.n_failed == f.n_wanted) {
        *err = f.first_error;
        st = cli_blame(c, BLAME_INPUT, f.first_failure);
    } else if (f.n_failed > 0) {
        cli_say(c, "%zu of %zu %ss could not be fetched", f.n_failed, f.n_wanted, catalogue->noun);
        c->exit_status = LEAVE_MISSING;
    }
    return st;
}
