/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that calls the library and wants no file written: tests/faults/traced.sh looks whether one is. */
#include "tests/library/every_call.h"

int main(void) {
    return call_everything() ? 0 : 1;
}
