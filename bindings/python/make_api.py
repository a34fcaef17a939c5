# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the module through which the package calls the library: make_api.py bnbench.h _api.py"""
import re
import sys

import cffi


def declarations(header):
    """The C declarations of bnbench.h, without what is for the preprocessor and for C++."""
    text = re.sub(r'#ifdef __cplusplus.*?#endif', '', header, flags=re.S)
    text = re.sub(r'(?m)^\s*#.*$', '', text)
    return text.replace('BNB_API ', '')


def main(header, out):
    ffi = cffi.FFI()
    with open(header, encoding='utf-8') as file:
        ffi.cdef(declarations(file.read()))
    ffi.set_source('bnbench._api', None)
    ffi.emit_python_code(out)


if __name__ == '__main__':
    main(*sys.argv[1:])
