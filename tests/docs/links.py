# SPDX-License-Identifier: GPL-3.0-or-later
"""Every link of the built pages leads to a file of the site, and to a place in it; nothing is loaded from elsewhere: links.py SITE"""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loaded = {''}, [], []
        with open(path, encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.places |= {said[key] for key in ('id', 'name') if said.get(key)}
        if tag == 'a' and said.get('href'):
            self.links.append(said['href'])
        elif tag != 'a':
            self.loaded += [said[key] for key in ('href', 'src') if said.get(key)]


def dead(path, pages):
    """The links of a page that lead nowhere."""
    for link in pages[path].links + pages[path].loaded:
        url = urllib.parse.urlsplit(link)
        if url.scheme or url.netloc:
            if link in pages[path].loaded:
                yield link
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
        if not os.path.isfile(target) or (target in pages and urllib.parse.unquote(url.fragment) not in pages[target].places):
            yield link


site = os.path.abspath(sys.argv[1])
files = [os.path.join(root, name) for root, _, names in os.walk(site) for name in names if name.endswith('.html')]
pages = {path: Page(path) for path in files}
assert len(pages) > 40
found = [f'{os.path.relpath(path, site)}: {link}' for path in sorted(pages) for link in dead(path, pages)]
print('\n'.join(found) or f'{sum(len(p.links) for p in pages.values())} links of {len(pages)} pages')
sys.exit(bool(found))
