import { l10n } from 'vscode';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import type { Environments } from '../../containers/environments';
import type { Target } from '../../containers/place';
import { readProvenText } from '../../files/wholeText';
import { onPlatformError, undefinedIf } from '../../platform/errors';
import { ExpectedError } from '../../ui/expectedError';
import { reasonText } from '../../ui/failureMessages';
import { firstDeployment, type LogPart, logSince, nodeLogFolder, nodeLogName } from '../history/deployLog';
import { likelyFolders, placeOn, type ProjectPlace } from '../projectPlace';
import type { KnownProjects } from '../projects';
import { type HookName, hookNames, type Hooks } from '../settings/projectFields';
import { commitPattern, packedCommit, parseHead, parseHeadLog } from './gitHeadLog';

/** A node that a project is deployed to, or the whole layer if its nodes aren't known. */
export interface DeployNode {
  readonly target: Target;
  readonly name: string;
  readonly type: string | undefined;
}

/** What a node's clone shows as deployed. */
export type Head =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface NodeHead {
  readonly node: DeployNode;
  readonly head: Head;
}

/** What was found in a folder: a clone, a Subversion checkout, nothing, or an error. */
export type FoundFolder = Head['kind'] | 'checkout';

/** A project's layer, or only one of its nodes. */
export interface Inspected {
  readonly place: ProjectPlace;
  readonly nodeId?: number | undefined;
}

export interface NodeInspectorDeps {
  readonly containers: Pick<Containers, 'account' | 'read' | 'list'>;
  readonly listings: Pick<Listings, 'lookUp'>;
  readonly environments: Environments;
  readonly known: KnownProjects;
}

/** The hook scripts on a layer's first node; `undefined` if it has no folder for them. */
export interface HooksOnNode {
  readonly scripts: Hooks | undefined;
  readonly node: string;
  /** There are, or may be, other nodes, which weren't read. */
  readonly hasOthers: boolean;
}

/** Where nodes keep the hooks of all projects. It's undocumented, so there may be no such folder. */
const hookFolder = '/var/lib/jelastic/hooks';

/** Reads a file of the clone in one folder; `undefined` if it doesn't exist. */
type ReadInFolder = (path: string) => Promise<string | undefined>;

const mostLogLines = 400;

/** When a redeploy began, and how long each node's log was then, by the node's name, where that's known. */
export interface LogBaseline {
  readonly startedAt: number;
  readonly logLengths?: Readonly<Record<string, number>> | undefined;
  /** There may have been other redeploys since, whose lines aren't wanted. */
  readonly isLongAgo?: boolean;
}

/** Reads what is deployed on a project's nodes, as far as the token and the container's user may: clones and deploy logs. */
export class NodeInspector {
  constructor(private readonly deps: NodeInspectorDeps) {}

  /** Returns the layer's nodes, or the layer itself if they aren't known, because that must not prevent a redeploy. */
  async nodesOf({ place, nodeId }: Inspected): Promise<readonly DeployNode[]> {
    const listed = await this.listedNodes(place).catch(onPlatformError(() => []));
    const nodes = listed.map(({ id, name, type }) => deployNode(place, `${name} ${id}`, id, type));
    if (nodeId !== undefined) {
      return [nodes.find(({ target }) => target.nodeId === nodeId) ?? deployNode(place, String(nodeId), nodeId)];
    }
    return nodes.length > 0 ? nodes : [deployNode(place, place.layer)];
  }

  /** What the clones say is deployed, on the project's nodes or on those that are given. */
  async heads(
    inspected: Inspected,
    { nodes, ...options }: AccountCallOptions & { readonly nodes?: readonly DeployNode[] } = {},
  ): Promise<readonly NodeHead[]> {
    const { place } = inspected;
    const inspectedNodes = nodes ?? (await this.nodesOf(inspected));
    if (this.deps.known.find(place)?.kind !== 'SVN') {
      return Promise.all(inspectedNodes.map(async (node) => ({ node, head: await this.head(place, node, options) })));
    }
    // No file of a checkout has the revision as text, so once its folder is known, nothing is read.
    const [first] = inspectedNodes;
    if (first !== undefined && this.deps.known.find(place)?.folder === undefined) {
      await this.findCheckout(place, first, options);
    }
    return inspectedNodes.map((node) => ({ node, head: { kind: 'absent' } }));
  }

  /** Looks into a folder on every node; the first that holds a clone or a checkout decides. */
  async look(place: ProjectPlace, folder: string): Promise<FoundFolder> {
    let found: FoundFolder = 'absent';
    for (const { node } of await this.heads({ place })) {
      const read = this.readerIn(place, node, folder);
      const { kind } = await headIn(read);
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
    const folder = this.deps.known.find(place)?.folder;
    const [node] = await this.nodesOf({ place });
    if (folder === undefined || node === undefined) {
      return undefined;
    }
    return undefinedIf('any', commitOfReference(`refs/tags/${tag}`, this.readerIn(place, node, folder)));
  }

  /** Rejects if the hooks can't be read. Nothing is sent to an environment that is known not to be running. */
  async hooks(place: ProjectPlace, options: AccountCallOptions = {}): Promise<HooksOnNode> {
    const { containers, environments } = this.deps;
    const [node = deployNode(place, place.layer), ...others] = await this.nodesOf({ place });
    if ((environments.known(place.account, place.environment)?.status ?? 'running') !== 'running') {
      throw new ExpectedError(l10n.t("{0} isn't running", environments.titleOf(place)));
    }
    const folder = placeOn(place, node.target, hookFolder);
    const entries = await undefinedIf('notFound', containers.list(folder, { ...options, isProof: true }));
    const fileOf = (hook: HookName) => `${hook}_${place.context}.sh`;
    const found = hookNames.filter((hook) => entries?.some(({ name }) => name === fileOf(hook)));
    const read = this.readerIn(place, node, hookFolder, options);
    const scripts = await Promise.all(found.map(async (hook) => [hook, (await read(fileOf(hook))) ?? ''] as const));
    return {
      scripts: entries && Object.fromEntries(scripts),
      node: node.name,
      hasOthers: others.length > 0 || node.target.nodeId === undefined,
    };
  }

  /** Returns each node's log, or `undefined` if it couldn't be read. Some platforms cut long logs off. */
  logs(place: ProjectPlace, nodes: readonly DeployNode[]): Promise<readonly (string | undefined)[]> {
    return Promise.all(
      nodes.map((node) =>
        undefinedIf(
          'any',
          this.log(place, node).then((log = '') => log),
        ),
      ),
    );
  }

  /** What the nodes' logs say since a redeploy began, as one text; `undefined` if they say nothing. */
  async logText(
    place: ProjectPlace,
    nodes: readonly DeployNode[],
    { startedAt, logLengths = {}, isLongAgo = false }: LogBaseline,
  ): Promise<LogPart | undefined> {
    const parts = await Promise.all(
      nodes.map(async (node) => {
        const log = (await this.wholeLog(place, node)) ?? '';
        const added = logSince(log, { startedAt, length: logLengths[node.name] });
        const { text, isEndKnown } = isLongAgo ? firstDeployment(added) : { text: added, isEndKnown: true };
        const end = text.split('\n').slice(-mostLogLines).join('\n');
        return end.trim() === ''
          ? []
          : [{ text: `# ${node.name}: ${nodeLogFolder}/${nodeLogName}\n${end}`, isEndKnown }];
      }),
    );
    const said = parts.flat();
    return said.length === 0
      ? undefined
      : { text: said.map(({ text }) => text).join('\n'), isEndKnown: said.every(({ isEndKnown }) => isEndKnown) };
  }

  /** Returns the length of each node's log in bytes, 0 if it has none, or `undefined` if it couldn't be listed. */
  logLengths(
    place: ProjectPlace,
    nodes: readonly DeployNode[],
    { signal }: AccountCallOptions = {},
  ): Promise<readonly (number | undefined)[]> {
    return Promise.all(
      nodes.map(async ({ target }) => {
        const listing = this.deps.containers.list(placeOn(place, target, nodeLogFolder), { signal });
        const entries = await undefinedIf('any', listing.catch(onPlatformError(() => [], 'notFound')));
        const log = entries?.find(({ name }) => name === nodeLogName);
        return log === undefined ? entries && 0 : log.length;
      }),
    );
  }

  /** Where it can't be read, callers go on without it. */
  private log(place: ProjectPlace, node: DeployNode): Promise<string | undefined> {
    return this.readerIn(place, node, nodeLogFolder)(nodeLogName);
  }

  /** Returns nothing if the platform cuts the log off, because what a redeploy added is at its end. */
  private async wholeLog(place: ProjectPlace, { target }: DeployNode): Promise<string | undefined> {
    const file = placeOn(place, target, `${nodeLogFolder}/${nodeLogName}`);
    const read = await undefinedIf('any', readProvenText(file, this.deps));
    return typeof read?.flaw === 'object' ? undefined : read?.text;
  }

  private async listedNodes(place: ProjectPlace) {
    const { containers, environments } = this.deps;
    return (await environments.findLayer(containers.account(place.account), place))?.layer.nodes ?? [];
  }

  private async findCheckout(place: ProjectPlace, node: DeployNode, options: AccountCallOptions): Promise<void> {
    for (const folder of likelyFolders(place, node.type)) {
      if (await isCheckout(this.readerIn(place, node, folder, options))) {
        await this.deps.known.remember(place, { folder, isFolderUnconfirmed: false });
        return;
      }
    }
  }

  private async head(place: ProjectPlace, node: DeployNode, options: AccountCallOptions): Promise<Head> {
    const known = this.deps.known.find(place)?.folder;
    let found: Head = { kind: 'absent' };
    for (const folder of known === undefined ? likelyFolders(place, node.type) : [known]) {
      const head = await headIn(this.readerIn(place, node, folder, options));
      if (head.kind === 'commit') {
        await this.deps.known.remember(place, { folder, isFolderUnconfirmed: false });
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
    const { containers } = this.deps;
    return (path) => undefinedIf('notFound', containers.read(placeOn(place, target, `${folder}/${path}`), options));
  }
}

function deployNode({ layer }: ProjectPlace, name: string, nodeId?: number, type?: string): DeployNode {
  return { target: nodeId === undefined ? { nodeGroup: layer } : { nodeGroup: layer, nodeId }, name, type };
}

function headIn(read: ReadInFolder): Promise<Head> {
  return readHead(read).catch(onPlatformError((error) => ({ kind: 'unreadable', why: reasonText(error) })));
}

async function readHead(read: ReadInFolder): Promise<Head> {
  const last = parseHeadLog((await read('.git/logs/HEAD')) ?? '').at(-1);
  if (last !== undefined) {
    return { kind: 'commit', commit: last.to };
  }
  const head = parseHead((await read('.git/HEAD')) ?? '');
  const commit = head && ('commit' in head ? head.commit : await commitOfReference(head.reference, read));
  return commit === undefined ? { kind: 'absent' } : { kind: 'commit', commit };
}

async function commitOfReference(reference: string, read: ReadInFolder): Promise<string | undefined> {
  const loose = (await read(`.git/${reference}`))?.trim() ?? '';
  return commitPattern.test(loose) ? loose : packedCommit((await read('.git/packed-refs')) ?? '', reference);
}

/** Every checkout has this file. It only holds the format of the folder. */
async function isCheckout(read: ReadInFolder): Promise<boolean> {
  return (await undefinedIf('any', read('.svn/entries'))) !== undefined;
}
