// Bundles the extension into dist/, or another folder. `--watch` rebuilds on every change, `--production` minifies for the package.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';

const flag = { type: 'boolean', default: false };
const options = { watch: flag, production: flag, outdir: { type: 'string', default: 'dist' } };
const { watch, production, outdir } = parseArgs({ options }).values;

// A VS Code may be loading the bundle right now: it meets the old one or the new one, never half of one or none.
const replacesWholeFiles = ({ onEnd }) =>
  onEnd(({ errors, outputFiles = [] }) => {
    mkdirSync(outdir, { recursive: true });
    for (const { path, contents } of outputFiles) {
      writeFileSync(`${path}.${process.pid}`, contents);
      renameSync(`${path}.${process.pid}`, path);
    }
    console.log(`[build] finished with ${errors.length} errors`);
  });

// undici is the largest part and is needed by the first request only: it becomes a file of its own, loaded on demand.
const loadsSenderOnDemand = ({ onResolve }) =>
  onResolve({ filter: /\/undiciPool$/ }, ({ kind }) =>
    kind === 'dynamic-import' ? { path: './undiciPool.js', external: true } : undefined,
  );

const bundle = {
  entryPoints: { extension: 'src/extension.ts', undiciPool: 'src/platform/sending/undiciPool.ts' },
  ...{ outdir, write: false, bundle: true, minify: production, sourcemap: production ? false : 'linked' },
  ...{ platform: 'node', target: 'node22', format: 'cjs', external: ['vscode'], mainFields: ['module', 'main'] },
  ...{ legalComments: 'none', logLevel: 'warning' },
  plugins: [
    { name: 'loads-sender-on-demand', setup: loadsSenderOnDemand },
    { name: 'replaces-whole-files', setup: replacesWholeFiles },
  ],
};

if (watch) await (await context(bundle)).watch();
else await build(bundle);
