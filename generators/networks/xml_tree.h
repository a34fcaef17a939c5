/* SPDX-License-Identifier: GPL-3.0-or-later */
/** XML as a tree of elements with their places, read by libxml2: no entities but the five of XML, nothing from outside.
 */
#ifndef BNB_GENERATORS_NETWORKS_XML_TREE_H
#define BNB_GENERATORS_NETWORKS_XML_TREE_H

#include "core/base/text.h"
#include "generators/networks/text_place.h"

#define XML_NONE ((size_t)-1)

enum { XML_MOST_DEPTH = 64, XML_MOST_ELEMENTS = 1 << 25 };

typedef struct {
    char *name;        /* without a prefix */
    char **attributes; /* name, value, name, value, ... */
    size_t n_attributes;
    text_buffer text; /* its own, not that of its children */
    text_place place; /* the end of its start tag */
    size_t parent, first, last, next;
} xml_element;

/** Zero-initialise; element 0 is the root. Owns them. */
typedef struct {
    xml_element *elements;
    size_t n, capacity;
} xml_tree;

void xml_tree_clear(xml_tree *tree);

/** STATUS_OK where XML can be read at all; STATUS_MISSING, and why. Into *library: what that takes. */
BNB_MUST_CHECK status xml_tree_find_library(const char **library, error_info *err);

/**
 * STATUS_PARSE, "line:column: ...": no XML, deeper than XML_MOST_DEPTH, more than XML_MOST_ELEMENTS, an entity
 * declared, more than 1 GiB of text. STATUS_MISSING: as xml_tree_find_library.
 */
BNB_MUST_CHECK status xml_tree_read(const char *text, size_t length, xml_tree *out, error_info *err);

/** The first child of that name of an element, and the next behind one; any name for NULL; XML_NONE without one. */
size_t xml_first(const xml_tree *tree, size_t parent, const char *name);
size_t xml_next(const xml_tree *tree, size_t element, const char *name);

/** NULL where it is not there. */
const char *xml_attribute(const xml_tree *tree, size_t element, const char *name);

/** The text of an element without white space around it; points into the tree. */
const char *xml_text(const xml_tree *tree, size_t element, size_t *length);

/** The same of the first child of that name; NULL without one. */
const char *xml_child_text(const xml_tree *tree, size_t element, const char *name, size_t *length);

/** The words of an element's text one after another, from `*at`, which is NULL at first; false behind the last. */
bool xml_next_word(const xml_tree *tree, size_t element, const char **at, size_t *length);

/** The numbers of its text, on the heap. STATUS_PARSE where a word is none. */
BNB_MUST_CHECK status xml_numbers(const xml_tree *tree, size_t element, double **out, size_t *n, error_info *err);

/** Appends text with < > & and quotes as entities. */
void xml_append(const char *text, text_buffer *out);

#endif
