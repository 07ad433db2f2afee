import * as v from 'valibot';
import { l10n } from 'vscode';
import type { AccountCallOptions } from '../../../accounts/signedInAccount';
import type { Containers } from '../../../containers/containers';
import type { Environments } from '../../../containers/environments';
import { isPlatformError, undefinedIf } from '../../../platform/errors';
import { ExpectedError } from '../../../ui/expectedError';
import type { DeployNode, NodeInspector } from '../deployedState/nodeInspector';
import { placeOn, type ProjectPlace } from '../projectPlace';

export const hookNames = ['preDeploy', 'postDeploy', 'preBuild', 'postBuild'] as const;
export type HookName = (typeof hookNames)[number];
export type Hooks = Readonly<Partial<Record<HookName, string>>>;

export const hookLabels: Readonly<Record<HookName, string>> = {
  preDeploy: l10n.t('Pre-deploy hook'),
  postDeploy: l10n.t('Post-deploy hook'),
  preBuild: l10n.t('Pre-build hook'),
  postBuild: l10n.t('Post-build hook'),
};

export function hooksText(hooks: readonly HookName[]): string {
  return hooks.map((hook) => hookLabels[hook]).join(', ');
}

export const storedHooks = v.object({
  preDeploy: v.exactOptional(v.string()),
  postDeploy: v.exactOptional(v.string()),
  preBuild: v.exactOptional(v.string()),
  postBuild: v.exactOptional(v.string()),
});

export function sameHooks(one?: Hooks, other?: Hooks): boolean {
  return differingHooks(one, other).length === 0;
}

/** The hooks that run another script: a platform may store them with other line ends, and an empty one not at all. */
export function differingHooks(one: Hooks = {}, other: Hooks = {}): readonly HookName[] {
  return hookNames.filter((name) => commandsIn(one[name]) !== commandsIn(other[name]));
}

/** Returns what of a script runs, for comparing. */
export function commandsIn(script = ''): string {
  return script.replaceAll('\r\n', '\n').trimEnd();
}

/** The hooks whose text the user changed, even if only its line ends: those can be why a script fails. */
export function editedHooks(before: Hooks = {}, after: Hooks = {}): readonly HookName[] {
  return hookNames.filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
}

/** Applies the user's changes of single hooks to the platform's current ones. */
export function rebasedHooks(
  base: Hooks | undefined,
  changed: Hooks | undefined,
  now: Hooks | undefined,
): Hooks | undefined {
  const mine = editedHooks(base, changed);
  const scripts = hookNames.flatMap((name) => {
    const script = (mine.includes(name) ? changed : now)?.[name];
    return script === undefined ? [] : [[name, script] as const];
  });
  return mine.length === 0 ? now : Object.fromEntries(scripts);
}

/** The hook scripts on a layer's first node; `undefined` if it has no folder for them. */
export interface HooksOnNode {
  readonly scripts: Hooks | undefined;
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

/**
 * Reads the files of hooks on nodes. Rejects if they can't be read, and sends nothing to an environment that is known not
 * to be running.
 */
export class NodeHooks {
  constructor(
    private readonly containers: Pick<Containers, 'read' | 'list'>,
    private readonly environments: Environments,
    private readonly inspector: NodeInspector,
  ) {}

  async first(place: ProjectPlace, options: AccountCallOptions = {}): Promise<HooksOnNode> {
    const { node, names } = await this.list(place, options);
    const found = hookNames.filter((hook) => names?.includes(hookFile(hook, place)));
    const scripts = await Promise.all(
      found.map(async (hook) => [hook, await this.read(place, node, hookFile(hook, place), options)] as const),
    );
    return {
      scripts: names && Object.fromEntries(scripts.map(([hook, script = '']) => [hook, script])),
      node: node.name,
    };
  }

  /** Returns all files for a context on the first node, by name: stacks run more hooks than projects have. */
  async filesOf(place: ProjectPlace, options: AccountCallOptions = {}) {
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
    const nodes = await this.inspector.nodesOf({ place });
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
    await this.inspector.listAgain(place);
    const nodes = await this.inspector.nodesOf({ place });
    this.ensureRunning(place);
    const [node = { target: { nodeGroup: place.layer }, name: place.layer, type: undefined }] = nodes;
    const folder = placeOn(place, node.target, hookFolder);
    const listing = this.containers.list(folder, { ...options, isProof: true });
    const entries = await undefinedIf('notFound', listing);
    return { node, names: entries?.map(({ name }) => name) };
  }

  private read(place: ProjectPlace, { target }: DeployNode, name: string, options?: AccountCallOptions) {
    const file = placeOn(place, target, `${hookFolder}/${name}`);
    return undefinedIf('notFound', this.containers.read(file, options));
  }

  private ensureRunning(place: ProjectPlace): void {
    if ((this.environments.known(place.account, place.environment)?.status ?? 'running') !== 'running') {
      throw new ExpectedError(l10n.t("{0} isn't running", this.environments.titleOf(place)));
    }
  }
}
