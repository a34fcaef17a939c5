/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test for machines: CSV and JSON, as far as the kinds share them. */
#include "parts/tests/significance_internal.h"

#include <math.h>
#include <stdlib.h>

const char *significance_id(const significance *s) {
    return s->spec->id ? s->spec->id : s->spec->metric;
}

/* ",1.5", or "," where there is no number. */
void significance_append_number(text_buffer *out, double value) {
    char number[32];
    text_append(out, ",");
    if (isfinite(value))
        text_append(out, text_from_double(value, number));
    else if (isinf(value))
        text_append(out, value > 0 ? "Inf" : "-Inf");
}

void significance_append_csv(const significance *s, text_buffer *out) {
    s->method->append_csv(s, out);
}

const char *significance_score_place(const significance *s, size_t row) {
    return s->is_by_place ? s->places[row] : "all";
}

void significance_append_scores_csv(const significance *s, text_buffer *out) {
    text_append(out, "test,network,learner,score,published\n");
    for (size_t i = 0; i < s->n_score_rows * s->n_learners; i++) {
        text_append_csv_label(out, significance_id(s));
        text_append(out, ",");
        text_append_csv_label(out, significance_score_place(s, i / s->n_learners));
        text_append(out, ",");
        text_append_csv_label(out, s->learners[i % s->n_learners]);
        significance_append_number(out, s->has_score[i] ? (double)s->scores[i] : NAN);
        significance_append_number(out, s->published_scores[i]);
        text_append(out, "\n");
    }
}

json_t *json_of_figure(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_word(const char *text) {
    return text && *text ? json_string(text) : json_null();
}

json_t *json_of_list(const significance *s, size_t n, json_t *(*object)(const significance *s, size_t i)) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < n; i++)
        (void)json_array_append_new(list, object(s, i));
    return list;
}

static json_t *whole(const significance *s) {
    const test_spec *spec = s->spec;
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:I}", "id", significance_id(s), "title", s->title, "test",
                          s->method->name, "metric", spec->metric, "alpha", spec->alpha, "published",
                          (json_int_t)s->n_published, "agree", (json_int_t)s->n_agreed);
    if (o)
        s->method->add_json(s, o);
    return o;
}

status significance_append_json(const significance *s, text_buffer *out, error_info *err) {
    json_t *o = whole(s);
    AUTO_FREE char *text = o ? json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(o);
    if (!text) /* names are UTF-8: the reader of declarations sees to it */
        return error_out_of_memory(err);
    text_append(out, text);
    text_append(out, "\n");
    return STATUS_OK;
}
