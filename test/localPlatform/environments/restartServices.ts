import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { answerWithRows, type NodeOutcome } from '../files/eachNode';
import type { Handler } from '../operation';
import { codes, Refusal } from '../refusal';
import type { Node } from './environment';

const errorLog = '/var/log/nginx/error.log';

/** Restarts the main service of each node. A service whose configuration is broken doesn't start, and says why. */
export const restartServices: Handler = async (call) => {
  const { platform, disk } = call;
  const outcomes: NodeOutcome[] = [];
  for (const node of call.nodes()) {
    const failure = disk.failing.get(node.id);
    const folder = platform.environments.folder(node.id);
    const problem = failure?.error ?? (usesNginx(node) ? await nginxProblem(folder) : undefined);
    if (problem === undefined) {
      if (usesNginx(node)) await log(folder, platform.clock.now(), '[notice] 1#1: start worker processes');
      outcomes.push({ node, kind: 'done', fields: {} });
    } else {
      if (usesNginx(node)) await log(folder, platform.clock.now(), `[emerg] 1#1: ${problem}`);
      const result = failure?.result ?? codes.unknown;
      outcomes.push({ node, kind: 'refused', refusal: new Refusal(result, `Failed to start: ${problem}`) });
    }
  }
  return answerWithRows(outcomes, platform.behaviour.nodeFailures);
};

const usesNginx = ({ nodeType }: Node): boolean => nodeType.startsWith('nginx');

/** Returns nginx's own words for a file in which braces don't match. */
const nginxProblem = async (folder: string): Promise<string | undefined> => {
  const files = ['/etc/nginx/nginx.conf', ...(await configurationFiles(folder))];
  for (const file of files) {
    const problem = bracesProblem(await textOf(join(folder, file)));
    if (problem !== undefined) return `${problem.words} in ${file}:${problem.line}`;
  }
  return undefined;
};

const configurationFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(join(folder, 'etc/nginx/conf.d')).catch(() => []);
  return names.filter((name) => name.endsWith('.conf')).map((name) => `/etc/nginx/conf.d/${name}`);
};

/** A file that doesn't exist isn't included either. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const bracesProblem = (text: string): { readonly words: string; readonly line: number } | undefined => {
  let depth = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    for (const character of line.replace(/"[^"]*"|'[^']*'/gu, '').replace(/#.*/u, '')) {
      depth += character === '{' ? 1 : character === '}' ? -1 : 0;
      if (depth < 0) return { words: 'unexpected "}"', line: index + 1 };
    }
  }
  return depth === 0 ? undefined : { words: 'unexpected end of file, expecting "}"', line: lines.length };
};

const log = async (folder: string, now: number, line: string): Promise<void> => {
  const file = join(folder, errorLog);
  await mkdir(dirname(file), { recursive: true });
  await appendFile(
    file,
    `${new Date(now).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/')} ${line}\n`,
  );
};
