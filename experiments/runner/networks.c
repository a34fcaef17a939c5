/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/runner/networks_internal.h"

#include "generators/catalogue.h"

status network_source_load(const network_source *source, const char *name, bayes_net **out, error_info *err) {
    return catalogue_load(source->copies ? name : source->source, out, err);
}
