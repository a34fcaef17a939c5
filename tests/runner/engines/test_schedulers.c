/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that schedulers are called with, and what is read out of their answers. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "runner/engines/tasks_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

static const submission usual = {.folder = "/shared/a b%j",
                                 .script = "/shared/a b%j/engine/worker.sh",
                                 .name = "bnbench-1",
                                 .n_tasks = 7,
                                 .needs = {.memory_mib = 1536, .time_s = 90, .n_threads = 2},
                                 .avoid = ""};

static void assert_words(char **words, size_t n, const char *expected) {
    AUTO(text_buffer_clear) text_buffer got = {0};
    for (size_t i = 0; i < n; i++)
        text_append_format(&got, "<%s>", words[i]);
    assert_string_equal(got.data ? got.data : "", expected);
    texts_destroy(words, n);
}

static void a_word_of_a_template_stays_one_word_whatever_its_places_hold(void **state) {
    char **words = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    assert_ok(
        template_words("qsub -t 1-{tasks} -l 'h_vmem={memory}M,h_rt={time}' -pe smp {threads} -N {name} {script} ''",
                       &usual, &words, &n, &err),
        &err);
    assert_words(words, n,
                 "<qsub><-t><1-7><-l><h_vmem=1536M,h_rt=90><-pe><smp><2><-N><bnbench-1>"
                 "</shared/a b%j/engine/worker.sh><>");
}

static void a_brace_that_begins_no_place_is_itself(void **state) {
    char **words = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    assert_ok(template_words("parallel {} ::: {1..3} ${HOME} {{tasks}}", &usual, &words, &n, &err), &err);
    assert_words(words, n, "<parallel><{}><:::><{1..3}><${HOME}><{7}>");
}

static void a_place_that_has_no_value_is_refused(void **state) {
    submission s = usual;
    char **words = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    s.needs.memory_mib = 0;
    assert_int_equal(template_words("q {memory}", &s, &words, &n, &err), STATUS_INVALID);
    assert_message_has(&err, "{memory} has no value, since the experiment has no limits.memory");
    texts_destroy(words, n);
    words = NULL;
    n = 0;
    assert_int_equal(template_words("q {nodes}", &s, &words, &n, &err), STATUS_INVALID);
    assert_message_has(&err, "there is no {nodes}");
    texts_destroy(words, n);
}

static void sbatch_gets_the_limits_and_what_the_user_adds_last(void **state) {
    submission s = usual;
    char **words = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    s.avoid = "n1,n2";
    assert_ok(slurm_words(&s, "--partition=short --comment='two words'", &words, &n, &err), &err);
    assert_words(words, n,
                 "<sbatch><--parsable><--requeue><--open-mode=append><--job-name=bnbench-1><--array=1-7>"
                 "<--output=/shared/a b%%j/engine/%A_%a.log><--cpus-per-task=2><--mem=1536M><--time=2>"
                 "<--exclude=n1,n2><--partition=short><--comment=two words></shared/a b%j/engine/worker.sh>");
}

static void what_has_no_limit_is_not_asked_for(void **state) {
    submission s = usual;
    char **words = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    s.needs = (task_needs){.n_threads = 1};
    s.folder = "/f";
    s.script = "/f/w";
    assert_ok(slurm_words(&s, NULL, &words, &n, &err), &err);
    assert_words(words, n,
                 "<sbatch><--parsable><--requeue><--open-mode=append><--job-name=bnbench-1><--array=1-7>"
                 "<--output=/f/engine/%A_%a.log><--cpus-per-task=1></f/w>");
}

static void tasks_wait_or_are_at_work(void **state) {
    task_counts counts;
    char lines[256];
    (void)state;
    slurm_count("", &counts);
    assert_int_equal(counts.n_waiting + counts.n_running, 0);
    slurm_count("RUNNING|None\nPENDING|Resources\nPENDING|Priority\nCOMPLETING|None\n", &counts);
    assert_int_equal(counts.n_waiting, 2);
    assert_int_equal(counts.n_running, 2);
    assert_string_equal(counts.why, "Resources");
    memset(lines, 'x', sizeof lines);
    memcpy(lines, "PENDING|", 8);
    lines[sizeof lines - 1] = '\0';
    lines[20] = '\033';
    slurm_count(lines, &counts); /* too long to be shown whole, and with what a terminal would obey */
    assert_int_equal(counts.n_waiting, 1);
    assert_string_equal(counts.why, "xxxxxxxxxxxx?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
}

static void put_worker(const char *folder, const char *name, time_t sign_s) {
    const struct timespec times[2] = {{.tv_sec = sign_s}, {.tv_sec = sign_s}};
    AUTO_FREE char *place = plan_folder_path(folder, "spool", name);
    assert_int_equal(mkdir(place, 0755), 0);
    assert_int_equal(utimensat(AT_FDCWD, place, times, 0), 0);
}

/* The first worker of the machine b is dead. */
static void the_machines_of_workers_that_live_are_each_named_once(void **state) {
    const char *folder = scratch_folder();
    const folder_plan p = {.lease_s = 10};
    const lease own = {.folder = folder, .worker = "a.9-z"};
    AUTO(tasks_clear) tasks t = {.folder = folder, .plan = &p, .command = {.out = -1, .errors = -1}};
    error_info err = {0};
    (void)state;
    assert_ok(plan_folder_make(folder, &err), &err);
    put_worker(folder, "a.1-x", 1000);
    put_worker(folder, "a.2-x", 1000);
    put_worker(folder, "a.9-z", 1000);
    put_worker(folder, "b.1-x", 500);
    put_worker(folder, "b.2-x", 1000);
    put_worker(folder, "bb.1-x", 1000);
    assert_ok(tasks_see_living(&t, &own, 1005, &err), &err);
    assert_int_equal(t.n_living, 4);
    assert_string_equal(t.machines.data, "a, b, bb");
}

/* Those of contrib/engines: a comment, and one line for --submit. */
static void each_template_that_ships_can_be_submitted(void **state) {
    static const char *const files[] = {"htcondor", "kubernetes", "parallel", "pbs", "sge"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64], *text = NULL, **words = NULL;
        const char *line;
        size_t length, n = 0, n_scripts = 0;
        error_info err = {0};
        (void)snprintf(path, sizeof path, "contrib/engines/%s", files[i]);
        assert_ok(file_read(source_path(path), 1 << 16, &text, &length, &err), &err);
        line = strstr(text, "\n") + 1;
        while (*line == '#')
            line = strstr(line, "\n") + 1;
        assert_int_equal(strcspn(line, "\n"), strlen(line) - 1); /* the last one */
        assert_ok(template_words(line, &usual, &words, &n, &err), &err);
        for (size_t w = 0; w < n; w++) {
            assert_null(strstr(words[w], "{"));
            n_scripts += strstr(words[w], usual.script) != NULL;
        }
        assert_int_equal(n_scripts, 1);
        texts_destroy(words, n);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_of_a_template_stays_one_word_whatever_its_places_hold),
        cmocka_unit_test(a_brace_that_begins_no_place_is_itself),
        cmocka_unit_test(a_place_that_has_no_value_is_refused),
        cmocka_unit_test(sbatch_gets_the_limits_and_what_the_user_adds_last),
        cmocka_unit_test(what_has_no_limit_is_not_asked_for),
        cmocka_unit_test(each_template_that_ships_can_be_submitted),
        cmocka_unit_test(tasks_wait_or_are_at_work),
        cmocka_unit_test(the_machines_of_workers_that_live_are_each_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
