import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lintFigures } from '../../figures/lintFigures';
import { filesOnPath } from '../../figures/paths';
import { exportsOf, importsOf, sourceText } from '../../figures/sources';
import {
  callsOf,
  classesMadeOnce,
  depsTypes,
  fileLengths,
  ImportGraph,
  largestFolder,
  median,
  untypedReceived,
} from '../../figures/structure';

const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => sourceText(path, text));

describe('the imports of a file', () => {
  it('are found in every form, with the names that are taken', () => {
    const text = [
      "import { a, type B as C } from './one';",
      "import type { D } from '../two';",
      "import * as all from './three';",
      "import './four';",
      "import { readFile } from 'node:fs';",
      "const { e } = await import('./five');",
      "void import('./six').then(({ f: g }) => g);",
      "type H = import('./seven').H;",
    ].join('\n');
    assert.deepEqual(
      importsOf(sourceText('src/room/file.ts', text)).map(({ to, names, isOfTypes, isLazy }) => [
        to,
        names,
        isOfTypes,
        isLazy,
      ]),
      [
        ['src/room/one.ts', ['a', 'B'], false, false],
        ['src/two.ts', ['D'], true, false],
        ['src/room/three.ts', undefined, false, false],
        ['src/room/four.ts', [], false, false],
        ['src/room/five.ts', ['e'], false, true],
        ['src/room/six.ts', ['f'], false, true],
        ['src/room/seven.ts', ['H'], true, false],
      ],
    );
  });

  it('count a file with one importer, however often and in whatever form it imports', () => {
    const graph = new ImportGraph(
      files({
        'src/a.ts': "import { b } from './b';\nimport type { B } from './b';\nvoid import('./c');",
        'src/b.ts': "import { c } from './c';\nexport const b = c;\nexport interface B {}",
        'src/c.ts': "import { b } from './b';\nexport const c = 1;",
        'src/d.ts': "import { d } from './d';\nexport const d = 'imports only itself';",
      }),
    );
    assert.deepEqual(graph.singleImporters(), []);
    const fewer = new ImportGraph(
      files({
        'src/a.ts': "import { b } from './b';\nimport type { B } from './b';",
        'src/b.ts': 'export const b = 1;',
      }),
    );
    assert.deepEqual(fewer.singleImporters(), ['src/b.ts']);
  });
});

describe('the exports of a file', () => {
  it('are all its names, once each', () => {
    const text = [
      'export function f(a: string): void;',
      'export function f(a: unknown): void {}',
      'export const { x, y: z } = o, w = 1;',
      'export abstract class K {}',
      'export interface I {}',
      'export type T = I;',
      'const own = 1;',
      'export { own as shared };',
    ].join('\n');
    assert.deepEqual(exportsOf(sourceText('a.ts', text)), ['f', 'x', 'z', 'w', 'K', 'I', 'T', 'shared']);
  });

  it('are used by the files that name them, or that could use any of them', () => {
    const graph = new ImportGraph(
      files({
        'src/a.ts': "import { one } from './b';",
        'src/b.ts': 'export const one = 1; export const two = 2;',
        'src/c.ts': "import * as b from './b';",
      }),
    );
    assert.deepEqual(
      graph.usersOfExports().map(({ name, users }) => [name, users]),
      [
        ['one', 2],
        ['two', 1],
      ],
    );
  });
});

describe('the figures of the structure', () => {
  it('count classes that are made in one place and never in a test, but no bases', () => {
    const src = files({
      'src/a.ts':
        'class Once {} class Twice {} class Tested {} class Base {} class Derived extends Base {} new Once(); new Twice(); new Tested(); new Base(); new Derived();',
      'src/b.ts': 'new Twice();',
    });
    assert.deepEqual(classesMadeOnce(src, files({ 'test/a.test.ts': 'new Tested();' })), ['Once', 'Derived']);
  });

  it('count types, parameters, and calls by their syntax, not by words in comments and texts', () => {
    const src = files({
      'src/a.ts': [
        '// interface NoDeps, withProgress(',
        'interface ADeps {} type BDeps = ADeps; interface Depth {}',
        "interface CParts {} type D = Services & { view: View }; type E = Levels['accounts'] & Depth; interface F extends Services {}",
        "type G = Pick<Services, 'view'>; interface H { services: Services }",
        'const f = (received: unknown, ...others: unknown[]) => withProgress(received);',
        'function g(...received: readonly unknown[]) { return other.withProgress("withProgress(", received); }',
        'function h(received: string) {}',
        'const i = (received) => received;',
      ].join('\n'),
    });
    assert.deepEqual(depsTypes(src), ['ADeps', 'BDeps', 'CParts', 'D', 'E', 'F']);
    assert.deepEqual(untypedReceived(src), ['src/a.ts:5', 'src/a.ts:6', 'src/a.ts:8']);
    assert.deepEqual(callsOf(['withProgress'], src), ['src/a.ts:5']);
  });

  it('count lines as wc does, and files of a folder without those below it', () => {
    const src = files({ 'src/a.ts': '1\n2\n', 'src/room/b.ts': '1\n', 'src/room/c.ts': '1\n2\n3\n' });
    assert.deepEqual(fileLengths(src), [1, 2, 3]);
    assert.equal(median(fileLengths(src)), 2);
    assert.equal(largestFolder(src), 2);
  });

  it("use the linter's own rules for complexity and length, also where a comment turns them off", () => {
    const branches = Array.from({ length: 12 }, (_, index) => `  if (a === ${index}) return ${index};`);
    const text = ['function simple() {}', 'function branching(a: number) {', ...branches, '  return a;', '}'].join(
      '\n',
    );
    const { complex, longest } = lintFigures(files({ 'src/a.ts': text }));
    assert.equal(complex.length, 1);
    assert.match(complex[0] ?? '', /^src\/a\.ts:2 .*'branching' has a complexity of 13/);
    assert.deepEqual(longest, { lines: 15, where: 'src/a.ts:2' });
    const silenced = lintFigures(files({ 'src/a.ts': `/* eslint-disable */ ${text}` }));
    assert.deepEqual([silenced.complex.length, silenced.longest.lines], [1, 15]);
  });
});

describe('the files on a path', () => {
  const graph = new ImportGraph(
    files({
      'src/room/start.ts':
        "import type { Step } from './step'; import { text } from './text'; import { far } from '../far/far';",
      'src/room/step.ts': "import { last } from './last'; export interface Step {}",
      'src/room/last.ts': "import { start } from './start'; export const last = 1;",
      'src/room/text.ts': "import { only } from './only'; export const text = '';",
      'src/room/only.ts': 'export const only = 1;',
      'src/far/far.ts': 'export const far = 1;',
      'src/far/text.ts': 'export const text = 1;',
      'src/carrier.ts': "import { only } from './room/only';",
    }),
  );
  const rule = { entries: ['start'], into: /^src\/room\//, carriers: ['carrier'], leftOut: ['room/text'] };

  it('are those that are imported from the entry, without what the rule leaves out', () => {
    assert.deepEqual(filesOnPath(graph, rule), [
      'src/carrier.ts',
      'src/room/last.ts',
      'src/room/start.ts',
      'src/room/step.ts',
    ]);
  });

  it('are not counted if a name of the rule is that of no file, or of two', () => {
    for (const key of ['entries', 'carriers', 'leftOut']) {
      const names = (name: string) => () => filesOnPath(graph, { ...rule, [key]: [name] });
      assert.throws(names('begin'), /It names begin, which is no file\.$/);
      assert.throws(names('text'), /It names text, which is src\/room\/text\.ts, src\/far\/text\.ts\.$/);
    }
  });
});
