/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a data set: its own figures where it is here, the catalogue's where it is not. */
#include "cli/base/inputs.h"
#include "cli/info/info.h"

#include "core/base/file.h"
#include "core/data/dataset_file.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "generators/catalogue/dataset_locate.h"

#include <stdlib.h>

typedef struct {
    const char *name;
    const dataset_entry *entry; /* NULL for one that the catalogue does not know */
    dataset_facts facts;
    char *path; /* NULL where it is not on this computer */
} known_data;

static void known_data_clear(known_data *d) {
    free(d->path);
}

bool info_knows_dataset(const char *word) {
    return dataset_catalogue_find(word) || data_form_of_path(word) != DATA_FORM_NONE || input_data_is_here(word);
}

static status answer(cli *c, const known_data *d, error_info *err) {
    const dataset_entry *e = d->entry;
    const dataset_facts *f = &d->facts;
    json_t *o = c->answer = json_object(), *distinct;
    CHECK(json_put_all(o, err, {"kind", json_of_text("dataset")}, {"name", json_of_text(d->name)},
                       {"rows", json_of_size(f->rows)}, {"discrete", json_of_size(f->discrete)},
                       {"continuous", json_of_size(f->continuous)}, {"distinct", distinct = json_object()}));
    CHECK(json_put_all(distinct, err, {"min", json_of_size(f->distinct_min)}, {"max", json_of_size(f->distinct_max)},
                       {"mean", json_of_double(f->distinct_mean)}));
    return json_put_all(o, err, {"available", json_boolean(d->path != NULL)}, {"path", json_of_text(d->path)},
                        {"url", json_of_text(e ? e->url : NULL)}, {"page", json_of_text(e ? e->page : NULL)},
                        {"licence", json_of_text(e ? e->licence : NULL)},
                        {"citation", json_of_text(e ? e->citation : NULL)}, {"note", json_of_text(e ? e->note : NULL)});
}

static void print_source(text_buffer *out, const dataset_entry *e) {
    text_append_format(out, "source       %s\n", e->url ? e->url : e->page ? e->page : "no public address is known");
    if (e->licence)
        text_append_format(out, "licence      %s\n", e->licence);
    text_append_format(out, "citation     %s\n", e->citation);
    if (e->note)
        text_append_format(out, "note         %s\n", e->note);
}

static void print(cli *c, const known_data *d) {
    const dataset_facts *f = &d->facts;
    text_buffer *out = &c->out;
    text_append_format(out, "data set     %s\n", d->name);
    if (d->entry)
        text_append_format(out, "what         %s\n", d->entry->summary);
    text_append_format(out, "rows         %zu\ncolumns      %zu discrete, %zu continuous\n", f->rows, f->discrete,
                       f->continuous);
    if (f->distinct_max > 0)
        text_append_format(out, "distinct     %zu to %zu values of a continuous column, %.2f on average\n",
                           f->distinct_min, f->distinct_max, f->distinct_mean);
    if (d->path)
        text_append_format(out, "file         %s\n", d->path);
    if (d->entry)
        print_source(out, d->entry);
    if (d->path)
        return;
    text_append(out, "not on this computer: the figures are the catalogue's\n");
    if (d->entry && d->entry->url)
        text_append_format(out, "'bnbench datasets fetch %s' downloads it\n", d->name);
}

static status read_facts(const char *word, known_data *d, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    status st = STATUS_OK;
    CHECK(dataset_locate(word, ".csv", &d->path, err));
    st = dataset_read(d->path, NULL, &data, NULL, err);
    if (st != STATUS_OK)
        error_context(err, "%.300s", d->path);
    CHECK(st);
    return dataset_measure(data, &d->facts, err);
}

status info_dataset(cli *c, const char *word, error_info *err) {
    AUTO(known_data_clear) known_data d = {.name = word, .entry = dataset_catalogue_find(word)};
    if (d.entry && !input_data_is_here(word))
        d.facts = dataset_entry_facts(d.entry);
    else
        CHECK(cli_blame(c, BLAME_INPUT, read_facts(word, &d, err)));
    if (c->json)
        return answer(c, &d, err);
    print(c, &d);
    return STATUS_OK;
}
