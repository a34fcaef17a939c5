/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The data sets that bnbench knows by name: facts about them, no data. */
#ifndef BNB_GENERATORS_CATALOGUE_DATASET_CATALOGUE_H
#define BNB_GENERATORS_CATALOGUE_DATASET_CATALOGUE_H

#include "generators/catalogue/dataset_facts.h"

/** How the file at the public address is written. */
typedef enum {
    SOURCE_FORM_CSV,       /* rows of fields with commas, no header */
    SOURCE_FORM_NAMED_CSV, /* with a header, which names the columns as the catalogue does */
    SOURCE_FORM_WORDS,     /* fields with blanks between them; lines that start with '%' are remarks */
    SOURCE_FORM_ARFF       /* of Weka: rows behind a line "@data" */
} source_form;

typedef struct {
    const char *name;
    size_t field; /* in a row of the source, from 0; SOURCE_FORM_NAMED_CSV goes by the name */
    size_t n_distinct;
    bool is_discrete;
} dataset_column;

typedef struct {
    const char *name;
    const char *summary;
    size_t n_columns;
    const dataset_column *columns; /* NULL where the data are not to be had: `facts` are as published */
    dataset_facts facts;
    const char *url;  /* of the source; NULL where no public address is known */
    const char *page; /* without `url`: the public record that holds the data in files unknown to us; NULL: none */
    source_form form;
    size_t n_fields;        /* of a row of the source */
    size_t n_left_out;      /* rows at the beginning that are not taken */
    const char *header_end; /* the first row is a header where its last field is this; NULL: there is none */
    const char *csv_sha256; /* of the CSV text that the source becomes */
    const char *licence, *citation;
    const char *note; /* what was done with it; NULL where nothing was */
} dataset_entry;

size_t dataset_catalogue_count(void);
const dataset_entry *dataset_catalogue_at(size_t i);
const dataset_entry *dataset_catalogue_find(const char *name); /* NULL where there is none */

/** The name nearest to one that was typed, or NULL. Static text. */
const char *dataset_catalogue_nearest(const char *name);

/** What the catalogue says of it, without its file. */
dataset_facts dataset_entry_facts(const dataset_entry *entry);

/** STATUS_INVALID where the data differ in rows, columns, kinds or numbers of distinct values: the first that does. */
BNB_MUST_CHECK status dataset_entry_check(const dataset_entry *entry, const dataset *data, error_info *err);

#endif
