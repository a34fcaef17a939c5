/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the targets for formats of networks do: no crash, and what is taken is valid and survives being written and
 * read. */
#ifndef BNB_TESTS_FUZZ_FUZZ_NETWORK_H
#define BNB_TESTS_FUZZ_FUZZ_NETWORK_H

#include "generators/networks/network_format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_assert_survives(const network_format *f, const any_network *net) {
    text_buffer text = {0}, again_text = {0};
    any_network again = {0};
    f->append(net, &text);
    if (f->append_loss)
        f->append_loss(net, &again_text);
    text_buffer_clear(&again_text);
    if (f->parse(text.data, text.length, "fuzz", &again, NULL, NULL) != STATUS_OK)
        abort();
    f->append(&again, &again_text);
    if (!f->is_of_tables || strcmp(f->name, "xdsl") == 0) { /* which put the nodes into another order */
        if (text.length != again_text.length)
            abort();
    } else if (text.length != again_text.length || memcmp(text.data, again_text.data, text.length) != 0) {
        abort();
    }
    any_network_clear(&again);
    text_buffer_clear(&text);
    text_buffer_clear(&again_text);
}

static inline void fuzz_format(const char *name, const uint8_t *data, size_t size) {
    const network_format *f = network_format_find(name);
    any_network net = {0};
    error_info err = {0};
    char *text = malloc(size ? size : 1); /* exactly: reading past the end is seen */
    if (!text)
        return;
    if (size)
        memcpy(text, data, size);
    if (f->parse(text, size, "fuzz", &net, NULL, &err) == STATUS_OK)
        fuzz_assert_survives(f, &net);
    else if (err.message[0] == '\0')
        abort();
    any_network_clear(&net);
    free(text);
}

#endif
