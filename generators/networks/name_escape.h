/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Names in formats that do not take every character: one that a format cannot hold is written as x_HHHH_, its code
 * point in hexadecimal, and so is the x where a name holds such a thing already. Reading undoes it, so nothing is lost.
 */
#ifndef BNB_GENERATORS_NETWORKS_NAME_ESCAPE_H
#define BNB_GENERATORS_NETWORKS_NAME_ESCAPE_H

#include "core/base/text.h"
#include "core/models/bayes_net.h"

typedef enum {
    NAME_IDENTIFIER, /* ASCII letters, digits and '_', a letter first */
    NAME_LINE        /* anything but control characters; no blank at an end */
} name_style;

/** What a format holds: NULL-terminated words that are no names; NULL for none. */
typedef struct {
    name_style nodes, states, network;
    const char *const *reserved;
    size_t longest;  /* characters that its own program takes; 0 for any number */
    bool no_network; /* the format has no place for the network's name */
} name_rules;

/** Bytes that are no UTF-8 are written as half a surrogate pair, U+DC80 and up, as Python does. */
void name_escape(name_style style, const char *const *reserved, const char *name, text_buffer *out);

/** On the heap; NULL without memory. */
char *name_unescape(const char *text, size_t length);

/** Sentences, a line each, about names of the network that are written otherwise, and those that are too long. */
void name_append_loss(const name_rules *rules, const char *title, const bayes_net *net, text_buffer *out);

#endif
