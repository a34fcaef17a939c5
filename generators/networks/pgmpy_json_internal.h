/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the reader of JSON needs of pgmpy's form of it, since both end in .json. */
#ifndef BNB_GENERATORS_NETWORKS_PGMPY_JSON_INTERNAL_H
#define BNB_GENERATORS_NETWORKS_PGMPY_JSON_INTERNAL_H

#include "core/base/json.h"
#include "core/models/gaussian_net.h"

bool pgmpy_json_is(const json_t *root);

/** STATUS_PARSE: "node 3 ('aceB'): ..." where a node does not say what it must; an arc that is nobody's parent. */
BNB_MUST_CHECK status pgmpy_json_take(const json_t *root, const char *name, gaussian_net **out, error_info *err);

#endif
