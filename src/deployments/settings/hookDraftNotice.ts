import { projectText } from '../projectText';
import type { EnvironmentTitles } from '../../containers/locationText';
import { type Uri, commands, Disposable, l10n, type Tab, window, workspace } from 'vscode';
import { uriOfTab } from '../../files/tabs';
import type { CommandId } from '../../manifest';
import { hookOf } from './hookDocuments';
import { isHookChanged, type ProjectDraft, type ProjectDrafts } from './projectDrafts';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { formatDate } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';
import { commandsIn, hookLabels, type HookName } from './hooks';
import { type NodeHooks, unreadable } from './nodeHooks';
import { sentOtherwise, type WriteOnlySettingsStore } from './writeOnlySettings';
import { showStatusMessage } from '../../ui/statusBar';

/** Says after saving or closing a hook script that nothing was sent, and how to send it. */
export function showHookDrafts(drafts: ProjectDrafts, titles: EnvironmentTitles): Disposable {
  return Disposable.from(
    workspace.onDidSaveTextDocument(({ uri }) => {
      const target = changedHook(uri, drafts, titles)?.target;
      if (target !== undefined) {
        showStatusMessage('info', l10n.t('Saved as draft, not yet applied to {0}', target), 8_000);
      }
    }),
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const tab of closed) {
        void offerToApply(tab, drafts, titles);
      }
    }),
  );
}

async function offerToApply(tab: Tab, drafts: ProjectDrafts, titles: EnvironmentTitles): Promise<void> {
  const uri = uriOfTab(tab);
  const changed = uri && changedHook(uri, drafts, titles);
  if (changed === undefined) {
    return;
  }
  const [review, discard] = [l10n.t('Use Script'), l10n.t('Discard Changes')];
  const text = l10n.t(
    'The script is saved as a draft. To update {0}, select Use Script, and then Apply.',
    changed.target,
  );
  const chosen = await showInformationMessage(text, review, discard);
  if (chosen === review) {
    await commands.executeCommand('gantry.hook.apply' satisfies CommandId, uri);
  } else if (chosen === discard) {
    drafts.discardHook(changed.draft, changed.hook);
  }
}

interface HookComparisonDeps {
  readonly nodeHooks: Pick<NodeHooks, 'onEachNode'>;
  readonly writeOnlySettings: WriteOnlySettingsStore;
  readonly environments: EnvironmentTitles;
  readonly texts: ShownTexts;
}

/** Says where the script that a draft started from isn't the one on the nodes, or the one that was sent last from here. */
export async function tellWhereHookDiffers(
  { place, base }: ProjectDraft,
  hook: HookName,
  { nodeHooks, writeOnlySettings, environments, texts }: HookComparisonDeps,
): Promise<void> {
  const script = base.hooks?.[hook] ?? '';
  const nodes = (await nodeHooks.onEachNode(place, hook).catch(unreadable)) ?? [];
  const kept = await writeOnlySettings.find(place);
  const others = nodes.filter((node) => commandsIn(node.script) !== commandsIn(script));
  const sentAt = sentOtherwise(kept, hook, script);
  const name = `${hookLabels[hook]} (${projectText(place, environments)})`;
  const where = others.map(({ node }) => node).join(', ');
  const [same] = nodes.filter((node) => !others.includes(node));
  if (others.length > 0) {
    const compare = l10n.t('Compare');
    const text =
      same !== undefined
        ? l10n.t("{0}: The script on {1} isn't the one that's shown, which is from {2}.", name, where, same.node)
        : kept?.hooks?.[hook] === script && kept.enteredAt.hooks !== undefined
          ? l10n.t(
              '{0}: You sent this script from here on {1}, but {2} has another one. Some platforms replace it with the next redeploy.',
              name,
              formatDate(kept.enteredAt.hooks),
              where,
            )
          : l10n.t("{0}: The script on {1} isn't the one that this draft started from.", name, where);
    if ((await showWarningMessage(text, compare)) === compare) {
      const sides = others.map((other) => {
        const name = `${l10n.t('{0} on {1}', hook, other.node)}.sh`;
        const [left, right] = [texts.add(name, other.script), texts.add(`${hook}.sh`, script)];
        return [right, left, right];
      });
      await commands.executeCommand('vscode.changes', l10n.t('Hook on Nodes and Draft: {0}', name), sides);
    }
  } else if (script === '' && nodes.length === 0 && kept?.hooksSent?.[hook] !== undefined) {
    void showWarningMessage(l10n.t("{0}: Gantry can't read the script from a node now, so the editor is empty.", name));
  } else if (sentAt !== undefined) {
    void showWarningMessage(
      l10n.t(
        "{0}: This isn't the script that you sent from here on {1}. Someone else changed it.",
        name,
        formatDate(sentAt),
      ),
    );
  }
}

/** Returns the draft that a script belongs to, if the script has unsent changes. */
function changedHook(uri: Uri, drafts: ProjectDrafts, titles: EnvironmentTitles) {
  const found = hookOf(uri);
  const draft = found && drafts.find(found.draft);
  return found !== undefined && draft !== undefined && isHookChanged(draft, found.hook)
    ? { ...found, target: projectText({ ...draft.place, context: draft.fields.context }, titles) }
    : undefined;
}
