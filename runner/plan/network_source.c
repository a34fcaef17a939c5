/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/network_source_internal.h"

#include "core/base/random.h"
#include "generators/catalogue/catalogue.h"
#include "generators/networks/tiling.h"

#include <string.h>

static bool is_of_catalogue(const network_source *source, const catalogue_entry *entry) {
    return entry && entry->tile && strcmp(entry->tile, source->source) == 0 && entry->copies == source->copies &&
           entry->tile_arcs == source->tile_arcs;
}

/* The seed does not depend on the experiment's: the same declaration of tiles is the same network everywhere. */
static status make_tiles(const network_source *source, const char *name, bayes_net **out, error_info *err) {
    random_key key = random_key_text(random_key_text(random_key_of(CATALOGUE_TILING_SEED), "tile"), name);
    random_stream random;
    AUTO_PTR(bayes_net_destroy) bayes_net *base = NULL;
    random_stream_init(&random, random_key_number(key, source->tile_arcs));
    CHECK(catalogue_load(source->source, &base, err));
    return tile_network(base, source->copies, source->tile_arcs, NULL, &random, out, err);
}

status network_source_load(const network_source *source, const char *name, any_network *out, error_info *err) {
    if (source->kind != SOURCE_NETWORK)
        return error_set(err, STATUS_MISSING, "'%s' has no tables: it is no Bayesian network", name);
    if (source->copies == 0)
        return any_network_load(source->source, out, err);
    if (is_of_catalogue(source, catalogue_find(name)))
        return catalogue_load(name, &out->tables, err);
    return make_tiles(source, name, &out->tables, err);
}
