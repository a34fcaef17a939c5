/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/data_form.h"

#include "core/base/file.h"

static const char *const endings[] = {".csv", ".tsv", ".arff", ".bnd"};

data_form data_form_of_path(const char *path) {
    for (data_form form = DATA_FORM_CSV; form < DATA_FORM_NONE; form++) {
        if (path_ends_with_packed(path, endings[form]))
            return form;
    }
    return DATA_FORM_NONE;
}

const char *data_form_ending(data_form form) {
    return endings[form < DATA_FORM_NONE ? form : DATA_FORM_CSV];
}
