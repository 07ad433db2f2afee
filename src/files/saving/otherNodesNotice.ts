import { Disposable, type Event, l10n, window } from 'vscode';
import type { Environments } from '../../containers/environments';
import { type FilePlace, filePlaceOf, keyOf } from '../../containers/place';
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
    window.onDidChangeActiveTextEditor(update),
    window.tabGroups.onDidChangeTabs(update),
    environments.onDidList(update),
    saved(({ place }) => {
      const active = activePlace();
      const nodes = nodesOfLayer(place);
      const isOnlyNode = nodes > 1 && (edits.savedNodes(place) ?? 1) === 1;
      if (isOnlyNode && active !== undefined && keyOf(active) === keyOf(place)) {
        const text = l10n.t('$(info) Saved on 1 of {0} nodes. Save to All Nodes is in the editor title.', nodes);
        window.setStatusBarMessage(text, 8_000);
      }
    }),
  );
}
