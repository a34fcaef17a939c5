/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The words, quoted texts and signs of a file, one after another, with their places: NET, DSC, DNE and UAI. */
#ifndef BNB_GENERATORS_NETWORKS_TOKEN_READER_H
#define BNB_GENERATORS_NETWORKS_TOKEN_READER_H

#include "core/base/text.h"
#include "generators/networks/text_place.h"

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_QUOTED, TOKEN_SIGN } token_kind;

/** Points into the text; of a quoted one what lies between the quotes, its backslashes still there. */
typedef struct {
    token_kind kind;
    const char *text;
    size_t length;
    const char *at; /* its quote included */
} token;

/** `comment` begins one that lasts to the end of the line; with `has_blocks` there are also those of C. */
typedef struct {
    const char *text, *at, *end;
    const char *comment; /* NULL without any */
    bool has_blocks;
    token next;       /* what stands at the place */
    const char *mark; /* up to where lines were counted */
    text_place mark_place;
} token_reader;

/** Reads the first token. STATUS_PARSE: a NUL byte, a quote or comment that is not closed. */
BNB_MUST_CHECK status token_reader_init(token_reader *r, const char *text, size_t length, const char *comment,
                                        bool has_blocks, error_info *err);

/** Goes on by one token; `out` (may be NULL) is the one that stood there. */
BNB_MUST_CHECK status token_take(token_reader *r, token *out, error_info *err);

/** The place of the token that comes next, or of one that was taken. */
text_place token_place(token_reader *r, const token *t);

bool token_is(const token *t, const char *word);

/** STATUS_PARSE, "line:column: expected ..., found ...", at the next token. */
status token_expected(token_reader *r, const char *what, error_info *err);

/** Takes that word or sign, or says that it is expected. */
BNB_MUST_CHECK status token_expect(token_reader *r, const char *word, const char *what, error_info *err);

/** Takes that word or sign if it is there. */
BNB_MUST_CHECK status token_skip(token_reader *r, const char *word, bool *was_there, error_info *err);

/** Takes a word or a quoted text. */
BNB_MUST_CHECK status token_take_name(token_reader *r, const char *what, token *out, error_info *err);

/** Takes a number; a whole one from 0 to `most`. */
BNB_MUST_CHECK status token_take_number(token_reader *r, double *out, error_info *err);
BNB_MUST_CHECK status token_take_count(token_reader *r, const char *what, size_t most, size_t *out, error_info *err);

/** To behind the closing brace, or behind the semicolon, that belongs to this depth. */
BNB_MUST_CHECK status token_skip_to(token_reader *r, const char *closing, error_info *err);

/** The text of a token on the heap, without the backslashes of a quoted one; NULL without memory. */
char *token_text(const token *t);

#endif
