/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds by which continuous data were made discrete. */
#include "parts/base/part_output.h"
#include "parts/figures/policies.h"
#include "parts/tables/table.h"

#include <stddef.h>

/** Strings and arrays are owned; NULL where not declared. */
typedef struct {
    policy_choice choice;
    char *id, *title;
} policies_table_spec;

static const option_spec options[] = {
    PART_HEAD_ROWS(policies_table_spec, "Discretization policies"),
    TABLE_CHOICE_ROWS(policy_choice),
    PART_LIST_ROW(OPT_LINES, "variables", policy_choice, variables, .usual = "all",
                  .help = "columns: these alone, in this order"),
    {0},
};

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    const policies_table_spec *spec = p->options;
    AUTO(policy_list_clear) policy_list l = {0};
    AUTO(document_clear) document d = {0};
    AUTO(text_buffer_clear) text_buffer csv = {0};
    error_info why = {0};
    status answer = policy_list_create(c->outputs, &spec->choice, c->records, c->n_records, &l, &why);
    if (answer != STATUS_OK)
        return part_judge(out, spec->id, answer, &why, err);
    if (l.n == 0)
        return part_note(out, spec->id, "no policies: no result that was discretized", err);
    CHECK(
        policy_list_append_document(&l, &spec->choice, spec->title ? spec->title : "Discretization policies", &d, err));
    CHECK(part_show(out, ROOM_TABLES, &d, err));
    policy_list_append_csv(&l, &spec->choice, &csv);
    return part_write_table(out, spec->id, &csv, err);
}

const part_kind part_policies_table = {
    .group = PART_TABLE,
    .name = "policies",
    .summary = "thresholds by which continuous data were made discrete: those of each first replicate, all in the CSV",
    .options_size = sizeof(policies_table_spec),
    .options = options,
    .needs = PART_NEEDS_TEXTS,
    .make = make,
};
