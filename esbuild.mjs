// Bundles the extension into dist/, or another folder. `--watch` rebuilds on every change, `--production` minifies for the package.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { build, context, transform } from 'esbuild';
import { minify } from 'terser';
import { bundledPackages, softwareBillOfMaterials, thirdPartyNotices } from './bundledPackages.mjs';

const flag = { type: 'boolean', default: false };
const options = { watch: flag, production: flag, outdir: { type: 'string', default: 'dist' } };
const { watch, production, outdir } = parseArgs({ options }).values;

// VS Code loads CommonJS, but esbuild splits only ES modules. So each file is converted after it was split. For the
// package, terser makes the code 3% smaller than esbuild can.
const toCommonJs = async ({ path, text }) => {
  const names = { format: 'cjs', platform: 'node', target: 'node22', sourcefile: path };
  const loading = { supported: { 'dynamic-import': false } };
  const style = { minify: production, legalComments: 'none', sourcemap: production ? false : 'inline' };
  const { code } = await transform(text, { ...names, ...loading, ...style });
  if (!production) return code;
  const compress = { passes: 3, reduce_funcs: false, sequences: false, inline: 1 };
  return (await minify(requireVsCodeOnce(exportWithoutCopy(code)), { ecma: 2022, compress, toplevel: true })).code;
};

// esbuild copies the exports of each file to an object that is marked as an ES module. Only imports of a default export
// need the mark, and no file of ours has one, so the code for it would be in each file for nothing.
const exportWithoutCopy = (code) => code.replace(/module\.exports=[\w$]+\(([\w$]+)\);/, 'module.exports=$1;');

// Each source file requires VS Code, and there are 1,800 calls of `l10n.t`. The minifier shortens the names.
const requireVsCodeOnce = (code) => {
  const required = code.replaceAll('require("vscode")', '$vscode');
  if (required === code) return code;
  const shortened = required.replaceAll(/(?<![\w$.])[\w$]+\.l10n\.t\(/g, '$text(');
  const text = shortened === required ? '' : ',$$text=$$vscode.l10n.t';
  return shortened.replace(/^("use strict";)?/, `$&const $$vscode=require("vscode")${text};`);
};

// A VS Code may be loading the bundle right now: it gets the old files or the new ones. Except for extension.js, a file's
// name depends on its content, so files of an older build stay valid for the windows that use them.
const writesConvertedFiles = ({ onEnd }) =>
  onEnd(async ({ errors, outputFiles = [], metafile }) => {
    mkdirSync(outdir, { recursive: true });
    for (const file of outputFiles.sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))) {
      const path = join(outdir, basename(file.path));
      writeFileSync(`${path}.${process.pid}`, await toCommonJs(file));
      renameSync(`${path}.${process.pid}`, path);
    }
    if (errors.length === 0) removeOutdated(outputFiles.map(({ path }) => basename(path)));
    if (errors.length === 0 && production) describeContents(bundledPackages(metafile));
    console.log(`[build] finished with ${errors.length} errors`);
  });
const aDay = 24 * 60 * 60 * 1000;
const removeOutdated = (current) => {
  for (const name of readdirSync(outdir).filter((name) => !current.includes(name))) {
    const path = join(outdir, name);
    if (statSync(path).mtimeMs < Date.now() - aDay) rmSync(path);
  }
};

const describeContents = (packages) => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const bill = JSON.stringify(softwareBillOfMaterials(manifest, packages), undefined, 2);
  writeFileSync(join(outdir, 'ThirdPartyNotices.txt'), thirdPartyNotices(packages));
  writeFileSync(join(outdir, 'sbom.cdx.json'), `${bill}\n`);
};
const isEntry = ({ path }) => basename(path) === 'extension.js';

// undici carries its HTTP parser twice, for processors with and without SIMD. One copy is enough, and works on all of them.
// It is WebAssembly, which is a third smaller if it is compressed before it becomes text.
const includesOneHttpParser = ({ onResolve, onLoad, resolve }) => {
  onResolve({ filter: /\/llhttp_simd-wasm(\.js)?$/ }, ({ path, ...from }) =>
    resolve(path.replace('llhttp_simd-wasm', 'llhttp-wasm'), from),
  );
  onLoad({ filter: /llhttp-wasm\.js$/ }, ({ path }) => {
    const packed = brotliCompressSync(createRequire(path)(path)).toString('base64');
    const contents = `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${packed}', 'base64'));`;
    return { contents, loader: 'js' };
  });
};

// Of the parser's 30 tables of names and numbers, undici uses two.
const includesUsedTables = ({ onLoad }) => {
  onLoad({ filter: /undici\/lib\/llhttp\/constants\.js$/ }, ({ path }) => {
    const { ERROR, TYPE } = createRequire(path)(path);
    return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};`, loader: 'js' };
  });
};

// undici's channels without its listeners, which print requests if NODE_DEBUG is set.
const includesQuietChannels = ({ onLoad }) => {
  onLoad({ filter: /undici\/lib\/core\/diagnostics\.js$/ }, ({ path }) => {
    const { channels } = createRequire(path)(path);
    const names = Object.entries(channels).map(([key, { name }]) => `${key}: channel('${name}')`);
    const contents = `const { channel } = require('node:diagnostics_channel'); exports.channels = { ${names} };`;
    return { contents, loader: 'js' };
  });
};

// Gantry sends bytes over HTTP/1 and leaves SOCKS proxies to VS Code, so the bundle doesn't need undici's HTTP/2 and SOCKS,
// nor its forms, which include a part of fetch.
const leavesOutUnusedParts = ({ onLoad }) => {
  onLoad({ filter: /undici\/lib\/(dispatcher\/(client-h2|socks5-proxy-agent)|web\/fetch\/body)\.js$/ }, ({ path }) => {
    const fail = `() => { throw new Error('The bundle leaves out ${basename(path)}. esbuild.mjs says why.'); }`;
    return {
      contents: `const fail = ${fail}; module.exports = Object.assign(fail, { extractBody: fail });`,
      loader: 'js',
    };
  });
};

// What a command acts on, the compiler compares with its handler. When the extension runs, only the IDs count.
const leavesOutTargetKinds = ({ onLoad }) => {
  onLoad({ filter: /src[\\/]commands\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replaceAll(/('gantry\.[\w.]+'): '\w+'/g, '$1: 0'),
    loader: 'ts',
  }));
};

// If the file that starts a feature imports what is loaded before it, the bundle keeps the code that both share in one file.
// Otherwise, it would have a small file for every set of modules that two features share.
const keepsSharedCodeTogether = ({ onLoad }) => {
  // What registers a feature, in features.ts or in its feature.ts, says what is loaded before each of its parts.
  onLoad({ filter: /src[\\/]features[\\/]\w+[\\/]\w+\.ts$/ }, ({ path }) => {
    const own = join(dirname(path), 'feature.ts');
    const registration = existsSync(own) ? own : join('src', 'features.ts');
    const definitions = readFileSync(registration, 'utf8').replaceAll(/\/\*.*?\*\/|\/\/.*?$/gms, '');
    const loading = `/${basename(path, '.ts')}')`;
    const definition = definitions.split('gantry.add(').find((text) => text.includes(loading));
    if (definition === undefined) return undefined;
    return { ...withImports(path, loadedBefore(definition, registration)), watchFiles: [path, resolve(registration)] };
  });
  // The pool of connections is loaded by itself, but never before what is loaded at activation.
  onLoad({ filter: /src[\\/]platform[\\/]sending[\\/]undiciPool\.ts$/ }, ({ path }) =>
    withImports(path, [...builtIn.host, ...activated]),
  );
};
const withImports = (path, files) => {
  const imports = files.map((file) => `import '../../${file}';`);
  return { contents: [readFileSync(path, 'utf8'), ...imports].join('\n'), loader: 'ts' };
};
// The files that build what is loaded before, from what is loaded first to what is loaded last. For features that need
// only the host, it's what they share with activation.
const builtIn = {
  host: [
    'async/sharedCalls',
    'manifest',
    'platform/address',
    'platform/sending/sender',
    'storage/storageKeys',
    'ui/contextKeys',
  ],
  accounts: ['services/accounts'],
  files: ['services/files'],
  tree: ['features/tree/tree'],
};
// What else features share with activation.
const activated = ['ui/commands/command', 'ui/failureMessages', 'ui/notifications'];
const loadedBefore = (definition, registration) => {
  const [, needs] = /\bneeds: '(\w+)'/.exec(definition) ?? [];
  // What is loaded last also loads what is before it.
  if (needs in builtIn) return builtIn[needs];
  throw new Error(`${registration}: esbuild.mjs doesn't know what is loaded for "${needs}". Add it to builtIn.`);
};

const bundle = {
  entryPoints: ['src/extension.ts'],
  outdir,
  write: false,
  metafile: true,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'inline',
  splitting: true,
  format: 'esm',
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    { name: 'keeps-shared-code-together', setup: keepsSharedCodeTogether },
    { name: 'leaves-out-target-kinds', setup: leavesOutTargetKinds },
    { name: 'includes-one-http-parser', setup: includesOneHttpParser },
    { name: 'includes-used-tables', setup: includesUsedTables },
    { name: 'includes-quiet-channels', setup: includesQuietChannels },
    { name: 'leaves-out-unused-parts', setup: leavesOutUnusedParts },
    { name: 'writes-converted-files', setup: writesConvertedFiles },
  ],
};

if (watch) await (await context(bundle)).watch();
else await build(bundle);
