import { commands, l10n, type Uri, window } from 'vscode';
import { layerOf } from '../../containers/environmentIndex';
import type { Environments } from '../../containers/environments';
import { isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import { locationText } from '../../containers/locationText';
import { type FilePlace, isSameContainer, nameOf, wholeLayer } from '../../containers/place';
import { showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askChoice } from '../../ui/quickPick';
import { flawSentence, readProvenText, compareTexts, ensureComparable } from '../../files/wholeText';
import { isAlteration, type ProvenText, type TextFlaw } from '../../files/text';
import type { ShownTexts } from '../../ui/shownTexts';
import { readOnlyText } from './fileCommands';
import { uriOf } from '../../containers/uris';
import type { Services } from '../../services';
import { failureText } from '../../ui/failureMessages';

export function compareCommands(services: Services) {
  const { targets, environments, containers, texts } = services;
  return {
    'gantry.file.compareWithLocal': targets.onFile(async (file) => {
      const title = l10n.t('Compare {0} with Local File', nameOf(file));
      const [chosen] = (await window.showOpenDialog({ title, openLabel: l10n.t('Compare') })) ?? [];
      if (chosen !== undefined) {
        const localName = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
        const sides = l10n.t('{0} (local) ↔ {1} ({2})', localName, nameOf(file), locationText(file, environments));
        await commands.executeCommand('vscode.diff', chosen, uriOf(file), sides);
      }
    }),

    // VS Code's own commands, so that a file selected here can be compared with one in the Explorer, and the other way around.
    'gantry.file.selectForCompare': targets.onFile(async (file) => {
      await commands.executeCommand('selectForCompare', uriOf(file));
    }),

    'gantry.file.compareWithSelected': targets.onFile(async (file) => {
      await commands.executeCommand('compareFiles', uriOf(file));
    }),

    'gantry.file.compareSelected': targets.onAll(async (all) => {
      const [left, right] = all.filter(({ isFolder }) => !isFolder).map(({ place }) => place);
      if (left !== undefined && right !== undefined) {
        if (!isSameContainer(left, right) && isSameContainer(wholeLayer(left), wholeLayer(right))) {
          await ensureComparable(left, containers);
        }
        const title = `${sideText(left, right, environments)} ↔ ${sideText(right, left, environments)}`;
        await commands.executeCommand('vscode.diff', uriOf(left), uriOf(right), title);
      }
    }),

    'gantry.file.compareNodes': targets.onFile(async (file) => {
      const others = await twins(file, environments, containers);
      if (others.length === 0) {
        void showInformationMessage(
          l10n.t("There's no other node to compare with {0}.", locationText(file, environments)),
        );
        return;
      }
      await ensureComparable(file, containers);
      const other = await chooseOther(file, others, services);
      if (other !== undefined) {
        const title = `${nameOf(file)} (${locationText(file, environments)} ↔ ${locationText(other.place, environments)})`;
        const [left, right] = other.sides.map((side) => editorOf(side, texts));
        await commands.executeCommand('vscode.diff', left, right, title);
      }
    }),
  };
}

/** Names one of two compared files, with its path or its container where they differ in that. */
function sideText(file: FilePlace, other: FilePlace, environments: Environments): string {
  const name = nameOf(file) === nameOf(other) && file.path !== other.path ? file.path : nameOf(file);
  const location = locationText(file, environments);
  return isSameContainer(file, other) ? name : `${name} (${location})`;
}

/** Opens the file, or its compared text if VS Code can't open the file because the platform can't return it exactly. */
function editorOf(side: Side, texts: ShownTexts): Uri {
  return isAlteration(side.flaw) ? readOnlyText(side.place, side, texts) : uriOf(side.place);
}

/** Returns the same path on the layer's other nodes. */
async function twins(file: FilePlace, environments: Environments, containers: Containers): Promise<FilePlace[]> {
  const { nodeGroup, nodeId } = file.target;
  const layer = layerOf(file, await environments.of(containers.account(file.account)));
  const others = (layer?.nodes ?? []).filter(({ id }) => id !== nodeId);
  return others.map(({ id }) => ({ ...file, target: { nodeGroup, nodeId: id } }));
}

interface Side extends ProvenText {
  readonly place: FilePlace;
}

/** The file on another node, compared with that on the first. */
interface Comparison {
  readonly place: FilePlace;
  /** `alike`: the texts are equal as far as the platform returned them, but the files may still differ. */
  readonly state: 'same' | 'alike' | 'differs' | 'unreadable';
  readonly description: string;
  readonly sides: readonly Side[];
}

const icons = { same: 'check', alike: 'question', differs: 'diff', unreadable: 'warning' } as const;

/** Shows for each node whether its file is the same, and asks which one to compare. */
async function chooseOther(
  file: FilePlace,
  others: readonly FilePlace[],
  { containers, listings, environments }: Pick<Services, 'containers' | 'listings' | 'environments'>,
): Promise<Comparison | undefined> {
  const title = l10n.t('Reading {0} on {1} nodes', nameOf(file), others.length + 1);
  const compared = await withProgress(title, async ({ signal }) => {
    const sideOf = async (place: FilePlace) => ({
      place,
      ...(await readProvenText(place, { containers, listings }, signal)),
    });
    const own = await sideOf(file);
    return Promise.all(others.map((place) => compare(own, place, sideOf)));
  });
  const choices = compared.map((value) => ({
    label: locationText(value.place, environments),
    icon: icons[value.state],
    description: value.description,
    value,
  }));
  const chosen =
    compared.length === 1
      ? compared[0]
      : await askChoice(choices, {
          title: l10n.t('Compare {0} Across Nodes', nameOf(file)),
          placeHolder: l10n.t('Compare {0} on {1} with…', file.path, locationText(file, environments)),
        });
  if (chosen === undefined || chosen.state === 'differs') {
    return chosen;
  }
  // Two texts side by side are shown only where there are two that differ.
  const { state, place, description } = chosen;
  void showInformationMessage(
    state === 'same'
      ? sameText(file, place, environments)
      : l10n.t('{0} on {1}: {2}', file.path, locationText(place, environments), description),
  );
  return undefined;
}

/** Short, because VS Code cuts off a message that has no buttons at the end of its line. */
function sameText(file: FilePlace, place: FilePlace, environments: Environments): string {
  const [one, other] = [file.target.nodeId, place.target.nodeId];
  return one === undefined || other === undefined
    ? l10n.t(
        '{0} is the same on {1} and {2}.',
        nameOf(file),
        locationText(file, environments),
        locationText(place, environments),
      )
    : l10n.t('{0} is the same on nodes {1} and {2}.', nameOf(file), `${one}`, `${other}`);
}

async function compare(own: Side, place: FilePlace, sideOf: (place: FilePlace) => Promise<Side>): Promise<Comparison> {
  try {
    const other = await sideOf(place);
    const sides = [own, other];
    const compared = compareTexts(own, other);
    switch (compared.kind) {
      case 'same':
        return { place, state: 'same', description: l10n.t('identical'), sides };
      case 'different':
        return { place, state: 'differs', description: l10n.t('different'), sides };
      case 'alike':
        return { place, state: 'alike', description: alikeText(compared.flaw), sides };
    }
  } catch (error) {
    const isMissing = isPlatformError(error) && error.kind === 'notFound';
    return {
      place,
      state: 'unreadable',
      description: isMissing ? l10n.t("doesn't exist") : failureText(error),
      sides: [],
    };
  }
}

function alikeText(flaw: TextFlaw): string {
  return flaw === 'bytes' || flaw === 'replacement'
    ? l10n.t("text matches, but bytes that aren't UTF-8 may differ")
    : l10n.t('text matches, but the files may differ. {0}', flawSentence(flaw));
}
