/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/engines/losses_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_SIZE = 512 };

void losses_clear(losses *l) {
    folder_list_clear(&l->seen);
}

static bool has(const folder_list *names, const char *name) {
    return names->n > 0 && bsearch(&name, names->names, names->n, sizeof *names->names, texts_compare);
}

/* KEY.HOST.PID-XXXXXX; a host has no dot. */
static size_t host_of(const char *note, const char **host) {
    *host = strlen(note) > PLAN_KEY_SIZE ? note + PLAN_KEY_SIZE : "";
    return strcspn(*host, ".");
}

static bool is_loss(const folder_plan *p, const char *note) {
    return folder_plan_find(p, note) != HASH_NONE && strlen(note) > PLAN_KEY_SIZE;
}

static void say_loss(const folder_plan *p, const char *note, text_buffer *said) {
    char label[LABEL_SIZE];
    const char *host;
    size_t length = host_of(note, &host);
    text_append_format(said, "%s: lost on %.*s: worker %s gave no sign of life for %g s\n",
                       plan_cell_label(p->cells, folder_plan_find(p, note), label, sizeof label), (int)length, host,
                       note + PLAN_KEY_SIZE, p->lease_s);
}

status losses_look(losses *l, const char *folder, const folder_plan *p, text_buffer *said, error_info *err) {
    AUTO(folder_list_clear) folder_list now = {0};
    CHECK(plan_folder_list(folder, "lost", &now, err));
    for (size_t i = 0; said && i < now.n; i++) {
        if (is_loss(p, now.names[i]) && !has(&l->seen, now.names[i]))
            say_loss(p, now.names[i], said);
    }
    folder_list_clear(&l->seen);
    l->seen = TAKE(now);
    return STATUS_OK;
}

static bool has_machine(const text_buffer *list, const char *host, size_t length) {
    const char *at = list->data ? list->data : "";
    while (*at) {
        size_t n = strcspn(at, ",");
        if (n == length && strncmp(at, host, n) == 0)
            return true;
        at += n + (at[n] == ',');
    }
    return false;
}

void losses_append_machines(const losses *l, const losses *before, text_buffer *out) {
    for (size_t i = 0; i < l->seen.n; i++) {
        const char *host;
        size_t length = host_of(l->seen.names[i], &host);
        if (length == 0 || has(&before->seen, l->seen.names[i]) || has_machine(out, host, length))
            continue;
        text_append(out, out->length > 0 ? "," : "");
        text_append_bytes(out, host, length);
    }
}

static void explain(const losses *l, const folder_plan *p, size_t cell, text_buffer *out) {
    char label[LABEL_SIZE];
    char *const *at = plan_folder_find_key(&l->seen, p->keys[cell]);
    const char *lead = ": given up; its workers were lost on ";
    text_append(out, plan_cell_label(p->cells, cell, label, sizeof label));
    for (; plan_folder_is_of_key(&l->seen, at, p->keys[cell]); at++, lead = ", ") {
        const char *host;
        size_t length = host_of(*at, &host);
        text_append(out, lead);
        text_append_bytes(out, host, length);
    }
    text_append(out, "\n");
}

status losses_explain(const losses *l, const char *folder, const folder_plan *p, text_buffer *out, error_info *err) {
    AUTO(folder_list_clear) folder_list names = {0};
    CHECK(plan_folder_list(folder, "given_up", &names, err));
    for (size_t i = 0; i < names.n; i++) {
        size_t cell = folder_plan_find(p, names.names[i]);
        if (cell != HASH_NONE)
            explain(l, p, cell, out);
    }
    return text_buffer_check(out, err);
}
