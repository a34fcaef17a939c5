/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report is made of: a kind of table, test or plot with its keys, or all keys of a group. */
#include "cli/info/info.h"

#include "parts/keys.h"

#include <string.h>

static const part_kind *find_kind(const char *word) {
    const part_kind *kind = NULL;
    for (part_group g = PART_TABLE; g < PART_GROUP_COUNT && !kind; g++)
        kind = part_find(g, word);
    return kind;
}

static bool find_group(const char *word, part_group *out) {
    for (*out = PART_TABLE; *out < PART_GROUP_COUNT; ++*out) {
        if (strcmp(part_group_at(*out)->key, word) == 0)
            return true;
    }
    return false;
}

bool info_knows_part(const char *word) {
    part_group group;
    return find_kind(word) || find_group(word, &group);
}

static json_t *text_of(const option_spec *spec, void (*append)(const option_spec *spec, text_buffer *out)) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    append(spec, &text);
    return json_of_buffer(&text);
}

static status put_keys(json_t *array, const char *outer, const option_spec *spec, error_info *err) {
    for (; spec && spec->kind != OPT_END; spec++) {
        json_t *key = json_object();
        CHECK(json_add(array, key, err));
        CHECK(json_put_all(key, err, {"name", json_of_text(spec->name)},
                           {"value", text_of(spec, part_key_append_value)},
                           {"default", text_of(spec, part_key_append_usual)},
                           {"required", json_boolean(spec->is_required)}, {"help", json_of_text(spec->help)}));
        if (outer)
            CHECK(json_put(key, "in", json_of_text(outer), err));
        CHECK(put_keys(array, spec->name, spec->inner, err));
    }
    return STATUS_OK;
}

static status answer(cli *c, const part_kind *kind, error_info *err) {
    json_t *keys = json_array();
    CHECK(json_put_all(c->answer = json_object(), err, {"keys", keys}, {"kind", json_of_text("part")},
                       {"name", json_of_text(kind->name)}, {"group", json_of_text(part_group_at(kind->group)->key)},
                       {"summary", json_of_text(kind->summary)}));
    return put_keys(keys, NULL, kind->options, err);
}

static void print_keys(text_buffer *out, const char *outer, const option_spec *spec) {
    for (; spec && spec->kind != OPT_END; spec++) {
        text_append_format(out, "  %s%s%-*s ", outer, *outer ? "." : "", *outer ? 1 : 18, spec->name);
        part_key_append_usual(spec, out);
        text_append(out, " (");
        part_key_append_value(spec, out);
        text_append_format(out, "): %s\n", spec->help);
        print_keys(out, spec->name, spec->inner);
    }
}

status info_part(cli *c, const char *word, error_info *err) {
    const part_kind *kind = find_kind(word);
    part_group group;
    if (!kind)
        return find_group(word, &group)
                   ? part_append_keys(group, &c->out, err)
                   : cli_blame(c, BLAME_WORDS, error_set(err, STATUS_INVALID, "no kind of part is called '%s'", word));
    if (c->json)
        return answer(c, kind, err);
    text_append_format(
        &c->out, "part         %s\nsummary      %s\ndeclared     %s: [{%s: %s, KEY: VALUE, ...}]\nkeys\n", kind->name,
        kind->summary, part_group_at(kind->group)->key, part_group_at(kind->group)->selector, kind->name);
    print_keys(&c->out, "", kind->options);
    return STATUS_OK;
}
