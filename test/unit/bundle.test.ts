import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { scratchFolder } from '../host/folders';
import { bundleAsShipped } from '../host/package/packageExtension';

/** The most bytes that each part of the bundle may bring along, beyond what is loaded before it. */
const limits = {
  extension: { after: [], most: 30_000 },
  wireAccounts: { after: ['extension'], most: 110_000 },
  wireFiles: { after: ['wireAccounts'], most: 140_000 },
  wireFileTree: { after: ['wireFiles'], most: 85_000 },
  wireFavorites: { after: ['wireFileTree'], most: 32_000 },
  wireMounts: { after: ['wireFileTree'], most: 34_000 },
  wireAccess: { after: ['wireAccounts'], most: 40_000 },
  wireCompatibility: { after: ['wireFiles'], most: 46_000 },
  wireDeployments: { after: ['wireFiles'], most: 150_000 },
  undiciPool: { after: ['extension'], most: 250_000 },
} as const;
type Part = keyof typeof limits;

describe('the bundle', () => {
  const textOf = new Map<string, string>();
  const fileOf = (part: string) =>
    [...textOf.keys()].find((name) => name.replace(/(-[A-Z0-9]{8})?\.js$/, '') === part) ?? assert.fail(`no ${part}`);

  before(async () => {
    const folder = scratchFolder('bundle');
    await bundleAsShipped(folder);
    for (const name of readdirSync(folder)) textOf.set(name, readFileSync(join(folder, name), 'utf8'));
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

  it('has no part without a limit', () => {
    const parts = [...textOf.keys()].map((name) => name.replace(/(-[A-Z0-9]{8})?\.js$/, ''));
    assert.deepEqual(
      parts.filter((part) => part !== 'chunk' && !(part in limits)),
      [],
    );
  });
});
