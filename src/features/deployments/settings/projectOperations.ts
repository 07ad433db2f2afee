import { isDeepStrictEqual } from 'node:util';
import { l10n } from 'vscode';
import { changeOnce } from '../../../platform/lostReply';
import type { CallOptions } from '../../../platform/client';
import { isPlatformError, onPlatformError, undefinedIf } from '../../../platform/errors';
import type { Containers } from '../../../containers/containers';
import type { DeployHistory } from '../history/deployHistory';
import type { NodeEditLog } from '../nodeEdits/nodeEditLog';
import type { KnownProjects, Project, Projects, ProjectSettings } from '../projects';
import {
  changedFields,
  fieldChange,
  fieldsOf,
  notTaken,
  sentFields,
  settingsOf,
  writeOnlySettingsOf,
} from './fieldChanges';
import { areHooksShown, type Hooks, type HooksOnNode, InexactHook, type NodeHooks } from './hooks';
import type { ProjectFields, WriteOnlySettings } from './projectFields';
import { ExpectedError } from '../../../ui/expectedError';
import { reasonText } from '../../../ui/failureMessages';
import { projectAddress, type ProjectPlace } from '../projectPlace';
import { digestsOf, type HookDigests, type KeptSettings, type WriteOnlySettingsStore } from './writeOnlySettings';
import { ensureWritable } from '../../../files/saving/textObstacle';

/** What a change starts from. */
export interface CurrentSettings {
  readonly settings: ProjectSettings;
  /** As the platform shows them, or else as they were sent last. */
  readonly fields: ProjectFields;
  readonly kept: KeptSettings | undefined;
  readonly onNode: HooksOnNode | undefined;
  readonly uncompared: Error | undefined;
  /**
   * Hooks that were sent from here, or are on the node, can't be read now, and aren't kept here. A change that leaves them
   * out may clear them.
   */
  readonly areHooksMissing: boolean;
}

/** The hooks that the first node showed before a change, if it could be read, and their digests. */
interface HooksBefore {
  readonly shown?: Hooks | undefined;
  readonly hooksShown?: HookDigests | undefined;
  /** The project is new, and its context may have had other hooks. */
  readonly mayInherit?: boolean;
  /** Whether the node was read, and its files were those of the same context. */
  readonly wasRead?: boolean;
}

interface ComparisonOptions extends CallOptions {
  /** Whether the person was asked after the hooks were compared. Then nothing is sent if they can't be compared again. */
  readonly areHooksCompared?: boolean | undefined;
}

/** Says why nothing was sent. */
export class NothingSent extends ExpectedError {
  /** @param onPage the message on the settings page, if it's another one there */
  constructor(
    readonly kind: 'changed' | 'notRead' | 'notSent',
    message: string,
    readonly onPage = message,
    cause?: Error,
  ) {
    super(message, { cause });
  }
}

export function settingsChanged({ context }: ProjectPlace, changes: string): NothingSent {
  const message = l10n.t(
    'Nothing was sent, because the settings of {0} changed in the meantime: {1}. Try again with the current settings.',
    context,
    changes,
  );
  return new NothingSent('changed', message, l10n.t('{0}. Select Apply again to decide what to save.', changes));
}

/** Returns the current values. Hooks that can't be read now are those that the user saw, if there are any. */
export function fieldsNow({ fields, areHooksMissing }: CurrentSettings, base: ProjectFields): ProjectFields {
  return areHooksMissing ? { ...fields, hooks: base.hooks } : fields;
}

/**
 * Throws if a change would leave out hooks that the project is known to have, and that may be read later. If they are gone
 * from the node, only the user can enter them again, or do without them.
 */
export function ensureHooksAreSent(
  { areHooksMissing, onNode, uncompared }: CurrentSettings,
  { hooks }: ProjectFields,
): void {
  if (areHooksMissing && onNode === undefined && uncompared !== undefined && hooks === undefined) {
    throw new NothingSent(
      'notRead',
      l10n.t(
        "Nothing was sent, because this change may clear the project's hooks, and Gantry can't read them now: {0}. Try again later, or enter them again.",
        reasonText(uncompared),
      ),
    );
  }
}

/**
 * Creates, changes and removes projects. Values are stored only after the platform accepted them. If a response is
 * lost, the project is read to find out; nothing is sent twice.
 */
export class ProjectOperations {
  constructor(
    private readonly deps: {
      readonly containers: Pick<Containers, 'account'>;
      readonly projects: Projects;
      readonly known: KnownProjects;
      readonly writeOnlySettings: WriteOnlySettingsStore;
      readonly nodeHooks: NodeHooks;
      readonly history: DeployHistory;
      readonly nodeEditLog: NodeEditLog;
    },
  ) {}

  async create(
    home: Omit<ProjectPlace, 'context'>,
    fields: ProjectFields,
    options: CallOptions = {},
  ): Promise<Project> {
    const { containers, writeOnlySettings } = this.deps;
    const place = { ...home, context: fields.context };
    // Deploying is a separate step, with its own progress and result.
    const wanted = { ...sentFields(fields), ...projectAddress(place), updateNow: false };
    ensureAllWritable(place, wanted);
    await changeOnce(
      () => containers.account(home.account).call('CreateProject', wanted, options),
      () => this.shows(place, fields),
    );
    await writeOnlySettings.keep(place, writeOnlySettingsOf(fields));
    return this.seen(place, fields, { mayInherit: true });
  }

  /**
   * Returns the project's settings, as a change of them starts from. Hooks are those on the first node, unless it still
   * has those from before the last change. What can't be read is what was sent last, unless the digest of the key shows
   * that someone else changed it.
   */
  async current(
    place: ProjectPlace,
    { readsAgain = false, ...options }: CallOptions & { readonly readsAgain?: boolean } = {},
  ): Promise<CurrentSettings> {
    const { projects, writeOnlySettings } = this.deps;
    const kept = await writeOnlySettings.find(place);
    const read = await this.readHooks(place, options);
    // Last, because the hooks may take several requests, in which someone may change the project.
    const { settings } = await (readsAgain ? projects.readAgain(place) : projects.read(place));
    const now = hooksNow(read, kept);
    const shown = now.onNode?.scripts;
    const areKnown = now.uncompared instanceof InexactHook || !isAlike({}, kept?.hooksSent);
    if (kept?.hooks !== undefined && areHooksShown(kept.hooks, shown)) {
      await writeOnlySettings.keepShown(place, {}, kept.hooks);
    }
    return {
      settings,
      fields: fieldsOf(place.context, settings, { ...keyAndDelay(settings, kept), hooks: now.hooks }),
      kept,
      onNode: now.onNode,
      uncompared: now.uncompared,
      areHooksMissing: (now.hooks ?? shown) === undefined && areKnown,
    };
  }

  /**
   * Sends all settings, because EditProject may reset the ones left out. Right before, compares the platform's settings
   * with those that the change started from. Returns the project under its new context.
   */
  async edit(
    place: ProjectPlace,
    before: ProjectFields,
    fields: ProjectFields,
    { areHooksCompared, ...options }: ComparisonOptions = {},
  ): Promise<Project> {
    const { containers, writeOnlySettings, projects } = this.deps;
    const { envName, nodeGroup } = projectAddress(place);
    const contexts = { oldcontext: place.context, newcontext: fields.context };
    const wanted = { ...sentFields(fields, before), envName, nodeGroup, ...contexts };
    const after = { ...place, context: fields.context };
    ensureAllWritable(place, wanted);
    const current = await this.ensureUnchanged('change', place, before, { ...options, areHooksCompared });
    ensureHooksAreSent(current, fields);
    const { kept, onNode } = current;
    await changeOnce(
      () => containers.account(place.account).call('EditProject', wanted, options),
      // If only values changed that the platform never returns, there's nothing to verify with.
      async () => notTaken(fields, projects.last(place)?.settings ?? {}).length > 0 && this.shows(after, fields),
    );
    const isRenamed = after.context !== place.context;
    // The files are named for the context, so what the old one's had says nothing about the new one's.
    const shown = isRenamed ? undefined : onNode?.scripts;
    const hooksShown = isRenamed ? undefined : shown ? digestsOf(shown) : (kept?.hooksShown ?? digestsOf(before.hooks));
    await writeOnlySettings.keep(after, writeOnlySettingsOf(fields), { kept, before, hooksShown });
    if (isRenamed) {
      await writeOnlySettings.forget(place);
      await this.moveKnowledge(place, after);
    }
    return this.seen(after, fields, { shown, hooksShown, wasRead: !isRenamed && onNode !== undefined });
  }

  /** Right before, compares the platform's settings with those that the project had when the user was asked. */
  async delete(
    place: ProjectPlace,
    before: ProjectFields,
    { areHooksCompared, ...options }: ComparisonOptions = {},
  ): Promise<void> {
    const { containers, writeOnlySettings, projects, history } = this.deps;
    await this.ensureUnchanged('deletion', place, before, { ...options, areHooksCompared });
    await changeOnce(
      () => containers.account(place.account).call('DeleteProject', projectAddress(place), options),
      async () => (await undefinedIf('notFound', projects.read(place))) === undefined,
    );
    await writeOnlySettings.forget(place);
    await projects.forget(place);
    await history.forget(place);
  }

  /** Reads the settings once more, and throws if they aren't those that the change started from. */
  private async ensureUnchanged(
    what: 'change' | 'deletion',
    place: ProjectPlace,
    before: ProjectFields,
    { areHooksCompared = false, ...options }: ComparisonOptions,
  ): Promise<CurrentSettings> {
    const now = await this.current(place, { ...options, readsAgain: true });
    if (areHooksCompared && now.uncompared !== undefined) {
      const cause = now.uncompared;
      const message =
        what === 'change'
          ? l10n.t("Nothing was sent, because Gantry couldn't compare the hooks again: {0}.", reasonText(cause))
          : l10n.t("Nothing was deleted, because Gantry couldn't compare the hooks again: {0}.", reasonText(cause));
      throw new NothingSent('notRead', message, message, cause);
    }
    const fields = fieldsNow(now, before);
    const theirs = changedFields({ ...before, password: undefined }, fields);
    if (theirs.length > 0) {
      const changes = theirs.map((name) => fieldChange(name, before, fields)).join(', ');
      throw settingsChanged(place, changes);
    }
    return now;
  }

  /**
   * Reads the project after a change, and new hooks on the first node. If that fails, assumes the values that were sent.
   */
  private async seen(place: ProjectPlace, sent: ProjectFields, before: HooksBefore): Promise<Project> {
    const { projects, writeOnlySettings } = this.deps;
    const project = await projects.add(place).catch(
      onPlatformError(async () => {
        const project = { place, settings: settingsOf(sent) };
        await projects.addUnseen(project);
        return project;
      }),
    );
    const hasNewHooks = sent.hooks !== undefined && !isAlike(sent.hooks, before.hooksShown);
    const shown = (hasNewHooks ? await this.shownHooks(place) : undefined) ?? before.shown;
    const isSeen = sent.hooks !== undefined && areHooksShown(sent.hooks, shown, before.mayInherit);
    const known = {
      ...(sent.keyId === undefined ? {} : { keyHash: project.settings.hash }),
      ...(shown === undefined ? {} : { hooksShown: digestsOf(shown) }),
      ...(hasNewHooks && isSeen && before.wasRead === true ? { areHooksWrittenAtOnce: true } : {}),
    };
    await writeOnlySettings.keepShown(place, known, isSeen ? sent.hooks : undefined);
    return project;
  }

  private async shownHooks(place: ProjectPlace): Promise<Hooks | undefined> {
    const read = await this.readHooks(place);
    return read instanceof Error ? undefined : read.scripts;
  }

  private readHooks(place: ProjectPlace, options?: CallOptions): Promise<HooksOnNode | Error> {
    return this.deps.nodeHooks.first(place, options).catch((error: unknown) => {
      if (isPlatformError(error) || error instanceof ExpectedError) {
        return error;
      }
      throw error;
    });
  }

  private async shows(place: ProjectPlace, fields: ProjectFields): Promise<boolean> {
    return notTaken(fields, (await this.deps.projects.read(place)).settings).length === 0;
  }

  private async moveKnowledge(from: ProjectPlace, to: ProjectPlace): Promise<void> {
    const { known, projects, history, nodeEditLog } = this.deps;
    const { folder, rolledBack } = known.find(from) ?? {};
    const renamed =
      folder?.endsWith(`/${from.context}`) === true
        ? `${folder.slice(0, -from.context.length)}${to.context}`
        : undefined;
    await projects.forget(from);
    await known.remember(to, { rolledBack, ...(renamed === undefined ? {} : { folder: renamed }) });
    if (folder !== undefined && renamed !== undefined) {
      await nodeEditLog.move(from, folder, renamed);
    }
    await history.move(from, to);
  }
}

function isAlike(hooks: Hooks | undefined, digests: HookDigests = {}): boolean {
  return isDeepStrictEqual(digestsOf(hooks), digests);
}

/** The key and the delay that were sent last, but no key that someone else has replaced since. */
function keyAndDelay(
  { hash = '' }: ProjectSettings,
  { keyId, keyHash = '', delay }: Partial<KeptSettings> = {},
): Omit<WriteOnlySettings, 'hooks'> {
  const isOtherKey = keyHash !== '' && keyHash !== hash;
  return { keyId: isOtherKey ? undefined : keyId, delay };
}

/** The hooks that a change starts from, and why they couldn't be compared with those on the node. */
function hooksNow(read: HooksOnNode | Error, kept: KeptSettings | undefined) {
  const { hooks, hooksSent, hooksShown } = kept ?? {};
  if (read instanceof Error) {
    return { onNode: undefined, hooks, uncompared: read };
  }
  const { node, scripts: shown } = read;
  const isAsSent = isAlike(shown, hooksSent);
  const isOlder = hooks !== undefined && isAlike(shown, hooksShown);
  if (shown !== undefined && !isOlder) {
    const known = isAsSent ? (hooks ?? (hooksSent && shown)) : unlessEmpty(shown);
    return { onNode: read, hooks: known, uncompared: undefined };
  }
  const why =
    hooks === undefined
      ? l10n.t('{0} has no folder for hooks', node)
      : l10n.t("{0} doesn't have the hooks that were saved last", node);
  return { onNode: read, hooks, uncompared: isAsSent ? undefined : new ExpectedError(why) };
}

/** If all hooks are gone, the container may be a new one, so that isn't taken for their removal: none are sent. */
function unlessEmpty(hooks: Hooks): Hooks | undefined {
  return Object.keys(hooks).length === 0 ? undefined : hooks;
}

/** A setting may have been pasted: a hook from what an agent showed, or anything with characters that no text may have. */
function ensureAllWritable({ context }: ProjectPlace, wanted: object): void {
  for (const value of Object.values(wanted)) {
    ensureWritable(context, typeof value === 'string' ? value : '');
  }
}
