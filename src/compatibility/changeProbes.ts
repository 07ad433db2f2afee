import { addressOf } from '../containers/containers';
import { childOf } from '../containers/place';
import type { Facts } from './facts';
import type { ScratchFiles } from './scratchFiles';

/** Finds out what happens to a file that exists, and whether files can be moved and deleted. */
export async function probeChanges(files: ScratchFiles): Promise<Facts> {
  return {
    ...(await overwrite(files)),
    ...(await createOnto(files)),
    ...(await moveOnto(files, 'Rename', 'renameOnto')),
    ...(await moveOnto(files, 'Copy', 'copyOnto')),
    ...(await renameAcross(files)),
    ...(await remove(files)),
  };
}

async function overwrite(files: ScratchFiles): Promise<Facts> {
  const file = childOf(files.folder, 'overwrite.txt');
  const at = { ...addressOf(file), path: file.path };
  const write = (body: string, isAppendMode: boolean) =>
    files.change(`Write, isAppendMode=${isAppendMode}`, 'Write', { ...at, body, isAppendMode });
  await write('one\n', false);
  const overwritten = (await write('two\n', false)) === true ? await files.text(file) : undefined;
  const before = overwritten ?? '';
  const added = (await write('three\n', true)) === true ? await files.text(file) : undefined;
  const middle = added ?? '';
  const isAppended = await files.change('Append', 'Append', { ...at, body: 'four\n' });
  const after = isAppended === true ? await files.text(file) : undefined;
  return {
    overwriting: wordFor(overwritten, { replaces: 'two\n', appends: 'one\ntwo\n' }),
    appendMode: wordFor(added, { appends: `${before}three\n`, overwrites: 'three\n' }),
    append: wordFor(after, { appends: `${middle}four\n`, overwrites: 'four\n' }),
  };
}

async function createOnto(files: ScratchFiles): Promise<Facts> {
  const file = childOf(files.folder, 'create.txt');
  const at = { ...addressOf(file), path: file.path };
  await files.write(file, 'kept\n');
  const isCreated = await files.change('Create, existing file', 'Create', { ...at, isdir: false });
  const text = isCreated === undefined ? undefined : await files.text(file);
  if (text === undefined) {
    return {};
  }
  return { createOnto: text !== 'kept\n' ? 'overwrites' : isCreated === true ? 'ignored' : 'refused' };
}

async function moveOnto(
  files: ScratchFiles,
  operation: 'Rename' | 'Copy',
  fact: 'renameOnto' | 'copyOnto',
): Promise<Facts> {
  const source = childOf(files.folder, `${operation}-source.txt`);
  const target = childOf(files.folder, `${operation}-target.txt`);
  for (const [file, body] of [
    [source, 'source\n'],
    [target, 'target\n'],
  ] as const) {
    await files.write(file, body);
  }
  const where = addressOf(source);
  await (operation === 'Rename'
    ? files.change('Rename, onto a file', 'Rename', { ...where, oldPath: source.path, newPath: target.path })
    : files.change('Copy, onto a file', 'Copy', { ...where, src: source.path, dest: target.path }));
  const text = await files.text(target);
  return text === undefined ? {} : { [fact]: text === 'target\n' ? 'refused' : 'overwrites' };
}

async function renameAcross(files: ScratchFiles): Promise<Facts> {
  const folder = childOf(files.folder, 'folder');
  const file = childOf(files.folder, 'across.txt');
  const at = addressOf(file);
  await files.change('Create, folder', 'Create', { ...at, path: folder.path, isdir: true });
  await files.write(file, 'moved\n');
  const moved = await files.change('Rename, into another folder', 'Rename', {
    ...at,
    oldPath: file.path,
    newPath: childOf(folder, 'across.txt').path,
  });
  return moved === undefined ? {} : { renameAcrossFolders: moved ? 'done' : 'refused' };
}

async function remove(files: ScratchFiles): Promise<Facts> {
  const file = childOf(files.folder, 'delete.txt');
  const at = { ...addressOf(file), path: file.path };
  await files.write(file, 'deleted\n');
  const isDeleted = await files.change('Delete', 'Delete', at);
  const entries = await files.entries(files.folder);
  if (isDeleted !== true || entries === undefined) {
    return {};
  }
  return { deleting: entries.some(({ name }) => name === 'delete.txt') ? 'nothing' : 'done' };
}

function wordFor<W extends string>(
  text: string | undefined,
  texts: Readonly<Record<W, string>>,
): W | 'other' | undefined {
  if (text === undefined) {
    return undefined;
  }
  for (const word in texts) {
    if (texts[word] === text) {
      return word;
    }
  }
  return 'other';
}
