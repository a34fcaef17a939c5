/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/strata.h"

#include "core/base/array.h"
#include "core/counting/counts_sparse_internal.h"

#include <stdlib.h>
#include <string.h>

void strata_clear(strata_reader *s) {
    free(s->extra);
    free(s->first);
    free(s->extra_margin);
    free(s->first_margin);
    free(s->seen);
    free(s->spare);
    free(s->place);
    *s = (strata_reader){0};
}

static status reserve_cells(strata_reader *s, size_t n, error_info *err) {
    if (s->capacity >= n)
        return STATUS_OK;
    strata_clear(s);
    n += n / 2;
    CHECK(array_resize(&s->extra, n, sizeof *s->extra, err));
    CHECK(array_resize(&s->first, n, sizeof *s->first, err));
    CHECK(array_resize(&s->extra_margin, n, sizeof *s->extra_margin, err));
    CHECK(array_resize(&s->first_margin, n, sizeof *s->first_margin, err));
    CHECK(array_resize(&s->seen, n, sizeof *s->seen, err));
    CHECK(array_resize(&s->spare, n, sizeof *s->spare, err));
    s->capacity = n;
    return STATUS_OK;
}

status strata_start(strata_reader *s, const counts_table *table, error_info *err) {
    CHECK(reserve_cells(s, table->n_cells, err));
    if (s->n_places < table->r_first) {
        free(s->place);
        s->n_places = 0;
        CHECK_ALLOC(s->place = calloc(table->r_first, sizeof *s->place));
        s->n_places = table->r_first;
    }
    s->table = table;
    s->at = 0;
    return STATUS_OK;
}

/* The cells up to the end of the stratum: places of the extra states and the margins, of the first column the states
 * themselves. */
static void read_cells(strata_reader *s) {
    const counts_table *t = s->table;
    uint64_t size = (uint64_t)t->r_first * t->r_extra, start = t->codes[s->at] / size * size;
    uint32_t r_first = (uint32_t)t->r_first, last = UINT32_MAX;
    s->tallies = t->tallies + s->at;
    s->n_rows = s->n_cells = s->n_extra = s->n_first = 0;
    for (; s->at < t->n_cells && t->codes[s->at] - start < size; s->at++) {
        uint32_t local = (uint32_t)(t->codes[s->at] - start), tally = t->tallies[s->at], e = local / r_first;
        uint32_t f = local - e * r_first;
        if (e != last)
            s->extra_margin[s->n_extra++] = 0;
        last = e;
        s->extra_margin[s->n_extra - 1] += tally;
        s->extra[s->n_cells] = (uint32_t)s->n_extra - 1;
        s->first[s->n_cells++] = f;
        if (s->place[f] == 0)
            s->seen[s->n_first++] = f;
        s->place[f] = 1;
        s->n_rows += tally;
    }
}

bool strata_next(strata_reader *s) {
    if (s->at >= s->table->n_cells)
        return false;
    read_cells(s);
    sort_values(s->seen, s->n_first, s->table->r_first, s->spare);
    for (size_t i = 0; i < s->n_first; i++) {
        s->place[s->seen[i]] = (uint32_t)i;
        s->first_margin[i] = 0;
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        s->first[i] = s->place[s->first[i]];
        s->first_margin[s->first[i]] += s->tallies[i];
    }
    for (size_t i = 0; i < s->n_first; i++)
        s->place[s->seen[i]] = 0;
    return true;
}
