/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/file.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <zlib.h>

static const size_t MOST = 1 << 26;

/* The joined path, valid until the eighth call from now. */
static const char *in_folder(const char *folder, const char *name) {
    static char paths[8][512];
    static int turn;
    char *path = paths[turn++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text) {
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
}

static void assert_holds(const char *path, const char *bytes, size_t length) {
    error_info err = {0};
    char *found = NULL;
    size_t n = 0;
    assert_ok(file_read(path, MOST, &found, &n, &err), &err);
    assert_int_equal(n, length);
    assert_memory_equal(found, bytes, length);
    assert_int_equal(found[n], '\0');
    free(found);
}

static size_t entries_in(const char *folder) {
    DIR *d = opendir(folder);
    size_t n = 0;
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d))
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    (void)closedir(d);
    return n;
}

static status read_status(const char *path, size_t most, error_info *err) {
    char *text = NULL;
    size_t length = 0;
    status st = file_read(path, most, &text, &length, err);
    free(text);
    return st;
}

static void what_was_written_is_read_back_byte_for_byte(void **state) {
    (void)state;
    static const char *const names[] = {"plain.txt", "packed.txt.gz", "packed.csv.zst", "a name with \"quotes\" & more",
                                        "größe-名.bin"};
    const char *folder = scratch_folder();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (size_t length = 0; length <= 300000; length = length * 7 + 1) {
            error_info err = {0};
            char *bytes = malloc(length + 1);
            for (size_t k = 0; k < length; k++)
                bytes[k] = (char)(k * k % 251);
            assert_ok(file_write(in_folder(folder, names[i]), bytes, length, &err), &err);
            assert_holds(in_folder(folder, names[i]), bytes, length);
            free(bytes);
        }
    }
    assert_int_equal(entries_in(folder), 5); /* no temporary file is left */
}

static void gzip_files_are_really_smaller_and_always_the_same(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    error_info err = {0};
    char *zeros = calloc(100000, 1);
    struct stat a, b;
    assert_ok(file_write(in_folder(folder, "a.gz"), zeros, 100000, &err), &err);
    (void)usleep(10000);
    assert_ok(file_write(in_folder(folder, "b.gz"), zeros, 100000, &err), &err);
    assert_int_equal(stat(in_folder(folder, "a.gz"), &a), 0);
    assert_int_equal(stat(in_folder(folder, "b.gz"), &b), 0);
    assert_true(a.st_size < 1000);
    assert_int_equal(a.st_size, b.st_size);
    free(zeros);
}

static void two_gzip_members_in_one_file_are_read_as_one_text(void **state) {
    (void)state;
    const char *path = in_folder(scratch_folder(), "two.gz");
    for (int i = 0; i < 2; i++) {
        gzFile f = gzopen(path, i == 0 ? "wb" : "ab");
        assert_int_equal(gzputs(f, i == 0 ? "first," : "second"), 6);
        assert_int_equal(gzclose(f), Z_OK);
    }
    FILE *f = fopen(path, "ab"); /* tapes and block devices pad with zeros */
    assert_int_equal(fwrite("\0\0\0\0", 1, 4, f), 4);
    assert_int_equal(fclose(f), 0);
    assert_holds(path, "first,second", 12);
}

static void broken_gzip_is_a_parse_error_wherever_it_is_cut(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    const char *whole = in_folder(folder, "whole.gz"), *cut = in_folder(folder, "cut");
    char packed[512];
    write_text(whole, "from,to,type\nA,B,directed\nB,C,directed\n");
    FILE *f = fopen(whole, "rb");
    size_t length = fread(packed, 1, sizeof packed, f);
    (void)fclose(f);
    for (size_t n = 2; n < length; n++) {
        error_info err = {0};
        f = fopen(cut, "wb");
        assert_int_equal(fwrite(packed, 1, n, f), n);
        (void)fclose(f);
        assert_int_equal(read_status(cut, MOST, &err), STATUS_PARSE);
        assert_message_has(&err, "broken gzip");
    }
    error_info err = {0};
    packed[length - 6] = (char)(packed[length - 6] ^ 1); /* the checksum */
    f = fopen(cut, "wb");
    assert_int_equal(fwrite(packed, 1, length, f), length);
    (void)fclose(f);
    assert_int_equal(read_status(cut, MOST, &err), STATUS_PARSE);
}

static void more_than_the_limit_is_refused_also_when_it_hides_in_gzip(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    error_info err = {0};
    char *zeros = calloc(1 << 22, 1);
    assert_ok(file_write(in_folder(folder, "bomb.gz"), zeros, 1 << 22, &err), &err);
    assert_ok(file_write(in_folder(folder, "big"), zeros, 1 << 22, &err), &err);
    assert_int_equal(read_status(in_folder(folder, "bomb.gz"), 1 << 20, &err), STATUS_INVALID);
    assert_message_has(&err, "more than 1048576 bytes");
    assert_int_equal(read_status(in_folder(folder, "big"), (1 << 22) - 1, &err), STATUS_INVALID);
    assert_int_equal(read_status(in_folder(folder, "big"), 1 << 22, &err), STATUS_OK);
    free(zeros);
}

static void write_bytes(const char *path, const void *bytes, size_t length) {
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

/* The program zstd 1.5.4 made the frame, of "first,"; before it is one that readers skip, behind it the same again. */
static void frames_of_zstd_in_one_file_are_read_as_one_text(void **state) {
    (void)state;
    static const unsigned char bytes[] = {0x50, 0x2a, 0x4d, 0x18, 3,    0,    0,    0,    'x',  'y',  'z',  0x28, 0xb5,
                                          0x2f, 0xfd, 0x04, 0x58, 0x31, 0x00, 0x00, 'f',  'i',  'r',  's',  't',  ',',
                                          0xc7, 0x7b, 0x8b, 0xf0, 0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x31, 0x00, 0x00,
                                          'f',  'i',  'r',  's',  't',  ',',  0xc7, 0x7b, 0x8b, 0xf0};
    const char *path = in_folder(scratch_folder(), "frames");
    write_bytes(path, bytes, sizeof bytes);
    assert_holds(path, "first,first,", 12);
    write_bytes(path, bytes, 11); /* the skipped one alone */
    assert_holds(path, "", 0);
}

static void broken_zstd_is_a_parse_error_wherever_it_is_cut_or_changed(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    const char *whole = in_folder(folder, "whole.zst"), *cut = in_folder(folder, "cut");
    char packed[512];
    write_text(whole, "from,to,type\nA,B,directed\nB,C,directed\n");
    FILE *f = fopen(whole, "rb");
    size_t length = fread(packed, 1, sizeof packed, f);
    (void)fclose(f);
    for (size_t n = 4; n < length; n++) {
        error_info err = {0};
        write_bytes(cut, packed, n);
        assert_int_equal(read_status(cut, MOST, &err), STATUS_PARSE);
        assert_message_has(&err, "broken zstd data at byte");
    }
    for (size_t n = 4; n < length; n++) {
        error_info err = {0};
        packed[n] = (char)(packed[n] ^ 4);
        write_bytes(cut, packed, length);
        assert_int_equal(read_status(cut, MOST, &err), STATUS_PARSE);
        packed[n] = (char)(packed[n] ^ 4);
    }
}

static void more_than_the_limit_is_refused_also_when_it_hides_in_zstd(void **state) {
    (void)state;
    /* A frame that asks for a window of 2 GiB, which `zstd --long=31` makes. */
    static const unsigned char greedy[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00};
    const char *folder = scratch_folder();
    error_info err = {0};
    char *zeros = calloc(1 << 22, 1);
    struct stat about;
    assert_ok(file_write(in_folder(folder, "bomb.zst"), zeros, 1 << 22, &err), &err);
    assert_int_equal(stat(in_folder(folder, "bomb.zst"), &about), 0);
    assert_true(about.st_size < 1000);
    assert_int_equal(read_status(in_folder(folder, "bomb.zst"), 1 << 20, &err), STATUS_INVALID);
    assert_message_has(&err, "more than 1048576 bytes");
    assert_int_equal(read_status(in_folder(folder, "bomb.zst"), 1 << 22, &err), STATUS_OK);
    write_bytes(in_folder(folder, "greedy.zst"), greedy, sizeof greedy);
    assert_int_equal(read_status(in_folder(folder, "greedy.zst"), 1 << 22, &err), STATUS_PARSE);
    assert_message_has(&err, "more than 128 MiB of memory");
    free(zeros);
}

static void what_cannot_be_read_says_why(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    error_info err = {0};
    assert_int_equal(read_status(in_folder(folder, "absent"), MOST, &err), STATUS_MISSING);
    assert_string_equal(err.message, "no such file");
    assert_int_equal(read_status(folder, MOST, &err), STATUS_INVALID);
    assert_message_has(&err, "is a folder");
    write_text(in_folder(folder, "file"), "x");
    assert_int_equal(read_status(in_folder(folder, "file/below"), MOST, &err), STATUS_MISSING);
}

static void what_cannot_be_written_says_why(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    error_info err = {0};
    assert_int_equal(file_write(folder, "x", 1, &err), STATUS_INVALID);
    assert_message_has(&err, "is a folder");
    assert_int_equal(file_write(in_folder(folder, "no/such/folder"), "x", 1, &err), STATUS_MISSING);
    assert_message_has(&err, "does not exist");
    assert_int_equal(file_write("", "x", 1, &err), STATUS_INVALID);
    assert_int_equal(entries_in(folder), 0);
}

static void a_new_file_has_the_rights_that_the_umask_leaves(void **state) {
    (void)state;
    static const mode_t masks[] = {022, 077, 002};
    const char *path = in_folder(scratch_folder(), "rights");
    for (size_t i = 0; i < 3; i++) {
        struct stat about;
        mode_t before = umask(masks[i]);
        write_text(path, "x");
        (void)umask(before);
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_mode & 0777, 0666 & ~masks[i]);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_file_that_is_replaced_stays_as_private_as_it_was(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0400, 0666};
    const char *path = in_folder(scratch_folder(), "rights.gz");
    struct stat about;
    write_text(path, "x");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(path, modes[i]), 0);
        write_text(path, "y");
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_mode & 07777, modes[i]);
    }
}

static void a_symbolic_link_keeps_pointing(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    const char *target = in_folder(folder, "target"), *link = in_folder(folder, "link");
    struct stat about;
    write_text(target, "old");
    assert_int_equal(symlink("target", link), 0);
    write_text(link, "new");
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_holds(target, "new", 3);
}

static void a_device_takes_the_bytes_and_stays_a_device(void **state) {
    (void)state;
    error_info err = {0};
    struct stat about;
    write_text("/dev/null", "x");
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    assert_int_equal(file_write("/dev/full", "x", 1, &err), STATUS_IO);
    assert_message_has(&err, strerror(ENOSPC));
}

static void *read_fifo(void *path) {
    char *text = NULL;
    size_t length = 0;
    error_info err = {0};
    if (file_read(path, MOST, &text, &length, &err) != STATUS_OK)
        return NULL;
    return text;
}

static void a_named_pipe_is_written_and_read_straight(void **state) {
    (void)state;
    char path[512];
    pthread_t reader;
    void *text = NULL;
    (void)snprintf(path, sizeof path, "%s", in_folder(scratch_folder(), "pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_fifo, path), 0);
    write_text(path, "through the pipe");
    assert_int_equal(pthread_join(reader, &text), 0);
    assert_string_equal(text, "through the pipe");
    free(text);
}

/* The limit on file sizes stands in for a full disk: the write fails in the middle. */
static void a_write_that_fails_leaves_the_old_content_and_nothing_else(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    const char *path = in_folder(folder, "result");
    struct rlimit before, small;
    error_info err = {0};
    char *bytes = calloc(1 << 20, 1);
    write_text(path, "old");
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){65536, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    status st = file_write(path, bytes, 1 << 20, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(st, STATUS_IO);
    assert_message_has(&err, strerror(EFBIG));
    assert_holds(path, "old", 3);
    assert_int_equal(entries_in(folder), 1);
    free(bytes);
}

typedef struct {
    const char *path;
    char fill;
    int failures;
} writer;

static void *write_often(void *arg) {
    writer *w = arg;
    char bytes[20000];
    memset(bytes, w->fill, sizeof bytes);
    for (int i = 0; i < 50; i++)
        w->failures += file_write(w->path, bytes, sizeof bytes, NULL) != STATUS_OK;
    return NULL;
}

static void a_reader_never_sees_half_of_a_file(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    const char *path = in_folder(folder, "shared");
    writer writers[] = {{path, 'a', 0}, {path, 'b', 0}};
    pthread_t threads[2];
    write_text(path, "");
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, &writers[i]), 0);
    for (int i = 0; i < 200; i++) {
        error_info err = {0};
        char *text = NULL;
        size_t length = 0;
        assert_ok(file_read(path, MOST, &text, &length, &err), &err);
        assert_true(length == 0 || length == 20000);
        for (size_t k = 1; k < length; k++)
            assert_int_equal(text[k], text[0]);
        free(text);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(writers[i].failures, 0);
    }
    assert_int_equal(entries_in(folder), 1);
}

/* Lets descriptor `fd` stand for the file while the test looks; returns the descriptor to give back. */
static int redirect(int fd, const char *path, int flags) {
    int kept = dup(fd), other = open(path, flags, 0600);
    assert_that(kept, >=, 0);
    assert_that(other, >=, 0);
    assert_true(dup2(other, fd) >= 0);
    (void)close(other);
    return kept;
}

static void give_back(int fd, int kept) {
    assert_true(dup2(kept, fd) >= 0);
    (void)close(kept);
}

static void a_dash_is_standard_input_and_standard_output(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    const char *in = in_folder(folder, "in.gz"), *out = in_folder(folder, "out");
    error_info err = {0};
    char *text = NULL;
    size_t length = 0;
    write_text(in, "from a pipe");
    int kept = redirect(STDIN_FILENO, in, O_RDONLY);
    status st = file_read("-", MOST, &text, &length, &err);
    give_back(STDIN_FILENO, kept);
    assert_ok(st, &err);
    assert_string_equal(text, "from a pipe");
    free(text);

    (void)fflush(stdout);
    kept = redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT);
    (void)fputs("first ", stdout);
    st = file_write("-", "second", 6, &err);
    give_back(STDOUT_FILENO, kept);
    assert_ok(st, &err);
    assert_holds(out, "first second", 12);
}

static void folders_are_made_with_all_that_lead_to_them(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    error_info err = {0};
    assert_ok(folder_create(in_folder(folder, "a/b c//d/"), &err), &err);
    assert_true(file_exists(in_folder(folder, "a/b c/d")));
    assert_ok(folder_create(in_folder(folder, "a/b c"), &err), &err);
    assert_ok(folder_create("/", &err), &err);
    write_text(in_folder(folder, "file"), "x");
    assert_int_equal(folder_create(in_folder(folder, "file"), &err), STATUS_INVALID);
    assert_int_equal(folder_create(in_folder(folder, "file/below"), &err), STATUS_INVALID);
    assert_int_equal(folder_create("", &err), STATUS_INVALID);
}

static void paths_are_joined_and_taken_apart(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"}, {"", "b", "b"}, {"a/b", "c d", "a/b/c d"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *joined = path_join(cases[i][0], cases[i][1]);
        assert_string_equal(joined, cases[i][2]);
        assert_string_equal(path_base(joined), cases[i][1]);
        free(joined);
    }
    assert_true(path_ends_with("x.bif.gz", ".gz"));
    assert_false(path_ends_with("gz", ".gz"));
    assert_false(path_ends_with("x.gz.bif", ".gz"));
}

static void assert_relative(const char *from, const char *to, const char *expected) {
    char *path = path_relative(from, to);
    if (!expected)
        assert_null(path);
    else
        assert_string_equal(path ? path : "(none)", expected);
    free(path);
}

static void a_folder_is_named_from_another(void **state) {
    (void)state;
    assert_relative("/a/b", "/a/b", ".");
    assert_relative("/a/b/c", "/a", "../..");
    assert_relative("/a", "/a/b/c", "b/c");
    assert_relative("/a/stores/x", "/a/experiments", "../../experiments");
    assert_relative("/a/bc", "/a/b", "../b");
    assert_relative("/a/b", "/a/bc", "../bc");
    assert_relative("/a/b", "/c/d", NULL);
    assert_relative("/ab", "/a", NULL);
}

/* The limit of data, graphs and networks, plain and unpacked; a reader's own limit stays. */
static void the_most_that_is_read_is_the_users_to_set(void **state) {
    char *plain = path_join(scratch_folder(), "a.csv"), *packed = path_join(scratch_folder(), "a.csv.gz");
    static char bytes[5000];
    error_info err = {0};
    (void)state;
    assert_ok(file_write(plain, bytes, sizeof bytes, &err), &err);
    assert_ok(file_write(packed, bytes, sizeof bytes, &err), &err);
    assert_int_equal(setenv("BNBENCH_READ_LIMIT", "1kB", 1), 0);
    assert_int_equal(read_status(plain, FILE_READ_MOST, &err), STATUS_INVALID);
    assert_string_equal(err.message, "holds more than 1000 bytes, the most that is read; BNBENCH_READ_LIMIT raises it");
    assert_int_equal(read_status(packed, FILE_READ_MOST, &err), STATUS_INVALID);
    assert_ok(read_status(plain, 6000, &err), &err);
    assert_int_equal(setenv("BNBENCH_READ_LIMIT", "5kB", 1), 0);
    assert_ok(read_status(packed, FILE_READ_MOST, &err), &err);
    assert_int_equal(setenv("BNBENCH_READ_LIMIT", "much", 1), 0);
    assert_int_equal(read_status(plain, FILE_READ_MOST, &err), STATUS_INVALID);
    assert_string_equal(err.message, "BNBENCH_READ_LIMIT is 'much'; it must be a size, like 16GiB");
    assert_int_equal(unsetenv("BNBENCH_READ_LIMIT"), 0);
    assert_int_equal(read_status(plain, 4000, &err), STATUS_INVALID);
    assert_string_equal(err.message, "holds more than 4000 bytes, the most that is read");
    free(plain);
    free(packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_back_byte_for_byte),
        cmocka_unit_test(gzip_files_are_really_smaller_and_always_the_same),
        cmocka_unit_test(two_gzip_members_in_one_file_are_read_as_one_text),
        cmocka_unit_test(broken_gzip_is_a_parse_error_wherever_it_is_cut),
        cmocka_unit_test(more_than_the_limit_is_refused_also_when_it_hides_in_gzip),
        cmocka_unit_test(frames_of_zstd_in_one_file_are_read_as_one_text),
        cmocka_unit_test(broken_zstd_is_a_parse_error_wherever_it_is_cut_or_changed),
        cmocka_unit_test(more_than_the_limit_is_refused_also_when_it_hides_in_zstd),
        cmocka_unit_test(what_cannot_be_read_says_why),
        cmocka_unit_test(what_cannot_be_written_says_why),
        cmocka_unit_test(a_new_file_has_the_rights_that_the_umask_leaves),
        cmocka_unit_test(a_file_that_is_replaced_stays_as_private_as_it_was),
        cmocka_unit_test(a_symbolic_link_keeps_pointing),
        cmocka_unit_test(a_device_takes_the_bytes_and_stays_a_device),
        cmocka_unit_test(a_named_pipe_is_written_and_read_straight),
        cmocka_unit_test(a_write_that_fails_leaves_the_old_content_and_nothing_else),
        cmocka_unit_test(a_reader_never_sees_half_of_a_file),
        cmocka_unit_test(a_dash_is_standard_input_and_standard_output),
        cmocka_unit_test(folders_are_made_with_all_that_lead_to_them),
        cmocka_unit_test(paths_are_joined_and_taken_apart),
        cmocka_unit_test(a_folder_is_named_from_another),
        cmocka_unit_test(the_most_that_is_read_is_the_users_to_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
