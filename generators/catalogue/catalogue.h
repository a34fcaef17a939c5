/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The networks that bnbench knows by name, and where it finds them. */
#ifndef BNB_GENERATORS_CATALOGUE_CATALOGUE_H
#define BNB_GENERATORS_CATALOGUE_CATALOGUE_H

#include "core/models/bayes_net.h"

#include <stdint.h>

/**
 * A network as published. The figures of a tiled one are those of what catalogue_load makes of it; the papers print its
 * nodes and arcs, which are the same.
 */
typedef struct {
    const char *name;
    size_t nodes, arcs;
    uint64_t parameters;
    size_t min_states, max_states, max_in_degree, max_out_degree;
    const char *citation;
    const char *url;    /* NULL where no address is known */
    const char *sha256; /* of the file there, unpacked; NULL where it is not known */
    const char *tile;   /* a tiled network of the papers: the network that is copied, else NULL */
    size_t copies;      /* 0 where not tiled */
    size_t tile_arcs;   /* arcs between tiles that the paper's sizes imply */
} catalogue_entry;

size_t catalogue_count(void);
const catalogue_entry *catalogue_at(size_t i);
const catalogue_entry *catalogue_find(const char *name); /* NULL where there is none */

/** STATUS_INVALID where the network differs from the entry in a figure: the message names the first one that does. */
BNB_MUST_CHECK status catalogue_check(const catalogue_entry *entry, const bayes_net *net, error_info *err);

/**
 * The file of a network, on the heap. `name` is a path (it holds a '/' or ends in .bif, .json, or these and .gz; "-" is
 * standard input), or a name looked for as NAME.bif, NAME.bif.gz, NAME.json and NAME.json.gz in $BNBENCH_NETWORKS
 * (folders, ':' between them), the user's cache, the folder that ships. A JSON file is a linear-Gaussian network
 * (generators/catalogue/any_network.h reads either kind).
 * @return STATUS_MISSING: what was searched, a near name, and how to get it.
 */
BNB_MUST_CHECK status catalogue_locate(const char *name, char **path, error_info *err);

/**
 * catalogue_locate, then bif_read; STATUS_INVALID: it is a linear-Gaussian one. A network that is not there is not
 * downloaded: that is `networks fetch`. A tiled network of the papers that is nowhere as a file is made from the one
 * that it copies (generators/networks/tiling.h), with a seed of its own that never changes: CATALOGUE_TILING_SEED, then
 * the words "tile" and its name.
 */
BNB_MUST_CHECK status catalogue_load(const char *name, bayes_net **out, error_info *err);

#define CATALOGUE_TILING_SEED 2003u

/** The user's cache: $BNBENCH_CACHE, else $XDG_CACHE_HOME/bnbench, else ~/.cache/bnbench; on the heap, NULL without
 * memory. */
char *catalogue_cache_folder(void);

/**
 * The folder of networks that ship, on the heap: $BNBENCH_SHARE/networks, share/bnbench/networks beside the folder of
 * the program or of the library, networks/ in the source tree (in a build for a package: where those of /usr would be),
 * the first that is there; the last where none is.
 */
BNB_MUST_CHECK status catalogue_shipped_folder(char **out, error_info *err);

/** Another folder that ships, "experiments" or "published", beside that one. On the heap; NULL where there is none. */
BNB_MUST_CHECK status catalogue_shipped_beside(const char *which, char **out, error_info *err);

#endif
