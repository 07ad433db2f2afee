import { l10n } from 'vscode';
import type { Containers } from '../../../containers/containers';
import type { FilePlace } from '../../../containers/place';
import type { FileQueue } from '../../../files/saving/saves';
import { outcomeLine } from '../../../files/saving/outcomeTexts';
import type { SaveOutcome } from '../../../files/saving/saveFile';
import type { TextChange } from '../../../files/saving/writeIfUnchanged';
import { Canceled, undefinedIf } from '../../../platform/errors';
import { ExpectedError } from '../../../ui/expectedError';
import { showWarningMessage } from '../../../ui/notifications';
import { withProgress } from '../../../ui/progress';
import { isHashLike, short } from '../commits';
import { parseHead } from '../deployedState/gitFiles';
import { commitOfReference, type DeployNode, type NodeHead } from '../deployedState/nodeInspector';
import { placeOn, type ProjectPlace } from '../projectPlace';
import type { KnownProjects, Project } from '../projects';
import type { PinEvidence } from './pinEvidence';

/** A node whose clone can't pull, so that each redeploy fails there. */
export interface WedgedClone {
  readonly node: DeployNode;
  /** The branch that is gone from the repository; `undefined` if HEAD is detached. */
  readonly goneBranch: string | undefined;
  readonly commit: string;
  /** The branch that HEAD can be attached to, so that the next redeploy pulls it. */
  readonly attachTo: string | undefined;
}

/** How to make clones pull again: attach HEAD to a branch, or delete `.git`, so that the next redeploy clones again. */
export type Repair = 'attach' | 'cloneAgain';

interface RepairOptions {
  readonly how: Repair;
  readonly signal: AbortSignal;
  readonly onDidRepair: (clone: WedgedClone) => void;
}

/** Finds and repairs clones in which Git can't pull, because a person or a commit set as the branch left them like that. */
export class WedgedClones {
  constructor(
    private readonly deps: {
      readonly containers: Pick<Containers, 'read' | 'delete' | 'shows'>;
      readonly known: Pick<KnownProjects, 'find'>;
      readonly pins: Pick<PinEvidence, 'has'>;
      readonly queue: Pick<FileQueue, 'take'>;
      /** Writes a text if the file has exactly another one, and verifies it. */
      readonly writeIfUnchanged: (file: FilePlace, change: TextChange) => Promise<SaveOutcome>;
    },
  ) {}

  /** Reads from the platform only for nodes that are wedged. */
  async find({
    project,
    before,
    goneBranch,
  }: {
    readonly project: Project;
    readonly before: readonly NodeHead[];
    readonly goneBranch?: string | undefined;
  }): Promise<readonly WedgedClone[]> {
    const { type, branch = '', autoResolveConflict } = project.settings;
    if (type === 'SVN') {
      return [];
    }
    // A platform that deploys the commit in the settings may detach HEAD for that, and checks out what it wants.
    const isDetachedByPin = this.deps.pins.has({ account: project.place.account, kind: type ?? 'GIT' });
    const isWedged = (on: string | undefined) => (on === undefined ? !isDetachedByPin : on === goneBranch);
    const wedged = before.flatMap(({ node, head }) =>
      head.kind === 'commit' && isWedged(head.branch) ? [{ node, goneBranch: head.branch, commit: head.commit }] : [],
    );
    return Promise.all(
      wedged.map(async (one) => {
        // Without a reset, the files stay those of the other commit, and Git refuses to pull over them.
        const isReset = autoResolveConflict !== false;
        const found = isReset ? await this.branchToAttach(project.place, one.node, branch) : undefined;
        return { ...one, attachTo: found === one.goneBranch ? undefined : found };
      }),
    );
  }

  /**
   * Rejects if a clone has changed since, or wasn't certainly repaired, or with `Canceled` if the signal is aborted, even
   * after the last clone.
   */
  async repair(
    place: ProjectPlace,
    clones: readonly WedgedClone[],
    { how, signal, onDidRepair }: RepairOptions,
  ): Promise<void> {
    for (const clone of clones) {
      ensureNotCanceled(signal);
      await this.repairOne(place, clone, how);
      onDidRepair(clone);
    }
    ensureNotCanceled(signal);
  }

  /**
   * The wanted branch if the clone has it, or else the one that the repository prefers. `undefined` if there's none, or if a
   * commit or a tag is wanted, to which the next redeploy would detach HEAD again.
   */
  private branchToAttach(place: ProjectPlace, node: DeployNode, wanted: string): Promise<string | undefined> {
    const read = (path: string) => this.read(place, node, path);
    const has = async (reference: string) => (await commitOfReference(reference, read)) !== undefined;
    const find = async () => {
      if (await has(`refs/heads/${wanted}`)) {
        return wanted;
      }
      if (isHashLike(wanted) || (await has(`refs/tags/${wanted}`))) {
        return undefined;
      }
      const preferred = /^ref: refs\/remotes\/origin\/(\S+)\s*$/.exec(
        (await read('.git/refs/remotes/origin/HEAD')) ?? '',
      );
      const branch = preferred?.[1];
      return branch !== undefined && (await has(`refs/heads/${branch}`)) ? branch : undefined;
    };
    return undefinedIf('any', find());
  }

  private async repairOne(place: ProjectPlace, clone: WedgedClone, how: Repair): Promise<void> {
    const { containers, queue, writeIfUnchanged } = this.deps;
    const { node, attachTo } = clone;
    const target = this.placeIn(place, node, how === 'attach' ? '.git/HEAD' : '.git');
    if (target === undefined || (how === 'attach' && attachTo === undefined)) {
      return;
    }
    await queue.take([target], async () => {
      const before = await this.unchanged(place, clone);
      if (how === 'attach' && attachTo !== undefined) {
        const outcome = await writeIfUnchanged(target, {
          before,
          text: `ref: refs/heads/${attachTo}\n`,
          isTechnical: true,
        });
        if (outcome.kind !== 'saved') {
          throw new ExpectedError(
            l10n.t(
              "Couldn't attach HEAD to {0} on {1}: {2}. Nothing was redeployed.",
              attachTo,
              node.name,
              outcomeLine(outcome),
            ),
          );
        }
        return;
      }
      await containers.delete(target);
      if (!(await containers.shows(target, undefined, (entry) => entry === undefined))) {
        throw new ExpectedError(l10n.t("Couldn't delete {0} on {1}. Nothing was redeployed.", target.path, node.name));
      }
    });
  }

  /** Returns the text of HEAD, or rejects if it isn't as it was found. */
  private async unchanged(place: ProjectPlace, { node, goneBranch, commit }: WedgedClone): Promise<string> {
    const text = (await this.read(place, node, '.git/HEAD')) ?? '';
    const head = parseHead(text);
    const isSame =
      head !== undefined &&
      ('commit' in head ? head.commit === commit : head.reference === `refs/heads/${goneBranch ?? ''}`);
    if (!isSame) {
      throw new ExpectedError(
        l10n.t(
          'HEAD on {0} has changed from {1} in the meantime. Nothing was redeployed. Try again.',
          node.name,
          goneBranch ?? short(commit),
        ),
      );
    }
    return text;
  }

  private async read(place: ProjectPlace, node: DeployNode, path: string): Promise<string | undefined> {
    const file = this.placeIn(place, node, path);
    return file && undefinedIf('notFound', this.deps.containers.read(file));
  }

  private placeIn(place: ProjectPlace, { target }: DeployNode, path: string): FilePlace | undefined {
    const folder = this.deps.known.find(place)?.folder;
    return folder === undefined ? undefined : placeOn(place, target, `${folder}/${path}`);
  }
}

function ensureNotCanceled({ aborted }: AbortSignal): void {
  if (aborted) {
    throw new Canceled('Repair', { isOutcomeUnknown: false });
  }
}

/** The repairs before one redeploy. */
export class CloneRepairs {
  private readonly repaired: WedgedClone[] = [];
  private how: Repair = 'attach';
  private headsBefore: readonly NodeHead[] | undefined;

  constructor(
    private readonly clones: Pick<WedgedClones, 'repair'>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** The heads before the first repair, if there was any. */
  get before(): readonly NodeHead[] | undefined {
    return this.headsBefore;
  }

  /**
   * Returns whether there was anything to repair.
   * @param plan with the heads before the repair
   * @param how `undefined` if the person doesn't want it
   */
  async run(
    { project, before, wedged }: { project: Project; before: readonly NodeHead[]; wedged: readonly WedgedClone[] },
    how: Repair | undefined,
  ): Promise<boolean> {
    if (how === undefined || wedged.length === 0) {
      return false;
    }
    this.how = how;
    await withProgress(l10n.t('Repairing clone'), ({ signal }) =>
      this.clones.repair(project.place, wedged, {
        how,
        signal: AbortSignal.any([signal, ...(this.signal === undefined ? [] : [this.signal])]),
        onDidRepair: (clone) => {
          this.headsBefore ??= before;
          this.repaired.push(clone);
        },
      }),
    );
    return true;
  }

  /** Says what was repaired, because no redeploy has followed. */
  tell(): void {
    if (this.repaired.length > 0) {
      void showWarningMessage(repairedSentence(this.repaired, this.how));
    }
  }
}

/** Says what a repair has changed on the nodes, although nothing was redeployed after it. */
function repairedSentence(clones: readonly WedgedClone[], how: Repair): string {
  const list = (texts: readonly string[]) => [...new Set(texts)].join(', ');
  const names = list(clones.map(({ node }) => node.name));
  return how === 'attach'
    ? l10n.t(
        'Nothing was redeployed, but HEAD on {0} is attached to {1} now. The files there are still those of {2}.',
        names,
        list(clones.map(({ attachTo = '' }) => attachTo)),
        list(clones.map(({ commit }) => short(commit))),
      )
    : l10n.t(
        "Nothing was redeployed, but the .git folder on {0} is deleted. The next redeploy replaces the project's folder there with a fresh clone.",
        names,
      );
}

/** Whether HEAD can be attached to a branch on each of these nodes. */
export function canAttach(clones: readonly WedgedClone[]): boolean {
  return clones.length > 0 && clones.every(({ attachTo }) => attachTo !== undefined);
}
