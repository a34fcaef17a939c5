/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks from the web into the user's cache. */
#ifndef BNB_GENERATORS_CATALOGUE_NETWORK_FETCH_H
#define BNB_GENERATORS_CATALOGUE_NETWORK_FETCH_H

#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/transfer.h"

/**
 * Downloads a network of the catalogue into the cache folder (catalogue_cache_folder) as NAME.bif.gz.
 *
 * The address is BASE/NAME/NAME.bif.gz, with BASE that of the options, else $BNBENCH_REPOSITORY, else the catalogue's
 * own address; generators/catalogue/transfer.h says how it is got.
 *
 * What is checked before the file takes its place: that it is the catalogue's by the SHA-256 of what it unpacks to,
 * unless the options allow another; and that it is a network with the nodes, arcs, parameters, states and degrees of
 * the catalogue. `*check` (may be NULL) says which of the two vouches for it.
 *
 * A network of bnRep (generators/catalogue/bnrep.h) comes from BASE/bnrep/NAME.bif or .json, with BASE that of the
 * options, else BNREP_ADDRESS. No checksum of these is known: they are taken where the options allow that, and have the
 * nodes and arcs of the catalogue; FETCH_BY_CONTENT.
 *
 * @param[out] path the file, on the heap; may be NULL
 * @return STATUS_INVALID: the address is http, and the options do not allow it. STATUS_MISSING: the name is not in the
 * catalogue, it is a tiled network, no server or no file there, the download broke off. STATUS_PARSE: what came is not
 * that network, or not the file of that digest. STATUS_IO, STATUS_MEMORY. On every error the cache is as it was.
 */
BNB_MUST_CHECK status network_fetch(const char *name, const fetch_options *o, char **path, fetch_check *check,
                                    error_info *err);

/** The same for any entry, address and folder. */
BNB_MUST_CHECK status network_download(const catalogue_entry *entry, const char *url, const fetch_options *o,
                                       const char *folder, char **path, fetch_check *check, error_info *err);

#endif
