import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, window, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { uriOf } from '../../../src/containers/uris';
import type { Parts } from '../../integration/support/parts';
import { type FilePlace, placeOnLayer } from '../../../src/containers/place';
import type { Piece } from '../budgets';
import type { Work } from './measure';

const files = 40;
const filesInTree = 1000;
export const bench = '/var/www/webroot/bench';

export interface WorkingOn {
  readonly parts: Parts;
  readonly account: Account;
  readonly node: { readonly id: number; readonly folder: string };
}

/** Creates folders and files to work on, directly on the node's disk. */
export async function layOut({ node }: WorkingOn): Promise<void> {
  const folder = join(node.folder, bench);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'files'), { recursive: true });
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  await Promise.all(numbers(files).map((n) => writeFile(join(folder, 'files', `${n}.conf`), `number ${n};\n`)));
  await mkdir(join(folder, 'parallel'));
  await Promise.all(numbers(100).map((n) => writeFile(join(folder, 'parallel', `${n}.conf`), `number ${n};\n`)));
  for (const tree of ['tree', 'renamed-0']) {
    await mkdir(join(folder, tree));
    await Promise.all(numbers(filesInTree).map((n) => writeFile(join(folder, tree, `${n}.txt`), `${n}\n`)));
  }
}

export function placeOnNode({ account, node }: WorkingOn, path: string): FilePlace {
  return placeOnLayer({ account: account.slug, name: 'shop' }, 'cp', node.id, path);
}

/** The work that the budgets limit, done as VS Code does it. */
export function fileWork(working: WorkingOn): Readonly<Record<Piece, Work>> {
  const { parts, node } = working;
  const {
    listings,
    files: { fileSystem },
  } = parts;
  const place = (path: string) => placeOnNode(working, path);
  const uri = (path: string) => uriOf(place(path));
  const file = (turn: number) => `${bench}/files/${turn % files}.conf`;
  const folder = place(`${bench}/files`);
  const open = (turn: number) => Promise.all([fileSystem.readFile(uri(file(turn))), fileSystem.stat(uri(file(turn)))]);
  const bare = (turn: number) => `${bench}/bare-${turn}`;
  const [tree, copied] = [`${bench}/tree`, `${bench}/copied`];
  // Renames the folder and then renames it back.
  const renamed = (turn: number) => [`${bench}/renamed-${turn % 2}`, `${bench}/renamed-${(turn + 1) % 2}`] as const;
  // A user who renames or copies a folder sees it and its parent folder.
  const seeTrees = async () => {
    listings.forget(place(bench));
    await Promise.all([listings.list(place('/var/www/webroot')), listings.list(place(bench))]);
  };
  const forget = (known: FilePlace) => {
    listings.forget(known);
    return Promise.resolve();
  };
  const show = async (turn: number) => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    const document = await workspace.openTextDocument(uri(file(turn)));
    await window.showTextDocument(document);
    return document;
  };
  const edit = async (turn: number) => {
    const document = await show(turn);
    const change = new WorkspaceEdit();
    change.insert(document.uri, document.positionAt(0), `# turn ${turn}\n`);
    await workspace.applyEdit(change);
  };
  return {
    expandFolder: {
      prepare: () => forget(place('/etc/nginx')),
      run: () => fileSystem.readDirectory(uri('/etc/nginx')),
    },
    openFile: { prepare: () => listings.list(folder), run: open },
    openUnlisted: { prepare: () => forget(folder), run: open },
    stats100: {
      prepare: () => forget(folder),
      run: () =>
        Promise.all(
          Array.from({ length: 100 }, (_, n) =>
            fileSystem.stat(uri(`${bench}/files/${n % 2 === 0 ? n / 2 : `missing-${n}`}.conf`)).catch(() => undefined),
          ),
        ),
    },
    save: {
      prepare: edit,
      run: async () => {
        if ((await window.activeTextEditor?.document.save()) !== true) {
          throw new Error('The save failed.');
        }
      },
    },
    renameFolder: {
      prepare: seeTrees,
      run: (turn) => {
        const [from, to] = renamed(turn);
        return workspace.fs.rename(uri(from), uri(to), { overwrite: false });
      },
    },
    copyFolder: {
      prepare: async () => {
        await rm(join(node.folder, copied), { recursive: true, force: true });
        await seeTrees();
      },
      run: () => workspace.fs.copy(uri(tree), uri(copied), { overwrite: false }),
    },
    deleteEmpty: {
      prepare: async (turn) => {
        await mkdir(join(node.folder, bare(turn)), { recursive: true });
        await seeTrees();
      },
      run: (turn) => workspace.fs.delete(uri(bare(turn))),
    },
    reopen: {
      prepare: async (turn) => {
        await show(turn);
        await fileSystem.readDirectory(uri(`${bench}/files`));
      },
      run: async (turn) => {
        await workspace.openTextDocument(uri(file(turn)));
        await fileSystem.readDirectory(uri(`${bench}/files`));
        await fileSystem.stat(uri(file(turn)));
      },
    },
  };
}

/** Opens a file and changes it, so that the test can type into it. */
export async function openToType(working: WorkingOn): Promise<void> {
  await fileWork(working).save.prepare?.(0);
}

/** Types into the active file at a person's speed. */
export async function typeFor(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    await commands.executeCommand('type', { text: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
