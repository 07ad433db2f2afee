import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SvnRepository } from '../localPlatform/vcs/svnRepository';
import { startSvnServer } from '../localPlatform/vcs/svnServer';
import { credentials, type VcsSetUp, type Wishes } from '../unit/localPlatform/vcsSetUp';
import { CommittedFiles, type Files, hasCommit, headOf, type NodeHead, tipsOf } from './nodeStates';

const run = promisify(execFile);

/** A repository that a project deploys. A revision of Subversion is `r` and its number. */
export interface ProjectRepository {
  /** The settings of a project that deploys it. */
  readonly wishes: Wishes;
  /** Returns the new commit. */
  commit(files: Readonly<Record<string, string | null>>, branch: string): Promise<string>;
  /** The branches, with their newest commits. Subversion has one without a name. */
  tips(): Promise<ReadonlyMap<string, string>>;
  headIn(folder: string): Promise<NodeHead>;
  /** @param folder where a merge may have made a commit that the repository doesn't have */
  filesOf(commit: string, folder: string): Promise<Files>;
  /** Whether a commit in a folder is this one, or a merge that has it. */
  includes(commit: string, wanted: string, folder: string): Promise<boolean>;
  close(): Promise<void>;
}

export function gitRepository({ repository, projectWishes }: VcsSetUp): ProjectRepository {
  const { folder: own } = repository;
  const committed = new CommittedFiles(own);
  return {
    wishes: projectWishes,
    commit: (files, branch) => repository.commit({ message: Object.keys(files).join(' '), files, branch }),
    tips: () => tipsOf(own),
    headIn: headOf,
    filesOf: (commit, folder) => committed.of(commit, folder),
    includes: async (commit, wanted, folder) =>
      commit === wanted || (!(await hasCommit(own, commit)) && (await hasCommit(folder, commit, wanted))),
    close: () => Promise.resolve(),
  };
}

export async function subversionRepository(): Promise<ProjectRepository> {
  const parent = await mkdtemp(join(tmpdir(), 'gantry-svn-'));
  const repository = await SvnRepository.create(join(parent, 'tea'), credentials);
  const server = await startSvnServer({ folder: parent });
  const revisions: Files[] = [new Map()];
  const newest = () => `r${revisions.length - 1}`;
  return {
    wishes: { type: 'SVN', context: 'ROOT', url: `${server.url('tea')}/trunk`, ...credentials },
    commit: async (files) => {
      const texts = Object.entries(files).map(([path, text]) => [path, text ?? ''] as const);
      await repository.commit('change', Object.fromEntries(texts.map(([path, text]) => [`trunk/${path}`, text])));
      const onNodes = texts.map(([path, text]) => [path, Buffer.from(text).toString('latin1')] as const);
      revisions.push(new Map([...(revisions.at(-1) ?? []), ...onNodes]));
      return newest();
    },
    tips: () => Promise.resolve(new Map([['', newest()]])),
    headIn: async (folder) => {
      const args = ['info', '--show-item', 'revision', folder];
      const { stdout } = await run('svn', args).catch(() => ({ stdout: '' }));
      return { commit: stdout === '' ? '' : `r${stdout.trim()}`, branch: undefined };
    },
    filesOf: (commit) => Promise.resolve(revisions[Number(commit.slice(1))] ?? new Map<string, string>()),
    includes: (commit, wanted) => Promise.resolve(commit === wanted),
    close: async () => {
      await server.close();
      await rm(parent, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
