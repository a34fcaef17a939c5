/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program does when it cannot write, and what it writes to. */
#include "tests/support/cli_support.h"

#include <sys/stat.h>
#include <unistd.h>

static void what_cannot_be_written_is_never_a_success(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(cli_call_shell("\"$0\" list metrics >/dev/full"), 5);
        assert_text_has(cli_errors, "cannot be written");
        assert_int_equal(cli_call_shell("\"$0\" --help >/dev/full"), 5);
        assert_int_equal(cli_call_shell("\"$0\" sample asia -n 5 -o /dev/full"), 5);
        assert_int_equal(cli_call_shell("\"$0\" sample asia -n 5 --json -o \"$1/d.csv\" >/dev/full"), 5);
    }
    assert_int_equal(cli_call_shell("\"$0\" list metrics >&-"), 5);
    assert_int_equal(cli_call_shell("\"$0\" sample asia -n 5 -o \"$1/none/d.csv\""), 5);
    assert_int_equal(cli_call_shell("\"$0\" convert asia \"$1/none/g.dot\""), 5);
    assert_int_equal(cli_call_shell("\"$0\" convert asia \"$1\" --to dot"), 2);
}

static void a_closed_standard_output_does_not_end_up_in_a_file(void **state) {
    (void)state;
    assert_int_equal(cli_call_shell("\"$0\" sample asia -n 5 -o \"$1/d.csv\" >&- 2>&- <&-"), 0);
    assert_int_equal(cli_call_shell("head -n 1 \"$1/d.csv\""), 0);
    assert_string_equal(cli_out, "asia,tub,smoke,lung,bronc,either,xray,dysp\n");
}

static void a_reader_that_goes_away_ends_it_quietly(void **state) {
    (void)state;
    assert_int_equal(cli_call_shell("\"$0\" sample alarm -n 20000 | head -n 1"), 0);
    assert_string_equal(cli_errors, "");
}

static void devices_are_written_to_not_replaced(void **state) {
    struct stat before, after;
    (void)state;
    assert_int_equal(cli_call_shell("mkfifo \"$1/pipe\" && { cat \"$1/pipe\" >\"$1/copy\" & } && "
                                    "\"$0\" sample asia -n 5 -o \"$1/pipe\" && wait && test -p \"$1/pipe\""),
                     0);
    assert_int_equal(stat(in_folder("copy"), &before), 0);
    assert_true(before.st_size > 0);
    assert_false(is_there(in_folder("pipe.schema.csv")));
    assert_int_equal(stat("/dev/null", &before), 0);
    if (geteuid() != 0) {
        assert_status(0, "sample", "asia", "-n", "5", "-o", "/dev/null");
        assert_int_equal(stat("/dev/null", &after), 0);
        assert_int_equal(before.st_mode, after.st_mode);
    }
}

static void standard_input_is_a_file_too(void **state) {
    (void)state;
    assert_int_equal(cli_call_shell("\"$0\" sample asia -n 200 | \"$0\" learn hc - --network asia -q | "
                                    "\"$0\" compare - asia --metrics shd"),
                     0);
    assert_text_has(cli_out, "shd");
    assert_int_equal(cli_call_shell("\"$0\" convert asia - --to bif | \"$0\" info - --json"), 0);
    assert_text_has(cli_out, "\"nodes\": 8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(what_cannot_be_written_is_never_a_success),
        cli_test(a_closed_standard_output_does_not_end_up_in_a_file),
        cli_test(a_reader_that_goes_away_ends_it_quietly),
        cli_test(devices_are_written_to_not_replaced),
        cli_test(standard_input_is_a_file_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
