/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/parts.h"

#include "bench/suite/process.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <stdio.h>
#include <unistd.h>

#define MOST_KERNELS_S 300.0
#define MOST_RUNNER_S 900.0

static status run_json(const suite *s, const char *name, const char *const *more, json_t **out, error_info *err) {
    AUTO_FREE char *program = path_join(s->tools, name), *answer = path_join(s->scratch, "kernels.json");
    const char *words[8] = {program, "--json"};
    process_cost cost;
    CHECK_ALLOC(program);
    CHECK_ALLOC(answer);
    for (size_t i = 0; i < 5 && more[i]; i++)
        words[2 + i] = more[i];
    (void)fprintf(stderr, "kernels: %s\n", name);
    *out = NULL;
    CHECK(process_run(&(process_call){.words = words, .output = answer, .most_s = MOST_KERNELS_S}, &cost, err));
    if (cost.is_stopped) {
        *out = json_null();
        return STATUS_OK;
    }
    if (cost.exit_status != 0)
        return error_set(err, STATUS_INVALID, "%s ended with status %d", program, cost.exit_status);
    return json_read_file(answer, 1 << 20, out, err);
}

status kernels_measure(const suite *s, bool is_quick, json_t **out, error_info *err) {
    const char *const columns[] = {is_quick ? "400" : "10000", NULL}, *const rows[] = {"1000", is_quick ? NULL : "5000",
                                                                                       NULL};
    json_t *part = NULL;
    CHECK_ALLOC(*out = json_object());
    CHECK(run_json(s, "bench_pairs", columns, &part, err));
    CHECK(json_put(*out, "pairs", part, err));
    CHECK(run_json(s, "bench_counts", rows, &part, err));
    return json_put(*out, "tables", part, err);
}

static status write_experiment(const char *path, size_t n_jobs, error_info *err) {
    AUTO(text_buffer_clear) text_buffer b = {0};
    text_append_format(&b,
                       "name: jobs\nnetworks: [asia]\ndata: {samples: [50], replicates: %zu, test_samples: 0}\n"
                       "learners: [empty]\nmetrics: [time]\n",
                       n_jobs);
    CHECK(text_buffer_check(&b, err));
    return file_write(path, b.data, b.length, err);
}

status runner_measure(const suite *s, size_t n_jobs, json_t **out, error_info *err) {
    AUTO_FREE char *path = path_join(s->scratch, "jobs.yaml"), *store = path_join(s->scratch, "jobs-store");
    char at_once[24];
    process_cost cost;
    CHECK_ALLOC(path);
    CHECK_ALLOC(store);
    CHECK(write_experiment(path, n_jobs, err));
    (void)snprintf(at_once, sizeof at_once, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    (void)fprintf(stderr, "runner: %zu jobs\n", n_jobs);
    CHECK(process_run(&(process_call){.words = (const char *const[]){s->program, "run", path, "--jobs", at_once,
                                                                     "--store", store, "--quiet", NULL},
                                      .most_s = MOST_RUNNER_S},
                      &cost, err));
    if (cost.is_stopped) {
        *out = json_null();
        return STATUS_OK;
    }
    if (cost.exit_status != 0)
        return error_set(err, STATUS_INVALID, "a run of %zu jobs ended with status %d", n_jobs, cost.exit_status);
    *out = json_object_of({"jobs", json_of_size(n_jobs)}, {"at_once", json_of_text(at_once)},
                          {"elapsed_s", json_of_double(cost.elapsed_s)}, {"cpu_s", json_of_double(cost.cpu_s)},
                          {"others", json_of_double(cost.others)});
    CHECK_ALLOC(*out);
    return STATUS_OK;
}
