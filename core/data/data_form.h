/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The forms of data in files, by the endings of their names. */
#ifndef BNB_CORE_DATA_DATA_FORM_H
#define BNB_CORE_DATA_DATA_FORM_H

typedef enum {
    DATA_FORM_CSV,
    DATA_FORM_TSV,    /* with tabs for commas */
    DATA_FORM_ARFF,   /* core/data/dataset_arff.h */
    DATA_FORM_PACKED, /* core/data/dataset_packed.h */
    DATA_FORM_NONE    /* no such ending */
} data_form;

/** By its ending, packed or not: .csv, .tsv, .arff or .bnd, and .gz or .zst. */
data_form data_form_of_path(const char *path);

/** ".csv", ...; that of CSV where there is none. */
const char *data_form_ending(data_form form);

#endif
