import { l10n } from 'vscode';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { Containers } from '../../containers/containers';
import type { Environments } from '../../containers/environments';
import { isPlatformError, undefinedIf } from '../../platform/errors';
import { ExpectedError } from '../../ui/expectedError';
import type { DeployNode, NodeInspector } from '../deployedState/nodeInspector';
import { placeOn, type ProjectPlace } from '../projectPlace';
import { type HookName, hookNames, type Hooks } from './hooks';

/** The hook scripts on a layer's first node; `undefined` if it has no folder for them. */
export interface HooksOnNode {
  readonly scripts: Hooks | undefined;
  readonly node: string;
  /** There are, or may be, other nodes, which weren't read. */
  readonly hasOthers: boolean;
}

/** Files by name, which a new project would run, too. */
interface HookFiles {
  readonly scripts: ReadonlyMap<string, string>;
  readonly node: string;
}

/** Where nodes keep the hooks of all projects. It's undocumented, so there may be no such folder. */
export const hookFolder = '/var/lib/jelastic/hooks';

export function hookFile(hook: HookName, { context }: Pick<ProjectPlace, 'context'>): string {
  return `${hook}_${context}.sh`;
}

/** Ignores why hooks can't be read, where that's no reason to stop. */
export function unreadable(error: unknown): undefined {
  if (!isPlatformError(error) && !(error instanceof ExpectedError)) {
    throw error;
  }
}

interface NodeHooksDeps {
  readonly containers: Pick<Containers, 'read' | 'list'>;
  readonly environments: Environments;
  readonly inspector: Pick<NodeInspector, 'nodesOf'>;
}

/**
 * Reads the files of hooks on nodes. Rejects if they can't be read, and sends nothing to an environment that is known not
 * to be running.
 */
export class NodeHooks {
  constructor(private readonly deps: NodeHooksDeps) {}

  async first(place: ProjectPlace, options: AccountCallOptions = {}): Promise<HooksOnNode> {
    const { node, others, names } = await this.list(place, options);
    const found = hookNames.filter((hook) => names?.includes(hookFile(hook, place)));
    const scripts = await Promise.all(
      found.map(async (hook) => [hook, await this.read(place, node, hookFile(hook, place), options)] as const),
    );
    return {
      scripts: names && Object.fromEntries(scripts.map(([hook, script = '']) => [hook, script])),
      node: node.name,
      hasOthers: others > 0 || node.target.nodeId === undefined,
    };
  }

  /** Returns all files for a context on the first node. Stacks run more hooks than projects have. */
  async filesOf(place: ProjectPlace, options: AccountCallOptions = {}): Promise<HookFiles> {
    const { node, names = [] } = await this.list(place, options);
    const scripts = new Map<string, string>();
    for (const name of names.filter((one) => one.replace(/^[^_]+/, '') === `_${place.context}.sh`)) {
      const script = (await this.read(place, node, name, options)) ?? '';
      if (script.trim() !== '') {
        scripts.set(name, script);
      }
    }
    return { scripts, node: node.name };
  }

  /** Returns one hook on each node that can be read; empty if a node has none. */
  async onEachNode(
    place: ProjectPlace,
    hook: HookName,
  ): Promise<readonly { readonly node: string; readonly script: string }[]> {
    this.ensureRunning(place);
    const nodes = await this.deps.inspector.nodesOf({ place });
    const scripts = await Promise.all(
      nodes.map(async (node) => {
        const script = await undefinedIf(
          'any',
          this.read(place, node, hookFile(hook, place)).then((text = '') => text),
        );
        return script === undefined ? [] : [{ node: node.name, script }];
      }),
    );
    return scripts.flat();
  }

  private async list(place: ProjectPlace, options: AccountCallOptions) {
    const nodes = await this.deps.inspector.nodesOf({ place });
    this.ensureRunning(place);
    const [node = { target: { nodeGroup: place.layer }, name: place.layer, type: undefined }, ...others] = nodes;
    const folder = placeOn(place, node.target, hookFolder);
    const listing = this.deps.containers.list(folder, { ...options, isProof: true });
    const entries = await undefinedIf('notFound', listing);
    return { node, others: others.length, names: entries?.map(({ name }) => name) };
  }

  private read(place: ProjectPlace, { target }: DeployNode, name: string, options?: AccountCallOptions) {
    const file = placeOn(place, target, `${hookFolder}/${name}`);
    return undefinedIf('notFound', this.deps.containers.read(file, options));
  }

  private ensureRunning(place: ProjectPlace): void {
    const { environments } = this.deps;
    if ((environments.known(place.account, place.environment)?.status ?? 'running') !== 'running') {
      throw new ExpectedError(l10n.t("{0} isn't running", environments.titleOf(place)));
    }
  }
}
