# SPDX-License-Identifier: GPL-3.0-or-later
"""The program ``bnbench``, which the package brings along."""
import os
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), '_files', 'bin', 'bnbench')


def main() -> None:
    os.execv(PATH, ['bnbench'] + sys.argv[1:])
