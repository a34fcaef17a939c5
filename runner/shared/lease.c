/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/shared/lease_internal.h"

#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/run/run_context.h"
#include "runner/job/job_process_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

enum { HOST_SIZE = 64 };

/* The name of the host, or of the node as Slurm calls it and takes it in --exclude, with '-' for every character that
 * is no letter or digit, as a part of file names. */
static void name_host(char name[HOST_SIZE]) {
    const char *node = getenv("SLURMD_NODENAME");
    if (node && *node)
        (void)snprintf(name, HOST_SIZE, "%s", node);
    else if (gethostname(name, HOST_SIZE) != 0)
        (void)snprintf(name, HOST_SIZE, "host");
    name[HOST_SIZE - 1] = '\0';
    for (char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '-';
    }
}

/* Opened before it is asked: a network file system then tells the time as it is, and not as it remembers it. A place
 * that is there and tells nothing is not taken for a dead worker's. */
static double time_of_change(const char *place) {
    struct stat info;
    int fd = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    double when = fd < 0 && errno == ENOENT ? -INFINITY : INFINITY;
    if (fd >= 0 && fstat(fd, &info) == 0)
        when = (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
    if (fd >= 0)
        (void)close(fd);
    return when;
}

status lease_now(lease *l, double *now_s, error_info *err) {
    l->renewed_s = run_clock_s();
    if (utimensat(AT_FDCWD, l->place, NULL, 0) != 0)
        return error_set(err, STATUS_IO, "%s: %s", l->place, strerror(errno));
    *now_s = time_of_change(l->place);
    return STATUS_OK;
}

void lease_renew(lease *l) {
    if (run_clock_s() - l->renewed_s < l->beat_s)
        return;
    l->renewed_s = run_clock_s();
    (void)utimensat(AT_FDCWD, l->place, NULL, 0);
}

double lease_last_sign(const lease *l, const char *worker) {
    AUTO_FREE char *place = plan_folder_path(l->folder, "spool", worker);
    return place ? time_of_change(place) : INFINITY;
}

/* INFINITY is no time: the place told none. */
bool lease_is_over(double lease_s, double sign_s, double now_s) {
    return now_s - sign_s > lease_s || (isfinite(sign_s) && sign_s - now_s > lease_s);
}

/* True for a worker of this host of which neither a sign of life nor the process is left. */
static bool is_dead_here(const lease *l, const char *host_dot, const char *worker, double now_s) {
    size_t length = strlen(host_dot);
    long id;
    if (strncmp(worker, host_dot, length) != 0 || !lease_is_over(l->lease_s, lease_last_sign(l, worker), now_s))
        return false;
    id = strtol(worker + length, NULL, 10);
    return id > 0 && kill((pid_t)id, 0) != 0 && errno == ESRCH;
}

static status bury_the_dead(lease *l, const char *host_dot, error_info *err) {
    AUTO(folder_list_clear) folder_list workers = {0};
    double now_s = 0;
    CHECK(lease_now(l, &now_s, err));
    CHECK(plan_folder_list(l->folder, "spool", &workers, err));
    for (size_t i = 0; i < workers.n; i++) {
        AUTO_FREE char *place = plan_folder_path(l->folder, "spool", workers.names[i]);
        error_info quiet = {0};
        CHECK_ALLOC(place);
        if (is_dead_here(l, host_dot, workers.names[i], now_s) && spool_clean(place, &quiet) == STATUS_OK)
            folder_remove(place);
    }
    return STATUS_OK;
}

status lease_begin(const char *folder, double lease_s, lease *out, error_info *err) {
    AUTO_FREE char *spool = path_join(folder, "spool");
    char host[HOST_SIZE], prefix[HOST_SIZE + 24];
    name_host(host);
    CHECK_ALLOC(spool);
    (void)snprintf(prefix, sizeof prefix, "%s.%ld-", host, (long)getpid());
    *out = (lease){.folder = folder, .lease_s = lease_s, .beat_s = fmin(2, lease_s / 10)};
    CHECK(scratch_create(spool, prefix, &out->place, err));
    out->worker = path_base(out->place);
    (void)snprintf(prefix, sizeof prefix, "%s.", host);
    return bury_the_dead(out, prefix, err);
}

void lease_end(lease *l) {
    scratch_destroy(l->place);
    *l = (lease){0};
}
