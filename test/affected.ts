import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { affectedFiles } from './host/affectedFiles';
import { earlierCommit } from './host/changedTests';
import { findTests } from './host/findTests';
import { projectFolder } from './host/folders';
import { mentions, type Parts, staleTexts, textsOfSource } from './host/sourceTexts';

const suites = ['unit', 'integration', 'e2e'] as const;

/** Where the texts are that a test may wait for in a window or in a program's output. */
const textSources = [
  'src',
  'package.json',
  'package.nls.json',
  'test/start.ts',
  'test/host/start',
  'test/localPlatform',
];

/** Unit tests that read the whole source without importing it. */
const ofWholeSource = [
  'unit/bundle.test.ts',
  'unit/manifest.test.ts',
  'unit/layout/',
  'unit/manifest/',
  'unit/oracle/',
  'unit/words/',
];

/** It also reads the titles of all tests. */
const ofTitles = 'unit/oracle/oracle.test.ts';

/** It reads the translations, whose English texts are in the other sources. */
const ofTranslations = 'e2e/languages.test.ts';
const translations = /^(l10n\/.+|package\.nls\.\w+)\.json$/;

/**
 * `affected.ts [--since COMMIT] [--list]`: names window tests that wait for a text that the change removed, and runs the
 * tests that the change touches. The change is everything that isn't committed, and the commits since COMMIT. Without it,
 * these are the commits since the branch left origin/main or main, or else those of the last four hours before HEAD. The
 * tests include those that otherwise run only at night. `--list` only lists them.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { since: { type: 'string' }, list: { type: 'boolean', default: false } } });
  const base = baseOf(values.since);
  if (base === undefined) {
    console.error('There is no earlier commit to compare with. Name one: npm run affected -- --since COMMIT');
    process.exitCode = 2;
    return;
  }
  const change = { base, files: changedFiles(base) };
  console.log(`${change.files.length} files changed since ${change.base.slice(0, 8)}.`);
  const stale = findStale(change);
  if (stale.length > 0) {
    console.log('\nThese tests may wait for a text that the sources no longer have:');
    for (const { file, line, parts, was } of stale)
      console.log(`${file}:${line} ${joined(parts)}, which was ${joined(was)}`);
  }
  const files = await touchedTests(
    change,
    stale.map(({ file }) => file),
  );
  console.log(`\nThe change touches ${files.length} test files:\n${files.join('\n')}`);
  const wanted = suites.filter((suite) => files.some((file) => file.startsWith(`${suite}/`)));
  if (values.list || wanted.length === 0) return;
  const args = ['--import', 'tsx', join(__dirname, 'run.ts'), '--nightly', ...wanted, ...files];
  process.exitCode = spawnSync(process.execPath, args, { cwd: projectFolder, stdio: 'inherit' }).status ?? 1;
}

interface Change {
  /** The commit before the change. */
  readonly base: string;
  /** The changed files, relative to the project's folder. */
  readonly files: readonly string[];
}

/** Returns the commit before the change, if anything tells. Where nothing knows of origin/main, the change may be on main. */
function baseOf(since: string | undefined): string | undefined {
  const common = (other: string): string | undefined => tryGit('merge-base', 'HEAD', other)?.trim();
  if (since !== undefined) return common(since) ?? git('rev-parse', since).trim();
  const head = git('rev-parse', 'HEAD').trim();
  const ofMain = common('main');
  return common('origin/main') ?? (ofMain === head ? undefined : ofMain) ?? earlierCommit(projectFolder);
}

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: projectFolder, encoding: 'utf8', maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function tryGit(...args: readonly string[]): string | undefined {
  try {
    return git(...args);
  } catch {
    return undefined;
  }
}

function changedFiles(base: string): readonly string[] {
  const names = (text: string): readonly string[] => text.split('\0').filter((name) => name !== '');
  const tracked = names(git('diff', '--name-only', '--no-renames', '-z', base));
  return [...new Set([...tracked, ...names(git('ls-files', '-z', '--others', '--exclude-standard'))])].sort();
}

/** @param stale further files that the change touches, because they wait for a text that it removed */
async function touchedTests({ base, files }: Change, stale: readonly string[]): Promise<readonly string[]> {
  const tests = suites.flatMap((suite) => testsBelow(`test/${suite}`));
  const changed = new Set([...files, ...stale].map((file) => join(projectFolder, file)));
  const importing = new Set(
    await affectedFiles(
      tests.map((file) => join(projectFolder, file)),
      changed,
    ),
  );
  const sources = files.filter((file) => /^(src\/|package|l10n\/)/.test(file));
  const folders = sources.flatMap((file) => /^src\/(.+\/)/.exec(file)?.[1] ?? []);
  // A change of a feature touches all that it shows, but a change of the manifest only the texts that it changes.
  const english = sources.filter((file) => !translations.test(file));
  const texts = english.flatMap((file) =>
    file.startsWith('src/') ? textsNow(file) : textsNow(file).filter(isNoneOf(textsAt(base, file))),
  );
  const isTouched = (file: string, name: string): boolean => {
    if (importing.has(join(projectFolder, file))) return true;
    if (name === ofTitles && files.some((one) => one.endsWith('.test.ts'))) return true;
    if (name === ofTranslations && files.some((one) => translations.test(one))) return true;
    if (ofWholeSource.some((start) => name.startsWith(start))) return sources.length > 0;
    if (name.startsWith('e2e/')) return mentions(textsOfSource(readFileSync(join(projectFolder, file), 'utf8')), texts);
    return folders.some((folder) => name.startsWith(`integration/${folder}`));
  };
  return tests.flatMap((file) => (isTouched(file, file.slice('test/'.length)) ? [file.slice('test/'.length)] : []));
}

/** Returns the texts in window tests that the change removed from the sources. */
function findStale({ base, files }: Change) {
  const isSource = (file: string): boolean => textSources.some((path) => file === path || file.startsWith(`${path}/`));
  const changed = files.filter(isSource);
  if (changed.length === 0) return [];
  const current = textSources.flatMap((path) => (path.includes('.') ? path : filesBelow(path))).flatMap(textsNow);
  const removed = changed.flatMap((file) => textsAt(base, file)).filter(isNoneOf(current));
  if (removed.length === 0) return [];
  return ['test/e2e', 'test/integration'].flatMap(filesBelow).flatMap((file) => {
    const tested = textsOfSource(readFileSync(join(projectFolder, file), 'utf8'));
    return staleTexts(tested, removed, current).map((text) => ({ file, ...text }));
  });
}

function isNoneOf(texts: readonly Parts[]): (text: Parts) => boolean {
  const known = new Set(texts.map(joined));
  return (text) => !known.has(joined(text));
}

function joined(parts: Parts): string {
  return JSON.stringify(parts.join('…'));
}

function filesBelow(folder: string): readonly string[] {
  return findTests(join(projectFolder, folder), '.ts').map((file) =>
    relative(projectFolder, file).replaceAll('\\', '/'),
  );
}

function testsBelow(folder: string): readonly string[] {
  return filesBelow(folder).filter((file) => file.endsWith('.test.ts'));
}

function textsNow(file: string): readonly Parts[] {
  const path = join(projectFolder, file);
  return existsSync(path) ? textsIn(file, readFileSync(path, 'utf8')) : [];
}

function textsAt(commit: string, file: string): readonly Parts[] {
  return textsIn(file, tryGit('show', `${commit}:${file}`) ?? '');
}

/** A JSON file is an expression in TypeScript. */
function textsIn(file: string, content: string): readonly Parts[] {
  return textsOfSource(file.endsWith('.json') ? `(${content})` : content).map(({ parts }) => parts);
}

void main();
