import { commands, l10n, type QuickPickItem, type Uri, window } from 'vscode';
import { layerOf } from '../containers/environmentIndex';
import type { Environments } from '../containers/environments';
import { isPlatformError } from '../platform/errors';
import type { Containers } from '../containers/containers';
import { type FilePlace, nameOf, containerText } from '../containers/place';
import { showInformationMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import { textFlawOf } from '../files/text';
import type { ShownTexts } from '../ui/shownTexts';

import { readOnlyText } from './readOnlyTextCommands';
import { type CommandTargets, uriOf } from './commandTargets';
import { failureText } from '../ui/failureMessages';

export interface CompareCommandsDeps {
  readonly subjects: CommandTargets;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly texts: ShownTexts;
}

export function compareCommands({ subjects, environments, containers, texts }: CompareCommandsDeps) {
  return {
    async 'gantry.file.compareWithLocal'(...received: readonly unknown[]) {
      const file = await subjects.file(received);
      const title = file && l10n.t('Compare {0} with Which File?', nameOf(file));
      const [chosen] =
        (title === undefined ? undefined : await window.showOpenDialog({ title, openLabel: l10n.t('Compare') })) ?? [];
      if (file !== undefined && chosen !== undefined) {
        const localName = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
        const sides = l10n.t('{0} (local) ↔ {1} ({2})', localName, nameOf(file), containerText(file));
        await commands.executeCommand('vscode.diff', chosen, uriOf(file), sides);
      }
    },

    async 'gantry.file.compareNodes'(...received: readonly unknown[]) {
      const file = await subjects.file(received);
      if (file === undefined) {
        return;
      }
      const others = await twins(file, environments, containers);
      if (others.length === 0) {
        void showInformationMessage(l10n.t('{0} has no other node to compare with.', containerText(file)));
        return;
      }
      const other = await chooseOther(file, others, containers);
      if (other !== undefined) {
        const title = `${nameOf(file)} (${containerText(file)} ↔ ${containerText(other.place)})`;
        const [left, right] = other.sides.map((side) => editorOf(side, texts));
        await commands.executeCommand('vscode.diff', left, right, title);
      }
    },
  };
}

/** VS Code can't open a file whose bytes the platform can't return: then the text that was compared is shown. */
function editorOf({ place, text }: Side, texts: ShownTexts): Uri {
  return isInexact(text) ? readOnlyText(place, text, texts) : uriOf(place);
}

/** The same path on the other nodes of the layer. */
async function twins(file: FilePlace, environments: Environments, containers: Containers): Promise<FilePlace[]> {
  const all = await environments.of(containers.account(file.account));
  return (layerOf(file, all)?.nodes ?? [])
    .filter(({ id }) => id !== file.target.nodeId)
    .map(({ id }) => ({ ...file, target: { nodeGroup: file.target.nodeGroup, nodeId: id } }));
}

interface Side {
  readonly place: FilePlace;
  readonly text: string;
}

interface NodeChoice extends QuickPickItem {
  readonly place: FilePlace;
  /** `alike`: both texts are equal, and the files may still differ in bytes that aren't UTF-8. */
  readonly state: 'same' | 'alike' | 'differs' | 'unreadable';
  readonly sides: readonly Side[];
}

/** Says of each node whether its file is the same, so that nobody has to open one after the other. */
async function chooseOther(
  file: FilePlace,
  others: readonly FilePlace[],
  containers: Containers,
): Promise<NodeChoice | undefined> {
  const choices = await withProgress(
    l10n.t('Reading {0} on {1} nodes', nameOf(file), others.length + 1),
    async (run) => {
      const own = { place: file, text: await containers.read(file, { signal: run.signal }) };
      return Promise.all(others.map((place) => choiceOf(place, own, containers, run.signal)));
    },
  );
  const [only, ...more] = choices;
  if (only !== undefined && more.length === 0) {
    return decide(only, file);
  }
  const title = l10n.t('Compare {0} across Nodes', nameOf(file));
  const placeHolder = l10n.t('{0}, seen from {1}', file.path, containerText(file));
  const chosen = await window.showQuickPick(choices, { title, placeHolder });
  return chosen && decide(chosen, file);
}

/** Two texts side by side are shown only where there are two that differ. */
function decide(choice: NodeChoice, file: FilePlace): NodeChoice | undefined {
  const { state, place, description } = choice;
  if (state === 'differs') {
    return choice;
  }
  void showInformationMessage(
    state === 'same'
      ? l10n.t('{0} is the same on {1} and {2}.', file.path, containerText(file), containerText(place))
      : l10n.t('{0} on {1}: {2}', file.path, containerText(place), description ?? ''),
  );
  return undefined;
}

async function choiceOf(place: FilePlace, own: Side, containers: Containers, signal: AbortSignal): Promise<NodeChoice> {
  const label = containerText(place);
  try {
    const text = await containers.read(place, { signal });
    const sides = [own, { place, text }];
    if (text !== own.text) {
      return { label: `$(diff) ${label}`, description: l10n.t('different'), place, state: 'differs', sides };
    }
    return isInexact(text)
      ? { label: `$(question) ${label}`, description: alikeText(), place, state: 'alike', sides }
      : { label: `$(check) ${label}`, description: l10n.t('identical'), place, state: 'same', sides };
  } catch (error) {
    const missing = isPlatformError(error) && error.kind === 'notFound';
    const description = missing ? l10n.t('not there') : failureText(error);
    return { label: `$(warning) ${label}`, description, place, state: 'unreadable', sides: [] };
  }
}

function isInexact(text: string): boolean {
  return textFlawOf(text, undefined) === 'bytes';
}

function alikeText(): string {
  return l10n.t("text matches, but bytes that aren't UTF-8 may differ");
}
