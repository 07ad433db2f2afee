import { commands, l10n, Uri } from 'vscode';
import type { Listings } from '../../containers/listings';
import { type FilePlace, nameOf, uriParts } from '../../containers/place';
import type { CommandTarget } from '../../trees/sharedElement';
import { ExpectedError } from '../../ui/expectedError';
import { failureText } from '../../ui/failureMessages';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead, withProgress } from '../../ui/progress';
import type { ShownTexts } from '../../ui/shownTexts';
import { short } from '../commits';
import type { ProjectChooser } from '../projectPrompt';
import { type AppliedEdit, applyEdit, type ApplyEditDeps } from './applyEdit';
import type { EditedFilesList } from './editedFilesList';
import { deletedUri } from './nodeEditDocuments';
import type { NodeEditsAtRisk } from './nodeEditsAtRisk';
import { nodeEditName } from './savePatchPrompt';

export interface NodeEditCommandsDeps extends ApplyEditDeps {
  readonly chooser: ProjectChooser;
  readonly edits: NodeEditsAtRisk;
  readonly list: EditedFilesList;
  readonly listings: Pick<Listings, 'entry' | 'lookUp' | 'refresh'>;
  readonly texts: ShownTexts;
  /** The files and folders that a command was called on, in the Environments view, the Explorer, or an editor. */
  readonly targetsOf: (received: readonly unknown[]) => Promise<readonly CommandTarget[]>;
}

/** Compares edited files with what was deployed, and applies the edits to the clone. */
export function nodeEditCommands(deps: NodeEditCommandsDeps) {
  const { list, targetsOf, chooser, edits } = deps;
  const filesOf = async (received: readonly unknown[]): Promise<readonly FilePlace[]> => {
    const listed = received.flatMap((one) => list.fileOf(one) ?? []);
    const targets = listed.length > 0 ? [] : await targetsOf(received);
    return [...listed, ...targets.filter(({ isFolder }) => !isFolder).map(({ place }) => place)];
  };
  return {
    async 'gantry.edits.compare'(...received: readonly unknown[]) {
      const [file] = await filesOf(received);
      if (file !== undefined) {
        await compare(file, deps);
      }
    },

    async 'gantry.edits.apply'(...received: readonly unknown[]) {
      const files = await filesOf(received);
      if (files.length > 0) {
        await applyEdits(files, deps);
      }
    },

    'gantry.project.applyEdits': (received: unknown) =>
      chooser.withProject(list.projectOf(received), l10n.t('Select a project to apply its edits'), async (place) => {
        const all = await withCancelableRead(l10n.t('Reading edited files'), () => edits.list({ place }, undefined));
        const unpacked = all.filter(({ edit }) => edit.what === 'unpacked');
        await applyEdits(
          all.filter((file) => !unpacked.includes(file)).map((file) => file.place),
          deps,
          unpacked.map(
            (file) =>
              new ExpectedError(l10n.t('Not applied: {0}. Unpack it in the local repository.', nodeEditName(file))),
          ),
        );
      }),
  };
}

async function compare(file: FilePlace, { versions, texts, listings }: NodeEditCommandsDeps): Promise<void> {
  const version = await withCancelableRead(l10n.t('Reading deployed version'), () =>
    versions.of(file, { mayFetch: true }),
  );
  const { side, commit, committed, path } = version ?? {};
  if (path === undefined || typeof side === 'object') {
    throw new ExpectedError(
      committed?.kind === 'binary'
        ? l10n.t("Couldn't compare {0}: the deployed version isn't text.", nameOf(file))
        : l10n.t(
            "Couldn't find the deployed version of {0}. Open a clone of the project's repository that has its commit.",
            nameOf(file),
          ),
    );
  }
  const isThere = (await listings.entry(file)) !== undefined;
  const title =
    committed === undefined || commit === undefined
      ? l10n.t('{0} (Before Edit ↔ On Node)', path)
      : l10n.t('{0} ({1} ↔ On Node)', path, short(commit));
  const left = side === undefined ? deletedUri(file) : texts.add(file.path, side);
  const right = isThere ? Uri.from(uriParts(file)) : deletedUri(file);
  await commands.executeCommand('vscode.diff', left, right, title);
}

/** Applies edits one after the other, because several nodes may have edits of the same file. */
async function applyEdits(
  files: readonly FilePlace[],
  deps: NodeEditCommandsDeps,
  known: readonly unknown[] = [],
): Promise<void> {
  const problems = [...known];
  const applied: AppliedEdit[] = [];
  const skipped = await withProgress(l10n.t('Applying edits'), async ({ signal }) => {
    const commits = deps.versions.commits();
    const left = [...files];
    for (let file = left[0]; file !== undefined && !signal.aborted; file = left[0]) {
      left.shift();
      try {
        const { applied: done, below = [] } = await applyEdit(file, deps, commits);
        applied.push(...(done === undefined ? [] : [done]));
        left.unshift(...below);
      } catch (error) {
        problems.push(error);
      }
    }
    const repositories = new Map(applied.map(({ repository }) => [repository.root.toString(), repository]));
    await Promise.all([...repositories.values()].map((repository) => repository.refresh()));
    return left.length;
  });
  if (applied.length > 0 || (problems.length === 0 && skipped === 0)) {
    showApplied(applied, { skipped, failed: problems.length });
  }
  throwFirst(problems, skipped);
}

/** @param skipped how many files weren't tried because the person canceled */
function showApplied(
  applied: readonly AppliedEdit[],
  { skipped, failed }: { readonly skipped: number; readonly failed: number },
): void {
  const conflicts = applied.filter(({ kind }) => kind === 'conflict');
  if (conflicts.length > 0) {
    const names = conflicts.map(({ path }) => path).join(', ');
    void showWarningMessage(l10n.t('Resolve the conflicts in {0}, then save.', names));
  }
  const changed = applied.filter(({ kind }) => kind === 'write' || kind === 'delete');
  const counted = skipped > 0 ? [...changed, ...conflicts] : changed;
  const [first] = counted;
  if (first === undefined) {
    if (conflicts.length === 0 && skipped === 0) {
      void showInformationMessage(l10n.t('The local repository already has these edits.'));
    }
    return;
  }
  const clones = [...new Set(counted.map(({ repository }) => repository.name))].join(', ');
  const show = l10n.t('Show Changes');
  const all = changed.length + conflicts.length + failed + skipped;
  const text =
    skipped > 0
      ? l10n.t('Canceled. Applied {0} of {1} edits to {2}.', changed.length, all, clones)
      : changed.length === 1
        ? l10n.t('Applied {0} to {1}. Commit and push it before the next redeploy.', first.path, clones)
        : l10n.t('Applied {0} edits to {1}. Commit and push them before the next redeploy.', changed.length, clones);
  void showInformationMessage(text, show).then((chosen) =>
    chosen === show ? commands.executeCommand('workbench.view.scm') : undefined,
  );
}

function throwFirst([problem, ...others]: readonly unknown[], skipped: number): void {
  if (problem instanceof Error) {
    const rest = others.length + skipped;
    throw rest === 0
      ? problem
      : new ExpectedError(l10n.t('{0} Other edits not applied: {1}.', failureText(problem), rest), { cause: problem });
  }
}
