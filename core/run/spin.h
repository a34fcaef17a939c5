/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a thread looks for what another will change, before it sleeps. */
#ifndef BNB_CORE_RUN_SPIN_H
#define BNB_CORE_RUN_SPIN_H

/** Looks before a thread sleeps: some 20 microseconds, what waking up costs. */
enum { SPIN_LOOKS = 1000 };

/** Between two looks. */
static inline void spin_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

#endif
