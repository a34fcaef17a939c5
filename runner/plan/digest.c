/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/digest_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

struct digest {
    EVP_MD_CTX *context;
    bool failed;
};

status digest_create(digest **out, error_info *err) {
    digest *d = calloc(1, sizeof *d);
    if (d)
        d->context = EVP_MD_CTX_new();
    if (!d || !d->context || !EVP_DigestInit_ex(d->context, EVP_sha256(), NULL)) {
        digest_destroy(d);
        return error_out_of_memory(err);
    }
    *out = d;
    return STATUS_OK;
}

void digest_destroy(digest *d) {
    if (d)
        EVP_MD_CTX_free(d->context);
    free(d);
}

static void update(digest *d, const void *bytes, size_t n) {
    if (!EVP_DigestUpdate(d->context, bytes, n))
        d->failed = true;
}

void digest_number(digest *d, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i) & 0xFF);
    update(d, bytes, sizeof bytes);
}

void digest_bytes(digest *d, const void *bytes, size_t n) {
    digest_number(d, n);
    update(d, bytes, n);
}

void digest_text(digest *d, const char *text) {
    digest_bytes(d, text, strlen(text));
}

status digest_finish(digest *d, char hex[DIGEST_HEX_SIZE], error_info *err) {
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (!EVP_DigestFinal_ex(d->context, hash, &n) || d->failed || n != 32)
        return error_set(err, STATUS_BUG, "SHA-256 is not available");
    for (unsigned i = 0; i < n; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[2 * n] = '\0';
    if (!EVP_DigestInit_ex(d->context, EVP_sha256(), NULL))
        return error_out_of_memory(err);
    return STATUS_OK;
}

static void add_node(digest *d, const bayes_net *net, size_t node) {
    const variable *v = bayes_net_variable(net, node);
    size_t n_parents = 0;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    const double *table = bayes_net_table(net, node);
    digest_text(d, v->name);
    digest_number(d, v->n_states);
    for (size_t k = 0; k < v->n_states; k++)
        digest_text(d, v->states[k]);
    digest_number(d, n_parents);
    for (size_t k = 0; k < n_parents; k++)
        digest_number(d, parents[k]);
    for (size_t k = 0; k < bayes_net_configuration_count(net, node) * v->n_states; k++) {
        uint64_t bits;
        memcpy(&bits, &table[k], sizeof bits);
        digest_number(d, bits);
    }
}

status digest_network(const bayes_net *net, char hex[DIGEST_HEX_SIZE], error_info *err) {
    AUTO_PTR(digest_destroy) digest *d = NULL;
    CHECK(digest_create(&d, err));
    digest_number(d, bayes_net_node_count(net));
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        add_node(d, net, i);
    return digest_finish(d, hex, err);
}
