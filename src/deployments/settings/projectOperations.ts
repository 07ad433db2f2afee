import { l10n } from 'vscode';
import { changeOnce } from '../../platform/changeOnce';
import type { CallOptions } from '../../platform/client';
import { onPlatformError, undefinedIf } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { DeployHistory } from '../history/deployHistory';
import type { NodeEditLog } from '../nodeEdits/nodeEditLog';
import type { KnownProjects, Project, Projects } from '../projects';
import {
  changedFields,
  fieldsOf,
  notTaken,
  type ProjectFields,
  sentFields,
  settingsOf,
  writeOnlySettingsOf,
} from './projectFields';
import { ExpectedError } from '../../ui/expectedError';
import { fieldChange } from './fieldText';
import { projectAddress, type ProjectPlace } from '../projectPlace';
import type { WriteOnlySettingsStore } from './writeOnlySettings';

export interface ProjectOperationsDeps {
  readonly containers: Pick<Containers, 'account'>;
  readonly projects: Projects;
  readonly known: KnownProjects;
  readonly writeOnlySettings: WriteOnlySettingsStore;
  readonly history: DeployHistory;
  readonly nodeEditLog: NodeEditLog;
}

/** The settings that a change started from have changed since, so nothing was sent. */
export class SettingsChanged extends ExpectedError {
  /** @param changes what differs, in words */
  constructor(
    { context }: ProjectPlace,
    readonly changes: string,
  ) {
    super(
      l10n.t(
        'Nothing was sent, because the settings of {0} changed in the meantime: {1}. Try again with the current settings.',
        context,
        changes,
      ),
    );
  }
}

/**
 * Creates, changes and removes projects. Values are stored only after the platform accepted them. If a response is
 * lost, the project is read to find out; nothing is sent twice.
 */
export class ProjectOperations {
  constructor(private readonly deps: ProjectOperationsDeps) {}

  async create(
    home: Omit<ProjectPlace, 'context'>,
    fields: ProjectFields,
    options: CallOptions = {},
  ): Promise<Project> {
    const { containers, writeOnlySettings } = this.deps;
    const place = { ...home, context: fields.context };
    // Deploying is a separate step, with its own progress and result.
    const wanted = { ...sentFields(fields), ...projectAddress(place), updateNow: false };
    await changeOnce(
      () => containers.account(home.account).call('CreateProject', wanted, options),
      () => this.shows(place, fields),
    );
    await writeOnlySettings.keep(place, writeOnlySettingsOf(fields));
    return this.seen(place, fields);
  }

  /**
   * Sends all settings, because EditProject may reset the ones left out. Right before, compares the platform's settings
   * with those that the change started from. Returns the project under its new context.
   */
  async edit(
    place: ProjectPlace,
    before: ProjectFields,
    fields: ProjectFields,
    options: CallOptions = {},
  ): Promise<Project> {
    const { containers, writeOnlySettings, projects } = this.deps;
    const { envName, nodeGroup } = projectAddress(place);
    const contexts = { oldcontext: place.context, newcontext: fields.context };
    const wanted = { ...sentFields(fields, before), envName, nodeGroup, ...contexts };
    const after = { ...place, context: fields.context };
    await this.ensureUnchanged(place, before);
    await changeOnce(
      () => containers.account(place.account).call('EditProject', wanted, options),
      // If only values changed that the platform never returns, there's nothing to verify with.
      async () => notTaken(fields, projects.last(place)?.settings ?? {}).length > 0 && this.shows(after, fields),
    );
    await writeOnlySettings.keep(after, writeOnlySettingsOf(fields));
    if (after.context !== place.context) {
      await writeOnlySettings.forget(place);
      await this.moveKnowledge(place, after);
    }
    return this.seen(after, fields);
  }

  /** Right before, compares the platform's settings with those that the project had when the user was asked. */
  async delete(place: ProjectPlace, before: ProjectFields, options: CallOptions = {}): Promise<void> {
    const { containers, writeOnlySettings, projects, history } = this.deps;
    await this.ensureUnchanged(place, before);
    await changeOnce(
      () => containers.account(place.account).call('DeleteProject', projectAddress(place), options),
      () => this.isGone(place),
    );
    await writeOnlySettings.forget(place);
    await projects.forget(place);
    await history.forget(place);
  }

  private async ensureUnchanged(place: ProjectPlace, before: ProjectFields): Promise<void> {
    const { projects, writeOnlySettings } = this.deps;
    const { settings } = await projects.readAgain(place);
    const now = fieldsOf(place.context, settings, await writeOnlySettings.of(place));
    const theirs = changedFields({ ...before, password: undefined }, now);
    if (theirs.length > 0) {
      throw new SettingsChanged(place, theirs.map((name) => fieldChange(name, before, now)).join(', '));
    }
  }

  /** Reads the project after a change. If that fails, assumes the values that were sent. */
  private seen(place: ProjectPlace, sent: ProjectFields): Promise<Project> {
    const { projects } = this.deps;
    return projects.add(place).catch(
      onPlatformError(async () => {
        const project = { place, settings: settingsOf(sent) };
        await projects.addUnseen(project);
        return project;
      }),
    );
  }

  private async shows(place: ProjectPlace, fields: ProjectFields): Promise<boolean> {
    return notTaken(fields, (await this.deps.projects.read(place)).settings).length === 0;
  }

  private async isGone(place: ProjectPlace): Promise<boolean> {
    return (await undefinedIf('notFound', this.deps.projects.read(place))) === undefined;
  }

  private async moveKnowledge(from: ProjectPlace, to: ProjectPlace): Promise<void> {
    const { known, projects, history, nodeEditLog } = this.deps;
    const folder = known.find(from)?.folder;
    const renamed =
      folder?.endsWith(`/${from.context}`) === true
        ? `${folder.slice(0, -from.context.length)}${to.context}`
        : undefined;
    await projects.forget(from);
    await known.remember(to, renamed === undefined ? {} : { folder: renamed });
    if (folder !== undefined && renamed !== undefined) {
      await nodeEditLog.move(from, folder, renamed);
    }
    await history.move(from, to);
  }
}
