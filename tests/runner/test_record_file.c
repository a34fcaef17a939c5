/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that carries the record of one job. */
#include "tests/runner/runner_support.h"

#include "runner/job/job_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/plan/plan_internal.h"

#include <ctype.h>

static void a_result_file_gives_the_record_back_bit_for_bit(void **state) {
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308, 1e22, -0.0};
    job_record a = {.key = text_copy("k"),
                    .network = text_copy("nétwork"),
                    .learner = text_copy("l \"q\"\n"),
                    .state = JOB_TIMEOUT,
                    .is_cut_short = true,
                    .n_samples = 7,
                    .seed = 1u << 30,
                    .stderr_tail = text_copy("bad \xff\xc3 bytes \x01 and tab\t"),
                    .cpu_seconds = 0.1,
                    .tests = {.requests = 3, .computed = 2, .skipped = 1}};
    job_record b = {0};
    error_info err = {0};
    char *path = path_join(scratch_folder(), "r.json"), name[8];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        (void)snprintf(name, sizeof name, "m%zu", i);
        assert_ok(job_record_set_metric(&a, name, values[i], &err), &err);
    }
    assert_ok(record_write(&a, path, &err), &err);
    assert_ok(record_read(path, &b, &err), &err);
    assert_same_record(&a, &b);
    assert_close(b.cpu_seconds, 0.1, 0);
    assert_string_equal(b.stderr_tail, "bad ?? bytes ? and tab\t");
    job_record_clear(&a);
    job_record_clear(&b);
    free(path);
}

static void a_broken_result_file_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"format\": 2, \"state\": \"done\"}",
                                        "{\"format\": 2, \"state\": \"well\"}",
                                        "{\"format\": 1, \"state\": \"done\"}"};
    const char *folder = scratch_folder();
    char *path = path_join(folder, "r.json");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        job_record r = {0};
        error_info err = {0};
        put_file(folder, "r.json", texts[i]);
        assert_int_equal(record_read(path, &r, &err), STATUS_PARSE);
    }
    free(path);
}

/* Every digit and letter of the file in turn is another one: none of these files is a result. */
static void a_result_file_in_which_one_character_changed_is_refused(void **state) {
    (void)state;
    job_record a = {.key = text_copy("k"),
                    .network = text_copy("n"),
                    .learner = text_copy("l"),
                    .graph = text_copy("from,to,type\n"),
                    .cpu_seconds = 0.1},
               b = {0};
    error_info err = {0};
    char *path = path_join(scratch_folder(), "r.json"), *text = NULL;
    size_t length = 0, n_changed = 0;
    FILE *f;
    assert_ok(job_record_set_metric(&a, "shd", 17, &err), &err);
    assert_ok(record_write(&a, path, &err), &err);
    assert_ok(file_read(path, 1 << 20, &text, &length, &err), &err);
    for (size_t i = 0; i < length; i++) {
        char before = text[i];
        if (!isalnum((unsigned char)before))
            continue;
        text[i] = before == '7' ? '8' : '7';
        assert_non_null(f = fopen(path, "we"));
        assert_int_equal(fwrite(text, 1, length, f), length);
        assert_int_equal(fclose(f), 0);
        if (record_read(path, &b, &err) != STATUS_PARSE)
            fail_msg("a '%c' for the '%c' in byte %zu was not seen", text[i], before, i);
        text[i] = before;
        n_changed++;
    }
    assert_that(n_changed, >, 300);
    job_record_clear(&a);
    free(text);
    free(path);
}

/* In this process, so that a sanitizer sees what is left behind. */
static void a_job_writes_its_result_and_tells_when_it_learns(void **state) {
    (void)state;
    experiment e = declare(small);
    char *path = path_join(scratch_folder(), "r.json");
    int messages[2];
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(pipe(messages), 0);
    for (size_t i = 0; i < 3; i++) {
        job j;
        job_record r = {0};
        job_message m[2];
        assert_ok(job_init(p, i, &j, &err), &err);
        assert_int_equal(job_run(&j, path, NULL, messages[1]), JOB_EXIT_DONE);
        assert_int_equal(read(messages[0], m, sizeof m), sizeof m);
        assert_int_equal(m[0].event, JOB_LEARNING_STARTS);
        assert_int_equal(m[1].event, JOB_LEARNING_ENDS);
        assert_ok(record_read(path, &r, &err), &err);
        assert_string_equal(r.key, j.key);
        assert_string_equal(r.fingerprint, m[0].fingerprint);
        job_record_clear(&r);
    }
    (void)close(messages[0]);
    (void)close(messages[1]);
    plan_destroy(p);
    experiment_clear(&e);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_file_gives_the_record_back_bit_for_bit),
        cmocka_unit_test(a_broken_result_file_is_refused),
        cmocka_unit_test(a_result_file_in_which_one_character_changed_is_refused),
        cmocka_unit_test(a_job_writes_its_result_and_tells_when_it_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
