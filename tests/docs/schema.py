# SPDX-License-Identifier: GPL-3.0-or-later
"""Every experiment that ships is one by the schema, and what is misspelt is none: schema.py SCHEMA SOURCE"""
import copy
import glob
import json
import os
import sys

import jsonschema
import yaml

with open(sys.argv[1], encoding='utf-8') as file:
    validator = jsonschema.Draft202012Validator(json.load(file))


def accepts(experiment):
    return not [*validator.iter_errors(experiment)]


def load(path):
    with open(path, encoding='utf-8') as text:
        return yaml.safe_load(text)


shipped = sorted(glob.glob(os.path.join(sys.argv[2], 'experiments', '*.yaml')))
assert len(shipped) > 5
for path in shipped:
    for error in validator.iter_errors(load(path)):
        deepest = jsonschema.exceptions.best_match([error])
        sys.exit(f'{path}: {list(deepest.absolute_path)}: {deepest.message[:400]}')

quickstart = load(os.path.join(sys.argv[2], 'experiments', 'quickstart.yaml'))
for change in (lambda e: e.update(learner=['hc']), lambda e: e.pop('name'), lambda e: e['data'].update(sample=5),
               lambda e: e['learners'].append('hcc'), lambda e: e['learners'].append({'learner': 'hc', 'alhpa': 1}),
               lambda e: e['learners'].append({'learner': 'hc', 'score': 'bdue'}), lambda e: e['metrics'].append('sdh'),
               lambda e: e['tables'].append({'id': 'x', 'metric': 'shd', 'normalize_by': 'hc'}),
               lambda e: e['plots'].append({'id': 'x', 'kind': 'scater', 'x': 'time', 'y': 'shd'}),
               lambda e: e['limits'].update(tme='1h')):
    wrong = copy.deepcopy(quickstart)
    change(wrong)
    assert not accepts(wrong), 'a misspelt experiment is accepted'
print(f'{len(shipped)} experiments are as the schema says')
