# SPDX-License-Identifier: GPL-3.0-or-later
"""The site of docs/, and the JSON Schema of experiment files, by what the program itself tells of its names and options.

    make_site.py PROGRAM SOURCE FOLDER          lays out pages and runs mkdocs: FOLDER/site
    make_site.py PROGRAM SOURCE --schema FILE   the schema alone

The pages are those of docs/; a file of the repository that a page links to is copied to repository/.
"""
import json
import os
import re
import shutil
import subprocess
import sys

LINK = re.compile(r'(\]\()([^)\s]+)(\))')
KINDS = {'learners': 'learner', 'scores': 'score', 'tests': 'test', 'discretizers': 'discretizer', 'metrics': 'metric', 'parts': 'part'}


def ask(program, *words):
    return subprocess.run([program, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def ask_json(program, *words):
    return json.loads(ask(program, *words, '--json'))


class Pages:
    """The pages of docs/ at the top of the site, other files of the repository in repository/."""

    def __init__(self, source, folder):
        self.source, self.folder, self.waiting = source, folder, []

    def place(self, path):
        return os.path.relpath(path, 'docs') if path.startswith('docs/') else os.path.join('repository', path)

    def write(self, place, text):
        target = os.path.join(self.folder, place)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, 'w', encoding='utf-8') as file:
            file.write(text)

    def target(self, page, link):
        """Where a link of that page leads within the site; what it leads to is copied."""
        address, mark, anchor = link.partition('#')
        anchor = re.sub('-+', '-', anchor)  # as Python's Markdown names places
        if '://' in link or link.startswith('mailto:'):
            return link
        if not address:
            return mark + anchor
        path = os.path.normpath(os.path.join(os.path.dirname(page), address))
        if os.path.isdir(os.path.join(self.source, path)):
            path = self.folder_page(path)
        self.waiting.append(path)
        return os.path.relpath(self.place(path), os.path.dirname(self.place(page)) or '.') + mark + anchor

    def folder_page(self, path):
        """The page of a folder: its README.md, or a list of its files."""
        readme = os.path.join(path, 'README.md')
        if not os.path.exists(os.path.join(self.source, readme)):
            names = sorted(n for n in os.listdir(os.path.join(self.source, path)) if not n.startswith('.'))
            files = [n for n in names if os.path.isfile(os.path.join(self.source, path, n))]
            self.waiting += [os.path.join(path, n) for n in files]
            self.write(self.place(readme), f'# {path}\n\n' + ''.join(f'- [{n}]({n})\n' for n in files))
        return readme

    def copy(self, path):
        origin, target = os.path.join(self.source, path), os.path.join(self.folder, self.place(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not path.endswith('.md'):
            shutil.copyfile(origin, target)
        elif os.path.exists(origin):
            with open(origin, encoding='utf-8') as file:
                self.write(self.place(path), self.relink(path, file.read()))

    def relink(self, page, text):
        """Links outside of blocks; a list or a block right behind a line gets the empty line that Markdown wants there."""
        lines, inside, last = [], False, ''
        for line in text.split('\n'):
            if line.startswith('```'):
                inside = not inside
            elif not inside and not line.startswith('    '):
                line = LINK.sub(lambda m: m[1] + self.target(page, m[2]) + m[3], line)
                if line.startswith('- ') and last and not last.startswith(('- ', ' ')):
                    lines.append('')
            lines.append(line)
            last = line
        return '\n'.join(lines)

    def copy_all(self):
        for root, _, names in os.walk(os.path.join(self.source, 'docs')):
            self.waiting += [os.path.relpath(os.path.join(root, n), self.source) for n in names]
        done = set()
        while self.waiting:
            path = self.waiting.pop()
            if path not in done:
                done.add(path)
                self.copy(path)


def cell(value):
    text = 'true' if value is True else 'false' if value is False else '' if value is None else str(value)
    return text.replace('|', '\\|').replace('<', '&lt;')


def range_of(option):
    if 'choices' in option:
        return ', '.join(option['choices'])
    if option.get('least') is not None:
        return f"{option['least']:g} to {option['most']:g}" if option.get('most') is not None else f"from {option['least']:g} on"
    return option.get('value', option.get('type', ''))


def table_of(options):
    rows = [f"| `{o['name']}` | {cell(range_of(o))} | {cell(o.get('default'))} | {cell(o.get('help'))} |\n" for o in options]
    return '\n| option | values | initially | |\n| --- | --- | --- | --- |\n' + ''.join(rows) + '\n' if rows else ''


def names_page(program, kind):
    text = [f'# {kind.capitalize()}\n\nAs `bnbench list {kind}` and `bnbench info NAME` tell them.\n\n']
    for entry in ask_json(program, 'list', kind):
        facts = ask_json(program, 'info', entry['name'], '--kind', KINDS[kind])
        text.append(f"## {facts['name']}\n\n{cell(facts['summary'])}\n\n")
        text += [f'{word}: {cell(facts[key])}\n\n' for key, word in
                 (('citation', 'From'), ('accepts', 'Data'), ('returns', 'Returns'), ('unit', 'Unit')) if facts.get(key)]
        text.append(table_of(facts.get('options', facts.get('keys', []))))
    return ''.join(text)


def commands_page(program, source):
    overview = ask(program, '--help')
    names = re.findall(r'^  ([a-z]+) ', overview.split('Commands:\n')[1].split('\n\n')[0], re.M)
    text = ''.join(f"## {name}\n\n```\n{ask(program, name, '--help').rstrip()}\n```\n\n" for name in names)
    with open(os.path.join(source, 'docs/manual.md'), encoding='utf-8') as file:
        statuses = re.search(r'\n## Exit statuses\n.*?(?=\n## )', file.read(), re.S)[0]
    return '# Commands\n\n' + text + statuses.lstrip()


def library_page(source, has_index):
    """bnbench.h: its sections, each comment with what it is about."""
    with open(os.path.join(source, 'library/bnbench.h'), encoding='utf-8') as file:
        header = file.read()
    first, *sections = re.split(r'^/\* ---- (.*?) ---- \*/$', header, flags=re.M)
    comment = re.search(r'/\*\*\n \* @mainpage\n(.*?)\*/', first, re.S)[1]
    text = '# bnbench.h\n\n' + ('With an index of its names: [by Doxygen](../api/index.html).\n\n' if has_index else '') + '\n'.join(cell(line.strip()[1:].strip()) for line in comment.rstrip().split('\n')) + '\n\n'
    for title, body in zip(sections[::2], sections[1::2]):
        body = re.sub(r'\n#.*', '', body).replace('BNB_API ', '').replace('\n#ifdef __cplusplus\n}', '')
        text += f'## {title}\n\n```c\n{body.strip()}\n```\n\n'
    return text


START = """# bnbench

bnbench runs programs that learn the structure of Bayesian networks side by side, measures them, and puts the figures of published
papers beside its own. What do you want to do?

- [Regenerate a paper's table](tasks/regenerate-a-table.md): is it right?
- [Add my learner to it](tasks/add-my-learner.md): a Python function, or any program.
- [Choose a learner for my data](tasks/choose-a-learner.md): which one fits it?

First, build it: [README](repository/README.md). Then: the [gallery](gallery.md) of plots, [questions](faq.md), [what became of five papers'
tables](reproduction/README.md), the [manual](manual.md).

Editors check experiment files while you type with the [JSON Schema](experiment.schema.json). With the YAML language server, the first line is:

```
# yaml-language-server: $schema=experiment.schema.json
```
"""


def option_schema(option):
    types = {'integer': 'integer', 'real': 'number', 'boolean': 'boolean', 'choice': 'string'}
    schema = {'type': types[option['type']], 'description': option.get('help', '')}
    schema.update({key: value for key, value in (('enum', option.get('choices')), ('minimum', option.get('least')),
                                                 ('maximum', option.get('most'))) if value is not None})
    return {'anyOf': [schema, {'type': 'array', 'items': schema}, {'type': 'object'}]}  # a value, a sweep, or options of its own


def learner_schema(program):
    """An entry of `learners`: a built-in one by its options and those of scores and tests; a program; the best of several."""
    inner = {o['name']: {} for kind in ('scores', 'tests') for e in ask_json(program, 'list', kind)
             for o in ask_json(program, 'info', e['name'], '--kind', KINDS[kind]).get('options', [])}
    names, entries = [], []
    for entry in ask_json(program, 'list', 'learners'):
        facts = ask_json(program, 'info', entry['name'], '--kind', 'learner')
        own = [facts['name'], *facts.get('aliases', [])]
        names += own
        options = {o['name']: option_schema(o) for o in facts['options']}
        common = {'learner': {'enum': own}, 'id': {'type': 'string'}, 'discretize': {}, 'networks': {}, 'discrete_as': {}}
        entries.append({'properties': {**inner, **options, **common}, 'required': ['learner'], 'additionalProperties': False})
    program_entry = {'properties': {'id': {'type': 'string'}, 'command': {'type': 'array', 'items': {'type': 'string'}, 'minItems': 1},
                                    'returns': {'enum': ['dag', 'cpdag', 'skeleton']}, 'discretize': {}, 'networks': {}},
                     'required': ['id', 'command'], 'additionalProperties': False}
    best = {'properties': {'id': {'type': 'string'}, 'best_of': {'type': 'array'}, 'by': {'type': 'string'},
                           'failures': {'enum': ['skip', 'fail']}},
            'required': ['id', 'best_of', 'by'], 'additionalProperties': False}
    return {'anyOf': [{'type': 'string', 'enum': names}, *({'type': 'object', **e} for e in [program_entry, best, *entries])]}


def part_schemas(program):
    """Tables, tests and plots: {selector of the file: schema of an entry}."""
    groups = {}
    for entry in ask_json(program, 'list', 'parts'):
        facts = ask_json(program, 'info', entry['name'], '--kind', 'part')
        group = facts['group']
        keys = {k['name']: {'description': f"{k['help']} ({k['value']}; {k['default']})"} for k in facts['keys'] if '.' not in k['name']}
        selector = 'test' if group == 'tests' else 'kind'
        keys[selector] = {'const': facts['name']}
        required = [k['name'] for k in facts['keys'] if k['required'] and '.' not in k['name']]
        needs = required if facts['name'] == 'metric' else [*required, selector]  # the usual kind of a table
        groups.setdefault(group, []).append({'type': 'object', 'properties': keys, 'required': needs, 'additionalProperties': False})
    return {group: {'type': 'array', 'items': {'anyOf': entries}} for group, entries in groups.items()}


def keys_of(text, heading):
    """{key: what is said of it} of the table below a heading of docs/experiment-file.md."""
    section = re.search(rf'\n##+ {heading}\n(.*?)(?=\n##)', text, re.S)[1]
    rows = re.findall(r'^\| ((?:`\w+`(?:, )?)+) \| (.*?) \|', section, re.M)
    return {key: said for names, said in rows for key in re.findall(r'\w+', names)}


def schema(program, source):
    with open(os.path.join(source, 'docs/experiment-file.md'), encoding='utf-8') as file:
        text = file.read()
    properties = {key: {'description': said} for key, said in keys_of(text, 'Keys').items()}
    data = {key: {'description': said} for key, said in keys_of(text, 'data').items()}
    properties['name']['type'] = 'string'
    properties['seed'].update(type='integer', minimum=0, maximum=2**53)
    properties['networks'].update(type='array', items={'type': ['string', 'object']}, minItems=1)
    properties['data'].update(type='object', properties=data, additionalProperties=False)
    properties['learners'].update(type='array', items=learner_schema(program), minItems=1)
    properties['limits'].update(type='object', properties={'time': {}, 'memory': {}}, additionalProperties=False)
    properties['metrics'].update(type='array', items={'enum': [m['name'] for m in ask_json(program, 'list', 'metrics')]})
    for group, entries in part_schemas(program).items():
        properties[group].update(entries)
    return {'$schema': 'https://json-schema.org/draft/2020-12/schema', 'title': 'An experiment of bnbench', 'type': 'object',
            'properties': properties, 'required': ['name', 'networks', 'data', 'learners'], 'additionalProperties': False}


def write_schema(program, source, path):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(schema(program, source), file, indent=1, ensure_ascii=False)
        file.write('\n')


def main(program, source, folder):
    pages = Pages(source, os.path.join(folder, 'pages'))
    shutil.rmtree(pages.folder, ignore_errors=True)
    pages.waiting.append('README.md')
    pages.copy_all()
    pages.write('index.md', START)
    for kind in KINDS:
        pages.write(f'reference/{kind}.md', names_page(program, kind))
    pages.write('reference/commands.md', commands_page(program, source))
    has_index = shutil.which('doxygen') is not None
    if has_index:
        subprocess.run(['sh', os.path.join(source, 'cmake/make_api.sh'), source, os.path.join(pages.folder, 'api')], check=True)
    pages.write('reference/library.md', library_page(source, has_index))
    write_schema(program, source, os.path.join(pages.folder, 'experiment.schema.json'))
    shutil.copyfile(os.path.join(source, 'cmake/mkdocs.yml'), os.path.join(folder, 'mkdocs.yml'))
    subprocess.run(['mkdocs', 'build', '--strict', '--quiet', '--clean', '--config-file', os.path.join(folder, 'mkdocs.yml')], check=True)
    for name in ('404.html', 'sitemap.xml', 'sitemap.xml.gz'):  # of a server
        os.remove(os.path.join(folder, 'site', name))


if __name__ == '__main__':
    if sys.argv[3] == '--schema':
        write_schema(sys.argv[1], sys.argv[2], sys.argv[4])
    else:
        os.makedirs(sys.argv[3], exist_ok=True)
        main(*sys.argv[1:])
