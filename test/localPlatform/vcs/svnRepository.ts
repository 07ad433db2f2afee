import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limit } from '../../host/limits';
import { bareEnvironment } from './bareEnvironment';
import type { Credentials } from './gitServer';
import { programFailure } from './programFailure';
import { runProgram } from './runProgram';

const secondsPerStep = 60;
const forever = new AbortController().signal;

const run = async (
  program: string,
  cwd: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<void> => {
  const environment = bareEnvironment(cwd);
  const outcome = await runProgram({
    program,
    args,
    cwd,
    environment,
    input,
    seconds: limit(secondsPerStep),
    signal: forever,
  });
  const failure = programFailure(`${program} ${args.join(' ')}`, outcome);
  if (failure !== undefined) throw new Error(`${failure.message}\n${outcome.output}`);
};

const properties = (all: Readonly<Record<string, string>> = {}): string =>
  [
    ...Object.entries(all).map(([key, value]) => `K ${key.length}\n${key}\nV ${Buffer.byteLength(value)}\n${value}\n`),
    'PROPS-END\n',
  ].join('');

/** Formats one record of a dump: its headers, its properties, and its text if it is a file. */
const record = (headers: readonly string[], props: string, text?: string): string => {
  const lengths = [Buffer.byteLength(props), Buffer.byteLength(text ?? '')] as const;
  const lines = [
    ...headers,
    `Prop-content-length: ${lengths[0]}`,
    ...(text === undefined ? [] : [`Text-content-length: ${lengths[1]}`]),
    `Content-length: ${lengths[0] + lengths[1]}`,
  ];
  return `${lines.join('\n')}\n\n${props}${text ?? ''}\n\n`;
};

const foldersAbove = (path: string): readonly string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** A Subversion repository, served by `startSvnServer`. */
export class SvnRepository {
  readonly folder: string;
  readonly #paths = new Set<string>();
  #revision = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Whether Subversion's programs are installed on this machine. */
  static async isPossible(): Promise<boolean> {
    const environment = bareEnvironment(tmpdir());
    for (const program of ['svn', 'svnadmin', 'svnserve']) {
      const args = ['--version', '--quiet'];
      const { ending } = await runProgram({
        program,
        args,
        cwd: tmpdir(),
        environment,
        seconds: limit(10),
        signal: forever,
      });
      if (ending.kind === 'missing') return false;
    }
    return true;
  }

  static async create(folder: string, { login, password }: Credentials): Promise<SvnRepository> {
    await mkdir(folder, { recursive: true });
    await run('svnadmin', folder, ['create', folder]);
    const access = ['[general]', 'anon-access = none', 'auth-access = write', 'password-db = passwd', ''];
    await writeFile(join(folder, 'conf', 'svnserve.conf'), access.join('\n'));
    await writeFile(join(folder, 'conf', 'passwd'), `[users]\n${login} = ${password}\n`, { mode: 0o600 });
    return new SvnRepository(folder);
  }

  /** Commits contents by path and returns the revision. Loads a dump of that revision, which takes only one process. */
  async commit(message: string, files: Readonly<Record<string, string>>): Promise<string> {
    this.#revision += 1;
    const revisionProperties = { 'svn:log': message, 'svn:author': 'marit', 'svn:date': new Date().toISOString() };
    const folders = Object.keys(files).flatMap(foldersAbove);
    const records = [
      'SVN-fs-dump-format-version: 2\n\n',
      record([`Revision-number: ${this.#revision}`], properties(revisionProperties)),
      ...folders.flatMap((path) => (this.#paths.has(path) ? [] : [this.#node(path)])),
      ...Object.entries(files).map(([path, text]) => this.#node(path, text)),
    ];
    await run('svnadmin', this.folder, ['load', '--quiet', this.folder], records.join(''));
    return String(this.#revision);
  }

  /** Formats the record of a folder, or of a file if there is a text. Changes a path that already exists. */
  #node(path: string, text?: string): string {
    const action = this.#paths.has(path) ? 'change' : 'add';
    this.#paths.add(path);
    const headers = [
      `Node-path: ${path}`,
      `Node-kind: ${text === undefined ? 'dir' : 'file'}`,
      `Node-action: ${action}`,
    ];
    return record(headers, properties(), text);
  }
}
