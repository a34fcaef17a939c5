/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "generators/catalogue/catalogue.h"
#include "generators/networks/bif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nothing of the user's own setting comes into a test: an empty cache, the networks of the source tree. */
static int isolate(void **state) {
    (void)state;
    (void)setenv("BNBENCH_CACHE", scratch_folder(), 1);
    (void)setenv("BNBENCH_SHARE", source_path(""), 1);
    (void)unsetenv("BNBENCH_NETWORKS");
    return 0;
}

static void put_file(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    error_info err = {0};
    assert_ok(file_write(path, "x", 1, &err), &err);
    free(path);
}

static void every_entry_is_complete_and_no_name_comes_twice(void **state) {
    size_t n_tiled = 0;
    (void)state;
    for (size_t i = 0; i < catalogue_count(); i++) {
        const catalogue_entry *e = catalogue_at(i);
        assert_ptr_equal(catalogue_find(e->name), e);
        assert_true(strlen(e->citation) > 30);
        assert_that(e->nodes, >, 0);
        assert_that(e->arcs, >, 0);
        assert_that(e->parameters, >, 0);
        assert_that(e->max_in_degree, >, 0);
        assert_that(e->max_out_degree, >, 0);
        assert_that(2, <=, e->min_states);
        assert_that(e->min_states, <=, e->max_states);
        assert_true((e->tile == NULL) == (e->url != NULL));
        n_tiled += e->tile != NULL;
    }
    assert_int_equal(catalogue_count() - n_tiled, 24);
    assert_null(catalogue_find("alarn"));
}

/* Brown et al. 2005, table 1, and Tsamardinos et al. 2003: nodes and arcs as printed. */
static void tiled_networks_have_the_sizes_of_the_papers(void **state) {
    static const struct {
        const char *name;
        size_t nodes, arcs;
    } printed[] = {{"child3", 60, 79},       {"child5", 100, 126},     {"insurance3", 81, 163},
                   {"alarm3", 111, 149},     {"alarm5", 185, 265},     {"hailfinder3", 168, 283},
                   {"alarm135", 4995, 6845}, {"alarm270", 9990, 13640}};
    (void)state;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        const catalogue_entry *e = catalogue_find(printed[i].name), *tile;
        assert_non_null(e);
        tile = catalogue_find(e->tile);
        assert_int_equal(e->nodes, printed[i].nodes);
        assert_int_equal(e->arcs, printed[i].arcs);
        assert_int_equal(e->nodes, e->copies * tile->nodes);
        assert_int_equal(e->arcs, e->copies * tile->arcs + e->tile_arcs);
    }
}

static void the_networks_of_the_repository_have_the_figures_of_the_catalogue(void **state) {
    (void)state;
    if (!shared_path("networks"))
        skip();
    (void)setenv("BNBENCH_NETWORKS", shared_path("networks"), 1);
    for (size_t i = 0; i < catalogue_count(); i++) {
        const catalogue_entry *e = catalogue_at(i);
        bayes_net *net = NULL;
        error_info err = {0};
        if (e->tile)
            continue;
        assert_ok(catalogue_load(e->name, &net, &err), &err);
        assert_string_equal(bayes_net_name(net), e->name);
        assert_ok(catalogue_check(e, net, &err), &err);
        bayes_net_destroy(net);
    }
}

static void a_network_with_other_figures_is_told_from_the_published_one(void **state) {
    bayes_net *net = NULL;
    catalogue_entry other = *catalogue_find("asia");
    error_info err = {0};
    (void)state;
    assert_ok(catalogue_load("asia", &net, &err), &err);
    assert_ok(catalogue_check(&other, net, &err), &err);
    assert_int_equal(catalogue_check(catalogue_find("cancer"), net, &err), STATUS_INVALID);
    assert_message_has(&err, "it has 8 nodes, not 5");
    other.max_out_degree = 3;
    assert_int_equal(catalogue_check(&other, net, &err), STATUS_INVALID);
    bayes_net_destroy(net);
}

/* The same variables in the same order, the same arcs, the same rows by the names of the parents' states. */
static void assert_same_by_name(const bayes_net *a, const bayes_net *b) {
    assert_int_equal(bayes_net_node_count(a), bayes_net_node_count(b));
    for (size_t i = 0; i < bayes_net_node_count(a); i++) {
        size_t n_a, n_b, r = bayes_net_variable(a, i)->n_states;
        const size_t *p_a = bayes_net_parents(a, i, &n_a), *p_b = bayes_net_parents(b, i, &n_b);
        assert_true(variable_is_equal(bayes_net_variable(a, i), bayes_net_variable(b, i)));
        assert_int_equal(n_a, n_b);
        for (size_t j = 0; j < bayes_net_configuration_count(a, i); j++) {
            size_t rest = j, other = 0;
            for (size_t p = 0; p < n_a; p++) {
                size_t stride = 1, place = 0, k = rest % bayes_net_variable(a, p_a[p])->n_states;
                rest /= bayes_net_variable(a, p_a[p])->n_states;
                while (place < n_b && p_b[place] != p_a[p])
                    stride *= bayes_net_variable(b, p_b[place++])->n_states;
                assert_true(place < n_b);
                other += k * stride;
            }
            for (size_t k = 0; k < r; k++)
                assert_true(bayes_net_table(a, i)[j * r + k] == bayes_net_table(b, i)[other * r + k]);
        }
    }
}

static void the_networks_that_ship_are_those_of_the_repository(void **state) {
    static const char *const names[] = {"asia", "survey", "child", "alarm"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        bayes_net *ours = NULL, *theirs = NULL;
        char relative[64];
        error_info err = {0};
        assert_ok(catalogue_load(names[i], &ours, &err), &err);
        assert_ok(catalogue_check(catalogue_find(names[i]), ours, &err), &err);
        (void)snprintf(relative, sizeof relative, "networks/%s.bif.gz", names[i]);
        if (shared_path(relative)) {
            assert_ok(bif_read(shared_path(relative), &theirs, NULL, &err), &err);
            assert_same_by_name(ours, theirs);
        }
        bayes_net_destroy(ours);
        bayes_net_destroy(theirs);
    }
}

static void folders_are_searched_in_order(void **state) {
    const char *first = scratch_folder(), *second = scratch_folder();
    char list[300], *cache = catalogue_cache_folder(), *path = NULL, *expected;
    error_info err = {0};
    (void)state;
    (void)snprintf(list, sizeof list, "/nowhere::%s:%s", first, second);
    (void)setenv("BNBENCH_NETWORKS", list, 1);

    assert_ok(catalogue_locate("asia", &path, &err), &err); /* what ships */
    assert_true(path_ends_with(path, "networks/asia.bif"));
    free(path);
    put_file(cache, "asia.bif.gz");
    assert_ok(catalogue_locate("asia", &path, &err), &err);
    expected = path_join(cache, "asia.bif.gz");
    assert_string_equal(path, expected);
    free(path);
    free(expected);
    put_file(second, "asia.bif.gz");
    assert_ok(catalogue_locate("asia", &path, &err), &err);
    expected = path_join(second, "asia.bif.gz");
    assert_string_equal(path, expected);
    free(path);
    free(expected);
    put_file(second, "asia.bif");
    put_file(first, "asia.bif.gz");
    assert_ok(catalogue_locate("asia", &path, &err), &err);
    expected = path_join(first, "asia.bif.gz");
    assert_string_equal(path, expected);
    free(path);
    free(expected);
    free(cache);
}

static void a_path_is_taken_as_it_is(void **state) {
    char *path = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(catalogue_locate(source_path("networks/asia.bif"), &path, &err), &err);
    assert_string_equal(path, source_path("networks/asia.bif"));
    free(path);
    path = NULL;
    assert_ok(catalogue_locate("-", &path, &err), &err);
    assert_string_equal(path, "-");
    free(path);
    path = NULL;
    assert_int_equal(catalogue_locate("./nothing here.bif", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "./nothing here.bif: no such file");
    assert_int_equal(catalogue_locate("nothing.bif.gz", &path, &err), STATUS_MISSING);
    assert_null(path);
}

static void the_message_for_a_network_that_is_not_there_tells_how_to_get_it(void **state) {
    char *path = NULL;
    error_info err = {0};
    (void)state;
    (void)setenv("BNBENCH_NETWORKS", "/nowhere/at all", 1);
    assert_int_equal(catalogue_locate("barley", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "`bnbench networks fetch barley`");
    assert_message_has(&err, "/nowhere/at all");
    assert_message_has(&err, "/networks)");
    assert_int_equal(catalogue_locate("alarn", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "did you mean 'alarm'?");
    assert_int_equal(catalogue_locate("completely-different", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "`bnbench list networks`");
    assert_int_equal(catalogue_locate("child3", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "3 tiles of 'child'");
    assert_null(path);
}

static void the_cache_is_where_the_environment_says(void **state) {
    char *folder;
    (void)state;
    (void)unsetenv("BNBENCH_CACHE");
    (void)setenv("XDG_CACHE_HOME", "/x", 1);
    folder = catalogue_cache_folder();
    assert_string_equal(folder, "/x/bnbench");
    free(folder);
    (void)unsetenv("XDG_CACHE_HOME");
    (void)setenv("HOME", "/home/someone", 1);
    folder = catalogue_cache_folder();
    assert_string_equal(folder, "/home/someone/.cache/bnbench");
    free(folder);
}

static void the_folder_that_ships_is_looked_for_beside_the_program_and_in_the_source(void **state) {
    const char *share = scratch_folder();
    char *networks = path_join(share, "networks"), *folder;
    error_info err = {0};
    (void)state;
    (void)setenv("BNBENCH_SHARE", share, 1);
    assert_ok(catalogue_shipped_folder(&folder, &err), &err);
    assert_true(path_ends_with(folder, "/networks"));
    assert_string_not_equal(folder, networks); /* not there yet */
    free(folder);
    assert_int_equal(mkdir(networks, 0777), 0);
    assert_ok(catalogue_shipped_folder(&folder, &err), &err);
    assert_string_equal(folder, networks);
    free(folder);
    free(networks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_entry_is_complete_and_no_name_comes_twice, isolate),
        cmocka_unit_test_setup(tiled_networks_have_the_sizes_of_the_papers, isolate),
        cmocka_unit_test_setup(the_networks_of_the_repository_have_the_figures_of_the_catalogue, isolate),
        cmocka_unit_test_setup(a_network_with_other_figures_is_told_from_the_published_one, isolate),
        cmocka_unit_test_setup(the_networks_that_ship_are_those_of_the_repository, isolate),
        cmocka_unit_test_setup(folders_are_searched_in_order, isolate),
        cmocka_unit_test_setup(a_path_is_taken_as_it_is, isolate),
        cmocka_unit_test_setup(the_message_for_a_network_that_is_not_there_tells_how_to_get_it, isolate),
        cmocka_unit_test_setup(the_cache_is_where_the_environment_says, isolate),
        cmocka_unit_test_setup(the_folder_that_ships_is_looked_for_beside_the_program_and_in_the_source, isolate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
