/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Good inputs with some bytes changed: the program takes them or says why not, and never falls or hangs. */
#include "tests/support/cli_support.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_ROUNDS = 40 };

static const char *const pieces[] = {"{",
                                     "}",
                                     "(",
                                     "|",
                                     ",",
                                     "\n",
                                     "\"",
                                     "999999999999",
                                     "-1",
                                     "nan",
                                     "1e400",
                                     "\xff\xfe",
                                     "0",
                                     "2147483648",
                                     "18446744073709551616",
                                     ": ",
                                     "- ",
                                     "[",
                                     "#"};
enum { N_PIECES = sizeof pieces / sizeof *pieces };

/* The text with up to six changes: a byte, a piece put in, bytes cut out, a part doubled, the end cut off. */
static void mutate(random_stream *random, const text_buffer *from, text_buffer *to) {
    text_append_bytes(to, from->data, from->length);
    for (uint64_t n = 1 + random_below(random, 6); n > 0; n--) {
        size_t at = (size_t)random_below(random, to->length + 1), most = to->length - at;
        size_t some = most ? (size_t)random_below(random, most < 40 ? most : 40) : 0;
        char *rest = text_copy_n(to->data + at, most);
        uint64_t kind = random_below(random, 5);
        to->length = at;
        if (kind == 0 && most)
            text_append_format(to, "%c%s", (int)(1 + random_below(random, 255)), rest + 1);
        else if (kind == 1)
            text_append_format(to, "%s%s", pieces[random_below(random, N_PIECES)], rest);
        else if (kind == 2)
            text_append(to, rest + some);
        else if (kind == 3)
            text_append_format(to, "%.*s%s", (int)some, rest, rest);
        free(rest);
    }
}

static void read_source(const char *relative, text_buffer *out) {
    char *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(source_path(relative), FILE_READ_MOST, &text, &length, &err), &err);
    text_append_bytes(out, text, length < 4000 ? length : 4000);
    free(text);
}

static void check_answer(const char *file, int leave) {
    if (leave > 3 || (leave > 0 && !*cli_errors))
        fail_msg("status %d for %s: %s", leave, file, cli_errors);
}

/* Words of a command, of which "@" stands for the changed file. */
static void try_garbage(const char *source, const char *name, const char *const *words) {
    text_buffer good = {0};
    random_stream random;
    read_source(source, &good);
    random_stream_init(&random, random_key_of(17));
    for (int round = 0; round < N_ROUNDS; round++) {
        const char *argv[8] = {NULL}, *file = in_folder(name);
        text_buffer bad = {0};
        error_info err = {0};
        mutate(&random, &good, &bad);
        assert_ok(file_write(file, bad.data, bad.length, &err), &err);
        for (size_t i = 0; words[i]; i++)
            argv[i] = strcmp(words[i], "@") == 0 ? file : words[i];
        check_answer(file, cli_call_list(argv));
        text_buffer_clear(&bad);
    }
    text_buffer_clear(&good);
}

static void networks_are_taken_or_refused(void **state) {
    (void)state;
    try_garbage("networks/child.bif", "m.bif", (const char *const[]){"info", "@", NULL});
    try_garbage("networks/asia.bif", "m.bif", (const char *const[]){"sample", "@", "-n", "5", "-o", "/dev/null", NULL});
}

static void data_are_taken_or_refused(void **state) {
    (void)state;
    try_garbage("tests/golden/discrete/asia/data_n1000.csv.gz", "m.csv",
                (const char *const[]){"learn", "hc", "@", "-o", "/dev/null", NULL});
}

static void experiments_are_taken_or_refused(void **state) {
    (void)state;
    try_garbage("experiments/quickstart.yaml", "m.yaml",
                (const char *const[]){"run", "@", "--store", "/nowhere/at-all", "--dry-run", NULL});
}

static void graphs_are_taken_or_refused(void **state) {
    (void)state;
    try_garbage("tests/golden/discrete/asia/true_dag.csv", "m.csv",
                (const char *const[]){"compare", "@", "asia", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(networks_are_taken_or_refused),
        cli_test(data_are_taken_or_refused),
        cli_test(experiments_are_taken_or_refused),
        cli_test(graphs_are_taken_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
