/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a function says that it could not do its work: a code for the program, a sentence for the person. */
#ifndef BNB_CORE_BASE_STATUS_H
#define BNB_CORE_BASE_STATUS_H

#include <stddef.h>
#include <stdlib.h>

typedef enum {
    STATUS_OK,
    STATUS_INVALID, /* the caller asked for something that cannot be */
    STATUS_PARSE,   /* an input does not say what its format promises */
    STATUS_MISSING, /* a file, network or program is not there */
    STATUS_IO,      /* reading or writing failed */
    STATUS_MEMORY,  /* no memory, or a table past its limit */
    STATUS_BUG      /* a promise of our own was broken */
} status;

typedef struct {
    status code;
    char message[1024];
} error_info;

#define BNB_MUST_CHECK __attribute__((warn_unused_result))
#define BNB_PRINTF(string, first) __attribute__((format(printf, string, first)))

/** Jumps to `cleanup:` with the status in `st` unless the call succeeded. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((st = (call)) != STATUS_OK)                                                                                \
            goto cleanup;                                                                                              \
    } while (0)

/** Sets `st` and jumps to `cleanup:` when an allocation failed. */
#define TRY_ALLOC(pointer)                                                                                             \
    do {                                                                                                               \
        if (!(pointer)) {                                                                                              \
            st = error_out_of_memory(err);                                                                             \
            goto cleanup;                                                                                              \
        }                                                                                                              \
    } while (0)

/** Returns the status at once unless the call succeeded: TRY for functions that have nothing to free. */
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        status check_status = (call);                                                                                  \
        if (check_status != STATUS_OK)                                                                                 \
            return check_status;                                                                                       \
    } while (0)

/** Returns STATUS_MEMORY when an allocation failed. */
#define CHECK_ALLOC(pointer)                                                                                           \
    do {                                                                                                               \
        if (!(pointer))                                                                                                \
            return error_out_of_memory(err);                                                                           \
    } while (0)

/**
 * A local variable that is released where its scope ends, however that is: `AUTO_FREE char *path = NULL;`,
 * `AUTO_PTR(dag_destroy) dag *g = NULL;`, `AUTO(text_buffer_clear) text_buffer b = {0};`. It must be initialised;
 * TAKE(variable) hands it over: its value, and the variable is NULL or {0} from then on. GCC and Clang have both.
 */
#define AUTO_FREE __attribute__((cleanup(free_at)))
#define AUTO(clear) __attribute__((cleanup(clear)))              /* clear(&variable) */
#define AUTO_PTR(destroy) __attribute__((cleanup(destroy##_at))) /* destroy(variable) */
#define AUTO_PTR_OF(type, destroy)                                                                                     \
    static inline void destroy##_at(type **at) {                                                                       \
        destroy(*at);                                                                                                  \
    }
#define TAKE(variable)                                                                                                 \
    __extension__({                                                                                                    \
        __typeof__(variable) taken = (variable);                                                                       \
        (variable) = (__typeof__(variable)){0};                                                                        \
        taken;                                                                                                         \
    })
static inline void free_at(void *at) {
    free(*(void **)at);
}

/** Writes the message and returns `code`; err may be NULL. A message that is too long is cut. It is UTF-8 text whatever
 * goes into it: control characters and bytes of no character become '?'. */
status error_set(error_info *err, status code, const char *format, ...) BNB_PRINTF(3, 4);

/** STATUS_MEMORY with its one sentence. */
status error_out_of_memory(error_info *err);

#if defined(__clang_analyzer__) && !defined(BNB_STATUS_SOURCE) /* it sees one file at a time and must be told these */
#define error_set(...) error_set_code((error_set)(__VA_ARGS__), ERROR_CODE_OF(__VA_ARGS__, 0))
#define ERROR_CODE_OF(err, code, ...) (code)
#define error_set_code(ignored, code) ((void)(ignored), (code))
#define error_out_of_memory(err) ((void)(error_out_of_memory)(err), STATUS_MEMORY)
#endif

/** Puts "context: " in front of the message: where, while the message says what. */
void error_context(error_info *err, const char *format, ...) BNB_PRINTF(2, 3);

/** The same with a place (its first 300 bytes), unless all is well: `return error_at(file_read(path, ...), err,
 * path);`. Returns `st`. */
status error_at(status st, error_info *err, const char *where);

/** The field's name of a code, for a result row: "invalid", "memory", ... */
const char *status_name(status code);

#endif
