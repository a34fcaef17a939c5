/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The networks that bnbench knows by name, and where it finds them. */
#ifndef BNB_GENERATORS_CATALOGUE_H
#define BNB_GENERATORS_CATALOGUE_H

#include "core/bayes_net.h"

#include <stdint.h>

typedef struct {
    const char *name;
    size_t nodes, arcs;
    uint64_t parameters;
    size_t min_states, max_states, max_in_degree, max_out_degree;
    const char *citation;
    const char *url;    /* NULL where no address is known */
    const char *sha256; /* of the file at that address, NULL where it is not known */
    const char *tile;   /* a tiled network of the papers: the network that is copied, else NULL */
    size_t copies;      /* 0 where not tiled */
    size_t tile_arcs;   /* arcs between tiles that the paper's sizes imply */
} catalogue_entry;

size_t catalogue_count(void);
const catalogue_entry *catalogue_at(size_t i);
const catalogue_entry *catalogue_find(const char *name); /* NULL where there is none */

/**
 * The file of a network, on the heap. `name` is a path (it holds a '/' or ends in .bif or .bif.gz), or a name looked for as
 * NAME.bif and NAME.bif.gz in $BNBENCH_NETWORKS (folders, ':' between them), the user's cache, the folder that ships.
 * @return STATUS_MISSING: what was searched, a near name, and how to get it.
 */
BNB_MUST_CHECK status catalogue_locate(const char *name, char **path, error_info *err);

/** catalogue_locate, then bif_read. A network that is not there is not downloaded: that is `networks fetch`. */
BNB_MUST_CHECK status catalogue_load(const char *name, bayes_net **out, error_info *err);

/** The user's cache: $BNBENCH_CACHE, else $XDG_CACHE_HOME/bnbench, else ~/.cache/bnbench; on the heap, NULL without memory. */
char *catalogue_cache_folder(void);

/** The folder of networks that ship: beside the program where it was built or installed; on the heap. */
char *catalogue_shipped_folder(void);

#endif
