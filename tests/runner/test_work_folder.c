/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workers that share a plan, and the collector of their results. */
#include "tests/runner/runner_support.h"

#include "runner/shared/plan_folder_internal.h"

#include <signal.h>

#include <sys/wait.h>

static pid_t work_apart(const char *folder) {
    pid_t child = fork();
    if (child == 0) {
        size_t n = 0;
        error_info err = {0};
        status st = runner_work(folder, true, &n, &err);
        _exit(st == STATUS_OK ? (int)n : 255);
    }
    return child;
}

static int exit_of(pid_t child) {
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void workers_share_a_plan_and_the_collector_takes_each_result_once(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *whole = new_store(), *collected = new_store();
    experiment e = declare(small);
    size_t n = 0;
    error_info err = {0};
    pid_t a, b;
    int n_a, n_b;
    (void)run_in(&e, whole, 2);
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    a = work_apart(folder);
    b = work_apart(folder);
    n_a = exit_of(a);
    n_b = exit_of(b);
    assert_int_equal(n_a + n_b, 24);
    assert_ok(runner_collect(folder, collected, &n, &err), &err);
    assert_int_equal(n, 24);
    assert_same_results(whole, collected);
    assert_ok(runner_collect(folder, collected, &n, &err), &err);
    assert_int_equal(n, 0);
    store *s = NULL;
    run_counts counts;
    assert_ok(store_open(collected, false, false, &s, &err), &err);
    counts = count_stored(s);
    assert_int_equal(counts.done, 24);
    store_close(s);
    experiment_clear(&e);
}

static void a_claim_of_a_dead_worker_is_taken_up_again(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(small);
    error_info err = {0};
    folder_list list = {0};
    int how;
    pid_t child;
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    do { /* until a worker dies with a claim in its hands */
        folder_list_clear(&list);
        child = work_apart(folder);
        (void)usleep(60000);
        (void)kill(child, SIGKILL);
        (void)waitpid(child, &how, 0);
        assert_ok(plan_folder_list(folder, "claimed", &list, &err), &err);
        if (WIFEXITED(how))
            break;
    } while (list.n == 0);
    folder_list_clear(&list);
    (void)exit_of(work_apart(folder));
    assert_ok(plan_folder_list(folder, "results", &list, &err), &err);
    for (size_t i = 0; i < list.n; i++)
        assert_true(i == 0 || strncmp(list.names[i], list.names[i - 1], 64) != 0);
    assert_int_equal(list.n, 24);
    folder_list_clear(&list);
    assert_ok(plan_folder_list(folder, "claimed", &list, &err), &err);
    assert_int_equal(list.n, 0);
    folder_list_clear(&list);
    experiment_clear(&e);
}

static void a_plan_laid_out_again_holds_what_has_no_result(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(small), other = declare(CELL);
    error_info err = {0};
    folder_list list = {0};
    char *path;
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    assert_int_equal(exit_of(work_apart(folder)), 24);
    assert_ok(plan_folder_list(folder, "results", &list, &err), &err);
    path = plan_folder_path(folder, "results", list.names[5]);
    assert_int_equal(unlink(path), 0);
    free(path);
    folder_list_clear(&list);
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    assert_ok(plan_folder_list(folder, "todo", &list, &err), &err);
    assert_int_equal(list.n, 1);
    folder_list_clear(&list);
    assert_int_equal(runner_write_plan(&other, folder, &err), STATUS_INVALID);
    assert_message_has(&err, "another plan lies there");
    experiment_clear(&e);
    experiment_clear(&other);
}

static void a_broken_result_does_not_hold_the_others_up(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *collected = new_store();
    experiment e = declare(CELL);
    size_t n = 0;
    error_info err = {0};
    char *results = path_join(folder, "results");
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    assert_int_equal(exit_of(work_apart(folder)), 1);
    put_file(results, "0000.json", "{");
    assert_int_equal(runner_collect(folder, collected, &n, &err), STATUS_PARSE);
    assert_message_has(&err, "0000.json");
    assert_int_equal(n, 1);
    free(results);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_share_a_plan_and_the_collector_takes_each_result_once),
        cmocka_unit_test(a_claim_of_a_dead_worker_is_taken_up_again),
        cmocka_unit_test(a_plan_laid_out_again_holds_what_has_no_result),
        cmocka_unit_test(a_broken_result_does_not_hold_the_others_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
