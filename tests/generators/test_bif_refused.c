/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/run/run_context.h"
#include "generators/networks/bif.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status parse(const char *text, bayes_net **out, error_info *err) {
    return bif_parse(text, strlen(text), "given", out, NULL, err);
}

/* The text is refused with that message, and nothing is handed out. */
static void assert_refused(const char *text, const char *message) {
    bayes_net *net = NULL;
    error_info err = {0};
    status st = parse(text, &net, &err);
    if (st != STATUS_PARSE || !strstr(err.message, message))
        fail_msg("expected a refusal with '%s', found %s '%s' for\n%s", message, status_name(st), err.message, text);
    assert_null(net);
}

#define AB                                                                                                             \
    "network unknown { }\n"                                                                                            \
    "variable a { type discrete [ 2 ] { yes, no }; }\n"                                                                \
    "variable b { type discrete [ 3 ] { low, mid, high }; }\n"
#define A_TABLE "probability ( a ) { table 0.25, 0.75; }\n"
#define B_ROWS "probability ( b | a ) { (yes) 0.1, 0.2, 0.7; (no) 0.3, 0.3, 0.4; }\n"

static void bad_structure_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("", "1:1: expected 'network' at the top, found the end of the file");
    assert_refused("netwerk x { }", "1:1: expected 'network' at the top, found 'netwerk'");
    assert_refused("network x { }", "1:14: expected a variable, found the end of the file");
    assert_refused("network x { foo }", "1:13: expected 'property' or '}', found 'foo'");
    assert_refused("network x { } /* open", "1:15: expected '*/'");
    assert_refused("network x { } variable a { /* type", "inside the comment that begins at 1:28");
    assert_refused("network x { }\nvariable a {\n  type discrete [ 2 ] { yes, no }\n}\n",
                   "4:1: expected ';' after the states, found '}'");
    assert_refused("network x { }\nvariable asia ;", "2:15: expected '{' after the name of the variable, found ';'");
    assert_refused("network x { }\nvariable a { type continuous ; }", "2:19: expected 'discrete'");
    assert_refused("network x { }\nvariable a { }", "2:14: expected 'type' of variable 'a', found '}'");
    assert_refused("network x { } variable a { type discrete [ 2 ] { y, n }; type discrete [ 1 ] { y }; }",
                   "1:58: a second type of variable 'a'");
    assert_refused("network x { }\nvariable \"a { type discrete [ 1 ] { y }; }", "2:10: expected a closing quote");
    assert_refused(AB "nonsense", "4:1: expected 'variable' or 'probability', found 'nonsense'");
    assert_refused(AB "variable a { type discrete [ 2 ] { y, n }; }", "4:10: a second variable named 'a'");
    assert_refused(AB A_TABLE, "3:10: expected a probability block for variable 'b', found none");
    assert_refused(AB A_TABLE A_TABLE, "5:15: variable 'a' has a second probability block");
}

static void bad_states_are_refused_with_their_place(void **state) {
    (void)state;
    assert_refused("network x { }\nvariable a { type discrete [ 3 ] { y, n }; }",
                   "2:30: variable 'a' declares 3 states and lists 2");
    assert_refused("network x { }\nvariable a { type discrete [ 2 ] { y, y }; }",
                   "2:39: variable 'a' has the state 'y' twice");
    assert_refused("network x { }\nvariable a { type discrete [ 0 ] { }; }", "2:30: expected the number of states");
    assert_refused("network x { }\nvariable a { type discrete [ -1 ] { y }; }", "2:30: expected the number of states");
    assert_refused("network x { }\nvariable a { type discrete [ 99999999999999999999 ] { y }; }",
                   "declares 1e+20 states and lists 1");
    assert_refused("network x { }\nvariable a { type discrete [ 2 ] { y, }; }", "2:39: expected a state, found '}'");
    assert_refused("network x { }\nvariable a { type discrete [ 2 ] { y\nn }; }", "3:1: expected ',' after a state");
}

static void bad_probabilities_are_refused_with_their_place(void **state) {
    (void)state;
    assert_refused(AB "probability ( a ) { table 0.25, 0.65; }", "4:21: a row of 'a' sums to 0.9; expected one");
    assert_refused(AB "probability ( a ) { table 0.25, 0.7502; }", "a row of 'a' sums to 1.0002");
    assert_refused(AB "probability ( a ) { table 0.25; }", "4:31: expected 2 probabilities for 'a', found ';' after 1");
    assert_refused(AB "probability ( a ) { table 0.25, 0.5, 0.25; }",
                   "4:36: expected ';' after 2 probabilities for 'a', found ','");
    assert_refused(AB "probability ( a ) { table 1.5, -0.5; }", "4:32: a probability of -0.5");
    assert_refused(AB "probability ( a ) { table nan, 1; }", "4:27: expected a number, found 'nan'");
    assert_refused(AB "probability ( a ) { table inf, 1; }", "expected a number, found 'inf'");
    assert_refused(AB "probability ( a ) { table 0x1p-1, 0.5; }", "expected a number, found '0x1p-1'");
    assert_refused(AB "probability ( a ) { table 1e400, 0; }", "4:27: a probability of 1e400");
    assert_refused(AB "probability ( a ) { table 0,5, 0,5; }", "after 2 probabilities for 'a', found ','");
    assert_refused(AB "probability ( a ) { table 0.25, 0.75 }", "4:38: expected ';' after 2 probabilities");
    assert_refused(AB "probability ( a ) { table 0.25, 0.75;", "4:38: expected 'table'");
    assert_refused(AB "probability ( a ) { }",
                   "4:21: expected a row of 'a' for (), found none (1 of 1 rows are missing)");
    assert_refused(AB "probability ( a ) { (yes) 0.5, 0.5; }", "4:21: expected 'table': 'a' has no parents");
}

static void bad_families_are_refused_with_their_place(void **state) {
    (void)state;
    assert_refused(AB "probability ( c ) { table 1; }", "4:15: expected a declared variable, found 'c'");
    assert_refused(AB "probability ( a | c ) { (x) 0.5, 0.5; }", "4:19: expected a declared variable, found 'c'");
    assert_refused(AB "probability ( a | a ) { (yes) 0.5, 0.5; (no) 0.5, 0.5; }",
                   "4:19: variable 'a' is its own parent");
    assert_refused(AB "probability ( b | a, a ) { (yes, yes) 1, 0, 0; }", "4:22: 'a' is twice a parent of 'b'");
    assert_refused(AB "probability ( b | a | a ) { }", "4:21: expected ',' or ')', found '|'");
    assert_refused(AB "probability ( b a ) { }", "4:17: expected '|' or ')', found 'a'");
    assert_refused(AB "probability ( ) { }", "4:15: expected the name of a variable, found ')'");
    assert_refused(AB A_TABLE "probability ( b | a ) { (yes) 0.1, 0.2, 0.7; }",
                   "5:46: expected a row of 'b' for (no), found none (1 of 2 rows are missing)");
    assert_refused(AB A_TABLE "probability ( b | a ) { (maybe) 0.1, 0.2, 0.7; }",
                   "5:26: 'maybe' is not a state of 'a'");
    assert_refused(AB A_TABLE "probability ( b | a ) { (yes, no) 0.1, 0.2, 0.7; }",
                   "5:29: expected ')' after the states of the parents, found ','");
    assert_refused(AB A_TABLE "probability ( b | a ) { () 0.1, 0.2, 0.7; }", "5:26: expected a state, found ')'");
    assert_refused(AB A_TABLE "probability ( b | a ) { default 1, 0, 0; default 1, 0, 0; }",
                   "5:42: a second 'default' of 'b'");
}

static void cycles_are_refused(void **state) {
    (void)state;
    assert_refused(AB "probability ( a | b ) { default 0.5, 0.5; }\n"
                      "probability ( b | a ) { default 1, 0, 0; }\n",
                   "closes a cycle");
    assert_refused("network x { } variable r { type discrete [ 1 ] { y }; } variable a { type discrete [ 1 ] { y }; }\n"
                   "variable b { type discrete [ 1 ] { y }; } variable c { type discrete [ 1 ] { y }; }\n"
                   "variable d { type discrete [ 1 ] { y }; }\n"
                   "probability ( r ) { table 1; }\n"
                   "probability ( d | c, r ) { default 1; }\n"
                   "probability ( a | c, r ) { default 1; }\n"
                   "probability ( b | a ) { default 1; }\n"
                   "probability ( c | b ) { default 1; }\n",
                   "closes a cycle");
}

static void nul_bytes_are_refused_with_their_place(void **state) {
    char text[] = AB A_TABLE B_ROWS;
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    text[strlen("network unknown { }\nvar")] = '\0';
    assert_int_equal(bif_parse(text, sizeof text - 1, "x", &net, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "2:4: expected text, found a NUL byte");
}

/* 30 parents of 2 states: 2^31 cells; 12 parents of 4: 2^24 x 4 cells from a file of a kilobyte. */
static void a_table_that_would_not_fit_is_refused_before_it_is_allocated(void **state) {
    static const struct {
        size_t n_parents;
        const char *type, *message;
    } cases[] = {{30, "[ 2 ] { y, n }", "more than 268435456 cells"},
                 {70, "[ 2 ] { y, n }", "more than 268435456 cells"},
                 {12, "[ 4 ] { a, b, c, d }", "has 67108864 cells, far more than a file of this size could fill"}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        text_buffer text = {0};
        double before = run_cpu_s();
        text_append(&text, "network x { }\n");
        for (size_t i = 0; i <= cases[c].n_parents; i++)
            text_append_format(&text, "variable v%zu { type discrete %s; }\n", i, cases[c].type);
        text_append(&text, "probability ( v0 | v1");
        for (size_t i = 2; i <= cases[c].n_parents; i++)
            text_append_format(&text, ", v%zu", i);
        text_append(&text, " ) { default 0.5, 0.5; }\n");
        assert_refused(text.data, cases[c].message);
        assert_between(run_cpu_s() - before, 0, 2);
        text_buffer_clear(&text);
    }
}

/* Every prefix of a good file is refused, but for those that lack white space alone. */
static void every_truncation_is_refused(void **state) {
    static const char text[] = AB A_TABLE B_ROWS;
    size_t whole = strlen(text) - 1;
    (void)state;
    for (size_t length = 0; length < whole; length++) {
        bayes_net *net = NULL;
        error_info err = {0};
        assert_int_equal(bif_parse(text, length, "x", &net, NULL, &err), STATUS_PARSE);
        assert_true(strlen(err.message) > 10);
    }
}

static void mutate(random_stream *random, text_buffer *b) {
    static const char *const pieces[] = {
        "{", "}", "(", ")", "|", ",", ";", "\"", "/*", "//", "\n", "999999999999", "-1", "nan", "1e400", "\xFF\xFE"};
    size_t i = (size_t)random_below(random, b->length);
    text_buffer made = {0};
    switch (random_below(random, 5)) {
    case 0:
        b->data[i] = (char)random_below(random, 256);
        return;
    case 1:
        text_append_bytes(&made, b->data, i);
        text_append(&made, pieces[random_below(random, sizeof pieces / sizeof *pieces)]);
        text_append_bytes(&made, b->data + i, b->length - i);
        break;
    case 2: {
        size_t gone = 1 + (size_t)random_below(random, 40);
        text_append_bytes(&made, b->data, i);
        if (i + gone < b->length)
            text_append_bytes(&made, b->data + i + gone, b->length - i - gone);
        break;
    }
    case 3: {
        size_t from = (size_t)random_below(random, b->length), n = 1 + (size_t)random_below(random, 60);
        text_append_bytes(&made, b->data, i);
        text_append_bytes(&made, b->data + from, from + n < b->length ? n : b->length - from);
        text_append_bytes(&made, b->data + i, b->length - i);
        break;
    }
    default:
        text_append_bytes(&made, b->data, i + 1);
    }
    if (made.length == 0)
        text_append(&made, " ");
    text_buffer_clear(b);
    *b = made;
}

/* No crash (the sanitizers watch), no delay, and a message with every refusal; what is taken is a valid network. */
static void garbled_files_are_refused_quickly(void **state) {
    enum { CASES = 3000 };
    char *child = NULL;
    size_t length, n_refused = 0;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(20));
    assert_ok(file_read(source_path("networks/child.bif"), FILE_READ_MOST, &child, &length, &err), &err);
    for (size_t i = 0; i < CASES; i++) {
        text_buffer text = {0};
        bayes_net *net = NULL;
        double before = run_cpu_s();
        text_append_bytes(&text, child, length);
        for (uint64_t n = 1 + random_below(&random, 6); n > 0; n--)
            mutate(&random, &text);
        err.message[0] = '\0';
        if (bif_parse(text.data, text.length, "child", &net, NULL, &err) == STATUS_OK) {
            assert_ok(bayes_net_validate(net, &err), &err);
        } else {
            n_refused++;
            assert_that(err.message[0], >=, '1');
            assert_that(err.message[0], <=, '9');
            assert_true(strchr(err.message, ':'));
        }
        assert_between(run_cpu_s() - before, 0, 10);
        bayes_net_destroy(net);
        text_buffer_clear(&text);
    }
    assert_true(n_refused > CASES / 2);
    free(child);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_structure_is_refused_with_its_place),
        cmocka_unit_test(bad_states_are_refused_with_their_place),
        cmocka_unit_test(bad_probabilities_are_refused_with_their_place),
        cmocka_unit_test(bad_families_are_refused_with_their_place),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(nul_bytes_are_refused_with_their_place),
        cmocka_unit_test(a_table_that_would_not_fit_is_refused_before_it_is_allocated),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(garbled_files_are_refused_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
