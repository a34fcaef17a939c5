/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/gnuplot.h"

#include "core/run_context.h"
#include "results/display.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COULD_NOT_START = 127, MOST_SAID = 400, POLL_MS = 5 };

/* gnuplot reads a doubled quote as one inside a string, but as the string's end at its beginning. */
static const char apostrophe[] = "\xE2\x80\x99";

void gnuplot_append_text(text_buffer *b, const char *text, size_t most) {
    char *clean = display_copy_plain(text, most);
    if (!clean) {
        b->failed = true;
        return;
    }
    text_append(b, "'");
    for (const char *c = clean; *c; c++)
        text_append_bytes(b, *c == '\'' ? apostrophe : c, *c == '\'' ? strlen(apostrophe) : 1);
    text_append(b, "'");
    free(clean);
}

static const char *program_name(void) {
    const char *named = getenv("BNBENCH_GNUPLOT");
    return named && *named ? named : "gnuplot";
}

/* In the child: never returns. Its own process group, so that the time-out ends it with whatever it started. */
static _Noreturn void become_gnuplot(const char *folder, const char *script, int said) {
    const char *program = program_name();
    const char *const argv[] = {program, "--default-settings", script, NULL};
    int null = open("/dev/null", O_RDWR);
    (void)setpgid(0, 0);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0 ||
        chdir(folder) != 0)
        _exit(COULD_NOT_START);
    (void)execvp(program, (char *const *)argv); /* it does not write to them */
    _exit(COULD_NOT_START);
}

/* Waits for the child; kills its group at the deadline. False where it had to. */
static bool wait_until(pid_t child, double deadline_s, int *wait_status) {
    struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    for (;;) {
        pid_t ended = waitpid(child, wait_status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            return true;
        if (run_clock_s() >= deadline_s)
            break;
        (void)nanosleep(&pause, NULL);
    }
    (void)kill(-child, SIGKILL);
    (void)kill(child, SIGKILL);
    while (waitpid(child, wait_status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

/* The end of what gnuplot wrote to its standard error, on one line. */
static void read_said(int fd, char said[MOST_SAID]) {
    off_t length = lseek(fd, 0, SEEK_END), from = length > MOST_SAID - 1 ? length - (MOST_SAID - 1) : 0;
    ssize_t n = length > 0 ? pread(fd, said, MOST_SAID - 1, from) : 0;
    size_t kept = 0;
    for (ssize_t i = 0; i < n; i++) {
        if ((unsigned char)said[i] < ' ')
            said[i] = ' ';
        if (said[i] != ' ' || (kept > 0 && said[kept - 1] != ' '))
            said[kept++] = said[i];
    }
    while (kept > 0 && said[kept - 1] == ' ')
        kept--;
    said[kept] = '\0';
}

static status judge(bool ended, int wait_status, double timeout_s, const char *said, error_info *err) {
    if (!ended)
        return error_set(err, STATUS_IO, "gnuplot took more than %g s and was stopped", timeout_s);
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == COULD_NOT_START)
        return error_set(
            err, STATUS_MISSING,
            "gnuplot could not be started ('%s'); install it (Debian: gnuplot-nox) or name it in BNBENCH_GNUPLOT",
            program_name());
    if (!WIFEXITED(wait_status))
        return error_set(err, STATUS_IO, "gnuplot was ended by signal %d", WTERMSIG(wait_status));
    if (WEXITSTATUS(wait_status) != 0)
        return error_set(err, STATUS_IO, "gnuplot failed: %s", *said ? said : "it did not say why");
    return STATUS_OK;
}

/* A file without a name that takes a program's words; -1 where there can be none. */
static int open_nameless(void) {
    char name[] = "/tmp/bnbench-gnuplot-XXXXXX";
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(name);
    return fd;
}

status gnuplot_run(const char *folder, const char *script, double timeout_s, error_info *err) {
    char said[MOST_SAID] = "";
    int wait_status = 0, fd = open_nameless();
    bool ended;
    pid_t child;
    status st = STATUS_OK;
    if (fd < 0)
        return error_set(err, STATUS_IO, "no temporary file for gnuplot's messages: %s", strerror(errno));
    child = fork();
    if (child == 0)
        become_gnuplot(folder, script, fd);
    if (child < 0) {
        st = error_set(err, STATUS_IO, "gnuplot could not be started: %s", strerror(errno));
        goto cleanup;
    }
    (void)setpgid(child, child); /* here too, so that it holds before the first kill */
    ended = wait_until(child, run_clock_s() + timeout_s, &wait_status);
    read_said(fd, said);
    st = judge(ended, wait_status, timeout_s, said, err);
cleanup:
    (void)close(fd);
    return st;
}
