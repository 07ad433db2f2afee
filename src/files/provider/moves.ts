import { failed } from '../../platform/failureTexts';
import { isPlatformError } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, keyOf, wholeLayer, nameOf, parentOf } from '../../containers/place';
import { compareTrees, type Likeness } from './sameTree';
import { changeOnce } from '../../platform/changeOnce';
import type { CallOptions } from '../../platform/client';

export interface MovesDeps {
  readonly containers: Containers;
  readonly listings: Listings;
  /** Copies to another container: what the platform cannot do by itself. Nothing is at the target. */
  copyAcross(from: FilePlace, to: FilePlace): Promise<void>;
}

/** The code with which some platforms refuse to rename into another folder. */
const otherFolder = 2333;

/** Renames and copies. The target must not exist: VS Code deletes what it is to replace. */
export class Moves {
  constructor(private readonly deps: MovesDeps) {}

  async rename(from: FilePlace, to: FilePlace): Promise<void> {
    if (keyOf(from) === keyOf(to)) {
      return;
    }
    demandApart(from, to, 'Rename');
    await (isSameContainer(from, to) ? this.move(from, to) : this.carry(from, to));
  }

  async copy(from: FilePlace, to: FilePlace): Promise<void> {
    demandApart(from, to, 'Copy');
    await (isSameContainer(from, to) ? copyOnce(from, to, this.deps.containers) : this.copyAcross(from, to));
  }

  private async move(from: FilePlace, to: FilePlace): Promise<void> {
    try {
      await this.deps.containers.rename(from, to);
    } catch (error) {
      if (!isPlatformError(error) || error.result !== otherFolder) {
        throw error;
      }
      await copyOnce(from, to, this.deps.containers);
      // The platform itself copied it, within one container: bytes that Read can't give are as whole as all others.
      await this.demandSame(from, to, 'Rename', ['different']);
      await this.deps.containers.delete(from);
    }
  }

  private async copyAcross(from: FilePlace, to: FilePlace): Promise<void> {
    if ((await this.deps.listings.lookUp(to)) !== undefined) {
      throw failed({ kind: 'exists', operation: 'Copy', target: to.path });
    }
    await this.deps.copyAcross(from, to);
  }

  private async carry(from: FilePlace, to: FilePlace): Promise<void> {
    await this.copyAcross(from, to);
    await this.demandSame(from, to, 'Rename');
    await this.deps.containers.delete(from);
  }

  /** Only what was read where it is now, and is the same as where it was, is deleted there. */
  private async demandSame(
    from: FilePlace,
    to: FilePlace,
    operation: string,
    refused: readonly Likeness[] = ['different', 'unproven'],
  ): Promise<void> {
    const likeness = await this.compare(from, to, (file) => this.deps.containers.read(file));
    if (refused.includes(likeness)) {
      const target = `${from.path} → ${to.path}`;
      const obstacle = likeness === 'different' ? 'copyDiffers' : 'copyUnproven';
      throw failed({ kind: 'platform', operation, target, obstacle });
    }
  }

  private async compare(from: FilePlace, to: FilePlace, read: (file: FilePlace) => Promise<string>): Promise<Likeness> {
    const { containers, listings } = this.deps;
    const [one, other] = await Promise.all([listings.lookUp(from), listings.lookUp(to)]);
    const list = (folder: FilePlace): Promise<readonly FileEntry[]> => containers.list(folder);
    return compareTrees({ place: from, entry: one }, { place: to, entry: other }, { list, read });
  }
}

function isSameContainer(one: FilePlace, other: FilePlace): boolean {
  return keyOf({ ...one, path: '/' }) === keyOf({ ...other, path: '/' });
}

/** A whole layer holds what each of its nodes does: what is moved from it to one of them would be deleted there, too. */
function demandApart(from: FilePlace, to: FilePlace, operation: string): void {
  const isLayer = ({ target }: FilePlace): boolean => target.nodeId === undefined;
  const [source, target] = isLayer(from) === isLayer(to) ? [from, to] : [wholeLayer(from), wholeLayer(to)];
  if (`${keyOf(target)}/`.startsWith(`${keyOf(source)}/`)) {
    throw failed({ kind: 'invalid', operation, target: from.path, obstacle: 'intoItself' });
  }
}

/** Copies within one container. If the response was lost, the copy may still be running: it's done once everything exists. */
export async function copyOnce(
  from: FilePlace,
  to: FilePlace,
  containers: Containers,
  options: CallOptions = {},
): Promise<void> {
  await changeOnce(
    () => containers.copy(from, to, options),
    async () => {
      const sources = await containers.nodes(from);
      const targets = await containers.nodes(to);
      const likenesses = await Promise.all(
        sources.map((source, index) => likenessOf(source, targets[index] ?? to, containers, options)),
      );
      return likenesses.every((likeness) => likeness === 'same');
    },
  );
}

async function likenessOf(from: FilePlace, to: FilePlace, containers: Containers, { signal }: CallOptions) {
  const list = (folder: FilePlace): Promise<readonly FileEntry[]> => containers.list(folder, { signal });
  const find = async (place: FilePlace) =>
    (await list(parentOf(place) ?? place)).find(({ name }) => name === nameOf(place));
  const [one, other] = await Promise.all([find(from), find(to)]);
  return compareTrees({ place: from, entry: one }, { place: to, entry: other }, { list });
}
