/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading and checking values of a declaration. A message says where the value stands, what it is
 * and what is allowed. */
#ifndef BNB_RUNNER_DECLARE_FIELDS_INTERNAL_H
#define BNB_RUNNER_DECLARE_FIELDS_INTERNAL_H

#include "runner/declare/yaml_tree_internal.h"

#include <stdint.h>

/** A mapping whose keys are all in `known` (NULL-terminated). `what` names it in messages: "the experiment", "data". */
BNB_MUST_CHECK status field_mapping(const yaml_node *node, const char *what, const char *const *known, error_info *err);

/** Some text, in quotes or not. Borrowed. */
BNB_MUST_CHECK status field_text(const yaml_node *node, const char *what, const char **out, error_info *err);

/** Refuses a text that is no name of a file: letters, digits, '.', '_', '-', and no '.' or '-' in front. */
BNB_MUST_CHECK status field_check_name(const yaml_node *node, const char *what, error_info *err);

/* In what follows a node that is NULL is a key that was not declared: the output stays as it is. */

/** Text for people: a copy on the heap, without control characters. */
BNB_MUST_CHECK status field_line(const yaml_node *node, const char *what, char **out, error_info *err);

/** A name that may also be one of a file: letters, digits, '.', '_', '-', and no '.' in front. A copy on the heap. */
BNB_MUST_CHECK status field_name(const yaml_node *node, const char *what, char **out, error_info *err);

BNB_MUST_CHECK status field_whole(const yaml_node *node, const char *what, uint64_t least, uint64_t most, uint64_t *out,
                                  error_info *err);
BNB_MUST_CHECK status field_bool(const yaml_node *node, const char *what, bool *out, error_info *err);

/** The position of the value in "a|b|c". */
BNB_MUST_CHECK status field_choice(const yaml_node *node, const char *what, const char *choices, int *out,
                                   error_info *err);

/** A duration in seconds, a size in bytes; "none" is 0. */
BNB_MUST_CHECK status field_seconds(const yaml_node *node, const char *what, double *out, error_info *err);
BNB_MUST_CHECK status field_bytes(const yaml_node *node, const char *what, uint64_t *out, error_info *err);

/** The length of a list that is not empty; a value that is no list counts as a list of one. At most `most`. */
BNB_MUST_CHECK status field_items(const yaml_node *node, const char *what, size_t most, size_t *n, error_info *err);
const yaml_node *field_item(const yaml_node *node, size_t i);

/** What came of a value that another module judged: STATUS_INVALID becomes STATUS_PARSE, with the node's place in
 * front. */
BNB_MUST_CHECK status field_at(const yaml_node *node, status st, error_info *err);

/** "; did you mean 'x'?" for the nearest candidate, else "" or "; known: a, b, ...", into `buffer`. */
const char *field_suggestion(const char *typed, const char *const *known, size_t n, char *buffer, size_t size);

#endif
