/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/program_variables.h"

#include <stddef.h>
#include <string.h>

bool program_gets_variable(const char *entry) {
    static const char *const names[] = {
        "PATH=",      "HOME=",      "LANG=",       "LC_",          "USER=",           "R_LIBS",
        "JAVA_HOME=", "CLASSPATH=", "PYTHONPATH=", "VIRTUAL_ENV=", "LD_LIBRARY_PATH="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}
