/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench convert: networks, graphs and data from one form to another. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/data/dataset_file.h"
#include "generators/networks/network_format.h"

#include <string.h>

static const arg_option options[] = {
    {"to", 0, "FORMAT", "a format, as listed above; by default the ending of OUT says it"},
    {"from", 0, "FORMAT", "form of a graph IN; by default its ending says it, and csv without one"},
    {"names", 0, "LIST", "names of the nodes, with commas between, in the order of a graph IN that has none"},
    {0},
};

/* Whether a format may follow: any, or those that hold a network of the kind of `net`, or its graph. */
static bool is_possible(const network_format *f, const any_network *net) {
    return !net || !f->append || f->is_of_tables == (net->tables != NULL);
}

/* ".bif, .json, .csv or .dot": names with `before` in front; those that are possible for `net`, which may be NULL. */
static void append_names(text_buffer *out, const char *before, const char *between, const char *last,
                         const any_network *net) {
    size_t n = 0, n_said = 0;
    const network_format *f;
    for (size_t i = 0; (f = network_format_at(i)) != NULL; i++)
        n += is_possible(f, net);
    for (size_t i = 0; (f = network_format_at(i)) != NULL; i++) {
        if (!is_possible(f, net))
            continue;
        if (n_said > 0)
            text_append(out, n_said + 1 == n ? last : between);
        text_append_format(out, "%s%s", before, f->name);
        n_said++;
    }
}

static status find_format(const char *typed, const char *path, const network_format **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer names = {0};
    *out = typed ? network_format_find(typed) : network_format_of_path(path);
    if (*out)
        return STATUS_OK;
    append_names(&names, typed ? "" : ".", typed ? "|" : ", ", typed ? "|" : " or ", NULL);
    if (typed)
        return error_set(err, STATUS_INVALID, "--to is '%s'; it must be one of %s", typed, names.data);
    return error_set(err, STATUS_INVALID, "the form of '%s' is not clear; end it in %s (and .gz), or say --to", path,
                     names.data);
}

/* A format holds tables or linear functions. */
static status check_kind(const any_network *net, const network_format *to, const char *word, error_info *err) {
    AUTO(text_buffer_clear) text_buffer names = {0};
    if (to->is_of_tables == (net->tables != NULL))
        return STATUS_OK;
    append_names(&names, "", ", ", " and ", net);
    return error_set(err, STATUS_INVALID, "%s is a %s: %s are possible", word,
                     net->tables ? "network of tables" : "linear-Gaussian network", names.data);
}

static void say_lines(const cli *c, const char *lines) {
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        cli_say(c, "%.*s", (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}

/* What the format cannot hold, a line each. */
static status say_loss(const cli *c, const network_format *to, const any_network *net, error_info *err) {
    AUTO(text_buffer_clear) text_buffer loss = {0};
    if (to->append_loss)
        to->append_loss(net, &loss);
    CHECK(text_buffer_check(&loss, err));
    say_lines(c, loss.length ? loss.data : "");
    return STATUS_OK;
}

static status append_network(cli *c, const network_format *to, text_buffer *text, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    CHECK(input_any_network(c, c->args->words[0], &net, err));
    CHECK(cli_blame(c, BLAME_WORDS, check_kind(&net, to, c->args->words[0], err)));
    to->append(&net, text);
    return say_loss(c, to, &net, err);
}

typedef struct {
    char **names;
    size_t n;
} name_list;

static void name_list_clear(name_list *l) {
    texts_destroy(l->names, l->n);
}

static status take_name(void *self, const char *part, error_info *err) {
    name_list *l = self;
    return texts_add(&l->names, &l->n, part, err);
}

static status read_graph(cli *c, named_graph *g, error_info *err) {
    const char *from = args_value(c->args, "from"), *list = args_value(c->args, "names");
    const network_format *format = from ? network_format_find(from) : NULL;
    AUTO(name_list_clear) name_list l = {0};
    if (from && (!format || !format->parse_graph))
        return cli_refuse(c, err, "--from is '%s', which is no form of graphs that are read", from);
    if (list)
        CHECK(cli_blame(c, BLAME_WORDS, input_list(list, take_name, &l, err)));
    if (!from)
        CHECK(input_graph_read(c, c->args->words[0], g, err));
    else
        CHECK(cli_blame(c, BLAME_INPUT, graph_file_read(c->args->words[0], format, NULL, 0, g, err)));
    if (list && !g->is_unnamed)
        return cli_refuse(c, err, "--names is for a graph without names, and %s has them", c->args->words[0]);
    return list ? cli_blame(c, BLAME_WORDS, named_graph_name(g, (const char *const *)l.names, l.n, err)) : STATUS_OK;
}

static status append_graph(cli *c, const network_format *to, text_buffer *text, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    AUTO(text_buffer_clear) text_buffer losses = {0};
    CHECK(read_graph(c, &g, err));
    CHECK(cli_blame(c, BLAME_WORDS, graph_format_append(to, &g, text, &losses, err)));
    say_lines(c, losses.length ? losses.data : "");
    return STATUS_OK;
}

static status read_words(cli *c, const network_format **to, error_info *err) {
    const network_format *from;
    const char *const *words = c->args->words;
    CHECK(find_format(args_value(c->args, "to"), words[1], to, err));
    from = network_format_of_path(words[0]);
    if ((*to)->append && from && !from->append)
        return error_set(err, STATUS_INVALID,
                         "%s is a graph, and %s needs its numbers too (bnbench fit); only forms of graphs are possible",
                         words[0], (*to)->title);
    if (c->json && strcmp(words[1], "-") == 0)
        return error_set(err, STATUS_INVALID, "--json and '-' would both write to standard output; name a file");
    return STATUS_OK;
}

/* ---- data ---- */

/* A CSV may be data or a graph: what is data for certain on either side says that it is data. */
static bool is_of_data(const char *const *words) {
    for (size_t i = 0; i < 2; i++) {
        data_form form = data_form_of_path(words[i]);
        if (form != DATA_FORM_NONE && form != DATA_FORM_CSV)
            return true;
    }
    return false;
}

static status check_data_words(const cli *c, error_info *err) {
    const char *to = c->args->words[1];
    if (args_has(c->args, "to"))
        return error_set(err, STATUS_INVALID, "--to is for networks and graphs; for data the ending of OUT says it");
    if (data_form_of_path(to) == DATA_FORM_NONE)
        return error_set(
            err, STATUS_INVALID,
            "the form of '%s' is not clear; for data, end it in .csv, .tsv, .arff or .bnd (and .gz or .zst)", to);
    return STATUS_OK;
}

static status convert_data(cli *c, error_info *err) {
    const char *const *words = c->args->words;
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    CHECK(cli_blame(c, BLAME_WORDS, check_data_words(c, err)));
    CHECK(input_data(c, words[0], NULL, &data, err));
    CHECK(cli_blame(c, BLAME_OUTPUT, dataset_write(data, words[1], err)));
    if (c->json)
        c->answer = json_object_of({"from", json_of_text(words[0])}, {"file", json_of_text(words[1])},
                                   {"to", json_of_text(data_form_ending(data_form_of_path(words[1])) + 1)});
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    const char *const *words = c->args->words;
    AUTO(text_buffer_clear) text_buffer text = {0};
    const network_format *to = NULL;

    if (is_of_data(words))
        return convert_data(c, err);
    CHECK(cli_blame(c, BLAME_WORDS, read_words(c, &to, err)));
    CHECK(to->append ? append_network(c, to, &text, err) : append_graph(c, to, &text, err));
    CHECK(cli_write(c, words[1], &text, err));
    if (c->json)
        c->answer = json_object_of({"from", json_of_text(words[0])}, {"file", json_of_text(words[1])},
                                   {"to", json_of_text(to->name)});
    return STATUS_OK;
}

const command command_convert = {
    .run = run,
    .syntax = {.name = "convert",
               .words = "IN OUT",
               .summary = "write a network, a graph or data in another form",
               .details = "IN is a network (name, or a file), a graph or data; OUT is named by its ending (and .gz to "
                          "compress it), or is\n"
                          "'-' with --to. Networks of tables: bif, xmlbif (also .bifxml, .xml), net (Hugin), xdsl "
                          "(GeNIe), dsc (MSBN),\n"
                          "dne (Netica), uai. Linear-Gaussian networks: json, pgmpy (.pgmpy.json). Graphs, also of a "
                          "network: csv, dot,\n"
                          "adjacency (0/1), gadjid (0/1/2), pcalg (amat.cpdag), modelstring (bnlearn), tetrad, npy, "
                          "mtx, graphml, gml,\n"
                          "mermaid (written alone). Where IN or OUT ends in .tsv, .arff or .bnd (packed columns), they "
                          "are data, in\n"
                          "the form that each name says.\n"
                          "What a format cannot hold, or holds under another name, is said on standard error.",
               .examples = "  bnbench convert alarm alarm.bif.gz\n"
                           "  bnbench convert alarm alarm.csv\n"
                           "  bnbench convert alarm.csv alarm.dot\n"
                           "  bnbench convert asia - --to csv\n"
                           "  bnbench convert asia asia.gadjid\n"
                           "  bnbench sample asia -n 100 -o data.csv\n"
                           "  bnbench convert data.csv data.bnd",
               .least_words = 2,
               .most_words = 2,
               .options = options},
};
