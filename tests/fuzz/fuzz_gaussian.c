/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for linear-Gaussian networks: no crash, and what is taken survives being
 * written and read again. */
#include "generators/networks/gaussian_file.h"
#include "fuzz_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_survives(const gaussian_net *net) {
    text_buffer text = {0}, again_text = {0};
    gaussian_net *again = NULL;
    error_info err = {0};
    gaussian_file_append(net, &text);
    if (gaussian_file_parse(text.data, text.length, "fuzz", &again, &err) != STATUS_OK)
        abort();
    gaussian_file_append(again, &again_text);
    if (text.length != again_text.length || memcmp(text.data, again_text.data, text.length) != 0)
        abort();
    gaussian_net_destroy(again);
    text_buffer_clear(&text);
    text_buffer_clear(&again_text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gaussian_net *net = NULL;
    error_info err = {0};
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    if (gaussian_file_parse(text, size, "fuzz", &net, &err) == STATUS_OK)
        assert_survives(net);
    else if (err.message[0] == '\0')
        abort();
    gaussian_net_destroy(net);
    free(text);
    return 0;
}
