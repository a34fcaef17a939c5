/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What shells complete, and manual pages: both of the tables that the commands are made of. */
#include "tests/support/cli_support.h"

#include <string.h>

static const char *words(const char *a, const char *b, const char *c, const char *d) {
    const char *const line[] = {"completion", "words", "--", a, b, c, d, NULL};
    assert_int_equal(0, cli_call_list(line));
    return cli_out;
}

static void names_of_every_kind_are_offered(void **state) {
    (void)state;
    assert_text_has(words("le", NULL, NULL, NULL), "learn\tlearn a graph");
    assert_text_has(words("learn", "pc-", NULL, NULL), "pc-stable\t");
    assert_text_lacks(words("learn", "pc-", NULL, NULL), "hc\t");
    assert_string_equal("\t\n", words("learn", "hc", "", NULL));
    assert_text_has(words("sample", "ala", NULL, NULL), "alarm\t");
    assert_text_has(words("score", "bd", NULL, NULL), "bdeu\t");
    assert_text_has(words("test", "g", NULL, NULL), "g2\t");
    assert_text_has(words("discretize", "st", NULL, NULL), "steck\t");
    assert_text_has(words("run", "quick", NULL, NULL), "quickstart\t");
    assert_text_has(words("list", "learn", NULL, NULL), "learners\t");
    assert_text_has(words("networks", "fetch", "insur", NULL), "insurance\t");
    assert_text_has(words("networks", "fetch", "insurance", "wat"), "water\t");
    assert_text_has(words("help", "lea", NULL, NULL), "learn\t");
}

static void options_and_their_values_are_offered(void **state) {
    (void)state;
    assert_text_has(words("learn", "hc", "--thr", NULL), "--threads\t");
    assert_text_has(words("learn", "hc", "-O", "max"), "max_parents=\t");
    assert_text_has(words("learn", "hc", "-O", "score=bd"), "score=bdeu\t");
    assert_text_lacks(words("learn", "hc", "-O", "score=bd"), "score=bic");
    assert_text_has(words("learn", "hc", "--network", "ala"), "alarm\t");
    assert_text_has(words("report", "--format", "", NULL), "latex\t");
    assert_string_equal("", words("nonsense", "", NULL, NULL));
}

/* Sourced by bash itself, with what it sets when a tab is typed. */
static void bash_completes(void **state) {
    (void)state;
    assert_int_equal(0, cli_call_shell("command -v bash >/dev/null || exit 0\n"
                                       "cat >\"$1/try\" <<'EOF'\n"
                                       "bnbench() { \"$BNB\" \"$@\"; }\n"
                                       "compopt() { :; }\n"
                                       "eval \"$(bnbench completion bash)\"\n"
                                       "COMP_WORDS=(bnbench learn hc -O score = bde) COMP_CWORD=6\n"
                                       "_bnbench\n"
                                       "[ \"${COMPREPLY[*]}\" = bdeu ] || { echo \"${COMPREPLY[*]}\"; exit 1; }\n"
                                       "COMP_WORDS=(bnbench learn mmh) COMP_CWORD=2\n"
                                       "_bnbench\n"
                                       "[ \"${COMPREPLY[*]}\" = mmhc ] || { echo \"${COMPREPLY[*]}\"; exit 1; }\n"
                                       "EOF\n"
                                       "BNB=$0 bash \"$1/try\""));
}

static void every_shell_takes_its_script(void **state) {
    (void)state;
    assert_int_equal(0, cli_call_shell("for shell in bash zsh fish; do\n"
                                       "    \"$0\" completion $shell >\"$1/$shell\" || exit 1\n"
                                       "    ! command -v $shell >/dev/null || $shell -n \"$1/$shell\" || exit 1\n"
                                       "done"));
    assert_status(2, "completion", "csh");
    assert_status(2, "completion", "words");
}

static void every_command_has_a_page(void **state) {
    (void)state;
    assert_int_equal(
        0,
        cli_call_shell("\"$0\" --help | sed -n '/^Commands:/,/^Options:/s/^  \\([a-z]*\\) .*/\\1/p' >\"$1/names\"\n"
                       "[ \"$(wc -l <\"$1/names\")\" -gt 20 ] || exit 1\n"
                       "for name in $(cat \"$1/names\"); do\n"
                       "    \"$0\" man $name >\"$1/page\" || exit 1\n"
                       "    grep -q \"^bnbench..$name .. \" \"$1/page\" || { cat \"$1/page\"; exit 1; }\n"
                       "    ! command -v man >/dev/null ||\n"
                       "        MANROFFSEQ='' MANWIDTH=80 man --warnings -l \"$1/page\" 2>\"$1/warnings\" >/dev/null\n"
                       "    [ ! -s \"$1/warnings\" ] || { cat \"$1/warnings\"; exit 1; }\n"
                       "done"));
    assert_status(0, "man");
    assert_text_has(cli_out, "bnbench\\-learn");
    assert_status(2, "man", "lern");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(names_of_every_kind_are_offered),
        cli_test(options_and_their_values_are_offered),
        cli_test(bash_completes),
        cli_test(every_shell_takes_its_script),
        cli_test(every_command_has_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
