// Bundles the extension into dist/. `--watch` rebuilds on every change, `--production` minifies for the package.
import { context } from 'esbuild';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const reportsProblems = {
  name: 'reports-problems',
  setup(build) {
    build.onStart(() => console.log('[build] started'));
    build.onEnd(({ errors }) => console.log(`[build] finished with ${errors.length} errors`));
  },
};

// undici is the largest part and is needed by the first request only: it becomes a file of its own, loaded on demand.
const loadsSenderOnDemand = {
  name: 'loads-sender-on-demand',
  setup(build) {
    build.onResolve({ filter: /\/poolSender$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './poolSender.js', external: true } : undefined,
    );
  },
};

const bundle = await context({
  entryPoints: { extension: 'src/extension.ts', poolSender: 'src/platform/poolSender.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  external: ['vscode'],
  mainFields: ['module', 'main'],
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [loadsSenderOnDemand, reportsProblems],
});

if (flags.has('--watch')) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
