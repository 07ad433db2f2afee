import { isDeepStrictEqual } from 'node:util';
import { l10n } from 'vscode';
import type { Containers } from '../../../containers/containers';
import { withoutLogins } from '../../../containers/secretFiles';
import { Canceled, isCanceled, isPlatformError, type PlatformError, undefinedIf } from '../../../platform/errors';
import { ExpectedError } from '../../../ui/expectedError';
import { failureMessage, failureReason, reasonText } from '../../../ui/failureMessages';
import { type DeployLogs, hooksLength, updateLength } from '../deployedState/deployLogs';
import type { DeployNode, NodeHead, NodeInspector } from '../deployedState/nodeInspector';
import { type DeployHistory, recordId } from '../history/deployHistory';
import { type LogLengths, subversionRevision } from '../history/deployLog';
import { placeOfProject, projectAddress, type ProjectPlace } from '../projectPlace';
import { needsTag, pinnedCommit } from '../commits';
import type { KnownProjects, Project, Projects } from '../projects';
import type { LocalRepository } from '../repositories/localRepository';
import type { LocalRepositories } from '../repositories/localRepositories';
import {
  answerThen,
  changesOf,
  type DeployRecord,
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
import { isFirst, type Prepared } from './plan';
import { type NodeCheck, type PollInterval, watchLostUpdate } from './watchLostUpdate';
import { nodesNow } from '../deployedState/deployedState';

interface RedeployProgress {
  readonly startedAt: number;
  /** The platform's response was lost. From now on, its log is watched until `signal` is aborted. */
  readonly lost: () => void;
  /** Before the Update is sent, it prevents that. */
  readonly signal: AbortSignal;
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

/** The steps of a redeploy that was decided: Update, and checks after. */
export class Update {
  constructor(
    private readonly deps: {
      readonly projects: Projects;
      readonly containers: Containers;
      readonly known: KnownProjects;
      readonly inspector: NodeInspector;
      readonly logs: DeployLogs;
      readonly history: DeployHistory;
      readonly repositories: LocalRepositories;
      readonly pins: Pick<PinEvidence, 'take' | 'revoke'>;
      readonly pace: PollInterval;
    },
  ) {}

  /** Rejects with `ResultNotRecorded` if something may have run. After other errors, the history is as before. */
  async perform(prepared: Prepared, progress: RedeployProgress): Promise<DeployRecord> {
    const { history, logs } = this.deps;
    const { request, before } = prepared;
    const lengths = await logs.lengthsAtStart(request.place, nodesIn(before), { signal: progress.signal });
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
    const heads = await inspector.heads(request, { nodes: nodesIn(before) });
    const after = await inspector.withoutGone(request, { before, after: heads });
    const nodes = nodesIn(after);
    const [log, updates, logsBeside] = await Promise.all([
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
      ...(logsBeside && { logsBeside: [...logsBeside] }),
      verdict: await this.resultOf(started, { changes, answer, log, tip: prepared.tip }, { before, after }),
    };
    await this.deps.pins.take(prepared.project, ended);
    await history.keep(ended);
    return ended;
  }

  /**
   * Checks the nodes again after a redeploy with an unknown result, unless it wasn't the last one. `isNow`: the record
   * says what the nodes have now.
   */
  async lookAgain(shown: DeployRecord): Promise<{ readonly record: DeployRecord; readonly isNow: boolean }> {
    const { history, inspector, logs, pins, projects, repositories } = this.deps;
    // The window that redeployed may have its result by now.
    const stored = async () => (await history.find(shown, shown.id)) ?? shown;
    const record = await stored();
    const isLast = async () => (await history.last(record))?.id === record.id;
    if (severityOf(record.verdict) !== 'warning' || !(await isLast())) {
      return { record, isNow: false };
    }
    const inspected = { place: record, nodeId: record.nodeId };
    await inspector.listAgain(record);
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
    const project = projects.last(record);
    const tip = project && (await tipOf(project, repositories));
    const verdict = await this.resultOf(record, { changes, answer, log, tip }, { after: heads });
    const part = read && { isLogEndUnknown: !read.isEndKnown };
    const seen = { ...record, ...part, nodes: changes, verdict, log };
    const now = await stored();
    if (!isDeepStrictEqual(now.verdict, record.verdict)) {
      return { record: now, isNow: false };
    }
    await pins.revoke(project, seen);
    await history.keep(seen);
    // One that started meanwhile says itself what the nodes have.
    return { record: seen, isNow: await isLast() };
  }

  /** Judges by the branch and the pinned commit of when this redeploy began, and by the rest of today's settings. */
  private async resultOf(
    record: DeployRecord,
    seen: { changes: readonly NodeChange[]; answer: PlatformAnswer; log: string; tip: string | undefined },
    { before, after }: { before?: readonly NodeHead[]; after: readonly NodeHead[] },
  ): Promise<RedeployResult> {
    const { projects, repositories, known, inspector } = this.deps;
    const settings = projects.last(record)?.settings ?? {};
    const { commit } = nodesNow(seen.changes);
    const { pinnedTo, branch = '', nodeId } = record;
    const isSubversion = settings.type === 'SVN';
    const isDoubtful = !isSubversion && commit !== undefined && pinnedTo !== undefined && needsTag(commit, pinnedTo);
    const inspected = { place: record, nodeId };
    return redeployResultFrom({
      platform: seen.answer,
      nodes: seen.changes,
      isBranchKnown: before?.every(({ head }) => head.kind !== 'unreadable'),
      isSubversion,
      folderIsKnown: known.isFolderFound(record),
      revision: subversionRevision(seen.log),
      ...(await this.besideTip(record, { repository: repositories.withAddress(settings.url), commit, tip: seen.tip })),
      pinnedTo,
      mayBeOld:
        pinnedTo === undefined &&
        seen.answer.said === 'success' &&
        (await inspector.mayBeOld(inspected, after, before)),
      otherBranch: otherBranchOn(after, pinnedCommit({ repoHash: settings.repoHash }) === undefined ? branch : ''),
      hashOfTag: isDoubtful ? await inspector.hashOfTag(record, pinnedTo) : undefined,
    });
  }

  /** How many commits of the branch are missing, or whether the branch was moved back, if a local repository can tell. */
  private async besideTip(
    record: DeployRecord,
    {
      repository,
      commit,
      tip,
    }: Readonly<Record<'commit' | 'tip', string | undefined>> & {
      readonly repository: LocalRepository | undefined;
    },
  ) {
    const { pinnedTo, branch = '', nodeId } = record;
    const behind = await lacking(repository, commit, tip);
    if (pinnedTo !== undefined || behind !== 0 || commit === tip) {
      return { behind };
    }
    // The local repository may not know the newest commit yet, but the nodes do.
    const clones = await this.deps.inspector.branches({ place: record, nodeId }, branch);
    return { isMovedBack: clones.some((clone) => clone.tip !== undefined && clone.tip !== commit) };
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
    return {
      projectLog: settings.log,
      logLengths: lengths.map(updateLength),
      hookLogLengths: lengths.map(hooksLength),
      commits: commitsOf(heads),
    };
  }

  /**
   * If the response had no log, returns the project's log if it changed, or else what the nodes' logs say since then. An
   * unchanged log is about an earlier redeploy.
   */
  private async logAfter({ request, project }: Prepared, nodes: readonly DeployNode[], started: DeployRecord) {
    const { projects, logs } = this.deps;
    const { log = '' } = (await undefinedIf('any', projects.readAgain(request.place)))?.settings ?? {};
    return log !== '' && log !== project.settings.log
      ? log
      : ((await logs.updates(request.place, nodes, started))?.text ?? '');
  }
}

/** The newest commit of a project's branch that the local repository knows. */
async function tipOf({ settings }: Project, repositories: LocalRepositories): Promise<string | undefined> {
  return (await repositories.withAddress(settings.url)?.upstream(settings))?.tip;
}

async function lacking(repository: LocalRepository | undefined, commit: string | undefined, tip: string | undefined) {
  return commit === undefined || tip === undefined ? undefined : repository?.lacking(commit, tip);
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
  return heads.map(({ head }) => (head.kind === 'commit' ? head.commit : head.kind === 'absent' ? '' : undefined));
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
    wasDeployed,
    pinnedTo: pinnedCommit(project.settings),
    startedAt,
    milliseconds: 0,
    verdict: { kind: 'running' },
    nodes: changesOf(before, before).map((change) => ({ ...change, after: undefined })),
    log: '',
    keepsEdits: project.settings.autoResolveConflict === false && project.settings.type !== 'SVN',
    logLengths: Object.fromEntries(known),
  };
}
