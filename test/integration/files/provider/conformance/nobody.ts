import { chown } from 'node:fs/promises';

/** Mode bits don't apply to root, so tests that depend on them run as this user. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

export async function giveToNobody(path: string): Promise<void> {
  if (isRoot) {
    await chown(path, nobody, nobody);
  }
}

export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) {
    return work();
  }
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
