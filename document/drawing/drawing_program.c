/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/drawing/drawing_program.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/base/text.h"
#include "core/run/run_context.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
        return error_set(err, STATUS_INVALID, "%s took more than %g s and was stopped", name, timeout_s);
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == COULD_NOT_START)
        return error_set(err, STATUS_MISSING,
                         "%s could not be started ('%s'); install it (Debian: %s) or name it in %s", name,
                         path_of(program), program->package, program->variable);
    if (!WIFEXITED(wait_status))
        return error_set(err, STATUS_INVALID, "%s was ended by signal %d", name, WTERMSIG(wait_status));
    if (WEXITSTATUS(wait_status) != 0)
        return error_set(err, STATUS_INVALID, "%s failed: %s", name, *said ? said : "it did not say why");
    return STATUS_OK;
}

status drawing_program_run(const drawing_program *program, const char *folder, const char *const *arguments,
                           double timeout_s, error_info *err) {
    char said[MOST_SAID] = "";
    int wait_status = 0, fd = memfd_create("errors", MFD_CLOEXEC);
    bool ended;
    pid_t child;
    status st = STATUS_OK;
    if (fd < 0)
        return error_set(err, STATUS_IO, "no file in memory for the messages of %s: %s", program->name,
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

/* ---- pictures ---- */

/* How a picture of each kind ends when it is whole. */
typedef struct {
    const char *name, *bytes;
    size_t n_bytes;
} picture_ending;

static const picture_ending endings[] = {
    {".svg", "</svg>", 6}, {".pdf", "%%EOF", 5}, {".png", "IEND\xAE\x42\x60\x82", 8}};

static const picture_ending *ending_of(const char *name) {
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (path_ends_with(name, endings[i].name))
            return &endings[i];
    }
    return NULL;
}

/* gnuplot and dot say nothing, and end well, where the disk was full. */
static status check_whole(const char *path, error_info *err) {
    const picture_ending *ending = ending_of(path);
    char last[16] = "";
    size_t length;
    int fd;
    ssize_t n;
    if (!ending)
        return STATUS_OK;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    (void)lseek(fd, -(off_t)(ending->n_bytes + 2), SEEK_END); /* a line may end behind it */
    n = read(fd, last, ending->n_bytes + 2);
    (void)close(fd);
    for (length = n > 0 ? (size_t)n : 0; length > 0 && (last[length - 1] == '\n' || last[length - 1] == '\r'); length--)
        ;
    if (length >= ending->n_bytes && memcmp(last + length - ending->n_bytes, ending->bytes, ending->n_bytes) == 0)
        return STATUS_OK;
    return error_set(err, STATUS_IO, "%s was not written to its end; perhaps the disk is full", path_base(path));
}

static status check_pictures(const char *from, const folder_list *made, error_info *err) {
    for (size_t i = 0; i < made->n; i++) {
        AUTO_FREE char *path = path_join(from, made->names[i]);
        CHECK_ALLOC(path);
        CHECK(check_whole(path, err));
    }
    return STATUS_OK;
}

static status move_pictures(const char *from, const char *to, const folder_list *made, error_info *err) {
    for (size_t i = 0; i < made->n; i++) {
        AUTO_FREE char *old = path_join(from, made->names[i]), *new = path_join(to, made->names[i]);
        CHECK_ALLOC(old);
        CHECK_ALLOC(new);
        if (rename(old, new) != 0)
            return error_set(err, STATUS_IO, "%.300s: %s", new, strerror(errno));
    }
    return STATUS_OK;
}

status drawing_program_draw(const drawing_program *program, const char *folder, const char *const *arguments,
                            double timeout_s, error_info *err) {
    AUTO_PTR(scratch_destroy) char *apart = NULL;
    AUTO(folder_list_clear) folder_list made = {0};
    CHECK(scratch_create(folder, ".drawing-", &apart, err));
    CHECK(drawing_program_run(program, apart, arguments, timeout_s, err));
    CHECK(folder_list_read(apart, "", &made, err));
    if (made.n == 0)
        return error_set(err, STATUS_INVALID, "%s ended well, but drew nothing", program->name);
    CHECK(check_pictures(apart, &made, err));
    return move_pictures(apart, folder, &made, err);
}
