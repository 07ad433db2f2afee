import { commands, l10n, Uri } from 'vscode';
import type { Containers } from '../containers/containers';
import type { Environments } from '../containers/environments';
import { type FilePlace, nameOf, uriParts } from '../containers/place';
import { confirmInProduction } from '../containers/protectedPrompt';
import type { CommandTargets } from '../fileTree/commandTargets';
import type { OpenEdits } from '../files/saving/edits/openEdits';
import type { FileQueue } from '../files/saving/fileQueue';
import type { SaveOutcome } from '../files/saving/saveFile';
import type { TextChange } from '../files/saving/writeOver';
import { ExpectedError } from '../ui/expectedError';
import { reasonText } from '../ui/failureMessages';
import { showInformationMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import { askChoice } from '../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../ui/relativeTime';
import type { ShownTexts } from '../ui/shownTexts';
import type { VersionKeeping } from './versionKeepingNotice';
import type { FileVersion, VersionStore } from './versionStore';

export interface VersionCommandsDeps {
  readonly targets: Pick<CommandTargets, 'onFile'>;
  readonly environments: Environments;
  readonly containers: Pick<Containers, 'nodes'>;
  readonly edits: Pick<OpenEdits, 'isDirty'>;
  readonly queue: Pick<FileQueue, 'take'>;
  readonly texts: ShownTexts;
  readonly store: VersionStore;
  readonly keeping: Pick<VersionKeeping, 'mode'>;
  readonly read: (file: FilePlace, signal?: AbortSignal) => Promise<string>;
  /** Writes a text over exactly another one. */
  readonly writeOver: (file: FilePlace, change: TextChange) => Promise<SaveOutcome>;
}

/** Compares a file with what was saved from this computer before, and restores that. */
export function versionCommands(deps: VersionCommandsDeps) {
  return {
    'gantry.version.compare': deps.targets.onFile(async (file) => {
      const version = await chooseVersion(file, l10n.t('Select the version to compare with'), deps);
      if (version !== undefined) {
        const left = deps.texts.add(version.place.path, version.text);
        const title = l10n.t('{0}: {1} ↔ Current', nameOf(file), formatRelativeTime(version.at));
        await commands.executeCommand('vscode.diff', left, Uri.from(uriParts(file)), title);
      }
    }),

    'gantry.version.restore': deps.targets.onFile(async (file) => {
      if (deps.edits.isDirty(file)) {
        throw new ExpectedError(l10n.t('{0} has unsaved changes. Save or revert them first.', nameOf(file)));
      }
      const version = await chooseVersion(file, l10n.t('Select the version to restore'), deps);
      if (version !== undefined) {
        await restore(file, version, deps);
      }
    }),
  };
}

async function chooseVersion(
  file: FilePlace,
  placeHolder: string,
  deps: VersionCommandsDeps,
): Promise<FileVersion | undefined> {
  const nodes = file.target.nodeId === undefined ? await deps.containers.nodes(file) : [file];
  const ofNodes = await Promise.all(nodes.map((node) => deps.store.of(node)));
  const versions = ofNodes.flat().sort((one, other) => other.at - one.at);
  if (versions.length === 0) {
    void showInformationMessage(
      deps.keeping.mode === 'off'
        ? l10n.t('No earlier versions of {0}: the setting gantry.versionHistory.keep is off.', nameOf(file))
        : l10n.t('No earlier versions of {0}. Gantry keeps them when you save the file.', nameOf(file)),
    );
    return undefined;
  }
  const choices = versions.map((value) => ({
    label: formatRelativeTime(value.at),
    description: [formatExactTime(value.at), ...(nodes.length > 1 ? [nodeText(value)] : []), linesText(value)].join(
      ' · ',
    ),
    value,
  }));
  return askChoice<FileVersion>(choices, { placeHolder });
}

function nodeText({ place: { target } }: FileVersion): string {
  return l10n.t('node {0}', String(target.nodeId ?? target.nodeGroup));
}

function linesText({ text }: FileVersion): string {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
}

/** Saves the earlier text over what the file has now, byte for byte, and verifies it. */
async function restore(file: FilePlace, version: FileVersion, deps: VersionCommandsDeps): Promise<void> {
  const name = nameOf(file);
  const when = formatExactTime(version.at);
  const isAgreed = await confirmInProduction([file], deps.environments, {
    question: l10n.t('Restore {0} to the version from {1}?', name, when),
    paragraphs: [],
    button: l10n.t('Restore'),
  });
  if (!isAgreed) {
    return;
  }
  const outcome = await withProgress(l10n.t('Restoring {0}', name), ({ signal }) =>
    deps.queue.take([file], async () =>
      deps.writeOver(file, { before: await deps.read(file, signal), text: version.text }),
    ),
  );
  switch (outcome.kind) {
    case 'saved':
      void showInformationMessage(l10n.t('Restored {0} to the version from {1}.', name, when));
      break;
    case 'conflict':
      throw new ExpectedError(l10n.t("Couldn't restore {0}: its nodes have different versions.", name));
    case 'failed':
      throw new ExpectedError(
        outcome.cause === undefined
          ? l10n.t("Couldn't restore {0}: the platform reported success, but the file didn't change.", name)
          : l10n.t("Couldn't restore {0}: {1}.", name, reasonText(outcome.cause)),
        { cause: outcome.cause },
      );
    default:
      throw new ExpectedError(l10n.t("Couldn't confirm that {0} was restored. Check the file.", name), {
        cause: outcome.cause,
      });
  }
}
