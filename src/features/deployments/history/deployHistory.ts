import * as v from 'valibot';
import { commands, type Disposable, EventEmitter, l10n, Uri } from 'vscode';
import { deployScheme } from '../../../manifest';
import { digestOf, JsonFolder } from '../../../storage/stores';
import { formatExactTime } from '../../../ui/relativeTime';
import { short } from '../commits';
import { nodesNow } from '../deployedState/deployedState';
import { placeEntries, placeOfProject, type ProjectPlace, projectKey } from '../projectPlace';
import type { KnownProjects, Projects } from '../projects';
import { type DeployRecord, deployRecord } from '../redeploy/redeployResult';
import type { CommitSubjects } from '../redeploy/redeployResultText';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalCommit, LocalRepository } from '../repositories/localRepository';

const mostRecords = 50;
const mostLog = 1024 * 1024;

/**
 * Stores the redeploys started here across restarts. Each has its own file, so that windows don't overwrite each
 * other's records. Only the owner can read the files, because logs may contain sensitive data.
 */
export class DeployHistory implements Disposable {
  private readonly records: JsonFolder<DeployRecord>;
  private readonly changed = new EventEmitter<ProjectPlace & { readonly id?: string }>();
  /** Fires with an ID if a single record was added or changed. */
  readonly onDidChange = this.changed.event;

  /** @param isForgotten whether the account was signed out: what ends later must not bring its logs back */
  constructor(
    readonly folder: string,
    private readonly isForgotten: (account: string) => boolean = () => false,
  ) {
    this.records = new JsonFolder(folder, deployRecord);
  }

  /** Returns the redeploys, newest first. */
  async of(place: ProjectPlace): Promise<readonly DeployRecord[]> {
    return [...(await this.records.list(folderOf(place))).values()].toReversed();
  }

  async last(place: ProjectPlace): Promise<DeployRecord | undefined> {
    const newest = (await this.records.keys(folderOf(place))).at(-1);
    return newest === undefined ? undefined : this.records.read(newest);
  }

  /** Returns the last redeploy of the same project, if it began after another one, and ended. */
  async after({ startedAt, ...place }: DeployRecord): Promise<DeployRecord | undefined> {
    const last = await this.last(place);
    return last !== undefined && last.startedAt > startedAt && last.verdict.kind !== 'running' ? last : undefined;
  }

  find(place: ProjectPlace, id: string): Promise<DeployRecord | undefined> {
    return this.records.read(keyFor(place, id));
  }

  async keep(record: DeployRecord): Promise<void> {
    if (this.isForgotten(record.account)) {
      return;
    }
    const { log, logsBeside } = record;
    const cut = logsBeside?.map((section) => ({ ...section, text: section.text.slice(-mostLog) }));
    await this.records.write(keyFor(record, record.id), { ...record, log: log.slice(-mostLog), logsBeside: cut });
    for (const old of (await this.records.keys(folderOf(record))).slice(0, -mostRecords)) {
      await this.records.remove(old);
    }
    this.changed.fire(record);
  }

  /** Removes the record of a redeploy that the platform refused. */
  async remove(record: DeployRecord): Promise<void> {
    await this.records.remove(keyFor(record, record.id));
    this.changed.fire(record);
  }

  /** Returns the redeploy whose log a document shows. */
  async shownIn({ query }: Uri): Promise<DeployRecord | undefined> {
    const named = v.safeParse(recordName, query);
    return named.success ? this.find(named.output, named.output.id) : undefined;
  }

  async forget(place: ProjectPlace): Promise<void> {
    await this.records.removeAll(folderOf(place));
    this.changed.fire(place);
  }

  /** Moves the records after a context was renamed. Leaves those of another version where they are. */
  async move(from: ProjectPlace, to: ProjectPlace): Promise<void> {
    for (const [key, record] of await this.records.list(folderOf(from))) {
      await this.keep({ ...record, ...placeOfProject(to) });
      await this.records.remove(key);
    }
    this.changed.fire(from);
  }

  forgetAccount(account: string): Promise<void> {
    return this.records.removeAll(account);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Makes names that sort by time. Some file systems don't allow `:` in names. */
export function recordId(startedAt: number): string {
  return new Date(startedAt).toISOString().replaceAll(/[:.]/g, '-');
}

/** Which redeploy's log a document shows. */
const recordName = v.pipe(v.string(), v.parseJson(), v.object({ ...placeEntries, id: v.string() }));

/** The document that shows the log of a redeploy. */
export function deployLogUri({ id, ...project }: ProjectPlace & { id: string }): Uri {
  const place = placeOfProject(project);
  const query = JSON.stringify({ ...place, id });
  // A time may contain slashes, for example in Japanese.
  const name = l10n.t('{0} on {1}, {2}.log', place.context, place.environment, timeIn(id).replaceAll('/', '-'));
  return Uri.from({ scheme: deployScheme, path: `/${name}`, query });
}

/** The time in a record's ID, as a person reads it. */
function timeIn(id: string): string {
  const time = new Date(id.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.'));
  return Number.isNaN(time.getTime()) ? id : formatExactTime(time);
}

function folderOf(place: ProjectPlace): string {
  return `${place.account}/${digestOf(projectKey(place))}`;
}

function keyFor(place: ProjectPlace, id: string): string {
  return `${folderOf(place)}/${id.replaceAll(/[^\w-]/g, '')}`;
}

export type FindDeployedCommits = ReturnType<typeof findDeployedCommits>;

/** Finds the commits that redeploys of a project deployed, by their hash, if its repository is open here. */
export function findDeployedCommits(known: KnownProjects, repositories: LocalRepositories) {
  return async (place: ProjectPlace, records: readonly DeployRecord[]): Promise<ReadonlyMap<string, LocalCommit>> => {
    await repositories.ready;
    const { url, branch } = known.find(place) ?? {};
    const hashes = records.flatMap(({ nodes }) => nodesNow(nodes).commit ?? []);
    return (await repositories.withAddress(url)?.find(hashes, { url, branch })) ?? new Map<string, LocalCommit>();
  };
}

/** Returns a redeploy's changes if the repository is open here and has both commits. */
export async function deployedChanges(
  { nodes, ...record }: DeployRecord,
  { projects, repositories }: { readonly projects: Projects; readonly repositories: LocalRepositories },
): Promise<{ readonly subjects: CommitSubjects; show(): Promise<void> } | undefined> {
  const from = nodes[0]?.before;
  const to = nodesNow(nodes).commit;
  const settings = projects.last(record)?.settings;
  const repository = repositories.withAddress(settings?.url);
  if (from === undefined || to === undefined || from === to || settings === undefined || repository === undefined) {
    return undefined;
  }
  const found = await repository.find([from, to], settings);
  const [before, after] = [found.get(from), found.get(to)];
  return before && after
    ? { subjects: { before: before.subject, after: after.subject }, show: () => showChanges(repository, from, to) }
    : undefined;
}

async function showChanges(repository: LocalRepository, from: string, to: string): Promise<void> {
  const changes = await repository.changes(from, to);
  const title = l10n.t('Deployed: {0} → {1}', short(from), short(to));
  const resources = changes.map(({ originalUri, renameUri, uri }): [Uri, Uri, Uri] => {
    const after = renameUri ?? uri;
    return [after, repository.uriAt(originalUri, from), repository.uriAt(after, to)];
  });
  await commands.executeCommand('vscode.changes', title, resources);
}
