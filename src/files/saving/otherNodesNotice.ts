import { Disposable, type Event, l10n, StatusBarAlignment, type Uri, window } from 'vscode';
import type { Environments } from '../../containers/environments';
import { type FilePlace, filePlaceOf, keyOf } from '../../containers/place';
import type { CommandId } from '../../manifest';
import { setContextKey } from '../../ui/contextKeys';
import { activeFile } from '../tabs';
import type { OpenEdits } from './edits/openEdits';

export interface OtherNodesDeps {
  readonly environments: Pick<Environments, 'knownLayer' | 'onDidList'>;
  readonly edits: Pick<OpenEdits, 'savedNodes'>;
  readonly saved: Event<{ readonly place: FilePlace }>;
}

/** Offers Save to All Nodes for a file of one node if its layer has several, and says so quietly after a save. */
export function showOtherNodes({ environments, edits, saved }: OtherNodesDeps): Disposable {
  const nodesOfLayer = ({ account, environment, target }: FilePlace) =>
    target.nodeId === undefined
      ? 1
      : (environments.knownLayer(account, environment, target.nodeGroup)?.nodes.length ?? 1);
  const activePlace = () => {
    const uri = activeFile();
    return uri && filePlaceOf(uri);
  };
  let hint: Disposable | undefined;
  const hideHint = (): void => {
    hint?.dispose();
  };
  let shown: 'one' | 'several' | undefined;
  const update = () => {
    const place = activePlace();
    const now = place !== undefined && nodesOfLayer(place) > 1 ? 'several' : 'one';
    if (now !== shown) {
      shown = now;
      void setContextKey('gantry.layerNodes', now);
    }
  };
  update();
  return Disposable.from(
    new Disposable(hideHint),
    window.onDidChangeActiveTextEditor(update),
    window.onDidChangeActiveTextEditor(hideHint),
    window.tabGroups.onDidChangeTabs(update),
    environments.onDidList(update),
    saved(({ place }) => {
      hideHint();
      const uri = activeFile();
      const active = uri && filePlaceOf(uri);
      const nodes = nodesOfLayer(place);
      const isOnlyNode = nodes > 1 && (edits.savedNodes(place) ?? 1) === 1;
      if (isOnlyNode && uri !== undefined && active !== undefined && keyOf(active) === keyOf(place)) {
        hint = showHint(uri, nodes);
      }
    }),
  );
}

/** In milliseconds: long enough to read it and click it. */
const shownFor = 10_000;

/** An item that saves to all nodes, because a status bar message can't be clicked. */
function showHint(uri: Uri, nodes: number): Disposable {
  const item = window.createStatusBarItem('gantry.otherNodes', StatusBarAlignment.Left, 8);
  item.name = l10n.t('Gantry: Save to All Nodes');
  item.text = l10n.t('$(save-all) Saved on 1 of {0} nodes: Save to All', nodes);
  item.tooltip = l10n.t('Save to All Nodes');
  item.command = {
    command: 'gantry.file.saveToAllNodes' satisfies CommandId,
    title: l10n.t('Save to All Nodes'),
    arguments: [uri],
  };
  item.show();
  const timer = setTimeout(() => item.dispose(), shownFor);
  return Disposable.from(item, new Disposable(() => clearTimeout(timer)));
}
