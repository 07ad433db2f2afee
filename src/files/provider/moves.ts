import { failed } from '../../platform/failureTexts';
import { isPlatformError, onPlatformError, type PlatformError, undefinedIf } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { childOf, failedObjectAt, type FilePlace, isSameContainer, keyOf, wholeLayer } from '../../containers/place';
import { changeOnce } from '../../platform/lostReply';
import type { CallOptions } from '../../platform/client';
import { type FileEntry, isReadableType } from '../../platform/wire/fileEntry';
import { textFlawOf } from '../text';
import { walk } from '../../async/taskPool';

/** The code with which some platforms reject a rename into another folder. */
const otherFolder = 2333;

/** Renames and copies. The target must not exist, because VS Code deletes it before an overwrite. */
export class Moves {
  /** @param copyToOther copies to another container, which the platform can't do itself. The target doesn't exist. */
  constructor(
    private readonly containers: Containers,
    private readonly listings: Listings,
    private readonly copyToOther: (from: FilePlace, to: FilePlace) => Promise<void>,
  ) {}

  async rename(from: FilePlace, to: FilePlace): Promise<void> {
    if (keyOf(from) === keyOf(to)) {
      return;
    }
    ensureNotNested(from, to, 'Rename');
    await (isSameContainer(from, to) ? this.move(from, to) : this.carry(from, to));
  }

  async copy(from: FilePlace, to: FilePlace): Promise<void> {
    ensureNotNested(from, to, 'Copy');
    await (isSameContainer(from, to) ? copyOnce(from, to, this.containers) : this.copyAcross(from, to));
  }

  private async move(from: FilePlace, to: FilePlace): Promise<void> {
    try {
      await this.containers.rename(from, to);
    } catch (error) {
      if (!isPlatformError(error) || error.result !== otherFolder) {
        throw error;
      }
      await copyOnce(from, to, this.containers);
      // The platform copied it within the container, so files that Read can't return exactly are complete too.
      await this.removeCopied(from, to, ['different']);
    }
  }

  private async copyAcross(from: FilePlace, to: FilePlace): Promise<void> {
    if ((await this.listings.lookUp(to)) !== undefined) {
      throw failed({ kind: 'exists', operation: 'Copy', target: to.path, object: failedObjectAt(to) });
    }
    await this.copyToOther(from, to);
  }

  private async carry(from: FilePlace, to: FilePlace): Promise<void> {
    await this.copyAcross(from, to);
    await this.removeCopied(from, to, ['different', 'unproven']);
  }

  /** Deletes the original if the copy equals it. A failure says what still exists. */
  private async removeCopied(from: FilePlace, to: FilePlace, refused: readonly Likeness[]): Promise<void> {
    const target = `${from.path} → ${to.path}`;
    const failure = { operation: 'Rename', target, object: failedObjectAt(from) };
    const { containers } = this;
    // Cached listings lack what a delete has renamed, which is moved out of a folder before that is moved.
    const listings = { lookUp: (place: FilePlace) => containers.entry(place) };
    const likeness = await likenessOfPlaces(from, to, { containers, listings }).catch(
      onPlatformError((cause) => {
        throw failed({ ...failure, kind: 'platform', obstacle: 'copyUnproven', cause });
      }),
    );
    if (refused.includes(likeness)) {
      throw failed({
        ...failure,
        kind: 'platform',
        obstacle: likeness === 'different' ? 'copyDiffers' : 'copyUnproven',
      });
    }
    await containers.delete(from).catch(
      onPlatformError(async (cause) => {
        // On a layer, another node may still have it.
        const isGone = async () => containers.shows(from, undefined, (entry) => entry === undefined);
        if (cause.kind === 'notFound' && (await undefinedIf('any', isGone())) === true) {
          return;
        }
        const { isOutcomeUnknown } = cause;
        const obstacle = isOutcomeUnknown ? 'originalUncertain' : 'originalKept';
        throw failed({ ...failure, kind: 'platform', obstacle, isOutcomeUnknown, cause });
      }),
    );
  }
}

/** Throws if the target is inside the source. A layer contains its nodes' files, so they count as the same. */
export function ensureNotNested(from: FilePlace, to: FilePlace, operation: string): void {
  const isLayer = ({ target }: FilePlace): boolean => target.nodeId === undefined;
  const [source, target] = isLayer(from) === isLayer(to) ? [from, to] : [wholeLayer(from), wholeLayer(to)];
  if (`${keyOf(target)}/`.startsWith(`${keyOf(source)}/`)) {
    throw failed({
      kind: 'invalid',
      operation,
      target: from.path,
      object: failedObjectAt(from),
      obstacle: 'intoItself',
    });
  }
}

/** Compares what two places hold now on all their nodes, byte for byte as far as that's possible. */
export async function likenessOfPlaces(
  from: FilePlace,
  to: FilePlace,
  { containers, listings }: { readonly containers: Containers; readonly listings: Pick<Listings, 'lookUp'> },
  options?: CallOptions,
): Promise<Likeness> {
  const list = (folder: FilePlace) => containers.list(folder, { ...options, isProof: true });
  const read = (file: FilePlace) => containers.read(file, options);
  const all = new Set<Likeness>();
  for (const [source, target] of await nodePairs(from, to, containers)) {
    const [one, other] = await Promise.all([listings.lookUp(source), listings.lookUp(target)]);
    all.add(await compareTrees({ place: source, entry: one }, { place: target, entry: other }, { list, read }));
  }
  return (['different', 'unproven'] as const).find((likeness) => all.has(likeness)) ?? 'same';
}

/** Every node of both places in at least one pair, because a layer's nodes may have different files. */
async function nodePairs(
  from: FilePlace,
  to: FilePlace,
  containers: Pick<Containers, 'nodes'>,
): Promise<readonly (readonly [FilePlace, FilePlace])[]> {
  const [sources, targets] = await Promise.all([containers.nodes(from), containers.nodes(to)]);
  const [source = from, ...moreSources] = sources;
  const [target = to, ...moreTargets] = targets;
  return isSameContainer(from, to)
    ? sources.map((one, index) => [one, targets[index] ?? to] as const)
    : [
        [source, target],
        ...moreSources.map((one) => [one, target] as const),
        ...moreTargets.map((one) => [source, one] as const),
      ];
}

/** Copies within a container. A copy whose response was lost may still run: waits until everything exists. */
export async function copyOnce(
  from: FilePlace,
  to: FilePlace,
  containers: Containers,
  options: CallOptions = {},
): Promise<void> {
  await changeOnce(
    () => containers.copy(from, to, options),
    async () => {
      const pairs = await nodePairs(from, to, containers);
      const likenesses = await Promise.all(
        pairs.map(([source, target]) => likenessOf(source, target, containers, options)),
      );
      return likenesses.every((likeness) => likeness === 'same');
    },
  );
}

async function likenessOf(from: FilePlace, to: FilePlace, containers: Containers, { signal }: CallOptions) {
  const list = (folder: FilePlace) => containers.list(folder, { signal, isProof: true });
  const [one, other] = await Promise.all([from, to].map((place) => containers.entry(place, { signal })));
  return compareTrees({ place: from, entry: one }, { place: to, entry: other }, { list });
}

interface Tree {
  readonly place: FilePlace;
  readonly entry: FileEntry | undefined;
}

type Pair = readonly [Tree, Tree];

/** `unproven`: no difference found, but not everything can be compared byte for byte. */
type Likeness = 'same' | 'different' | 'unproven';

interface TreeReader {
  readonly list: (folder: FilePlace) => Promise<readonly FileEntry[]>;
  /** If omitted, only names and lengths are compared. */
  readonly read?: (file: FilePlace) => Promise<string>;
}

const atOnce = 4;
/** Longer files aren't read for a comparison, in bytes. */
const longest = 5 * 1024 * 1024;

/** Compares two files or folders. The copy may contain more, because it may have been merged into a folder. */
export async function compareTrees(one: Tree, other: Tree, comparing: TreeReader): Promise<Likeness> {
  const differing = new AbortController();
  const all = new Set<Likeness>();
  await walk<Pair>([[one, other]], {
    enter: async ([left, right]) => {
      const found = await compare(left, right, comparing);
      if (typeof found !== 'string') {
        return found;
      }
      all.add(found);
      if (found === 'different') {
        differing.abort();
      }
      return [];
    },
    atOnce,
    signal: differing.signal,
    onFailure: (_, error) => {
      throw error;
    },
  });
  return (['different', 'unproven'] as const).find((likeness) => all.has(likeness)) ?? 'same';
}

/** Compares two files, or returns the pairs to compare next for two folders. */
async function compare(one: Tree, other: Tree, comparing: TreeReader): Promise<Likeness | readonly Pair[]> {
  const [before, after] = [one.entry, other.entry];
  if (before === undefined || after?.isDir !== before.isDir) {
    return 'different';
  }
  if (!before.isDir) {
    return before.length === undefined || before.length !== after.length
      ? 'different'
      : compareTexts({ ...one, entry: before }, { ...other, entry: after }, comparing);
  }
  const [left, right] = await Promise.all([comparing.list(one.place), comparing.list(other.place)]);
  const byName = new Map(right.map((entry) => [entry.name, entry]));
  return left.map((entry) => [
    { place: childOf(one.place, entry.name), entry },
    { place: childOf(other.place, entry.name), entry: byName.get(entry.name) },
  ]);
}

interface File {
  readonly place: FilePlace;
  readonly entry: FileEntry;
}

async function compareTexts(one: File, other: File, { read }: TreeReader): Promise<Likeness> {
  if (read === undefined) {
    return 'same';
  }
  if (![one, other].every(({ entry }) => isReadable(entry))) {
    return 'unproven';
  }
  const readOrError = ({ place }: File) => read(place).catch(onPlatformError((error) => error));
  const [left, right] = await Promise.all([readOrError(one), readOrError(other)]);
  const [refusal, otherRefusal] = [left, right].filter(isPlatformError);
  if (refusal !== undefined && !(otherRefusal?.result === refusal.result && isContentRefused(refusal))) {
    // What is refused for only one of both isn't the content.
    throw refusal;
  }
  if (typeof left !== 'string' || typeof right !== 'string') {
    return 'unproven';
  }
  if (left !== right) {
    return 'different';
  }
  // Equal texts may not be the whole files: the platform may have altered both in the same way.
  return textFlawOf(left, one.entry) === undefined ? 'same' : 'unproven';
}

function isReadable(entry: FileEntry): boolean {
  return isReadableType(entry) && (entry.length ?? 0) <= longest;
}

/** The platform refuses to return some contents, such as binary ones, with codes of its own. */
function isContentRefused({ kind, result }: PlatformError): boolean {
  return ['platform', 'invalid', 'tooLarge'].includes(kind) && result !== undefined;
}
