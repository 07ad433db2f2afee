import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { type LocalPlatform, startPlatform } from '../../../../localPlatform/localPlatform';
import { fileUri, gantry, signedIn } from '../../../support/gantry';
import { asNobody, giveToNobody } from './nobody';

/** A file system under test: a URI of a folder, and the path of the same folder on this machine's disk. */
export interface Subject {
  readonly name: 'gantry' | 'file';
  readonly root: Uri;
  readonly disk: string;
  /** Discards cached data, because the disk was changed directly. */
  forget(): Promise<void>;
  /** Completes deletions that only moved their files movedTo. */
  settled(): Promise<void>;
  /** Returns the paths on the disk that failed overwrites have kept since the last call. */
  kept(): readonly string[];
  /** Runs the work as a user to whom mode bits apply. */
  unprivileged<T>(work: () => Promise<T>): Promise<T>;
  dispose(): Promise<void>;
}

export interface GantrySubject extends Subject {
  readonly platform: LocalPlatform;
}

/** VS Code's own provider for the disk, which everyone relies on. */
export async function fileSubject(): Promise<Subject> {
  const disk = await mkdtemp(join(tmpdir(), 'gantry-oracle-'));
  await chmod(disk, 0o755);
  await giveToNobody(disk);
  return {
    name: 'file',
    root: Uri.file(disk),
    disk,
    forget: () => Promise.resolve(),
    settled: () => Promise.resolve(),
    kept: () => [],
    unprivileged: asNobody,
    dispose: async () => {
      await open(disk);
      await rm(disk, { recursive: true, force: true });
    },
  };
}

export async function gantrySubject(): Promise<GantrySubject> {
  const layer = { name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'] };
  const platform = await startPlatform({ environments: [{ envName: 'oracle', layers: [layer] }] });
  const account = await signedIn(platform);
  const node = platform.nodes('oracle', 'cp')[0]?.id ?? 0;
  const { accounts, listings, files } = await gantry();
  const kept: string[] = [];
  const listening = files.backups.onDidFailToOverwrite(({ place, backup }) => {
    if (backup.kind === 'moved' && place.account === account.slug) {
      kept.push(join(platform.nodeFolder(node), backup.movedTo.path));
    }
  });
  return {
    name: 'gantry',
    platform,
    root: fileUri(account, 'oracle', `cp~${node}`, '/srv'),
    disk: join(platform.nodeFolder(node), 'srv'),
    forget: () => {
      listings.forgetAll();
      return Promise.resolve();
    },
    settled: () => files.backups.settled(),
    kept: () => kept.splice(0),
    unprivileged: (work) => work(),
    dispose: async () => {
      listening.dispose();
      await open(join(platform.nodeFolder(node), 'srv'));
      await accounts.remove(account.slug);
      await platform.dispose();
    },
  };
}

/** The contents of a folder: `undefined` for a folder, the text for a file. */
export type Tree = Readonly<Record<string, string | undefined>>;

export async function treeOf(folder: string): Promise<Tree> {
  const tree: Record<string, string | undefined> = {};
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    const isFolder = (await stat(join(folder, path))).isDirectory();
    tree[path] = isFolder ? undefined : await readFile(join(folder, path), 'utf8');
  }
  return tree;
}

export async function plant(folder: string, tree: Tree): Promise<void> {
  await mkdir(folder, { recursive: true });
  await giveToNobody(folder);
  for (const [path, text] of Object.entries(tree)) {
    await (text === undefined ? mkdir(join(folder, path)) : writeFile(join(folder, path), text));
    await giveToNobody(join(folder, path));
  }
}

/** Makes it readable and removable for the user who runs the tests. */
async function open(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await open(join(folder, entry.name));
    } else {
      await chmod(join(folder, entry.name), 0o644);
    }
  }
}
