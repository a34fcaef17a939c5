/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Downloads of data sets from a server that this test starts itself on the loopback. No other network is used. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/data/dataset_file.h"
#include "generators/catalogue/dataset_fetch.h"
#include "generators/catalogue/dataset_locate.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const dataset_column three[] = {{"x", 0, 3, false}, {"kind", 2, 2, true}, {"y", 1, 3, false}};
static const dataset_entry form = {
    .name = "small", .n_columns = 3, .columns = three, .facts = {.rows = 3}, .n_fields = 3};

static const char rows[] = "x,kind,y\n1,a,2.50\n3,b,4\n5,a,6\n";

/* ---- a server of one process: the path says what it answers ---- */

typedef struct {
    pid_t pid;
    char base[64];
} server;

static void send_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

static void answer(int fd, const char *head, const char *body) {
    char text[256];
    int n = snprintf(text, sizeof text, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", head,
                     strlen(body));
    send_all(fd, text, (size_t)n);
    send_all(fd, body, strlen(body));
}

/* As many rows as `heart` has, of the right form; not its values. */
static const char *other_heart(void) {
    static char text[1 << 15];
    size_t used = (size_t)snprintf(text, sizeof text, "@relation x\n@data\n");
    for (int i = 0; i < 270; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d,%d,%d,%d,0,1,%d,1,0.5,2,3,7,%s\n", i % 41,
                                 i % 2, i % 4, i % 47, i % 144, i % 90, i % 2 ? "present" : "absent");
    return text;
}

static void serve(int fd) {
    char request[2048] = "";
    if (recv(fd, request, sizeof request - 1, 0) <= 0)
        return;
    if (strncmp(request, "GET /small/file.data ", 21) == 0)
        answer(fd, "200 OK", "1,2.50,a\n3,4,b\n3,?,b\n5,6,a\n");
    else if (strncmp(request, "GET /few/file.data ", 19) == 0)
        answer(fd, "200 OK", "1,2.50,a\n3,4,b\n");
    else if (strncmp(request, "GET /alike/file.data ", 21) == 0)
        answer(fd, "200 OK", "1,2.50,a\n3,4,b\n3,6,a\n");
    else if (strncmp(request, "GET /page/file.data ", 20) == 0)
        answer(fd, "200 OK", "<html>not what you think</html>");
    else if (strncmp(request, "GET /base/heart/heart.statlog.arff ", 35) == 0)
        answer(fd, "200 OK", other_heart());
    else
        answer(fd, "404 Not Found", "not found");
}

static int start_server(void **state) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server *s = calloc(1, sizeof *s);
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listening, 8), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&address, &size), 0);
    (void)snprintf(s->base, sizeof s->base, "http://127.0.0.1:%d", ntohs(address.sin_port));
    s->pid = fork();
    while (s->pid == 0) {
        int fd = accept(listening, NULL, NULL);
        serve(fd);
        (void)close(fd);
    }
    (void)close(listening);
    (void)setenv("no_proxy", "127.0.0.1", 1);
    *state = s;
    return 0;
}

static int stop_server(void **state) {
    server *s = *state;
    (void)kill(s->pid, SIGKILL);
    (void)waitpid(s->pid, NULL, 0);
    free(s);
    return 0;
}

static size_t count_files(const char *folder) {
    DIR *dir = opendir(folder);
    size_t n = 0;
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (dir)
        (void)closedir(dir);
    return n;
}

/* ---- downloads ---- */

static const fetch_options careful = {.allows_http = true};

static void what_comes_is_converted_checked_and_found_by_name(void **state) {
    const server *s = *state;
    const char *folder = scratch_folder();
    dataset_entry e = form;
    fetch_check check = FETCH_BY_DIGEST;
    char url[128], digest[TRANSFER_DIGEST_SIZE], *path = NULL, *located = NULL, *text = NULL;
    text_buffer bytes = {0};
    size_t length;
    dataset *data = NULL;
    error_info err = {0};
    e.form = SOURCE_FORM_CSV;
    (void)snprintf(url, sizeof url, "%s/small/file.data", s->base);
    assert_ok(dataset_download(&e, url, &careful, folder, &path, &check, &err), &err);
    assert_int_equal(check, FETCH_BY_CONTENT); /* the entry has no digest */
    assert_int_equal(count_files(folder), 2);
    (void)setenv("BNBENCH_CACHE", folder, 1);
    (void)unsetenv("BNBENCH_DATASETS");
    assert_ok(dataset_locate("small", ".csv", &located, &err), &err);
    assert_string_equal(located, path);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    assert_string_equal(text, rows);
    assert_ok(dataset_read(path, NULL, &data, NULL, &err), &err);
    assert_int_equal(dataset_kind(data), DATA_MIXED); /* by the schema: the numbers are whole and few */
    text_append(&bytes, rows);
    assert_ok(transfer_digest(bytes.data, bytes.length, digest, &err), &err);
    e.csv_sha256 = "00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff";
    assert_int_equal(dataset_download(&e, url, &careful, folder, NULL, &check, &err), STATUS_PARSE);
    assert_message_has(&err, e.csv_sha256);
    assert_message_has(&err, digest);
    e.csv_sha256 = digest;
    assert_ok(dataset_download(&e, url, &careful, folder, NULL, &check, &err), &err);
    assert_int_equal(check, FETCH_BY_DIGEST);
    assert_int_equal(count_files(folder), 2);
    text_buffer_clear(&bytes);
    dataset_destroy(data);
    free(located);
    free(path);
    free(text);
}

static void other_data_are_refused_and_nothing_is_left(void **state) {
    static const struct {
        const char *kind;
        status expected;
        const char *message;
    } cases[] = {
        {"none", STATUS_MISSING, "404"},
        {"few", STATUS_PARSE, "2 rows of 3 columns, not 3 of 3"},
        {"alike", STATUS_PARSE, "'x' has 2 distinct values, not 3"},
        {"page", STATUS_PARSE, "line 1: a row of 1 fields"},
    };
    const server *s = *state;
    const char *folder = scratch_folder();
    dataset_entry e = form;
    e.form = SOURCE_FORM_CSV;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        char url[128], *path = NULL;
        (void)snprintf(url, sizeof url, "%s/%s/file.data", s->base, cases[i].kind);
        if (dataset_download(&e, url, &careful, folder, &path, NULL, &err) != cases[i].expected ||
            !strstr(err.message, cases[i].message) || !strstr(err.message, url))
            fail_msg("%s: %s", cases[i].kind, err.message);
        assert_null(path);
        assert_int_equal(count_files(folder), 0);
    }
}

static void names_without_an_address_get_a_clear_sentence(void **state) {
    const server *s = *state;
    fetch_options from = {.allows_http = true};
    char base[128];
    error_info err = {0};
    (void)setenv("BNBENCH_CACHE", scratch_folder(), 1);
    assert_int_equal(dataset_fetch("hartemink-yeast", &careful, NULL, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, "no public address of the data set 'hartemink-yeast' is known");
    assert_int_equal(dataset_fetch("no such", &careful, NULL, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, "bnbench list datasets");
    (void)snprintf(base, sizeof base, "%s/base/", s->base);
    from.base_url = base; /* BASE/NAME/FILE comes, and is not heart */
    assert_int_equal(dataset_fetch("heart", &from, NULL, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, dataset_catalogue_find("heart")->csv_sha256);
    from.allows_other = true;
    assert_int_equal(dataset_fetch("heart", &from, NULL, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "these are not the data 'heart'");
    from.allows_http = false;
    assert_int_equal(dataset_fetch("heart", &from, NULL, NULL, &err), STATUS_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_is_converted_checked_and_found_by_name),
        cmocka_unit_test(other_data_are_refused_and_nothing_is_left),
        cmocka_unit_test(names_without_an_address_get_a_clear_sentence),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
