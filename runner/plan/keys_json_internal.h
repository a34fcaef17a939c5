/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The keys of a run as the store keeps them: a JSON array. */
#ifndef BNB_RUNNER_PLAN_KEYS_JSON_INTERNAL_H
#define BNB_RUNNER_PLAN_KEYS_JSON_INTERNAL_H

#include "core/base/json.h"
#include "core/base/status.h"
#include "runner/plan/plan_internal.h"

BNB_MUST_CHECK status keys_to_json(const job_keys *keys, char **out, error_info *err);

/** STATUS_PARSE where it is no array of keys; a text, where it is not as it was written. */
BNB_MUST_CHECK status keys_from_json(const char *text, char (**out)[PLAN_KEY_SIZE], size_t *n, error_info *err);
BNB_MUST_CHECK status keys_from_array(const json_t *array, char (**out)[PLAN_KEY_SIZE], size_t *n, error_info *err);

#endif
