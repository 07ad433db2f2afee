import type { AccountCallOptions } from '../../../accounts/signedInAccount';
import type { Containers } from '../../../containers/containers';
import type { Node } from '../../../containers/environment';
import type { Environments } from '../../../containers/environments';
import type { Target } from '../../../containers/place';
import { onPlatformError, undefinedIf } from '../../../platform/errors';
import { reasonText } from '../../../ui/failureMessages';
import { likelyFolders, placeOn, type ProjectPlace } from '../projectPlace';
import { wholeHash } from '../commits';
import type { KnownProjects } from '../projects';
import { packedCommit, parseHead, parseHeadLog } from './gitFiles';

/** A node that a project is deployed to, or the whole layer if its nodes aren't known. */
export interface DeployNode {
  readonly target: Target;
  readonly name: string;
  readonly type: string | undefined;
}

/** What a node's clone shows as deployed. */
export type Head =
  /** `branch`: the branch that is checked out; `undefined` if HEAD is detached. */
  | { readonly kind: 'commit'; readonly commit: string; readonly branch?: string | undefined }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface NodeHead {
  readonly node: DeployNode;
  readonly head: Head;
}

/** What was found in a folder: a clone, a Subversion checkout, nothing, or an error. */
export type FoundFolder = Head['kind'] | 'checkout';

/** A project's layer, or only one of its nodes. */
interface Inspected {
  readonly place: ProjectPlace;
  readonly nodeId?: number | undefined;
}

/** Reads a file of the clone in one folder; `undefined` if it doesn't exist. */
type ReadInFolder = (path: string) => Promise<string | undefined>;

/** Reads what is deployed on a project's nodes, as far as the token and the container's user may. */
export class NodeInspector {
  constructor(
    private readonly containers: Pick<Containers, 'account' | 'read' | 'list'>,
    private readonly environments: Environments,
    private readonly known: KnownProjects,
  ) {}

  /** Returns the layer's nodes, or the layer itself if they aren't known, because that must not prevent a redeploy. */
  async nodesOf({ place, nodeId }: Inspected): Promise<readonly DeployNode[]> {
    const listed = await this.listedNodes(place);
    const nodes = listed.map(({ id, name, type }) => deployNode(place, `${name} ${id}`, id, type));
    if (nodeId !== undefined) {
      return [nodes.find(({ target }) => target.nodeId === nodeId) ?? deployNode(place, String(nodeId), nodeId)];
    }
    return nodes.length > 0 ? nodes : [deployNode(place, place.layer)];
  }

  /**
   * Lists the nodes again unless that was done a moment ago: anyone may add and remove some at any time.
   * @param maxAge how old the list may be, in milliseconds, if not that
   */
  async listAgain({ account }: ProjectPlace, maxAge?: number): Promise<void> {
    await this.environments.soon(this.containers.account(account), maxAge);
  }

  /** Leaves out nodes that had a clone and were removed from the layer meanwhile: nothing is missing on them. */
  async withoutGone(
    inspected: Inspected,
    { before, after }: Readonly<Record<'before' | 'after', readonly NodeHead[]>>,
  ): Promise<readonly NodeHead[]> {
    const isLost = after.some(({ head }, index) => head.kind !== 'commit' && before[index]?.head.kind === 'commit');
    if (!isLost || inspected.nodeId !== undefined) {
      return after;
    }
    // Without a list, none of them is known to be gone. The result of a redeploy must be kept whatever fails here.
    const nodes = await this.listAgain(inspected.place, 0)
      .then(() => this.nodesOf(inspected))
      .catch(() => undefined);
    if (nodes === undefined) {
      return after;
    }
    const listed = new Set(nodes.map(({ target }) => target.nodeId));
    const left = after.filter(({ node }) => listed.has(node.target.nodeId));
    return left.length === 0 ? after : left;
  }

  /** What the clones say is deployed, on the project's nodes or on those that are given. */
  async heads(
    inspected: Inspected,
    { nodes, ...options }: AccountCallOptions & { readonly nodes?: readonly DeployNode[] } = {},
  ): Promise<readonly NodeHead[]> {
    const { place } = inspected;
    const inspectedNodes = nodes ?? (await this.nodesOf(inspected));
    if (this.known.find(place)?.kind !== 'SVN') {
      return Promise.all(inspectedNodes.map(async (node) => ({ node, head: await this.head(place, node, options) })));
    }
    // No file of a checkout has the revision as text, so once its folder is known, nothing is read.
    await this.findCheckout(place, inspectedNodes, options);
    return inspectedNodes.map((node) => ({ node, head: { kind: 'absent' } }));
  }

  /** Looks for a checkout on the first node, and remembers its folder, unless the project's folder is known. */
  async findCheckout(place: ProjectPlace, [node]: readonly DeployNode[], options?: AccountCallOptions): Promise<void> {
    if (node === undefined || this.known.find(place)?.folder !== undefined) {
      return;
    }
    for (const folder of likelyFolders(place, node.type)) {
      if (await isCheckout(this.readerIn(place, node, folder, options))) {
        await this.known.remember(place, { folder, isFolderUnconfirmed: false });
        return;
      }
    }
  }

  /** Looks into a folder on every node; the first that holds a clone or a checkout decides. */
  async look(place: ProjectPlace, folder: string): Promise<FoundFolder> {
    let found: FoundFolder = 'absent';
    for (const node of await this.nodesOf({ place })) {
      const read = this.readerIn(place, node, folder);
      const { kind } = await headIn(read, this.known.find(place)?.branch);
      found = kind === 'absent' && (await isCheckout(read)) ? 'checkout' : kind;
      if (found === 'commit' || found === 'checkout') {
        return found;
      }
    }
    return found;
  }

  /**
   * Returns the hash of a tag in the clone on the first node, or `undefined` if it has none or can't be read. It's the
   * commit's, unless the tag is an annotated one in its own file.
   */
  async hashOfTag(place: ProjectPlace, tag: string): Promise<string | undefined> {
    const folder = this.known.find(place)?.folder;
    const [node] = await this.nodesOf({ place });
    if (folder === undefined || node === undefined) {
      return undefined;
    }
    return undefinedIf('any', commitOfReference(`refs/tags/${tag}`, this.readerIn(place, node, folder)));
  }

  /** What each node's clone says of its branches, as far as it can be read. */
  async branches(inspected: Inspected, branch: string) {
    const folder = this.known.find(inspected.place)?.folder ?? '';
    const nodes = folder === '' ? [] : await this.nodesOf(inspected);
    return Promise.all(
      nodes.map(async (node) => {
        const read = this.readerIn(inspected.place, node, folder);
        const [head, tip, moves] = await Promise.all([
          undefinedIf('any', read('.git/HEAD')),
          undefinedIf('any', commitOfReference(`refs/remotes/origin/${branch}`, read)),
          undefinedIf('any', read('.git/logs/HEAD')),
        ]);
        const current = referenceIn(head);
        return {
          node,
          /** The branch that is checked out; `undefined` if HEAD is detached, too. */
          current: current && branchOf(current),
          /** The newest commit of the project's branch at the clone's last fetch. */
          tip,
          lastMove: parseHeadLog(moves ?? '').at(-1),
        };
      }),
    );
  }

  /**
   * Whether a node may lack the newest commit of its branch, because it had another branch before the Update, or that isn't
   * known. A platform may pull the old branch first and then check out the new one as the node last had it.
   */
  async mayBeOld(inspected: Inspected, after: readonly NodeHead[], before: readonly NodeHead[] = []): Promise<boolean> {
    const [switched] = after.flatMap(({ node, head }) => {
      // Some nodes may be gone by now.
      const earlier = before.find((one) => one.node.name === node.name)?.head;
      return earlier?.kind === 'absent' || branchOn(earlier) === branchOn(head) ? [] : (branchOn(head) ?? []);
    });
    const clones = switched === undefined ? [] : await this.branches(inspected, switched);
    return clones.some(({ tip }) => after.every(({ head }) => head.kind !== 'commit' || head.commit !== tip));
  }

  /** If they can't be listed, or not soon, those that were listed last count. */
  private async listedNodes(place: ProjectPlace): Promise<readonly Node[]> {
    const account = this.containers.account(place.account);
    const { environments } = this;
    const known = environments.knownLayer(account.slug, place.environment, place.layer);
    if (known !== undefined && (await environments.soon(account, Infinity)) === undefined) {
      return known.nodes;
    }
    const found = await environments.findLayer(account, place).catch(onPlatformError(() => undefined));
    return found?.layer.nodes ?? [];
  }

  private async head(place: ProjectPlace, node: DeployNode, options: AccountCallOptions): Promise<Head> {
    const { folder: known, branch } = this.known.find(place) ?? {};
    let found: Head = { kind: 'absent' };
    for (const folder of known === undefined ? likelyFolders(place, node.type) : [known]) {
      const head = await headIn(this.readerIn(place, node, folder, options), branch);
      if (head.kind === 'commit') {
        await this.known.remember(place, { folder, isFolderUnconfirmed: false });
        return head;
      }
      if (head.kind === 'unreadable') {
        found = head;
      }
    }
    return found;
  }

  private readerIn(
    place: ProjectPlace,
    { target }: DeployNode,
    folder: string,
    options?: AccountCallOptions,
  ): ReadInFolder {
    return (path) =>
      undefinedIf('notFound', this.containers.read(placeOn(place, target, `${folder}/${path}`), options));
  }
}

function deployNode({ layer }: ProjectPlace, name: string, nodeId?: number, type?: string): DeployNode {
  return { target: nodeId === undefined ? { nodeGroup: layer } : { nodeGroup: layer, nodeId }, name, type };
}

function branchOn(head: Head | undefined): string | undefined {
  return head?.kind === 'commit' ? head.branch : undefined;
}

function headIn(read: ReadInFolder, branch: string | undefined): Promise<Head> {
  return readHead(read, branch).catch(onPlatformError((error) => ({ kind: 'unreadable', why: reasonText(error) })));
}

/** @param likely the branch that is probably checked out. Its log is read at the same time as HEAD. */
async function readHead(read: ReadInFolder, likely = 'master'): Promise<Head> {
  const logOf = async (reference: string) => parseHeadLog((await read(`.git/logs/${reference}`)) ?? '').at(-1)?.to;
  // The settings of a project may have anything as its branch.
  const guess = referenceIn(`ref: refs/heads/${likely}`);
  const [text = '', logged] = await Promise.all([read('.git/HEAD'), guess && logOf(guess)]);
  const head = parseHead(text);
  if (head === undefined || 'commit' in head) {
    return head === undefined ? { kind: 'absent' } : { kind: 'commit', commit: head.commit };
  }
  const { reference } = head;
  // The log stays where it is, while the branch moves to packed-refs at each gc.
  const last = reference === guess ? logged : await logOf(reference);
  const commit = last ?? (await commitOfReference(reference, read));
  return commit === undefined ? { kind: 'absent' } : { kind: 'commit', commit, branch: branchOf(reference) };
}

function referenceIn(text = ''): string | undefined {
  const head = parseHead(text);
  return head !== undefined && 'reference' in head ? head.reference : undefined;
}

function branchOf(reference: string): string {
  return reference.slice('refs/heads/'.length);
}

export async function commitOfReference(reference: string, read: ReadInFolder): Promise<string | undefined> {
  const loose = (await read(`.git/${reference}`))?.trim() ?? '';
  return wholeHash.test(loose) ? loose : packedCommit((await read('.git/packed-refs')) ?? '', reference);
}

/** Every checkout has this file. It only holds the format of the folder. */
async function isCheckout(read: ReadInFolder): Promise<boolean> {
  return (await undefinedIf('any', read('.svn/entries'))) !== undefined;
}
