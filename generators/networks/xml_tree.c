/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/xml_tree.h"

#include "core/base/array.h"
#include "core/base/decimal.h"
#include "core/base/late_library.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)

/* Of libxml2. */
typedef struct {
    void (*init)(void);
    xmlParserCtxtPtr (*open)(const char *text, int length);
    int (*set_options)(xmlParserCtxtPtr parser, int options);
    int (*parse)(xmlParserCtxtPtr parser);
    void (*stop)(xmlParserCtxtPtr parser);
    void (*free_document)(xmlDocPtr document);
    void (*close)(xmlParserCtxtPtr parser);
} xml_calls;

static status find_libxml(xml_calls *x, error_info *err) {
    const late_symbol symbols[] = {{"xmlInitParser", &x->init},
                                   {"xmlCreateMemoryParserCtxt", &x->open},
                                   {"xmlCtxtUseOptions", &x->set_options},
                                   {"xmlParseDocument", &x->parse},
                                   {"xmlStopParser", &x->stop},
                                   {"xmlFreeDoc", &x->free_document},
                                   {"xmlFreeParserCtxt", &x->close}};
    return late_library_find(BNB_LIBXML, symbols, sizeof symbols / sizeof *symbols, err);
}

status xml_tree_find_library(const char **library, error_info *err) {
    xml_calls calls;
    *library = BNB_LIBXML;
    return find_libxml(&calls, err);
}

/* What the callbacks share. */
typedef struct {
    const xml_calls *calls;
    xml_tree *tree;
    xmlParserCtxtPtr parser;
    size_t open, depth;
    status st;
    error_info *err;
} reading;

void xml_tree_clear(xml_tree *tree) {
    for (size_t i = 0; i < tree->n; i++) {
        free(tree->elements[i].name);
        texts_destroy(tree->elements[i].attributes, tree->elements[i].n_attributes);
        text_buffer_clear(&tree->elements[i].text);
    }
    free(tree->elements);
    *tree = (xml_tree){0};
}

/* ---- callbacks ---- */

static text_place place_of(const reading *r) {
    const xmlParserInput *input = r->parser->input;
    if (!input || input->line < 1)
        return (text_place){0};
    return (text_place){(size_t)input->line, input->col > 0 ? (size_t)input->col : 1};
}

static void stop(reading *r, status st) {
    r->st = st;
    r->calls->stop(r->parser);
}

static status add_attribute(xml_element *e, const xmlChar *const *attribute, error_info *err) {
    AUTO_FREE char *value = text_copy_n((const char *)attribute[3], (size_t)(attribute[4] - attribute[3]));
    CHECK_ALLOC(value);
    CHECK(texts_add(&e->attributes, &e->n_attributes, (const char *)attribute[0], err));
    return texts_add(&e->attributes, &e->n_attributes, value, err);
}

static status add_element(reading *r, const char *name, int n_attributes, const xmlChar **attributes) {
    xml_tree *t = r->tree;
    error_info *err = r->err;
    xml_element *e;
    if (r->depth >= XML_MOST_DEPTH)
        return text_place_error(place_of(r), err, "elements lie more than %d deep", XML_MOST_DEPTH);
    if (t->n >= XML_MOST_ELEMENTS)
        return text_place_error(place_of(r), err, "there are more than %d elements", XML_MOST_ELEMENTS);
    CHECK(ARRAY_ROOM(t->elements, t->n, t->capacity, err));
    e = &t->elements[t->n++];
    *e = (xml_element){.name = text_copy(name), .place = place_of(r), .parent = r->open};
    e->first = e->last = e->next = XML_NONE;
    CHECK_ALLOC(e->name);
    for (int i = 0; i < n_attributes; i++)
        CHECK(add_attribute(e, attributes + (ptrdiff_t)5 * i, err));
    if (r->open != XML_NONE) {
        xml_element *parent = &t->elements[r->open];
        *(parent->first == XML_NONE ? &parent->first : &t->elements[parent->last].next) = t->n - 1;
        parent->last = t->n - 1;
    }
    r->open = t->n - 1;
    r->depth++;
    return STATUS_OK;
}

static void on_start(void *self, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                     const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes) {
    reading *r = self;
    status st;
    (void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    if (r->st != STATUS_OK)
        return;
    st = add_element(r, (const char *)name, n_attributes, attributes);
    if (st != STATUS_OK)
        stop(r, st);
}

static void on_end(void *self, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    reading *r = self;
    (void)name, (void)prefix, (void)uri;
    if (r->st != STATUS_OK)
        return;
    r->open = r->tree->elements[r->open].parent;
    r->depth--;
}

static void on_text(void *self, const xmlChar *text, int length) {
    reading *r = self;
    if (r->st == STATUS_OK && r->open != XML_NONE)
        text_append_bytes(&r->tree->elements[r->open].text, (const char *)text, (size_t)length);
}

static void on_entity(void *self, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content) {
    reading *r = self;
    char shown[TEXT_SHOWN_SIZE];
    (void)type, (void)public_id, (void)system_id, (void)content;
    if (r->st == STATUS_OK)
        stop(r, text_place_error(place_of(r), r->err, "the entity '%s' is declared; entities are not read",
                                 text_show((const char *)name, strlen((const char *)name), shown)));
}

static void on_error(void *self, xmlErrorPtr error) {
    reading *r = self;
    size_t length = error->message ? strcspn(error->message, "\r\n") : 0;
    text_place place = place_of(r);
    if (r->st != STATUS_OK || error->level < XML_ERR_ERROR || error->domain == XML_FROM_NAMESPACE)
        return;
    stop(r, error->code == XML_ERR_NO_MEMORY
                ? error_out_of_memory(r->err)
                : text_place_error(place, r->err, "expected XML: %.*s", (int)(length < 200 ? length : 200),
                                   length ? error->message : "it is not well-formed"));
}

/* ---- reading ---- */

static status check_texts(const xml_tree *tree, error_info *err) {
    for (size_t i = 0; i < tree->n; i++)
        CHECK(text_buffer_check(&tree->elements[i].text, err));
    return STATUS_OK;
}

static status parse(reading *r, error_info *err) {
    static const xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                                          .startElementNs = on_start,
                                          .endElementNs = on_end,
                                          .characters = on_text,
                                          .cdataBlock = on_text,
                                          .ignorableWhitespace = on_text,
                                          .entityDecl = on_entity,
                                          .serror = on_error};
    *r->parser->sax = handler;
    r->parser->userData = r;
    /* NOENT: &amp; in an attribute becomes '&'; other entities cannot be declared. */
    (void)r->calls->set_options(r->parser, XML_PARSE_NONET | XML_PARSE_NOENT);
    (void)r->calls->parse(r->parser);
    CHECK(r->st);
    if (!r->parser->wellFormed || r->tree->n == 0)
        return text_place_error(place_of(r), err, "expected XML: it is not well-formed");
    return check_texts(r->tree, err);
}

status xml_tree_read(const char *text, size_t length, xml_tree *out, error_info *err) {
    xml_calls calls;
    reading r = {.calls = &calls, .tree = out, .open = XML_NONE, .err = err};
    status st;
    if (length > MOST_BYTES)
        return error_set(err, STATUS_PARSE, "the file has more than 1 GiB");
    if (length == 0)
        return error_set(err, STATUS_PARSE, "1:1: expected XML, found the end of the file");
    CHECK(find_libxml(&calls, err));
    calls.init();
    CHECK_ALLOC(r.parser = calls.open(text, (int)length));
    st = parse(&r, err);
    calls.free_document(r.parser->myDoc);
    calls.close(r.parser);
    return st;
}

/* ---- asking ---- */

static size_t from_here(const xml_tree *tree, size_t element, const char *name) {
    while (element != XML_NONE && name && strcmp(tree->elements[element].name, name) != 0)
        element = tree->elements[element].next;
    return element;
}

size_t xml_first(const xml_tree *tree, size_t parent, const char *name) {
    return from_here(tree, tree->elements[parent].first, name);
}

size_t xml_next(const xml_tree *tree, size_t element, const char *name) {
    return from_here(tree, tree->elements[element].next, name);
}

const char *xml_attribute(const xml_tree *tree, size_t element, const char *name) {
    const xml_element *e = &tree->elements[element];
    for (size_t i = 0; i + 1 < e->n_attributes; i += 2) {
        if (strcmp(e->attributes[i], name) == 0)
            return e->attributes[i + 1];
    }
    return NULL;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const char *xml_text(const xml_tree *tree, size_t element, size_t *length) {
    const text_buffer *b = &tree->elements[element].text;
    const char *text = b->data ? b->data : "";
    *length = b->length;
    while (*length > 0 && is_space(text[*length - 1]))
        --*length;
    while (*length > 0 && is_space(*text)) {
        text++;
        --*length;
    }
    return text;
}

const char *xml_child_text(const xml_tree *tree, size_t element, const char *name, size_t *length) {
    size_t child = xml_first(tree, element, name);
    return child == XML_NONE ? NULL : xml_text(tree, child, length);
}

bool xml_next_word(const xml_tree *tree, size_t element, const char **at, size_t *length) {
    size_t whole;
    const char *text = xml_text(tree, element, &whole), *end = text + whole, *from = *at ? *at + *length : text;
    while (from < end && is_space(*from))
        from++;
    *at = from;
    while (from < end && !is_space(*from))
        from++;
    *length = (size_t)(from - *at);
    return *length > 0;
}

status xml_numbers(const xml_tree *tree, size_t element, double **out, size_t *n, error_info *err) {
    AUTO_FREE double *numbers = NULL;
    size_t capacity = 0, length = 0;
    const char *at = NULL;
    char shown[TEXT_SHOWN_SIZE];
    *n = 0;
    while (xml_next_word(tree, element, &at, &length)) {
        double value;
        if (!decimal_is_number(at, at + length, &value))
            return text_place_error(tree->elements[element].place, err, "expected numbers in '%.40s', found '%s'",
                                    tree->elements[element].name, text_show(at, length, shown));
        CHECK(ARRAY_PUSH(numbers, *n, capacity, err, value));
    }
    *out = TAKE(numbers);
    return STATUS_OK;
}

/* ---- writing ---- */

void xml_append(const char *text, text_buffer *out) {
    for (; *text; text++) {
        size_t plain = strcspn(text, "<>&\"");
        text_append_bytes(out, text, plain);
        text += plain;
        if (!*text)
            return;
        text_append(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : "&quot;");
    }
}
