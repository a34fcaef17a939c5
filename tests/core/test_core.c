/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smaller nouns: random streams, options, the tuple cache, the dataset. */
#include "tests/support/support.h"

#include "core/base/options.h"
#include "core/counting/tuple_cache.h"
#include "core/run/parallel.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

static void a_stream_depends_on_every_word_of_its_purpose(void **state) {
    random_key key = random_key_text(random_key_of(1), "data");
    random_stream a, b;
    (void)state;
    random_stream_init(&a, random_key_number(key, 1));
    random_stream_init(&b, random_key_number(key, 1));
    for (int i = 0; i < 100; i++)
        assert_true(random_next(&a) == random_next(&b));
    random_stream_init(&b, random_key_number(key, 2));
    assert_true(random_next(&a) != random_next(&b));
    assert_true(random_key_text(random_key_of(1), "ab").hash != random_key_text(random_key_of(1), "ba").hash);
}

static void draws_below_n_are_uniform(void **state) {
    enum { N = 7, DRAWS = 70000 };
    size_t seen[N] = {0};
    double chi_square = 0;
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(2));
    for (int i = 0; i < DRAWS; i++)
        seen[random_below(&random, N)]++;
    for (int k = 0; k < N; k++)
        chi_square += ((double)seen[k] - DRAWS / N) * ((double)seen[k] - DRAWS / N) / (DRAWS / N);
    assert_true(gsl_cdf_chisq_Q(chi_square, N - 1) > 1e-4);
}

static void a_permutation_holds_every_number_once(void **state) {
    size_t order[100];
    bool seen[100] = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    random_permutation(&random, order, 100);
    for (size_t i = 0; i < 100; i++) {
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

static void gsl_draws_from_our_stream(void **state) {
    random_stream random;
    random_gsl gsl;
    double sum = 0;
    (void)state;
    random_stream_init(&random, random_key_of(4));
    for (int i = 0; i < 20000; i++)
        sum += gsl_ran_gaussian_ziggurat(random_as_gsl(&random, &gsl), 1);
    assert_true(fabs(sum / 20000) < 0.05);
}

typedef struct {
    int k, df;
    double alpha;
    bool opt;
} some_options;

static const option_spec specs[] = {
    {OPT_INT, "k", offsetof(some_options, k), 5, 1, 10, "how many", NULL},
    {OPT_REAL, "alpha", offsetof(some_options, alpha), 0.05, 0, 1, "level", NULL},
    {OPT_BOOL, "opt", offsetof(some_options, opt), 1, 0, 0, "whether", NULL},
    {OPT_CHOICE, "df", offsetof(some_options, df), 1, 0, 0, "which", "full|adj|steck"},
    {0},
};

static void options_are_set_from_text_or_refused_with_a_reason(void **state) {
    static const struct {
        const char *pair, *message;
    } bad[] = {
        {"k=0", "k is 0; it must lie in [1, 10]"},
        {"k=2.5", "k is '2.5'; it must be a whole number"},
        {"alpha=x", "alpha is 'x'; it must be a number"},
        {"alpha=nan", "alpha is 'nan'; it must be a number"},
        {"df=ad", "df is 'ad'; it must be one of full|adj|steck"},
        {"alhpa=1", "did you mean 'alpha'?"},
        {"opt=maybe", "it must be true or false"},
        {"k", "write name=value"},
    };
    some_options o = {0}, unchanged;
    error_info err = {0};
    (void)state;
    options_set_initial(specs, &o);
    assert_int_equal(o.k, 5);
    assert_that(o.alpha, ==, 0.05);
    assert_true(o.opt);
    assert_int_equal(o.df, 1);
    assert_ok(options_set_pair(specs, &o, "df=steck", &err), &err);
    assert_ok(options_set_pair(specs, &o, "opt=false", &err), &err);
    assert_ok(options_set_pair(specs, &o, "alpha=0.01", &err), &err);
    assert_int_equal(o.df, 2);
    assert_false(o.opt);
    assert_that(o.alpha, ==, 0.01);
    unchanged = o;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(options_set_pair(specs, &o, bad[i].pair, &err), STATUS_INVALID);
        assert_message_has(&err, bad[i].message);
        assert_memory_equal(&o, &unchanged, sizeof o);
    }
}

/* --- a thing that is chosen, with options of its own --- */

typedef struct {
    const char *name;
    const char *const *aliases;
    const option_spec *options;
    size_t options_size;
} thing;

typedef struct {
    double width;
    int turns;
} wheel_options;

static const option_spec wheel_rows[] = {
    {OPT_REAL, "width", offsetof(wheel_options, width), 2, 0, 9, "how wide", NULL, true},
    {OPT_INT, "turns", offsetof(wheel_options, turns), 3, 0, 9, "how often", NULL},
    {0},
};

typedef struct {
    bool bright;
    double level;
} lamp_options;

static const option_spec lamp_rows[] = {
    {OPT_BOOL, "bright", offsetof(lamp_options, bright), 0, 0, 0, "whether", NULL},
    {OPT_REAL, "level", offsetof(lamp_options, level), 0.5, 0, 1, "how bright", NULL},
    {0},
};

static const thing wheel = {"wheel", NULL, wheel_rows, sizeof(wheel_options)},
                   tyre = {"tyre", NULL, wheel_rows, sizeof(wheel_options)},
                   lamp = {"lamp", (const char *const[]){"light", NULL}, lamp_rows, sizeof(lamp_options)};
static const void *const things[] = {&wheel, &tyre, &lamp};
static const registry thing_registry = REGISTRY_OF("thing", things, thing);

typedef struct {
    option_choice part;
    double level;
} holder;

static const option_spec holder_rows[] = {
    {.kind = OPT_CHOSEN, .name = "part", .offset = offsetof(holder, part), .help = "which", .of = &thing_registry},
    {OPT_REAL, "level", offsetof(holder, level), 0.1, 0, 1, "level of all", NULL},
    {0},
};

static void check_walk(const void *options, const char *expected) {
    text_buffer b = {0};
    for (option_walk w = options_walk(holder_rows, options); options_next(&w);) {
        text_append_format(&b, "%s=", w.name);
        options_append_value(&w.spec, options, &b);
        text_append(&b, " ");
    }
    assert_string_equal(b.data, expected);
    text_buffer_clear(&b);
}

static void a_walk_tells_which_options_are_as_they_began(void **state) {
    holder h;
    error_info err = {0};
    option_walk w;
    (void)state;
    options_set_initial(holder_rows, &h);
    assert_ok(options_set(holder_rows, &h, "level", "0.2", &err), &err);
    w = options_walk(holder_rows, &h);
    assert_true(options_next(&w)); /* part */
    assert_true(options_next(&w));
    assert_string_equal(w.name, "width");
    assert_true(option_walk_is_initial(&w));
    assert_true(options_next(&w));
    assert_string_equal(w.name, "level");
    assert_false(option_walk_is_initial(&w));
    assert_ok(options_set(holder_rows, &h, "level", "0.1", &err), &err);
    assert_true(option_walk_is_initial(&w));
}

static void options_of_what_is_chosen_compose(void **state) {
    holder h, copy;
    const lamp_options *of_lamp;
    error_info err = {0};
    (void)state;
    options_set_initial(holder_rows, &h);
    check_walk(&h, "part=wheel width=2 level=0.1 ");
    assert_ok(options_set(holder_rows, &h, "turns", "3", &err), &err); /* as it was */
    check_walk(&h, "part=wheel width=2 level=0.1 ");
    assert_ok(options_set(holder_rows, &h, "part.turns", "7", &err), &err);
    check_walk(&h, "part=wheel width=2 part.turns=7 level=0.1 ");
    assert_ok(options_set(holder_rows, &h, "part", "tyre", &err), &err); /* of the same table: the same options */
    check_walk(&h, "part=tyre width=2 part.turns=7 level=0.1 ");
    assert_ok(options_set(holder_rows, &h, "part", "light", &err), &err);
    assert_ok(options_set(holder_rows, &h, "bright", "yes", &err), &err);
    assert_ok(options_set(holder_rows, &h, "part.level", "0.7", &err), &err); /* the table's own stands for it */
    assert_ok(options_set(holder_rows, &h, "width", "4", &err), &err);        /* common: whatever is chosen */
    copy = h;
    check_walk(&copy, "part=lamp width=4 part.bright=true level=0.7 ");
    assert_ptr_equal(option_chosen(&thing_registry, &copy.part), &lamp);
    of_lamp = option_chosen_options(&thing_registry, &copy.part);
    assert_true(of_lamp->bright && of_lamp->level == 0.5);
    options_take(lamp_rows, option_chosen_options(&thing_registry, &copy.part), holder_rows, &copy);
    assert_true(of_lamp->bright && of_lamp->level == 0.7);
}

static void an_option_of_what_is_not_chosen_is_refused(void **state) {
    static const struct {
        const char *pair, *message;
    } bad[] = {
        {"bright=yes", "bright is an option of part=lamp, and part is wheel"},
        {"part.bright=yes", "bright is an option of part=lamp, and part is wheel"},
        {"part.trns=1", "unknown option 'trns'; did you mean 'turns'?"},
        {"widht=1", "unknown option 'widht'; did you mean 'width'?"},
        {"part=bell", "part is 'bell'; it must be one of wheel|tyre|lamp"},
        {"part.turns=10", "turns is 10; it must lie in [0, 9]"},
    };
    holder h, unchanged;
    error_info err = {0};
    (void)state;
    memset(&h, 0, sizeof h);
    options_set_initial(holder_rows, &h);
    unchanged = h;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(options_set_pair(holder_rows, &h, bad[i].pair, &err), STATUS_INVALID);
        assert_message_has(&err, bad[i].message);
        assert_memory_equal(&h, &unchanged, sizeof h);
    }
    assert_ok(options_check_name(holder_rows, "bright", &err), &err);
    assert_int_equal(options_check_name(holder_rows, "britgh", &err), STATUS_INVALID);
}

static void an_option_is_written_as_it_is_read(void **state) {
    some_options o = {3, 2, 0.1, false};
    text_buffer b = {0};
    (void)state;
    for (size_t i = 0; i < options_count(specs); i++) {
        options_append_value(&specs[i], &o, &b);
        text_append(&b, " ");
    }
    assert_string_equal(b.data, "3 0.1 false steck ");
    text_buffer_clear(&b);
}

static void the_cache_gives_back_what_was_put_in_and_stops_at_its_limit(void **state) {
    tuple_cache *cache = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(tuple_cache_create(5000, &cache, &err), &err);
    for (uint32_t i = 0; i < 6000; i++) {
        uint32_t key[3] = {i % 7, i, i * i};
        assert_null(tuple_cache_find(cache, key, 2 + i % 2));
        tuple_cache_add(cache, key, 2 + i % 2, (tuple_value){i, -(double)i});
    }
    assert_int_equal(tuple_cache_count(cache), 5000);
    for (uint32_t i = 0; i < 6000; i++) {
        uint32_t key[3] = {i % 7, i, i * i};
        const tuple_value *value = tuple_cache_find(cache, key, 2 + i % 2);
        assert_true(i < 5000 ? value && value->a == i && value->b == -(double)i : !value);
    }
    tuple_cache_destroy(cache);
}

/* Every thread writes all keys, with the one value that a key has, and reads them. */
static status write_and_read(void *self, size_t worker, error_info *err) {
    tuple_cache *cache = self;
    tuple_writer *writer = tuple_cache_create_writer(cache);
    CHECK_ALLOC(writer);
    for (uint32_t i = 0; i < 40000; i++) {
        uint32_t number = i * 7 % 5003, key[3] = {number % 7, number, number * number};
        tuple_value value = {0};
        bool is_there = tuple_cache_read(cache, key, 3, &value);
        if (is_there && (value.a != number || value.b != -(double)number))
            return error_set(err, STATUS_BUG, "key %u has the value %g", number, value.a);
        tuple_cache_write(cache, writer, key, 3, (tuple_value){number, -(double)number});
        if (!is_there && !tuple_cache_read(cache, key, 3, &value) && tuple_cache_count(cache) < 4000)
            return error_set(err, STATUS_BUG, "worker %zu has lost the key %u", worker, number);
    }
    return STATUS_OK;
}

/* Again and again, with all entries forgotten between. */
static void share_and_forget(void (*forget)(tuple_cache *cache)) {
    tuple_cache *cache = NULL;
    error_info err = {0};
    assert_ok(tuple_cache_create(4000, &cache, &err), &err);
    for (int round = 0; round < 3; round++) {
        assert_ok(parallel_run(3, write_and_read, cache, &err), &err);
        assert_in_range(tuple_cache_count(cache), 4000, 4003); /* each thread may add one past the limit */
        forget(cache);
        assert_int_equal(tuple_cache_count(cache), 0);
        assert_null(tuple_cache_find(cache, (const uint32_t[]){0, 0, 0}, 3));
    }
    tuple_cache_destroy(cache);
}

static void threads_share_a_cache(void **state) {
    (void)state;
    share_and_forget(tuple_cache_empty);
}

static void threads_share_a_cleared_cache(void **state) {
    (void)state;
    share_and_forget(tuple_cache_clear);
}

static void write_keys(tuple_cache *cache, uint32_t n) {
    tuple_writer *writer = tuple_cache_create_writer(cache);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t key[2] = {i, 2 * i};
        tuple_cache_write(cache, writer, key, 2, (tuple_value){i, 1});
        tuple_cache_add(cache, (const uint32_t[]){i}, 1, (tuple_value){i, 2});
    }
}

static void assert_keys(tuple_cache *cache, uint32_t n, uint32_t n_missing) {
    assert_int_equal(tuple_cache_count(cache), 2 * n);
    for (uint32_t i = 0; i < n + n_missing; i++) {
        const tuple_value *one = tuple_cache_find(cache, (const uint32_t[]){i}, 1);
        const tuple_value *two = tuple_cache_find(cache, (const uint32_t[]){i, 2 * i}, 2);
        assert_true(i < n ? one && one->a == i && one->b == 2 : !one);
        assert_true(i < n ? two && two->a == i && two->b == 1 : !two);
    }
}

/* Where malloc tells how much of its heap is in use. */
static void a_cleared_cache_knows_nothing_and_keeps_its_memory(void **state) {
    static const uint32_t sizes[] = {3, 20000, 100, 30000, 0, 30000};
    enum { OF_WRITERS = 4096 };
    tuple_cache *cache = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(tuple_cache_create(SIZE_MAX, &cache, &err), &err);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t before;
        write_keys(cache, sizes[i]);
        assert_keys(cache, sizes[i], 10);
        before = mallinfo2().uordblks;
        tuple_cache_clear(cache);
        assert_in_range(mallinfo2().uordblks + OF_WRITERS, before, SIZE_MAX);
        assert_keys(cache, 0, 10);
    }
    tuple_cache_destroy(cache);
}

static void a_reordered_dataset_is_the_same_data_by_name(void **state) {
    random_stream random;
    dataset *data, *other = NULL;
    size_t order[6];
    char print[DATASET_FINGERPRINT_SIZE], other_print[DATASET_FINGERPRINT_SIZE];
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(5));
    data = make_random_dataset(&random, 100, 6, 5);
    random_permutation(&random, order, 6);
    assert_ok(dataset_reorder(data, order, &other, &err), &err);
    for (size_t c = 0; c < 6; c++) {
        size_t there = dataset_find_column(other, dataset_variable(data, c)->name);
        assert_int_equal(order[there], c);
        for (size_t i = 0; i < 100; i++)
            assert_int_equal(dataset_state(data, i, c), dataset_state(other, i, there));
    }
    assert_ok(dataset_fingerprint(data, print, &err), &err);
    assert_ok(dataset_fingerprint(other, other_print, &err), &err);
    assert_int_equal(strlen(print), 64);
    assert_string_not_equal(print, other_print);
    dataset_destroy(data);
    dataset_destroy(other);
}

static void two_columns_of_one_name_are_refused(void **state) {
    static const char *const states[] = {"a", "b"};
    variable v[2] = {{0}};
    dataset *data = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v[0], "x", states, 2, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "x", states, 2, &err), &err);
    assert_int_equal(dataset_create(v, 2, 5, &data, &err), STATUS_INVALID);
    assert_string_equal(err.message, "two columns are named 'x'");
    variable_clear(&v[0]);
    variable_clear(&v[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_depends_on_every_word_of_its_purpose),
        cmocka_unit_test(draws_below_n_are_uniform),
        cmocka_unit_test(a_permutation_holds_every_number_once),
        cmocka_unit_test(gsl_draws_from_our_stream),
        cmocka_unit_test(options_are_set_from_text_or_refused_with_a_reason),
        cmocka_unit_test(an_option_is_written_as_it_is_read),
        cmocka_unit_test(a_walk_tells_which_options_are_as_they_began),
        cmocka_unit_test(options_of_what_is_chosen_compose),
        cmocka_unit_test(an_option_of_what_is_not_chosen_is_refused),
        cmocka_unit_test(the_cache_gives_back_what_was_put_in_and_stops_at_its_limit),
        cmocka_unit_test(threads_share_a_cache),
        cmocka_unit_test(a_cleared_cache_knows_nothing_and_keeps_its_memory),
        cmocka_unit_test(threads_share_a_cleared_cache),
        cmocka_unit_test(a_reordered_dataset_is_the_same_data_by_name),
        cmocka_unit_test(two_columns_of_one_name_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
