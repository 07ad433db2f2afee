import { Disposable, l10n, window, workspace, type Event, type Uri } from 'vscode';
import { type FilePlace, filePlaceOf, keyOf } from '../../containers/place';
import type { CommandId } from '../../manifest';
import { BoundedMap } from '../boundedMap';
import type { SavedFiles } from './saveFile';
import type { ServerVersion } from './serverFiles';
import type { Accounts } from '../../accounts/accounts';
import type { Environments } from '../../containers/environments';
import { setContextKey } from '../../ui/contextKeys';
import { activeFile, fileInFront, onDidChangeFront } from '../tabs';
import type { OpenEdits } from './edits/openEdits';
import { showStatusItem } from '../../ui/statusBar';

type KnownLayers = Pick<Environments, 'knownLayer' | 'learn' | 'onDidList'>;

function activePlace(): FilePlace | undefined {
  const uri = activeFile();
  return uri && filePlaceOf(uri);
}

/** Returns how many nodes have the file, as far as they're known. */
function nodeCount({ account, environment, target }: FilePlace, environments: KnownLayers): number {
  return target.nodeId === undefined
    ? 1
    : (environments.knownLayer(account, environment, target.nodeGroup)?.nodes.length ?? 1);
}

/** Offers Save to All Nodes for a file of one node if its layer has several, and says so quietly after a save. */
export function showOtherNodes({
  accounts,
  environments,
  edits,
  verified,
  saved,
}: {
  readonly accounts: Pick<Accounts, 'onDidChange'>;
  readonly environments: KnownLayers;
  readonly edits: Pick<OpenEdits, 'isDirty'>;
  readonly verified: Event<SavedFiles>;
  /** Fires after `verified`, once the editor's file is saved. */
  readonly saved: Event<unknown>;
}): Disposable {
  const savedToOne = followOneNode(environments);
  let hint: Disposable | undefined;
  let front: string | undefined;
  const updateHint = (): void => {
    hint?.dispose();
    const uri = fileInFront();
    front = uri?.toString();
    const place = uri && filePlaceOf(uri);
    hint =
      uri !== undefined && place !== undefined && savedToOne.has(place) && !edits.isDirty(place)
        ? showHint(uri, nodeCount(place, environments))
        : undefined;
  };
  return Disposable.from(
    keepLayerNodesKey(environments, accounts),
    new Disposable(() => {
      hint?.dispose();
    }),
    onDidChangeFront(() => {
      // VS Code ignores a click on an item that is just being recreated.
      if (fileInFront()?.toString() !== front) {
        updateHint();
      }
    }),
    // After the next change, it would be about an older text.
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document === window.activeTextEditor?.document && !savedToOne.isEmpty()) {
        updateHint();
      }
    }),
    verified((files) => {
      if (savedToOne.note(files) === 'fewer') {
        updateHint();
      }
    }),
    saved(updateHint),
  );
}

/** The commands for several nodes are offered only for a file of such a layer. */
function keepLayerNodesKey(environments: KnownLayers, accounts: Pick<Accounts, 'onDidChange'>): Disposable {
  let shown: 'one' | 'several' | undefined;
  const update = () => {
    const place = activePlace();
    if (place?.target.nodeId !== undefined) {
      // A window that restores its editors may not show a view that lists the environments.
      environments.learn(place);
    }
    const now = place !== undefined && nodeCount(place, environments) > 1 ? 'several' : 'one';
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
    accounts.onDidChange(update),
  );
}

/** Knows the active files whose last save reached only one of several nodes. */
function followOneNode(environments: KnownLayers) {
  /** With the text before that the other nodes may still have. */
  const onOneNode = new Map<string, { readonly node: FilePlace; readonly others: string | undefined }>();
  /** What nodes were seen to have last. */
  const texts = new BoundedMap<string, string | undefined>(20);
  const isOnAllNodes = (file: FilePlace) => {
    const { account, environment, target } = file;
    const { nodes = [] } = environments.knownLayer(account, environment, target.nodeGroup) ?? {};
    const found = nodes.map(({ id }) => texts.get(keyOf({ ...file, target: { ...target, nodeId: id } })));
    return found.length > 0 && found.every((text) => text !== undefined && text === found[0]);
  };
  return {
    has: (place: FilePlace) => onOneNode.has(keyOf(place)),
    isEmpty: () => onOneNode.size === 0,
    /** Returns whether some were found to be on all nodes. */
    note: ({ nodes, before }: SavedFiles): 'fewer' | undefined => {
      const active = activePlace();
      for (const { node, found } of nodes) {
        const key = keyOf(node);
        const text = textOf(found);
        const earlier = before.find((one) => keyOf(one.node) === key);
        const { others } = onOneNode.get(key) ?? { others: textOf(earlier?.found) };
        const isActive = active !== undefined && keyOf(active) === key;
        const isOnOne = nodes.length === 1 && nodeCount(node, environments) > 1;
        if (isActive && isOnOne && (text === undefined || text !== others)) {
          onOneNode.set(key, { node, others });
        } else {
          onOneNode.delete(key);
        }
        texts.set(key, text);
      }
      // Such as after saves on each node were undone.
      const same = [...onOneNode.values()].filter(({ node }) => isOnAllNodes(node));
      same.forEach(({ node }) => onOneNode.delete(keyOf(node)));
      return same.length > 0 ? 'fewer' : undefined;
    },
  };
}

function textOf(found: ServerVersion | undefined): string | undefined {
  return found?.kind === 'text' ? found.text : undefined;
}

/** An item that saves to all nodes, because a status bar message can't be clicked. It's shown while the file is active, until a save reaches all nodes. */
function showHint(uri: Uri, nodes: number): Disposable {
  return showStatusItem('gantry.otherNodes', {
    name: l10n.t('Gantry: Save to All Nodes'),
    icon: 'save-all',
    text: l10n.t('1 of {0} nodes', nodes),
    tooltip: l10n.t('Save to All Nodes'),
    command: {
      command: 'gantry.file.saveToAllNodes' satisfies CommandId,
      title: l10n.t('Save to All Nodes'),
      arguments: [uri],
    },
  });
}
