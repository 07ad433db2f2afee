import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import {
  forInstalled,
  largestPackage,
  packageProblem,
  repositoryInTexts,
  withAbsoluteLinks,
} from '../../host/package/packageExtension';
import { projectFolder, scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { recompressZip } from '../../host/package/recompressZip';
import { type ZipEntry, zipEntries } from '../../host/package/zipEntries';
import { readZip } from '../../localPlatform/archives/zip';

const named = (...names: string[]): ZipEntry[] => names.map((name) => ({ name, size: 1 }));
const belongs = named(
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/package.json',
  'extension/dist/extension.js',
);

describe('the extension package', () => {
  it('can contain the bundle, media, and documents', () => {
    const texts = named(
      'extension/readme.md',
      'extension/LICENSE.txt',
      'extension/package.nls.de.json',
      'extension/l10n/bundle.l10n.de.json',
    );
    assert.equal(
      packageProblem(1000, [...belongs, ...texts, ...named('extension/media/walkthrough/sign-in.svg')]),
      undefined,
    );
  });

  for (const name of [
    'extension/src/extension.ts',
    'extension/dist/extension.js.map',
    'extension/.cache/x.js',
    'extension/docs/a.png',
  ]) {
    it(`can't contain ${name}`, () => {
      assert.match(packageProblem(1000, [...belongs, ...named(name)]) ?? '', new RegExp(`: ${name}\\.$`));
    });
  }

  it("can't be larger than the limit", () => {
    assert.equal(packageProblem(largestPackage, belongs), undefined);
    assert.match(
      packageProblem(largestPackage + 1, belongs) ?? '',
      new RegExp(`${largestPackage + 1} bytes; ${largestPackage} is the limit`),
    );
  });
});

describe('packing', function () {
  this.timeout(limit(60_000));
  let folder: string;

  beforeEach(() => (folder = scratchFolder('packing')));
  afterEach(() => rm(folder, { recursive: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const pack = () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'test/package.ts', 'a.vsix'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stderr, isWritten: existsSync(join(folder, 'a.vsix')) };
  };

  it('checks a package, too, that was packed before', async () => {
    for (const path of ['test/package.ts', 'test/host', 'tsconfig.json', 'LICENSE']) {
      cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    }
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const manifest = { name: 'small', publisher: 'p', version: '1.0.0', engines: { vscode: '^1.100.0' } };
    write('package.json', JSON.stringify({ ...manifest, main: './dist/extension.js', activationEvents: [] }));
    for (const path of ['README.md', 'CHANGELOG.md']) write(path, '# Small\n');
    write('media/walkthrough/a.svg', '<svg></svg>');
    write('l10n/bundle.l10n.de.json', '{}');
    write('.vscodeignore', '**\n!dist/*.js\n!media/**\n!*.md\n!package.json\n!LICENSE');
    write(
      'esbuild.mjs',
      `import { mkdirSync, writeFileSync } from 'node:fs';
      const folder = process.argv.at(-1);
      mkdirSync(folder, { recursive: true });
      for (const name of ['extension.js', 'sbom.cdx.json']) writeFileSync(folder + '/' + name, '{}');`,
    );
    assert.deepEqual(pack(), { status: 0, stderr: '', isWritten: true });
    await rm(join(folder, 'a.vsix'));
    const [cached = ''] = readdirSync(join(folder, '.cache')).filter((name) => name.startsWith('package-'));
    const large = { 'extension/dist/large.js': randomBytes(largestPackage).toString('hex') };
    writeFileSync(join(folder, '.cache', cached, 'gantry.vsix'), zip(large));
    const { status, stderr, isWritten } = pack();
    assert.deepEqual([status, isWritten], [1, false]);
    assert.match(stderr, /^The package has \d+ bytes; \d+ is the limit/);
  });
});

describe("the packaged README's links", () => {
  const source = { repository: 'https://git.example/o/gantry', ref: 'v1.2.3' };
  const readme = [
    'Look:',
    '',
    '![A picture](docs/a.png)',
    '',
    'See [CONTRIBUTING](CONTRIBUTING.md), [VS Code](https://vscode.example) and [below](#settings).',
  ].join('\n');

  it('lead to the released version in the repository', () => {
    const [, , picture, , sentence] = withAbsoluteLinks(readme, source).split('\n');
    assert.equal(picture, '![A picture](https://git.example/o/gantry/raw/v1.2.3/docs/a.png)');
    assert.equal(
      sentence,
      'See [CONTRIBUTING](https://git.example/o/gantry/blob/v1.2.3/CONTRIBUTING.md), [VS Code](https://vscode.example) and [below](#settings).',
    );
  });

  it('come without the section that needs a clone', () => {
    const whole = '# Gantry\n\n## Try it without an account\n\nIn a clone, run it.\n\n## Install\n\nSee above.\n';
    assert.equal(forInstalled(whole), '# Gantry\n\n## Install\n\nSee above.\n');
    const real = readFileSync(join(projectFolder, 'README.md'), 'utf8');
    assert.ok(forInstalled(real).length < real.length);
  });

  it('are the same in the texts of package.json, where the address of the repository stands for itself', () => {
    const text = `[Sign In](command:x)\nSee [Privacy](${repositoryInTexts}docs/privacy.md#diagnostics), or \`#a.b#\`.`;
    assert.equal(
      withAbsoluteLinks(text, source),
      '[Sign In](command:x)\nSee [Privacy](https://git.example/o/gantry/blob/v1.2.3/docs/privacy.md#diagnostics), or `#a.b#`.',
    );
    assert.equal(withAbsoluteLinks(text, undefined), '[Sign In](command:x)\nSee Privacy, or `#a.b#`.');
  });

  it('become text if the repository is unknown, and pictures are left out', () => {
    assert.equal(
      withAbsoluteLinks(readme, undefined),
      'Look:\n\nSee CONTRIBUTING, [VS Code](https://vscode.example) and [below](#settings).',
    );
  });
});

describe('the directory of a zip archive', () => {
  it('lists every file with its size', () => {
    const archive = zip({ 'a.txt': 'aaaa', 'ordner/ü.txt': 'é' });
    assert.deepEqual(namesAndSizes(archive), [
      { name: 'a.txt', size: 4 },
      { name: 'ordner/ü.txt', size: 2 },
    ]);
  });

  it('causes an error if it is missing', () => {
    assert.throws(() => zipEntries(Buffer.from('no archive at all, but long enough to hold one')), /no zip archive/);
  });
});

describe('a recompressed zip archive', () => {
  it('has the same files, with correct headers, in fewer bytes', async () => {
    const files = { 'a.txt': 'aaaa', 'folder/ü.txt': 'Ein Satz. '.repeat(500), 'empty.txt': '' };
    const archive = zip(files);
    const recompressed = await recompressZip(archive);
    assert.ok(recompressed.length < archive.length, `${recompressed.length} of ${archive.length} bytes`);
    assert.deepEqual(namesAndSizes(recompressed), namesAndSizes(archive));
    assert.deepEqual(
      readZip(recompressed).map((entry) => [entry.path, entry.kind === 'file' ? entry.bytes.toString() : entry.kind]),
      Object.entries(files),
    );
  });
});

const namesAndSizes = (archive: Buffer) => zipEntries(archive).map(({ name, size }) => ({ name, size }));

/** Writes a zip archive as the format specifies: local headers with data, then the directory and its end. */
function zip(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const path = Buffer.from(name);
    const offset = Buffer.concat(locals).length;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(Buffer.byteLength(text), 18);
    common.writeUInt16LE(path.length, 22);
    locals.push(Buffer.from('PK\u0003\u0004'), common, path, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.alloc(2), common, tail, path);
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(Buffer.concat(locals).length, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}
