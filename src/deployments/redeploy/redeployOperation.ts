import { l10n } from 'vscode';
import type { Containers } from '../../containers/containers';
import { withoutLogins } from '../../containers/secretFiles';
import { Canceled, isCanceled, isPlatformError, type PlatformError, undefinedIf } from '../../platform/errors';
import { ExpectedError } from '../../ui/expectedError';
import { failureMessage, failureReason, reasonText } from '../../ui/failureMessages';
import { type DeployLogs, hooksLength, type LogLengths, updateLength } from '../deployedState/deployLogs';
import type { DeployNode, NodeHead, NodeInspector } from '../deployedState/nodeInspector';
import { type DeployHistory, recordId } from '../history/deployHistory';
import { goneBranchIn, subversionRevision } from '../history/deployLog';
import { placeOfProject, projectAddress, type ProjectPlace } from '../projectPlace';
import { needsTag, pinnedCommit } from '../commits';
import type { KnownProjects, Project, Projects, ProjectSettings } from '../projects';
import {
  answerThen,
  changesOf,
  type DeployRecord,
  hasDeployed,
  isHookFailure,
  isRefused,
  type NodeChange,
  otherBranchOn,
  type PlatformAnswer,
  redeployResultFrom,
  revisionsOf,
  withEarlierChange,
} from './redeployResult';
import { type RedeployResult, severityOf } from '../results';
import type { PinEvidence } from './pinEvidence';
import type { RedeployConsent } from './redeployConfirmation';
import { type NodeCheck, type PollInterval, watchLostUpdate } from './watchLostUpdate';
import { nodesNow } from '../deployedState/nodesNow';

export interface RedeployRequest {
  readonly place: ProjectPlace;
  /** Redeploys only this node of the layer. */
  readonly nodeId?: number | undefined;
  /** The delay between two nodes' restarts, in seconds. */
  readonly delay?: number | undefined;
  readonly consent?: RedeployConsent | undefined;
  /** The settings that the user agreed to deploy; `undefined` if no question has named them. */
  readonly agreed?: ProjectSettings | undefined;
}

/** The project's state right before a redeploy. */
export interface Prepared {
  readonly request: RedeployRequest;
  readonly project: Project;
  readonly before: readonly NodeHead[];
  /** The heads before clones were repaired for this redeploy. The nodes' files are still those of these commits. */
  readonly beforeRepair?: readonly NodeHead[] | undefined;
  /** Whether earlier redeploys or the project's log show a deployment, even if no clone was found. */
  readonly wasDeployed: boolean;
  /** The branch that a node couldn't pull at the last redeploy, because it's gone from the repository. */
  readonly goneBranch?: string | undefined;
}

export interface RedeployOperationDeps {
  readonly projects: Projects;
  readonly containers: Containers;
  readonly known: KnownProjects;
  readonly inspector: NodeInspector;
  readonly logs: DeployLogs;
  readonly history: DeployHistory;
  readonly pins: Pick<PinEvidence, 'take' | 'revoke'>;
  readonly pace: PollInterval;
}

/** Returns how many of the branch's commits a deployed commit lacks, if a local repository can tell. */
export type Behind = (commit: string) => Promise<number | undefined>;

export interface RedeployProgress {
  readonly startedAt: number;
  /** The platform's response was lost. From now on, its log is watched until `signal` is aborted. */
  readonly lost: () => void;
  /** Before the Update is sent, it prevents that. */
  readonly signal: AbortSignal;
  readonly behind: Behind | undefined;
  /** The history has a record of it, whose log can be shown. */
  readonly recorded: (started: DeployRecord) => void;
}

type Answer = PlatformAnswer & { readonly log?: string | undefined };

/** The platform refused the Update, or it couldn't be sent, so nothing ran on any node. */
class RedeployRefused extends ExpectedError {
  override readonly name = 'RedeployRefused';

  constructor(override readonly cause: PlatformError) {
    const nothing =
      cause.result === undefined
        ? l10n.t('Nothing was deployed.')
        : l10n.t('The platform refused the redeploy, so nothing was deployed.');
    super(`${withoutLogins(failureMessage(cause))} ${nothing}`);
  }
}

/** The Update was sent, but Gantry failed before it could keep or check the result. */
export class ResultNotRecorded extends Error {
  override readonly name = 'ResultNotRecorded';

  constructor(override readonly cause: unknown) {
    super(l10n.t("The redeploy was sent, but its result couldn't be recorded: {0}.", reasonText(cause)));
  }
}

/** The steps of a redeploy: checks before, Update, checks after. */
export class RedeployOperation {
  constructor(private readonly deps: RedeployOperationDeps) {}

  /** @param heads what the nodes had a moment ago, if that was read */
  async prepare(request: RedeployRequest, heads?: readonly NodeHead[]): Promise<Prepared> {
    const { projects, inspector, history } = this.deps;
    const [project, seen, records] = await Promise.all([
      projects.read(request.place),
      heads ?? inspector.heads(request),
      // If the history can't be read, no deployment is called the first one.
      history.of(request.place).catch(() => undefined),
    ]);
    // The log may contain only failed deployments; Gantry's own ones are known from the history.
    const wasDeployed =
      records === undefined || (records.length > 0 ? records.some(hasDeployed) : (project.settings.log ?? '') !== '');
    if (project.settings.type !== 'SVN') {
      const [last] = records ?? [];
      const ofLast = last?.verdict.kind === 'failed' ? last.log : '';
      const goneBranch = goneBranchIn(last === undefined ? (project.settings.log ?? '') : ofLast);
      return { request, project, before: seen, wasDeployed, goneBranch };
    }
    // The first time, it was looked for as a clone.
    const nodes = nodesIn(seen);
    await inspector.findCheckout(request.place, nodes);
    return { request, project, before: nodes.map((node) => ({ node, head: { kind: 'absent' } })), wasDeployed };
  }

  /** Rejects with `ResultNotRecorded` if something may have run. After other errors, the history is as before. */
  async perform(prepared: Prepared, progress: RedeployProgress): Promise<DeployRecord> {
    const { history, logs } = this.deps;
    const { request, before } = prepared;
    const lengths = await logs.lengthsAtStart(request.place, nodesIn(before), progress);
    ensureNotStopped(progress);
    const started = recordAtStart(prepared, progress.startedAt, lengths);
    await history.keep(started);
    progress.recorded(started);
    const answer = await this.update(prepared, lengths, progress).catch(async (error: unknown) => {
      if (error instanceof RedeployRefused || (isCanceled(error) && !error.isOutcomeUnknown)) {
        await history.remove(started);
        throw error;
      }
      throw new ResultNotRecorded(error);
    });
    return this.endedWith(answer, prepared, started, progress).catch((error: unknown) => {
      throw new ResultNotRecorded(error);
    });
  }

  /** Checks the nodes, and keeps the result. */
  private async endedWith(
    answer: Answer,
    prepared: Prepared,
    started: DeployRecord,
    progress: RedeployProgress,
  ): Promise<DeployRecord> {
    const { history, inspector, logs } = this.deps;
    const { request, project, before } = prepared;
    const nodes = nodesIn(before);
    const [after, log, updates, logsBeside] = await Promise.all([
      inspector.heads(request, { nodes }),
      answer.log === undefined || answer.log === '' ? this.logAfter(prepared, nodes, started) : answer.log,
      project.settings.type === 'SVN' ? logs.updatesByNode(request.place, nodes, started) : [],
      answer.said === 'failure' && isHookFailure(answer.code) ? logs.beside(request.place, nodes, started) : undefined,
    ]);
    const saidByNode = updates.map((sections) => sections.map(({ text }) => text).join('\n'));
    const earlier = answer.said === 'nothing' ? before : (prepared.beforeRepair ?? before);
    const changes = revisionsOf(changesOf(earlier, after), saidByNode);
    const ended: DeployRecord = {
      ...started,
      milliseconds: Date.now() - progress.startedAt,
      nodes: [...changes],
      log: withoutLogins(log),
      ...(logsBeside === undefined ? {} : { logsBeside: [...logsBeside] }),
      verdict: await this.resultOf(started, { changes, answer, log, behind: progress.behind }, { before, after }),
    };
    await this.deps.pins.take(prepared.project, ended);
    await history.keep(ended);
    return ended;
  }

  /** Checks the nodes again after a redeploy with an unknown result, unless it wasn't the last one. */
  async lookAgain(record: DeployRecord, behind: Behind | undefined): Promise<DeployRecord> {
    const { history, inspector, logs, pins, projects } = this.deps;
    if (severityOf(record.verdict) !== 'warning' || (await history.last(record))?.id !== record.id) {
      return record;
    }
    const inspected = { place: record, nodeId: record.nodeId };
    const nodes = await inspector.nodesOf(inspected);
    const answer = answerThen(record.verdict);
    // A complete log has nothing more about this redeploy, only about later ones.
    const isComplete = record.log !== '' && (answer.said !== 'nothing' || answer.ended);
    const [heads, read] = await Promise.all([
      inspector.heads(inspected, { nodes }),
      isComplete ? undefined : logs.updates(record, nodes, { ...record, isLongAgo: true }),
    ]);
    const changes = changesOf([], heads).map((change) => withEarlierChange(change, record));
    const log = withoutLogins(read?.text ?? record.log);
    const verdict = await this.resultOf(record, { changes, answer, log, behind }, { after: heads });
    const part = read === undefined ? {} : { isLogEndUnknown: !read.isEndKnown };
    const seen = { ...record, ...part, nodes: changes, verdict, log };
    await pins.revoke(projects.last(record), seen);
    await history.keep(seen);
    return seen;
  }

  /** Judges by the commit that the project was pinned to when this redeploy began. */
  private async resultOf(
    record: DeployRecord,
    seen: { changes: readonly NodeChange[]; answer: PlatformAnswer; log: string; behind: Behind | undefined },
    { before = [], after }: { before?: readonly NodeHead[]; after: readonly NodeHead[] },
  ): Promise<RedeployResult> {
    const settings = this.deps.projects.last(record)?.settings;
    const { commit } = nodesNow(seen.changes);
    const { pinnedTo, branch = '', nodeId } = record;
    const isSubversion = settings?.type === 'SVN';
    const isDoubtful = !isSubversion && commit !== undefined && pinnedTo !== undefined && needsTag(commit, pinnedTo);
    return redeployResultFrom({
      platform: seen.answer,
      nodes: seen.changes,
      isSubversion,
      folderIsKnown: this.deps.known.isFolderFound(record),
      revision: subversionRevision(seen.log),
      behind: commit === undefined ? undefined : await seen.behind?.(commit),
      pinnedTo,
      mayBeOld:
        seen.answer.said === 'success' &&
        (await this.deps.inspector.mayBeOld({ place: record, nodeId }, after, before)),
      otherBranch: otherBranchOn(after, pinnedCommit({ repoHash: settings?.repoHash }) === undefined ? branch : ''),
      hashOfTag: isDoubtful ? await this.deps.inspector.hashOfTag(record, pinnedTo) : undefined,
    });
  }

  private async update(
    { request, project, before }: Prepared,
    lengths: readonly (LogLengths | undefined)[],
    progress: RedeployProgress,
  ): Promise<Answer> {
    const { place, nodeId, delay } = request;
    ensureNotStopped(progress);
    try {
      const account = this.deps.containers.account(place.account);
      const wanted = { ...projectAddress(place), nodeId, delay };
      const { log, message } = await account.call('Update', wanted, { untilSent: progress.signal });
      return { said: 'success', log: log ?? message };
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      if (isRefused(error)) {
        throw new RedeployRefused(error);
      }
      if (!error.isOutcomeUnknown) {
        const sentence = withoutLogins(failureReason(error));
        return { said: 'failure', sentence, code: error.result, log: error.log };
      }
    }
    progress.lost();
    const logLengths = lengths.map(updateLength);
    const baseline = { commits: commitsOf(before), projectLog: project.settings.log ?? '', logLengths };
    // The platform may be temporarily unreachable, so try again with the next check.
    const look = () => undefinedIf('any', this.look(place, nodesIn(before)));
    const ended = await watchLostUpdate(look, baseline, this.deps.pace, progress.signal);
    return { said: 'nothing', ended };
  }

  private async look(place: ProjectPlace, nodes: readonly DeployNode[]): Promise<NodeCheck> {
    const { projects, inspector, logs } = this.deps;
    const [{ settings }, lengths, heads] = await Promise.all([
      projects.read(place),
      logs.lengths(place, nodes),
      inspector.heads({ place }, { nodes }),
    ]);
    const [logLengths, hookLogLengths] = [lengths.map(updateLength), lengths.map(hooksLength)];
    return { projectLog: settings.log, logLengths, hookLogLengths, commits: commitsOf(heads) };
  }

  /**
   * If the response had no log, returns the project's log if it changed, or else what the nodes' logs say since then. An
   * unchanged log is about an earlier redeploy.
   */
  private async logAfter({ request, project }: Prepared, nodes: readonly DeployNode[], started: DeployRecord) {
    const { projects, logs } = this.deps;
    const { log = '' } = (await undefinedIf('any', projects.read(request.place)))?.settings ?? {};
    return log !== '' && log !== project.settings.log
      ? log
      : ((await logs.updates(request.place, nodes, started))?.text ?? '');
  }
}

/** The user may have canceled while Gantry listed the logs. */
function ensureNotStopped({ signal }: RedeployProgress): void {
  if (signal.aborted) {
    throw new Canceled('Update', { isOutcomeUnknown: false });
  }
}

function nodesIn(heads: readonly NodeHead[]): readonly DeployNode[] {
  return heads.map(({ node }) => node);
}

function commitsOf(heads: readonly NodeHead[]): readonly (string | undefined)[] {
  return heads.map(({ head }) => (head.kind === 'commit' ? head.commit : undefined));
}

/** Whether nothing was deployed before, as far as Gantry can tell. */
export function isFirst({ before, wasDeployed }: Pick<Prepared, 'before' | 'wasDeployed'>): boolean {
  return !wasDeployed && isEachHeadAbsent(before);
}

/** Whether a redeploy replaces the folder with a fresh clone, because no node has one, even if one was there before. */
export function replacesFolder({ project, before }: Pick<Prepared, 'project' | 'before'>): boolean {
  return project.settings.type !== 'SVN' && isEachHeadAbsent(before);
}

function isEachHeadAbsent(before: readonly NodeHead[]): boolean {
  return before.every(({ head }) => head.kind === 'absent');
}

function recordAtStart(
  { request, project, before, wasDeployed }: Prepared,
  startedAt: number,
  lengths: readonly (LogLengths | undefined)[],
): DeployRecord {
  const known = before.flatMap(({ node }, index) => {
    const length = lengths[index];
    return length === undefined ? [] : [[node.name, length] as const];
  });
  return {
    id: recordId(startedAt),
    ...placeOfProject(request.place),
    nodeId: request.nodeId,
    delay: request.delay,
    branch: project.settings.branch,
    isFirst: isFirst({ before, wasDeployed }),
    pinnedTo: pinnedCommit(project.settings),
    startedAt,
    milliseconds: 0,
    verdict: { kind: 'running' },
    nodes: changesOf(before, before).map((change) => ({ ...change, after: undefined })),
    log: '',
    logLengths: Object.fromEntries(known),
  };
}
