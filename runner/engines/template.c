/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/engines/scheduler_internal.h"

#include "core/base/shell_word.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    char value[32];   /* or */
    const char *text; /* NULL: `value` */
    const char *lacks;
} place;

enum { N_PLACES = 7, MOST_NAME = 40 };

static void number_place(place *p, const char *name, uint64_t value, const char *lacks) {
    *p = (place){.name = name, .lacks = value ? NULL : lacks};
    (void)snprintf(p->value, sizeof p->value, "%llu", (unsigned long long)value);
}

static void set_places(const submission *s, place places[N_PLACES]) {
    number_place(&places[0], "tasks", s->n_tasks, NULL);
    number_place(&places[1], "memory", s->needs.memory_mib, "limits.memory");
    number_place(&places[2], "time", (uint64_t)s->needs.time_s, "limits.time");
    number_place(&places[3], "threads", s->needs.n_threads, NULL);
    places[4] = (place){.name = "script", .text = s->script};
    places[5] = (place){.name = "folder", .text = s->folder};
    places[6] = (place){.name = "name", .text = s->name};
}

static const place *find_place(const place places[N_PLACES], const char *name, size_t length) {
    for (size_t i = 0; i < N_PLACES; i++) {
        if (strlen(places[i].name) == length && strncmp(places[i].name, name, length) == 0)
            return &places[i];
    }
    return NULL;
}

static status append_place(const place places[N_PLACES], const char *name, size_t length, text_buffer *out,
                           error_info *err) {
    const place *p = find_place(places, name, length);
    if (!p)
        return error_set(
            err, STATUS_INVALID,
            "there is no {%.*s}; there are {tasks}, {script}, {folder}, {name}, {memory}, {time}, {threads}",
            (int)(length < MOST_NAME ? length : MOST_NAME), name);
    if (p->lacks)
        return error_set(err, STATUS_INVALID, "{%s} has no value, since the experiment has no %s", p->name, p->lacks);
    text_append(out, p->text ? p->text : p->value);
    return STATUS_OK;
}

/* A brace that no name of small letters and another brace follow is itself: awk '{print}', ${HOME}. */
static status fill_word(const place places[N_PLACES], const char *word, text_buffer *out, error_info *err) {
    while (*word) {
        size_t length = *word == '{' ? strspn(word + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
        if (length > 0 && word[length + 1] == '}') {
            CHECK(append_place(places, word + 1, length, out, err));
            word += length + 2;
        } else {
            text_append_bytes(out, word++, 1);
        }
    }
    return text_buffer_check(out, err);
}

status template_words(const char *line, const submission *s, char ***words, size_t *n, error_info *err) {
    place places[N_PLACES];
    set_places(s, places);
    CHECK(shell_split_words(line, words, n, err));
    if (*n == 0)
        return error_set(err, STATUS_INVALID, "there is no command");
    for (size_t i = 0; i < *n; i++) {
        AUTO(text_buffer_clear) text_buffer filled = {0};
        CHECK(fill_word(places, (*words)[i], &filled, err));
        if (!filled.data)
            continue; /* an empty word */
        free((*words)[i]);
        (*words)[i] = TAKE(filled.data);
    }
    return STATUS_OK;
}
