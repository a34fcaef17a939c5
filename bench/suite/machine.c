/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/machine.h"

#include "build_info.h"
#include "core/base/text.h"
#include "core/counting/counts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/utsname.h>

/* What stands behind "key :" in /proc/cpuinfo, into `out`. */
static void find_in_cpuinfo(const char *key, char *out, size_t size) {
    char line[1024];
    FILE *f = fopen("/proc/cpuinfo", "re");
    out[0] = '\0';
    while (f && !*out && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    }
    if (f)
        (void)fclose(f);
}

/* Kernels call a virtual machine's processor by its maker alone; family and model tell more. */
static json_t *processor(void) {
    AUTO(text_buffer_clear) text_buffer b = {0};
    char name[128], family[32], model[32], clock[32];
    find_in_cpuinfo("model name", name, sizeof name);
    find_in_cpuinfo("cpu family", family, sizeof family);
    find_in_cpuinfo("model\t", model, sizeof model);
    find_in_cpuinfo("cpu MHz", clock, sizeof clock);
    text_append(&b, *name ? name : "unknown");
    if (*family)
        text_append_format(&b, ", family %s, model %s", family, model);
    if (*clock)
        text_append_format(&b, ", %.4s MHz", clock);
    return json_of_buffer(&b);
}

static void append_cache(text_buffer *b, const char *name, int question) {
    long bytes = sysconf(question);
    if (bytes > 0)
        text_append_format(b, "%s%s %ld KiB", b->length ? ", " : "", name, bytes / 1024);
}

static json_t *caches(void) {
    AUTO(text_buffer_clear) text_buffer b = {0};
    append_cache(&b, "L1d", _SC_LEVEL1_DCACHE_SIZE);
    append_cache(&b, "L2", _SC_LEVEL2_CACHE_SIZE);
    append_cache(&b, "L3", _SC_LEVEL3_CACHE_SIZE);
    return json_of_buffer(&b);
}

static json_t *kernel(void) {
    struct utsname names;
    char text[2 * sizeof names.sysname + 2];
    if (uname(&names) != 0)
        return json_null();
    (void)snprintf(text, sizeof text, "%s %s", names.sysname, names.release);
    return json_of_text(text);
}

json_t *machine_of_this(void) {
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return json_object_of({"processor", processor()},
                          {"processors", json_of_size((uint64_t)sysconf(_SC_NPROCESSORS_ONLN))}, {"caches", caches()},
                          {"simd", json_of_text(counts_simd_level())}, {"memory_bytes", json_of_count(memory)},
                          {"system", kernel()});
}

json_t *machine_build(void) {
    return json_object_of({"version", json_of_text(BNB_VERSION)}, {"commit", json_of_text(BNB_COMMIT)},
                          {"compiler", json_of_text(BNB_COMPILER)}, {"kind", json_of_text(BNB_BUILD_TYPE)});
}

double machine_load(void) {
    double load;
    return getloadavg(&load, 1) == 1 ? load : NAN;
}

bool machine_is_busy(double load) {
    return load >= 0.5;
}
