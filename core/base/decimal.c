/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/decimal.h"

#include "core/base/text.h"

#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_POWER = 22, SHORT_NUMBER = 120, EXPONENT_LIMIT = 100000 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* What the scan of a number finds: its significant digits as far as they fit, and the power of ten. */
typedef struct {
    uint64_t digits;
    int power;
    bool negative, exact; /* exact: every digit is in `digits` */
} decimal;

static const char *scan_digits(const char *at, const char *end, decimal *d, bool fraction) {
    for (; at < end && is_digit(*at); at++) {
        if (d->digits > (UINT64_MAX - 9) / 10) {
            d->exact = false;
            continue;
        }
        d->digits = d->digits * 10 + (uint64_t)(*at - '0');
        d->power -= fraction && d->power > -EXPONENT_LIMIT;
    }
    return at;
}

/* The exponent part where there is a whole one; "1e" is the number 1 and then an e. */
static const char *scan_exponent(const char *at, const char *end, decimal *d) {
    const char *digit = at + 1;
    bool negative = false;
    int value = 0;
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    if (digit < end && (*digit == '+' || *digit == '-'))
        negative = *digit++ == '-';
    if (digit == end || !is_digit(*digit))
        return at;
    for (; digit < end && is_digit(*digit); digit++) {
        if (value < EXPONENT_LIMIT)
            value = value * 10 + (*digit - '0');
    }
    d->power += negative ? -value : value;
    return digit;
}

static const char *scan(const char *text, const char *end, decimal *d) {
    const char *at = text, *whole;
    size_t n_digits;
    *d = (decimal){.exact = true};
    if (at < end && (*at == '+' || *at == '-'))
        d->negative = *at++ == '-';
    whole = at;
    at = scan_digits(at, end, d, false);
    n_digits = (size_t)(at - whole);
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = scan_digits(fraction, end, d, true);
        n_digits += (size_t)(at - fraction);
    }
    return n_digits == 0 ? NULL : scan_exponent(at, end, d);
}

static bool convert_exactly(const decimal *d, double *out) {
    static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value = (double)d->digits;
    if (!d->exact || d->digits > (uint64_t)1 << 53)
        return false;
    if (d->digits != 0) {
        if (d->power < -EXACT_POWER || d->power > EXACT_POWER)
            return false;
        value = d->power < 0 ? value / powers[-d->power] : value * powers[d->power];
    }
    *out = d->negative ? -value : value;
    return true;
}

/* newlocale for "C" hands out a static object of the C library: it costs nothing and cannot fail for lack of memory. */
static double convert_in_c_locale(const char *text) {
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
    if (c_locale)
        freelocale(c_locale);
    return value;
}

const char *decimal_read(const char *text, const char *end, double *out) {
    decimal d;
    const char *behind = scan(text, end, &d);
    char few[SHORT_NUMBER + 1], *copy = few;
    size_t length;
    if (!behind || convert_exactly(&d, out))
        return behind;
    length = (size_t)(behind - text);
    if (length > SHORT_NUMBER) {
        copy = text_copy_n(text, length);
        if (!copy)
            return NULL;
    } else {
        memcpy(few, text, length);
        few[length] = '\0';
    }
    *out = convert_in_c_locale(copy);
    if (copy != few)
        free(copy);
    return behind;
}

bool decimal_is_number(const char *text, const char *end, double *out) {
    double value = 0;
    if (decimal_read(text, end, &value) != end || !isfinite(value))
        return false;
    *out = value;
    return true;
}
