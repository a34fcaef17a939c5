# SPDX-License-Identifier: GPL-3.0-or-later
"""The package against the program: python -m unittest discover -s tests. BNB_PROGRAM names the program; without it that of
the package is taken. What pandas, numpy, networkx and pgmpy are needed for is skipped without them."""
import importlib.util
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import bnbench
from bnbench import _program

PROGRAM = os.environ.get('BNB_PROGRAM', _program.PATH)
HERE = pathlib.Path(__file__).resolve().parent


def needs(*modules):
    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    return unittest.skipIf(missing, f'{", ".join(missing)} not installed')


def program(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)


def answer(*words):
    return json.loads(program(*words, '--json').stdout)


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Learning(Scratch):
    def compare(self, data, file):
        n = 0
        for name in bnbench.names('learners'):
            with self.subTest(learner=name):
                try:
                    result = bnbench.learn(name, data)
                except bnbench.InvalidError as refusal:
                    self.assertIn(str(refusal), program('learn', name, file).stderr)
                    continue
                n += 1
                graph = self.folder / 'graph.csv'
                told = answer('learn', name, file, '-o', graph)
                self.assertEqual(bnbench.Graph.read(graph), result.graph)
                self.assertEqual(told['statistics'], {'requests': result.requests, 'computed': result.computed,
                                                      'skipped': result.skipped})
                self.assertEqual(told['score'] and told['score']['value'], result.score)
        return n

    def test_every_learner_gives_what_the_program_gives(self):
        for sigma in 0, 0.35:
            data = bnbench.Network('asia').sample(300, sigma=sigma)
            data.write(self.folder / 'data.csv')
            self.assertGreater(self.compare(data, self.folder / 'data.csv'), 10 if sigma == 0 else 4)

    def test_options_are_named_as_on_the_command_line(self):
        data = bnbench.Network('asia').sample(500)
        self.assertEqual('bic', bnbench.learn('hc', data, score='bic').score_name)
        self.assertNotEqual(bnbench.learn('hc', data, ess=100).score, bnbench.learn('hc', data, ess=1).score)
        with self.assertRaisesRegex(bnbench.InvalidError, "did you mean 'max_parents'"):
            bnbench.learn('hc', data, max_parent=2)
        with self.assertRaisesRegex(ValueError, "did you mean 'hc'"):
            bnbench.learn('hv', data)

    def test_scores_tests_and_parameters(self):
        asia = bnbench.Network('asia')
        data = asia.sample(500)
        file = self.folder / 'asia.csv'
        data.write(file)
        self.assertEqual(answer('score', 'bdeu', 'asia', file, '-O', 'ess=10')['value'],
                         bnbench.score('bdeu', data, asia.graph, ess=10))
        told = answer('test', 'g2', file, 'asia', 'tub', '--given', 'smoke')
        result = bnbench.test('g2', data, 'asia', 'tub', ['smoke'])
        self.assertEqual((told['statistic'], told['p_value']), (result.statistic, result.p_value))
        fitted = bnbench.fit(asia.graph, data, ess=10)
        program('fit', 'asia', file, '-O', 'ess=10', '-o', self.folder / 'fitted.bif')
        read = bnbench.Network(self.folder / 'fitted.bif')
        for node in asia.nodes:
            self.assertEqual(read.table(node), fitted.table(node))

    def test_progress_may_end_a_run(self):
        data = bnbench.Network('asia').sample(50000)
        seen = []

        def watch(seconds, statistics):
            seen.append((seconds, statistics))
            return len(seen) < 3
        with self.assertRaises(bnbench.Cancelled):
            bnbench.learn('sgs3', data, restarts=100000, progress=watch)
        self.assertEqual(3, len(seen))
        self.assertLess(seen[0][1], seen[2][1])

    def test_a_failure_of_progress_comes_out(self):
        with self.assertRaises(ZeroDivisionError):
            bnbench.learn('sgs3', bnbench.Network('asia').sample(50000), restarts=100000, progress=lambda s, n: 1 / 0)

    @unittest.skipUnless(hasattr(signal, 'pthread_kill'), 'no signals')
    def test_ctrl_c_ends_a_run(self):
        main = threading.main_thread().ident
        data = bnbench.Network('asia').sample(50000)
        timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
        start = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            bnbench.learn('sgs3', data, restarts=1000000)
        self.assertLess(time.monotonic() - start, 60)

    def test_a_time_limit_gives_the_best_so_far(self):
        result = bnbench.learn('sgs3', bnbench.Network('asia').sample(50000), restarts=1000000, time_limit=0.2)
        self.assertTrue(result.cut_short)

    def test_threads_learn_side_by_side(self):
        data = bnbench.Network('asia').sample(1000)
        graphs = []
        threads = [threading.Thread(target=lambda: graphs.append(bnbench.learn('gts', data).graph)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([graphs[0]] * 4, graphs)

    def test_everything_describes_itself(self):
        for kind in 'learners', 'scores', 'tests', 'discretizers', 'metrics', 'networks':
            for name in bnbench.names(kind):
                self.assertEqual(name, bnbench.describe(kind, name)['name'])


class Columns(Scratch):
    def test_lists(self):
        data = bnbench.Data({'a': [3, 1, 3], 'b': ['x', 'y', 'x'], 'c': [0.5, 2, -1], 'd': [True, False, True]})
        self.assertEqual(['1', '3'], data.states('a'))
        self.assertEqual(['x', 'y'], data.states('b'))
        self.assertIsNone(data.states('c'))
        self.assertEqual(['False', 'True'], data.states('d'))
        self.assertEqual(['x', 'y', 'x'], data['b'])
        self.assertEqual([0.5, 2, -1], data['c'])
        self.assertEqual(3, len(data))

    def test_declared_states(self):
        data = bnbench.Data({'a': ['lo', 'hi']}, states={'a': ['lo', 'mid', 'hi']})
        self.assertEqual(['lo', 'mid', 'hi'], data.states('a'))
        with self.assertRaisesRegex(bnbench.InvalidError, 'not among the states'):
            bnbench.Data({'a': ['lo', 'hi']}, states={'a': ['lo', 'mid']})

    def test_what_cannot_be(self):
        for wrong in ({}, {'a': []}, {'a': [1, 2], 'b': [1]}, {'a': [1.5, float('nan')]}, {'a': ['x', None]}, [1, 2]):
            with self.subTest(data=wrong), self.assertRaises(bnbench.InvalidError):
                bnbench.Data(wrong)

    def test_the_same_as_the_reader_of_csv(self):
        columns = {'few': list(range(3)) * 30, 'many': list(range(90)), 'real': [i / 4 for i in range(90)],
                   'word': ['b', 'a', 'ä'] * 30}
        file = self.folder / 'data.csv'
        with open(file, 'w', encoding='utf-8') as out:
            out.write(','.join(columns) + '\n')
            for i in range(90):
                out.write(','.join(str(values[i]) for values in columns.values()) + '\n')
        self.assertEqual(bnbench.Data.read(file).fingerprint, bnbench.Data(columns).fingerprint)

    @needs('numpy')
    def test_arrays(self):
        import numpy
        values = numpy.arange(12).reshape(6, 2) % 3
        for dtype in 'int8', 'uint8', 'int16', 'int32', 'int64', 'float32', 'float64':
            data = bnbench.Data(values.astype(dtype), columns=['a', 'b'])
            self.assertEqual(bnbench.Data({'a': [0, 2, 1, 0, 2, 1], 'b': [1, 0, 2, 1, 0, 2]}).fingerprint,
                             data.fingerprint)
        strided = numpy.asfortranarray(numpy.random.default_rng(1).normal(size=(100, 3)))[::2]
        self.assertEqual(list(strided[:, 1]), bnbench.Data(strided)['X2'])

    @needs('pandas')
    def test_frames(self):
        import pandas
        frame = pandas.DataFrame({'a': pandas.Categorical(['x', 'y', 'x'], categories=['y', 'x', 'z']),
                                  'b': [1, 2, 2], 'c': [0.1, 0.2, 0.3], 'd': ['u', 'v', 'u']})
        data = bnbench.Data(frame)
        self.assertEqual(['y', 'x', 'z'], data.states('a'))
        self.assertEqual(data.fingerprint, bnbench.Data(data.to_pandas()).fingerprint)
        with self.assertRaisesRegex(bnbench.InvalidError, 'missing'):
            bnbench.Data(pandas.DataFrame({'a': [1.0, None]}))


class Graphs(Scratch):
    def test_edges_and_kinds(self):
        chain = bnbench.Graph('abc', ['ab', 'bc'])
        self.assertEqual('dag', chain.kind)
        self.assertEqual([('a', 'b', True), ('b', 'c', True)], chain.edges)
        self.assertEqual([('a', 'b', False), ('b', 'c', False)], chain.cpdag().edges)
        self.assertEqual(2, bnbench.Graph('cba', ['ab', 'cb']).compare(chain).misoriented)
        with self.assertRaises(bnbench.InvalidError):
            bnbench.Graph('abc', ['ab', 'bc', 'ca'], kind='dag')
        with self.assertRaisesRegex(bnbench.InvalidError, 'no node'):
            bnbench.Graph('ab', ['ac'])

    @needs('networkx')
    def test_networkx(self):
        cpdag = bnbench.Network('asia').graph.cpdag()
        back = bnbench.Graph.from_networkx(cpdag.to_networkx())
        self.assertEqual(sorted((e.directed, *sorted(e[:2])) for e in cpdag.edges),
                         sorted((e.directed, *sorted(e[:2])) for e in back.edges))

    @needs('pgmpy')
    def test_pgmpy(self):
        asia = bnbench.Network('asia')
        model = asia.to_pgmpy()
        self.assertTrue(model.check_model())
        back = bnbench.Network.from_pgmpy(model)
        for node in asia.nodes:
            self.assertEqual(asia.states(node), back.states(node))
            self.assertEqual(sorted(asia.parents(node)), sorted(back.parents(node)))
        rows = asia.sample(2000)
        self.assertAlmostEqual(*(bnbench.score('loglik', rows, n.graph) for n in (asia, back)))
        for node in asia.nodes:
            self.assertEqual(_rows(asia, node), _rows(back, node))


def _rows(network, node):
    """The rows of a table by what the parents are, whatever their order."""
    from itertools import product
    parents = network.parents(node)
    configurations = [states[::-1] for states in product(*(network.states(p) for p in parents[::-1]))]
    return {frozenset(zip(parents, states)): row for states, row in zip(configurations, network.table(node))}


class Experiments(Scratch):
    FILE = '''name: mine
networks: [asia]
data: {samples: [200], replicates: 2}
learners:
  - hc
  - {id: tree, command: [%s, %s, "{data}", "{graph}"]}
tables:
  - {id: distance, metric: shd_skeleton}
'''

    def test_a_learner_in_python_stands_in_the_table(self):
        (self.folder / 'tree.py').write_text(
            'import bnbench\n'
            'def first_two(data):\n'
            '    names = list(data.columns)\n'
            '    return [(names[0], names[1])]\n'
            'bnbench.main(first_two)\n')
        file = self.folder / 'mine.yaml'
        file.write_text(self.FILE % (sys.executable, self.folder / 'tree.py'))
        os.environ['PYTHONPATH'] = os.pathsep.join(p for p in sys.path if p)
        store = bnbench.run(file, store=self.folder / 'store', jobs=2)
        self.assertEqual(['distance'], store.tables)
        self.assertEqual(['done'] * 4, [job['state'] for job in store.jobs()], store.jobs())
        table = store.table('distance')
        self.assertEqual({'hc', 'tree'}, (set(table.rows) | set(table.columns)) - {'200', 'average'})
        mean = sum(j['shd_skeleton'] for j in store.jobs() if j['learner'] == 'tree') / 2
        self.assertAlmostEqual(mean, table['200', 'tree'])
        with self.assertRaisesRegex(FileNotFoundError, "did you mean 'distance'"):
            store.table('distanc')

    @needs('pandas')
    def test_frames_of_a_store(self):
        file = self.folder / 'mine.yaml'
        file.write_text('name: mine\nnetworks: [asia]\ndata: {samples: [100, 200], replicates: 1}\nlearners: [hc, mmhc]\n'
                        'tables: [{id: distance, metric: shd}]\n')
        store = bnbench.run(file, store=self.folder / 'store')
        self.assertEqual(4, len(store.to_pandas()))
        self.assertEqual({'hc', 'mmhc'}, set(store.table('distance').to_pandas().columns))
        self.assertEqual(4, len(bnbench.Store(self.folder / 'store')))

    def test_an_experiment_can_be_ended_and_goes_on(self):
        file = self.folder / 'mine.yaml'
        file.write_text('name: mine\nnetworks: [asia]\ndata: {samples: [100], replicates: 3}\nlearners: [hc]\n')
        with self.assertRaises(bnbench.Cancelled):
            bnbench.run(file, store=self.folder / 'store', set={'data.replicates': 2000}, progress=lambda: False)
        self.assertEqual(3, len(bnbench.run(file, store=self.folder / 'store')))

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(FileNotFoundError, 'no file'):
            bnbench.run('nowhere')
        file = self.folder / 'mine.yaml'
        file.write_text('name: mine\nnetwork: [asia]\n')
        with self.assertRaisesRegex(ValueError, "mine.yaml:2:1.*did you mean 'networks'"):
            bnbench.run(file)


class Overhead(unittest.TestCase):
    def test_the_cost_of_a_call_is_told(self):
        """No test asserts a time: the figure is printed."""
        data = bnbench.Network('asia').sample(10)
        start = time.perf_counter()
        for _ in range(200):
            bnbench.learn('empty', data) if 'empty' in bnbench.names('learners') else bnbench.learn('hc', data)
        each = (time.perf_counter() - start) / 200
        print(f'a call of learn: {1e6 * each:.0f} microseconds', file=sys.stderr)


if __name__ == '__main__':
    unittest.main()
