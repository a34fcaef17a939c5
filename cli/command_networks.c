/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench networks fetch: networks of the catalogue into the user's cache. */
#include "cli/command.h"
#include "cli/json.h"

#include "generators/fetch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 4096 };

static const arg_option options[] = {
    {"from", 0, "URL", "another repository: the file is URL/NAME/NAME.bif.gz"},
    {0},
};

/* What is asked for in all, and what came of it. */
typedef struct {
    cli *c;
    size_t n_wanted, n_failed;
    status first_failure;
    error_info first_error;
} fetching;

static void tell_failure(fetching *f, const char *name, status st, const error_info *trouble) {
    if (f->n_wanted > 1)
        (void)fprintf(stderr, "bnbench networks: %s\n", trouble->message);
    if (f->n_failed++ == 0) {
        f->first_failure = st;
        f->first_error = *trouble;
        if (!strstr(trouble->message, name))
            error_context(&f->first_error, "%s", name);
    }
}

static status tell(cli *c, const char *name, const char *path, fetch_check check, error_info *err) {
    const char *by = check == FETCH_BY_DIGEST ? "checksum" : "content";
    if (c->json)
        return json_add(json_object_get(c->answer, "fetched"),
                        json_pack("{s:s, s:o, s:s}", "name", name, "path", json_of_text(path), "verified_by", by), err);
    text_append_format(&c->out, "%s: %s (%s)\n", name, path,
                       check == FETCH_BY_DIGEST ? "checksum verified" : "nodes, arcs and parameters verified");
    return text_buffer_check(&c->out, err);
}

/* One that fails does not keep the others from being fetched. */
static status fetch(fetching *f, const char *name, error_info *err) {
    fetch_check check = FETCH_BY_CONTENT;
    char *path = NULL;
    error_info trouble = {0};
    status st = network_fetch(name, args_value(f->c->args, "from"), &path, &check, &trouble);
    if (st != STATUS_OK) {
        tell_failure(f, name, st, &trouble);
        return STATUS_OK;
    }
    st = tell(f->c, name, path, check, err);
    free(path);
    return st;
}

static status fetch_all(fetching *f, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; i < catalogue_count(); i++)
        f->n_wanted += catalogue_at(i)->url != NULL;
    for (size_t i = 0; st == STATUS_OK && i < catalogue_count(); i++) {
        if (catalogue_at(i)->url)
            st = fetch(f, catalogue_at(i)->name, err);
    }
    return st;
}

/* A name that the catalogue does not know is found out before anything is downloaded. */
static status check_name(cli *c, const char *name, error_info *err) {
    const char *names[MOST_NAMES], *near;
    size_t n = catalogue_count() < MOST_NAMES ? catalogue_count() : MOST_NAMES;
    if (catalogue_find(name))
        return STATUS_OK;
    for (size_t i = 0; i < n; i++)
        names[i] = catalogue_at(i)->name;
    near = text_nearest(name, names, n);
    return cli_blame(c, BLAME_WORDS,
                     near ? error_set(err, STATUS_MISSING, "no network is called '%s'; did you mean '%s'?", name, near)
                          : error_set(err, STATUS_MISSING, "no network is called '%s'", name));
}

static status fetch_named(fetching *f, error_info *err) {
    const args *a = f->c->args;
    status st = STATUS_OK;
    f->n_wanted = a->n_words - 1;
    for (size_t i = 1; i < a->n_words; i++)
        TRY(check_name(f->c, a->words[i], err));
    for (size_t i = 1; i < a->n_words; i++)
        TRY(fetch(f, a->words[i], err));
cleanup:
    return st;
}

static status check_words(cli *c, error_info *err) {
    static const char *const verbs[] = {"fetch"};
    const char *verb = c->args->words[0];
    if (strcmp(verb, "fetch") != 0)
        return error_set(err, STATUS_INVALID, "unknown word '%s'; %s", verb,
                         text_nearest(verb, verbs, 1) ? "did you mean 'fetch'?" : "expected: fetch NAME...");
    if (c->args->n_words < 2)
        return error_set(err, STATUS_INVALID, "which networks? expected: fetch NAME... or fetch all");
    return STATUS_OK;
}

/* Of several, the ones that came are told even where others failed. */
static status run(cli *c, error_info *err) {
    fetching f = {.c = c};
    status st = STATUS_OK;

    TRY(cli_blame(c, BLAME_WORDS, check_words(c, err)));
    if (c->json)
        TRY_ALLOC(c->answer = json_pack("{s:[]}", "fetched"));
    if (c->args->n_words == 2 && strcmp(c->args->words[1], "all") == 0)
        TRY(fetch_all(&f, err));
    else
        TRY(fetch_named(&f, err));
    if (f.n_failed == f.n_wanted) {
        *err = f.first_error;
        st = cli_blame(c, BLAME_INPUT, f.first_failure);
    } else if (f.n_failed > 0) {
        cli_say(c, "%zu of %zu networks could not be fetched", f.n_failed, f.n_wanted);
        c->exit_status = LEAVE_MISSING;
    }
cleanup:
    return st;
}

const command command_networks = {
    .syntax =
        {
            .name = "networks",
            .words = "fetch NAME...|all",
            .summary = "download networks of the catalogue into the user's cache",
            .details = "The cache is $BNBENCH_CACHE, else $XDG_CACHE_HOME/bnbench, else ~/.cache/bnbench. A file is "
                       "kept when\n"
                       "its checksum, or where none is known the network in it, is the catalogue's.",
            .examples = "  bnbench networks fetch insurance hailfinder\n"
                        "  bnbench networks fetch all",
            .least_words = 1,
            .most_words = MOST_NAMES,
            .options = options,
        },
    .run = run,
};
