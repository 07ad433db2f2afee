import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Node } from './environment';
import { nginxSyntaxProblem } from './nginxSyntax';

/** Where it logs, as the container sees it. */
export const nginxLogs = { access: '/var/log/nginx/access.log', error: '/var/log/nginx/error.log' } as const;

export const usesNginx = ({ nodeType }: Node): boolean => nodeType.startsWith('nginx');

/** Returns nginx's own words for a file that it can't parse. */
export const nginxProblem = async (folder: string): Promise<string | undefined> => {
  const files = ['/etc/nginx/nginx.conf', ...(await configurationFiles(folder))];
  for (const file of files) {
    const problem = nginxSyntaxProblem(await textOf(join(folder, file)));
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

/** Adds a line to the error log, after the time. */
export const logOfNginx = async (folder: string, now: number, line: string): Promise<void> => {
  const file = join(folder, nginxLogs.error);
  await mkdir(dirname(file), { recursive: true });
  await appendFile(
    file,
    `${new Date(now).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/')} ${line}\n`,
  );
};
