/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Linear-Gaussian networks as JSON: docs/file-formats.md. */
#ifndef BNB_GENERATORS_NETWORKS_GAUSSIAN_FILE_H
#define BNB_GENERATORS_NETWORKS_GAUSSIAN_FILE_H

#include "core/base/text.h"
#include "core/models/gaussian_net.h"

/**
 * Reads the text {"name", "type": "linear-gaussian", "nodes": [{"name", "parents", "intercept", "coefficients", "sd"},
 * ...]}. Nodes stand in any order; other keys are passed over. Without "name" the network has the name that is given. A
 * text in pgmpy's form (pgmpy_json.c) is read as such.
 * @return STATUS_PARSE: "line:column: ..." where it is no JSON; "node 3 ('aceB'): ..." where a node
 *         does not say what it must: a key missing or of the wrong type, coefficients of another number than parents,
 *         an unknown parent, a name twice, a cycle, sd below 0. STATUS_MEMORY.
 */
BNB_MUST_CHECK status gaussian_file_parse(const char *text, size_t length, const char *name, gaussian_net **out,
                                          error_info *err);

/** Appends the network as JSON, a node a line; reading it gives the same network, number for number. */
void gaussian_file_append(const gaussian_net *net, text_buffer *out);

#endif
