/* SPDX-License-Identifier: GPL-3.0-or-later */
/** UTF-8 (RFC 3629): what is a character, and where a text may be cut. */
#ifndef BNB_CORE_BASE_UTF8_H
#define BNB_CORE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD, for bytes that are no character */

/** True for the second and later bytes of a character. */
static inline bool utf8_is_inner(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/**
 * The bytes, 1 to 4, of the character at `s`; 0 where there is none: a byte that begins none, a character that is not
 * whole, a longer form than needed, half of a surrogate pair, a code past U+10FFFF. NUL is a character.
 *
 * @param n           bytes there are at `s`, at least 1; SIZE_MAX where a NUL ends the text
 * @param[out] code   its code point; may be NULL; untouched where there is no character
 */
size_t utf8_read(const char *s, size_t n, uint32_t *code);

/** How many of the first `most` bytes of a text of `n` can be shown without half of a character at the end. */
size_t utf8_cut(const char *s, size_t n, size_t most);

/** Drops the beginning of a character that is not whole at the end of the text, as where a buffer was too small. */
void utf8_trim(char *s);

/** Puts '?' in place of each byte of no character, and of each
 * control character other than tab and line end, of its every byte. */
void utf8_clean(char *s);

#endif
