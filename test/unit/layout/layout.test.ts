import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { ESLint } from 'eslint';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';

const mostFiles = 27;

interface ImportRules {
  readonly rules: {
    readonly 'import-x/no-restricted-paths': readonly [
      number,
      { readonly zones: readonly { readonly target: string }[] },
    ];
  };
}

type Texts = ReadonlyMap<string, string>;
type Imports = ReadonlyMap<string, readonly string[]>;

/** The text of each file in a folder of the project, by its path there. */
function textsIn(folder: string): Texts {
  const names = readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'));
  return new Map(names.map((name) => [name, readFileSync(join(projectFolder, folder, name), 'utf8')]));
}

/** What each file imports of the others. */
function importsIn(texts: Texts, pattern: RegExp): Imports {
  return new Map(
    [...texts].map(([file, text]) => {
      const named = [...text.matchAll(pattern)].map(([, path = '']) => `${normalize(join(dirname(file), path))}.ts`);
      return [file, named.filter((name) => texts.has(name))];
    }),
  );
}

function cyclesOf(imports: Imports): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    } else if (!done.has(file)) {
      for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    }
  };
  [...imports.keys()].forEach((file) => visit(file, []));
  return cycles;
}

const textOf = textsIn('src');
const files = [...textOf.keys()];
/** Including type imports. */
const imports = importsIn(textOf, /(?:from|import)\s*\(?\s*'(\.[^']*)'/g);

describe('the source folders', () => {
  it('export each name only once', () => {
    const homes = new Map<string, string[]>();
    const exported = /^export (?:declare |abstract |async )*(?:function|class|const|interface|type|enum) (\w+)/gm;
    for (const [file, text] of textOf) {
      for (const [, name = ''] of text.matchAll(exported)) {
        homes.set(name, [...new Set([...(homes.get(name) ?? []), file])]);
      }
    }
    assert.deepEqual(
      [...homes].filter(([, places]) => places.length > 1),
      [],
    );
  });

  it('have no import cycles, including type imports', () => {
    assert.deepEqual(cyclesOf(imports), []);
  });

  it('have tests without import cycles, except through type imports', () => {
    // All names of an import can be types one by one, too.
    const ofValues =
      /(?:^(?:import|export)\b(?! type\b)(?!\s*\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?,?)+\s*\})[^;']*?|\b(?:import|require)\s*\(\s*)'(\.[^']*)'/gm;
    const found = importsIn(textsIn('test'), ofValues);
    assert.ok([...found.values()].flat().length > files.length);
    assert.deepEqual(cyclesOf(found), []);
  });

  it('each have a rule in eslint.config.mjs that says what they may import', async () => {
    const eslint = new ESLint({ cwd: projectFolder });
    const { rules } = (await eslint.calculateConfigForFile(join(projectFolder, 'src', 'extension.ts'))) as ImportRules;
    const [, { zones }] = rules['import-x/no-restricted-paths'];
    const homeOf = (file: string) => /^(features\/\w+|ui\/commands)(?=\/)|^[^/]+/.exec(file)?.[0] ?? file;
    assert.deepEqual(
      [...new Set(zones.map(({ target }) => target.replace(/^\.\/src\/|\/\*\.ts$/g, '')))].sort(),
      [...new Set(files.filter((file) => file !== 'extension.ts').map(homeOf))].sort(),
    );
  });

  it('import a feature in features/ only through its feature.ts, from features.ts', () => {
    const featureOf = (file: string) => /^features\/(\w+)\//.exec(file)?.[1];
    const entered = [...imports].flatMap(([file, imported]) =>
      imported
        .filter((name) => featureOf(name) !== undefined && featureOf(name) !== featureOf(file))
        .map((name) => `${file} imports ${name}`),
    );
    const features = new Set(files.flatMap((file) => featureOf(file) ?? []));
    // One without a feature.ts is loaded by features.ts itself.
    const entryOf = (name: string) => (textOf.has(`features/${name}/feature.ts`) ? 'feature' : name);
    assert.deepEqual(
      entered.sort(),
      [...features].map((name) => `features.ts imports features/${name}/${entryOf(name)}.ts`).sort(),
    );
    const atActivation = [...(textOf.get('features.ts') ?? '').matchAll(/from '(.*)'/g)].map(([, path = '']) => path);
    assert.deepEqual(
      atActivation.filter((path) => featureOf(path.slice(2)) !== undefined && !path.endsWith('/feature')),
      [],
    );
    const registrations = files.filter((file) => featureOf(file) !== undefined && file.endsWith('/feature.ts'));
    const importers = [...imports].filter(([file, imported]) =>
      imported.some((name) => registrations.includes(name) && dirname(file) === dirname(name)),
    );
    assert.deepEqual(importers, []);
  });

  it('import gantry.ts and the list of features only as types, because code that activation shares is a file more to read', () => {
    const imported = /^import (?!type )[^;]*from '(?:\.\.?\/)+(?:gantry|features)'/m;
    const importers = [...textOf].flatMap(([file, text]) => (imported.test(text) ? [file] : []));
    // Both are loaded at activation.
    assert.deepEqual(importers, ['extension.ts', 'services/levels.ts']);
  });

  it('of features import what loads them only in feature.ts, for the same reason', () => {
    const imported = /^import (?!type )[^;]*from '(?:\.\.\/)+lazy'/m;
    const importers = [...textOf].flatMap(([file, text]) =>
      file.startsWith('features/') && imported.test(text) && !file.endsWith('/feature.ts') ? [file] : [],
    );
    assert.deepEqual(importers, []);
  });

  it(`contain at most ${mostFiles} files each`, () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > mostFiles),
      [],
    );
  });
});
