# SPDX-License-Identifier: GPL-3.0-or-later
"""What pip builds the package by: scikit-build-core, and an sdist that holds the C sources of the commit too, in sources/."""
import gzip
import io
import os
import subprocess
import tarfile

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F401,F403 the other hooks


def build_sdist(folder, settings=None):
    name = build.build_sdist(folder, settings)
    if not os.path.isdir('sources'):  # an sdist has them already
        add_sources(os.path.join(folder, name), name[:-len('.tar.gz')] + '/sources/')
    return name


def add_sources(path, prefix):
    sources = subprocess.run(['git', '-C', '../..', 'archive', '--format=tar', f'--prefix={prefix}', 'HEAD'], check=True,
                             stdout=subprocess.PIPE).stdout
    with gzip.open(path) as file:
        whole = io.BytesIO(file.read())
    with tarfile.open(fileobj=io.BytesIO(sources)) as taken, tarfile.open(fileobj=whole, mode='a') as out:
        for member in taken:
            member.pax_headers = {}
            out.addfile(member, taken.extractfile(member) if member.isfile() else None)
    with open(path, 'wb') as file, gzip.GzipFile('', 'wb', fileobj=file, mtime=0) as out:
        out.write(whole.getvalue())
