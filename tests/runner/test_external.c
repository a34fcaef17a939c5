/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs as learners: what they get, what is taken from them, and how they are ended. */
#include "tests/support/run_support.h"

#include "build_info.h"
#include "core/run/run_context.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

/* One cell on asia of a learner with that command; the folder holds the scripts. */
static job_record run_program_cell(const char *folder, const char *command, const char *limits) {
    text_buffer text = {0};
    const char *results = new_store();
    experiment e;
    text_append_format(&text,
                       "name: a\nseed: 5\nnetworks: [asia]\ndata: {samples: 30, test_samples: 20}\n"
                       "learners: [{id: ext, command: %s}]\nlimits: %s\nthreads: 3\n",
                       command, limits);
    e = declare_in(folder, text.data);
    (void)run_in(&e, results, 1);
    experiment_clear(&e);
    text_buffer_clear(&text);
    return only_record(results);
}

/* The same with a shell script. */
static job_record run_script(const char *script, const char *limits) {
    const char *folder = scratch_folder();
    put_file(folder, "learner.sh", script);
    return run_program_cell(folder, "[sh, learner.sh, \"{data}\", \"{graph}\", \"{seed}\", \"{threads}\"]", limits);
}

static void a_programs_graph_is_measured_like_any_other(void **state) {
    (void)state;
    job_record r = run_script("printf 'from,to,type\\ntub,either,directed\\nlung,either,directed\\n' > \"$2\"\n", "{}");
    assert_int_equal(r.state, JOB_DONE);
    assert_string_equal(r.graph_kind, "dag");
    assert_close(*job_record_metric(&r, "true_edges_found"), 2, 0);
    assert_close(*job_record_metric(&r, "missing_edges"), 6, 0);
    assert_non_null(job_record_metric(&r, "bdeu_test"));
    assert_null(job_record_metric(&r, "statistics")); /* it does not tell */
    assert_string_equal(r.options,
                        "{\"command\":[\"sh\",\"learner.sh\",\"{data}\",\"{graph}\",\"{seed}\",\"{threads}\"]}");
    assert_that(r.peak_memory_bytes, >, 0);
    assert_that(r.wall_seconds, >, 0);
    job_record_clear(&r);
}

static void the_kind_of_a_graph_is_read_off_it_or_said_by_it_or_declared(void **state) {
    (void)state;
    static const struct {
        const char *head, *edges, *returns, *kind;
    } cases[] = {
        {"", "tub,either,undirected", "", "skeleton"},
        {"", "tub,either,undirected\\nlung,either,undirected", ", returns: cpdag", "cpdag"},
        {"", "tub,either,directed\\nlung,either,undirected", "", "cpdag"},
        {"", "tub,either,directed\\nlung,either,undirected", ", returns: skeleton", "skeleton"},
        {"# kind: cpdag\\n", "tub,either,directed", "", "cpdag"},
        {"# kind: cpdag\\n", "tub,either,directed", ", returns: dag", "dag"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *folder = scratch_folder();
        char text[300], command[200];
        (void)snprintf(text, sizeof text, "printf '%sfrom,to,type\\n%s\\n' > \"$1\"\n", cases[i].head, cases[i].edges);
        (void)snprintf(command, sizeof command, "[sh, l.sh, \"{graph}\"]%s", cases[i].returns);
        put_file(folder, "l.sh", text);
        job_record r = run_program_cell(folder, command, "{}");
        assert_int_equal(r.state, JOB_DONE);
        assert_string_equal(r.graph_kind, cases[i].kind);
        job_record_clear(&r);
    }
}

/* What a program may write for asia: an eight-cycle, which is no graph of the kind, and no graph of any by its looks.
 */
static void a_graph_with_a_directed_cycle_is_no_result(void **state) {
    (void)state;
    static const char *const returns[] = {"", ", returns: cpdag", ", returns: dag", ", returns: skeleton"};
    for (size_t i = 0; i < sizeof returns / sizeof *returns; i++) {
        const char *folder = scratch_folder();
        char command[200];
        job_record r;
        (void)snprintf(command, sizeof command, "[sh, l.sh, \"{graph}\"]%s", returns[i]);
        put_file(folder, "l.sh",
                 "printf 'from,to,type\nasia,tub,directed\ntub,either,directed\neither,xray,directed\n"
                 "xray,lung,directed\nlung,smoke,directed\nsmoke,bronc,directed\nbronc,dysp,directed\n"
                 "dysp,asia,directed\n' > \"$1\"\n");
        r = run_program_cell(folder, command, "{}");
        if (i == 3) {
            assert_int_equal(r.state, JOB_DONE); /* its edges alone were promised */
            assert_string_equal(r.graph_kind, "skeleton");
        } else {
            assert_int_equal(r.state, JOB_FAILED);
            assert_non_null(strstr(r.message, "close a cycle through '"));
            assert_int_equal(r.n_metrics, 0);
        }
        job_record_clear(&r);
    }
}

/* asia -> tub - either <- lung: whichever way tub - either is directed, a v-structure is new. */
static void a_score_of_an_altered_graph_says_so(void **state) {
    (void)state;
    static const struct {
        const char *edges;
        double is_altered;
    } cases[] = {
        {"asia,tub,directed\\ntub,either,undirected\\nlung,either,directed\\n", 1},
        {"asia,tub,directed\\ntub,either,directed\\nlung,either,directed\\nasia,smoke,undirected\\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *folder = scratch_folder();
        char text[300];
        job_record r;
        (void)snprintf(text, sizeof text, "printf 'from,to,type\n%s' > \"$1\"\n", cases[i].edges);
        put_file(folder, "l.sh", text);
        r = run_program_cell(folder, "[sh, l.sh, \"{graph}\"], returns: cpdag", "{}");
        assert_int_equal(r.state, JOB_DONE);
        assert_close(*job_record_metric(&r, "scored_altered"), cases[i].is_altered, 0);
        assert_non_null(job_record_metric(&r, "bdeu_test"));
        assert_true((r.message && strstr(r.message, "altered graph")) == (cases[i].is_altered > 0));
        job_record_clear(&r);
    }
}

/* The script fails with a word for the first thing that is not as promised. */
static void a_program_gets_data_placeholders_and_a_small_environment(void **state) {
    (void)state;
    static const char script[] =
        "test -f \"$1\" || { echo no data >&2; exit 1; }\n"
        "test -f \"$(dirname \"$1\")/data.schema.csv\" || { echo no sidecar >&2; exit 1; }\n"
        "test $(wc -l < \"$1\") = 31 || { echo rows >&2; exit 1; }\n"
        "head -1 \"$1\" | grep -q either || { echo header >&2; exit 1; }\n"
        "test \"$3\" -ge 0 && test \"$3\" -lt 2147483648 || { echo seed >&2; exit 1; }\n"
        "test \"$4\" = 3 || { echo threads >&2; exit 1; }\n"
        "test \"$OMP_NUM_THREADS$OPENBLAS_NUM_THREADS$MKL_NUM_THREADS\" = 333 || { echo OMP >&2; exit 1; }\n"
        "test -z \"$SECRET_OF_THE_USER\" || { echo environment >&2; exit 1; }\n"
        "test \"$R_LIBS_USER\" = /r/libs || { echo R_LIBS_USER >&2; exit 1; }\n"
        "test -f learner.sh || { echo folder >&2; exit 1; }\n"
        "test -d \"$TMPDIR\" || { echo TMPDIR >&2; exit 1; }\n"
        "read line && { echo input >&2; exit 1; }\n"
        "echo chatter\n"
        "printf 'from,to,type\\n' > \"$2\"\n";
    assert_int_equal(setenv("SECRET_OF_THE_USER", "x", 1), 0);
    assert_int_equal(setenv("R_LIBS_USER", "/r/libs", 1), 0);
    job_record r = run_script(script, "{}");
    if (r.state != JOB_DONE)
        fail_msg("%s: %s", r.message, r.stderr_tail ? r.stderr_tail : "");
    assert_close(*job_record_metric(&r, "edges"), 0, 0);
    job_record_clear(&r);
}

static void a_program_sees_the_data_that_every_learner_sees(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *results = new_store();
    char *copy = path_join(folder, "copy.csv");
    experiment e = declare_in(folder, "name: a\nnetworks: [asia]\ndata: {samples: 40}\n"
                                      "learners: [{id: ext, command: [sh, copy.sh, \"{data}\", \"{graph}\"]}, hc]\n");
    put_file(folder, "copy.sh", "cat \"$1\" > copy.csv; printf 'from,to,type\\n' > \"$2\"\n");
    (void)run_in(&e, results, 2);
    record_list list = read_records(results);
    assert_int_equal(list.n, 2);
    assert_string_equal(list.items[0].fingerprint, list.items[1].fingerprint);
    assert_int_equal(list.items[0].seed, list.items[1].seed);
    assert_true(file_exists(copy));
    job_records_destroy(list.items, list.n);
    experiment_clear(&e);
    free(copy);
}

/* ---- what a program tells of itself ---- */

typedef struct {
    const char *script, *message;
} wrong_program;

static job_record run_with_facts(const char *facts) {
    AUTO(text_buffer_clear) text_buffer script = {0};
    text_append_format(&script, "printf 'from,to,type\\n' > \"$2\"\n%s\n", facts);
    return run_script(script.data, "{}");
}

static void a_program_tells_its_learning_seconds_and_its_version(void **state) {
    (void)state;
    job_record r =
        run_with_facts("echo '{\"learning_seconds\": 0.0625, \"version\": \"peer 4.9\"}' > \"$BNBENCH_FACTS\"");
    assert_int_equal(r.state, JOB_DONE);
    assert_close(*job_record_metric(&r, "learning_time"), 0.0625, 0);
    assert_string_equal(r.message, "peer 4.9");
    job_record_clear(&r);
    r = run_with_facts("echo '{}' > \"$BNBENCH_FACTS\"");
    assert_int_equal(r.state, JOB_DONE);
    assert_null(job_record_metric(&r, "learning_time"));
    assert_null(r.message);
    job_record_clear(&r);
    r = run_with_facts("");
    assert_int_equal(r.state, JOB_DONE);
    assert_null(job_record_metric(&r, "learning_time"));
    job_record_clear(&r);
}

static void what_a_program_tells_amiss_is_a_failed_cell(void **state) {
    (void)state;
    static const wrong_program cases[] = {
        {"mkdir \"$BNBENCH_FACTS\"", "no file"},
        {"mkfifo \"$BNBENCH_FACTS\"", "no file"},
        {"ln -s /dev/zero \"$BNBENCH_FACTS\"", "no file"},
        {"head -c 100000 /dev/zero > \"$BNBENCH_FACTS\"", "bytes"},
        {": > \"$BNBENCH_FACTS\"", "no JSON"},
        {"echo '[1]' > \"$BNBENCH_FACTS\"", "an object is expected"},
        {"echo '{\"learning_seconds\": -1}' > \"$BNBENCH_FACTS\"", "a number from 0 on"},
        {"echo '{\"learning_seconds\": \"1\"}' > \"$BNBENCH_FACTS\"", "a number from 0 on"},
        {"echo '{\"learning_seconds\": 1e999}' > \"$BNBENCH_FACTS\"", "1:"},
        {"echo '{\"version\": 4}' > \"$BNBENCH_FACTS\"", "version is to be a line"},
        {"echo '{\"version\": \"a\\u0009b\"}' > \"$BNBENCH_FACTS\"", "version is to be a line"},
        {"echo '{\"seconds\": 1}' > \"$BNBENCH_FACTS\"", "unknown member 'seconds'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        job_record r = run_with_facts(cases[i].script);
        assert_int_equal(r.state, JOB_FAILED);
        if (!strstr(r.message, "what the program wrote to $BNBENCH_FACTS: ") || !strstr(r.message, cases[i].message))
            fail_msg("%s: '%s' does not hold '%s'", cases[i].script, r.message, cases[i].message);
        assert_int_equal(r.n_metrics, 0);
        job_record_clear(&r);
    }
}

static void names_with_spaces_quotes_and_umlauts_reach_the_program_whole(void **state) {
    (void)state;
    char *folder = path_join(scratch_folder(), "ein Ordner mit 'ü' $(touch x) \"q\"");
    error_info err = {0};
    assert_ok(folder_create(folder, &err), &err);
    put_file(folder, "le arn.sh",
             "test \"$2\" = 'a b;$HOME' || exit 7\ntest -z \"$3\" || exit 8\nprintf 'from,to,type\\n' > \"$1\"\n");
    job_record r = run_program_cell(folder, "[sh, 'le arn.sh', \"{graph}\", 'a b;$HOME', '']", "{}");
    assert_int_equal(r.state, JOB_DONE);
    job_record_clear(&r);
    free(folder);
}

/* ---- programs that go wrong ---- */

static void a_program_that_goes_wrong_is_a_failed_cell(void **state) {
    (void)state;
    static const wrong_program cases[] = {
        {"echo first >&2; echo 'the reason' >&2; exit 3", "the program ended with status 3"},
        {"kill -SEGV $$", "the program was ended by signal 11 (Segmentation fault)"},
        {"kill -TERM $$", "the program was ended by signal 15"},
        {"exit 0", "the program ended well but wrote no graph"},
        {"mkdir \"$2\"", "{graph} is no file"},
        {"mkfifo \"$2\"", "{graph} is no file"},
        {"echo rubbish > \"$2\"", "the program's graph: "},
        {"head -c 5000 /dev/urandom > \"$2\"", "the program's graph: "},
        {"printf 'from,to,type\\nnobody,either,directed\\n' > \"$2\"", "nobody"},
        {"printf 'from,to,type\\ntub,either,sideways\\n' > \"$2\"", "sideways"},
        {": > \"$2\"", "the program's graph: "},
        {"printf 'from,to,type\\ntub,either,NaN\\n' > \"$2\"", "NaN"},
        {"printf 'from,to,type\\nnan,either,directed\\n' > \"$2\"", "'nan'"},
        {"printf 'from,to,type\\ntub,tub,directed\\n' > \"$2\"", "tub"},
        {"head -c 100000000 /dev/zero > \"$2\"", "the program's graph: "},
        {"truncate -s 2G \"$2\"", "larger than 1 GiB"},
        {"ln -s /dev/zero \"$2\"", "{graph} is no file"},
        {"ln -s \"$2\" \"$2\"", "wrote no graph"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        job_record r = run_script(cases[i].script, "{}");
        assert_int_equal(r.state, JOB_FAILED);
        if (!strstr(r.message, cases[i].message))
            fail_msg("%s: '%s' does not hold '%s'", cases[i].script, r.message, cases[i].message);
        assert_null(r.graph);
        assert_int_equal(r.n_metrics, 0);
        if (i == 0)
            assert_string_equal(r.stderr_tail, "first\nthe reason\n");
        job_record_clear(&r);
    }
}

static void a_program_that_promised_a_dag_is_held_to_it(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    put_file(folder, "l.sh", "printf 'from,to,type\\ntub,either,undirected\\n' > \"$1\"\n");
    job_record r = run_program_cell(folder, "[sh, l.sh, \"{graph}\"], returns: dag", "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_non_null(strstr(r.message, "the program promised a DAG"));
    job_record_clear(&r);
}

static void a_program_that_is_not_there_is_named(void **state) {
    (void)state;
    job_record r = run_program_cell(scratch_folder(), "[no-such-program-anywhere, x]", "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_non_null(strstr(r.message, "program 'no-such-program-anywhere' not found"));
    job_record_clear(&r);
    r = run_program_cell("/nowhere/at/all", "[sh, x]", "{}");
    assert_int_equal(r.state, JOB_FAILED);
    job_record_clear(&r);
    r = run_program_cell("/", "[/etc/passwd]", "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_non_null(strstr(r.message, "could not be started: Permission denied"));
    job_record_clear(&r);
}

static void only_the_end_of_a_flood_of_messages_is_kept(void **state) {
    (void)state;
    job_record r = run_script("i=0; while test $i -lt 3000; do echo \"this is line number $i\" >&2; i=$((i+1)); done\n"
                              "printf 'last\\377words' >&2; exit 1",
                              "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_int_equal(strlen(r.stderr_tail), 16384);
    assert_non_null(strstr(r.stderr_tail, "line number 2999\nlast?words"));
    assert_null(strstr(r.stderr_tail, "line number 5\n"));
    job_record_clear(&r);
}

/* A gigabyte each to standard output, which nobody reads, and to standard error, of which the end is kept. */
static void a_gigabyte_of_chatter_costs_no_memory(void **state) {
    (void)state;
    if (*BNB_SANITIZERS) {
        print_message("a sanitizer's shadow takes more than the limit: skipped\n");
        skip();
    }
    job_record r = run_script("head -c 1000000000 /dev/zero; head -c 1000000000 /dev/zero >&2; echo end >&2\n"
                              "printf 'from,to,type\\n' > \"$2\"\n",
                              "{memory: 100MiB}");
    assert_int_equal(r.state, JOB_DONE);
    assert_int_equal(strlen(r.stderr_tail), 16384);
    assert_string_equal(r.stderr_tail + 16380, "end\n");
    assert_that(run_peak_memory_bytes(), <, 200u << 20); /* of this process, which reads it all */
    job_record_clear(&r);
}

static void a_program_that_hangs_is_ended_at_its_limit(void **state) {
    (void)state;
    job_record r = run_script("echo started >&2; trap '' TERM INT; sleep 100 & sleep 100; sleep 100", "{time: 300ms}");
    assert_int_equal(r.state, JOB_TIMEOUT);
    assert_string_equal(r.message, "stopped at its limit of 0.3 s");
    assert_string_equal(r.stderr_tail, "started\n");
    assert_between(r.wall_seconds, 0.3, INFINITY);
    assert_int_equal(strlen(r.fingerprint), 64);
    job_record_clear(&r);
}

static const char glutton[] = "import time\n"
                              "kept = []\n"
                              "for i in range(400):\n"
                              "    kept.append(bytearray(b'x') * (8 << 20))\n"
                              "    time.sleep(0.005)\n"
                              "time.sleep(100)\n";

static bool has_python(void) {
    static const char *const argv[] = {"python3", "-c", "", NULL};
    return run_program(argv, NULL, NULL) == 0;
}

static void a_program_that_eats_memory_is_ended_at_its_limit(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    if (!has_python())
        skip();
    put_file(folder, "glutton.py", glutton);
    job_record r = run_program_cell(folder, "[python3, glutton.py]", "{memory: 200MiB, time: 60s}");
    assert_int_equal(r.state, JOB_MEMORY);
    assert_non_null(strstr(r.message, "its limit is 200 MiB"));
    assert_that(r.peak_memory_bytes, >, 190u << 20);
    assert_that(r.peak_memory_bytes, <, 1000u << 20);
    job_record_clear(&r);
}

static void memory_of_a_programs_children_counts(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    if (!has_python())
        skip();
    put_file(folder, "glutton.py", glutton);
    put_file(folder, "parent.sh", "setsid python3 glutton.py &\npython3 glutton.py &\nwait\n");
    job_record r = run_program_cell(folder, "[sh, parent.sh]", "{memory: 300MiB, time: 60s}");
    assert_int_equal(r.state, JOB_MEMORY);
    job_record_clear(&r);
}

/* ---- nothing stays behind ---- */

static bool says(const char *process, const char *word) {
    char path[64], line[512];
    size_t n;
    FILE *f;
    (void)snprintf(path, sizeof path, "/proc/%.20s/cmdline", process);
    f = fopen(path, "re");
    n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        (void)fclose(f);
    line[n] = '\0';
    for (size_t i = 0; i + 1 < n; i++) {
        if (line[i] == '\0')
            line[i] = ' ';
    }
    return strstr(line, word) != NULL;
}

/* Is there a process that carries this word in its command line? */
static bool is_running(const char *word) {
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    bool found = false;
    while (processes && !found && (entry = readdir(processes)))
        found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && says(entry->d_name, word);
    if (processes)
        (void)closedir(processes);
    return found;
}

static void what_a_program_started_ends_with_it(void **state) {
    (void)state;
    static const char *const limits[] = {"{}", "{time: 400ms}"};
    for (size_t i = 0; i < 2; i++) {
        char word[64], script[400];
        (void)snprintf(word, sizeof word, "30%ld.%zu", (long)getpid(), i);
        (void)snprintf(script, sizeof script,
                       "sleep %s & setsid sleep %s & (setsid sh -c 'sleep %s & sleep %s' &)\n"
                       "sleep 0.2\n%s\nprintf 'from,to,type\\n' > \"$2\"\n",
                       word, word, word, word, i == 0 ? "" : "sleep 50");
        job_record r = run_script(script, limits[i]);
        assert_int_equal(r.state, i == 0 ? JOB_DONE : JOB_TIMEOUT);
        for (int k = 0; k < 1000 && is_running(word); k++)
            (void)usleep(5000); /* their ends are on the way */
        assert_false(is_running(word));
        job_record_clear(&r);
    }
}

/* Twenty that are left behind end long before the program, which sees whether they become zombies for good. */
static void what_is_left_behind_is_reaped_while_the_program_runs(void **state) {
    (void)state;
    static const char script[] = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do\n"
                                 "  (echo $i >> ended &)\ndone\n"
                                 "until test $(wc -l < ended) = 20; do sleep 0.01; done\n"
                                 "for i in 1 2 3 4 5 6 7 8 9 10; do\n"
                                 "  test $(cat /proc/[0-9]*/stat 2> /dev/null | grep -c \" Z $PPID \") = 0 && break\n"
                                 "  test $i = 10 && exit 9\n  sleep 0.5\ndone\n"
                                 "printf 'from,to,type\\n' > \"$2\"\n";
    job_record r = run_script(script, "{}");
    if (r.state != JOB_DONE)
        fail_msg("%s: %s", r.message, r.stderr_tail ? r.stderr_tail : "");
    job_record_clear(&r);
}

/* ---- this program as a learner, for what no script does fast enough ---- */

/* Longer than any limit here; not for ever, should it outlive the test. */
enum { LIFE_S = 60 };

static void wait_long(void) {
    (void)alarm(LIFE_S);
    for (;;)
        (void)pause();
}

/* More children than two pages of memory hold numbers of, each in a session of its own. */
static void play_the_rabbit(void) {
    for (int i = 0; i < 3000; i++) {
        if (fork() == 0) {
            (void)setsid();
            wait_long();
        }
    }
    wait_long();
}

/* A daemon that is another process every moment. */
static void play_the_relay(void) {
    if (fork() > 0)
        wait_long();
    (void)setsid();
    for (double began = run_clock_s(); run_clock_s() < began + LIFE_S;) {
        pid_t next = fork();
        if (next > 0)
            _exit(0);
        if (next < 0)
            (void)usleep(1000);
    }
}

/* Ends with 1 where it was handed a descriptor more than the three. */
static void count_descriptors(void) {
    for (int fd = 3; fd < 1000; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            _exit(1);
    }
    _exit(0);
}

static void play(const char *role) {
    if (strcmp(role, "rabbit") == 0)
        play_the_rabbit();
    else if (strcmp(role, "relay") == 0)
        play_the_relay();
    count_descriptors();
}

/* One cell whose program is this one in that role, with the word in its command line. */
static job_record run_role(const char *role, const char *word, const char *limits) {
    char self[1024] = "", command[1200];
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    (void)snprintf(command, sizeof command, "[\"%s\", %s, w%s]", self, role, word);
    return run_program_cell(scratch_folder(), command, limits);
}

static void no_number_of_processes_outlives_a_limit(void **state) {
    (void)state;
    static const char *const roles[] = {"rabbit", "relay"};
    for (size_t i = 0; i < 2; i++) {
        char word[64];
        (void)snprintf(word, sizeof word, "31%ld.%zu", (long)getpid(), i);
        job_record r = run_role(roles[i], word, "{time: 2s}");
        assert_int_equal(r.state, JOB_TIMEOUT);
        assert_false(is_running(word)); /* at once: what started them has seen their ends */
        job_record_clear(&r);
    }
}

static void a_program_is_handed_three_descriptors(void **state) {
    int inherited = dup(2); /* as where a shell started us with one more */
    (void)state;
    assert_true(inherited >= 0);
    job_record r = run_role("descriptors", "x", "{}");
    assert_non_null(strstr(r.message, "wrote no graph")); /* it ended well */
    (void)close(inherited);
    job_record_clear(&r);
}

static void private_folders_go_away(void **state) {
    (void)state;
    const char *place = scratch_folder();
    assert_int_equal(setenv("TMPDIR", place, 1), 0);
    job_record r = run_script("mkdir -p \"$TMPDIR/a/b\"; echo x > \"$TMPDIR/a/b/c\"; ln -s / \"$TMPDIR/root\"\n"
                              "printf 'from,to,type\\n' > \"$2\"\n",
                              "{}");
    assert_int_equal(r.state, JOB_DONE);
    assert_int_equal(count_entries(place), 0);
    job_record_clear(&r);
    r = run_script("mkdir -p \"$TMPDIR/a/b\"; exit 3", "{}");
    assert_int_equal(count_entries(place), 0);
    job_record_clear(&r);
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* The runner is killed while a program runs: the program goes with it, and the next run sweeps up. */
static void a_killed_run_takes_its_programs_along(void **state) {
    (void)state;
    const char *place = scratch_folder(), *folder = scratch_folder(), *results = new_store();
    char word[64], script[300];
    (void)snprintf(word, sizeof word, "40%ld.5", (long)getpid());
    (void)snprintf(
        script, sizeof script,
        "sleep %s & setsid sleep %s & echo > started; test -f go || sleep 60\nprintf 'from,to,type\\n' > \"$1\"\n",
        word, word);
    put_file(folder, "l.sh", script);
    char *started = path_join(folder, "started");
    assert_int_equal(setenv("TMPDIR", place, 1), 0);
    experiment e = declare_in(folder, "name: a\nnetworks: [asia]\ndata: {samples: 40}\n"
                                      "learners: [{id: ext, command: [sh, l.sh, \"{graph}\"]}]\n");
    pid_t child = fork();
    if (child == 0) {
        run_options options = {.store_folder = results, .n_jobs = 1, .quiet = true};
        run_counts counts;
        bool interrupted;
        error_info err = {0};
        _exit(runner_run(&e, &options, &counts, &interrupted, &err) == STATUS_OK ? 0 : 1);
    }
    for (int i = 0; i < 5000 && !(file_exists(started) && is_running(word)); i++)
        (void)usleep(2000);
    assert_true(is_running(word));
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    for (int i = 0; i < 1000 && is_running(word); i++)
        (void)usleep(5000);
    assert_false(is_running(word));
    assert_int_equal(count_entries(place), 1);
    put_file(folder, "go", "");
    assert_int_equal(run_in(&e, results, 1).done, 1);
    assert_int_equal(count_entries(place), 0);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    experiment_clear(&e);
    free(started);
}

/* The id that a program writes into a file of that folder. */
static pid_t read_id(const char *folder) {
    char *path = path_join(folder, "id");
    long id = 0;
    for (int i = 0; i < 5000 && id == 0; i++) {
        FILE *f = fopen(path, "re");
        (void)usleep(2000);
        if (f) {
            if (fscanf(f, "%ld\n", &id) != 1)
                id = 0;
            (void)fclose(f);
        }
    }
    free(path);
    assert_that(id, >, 1);
    return (pid_t)id;
}

/* Told to end, the job ends what its program started, in sessions of their own too. */
static void a_job_that_is_told_to_end_takes_its_program_along(void **state) {
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP};
    for (size_t k = 0; k < 2; k++) {
        const char *place = scratch_folder(), *folder = scratch_folder(), *results = new_store();
        char word[64], script[300];
        int how = 0;
        (void)snprintf(word, sizeof word, "50%ld.%zu", (long)getpid(), k);
        (void)snprintf(script, sizeof script, "setsid sleep %s & sleep 0.1; echo $PPID > id_; mv id_ id; sleep %s\n",
                       word, word);
        put_file(folder, "l.sh", script);
        assert_int_equal(setenv("TMPDIR", place, 1), 0);
        experiment e = declare_in(folder, "name: a\nnetworks: [asia]\ndata: {samples: 40}\n"
                                          "learners: [{id: ext, command: [sh, l.sh, \"{graph}\"]}]\n");
        pid_t child = fork();
        if (child == 0)
            _exit((int)run_in(&e, results, 1).failed);
        pid_t job = read_id(folder);
        assert_true(is_running(word));
        assert_int_equal(kill(job, signals[k]), 0);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_int_equal(how, 1 << 8);
        assert_false(is_running(word)); /* at once: the job has seen their ends */
        assert_int_equal(count_entries(place), 0);
        assert_int_equal(unsetenv("TMPDIR"), 0);
        experiment_clear(&e);
    }
}

static void a_changed_script_runs_again(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *results = new_store();
    experiment e = declare_in(folder, "name: a\nnetworks: [asia]\ndata: {samples: 40}\n"
                                      "learners: [{id: ext, command: [sh, l.sh, \"{graph}\"]}]\n");
    put_file(folder, "l.sh", "exit 1\n");
    assert_int_equal(run_in(&e, results, 1).failed, 1);
    assert_int_equal(run_in(&e, results, 1).failed, 1);
    put_file(folder, "l.sh", "printf 'from,to,type\\n' > \"$1\"\n");
    assert_int_equal(run_in(&e, results, 1).done, 1);
    experiment_clear(&e);
}

static void the_rest_of_the_run_goes_on_beside_bad_programs(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare_in(folder, "name: a\nnetworks: [asia, survey]\ndata: {samples: 40, replicates: 2}\n"
                                      "limits: {time: 300ms}\n"
                                      "learners:\n"
                                      "  - hc\n"
                                      "  - {id: bad, command: [sh, -c, 'echo sorry >&2; exit 1']}\n"
                                      "  - {id: slow, command: [sleep, '50']}\n");
    run_counts counts = run_in(&e, folder, 2);
    store *s = NULL;
    text_buffer why = {0};
    error_info err = {0};
    assert_int_equal(counts.done, 4);
    assert_int_equal(counts.failed, 4);
    assert_int_equal(counts.timeout, 4);
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    explain_stored(s, &why);
    assert_non_null(strstr(
        why.data, "survey, 40 rows, replicate 2, bad: failed: the program ended with status 1; it said: sorry\n"));
    assert_non_null(strstr(why.data, "asia, 40 rows, replicate 1, slow: timeout: stopped at its limit of 0.3 s; a "
                                     "higher limits.time runs it again\n"));
    text_buffer_clear(&why);
    store_close(s);
    experiment_clear(&e);
}

int main(int argc, char **argv) {
    if (argc > 1)
        play(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_programs_graph_is_measured_like_any_other),
        cmocka_unit_test(the_kind_of_a_graph_is_read_off_it_or_said_by_it_or_declared),
        cmocka_unit_test(a_program_gets_data_placeholders_and_a_small_environment),
        cmocka_unit_test(a_program_sees_the_data_that_every_learner_sees),
        cmocka_unit_test(a_program_tells_its_learning_seconds_and_its_version),
        cmocka_unit_test(what_a_program_tells_amiss_is_a_failed_cell),
        cmocka_unit_test(names_with_spaces_quotes_and_umlauts_reach_the_program_whole),
        cmocka_unit_test(a_program_that_goes_wrong_is_a_failed_cell),
        cmocka_unit_test(a_program_that_promised_a_dag_is_held_to_it),
        cmocka_unit_test(a_graph_with_a_directed_cycle_is_no_result),
        cmocka_unit_test(a_score_of_an_altered_graph_says_so),
        cmocka_unit_test(a_program_that_is_not_there_is_named),
        cmocka_unit_test(only_the_end_of_a_flood_of_messages_is_kept),
        cmocka_unit_test(a_gigabyte_of_chatter_costs_no_memory),
        cmocka_unit_test(a_program_that_hangs_is_ended_at_its_limit),
        cmocka_unit_test(a_program_that_eats_memory_is_ended_at_its_limit),
        cmocka_unit_test(memory_of_a_programs_children_counts),
        cmocka_unit_test(what_a_program_started_ends_with_it),
        cmocka_unit_test(what_is_left_behind_is_reaped_while_the_program_runs),
        cmocka_unit_test(no_number_of_processes_outlives_a_limit),
        cmocka_unit_test(a_program_is_handed_three_descriptors),
        cmocka_unit_test(private_folders_go_away),
        cmocka_unit_test(a_killed_run_takes_its_programs_along),
        cmocka_unit_test(a_job_that_is_told_to_end_takes_its_program_along),
        cmocka_unit_test(a_changed_script_runs_again),
        cmocka_unit_test(the_rest_of_the_run_goes_on_beside_bad_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
