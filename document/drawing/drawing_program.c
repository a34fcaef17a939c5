/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/drawing/drawing_program.h"

#include "core/run/run_context.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COULD_NOT_START = 127, MOST_SAID = 400, POLL_MS = 5, MOST_ARGUMENTS = 8 };

const drawing_program drawing_gnuplot = {"gnuplot", "BNBENCH_GNUPLOT", "gnuplot-nox"};
const drawing_program drawing_dot = {"dot", "BNBENCH_DOT", "graphviz"};

static const char *path_of(const drawing_program *program) {
    const char *named = getenv(program->variable);
    return named && *named ? named : program->name;
}

/* The variables with which a program finds its parts, its fonts and the language of its messages. */
static bool is_passed_on(const char *entry) {
    static const char *const names[] = {"PATH=",   "HOME=",       "LANG=",       "LC_",  "LD_LIBRARY_PATH=",
                                        "TMPDIR=", "GDFONTPATH=", "FONTCONFIG_", "XDG_", "GNUPLOT_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

/* In the child, of its own copy. */
static void keep_few_variables(void) {
    size_t n = 0;
    for (size_t i = 0; environ[i]; i++) {
        if (is_passed_on(environ[i]))
            environ[n++] = environ[i];
    }
    environ[n] = NULL;
}

/* In the child: never returns. Its own process group, so that the time-out ends it with whatever it started; few
 * variables, and no open file but the three usual ones. */
static _Noreturn void become(const drawing_program *program, const char *folder, const char *const *arguments,
                             int said) {
    const char *argv[MOST_ARGUMENTS + 2] = {path_of(program)};
    int null = open("/dev/null", O_RDWR);
    (void)setpgid(0, 0);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0 ||
        chdir(folder) != 0)
        _exit(COULD_NOT_START);
    for (size_t i = 0; arguments[i] && i < MOST_ARGUMENTS; i++)
        argv[i + 1] = arguments[i];
    (void)close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    keep_few_variables();
    (void)execvp(argv[0], (char *const *)argv); /* it does not write to them */
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

/* The end of what it wrote to its standard error, on one line. */
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

static status judge(const drawing_program *program, bool ended, int wait_status, double timeout_s, const char *said,
                    error_info *err) {
    const char *name = program->name;
    if (!ended)
        return error_set(err, STATUS_IO, "%s took more than %g s and was stopped", name, timeout_s);
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == COULD_NOT_START)
        return error_set(err, STATUS_MISSING,
                         "%s could not be started ('%s'); install it (Debian: %s) or name it in %s", name,
                         path_of(program), program->package, program->variable);
    if (!WIFEXITED(wait_status))
        return error_set(err, STATUS_IO, "%s was ended by signal %d", name, WTERMSIG(wait_status));
    if (WEXITSTATUS(wait_status) != 0)
        return error_set(err, STATUS_IO, "%s failed: %s", name, *said ? said : "it did not say why");
    return STATUS_OK;
}

/* A file without a name that takes a program's words; -1 where there can be none. */
static int open_nameless(void) {
    char name[] = "/tmp/bnbench-drawing-XXXXXX";
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(name);
    return fd;
}

status drawing_program_run(const drawing_program *program, const char *folder, const char *const *arguments,
                           double timeout_s, error_info *err) {
    char said[MOST_SAID] = "";
    int wait_status = 0, fd = open_nameless();
    bool ended;
    pid_t child;
    status st = STATUS_OK;
    if (fd < 0)
        return error_set(err, STATUS_IO, "no temporary file for the messages of %s: %s", program->name,
                         strerror(errno));
    child = fork();
    if (child == 0)
        become(program, folder, arguments, fd);
    if (child < 0) {
        st = error_set(err, STATUS_IO, "%s could not be started: %s", program->name, strerror(errno));
        goto cleanup;
    }
    (void)setpgid(child, child); /* here too, so that it holds before the first kill */
    ended = wait_until(child, run_clock_s() + timeout_s, &wait_status);
    read_said(fd, said);
    st = judge(program, ended, wait_status, timeout_s, said, err);
cleanup:
    (void)close(fd);
    return st;
}
