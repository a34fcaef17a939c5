/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums in the order in which they are written. */
#ifndef BNB_CORE_BASE_KEEP_ORDER_H
#define BNB_CORE_BASE_KEEP_ORDER_H

/** What was added to the vector register v is added before what follows. Left alone, GCC 12 adds what was looked up
 * first, and that to the sums, which takes more registers. */
#define KEEP_ORDER(v) __asm__("" : "+x"(v))

/** What was looked up is added to the integer `sum` at once. Left alone, GCC 12 puts what several look-ups found
 * together in vector registers, which takes longer than to add it up. */
#define KEEP_APART(sum) __asm__("" : "+r"(sum))

#endif
