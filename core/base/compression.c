/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/compression_internal.h"

#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { CHUNK = 1 << 16, GZIP_WINDOW = 15 + 16, ZSTD_WINDOW = 27 /* as the program zstd takes without being asked */ };

void bytes_clear(bytes_buffer *b) {
    free(b->data);
}

status bytes_reserve(bytes_buffer *b, size_t more, error_info *err) {
    return ARRAY_RESERVE(b->data, b->capacity, b->length + more + 1, err);
}

status bytes_too_long(const bytes_buffer *b, error_info *err) {
    return error_set(err, STATUS_INVALID, "holds more than %zu bytes, the most that is read%s", b->most,
                     b->has_users_limit ? "; BNBENCH_READ_LIMIT raises it" : "");
}

/* ---- gzip ---- */

static bool is_gzip(const bytes_buffer *b) {
    return b->length >= 2 && (unsigned char)b->data[0] == 0x1f && (unsigned char)b->data[1] == 0x8b;
}

static uInt chunk_of(size_t bytes) {
    return bytes > (1U << 30) ? 1U << 30 : (uInt)bytes;
}

static status inflate_error(const z_stream *z, error_info *err) {
    return error_set(err, STATUS_PARSE, "broken gzip data at byte %lu: %s", z->total_in,
                     z->msg ? z->msg : "ends in the middle");
}

/* Inflates one gzip member from *at on, and moves *at behind it. */
static status inflate_member(const bytes_buffer *packed, size_t *at, bytes_buffer *plain, error_info *err) {
    z_stream z = {0};
    status st = STATUS_OK;
    int code = Z_OK;

    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return error_out_of_memory(err);
    while (code != Z_STREAM_END) {
        TRY(bytes_reserve(plain, CHUNK, err));
        uInt offered = chunk_of(packed->length - *at);
        z.next_in = (Bytef *)(packed->data + *at);
        z.avail_in = offered;
        z.next_out = (Bytef *)(plain->data + plain->length);
        z.avail_out = CHUNK;
        code = inflate(&z, Z_NO_FLUSH);
        *at += offered - z.avail_in;
        plain->length += CHUNK - z.avail_out;
        if (plain->length > plain->most)
            TRY(bytes_too_long(plain, err));
        if (code == Z_MEM_ERROR)
            TRY(error_out_of_memory(err));
        if (code != Z_OK && code != Z_STREAM_END)
            TRY(inflate_error(&z, err));
    }
cleanup:
    (void)inflateEnd(&z);
    return st;
}

/* A gzip file may be several members in a row; zeros behind the last are padding, as gzip itself takes them. */
static status inflate_all(const bytes_buffer *packed, bytes_buffer *plain, error_info *err) {
    size_t at = 0;
    while (at < packed->length) {
        if (at > 0 && packed->data[at] == '\0') {
            at++;
            continue;
        }
        CHECK(inflate_member(packed, &at, plain, err));
    }
    return STATUS_OK;
}

/* Deterministic: zlib writes no time and no name into the header. */
static status deflate_all(const char *bytes, size_t length, bytes_buffer *packed, error_info *err) {
    z_stream z = {0};
    status st = STATUS_OK;
    size_t at = 0;
    int code = Z_OK;

    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return error_out_of_memory(err);
    while (code != Z_STREAM_END) {
        TRY(bytes_reserve(packed, CHUNK, err));
        uInt offered = chunk_of(length - at);
        z.next_in = (Bytef *)(uintptr_t)(bytes + at);
        z.avail_in = offered;
        z.next_out = (Bytef *)(packed->data + packed->length);
        z.avail_out = CHUNK;
        code = deflate(&z, at + offered == length ? Z_FINISH : Z_NO_FLUSH);
        at += offered - z.avail_in;
        packed->length += CHUNK - z.avail_out;
        if (code == Z_STREAM_ERROR)
            TRY(error_set(err, STATUS_BUG, "zlib refused to deflate"));
    }
cleanup:
    (void)deflateEnd(&z);
    return st;
}

/* ---- zstd ---- */

static void zstd_reader_free(ZSTD_DCtx **z) {
    (void)ZSTD_freeDCtx(*z);
}

static void zstd_writer_free(ZSTD_CCtx **z) {
    (void)ZSTD_freeCCtx(*z);
}

/* A frame, or one that readers skip, as some writers put first. */
static bool is_zstd(const bytes_buffer *b) {
    static const unsigned char frame[] = {0x28, 0xB5, 0x2F, 0xFD}, skipped[] = {0x2A, 0x4D, 0x18};
    if (b->length < sizeof frame)
        return false;
    return memcmp(b->data, frame, sizeof frame) == 0 ||
           (((unsigned char)b->data[0] & 0xF0) == 0x50 && memcmp(b->data + 1, skipped, sizeof skipped) == 0);
}

static status zstd_error(size_t code, size_t at, error_info *err) {
    ZSTD_ErrorCode what = ZSTD_getErrorCode(code);
    if (what == ZSTD_error_memory_allocation)
        return error_out_of_memory(err);
    if (what == ZSTD_error_frameParameter_windowTooLarge)
        return error_set(err, STATUS_PARSE,
                         "zstd data that ask for more than %u MiB of memory; pack them again without --long",
                         1U << (ZSTD_WINDOW - 20));
    return error_set(err, STATUS_PARSE, "broken zstd data at byte %zu: %s", at, ZSTD_getErrorName(code));
}

/* A file may be several frames in a row, as with gzip. */
static status zstd_unpack(const bytes_buffer *packed, bytes_buffer *plain, error_info *err) {
    AUTO(zstd_reader_free) ZSTD_DCtx *z = ZSTD_createDCtx();
    ZSTD_inBuffer in = {packed->data, packed->length, 0};
    size_t left = 1;
    CHECK_ALLOC(z);
    (void)ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, ZSTD_WINDOW);
    while (left > 0 || in.pos < in.size) {
        CHECK(bytes_reserve(plain, CHUNK, err));
        ZSTD_outBuffer out = {plain->data + plain->length, CHUNK, 0};
        size_t before = in.pos;
        left = ZSTD_decompressStream(z, &out, &in);
        if (ZSTD_isError(left))
            return zstd_error(left, in.pos, err);
        plain->length += out.pos;
        if (plain->length > plain->most)
            return bytes_too_long(plain, err);
        if (left > 0 && in.pos == before && out.pos == 0)
            return error_set(err, STATUS_PARSE, "broken zstd data at byte %zu: ends in the middle", in.pos);
    }
    return STATUS_OK;
}

/* The same bytes every time; with a checksum, as gzip has one. */
static status zstd_pack(const char *bytes, size_t length, bytes_buffer *packed, error_info *err) {
    AUTO(zstd_writer_free) ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t left = 1;
    CHECK_ALLOC(z);
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    (void)ZSTD_CCtx_setPledgedSrcSize(z, length);
    while (left > 0) {
        CHECK(bytes_reserve(packed, CHUNK, err));
        ZSTD_outBuffer out = {packed->data + packed->length, CHUNK, 0};
        left = ZSTD_compressStream2(z, &out, &in, ZSTD_e_end);
        if (ZSTD_isError(left))
            return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation
                       ? error_out_of_memory(err)
                       : error_set(err, STATUS_BUG, "zstd refused to pack: %s", ZSTD_getErrorName(left));
        packed->length += out.pos;
    }
    return STATUS_OK;
}

/* ---- either ---- */

bool compression_is_of(const bytes_buffer *b) {
    return is_gzip(b) || is_zstd(b);
}

status compression_unpack(const bytes_buffer *packed, bytes_buffer *plain, error_info *err) {
    CHECK(bytes_reserve(plain, 0, err));
    CHECK(is_gzip(packed) ? inflate_all(packed, plain, err) : zstd_unpack(packed, plain, err));
    plain->data[plain->length] = '\0';
    return STATUS_OK;
}

status compression_pack(const char *ending, const char **bytes, size_t *length, bytes_buffer *packed, error_info *err) {
    if (!*ending)
        return STATUS_OK;
    CHECK(strcmp(ending, ".gz") == 0 ? deflate_all(*bytes, *length, packed, err)
                                     : zstd_pack(*bytes, *length, packed, err));
    *bytes = packed->data;
    *length = packed->length;
    return STATUS_OK;
}
