/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/engines/helper_internal.h"

#include "core/run/run_context.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

enum { MOST_ANSWER_BYTES = 64 << 20, MOST_SAID = 400, END_MS = 10000, POLL_MS = 5 };
#define MOST_ANSWER_S 60

extern char **environ;

/* True where a signal came. */
static bool wait_a_little(const helper *h) {
    struct pollfd polled = {.fd = h->signals ? h->signals->fd : -1, .events = POLLIN};
    return poll(&polled, 1, POLL_MS) > 0 && run_signals_read(h->signals);
}

static void close_one(int *fd) {
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static int spawn(const char *const *argv, helper *h) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int why;
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&files, h->out, STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&files, h->errors, STDERR_FILENO);
    (void)posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    (void)posix_spawnattr_setsigmask(&attributes, &h->signals->mask_before);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    why = posix_spawnp(&h->pid, argv[0], &files, &attributes, (char *const *)argv,
                       environ); /* it does not write to them */
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    if (why != 0)
        h->pid = 0;
    return why;
}

status helper_start(helper_words command, run_signals *signals, helper *h, error_info *err) {
    AUTO_FREE const char **argv = calloc(command.n + 1, sizeof *argv);
    int why;
    CHECK_ALLOC(argv);
    memcpy(argv, command.words, command.n * sizeof *argv);
    h->name = command.words[0];
    h->signals = signals;
    h->out = memfd_create("out", MFD_CLOEXEC);
    h->errors = memfd_create("errors", MFD_CLOEXEC);
    if (h->out < 0 || h->errors < 0)
        return error_set(err, STATUS_IO, "no file in memory: %s", strerror(errno));
    why = spawn(argv, h);
    if (why == ENOENT)
        return error_set(err, STATUS_MISSING, "there is no program '%s' in PATH", argv[0]);
    return why == 0 ? STATUS_OK : error_set(err, STATUS_IO, "'%s' cannot be started: %s", argv[0], strerror(why));
}

bool helper_is_over(helper *h) {
    if (h->pid > 0 && waitpid(h->pid, &h->how, WNOHANG) == h->pid)
        h->pid = 0;
    return h->pid == 0;
}

status helper_wait(helper *h, double most_s, error_info *err) {
    double until_s = run_clock_s() + most_s;
    while (!helper_is_over(h)) {
        if (run_clock_s() > until_s)
            return error_set(err, STATUS_IO, "'%s' gave no answer in %g s", h->name, most_s);
        if (wait_a_little(h))
            return error_set(err, STATUS_IO, "'%s' had given no answer when a signal came", h->name);
    }
    return STATUS_OK;
}

static void append_all(int fd, text_buffer *out) {
    char bytes[4096];
    ssize_t n;
    off_t at = 0;
    while (at < MOST_ANSWER_BYTES && (n = pread(fd, bytes, sizeof bytes, at)) > 0) {
        text_append_bytes(out, bytes, (size_t)n);
        at += n;
    }
}

/* The end of what it wrote to its errors, on one line. */
static void read_said(int fd, char said[MOST_SAID]) {
    AUTO(text_buffer_clear) text_buffer all = {0};
    size_t from;
    append_all(fd, &all);
    while (all.length > 0 && all.data[all.length - 1] == '\n')
        all.data[--all.length] = '\0';
    from = all.length >= MOST_SAID ? all.length - (MOST_SAID - 1) : 0;
    memcpy(said, all.data ? all.data + from : "", all.length - from + 1);
    for (char *c = said; *c; c++) {
        if ((unsigned char)*c < ' ')
            *c = ' ';
    }
}

status helper_answer(helper *h, text_buffer *out, error_info *err) {
    char said[MOST_SAID];
    append_all(h->out, out);
    if (WIFEXITED(h->how) && WEXITSTATUS(h->how) == 0)
        return text_buffer_check(out, err);
    read_said(h->errors, said);
    if (WIFSIGNALED(h->how))
        return error_set(err, STATUS_IO, "'%s' was ended by signal %d", h->name, WTERMSIG(h->how));
    return error_set(err, STATUS_IO, "'%s' ended with status %d: %s", h->name, WEXITSTATUS(h->how),
                     *said ? said : "it did not say why");
}

void helper_clear(helper *h) {
    if (!helper_is_over(h)) {
        (void)kill(-h->pid, SIGTERM);
        for (int ms = 0; ms < END_MS && !helper_is_over(h) && !wait_a_little(h); ms += POLL_MS)
            ;
    }
    if (h->pid > 0) {
        (void)kill(-h->pid, SIGKILL);
        (void)waitpid(h->pid, &h->how, 0);
    }
    close_one(&h->out);
    close_one(&h->errors);
    *h = (helper){.out = -1, .errors = -1};
}

status helper_ask(helper_words command, run_signals *signals, text_buffer *out, error_info *err) {
    AUTO(helper_clear) helper h = {.out = -1, .errors = -1};
    CHECK(helper_start(command, signals, &h, err));
    CHECK(helper_wait(&h, MOST_ANSWER_S, err));
    return helper_answer(&h, out, err);
}
