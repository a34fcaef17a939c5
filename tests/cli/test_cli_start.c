/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program loads, and what it starts, before it does anything. */
#include "tests/support/cli_support.h"

#include "build_info.h"

#include <string.h>

/* The folders that RPATH and RUNPATH name, as `readelf` prints them: "... Library runpath: [/a:/b]". */
static void assert_folders_are_absolute(const char *listing) {
    for (const char *line = strstr(listing, "path: ["); line; line = strstr(line + 1, "path: [")) {
        for (const char *folder = strchr(line, '[') + 1;; folder++) {
            if (*folder != '/')
                fail_msg("a folder to look in for libraries depends on where the program is called: %.200s", line);
            folder += strcspn(folder, ":]");
            if (*folder == ']')
                break;
        }
    }
}

static void libraries_are_looked_for_in_folders_of_the_system_alone(void **state) {
    (void)state;
    if (cli_call_shell("command -v readelf") != 0) {
        print_message("readelf is missing: skipped\n");
        skip();
    }
    assert_int_equal(cli_call_shell("readelf -dW \"$0\""), 0);
    assert_text_has(cli_out, "NEEDED");
    assert_folders_are_absolute(cli_out);
}

static void a_library_in_the_current_folder_is_not_loaded(void **state) {
    (void)state;
    assert_int_equal(
        cli_call_shell("cd \"$1\" && touch libyaml-0.so.2 libz.so.1 libjansson.so.4 libcurl.so.4 libgsl.so.27 "
                       "libsqlite3.so.0 && \"$0\" --version"),
        0);
    assert_string_equal(cli_errors, "");
}

/* Files of no length stand for libraries that are not there: the loader finds them first. */
static void a_library_of_few_commands_is_missed_by_them_alone(void **state) {
    (void)state;
    assert_int_equal(cli_call_shell("mkdir \"$1/broken\" && cd \"$1/broken\" && touch " BNB_CURL " " BNB_LIBXML), 0);
    assert_int_equal(cli_call_shell("LD_LIBRARY_PATH=\"$1/broken\" \"$0\" --version"), 0);
    assert_int_equal(
        cli_call_shell(
            "LD_LIBRARY_PATH=\"$1/broken\" \"$0\" networks fetch insurance --from http://127.0.0.1:1 --http"),
        4);
    assert_text_has(cli_errors, "a library cannot be loaded: ");
    assert_text_has(cli_errors, BNB_CURL);
    assert_int_equal(cli_call_shell("echo '<BIF></BIF>' >\"$1/net.xml\" && "
                                    "LD_LIBRARY_PATH=\"$1/broken\" \"$0\" sample \"$1/net.xml\" -n 1 -o \"$1/d.csv\""),
                     4);
    assert_text_has(cli_errors, "a library cannot be loaded: ");
    assert_text_has(cli_errors, BNB_LIBXML);
    assert_int_equal(cli_call_shell("LD_LIBRARY_PATH=\"$1/broken\" \"$0\" doctor"), 0);
    assert_text_has(cli_out, "absent  libcurl         a library cannot be loaded: ");
    assert_text_has(cli_out, "Debian's libcurl4");
    assert_text_has(cli_out, "absent  libxml2         a library cannot be loaded: ");
}

/* It is held where it reads its data: a writer can open a pipe once a reader has. */
static void the_program_starts_no_threads_of_its_own_accord(void **state) {
    (void)state;
    if (strstr(BNB_SANITIZERS, "thread")) {
        print_message("the thread sanitizer has a thread of its own: skipped\n");
        skip();
    }
    assert_int_equal(
        cli_call_shell("\"$0\" sample asia -n 50 -o \"$1/d.csv\" && mkfifo \"$1/pipe\" && "
                       "{ \"$0\" learn hc \"$1/pipe\" --quiet >\"$1/out\" 2>&1 & } && exec 3>\"$1/pipe\" && "
                       "grep Threads: /proc/$!/status && cat \"$1/d.csv\" >&3 && exec 3>&- && wait $!"),
        0);
    assert_string_equal(cli_out, "Threads:\t1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(libraries_are_looked_for_in_folders_of_the_system_alone),
        cli_test(a_library_in_the_current_folder_is_not_loaded),
        cli_test(a_library_of_few_commands_is_missed_by_them_alone),
        cli_test(the_program_starts_no_threads_of_its_own_accord),
    };
    return cmocka_run_group_tests_name("cli start", tests, NULL, NULL);
}
