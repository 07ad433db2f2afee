import * as v from 'valibot';
import { l10n } from 'vscode';
import type { AccountCallOptions } from '../../../accounts/signedInAccount';
import type { Containers } from '../../../containers/containers';
import { mustBeStarted } from '../../../containers/environment';
import type { Environments } from '../../../containers/environments';
import { differsFromFile, provenText } from '../../../files/text';
import { flawSentence } from '../../../files/wholeText';
import { isPlatformError, undefinedIf } from '../../../platform/errors';
import type { FileEntry } from '../../../platform/wire/fileEntry';
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

/**
 * Whether a node shows hooks exactly as they were sent, so that they needn't be kept here.
 * @param mayInherit whether the node may have other hooks of an earlier project, too
 */
export function areHooksShown(sent: Hooks, shown: Hooks | undefined, mayInherit = false): boolean {
  const isSet = (name: HookName) => (sent[name] ?? '') !== '';
  return hookNames.some(isSet) && editedHooks(sent, shown).every((name) => mayInherit && !isSet(name));
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

/** A hook is on the node, but the platform returns another text than the file has, which must not replace it. */
export class InexactHook extends ExpectedError {}

/** For `catch`: hooks that can't be read are no reason to stop. */
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

  /** Throws `InexactHook` if a script isn't exactly what the node has: all of them are sent with each edit. */
  async first(place: ProjectPlace, options: AccountCallOptions = {}): Promise<HooksOnNode> {
    const { node, entries } = await this.list(place, options);
    const found = hookNames.flatMap((hook) => {
      const entry = entries?.find(({ name }) => name === hookFile(hook, place));
      return entry === undefined ? [] : [[hook, entry] as const];
    });
    const scripts = await Promise.all(
      found.map(async ([hook, entry]) => [hook, await this.readExactly(place, node, entry, options)] as const),
    );
    return { scripts: entries && Object.fromEntries(scripts), node: node.name };
  }

  /** Returns all files for a context on the first node, by name: stacks run more hooks than projects have. */
  async filesOf(place: ProjectPlace, options: AccountCallOptions = {}) {
    const { node, entries = [] } = await this.list(place, options);
    const scripts = new Map<string, string>();
    for (const { name } of entries.filter((one) => one.name.replace(/^[^_]+/, '') === `_${place.context}.sh`)) {
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
    return { node, entries: await this.entriesOn(place, node, options) };
  }

  /** Returns `undefined` if the node has no folder for hooks. */
  private entriesOn(place: ProjectPlace, { target }: DeployNode, options: AccountCallOptions) {
    const folder = placeOn(place, target, hookFolder);
    return undefinedIf('notFound', this.containers.list(folder, { ...options, isProof: true }));
  }

  private async readExactly(
    place: ProjectPlace,
    node: DeployNode,
    entry: FileEntry,
    options: AccountCallOptions,
  ): Promise<string> {
    const { name } = entry;
    const read = async () => (await this.read(place, node, name, options)) ?? '';
    const measure = async () => (await this.entriesOn(place, node, options))?.find((one) => one.name === name);
    const { text, flaw } = await provenText(await read(), entry, { read, measure });
    if (flaw !== undefined && differsFromFile(flaw)) {
      throw new InexactHook(l10n.t("Couldn't read {0}. {1}", name, flawSentence(flaw)));
    }
    return text;
  }

  private read(place: ProjectPlace, { target }: DeployNode, name: string, options?: AccountCallOptions) {
    const file = placeOn(place, target, `${hookFolder}/${name}`);
    return undefinedIf('notFound', this.containers.read(file, options));
  }

  private ensureRunning(place: ProjectPlace): void {
    if (mustBeStarted(this.environments.known(place.account, place.environment)?.status)) {
      throw new ExpectedError(l10n.t("{0} isn't running", this.environments.titleOf(place)));
    }
  }
}
