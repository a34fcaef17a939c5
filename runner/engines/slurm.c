/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slurm, by its programs: libslurm changes with each release. Nothing asks sacct, which many sites do not have. */
#include "runner/engines/scheduler_internal.h"

#include "core/base/shell_word.h"

#include <math.h>
#include <string.h>

/* Moves the buffer's text to the end of the words. */
static status add_word(char ***words, size_t *n, text_buffer *word, error_info *err) {
    CHECK(text_buffer_check(word, err));
    return text_list_take(words, n, word, err);
}

/* Slurm puts its own in the place of %A and others in the name of a log; %% is a percent sign. */
static status add_log(const submission *s, char ***words, size_t *n, error_info *err) {
    AUTO(text_buffer_clear) text_buffer word = {0};
    text_append(&word, "--output=");
    for (const char *c = s->folder; *c; c++)
        text_append_bytes(&word, *c == '%' ? "%%" : c, *c == '%' ? 2 : 1);
    text_append(&word, "/engine/%A_%a.log");
    return add_word(words, n, &word, err);
}

/* Slurm counts whole minutes. */
static status add_needs(const submission *s, char ***words, size_t *n, error_info *err) {
    AUTO(text_buffer_clear) text_buffer word = {0};
    text_append_format(&word, "--cpus-per-task=%zu", s->needs.n_threads);
    CHECK(add_word(words, n, &word, err));
    if (s->needs.memory_mib > 0) {
        text_append_format(&word, "--mem=%lluM", (unsigned long long)s->needs.memory_mib);
        CHECK(add_word(words, n, &word, err));
    }
    if (s->needs.time_s > 0) {
        text_append_format(&word, "--time=%.0f", ceil(s->needs.time_s / 60));
        CHECK(add_word(words, n, &word, err));
    }
    return STATUS_OK;
}

/* What the user adds comes last but for the script: of an option that is given twice Slurm takes the last. */
status slurm_words(const submission *s, const char *more, char ***words, size_t *n, error_info *err) {
    AUTO(text_buffer_clear) text_buffer word = {0};
    CHECK(texts_add(words, n, "sbatch", err));
    CHECK(texts_add(words, n, "--parsable", err));
    CHECK(texts_add(words, n, "--requeue", err));
    CHECK(texts_add(words, n, "--open-mode=append", err));
    text_append_format(&word, "--job-name=%s", s->name);
    CHECK(add_word(words, n, &word, err));
    text_append_format(&word, "--array=1-%zu", s->n_tasks);
    CHECK(add_word(words, n, &word, err));
    CHECK(add_log(s, words, n, err));
    CHECK(add_needs(s, words, n, err));
    if (*s->avoid) {
        text_append_format(&word, "--exclude=%s", s->avoid);
        CHECK(add_word(words, n, &word, err));
    }
    if (more)
        CHECK(error_at(shell_split_words(more, words, n, err), err, "--slurm-args"));
    return texts_add(words, n, s->script, err);
}

/* ---- the queue ---- */

void slurm_count(const char *lines, task_counts *out) {
    *out = (task_counts){0};
    while (*lines) {
        size_t length = strcspn(lines, "\n"), state = strcspn(lines, "|\n");
        if (state == strlen("PENDING") && strncmp(lines, "PENDING", state) == 0) {
            size_t rest = length > state ? length - state - 1 : 0;
            out->n_waiting++;
            if (!*out->why && rest > 0)
                (void)text_show(lines + state + 1, rest, out->why);
        } else if (length > 0) {
            out->n_running++;
        }
        lines += length + (lines[length] == '\n');
    }
}

status slurm_look(const char *name, run_signals *signals, task_counts *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer answer = {0};
    CHECK(helper_ask(HELPER_WORDS("squeue", "--noheader", "--array", "--format=%T|%r", "--name", name), signals,
                     &answer, err));
    slurm_count(answer.data ? answer.data : "", out);
    return STATUS_OK;
}

status slurm_cancel(const char *name, run_signals *signals, error_info *err) {
    AUTO(text_buffer_clear) text_buffer answer = {0};
    return helper_ask(HELPER_WORDS("scancel", "--state=PENDING", "--name", name), signals, &answer, err);
}
