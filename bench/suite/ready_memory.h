/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Memory that a run finds ready. The host of a virtual machine takes back what has lain free for some seconds, and a
 * huge page of it costs 4 to 13 milliseconds when it is met again, against 0.1 of one that was in use a moment ago.
 */
#ifndef BNB_BENCH_SUITE_READY_MEMORY_H
#define BNB_BENCH_SUITE_READY_MEMORY_H

/** Has 64 MiB in use for a moment, some 4 milliseconds: what the system has free in front is memory of the host then.
 * Without effect where there is not so much. */
void ready_memory(void);

#endif
