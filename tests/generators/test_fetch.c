/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Downloads from a server that this test starts itself on the loopback. No other network is used. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "generators/catalogue/any_network.h"
#include "generators/catalogue/bnrep.h"
#include "generators/catalogue/network_fetch.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a server of one process: the path says what it answers ---- */

typedef struct {
    pid_t pid;
    char base[64]; /* http://127.0.0.1:PORT */
    char *asia;    /* asia.bif.gz */
    size_t asia_length;
    char *bomb; /* blanks, more than may be, in gzip */
    size_t bomb_length;
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

static void answer(int fd, const char *head, size_t declared, const char *body, size_t length) {
    char text[256];
    int n =
        snprintf(text, sizeof text, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", head, declared);
    send_all(fd, text, (size_t)n);
    send_all(fd, body, length);
}

static void answer_endlessly(int fd) {
    static const char head[] = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    static char megabyte[1 << 20];
    send_all(fd, head, strlen(head));
    for (int i = 0; i < 80; i++)
        send_all(fd, megabyte, sizeof megabyte);
}

/* /good/asia/..., and so on; for /wrong and /garbled other content, /half less than it declares. */
static void serve(int fd, const server *s) {
    /* Four nodes and three arcs, as algorithms1 of bnRep has, in the form of pgmpy's JSON. */
    static const char gaussian[] =
        "{\"nodes\": [\"a\", \"b\", \"c\", \"d\"], \"arcs\": [[\"a\", \"b\"], [\"b\", \"c\"], [\"c\", \"d\"]], "
        "\"cpds\": {"
        "\"a\": {\"coefficients\": {\"(Intercept)\": [0]}, \"variance\": [1], \"parents\": []},"
        "\"b\": {\"coefficients\": {\"(Intercept)\": [0], \"a\": [1]}, \"variance\": [1], \"parents\": [\"a\"]},"
        "\"c\": {\"coefficients\": {\"(Intercept)\": [0], \"b\": [1]}, \"variance\": [1], \"parents\": [\"b\"]},"
        "\"d\": {\"coefficients\": {\"(Intercept)\": [0], \"c\": [1]}, \"variance\": [1], \"parents\": [\"c\"]}}}";
    char request[2048] = "";
    static const char wrong[] =
        "network x { } variable a { type discrete [ 1 ] { y }; } probability ( a ) { table 1; }";
    if (recv(fd, request, sizeof request - 1, 0) <= 0)
        return;
    if (strncmp(request, "GET /rep/bnrep/", 15) == 0) /* asia, whatever is asked for, but for the one of JSON */
        answer(fd, "200 OK", strstr(request, ".json ") ? strlen(gaussian) : s->asia_length,
               strstr(request, ".json ") ? gaussian : s->asia,
               strstr(request, ".json ") ? strlen(gaussian) : s->asia_length);
    else if (strncmp(request, "GET /good/asia/asia.bif.gz ", 27) == 0)
        answer(fd, "200 OK", s->asia_length, s->asia, s->asia_length);
    else if (strncmp(request, "GET /moved/", 11) == 0)
        answer(fd, "302 Found\r\nLocation: /good/asia/asia.bif.gz", 0, "", 0);
    else if (strncmp(request, "GET /file/", 10) == 0)
        answer(fd, "302 Found\r\nLocation: file:///etc/passwd", 0, "", 0);
    else if (strncmp(request, "GET /loop/", 10) == 0)
        answer(fd, "302 Found\r\nLocation: /loop/x", 0, "", 0);
    else if (strncmp(request, "GET /half/", 10) == 0)
        answer(fd, "200 OK", s->asia_length, s->asia, s->asia_length / 2);
    else if (strncmp(request, "GET /cut/", 9) == 0)
        answer(fd, "200 OK", s->asia_length / 2, s->asia, s->asia_length / 2);
    else if (strncmp(request, "GET /wrong/", 11) == 0)
        answer(fd, "200 OK", strlen(wrong), wrong, strlen(wrong));
    else if (strncmp(request, "GET /garbled/", 13) == 0)
        answer(fd, "200 OK", 13, "<html></html>", 13);
    else if (strncmp(request, "GET /bomb/", 10) == 0)
        answer(fd, "200 OK", s->bomb_length, s->bomb, s->bomb_length);
    else if (strncmp(request, "GET /empty/", 11) == 0)
        answer(fd, "200 OK", 0, "", 0);
    else if (strncmp(request, "GET /large/", 11) == 0)
        answer(fd, "200 OK", (size_t)1 << 33, "x", 1);
    else if (strncmp(request, "GET /endless/", 13) == 0)
        answer_endlessly(fd);
    else if (strncmp(request, "GET /silent/", 12) != 0)
        answer(fd, "404 Not Found", 9, "not found", 9);
}

static int listen_on_loopback(char base[64]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    (void)snprintf(base, 64, "http://127.0.0.1:%d", ntohs(address.sin_port));
    return fd;
}

/* Compressed by our own writer. */
static char *pack(const char *text, size_t length, size_t *packed_length) {
    char *path = path_join(scratch_folder(), "x.gz"), *packed = malloc(length + 1000);
    FILE *file;
    error_info err = {0};
    assert_ok(file_write(path, text, length, &err), &err);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(packed);
    *packed_length = fread(packed, 1, length + 1000, file);
    (void)fclose(file);
    free(path);
    return packed;
}

/* asia of the source tree. */
static void load_asia(server *s) {
    char *text;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(source_path("networks/asia.bif"), FILE_READ_MOST, &text, &length, &err), &err);
    s->asia = pack(text, length, &s->asia_length);
    free(text);
}

static void load_bomb(server *s) {
    size_t length = TRANSFER_MOST_BYTES + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, ' ', length);
    s->bomb = pack(text, length, &s->bomb_length);
    free(text);
}

static int start_server(void **state) {
    server *s = calloc(1, sizeof *s);
    int listening = listen_on_loopback(s->base);
    load_asia(s);
    load_bomb(s);
    s->pid = fork();
    if (s->pid == 0) {
        for (;;) {
            int fd = accept(listening, NULL, NULL);
            serve(fd, s);
            (void)close(fd);
        }
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
    free(s->asia);
    free(s->bomb);
    free(s);
    return 0;
}

/* ---- the tests ---- */

/* From this server, which speaks http, and whatever its digest is: asia is packed here from the file that ships. */
#define FROM(base) (&(fetch_options){.base_url = (base), .allows_http = true, .allows_other = true})

static const char *base_of(const server *s, const char *kind) {
    static char base[128];
    (void)snprintf(base, sizeof base, "%s/%s", s->base, kind);
    return base;
}

static size_t count_files(const char *folder) {
    DIR *dir = opendir(folder);
    size_t n = 0;
    while (dir) {
        const struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    if (dir)
        (void)closedir(dir);
    return n;
}

static void fetched_networks_are_put_into_the_cache(void **state) {
    char *cache = path_join(scratch_folder(), "deep/er"), *path = NULL, *located = NULL;
    fetch_check check = FETCH_BY_DIGEST;
    bayes_net *net = NULL;
    error_info err = {0};
    (void)setenv("BNBENCH_CACHE", cache, 1);
    assert_ok(network_fetch("asia", FROM(base_of(*state, "good/")), &path, &check, &err), &err);
    assert_int_equal(check, FETCH_BY_CONTENT);
    assert_int_equal(count_files(cache), 1);
    assert_ok(catalogue_locate("asia", &located, &err), &err);
    assert_string_equal(located, path);
    assert_ok(catalogue_load("asia", &net, &err), &err);
    assert_ok(catalogue_check(catalogue_find("asia"), net, &err), &err);
    assert_ok(network_fetch("asia", FROM(base_of(*state, "good")), NULL, NULL, &err),
              &err); /* again, over the old one */
    assert_int_equal(count_files(cache), 1);
    bayes_net_destroy(net);
    free(located);
    free(path);
    free(cache);
}

static void the_environment_names_another_repository_and_redirections_are_followed(void **state) {
    const char *cache = scratch_folder();
    error_info err = {0};
    (void)setenv("BNBENCH_CACHE", cache, 1);
    (void)setenv("BNBENCH_REPOSITORY", base_of(*state, "moved"), 1);
    assert_ok(network_fetch("asia", FROM(NULL), NULL, NULL, &err), &err);
    assert_int_equal(count_files(cache), 1);
    (void)unsetenv("BNBENCH_REPOSITORY");
}

/* Each leaves the cache as it was: first empty, then with the good file in it. */
static void bad_answers_are_refused_and_change_nothing(void **state) {
    static const struct {
        const char *kind;
        status expected;
        const char *message;
    } cases[] = {
        {"none", STATUS_MISSING, "404"},
        {"half", STATUS_MISSING, "asia/asia.bif.gz"},
        {"silent", STATUS_MISSING, "asia/asia.bif.gz"},
        {"empty", STATUS_MISSING, "is empty"},
        {"cut", STATUS_PARSE, "gzip"},
        {"wrong", STATUS_PARSE, "not the network 'asia' as published: it has 1 nodes, not 8"},
        {"garbled", STATUS_PARSE, "expected 'network'"},
        {"bomb", STATUS_PARSE, "holds more than 67108864 bytes"},
        {"large", STATUS_PARSE, "more than 64 MiB"},
        {"endless", STATUS_PARSE, "more than 64 MiB"},
        {"file", STATUS_MISSING, "asia/asia.bif.gz"},
        {"loop", STATUS_MISSING, "redirect"},
    };
    const char *cache = scratch_folder();
    (void)setenv("BNBENCH_CACHE", cache, 1);
    for (int round = 0; round < 2; round++) {
        error_info err = {0};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char *path = NULL;
            status st = network_fetch("asia", FROM(base_of(*state, cases[i].kind)), &path, NULL, &err);
            if (st != cases[i].expected || !strstr(err.message, cases[i].message))
                fail_msg("%s: found %s '%s'", cases[i].kind, status_name(st), err.message);
            assert_null(path);
            assert_int_equal(count_files(cache), round);
        }
        assert_ok(network_fetch("asia", FROM(base_of(*state, "good")), NULL, NULL, &err), &err);
    }
}

/* The network that ships has every figure of the catalogue, and is another file than the repository's. */
static void a_file_of_another_digest_is_refused(void **state) {
    const char *cache = scratch_folder();
    fetch_options careful = {.base_url = base_of(*state, "good"), .allows_http = true};
    char *path = NULL;
    error_info err = {0};
    (void)setenv("BNBENCH_CACHE", cache, 1);
    assert_int_equal(network_fetch("asia", &careful, &path, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "SHA-256");
    assert_message_has(&err, catalogue_find("asia")->sha256);
    assert_message_has(&err, "--unverified");
    assert_null(path);
    assert_int_equal(count_files(cache), 0);
}

/* The first word of what a shell script prints; $0 is that path. */
static char *word_of(const char *script, const char *path) {
    char *out = NULL;
    assert_int_equal(run_program((const char *[]){"sh", "-c", script, path, NULL}, &out, NULL), 0);
    out[strcspn(out, " \n")] = '\0';
    return out;
}

static void a_file_of_that_digest_is_verified_however_it_is_packed(void **state) {
    const server *s = *state;
    catalogue_entry entry = *catalogue_find("asia");
    fetch_options careful = {.allows_http = true};
    fetch_check check = FETCH_BY_CONTENT;
    char url[160], *digest = word_of("sha256sum <\"$0\"", source_path("networks/asia.bif"));
    error_info err = {0};
    (void)snprintf(url, sizeof url, "%s/good/asia/asia.bif.gz", s->base);
    entry.sha256 = digest;
    assert_ok(network_download(&entry, url, &careful, scratch_folder(), NULL, &check, &err), &err);
    assert_int_equal(check, FETCH_BY_DIGEST);
    free(digest);
}

static void http_is_taken_only_where_it_is_allowed(void **state) {
    const char *cache = scratch_folder();
    fetch_options secure = {.base_url = base_of(*state, "good"), .allows_other = true};
    error_info err = {0};
    (void)setenv("BNBENCH_CACHE", cache, 1);
    assert_int_equal(network_fetch("asia", &secure, NULL, NULL, &err), STATUS_INVALID);
    assert_message_has(&err, "--http");
    (void)setenv("BNBENCH_REPOSITORY", base_of(*state, "good"), 1);
    secure.base_url = NULL;
    assert_int_equal(network_fetch("asia", &secure, NULL, NULL, &err), STATUS_INVALID);
    (void)unsetenv("BNBENCH_REPOSITORY");
    assert_int_equal(count_files(cache), 0);
}

static void no_server_and_other_protocols_are_errors(void **state) {
    const server *s = *state;
    catalogue_entry entry = *catalogue_find("asia");
    char base[64], url[300];
    error_info err = {0};
    int fd = listen_on_loopback(base); /* a port that nobody listens on, once it is closed */
    (void)close(fd);
    (void)s;
    (void)setenv("BNBENCH_CACHE", scratch_folder(), 1);
    assert_int_equal(network_fetch("asia", FROM(base), NULL, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, base);
    (void)snprintf(url, sizeof url, "file://%s", source_path("networks/asia.bif"));
    assert_int_equal(network_download(&entry, url, FROM(NULL), scratch_folder(), NULL, NULL, &err), STATUS_MISSING);
}

static void only_networks_with_an_address_can_be_fetched(void **state) {
    error_info err = {0};
    (void)state;
    assert_int_equal(network_fetch("no such", FROM(NULL), NULL, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, "bnbench list networks");
    assert_int_equal(network_fetch("child3", FROM(NULL), NULL, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, "3 tiles of 'child'");
}

/* No checksum of these is known, so that nodes and arcs alone are compared; bnRep's asia has those of the other. */
static void networks_of_bnrep_are_taken_unverified_where_nodes_and_arcs_are_theirs(void **state) {
    const char *cache = scratch_folder();
    fetch_options careful = {.base_url = base_of(*state, "rep"), .allows_http = true};
    fetch_check check = FETCH_BY_DIGEST;
    char *path = NULL, *located = NULL;
    any_network net = {0};
    error_info err = {0};
    (void)setenv("BNBENCH_CACHE", cache, 1);
    assert_int_equal(network_fetch("bnrep-asia", &careful, NULL, NULL, &err), STATUS_INVALID);
    assert_message_has(&err, "no checksum of 'bnrep-asia' is known; --unverified");
    assert_int_equal(catalogue_locate("bnrep-asia", &located, &err), STATUS_MISSING);
    assert_message_has(&err, "`bnbench networks fetch bnrep-asia --unverified` gets it");
    assert_int_equal(network_fetch("bnrep-bank", FROM(base_of(*state, "rep")), NULL, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "it is not the network 'bnrep-bank': it has 8 nodes and 8 arcs, not 4 and 5");
    assert_int_equal(network_fetch("bnrep-cachexia1", FROM(base_of(*state, "rep")), NULL, NULL, &err), STATUS_PARSE);
    assert_int_equal(count_files(cache), 0);
    assert_ok(network_fetch("bnrep-asia", FROM(base_of(*state, "rep")), &path, &check, &err), &err);
    assert_int_equal(check, FETCH_BY_CONTENT);
    assert_ok(catalogue_locate("bnrep-asia", &located, &err), &err);
    assert_string_equal(located, path);
    assert_ok(any_network_load("bnrep-asia", &net, &err), &err);
    assert_int_equal(any_network_node_count(&net), 8);
    any_network_clear(&net);
    assert_ok(network_fetch("bnrep-algorithms1", FROM(base_of(*state, "rep")), NULL, NULL, &err), &err);
    assert_ok(any_network_load("bnrep-algorithms1", &net, &err), &err);
    assert_non_null(net.gaussian);
    any_network_clear(&net);
    free(located);
    free(path);
}

static void the_names_of_bnrep_are_distinct_and_none_of_the_others(void **state) {
    (void)state;
    assert_int_equal(bnrep_count(), 217);
    for (size_t i = 0; i < bnrep_count(); i++) {
        const bnrep_entry *e = bnrep_at(i);
        assert_ptr_equal(bnrep_find(e->name), e);
        assert_null(catalogue_find(e->name));
        assert_int_equal(strncmp(e->name, BNREP_PREFIX, strlen(BNREP_PREFIX)), 0);
        assert_true(e->nodes > 0);
    }
}

/* The shared copies are those whose digests the catalogue holds. */
static void the_digests_of_the_catalogue_are_those_of_the_copies(void **state) {
    server *s = *state;
    (void)s;
    if (!shared_path("networks"))
        skip();
    for (size_t i = 0; i < catalogue_count(); i++) {
        const catalogue_entry *e = catalogue_at(i);
        char relative[64], *digest;
        if (e->tile)
            continue;
        (void)snprintf(relative, sizeof relative, "networks/%s.bif.gz", e->name);
        digest = word_of("gzip -dc \"$0\" | sha256sum", shared_path(relative));
        assert_string_equal(digest, e->sha256);
        free(digest);
    }
}

int main(void) {
    (void)unsetenv("BNBENCH_NETWORKS"); /* what it names would be found before anything is fetched */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetched_networks_are_put_into_the_cache),
        cmocka_unit_test(the_environment_names_another_repository_and_redirections_are_followed),
        cmocka_unit_test(bad_answers_are_refused_and_change_nothing),
        cmocka_unit_test(a_file_of_another_digest_is_refused),
        cmocka_unit_test(a_file_of_that_digest_is_verified_however_it_is_packed),
        cmocka_unit_test(http_is_taken_only_where_it_is_allowed),
        cmocka_unit_test(no_server_and_other_protocols_are_errors),
        cmocka_unit_test(only_networks_with_an_address_can_be_fetched),
        cmocka_unit_test(networks_of_bnrep_are_taken_unverified_where_nodes_and_arcs_are_theirs),
        cmocka_unit_test(the_names_of_bnrep_are_distinct_and_none_of_the_others),
        cmocka_unit_test(the_digests_of_the_catalogue_are_those_of_the_copies),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
