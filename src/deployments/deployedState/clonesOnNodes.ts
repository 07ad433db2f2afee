import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { Layer } from '../../containers/environment';
import { isPlatformError, undefinedIf } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { FilePlace, Target } from '../../containers/place';
import { failureMessage } from '../../ui/failureMessages';
import { commitPattern, type HeadMove, packedCommit, parseHead, parseHeadLog } from './gitHeadLog';
import type { KnownProjects } from '../knownProjects';
import { placeOn, type ProjectPlace } from '../projectPlace';

/** One node that a project is deployed to, or the whole layer where its nodes are not known. */
export interface DeployNode {
  readonly target: Target;
  readonly name: string;
  readonly type: string | undefined;
}

/** What a node's clone says is deployed. */
export type Head =
  | { readonly kind: 'commit'; readonly commit: string; readonly moves: readonly HeadMove[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface NodeHead {
  readonly node: DeployNode;
  readonly head: Head;
}

export function deployNodes(layer: Layer | undefined, place: ProjectPlace, only?: number): readonly DeployNode[] {
  const nodes = (layer?.nodes ?? []).map(({ id, name, type }) => ({
    target: { nodeGroup: place.layer, nodeId: id },
    name: `${name} ${id}`,
    type,
  }));
  if (only !== undefined) {
    const unlisted = { target: { nodeGroup: place.layer, nodeId: only }, name: String(only), type: undefined };
    return [nodes.find(({ target }) => target.nodeId === only) ?? unlisted];
  }
  return nodes.length > 0 ? nodes : [{ target: { nodeGroup: place.layer }, name: place.layer, type: undefined }];
}

/** Where software stacks keep the folders of their contexts; the contract does not say, the clone's own files prove it. */
const webroots = ['/var/www/webroot', '/home/jelastic'] as const;

/** Whether a project may be deployed there. */
export function mayBeDeployedTo(path: string): boolean {
  return webroots.some((webroot) => path.startsWith(`${webroot}/`));
}

/** Where the context's folder may lie, the likeliest first. */
export function likelyFolders(
  { context }: Pick<ProjectPlace, 'context'>,
  stack: string | undefined,
): readonly string[] {
  const order = stack?.includes('nodejs') === true ? webroots.toReversed() : webroots;
  return order.map((webroot) => `${webroot}/${context}`);
}

/** The project's clones on the nodes, read as far as the token and the container's user may. */
export class ClonesOnNodes {
  constructor(
    private readonly containers: Pick<Containers, 'read'>,
    private readonly known: KnownProjects,
  ) {}

  /**
   * Subversion keeps no file that tells the revision as text: once it is known where the checkout lies, nothing is asked.
   */
  heads(
    project: ProjectPlace,
    nodes: readonly DeployNode[],
    options?: AccountCallOptions,
  ): Promise<readonly NodeHead[]> {
    if (this.known.find(project)?.kind === 'SVN') {
      return this.checkouts(project, nodes, options);
    }
    return Promise.all(nodes.map(async (node) => ({ node, head: await this.head(project, node, options) })));
  }

  /** Whether a clone was ever seen in the folder. */
  isProven(project: ProjectPlace): boolean {
    const { folder, folderIsTold } = this.known.find(project) ?? {};
    return folder !== undefined && folderIsTold !== true;
  }

  /** Where the context's folder is known to lie. */
  folder(project: ProjectPlace): string | undefined {
    return this.known.find(project)?.folder;
  }

  /** Whether a clone or a checkout lies in a folder; else why that cannot be seen, or that there is none. */
  async look(project: ProjectPlace, node: DeployNode, folder: string): Promise<Head['kind'] | 'checkout'> {
    const read = (path: string) => this.readIfThere(placeOn(project, node.target, `${folder}/${path}`));
    const head = await this.headIn((path) => read(`.git/${path}`));
    return head.kind === 'absent' && (await this.isCheckout(read)) ? 'checkout' : head.kind;
  }

  private async checkouts(
    project: ProjectPlace,
    nodes: readonly DeployNode[],
    options?: AccountCallOptions,
  ): Promise<readonly NodeHead[]> {
    const [first] = nodes;
    if (first !== undefined && this.folder(project) === undefined) {
      for (const folder of likelyFolders(project, first.type)) {
        const read = (path: string) => this.readIfThere(placeOn(project, first.target, `${folder}/${path}`), options);
        if (await this.isCheckout(read)) {
          await this.known.remember(project, { folder, folderIsTold: false });
          break;
        }
      }
    }
    return nodes.map((node) => ({ node, head: { kind: 'absent' } }));
  }

  /** Every checkout has this file, which tells nothing but the form of what lies beside it. */
  private async isCheckout(read: (path: string) => Promise<string | undefined>): Promise<boolean> {
    try {
      return (await read('.svn/entries')) !== undefined;
    } catch (error) {
      if (isPlatformError(error)) {
        return false;
      }
      throw error;
    }
  }

  private async head(project: ProjectPlace, node: DeployNode, options?: AccountCallOptions): Promise<Head> {
    const told = this.folder(project);
    let found: Head = { kind: 'absent' };
    for (const folder of told === undefined ? likelyFolders(project, node.type) : [told]) {
      const head = await this.headIn((path) =>
        this.readIfThere(placeOn(project, node.target, `${folder}/.git/${path}`), options),
      );
      if (head.kind === 'commit') {
        await this.known.remember(project, { folder, folderIsTold: false });
        return head;
      }
      if (head.kind === 'unreadable') {
        found = head;
      }
    }
    return found;
  }

  private async headIn(read: (path: string) => Promise<string | undefined>): Promise<Head> {
    try {
      const moves = parseHeadLog((await read('logs/HEAD')) ?? '');
      const last = moves.at(-1);
      if (last !== undefined) {
        return { kind: 'commit', commit: last.to, moves };
      }
      const head = parseHead((await read('HEAD')) ?? '');
      if (head === undefined) {
        return { kind: 'absent' };
      }
      const commit = 'commit' in head ? head.commit : await this.commitOf(head.reference, read);
      return commit === undefined ? { kind: 'absent' } : { kind: 'commit', commit, moves };
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      return { kind: 'unreadable', why: failureMessage(error) };
    }
  }

  private async commitOf(
    reference: string,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const loose = (await read(reference))?.trim() ?? '';
    return commitPattern.test(loose) ? loose : packedCommit((await read('packed-refs')) ?? '', reference);
  }

  private readIfThere(file: FilePlace, options?: AccountCallOptions): Promise<string | undefined> {
    return undefinedIf('notFound', this.containers.read(file, options));
  }
}
