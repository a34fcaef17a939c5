/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a network: its own figures where it is here, the catalogue's where it is not. */
#include "cli/base/inputs.h"
#include "cli/info/info.h"

#include "core/base/file.h"
#include "generators/catalogue/bnrep.h"
#include "generators/catalogue/catalogue.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const char *name, *citation;
    size_t nodes, arcs, min_states, max_states, max_in_degree, max_out_degree;
    uint64_t parameters;
    bool is_available, is_gaussian;
    const catalogue_entry *entry; /* NULL for a file that the catalogue does not know */
    const bnrep_entry *bnrep;     /* of one that is not here; else NULL */
} network_facts;

/* False for a tiled network of the catalogue, of which the catalogue's figures are told. */
static bool has_file(const char *word) {
    AUTO_FREE char *path = NULL;
    return catalogue_locate(word, &path, NULL) == STATUS_OK;
}

bool info_knows_network(const char *word) {
    return strcmp(word, "-") == 0 || input_is_network_file(word) || catalogue_find(word) != NULL || bnrep_find(word) ||
           (!strchr(word, '/') && has_file(word));
}

static network_facts facts_of_entry(const catalogue_entry *e) {
    return (network_facts){.name = e->name,
                           .citation = e->citation,
                           .nodes = e->nodes,
                           .arcs = e->arcs,
                           .min_states = e->min_states,
                           .max_states = e->max_states,
                           .max_in_degree = e->max_in_degree,
                           .max_out_degree = e->max_out_degree,
                           .parameters = e->parameters,
                           .entry = e};
}

static network_facts facts_of_bnrep(const bnrep_entry *e) {
    return (network_facts){.name = e->name,
                           .citation = BNREP_CITATION,
                           .nodes = e->nodes,
                           .arcs = e->arcs,
                           .is_gaussian = e->is_gaussian,
                           .bnrep = e};
}

static network_facts facts_of_network(const any_network *net) {
    const catalogue_entry *e = catalogue_find(any_network_name(net));
    network_facts f = {.name = any_network_name(net),
                       .nodes = any_network_node_count(net),
                       .arcs = dag_arc_count(any_network_dag(net)),
                       .parameters = net->tables ? bayes_net_parameter_count(net->tables)
                                                 : gaussian_net_parameter_count(net->gaussian),
                       .is_available = true,
                       .is_gaussian = net->gaussian != NULL};
    for (size_t i = 0; i < f.nodes; i++) {
        size_t states = any_network_variables(net)[i].n_states, in = 0, out = 0;
        (void)dag_parents(any_network_dag(net), i, &in);
        (void)dag_children(any_network_dag(net), i, &out);
        f.min_states = i == 0 || states < f.min_states ? states : f.min_states;
        f.max_states = states > f.max_states ? states : f.max_states;
        f.max_in_degree = in > f.max_in_degree ? in : f.max_in_degree;
        f.max_out_degree = out > f.max_out_degree ? out : f.max_out_degree;
    }
    /* The citation is told only if the network has the size of the one in the catalogue, whose name a file may bear. */
    if (e && e->nodes == f.nodes && e->arcs == f.arcs) {
        f.entry = e;
        f.citation = e->citation;
    }
    return f;
}

static status answer(cli *c, const network_facts *f, error_info *err) {
    return json_put_all(
        c->answer = json_object(), err, {"kind", json_of_text("network")}, {"name", json_of_text(f->name)},
        {"data", json_of_text(f->is_gaussian ? "continuous" : "discrete")}, {"nodes", json_of_size(f->nodes)},
        {"arcs", json_of_size(f->arcs)}, {"parameters", json_of_size(f->parameters)},
        {"min_states", json_of_size(f->min_states)}, {"max_states", json_of_size(f->max_states)},
        {"max_in_degree", json_of_size(f->max_in_degree)}, {"max_out_degree", json_of_size(f->max_out_degree)},
        {"citation", json_of_text(f->citation)}, {"available", json_boolean(f->is_available)},
        {"url", json_of_text(f->entry ? f->entry->url : NULL)});
}

static void print(cli *c, const network_facts *f) {
    text_buffer *out = &c->out;
    text_append_format(out, "network      %s\n", f->name);
    text_append_format(out, "nodes        %zu\narcs         %zu\n", f->nodes, f->arcs);
    if (f->parameters > 0)
        text_append_format(out, "parameters   %" PRIu64 "\n", f->parameters);
    if (f->max_states > 0)
        text_append_format(out, "states       %zu to %zu\n", f->min_states, f->max_states);
    if (f->is_gaussian)
        text_append(out, "data         continuous: each variable a linear function of its parents, and normal noise\n");
    if (f->max_states > 0 || (f->is_gaussian && !f->bnrep))
        text_append_format(out, "in-degree    at most %zu\nout-degree   at most %zu\n", f->max_in_degree,
                           f->max_out_degree);
    if (f->citation)
        text_append_format(out, "citation     %s\n", f->citation);
    if (f->entry && f->entry->tile)
        text_append_format(out, "made of      %zu tiles of %s\n", f->entry->copies, f->entry->tile);
    if (f->is_available)
        return;
    text_append(out, "not on this computer: the figures are the catalogue's\n");
    if (f->bnrep)
        text_append_format(out, "'bnbench networks fetch %s --unverified' downloads it from %s\n", f->name,
                           BNREP_ADDRESS);
    else if (f->entry && f->entry->url)
        text_append_format(out, "'bnbench networks fetch %s' downloads it from %s\n", f->name, f->entry->url);
    else if (f->entry && f->entry->tile)
        text_append_format(out, "'bnbench networks fetch %s' gets what it is made of\n", f->entry->tile);
}

status info_network(cli *c, const char *word, error_info *err) {
    const catalogue_entry *entry = catalogue_find(word);
    const bnrep_entry *bnrep = bnrep_find(word);
    AUTO(any_network_clear) any_network net = {0};
    network_facts facts;

    if (entry && !has_file(word)) {
        facts = facts_of_entry(entry);
        facts.is_available = input_is_available(word);
    } else if (bnrep && !has_file(word)) {
        facts = facts_of_bnrep(bnrep);
    } else {
        CHECK(input_any_network(c, word, &net, err));
        facts = facts_of_network(&net);
    }
    if (c->json)
        return answer(c, &facts, err);
    print(c, &facts);
    return STATUS_OK;
}
