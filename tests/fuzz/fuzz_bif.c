/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for BIF: no crash, and what is taken is valid and survives being written and read again. */
#include "generators/networks/bif.h"
#include "fuzz_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_survives(const bayes_net *net) {
    text_buffer text = {0};
    bayes_net *again = NULL;
    bif_append(net, NULL, &text);
    /* A name that needs quotes and holds one cannot be written; bif_write says so. */
    if (bif_parse(text.data, text.length, "fuzz", &again, NULL, NULL) == STATUS_OK) {
        for (size_t i = 0; i < bayes_net_node_count(net); i++) {
            size_t cells = bayes_net_configuration_count(net, i) * bayes_net_variable(net, i)->n_states;
            if (memcmp(bayes_net_table(net, i), bayes_net_table(again, i), cells * sizeof(double)) != 0)
                abort();
        }
    }
    bayes_net_destroy(again);
    text_buffer_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bayes_net *net = NULL;
    error_info err = {0};
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    if (bif_parse(text, size, "fuzz", &net, NULL, &err) == STATUS_OK) {
        if (bayes_net_validate(net, &err) != STATUS_OK)
            abort();
        assert_survives(net);
    } else if (err.message[0] == '\0') {
        abort();
    }
    bayes_net_destroy(net);
    free(text);
    return 0;
}
