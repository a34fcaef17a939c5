/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Decimal numbers in the middle of a text: exact, fast, and the same in every locale. */
#ifndef BNB_CORE_BASE_DECIMAL_H
#define BNB_CORE_BASE_DECIMAL_H

#include <stdbool.h>

/**
 * Reads the decimal number at `text` ([+-] digits [. digits] [e [+-] digits], a digit at least), not past `end`.
 * The result is the double nearest to the decimal, also for subnormal ones; past the largest it is an infinity.
 * Hexadecimal, "inf" and "nan" are not numbers here.
 * @return behind the number; NULL where there is none, or where memory ran out on one of more than 120 characters.
 *
 * Few digits and a small power of ten are exact in one multiplication or division (Clinger 1990, PLDI, section 5);
 * others go to strtod.
 */
const char *decimal_read(const char *text, const char *end, double *out);

/** True, and the value, if all of text .. end is such a number and finite. */
bool decimal_is_number(const char *text, const char *end, double *out);

#endif
