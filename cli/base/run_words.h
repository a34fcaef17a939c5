/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The words with which `run` and `nightly` say what is to be run. */
#ifndef BNB_CLI_BASE_RUN_WORDS_H
#define BNB_CLI_BASE_RUN_WORDS_H

#include "cli/base/command.h"
#include "runner/runner.h"

#define RUN_WORDS_OPTIONS                                                                                              \
    {"profile", 0, "P", "overlay this profile of the file: quick"},                                                    \
        {"jobs", 'j', "N", "jobs at once (the processors that there are)"}, {                                          \
        "set", 0, "KEY=VALUE", "override a value of the file: data.replicates=2;\nmay be repeated"                     \
    }

/** Zero-initialise. */
typedef struct {
    experiment e;
    char *path;          /* of the experiment file */
    const char *profile; /* NULL for none */
    size_t n_jobs;
} run_words;

void run_words_clear(run_words *w);

/** Reads --jobs, then the experiment that the first word names. */
BNB_MUST_CHECK status run_words_read(cli *c, run_words *out, error_info *err);

/** Appends the command that was typed, quoted for a shell. */
void run_words_append_command(const cli *c, text_buffer *out);

#endif
