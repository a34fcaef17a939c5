/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A program that draws: found on PATH or named in the environment, its arguments as an array,
 * never through a shell. */
#ifndef BNB_DOCUMENT_DRAWING_DRAWING_PROGRAM_H
#define BNB_DOCUMENT_DRAWING_DRAWING_PROGRAM_H

#include "core/base/status.h"

typedef struct {
    const char *name;     /* on PATH, and in messages */
    const char *variable; /* of the environment: names another program */
    const char *package;  /* of Debian */
} drawing_program;

/** gnuplot, and Graphviz's dot. */
extern const drawing_program drawing_gnuplot, drawing_dot;

/**
 * Runs it in a folder, its output files made there; it reads nothing, and what it prints is thrown away.
 *
 * @param arguments without the program itself; NULL-terminated, eight at most
 * @param timeout_s it is killed after so many seconds
 * @return STATUS_MISSING: there is no such program. STATUS_INVALID: it failed or took too long; the message holds what
 * it said. STATUS_IO: it could not be started.
 */
BNB_MUST_CHECK status drawing_program_run(const drawing_program *program, const char *folder,
                                          const char *const *arguments, double timeout_s, error_info *err);

/**
 * The same in a private folder below `folder`, from which the pictures are moved into `folder` once each of them is
 * whole: else what lay there before stays, and the status is STATUS_IO. STATUS_INVALID also where there is none. The
 * arguments name other files of `folder` as "../NAME".
 */
BNB_MUST_CHECK status drawing_program_draw(const drawing_program *program, const char *folder,
                                           const char *const *arguments, double timeout_s, error_info *err);

#endif
