import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Linter } from 'eslint';
import { before, describe, it } from 'mocha';
import { projectFolder, scratchFolder } from '../host/folders';
import { limit } from '../host/limits';
import { bundleAsShipped } from '../host/package/packageExtension';

/** The most bytes that each part of the bundle may bring along, beyond what is loaded before it. */
const limits = {
  extension: { after: [], most: 45_000 },
  accounts: { after: ['extension'], most: 121_000 },
  signIn: { after: ['accounts'], most: 18_000 },
  files: { after: ['accounts'], most: 240_000 },
  tree: { after: ['files'], most: 26_000 },
  treeCommands: { after: ['tree'], most: 55_500 },
  favorites: { after: ['tree'], most: 17_500 },
  mounts: { after: ['tree'], most: 22_500 },
  access: { after: ['accounts'], most: 27_500 },
  goToFile: { after: ['tree'], most: 24_500 },
  search: { after: ['tree'], most: 45_500 },
  versions: { after: ['tree'], most: 18_600 },
  variables: { after: ['tree'], most: 22_500 },
  logs: { after: ['tree'], most: 25_500 },
  restart: { after: ['tree'], most: 15_500 },
  terminal: { after: ['tree'], most: 8_500 },
  tasks: { after: ['files'], most: 4_000 },
  agents: { after: ['tree'], most: 62_500 },
  compatibility: { after: ['files'], most: 22_500 },
  deployments: { after: ['files'], most: 256_000 },
  diagnostics: { after: ['extension'], most: 9_500 },
  undiciPool: { after: ['extension'], most: 121_000 },
} as const;
type Part = keyof typeof limits;

/** Files for code that several parts share. Each is one more file to find and to read. */
const mostShared = 11;
/** The files that are read until the Environments view shows something. */
const mostAtFirstUse = 12;

describe('the bundle', function () {
  this.timeout(limit(90_000));
  const textOf = new Map<string, string>();
  const documents = new Map<string, string>();
  const fileOf = (part: string) =>
    [...textOf.keys()].find((name) => name.replace(/(-[A-Z0-9]{8})?\.js$/, '') === part) ?? assert.fail(`no ${part}`);

  before(async () => {
    const folder = scratchFolder('bundle');
    await bundleAsShipped(folder);
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      if (name.endsWith('.js')) textOf.set(name, text);
      else documents.set(name, text);
    }
  });

  /** A file and all that it loads at once. Files loaded on demand are required in a promise. */
  const closureOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (!seen.has(file)) {
      seen.add(file);
      const atOnce = [...(textOf.get(file) ?? '').matchAll(/(?<=(.{8}))require\("\.\/([^"]+)"\)/gs)];
      for (const [, lead, name = ''] of atOnce)
        if (lead?.match(/=>([\w$]+\()?$/) === null) closureOf(basename(name), seen);
    }
    return seen;
  };
  const loadedBefore = (part: Part): ReadonlySet<string> =>
    new Set(limits[part].after.flatMap((one) => [...closureOf(fileOf(one)), ...loadedBefore(one)]));

  for (const part of Object.keys(limits) as Part[]) {
    const { most } = limits[part];
    it(`loads at most ${most / 1000} KB for ${part}`, () => {
      const loaded = loadedBefore(part);
      const own = [...closureOf(fileOf(part))].filter((file) => !loaded.has(file));
      const bytes = own.reduce((sum, file) => sum + Buffer.byteLength(textOf.get(file) ?? ''), 0);
      assert.ok(bytes <= most, `${part} brings ${bytes} bytes: ${own.join(', ')}`);
      assert.ok(bytes > most / 2, `${part} has only ${bytes} bytes: lower its limit`);
    });
  }

  it('refers to no name that nothing declares', () => {
    const known = [...Object.getOwnPropertyNames(globalThis), '__dirname'];
    const globals = Object.fromEntries(known.map((name) => [name, 'readonly'] as const));
    const languageOptions = { ecmaVersion: 2024, sourceType: 'commonjs', globals } as const;
    const linter = new Linter();
    const unknown = [...textOf].flatMap(([file, text]) =>
      linter
        .verify(text, { languageOptions, rules: { 'no-undef': 'error' } })
        .map(({ message }) => `${file}: ${message}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('has few files for shared code, and reads few files for the first use', () => {
    const shared = [...textOf.keys()].filter((name) => name.startsWith('chunk-'));
    assert.ok(shared.length <= mostShared, `${shared.length} files: ${shared.join(', ')}`);
    const firstUse = new Set([...loadedBefore('tree'), ...closureOf(fileOf('tree'))]);
    assert.ok(firstUse.size <= mostAtFirstUse, `${firstUse.size} files: ${[...firstUse].join(', ')}`);
  });

  it('has no part without a limit', () => {
    const parts = [...textOf.keys()].map((name) => name.replace(/(-[A-Z0-9]{8})?\.js$/, ''));
    assert.deepEqual(
      parts.filter((part) => part !== 'chunk' && !(part in limits)),
      [],
    );
  });

  it('comes with the license of each package in it', () => {
    const notices = documents.get('ThirdPartyNotices.txt') ?? '';
    for (const name of dependencies()) {
      const license = readFileSync(licenseOf(name), 'utf8').trim();
      assert.ok(notices.includes(license), `the license of ${name} is missing`);
    }
    assert.equal(notices.match(/^-{80}$/gm)?.length, dependencies().length);
  });

  it('comes with a list of exactly the packages in it', () => {
    const bill = JSON.parse(documents.get('sbom.cdx.json') ?? '{}') as {
      components: { name: string; version: string; purl: string }[];
    };
    assert.deepEqual(
      bill.components.map(({ name, version }) => `${name}@${version}`),
      dependencies().map((name) => `${name}@${packageJson(join(projectFolder, 'node_modules', name)).version}`),
    );
    for (const { name, version, purl } of bill.components) assert.equal(purl, `pkg:npm/${name}@${version}`);
  });
});

interface PackageJson {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packageJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
const dependencies = (): string[] => Object.keys(packageJson(projectFolder).dependencies ?? {}).sort();

function licenseOf(name: string): string {
  const folder = join(projectFolder, 'node_modules', name);
  return join(folder, readdirSync(folder).find((file) => /^licen[cs]e/i.test(file)) ?? assert.fail(`${name}: none`));
}
