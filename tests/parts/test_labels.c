/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names beside points: whatever the points, no name covers another or a mark, and none leaves the frame. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "parts/plots/labels.h"

#include <math.h>
#include <string.h>

enum { MOST = 30 };

static double common(double a_low, double a_high, double b_low, double b_high) {
    return fmin(a_high, b_high) - fmax(a_low, b_low);
}

static bool do_overlap(const label_box *a, const label_box *b) {
    return common(a->left, a->right, b->left, b->right) > 1e-9 && common(a->low, a->high, b->low, b->high) > 1e-9;
}

/* In a frame of which `crowd` tells how small a corner holds the points. */
static void make_tags(random_stream *random, label_tag *tags, size_t n, double width, double height, double crowd) {
    memset(tags, 0, MOST * sizeof *tags);
    for (size_t i = 0; i < n; i++) {
        bool is_lone = i == 0; /* one that is a thousand times slower, say */
        tags[i].x = width * (0.05 + 0.9 * (is_lone ? 1 : crowd * random_uniform(random)));
        tags[i].y = height * (0.08 + 0.84 * (is_lone ? 0.5 : crowd * random_uniform(random)));
        tags[i].width = 20 + 100 * random_uniform(random);
        tags[i].height = 15;
    }
}

static void assert_apart(const label_tag *tags, size_t n, double width, double height) {
    for (size_t i = 0; i < n; i++) {
        const label_box *a = &tags[i].place;
        assert_true(a->left >= 0 && a->right <= width && a->low >= 0 && a->high <= height);
        assert_close(a->right - a->left, tags[i].width, 1e-9);
        for (size_t k = 0; k < n; k++) {
            label_box mark = {tags[k].x - LABEL_MARK, tags[k].x + LABEL_MARK, tags[k].y - LABEL_MARK,
                              tags[k].y + LABEL_MARK};
            assert_false(k != i && do_overlap(a, &tags[k].place));
            assert_false(do_overlap(a, &mark));
        }
    }
}

static void no_name_covers_another_or_a_mark(void **state) {
    static const struct {
        size_t n;
        double width, height;
    } frames[] = {{1, 280, 250}, {2, 280, 250}, {6, 280, 250}, {10, 420, 260}, {15, 870, 310}, {MOST, 870, 500}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(1));
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        for (int trial = 0; trial < 12; trial++) {
            label_tag tags[MOST];
            make_tags(&random, tags, frames[f].n, frames[f].width, frames[f].height, trial % 3 == 0 ? 0.2 : 1);
            labels_place(tags, frames[f].n, NULL, 0, frames[f].width, frames[f].height);
            assert_apart(tags, frames[f].n, frames[f].width, frames[f].height);
        }
    }
}

static void the_same_points_have_the_same_places(void **state) {
    random_stream random;
    label_tag first[MOST], second[MOST];
    (void)state;
    random_stream_init(&random, random_key_of(2));
    make_tags(&random, first, 15, 600, 300, 0.5);
    memcpy(second, first, sizeof first);
    labels_place(first, 15, NULL, 0, 600, 300);
    labels_place(second, 15, NULL, 0, 600, 300);
    for (size_t i = 0; i < 15; i++)
        assert_memory_equal(&first[i].place, &second[i].place, sizeof first[i].place);
}

/* Five learners of the same figures. */
static void names_of_points_that_coincide_stand_apart(void **state) {
    label_tag tags[5];
    (void)state;
    for (size_t i = 0; i < 5; i++)
        tags[i] = (label_tag){.x = 100, .y = 100, .width = 60, .height = 15};
    labels_place(tags, 5, NULL, 0, 300, 250);
    assert_apart(tags, 5, 300, 250);
}

static void a_name_stands_beside_its_point_where_nothing_is_in_the_way(void **state) {
    label_tag tag = {.x = 100, .y = 100, .width = 60, .height = 15};
    label_box right = {106, 200, 95, 105};
    (void)state;
    labels_place(&tag, 1, NULL, 0, 300, 250);
    assert_false(tag.has_line);
    assert_true(tag.place.left > 100 && tag.place.left < 120);
    labels_place(&tag, 1, &right, 1, 300, 250); /* a line there drives it away */
    assert_false(do_overlap(&tag.place, &right));
    assert_false(tag.has_line);
}

static void a_name_that_stands_off_has_a_line_to_its_point(void **state) {
    label_tag tags[9];
    size_t n_lines = 0;
    (void)state;
    for (size_t i = 0; i < 9; i++)
        tags[i] = (label_tag){.x = 100 + (double)(i % 3), .y = 100 + (double)(i / 3), .width = 90, .height = 15};
    labels_place(tags, 9, NULL, 0, 400, 300);
    assert_apart(tags, 9, 400, 300);
    for (size_t i = 0; i < 9; i++) {
        const label_tag *t = &tags[i];
        n_lines += t->has_line;
        assert_true(t->line_x >= t->place.left && t->line_x <= t->place.right);
        assert_true(t->line_y >= t->place.low && t->line_y <= t->place.high);
        assert_true(t->has_line == (hypot(t->line_x - t->x, t->line_y - t->y) > 16));
    }
    assert_that(n_lines, >, 0);
}

static void a_width_counts_letters_not_bytes(void **state) {
    (void)state;
    assert_true(label_width("", 10) == 0);
    assert_true(label_width("mm", 10) > label_width("il", 10));
    assert_close(label_width("\xc3\xa4\xc3\xb6", 10), 20, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_name_covers_another_or_a_mark),
        cmocka_unit_test(the_same_points_have_the_same_places),
        cmocka_unit_test(names_of_points_that_coincide_stand_apart),
        cmocka_unit_test(a_name_stands_beside_its_point_where_nothing_is_in_the_way),
        cmocka_unit_test(a_name_that_stands_off_has_a_line_to_its_point),
        cmocka_unit_test(a_width_counts_letters_not_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
