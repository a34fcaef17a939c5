/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A process and everything that it started: memory, end. Read from /proc. */
#ifndef BNB_RUNNER_JOB_PROCESS_INTERNAL_H
#define BNB_RUNNER_JOB_PROCESS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/resource.h>
#include <sys/types.h>

/** Resident bytes of a process and its descendants; pages that they share count more than once. 0 where it is gone. */
uint64_t process_tree_resident_bytes(pid_t root);

/** The same with each shared page counted in proportion; slower. Where the kernel does not tell, resident bytes. */
uint64_t process_tree_proportional_bytes(pid_t root);

/** SIGKILL to the process group of `root`, to `root` and to every descendant, also those in groups of their own. */
void process_kill_tree(pid_t root);

/**
 * The next id of a list as /proc/.../children has it, each with a blank behind it, and what follows it in `text`. NULL
 * where there is none, or what stands there is not sure to be the whole id of a process that may be killed: the end of
 * a list that was cut would be the id of another process.
 */
const char *process_next_id(const char *text, pid_t *id);

/**
 * Ends the children of this process until none is left, or what is left did not end within some seconds of trying (a
 * process that waits for a broken disk cannot be killed). Where this process is the subreaper (prctl) of what it
 * started, none of its descendants is left: those whose parent ended became its children. To be called by a process of
 * one thread; makes only calls that a signal handler may make.
 */
void process_end_children(void);

/** What RLIMIT_DATA counts of this process (a little more: its stack too). */
uint64_t process_data_bytes(void);

/** Memory of this machine or container, in bytes; 0 where it is not known. */
uint64_t process_physical_memory(void);

/** User and system time. */
double process_cpu_seconds(const struct rusage *used);

/** "signal 11 (Segmentation fault)" into `buffer`. */
const char *process_signal_text(int number, char *buffer, unsigned long size);

#endif
