import { projectText } from '../projectText';
import type { EnvironmentTitles } from '../../containers/locationText';
import {
  type Uri,
  CodeLens,
  type CodeLensProvider,
  commands,
  Disposable,
  EventEmitter,
  languages,
  l10n,
  Range,
  type Tab,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { uriOfTab } from '../../files/tabs';
import { type CommandId, hookScheme } from '../../manifest';
import { hookOf } from './hookDocuments';
import { isHookChanged, type ProjectDraft, type ProjectDrafts } from './projectDrafts';
import { showInformationMessage } from '../../ui/notifications';
import { showStatusMessage } from '../../ui/statusBar';
import { escapeIcons } from '../../ui/escapeMarkup';

const apply: CommandId = 'gantry.hook.apply';

/** Explains in the editors of hook scripts that saving sends nothing, and how to send them. */
export function showHookDrafts(drafts: ProjectDrafts, titles: EnvironmentTitles): Disposable {
  const lenses = new DraftLenses(drafts, titles);
  return Disposable.from(
    lenses,
    languages.registerCodeLensProvider({ scheme: hookScheme }, lenses),
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
    await commands.executeCommand(apply, uri);
  } else if (chosen === discard) {
    drafts.discardHook(changed.draft, changed.hook);
  }
}

/** Returns the draft that a script belongs to, if the script has unsent changes. */
function changedHook(uri: Uri, drafts: ProjectDrafts, titles: EnvironmentTitles) {
  const found = hookOf(uri);
  const draft = found && drafts.find(found.draft);
  return found !== undefined && draft !== undefined && isHookChanged(draft, found.hook)
    ? { ...found, target: targetOf(draft, titles) }
    : undefined;
}

function targetOf({ place, fields }: ProjectDraft, titles: EnvironmentTitles): string {
  return projectText({ ...place, context: fields.context }, titles);
}

/** Shows a line above the script. */
class DraftLenses implements CodeLensProvider, Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly following: Disposable;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly drafts: ProjectDrafts,
    private readonly titles: EnvironmentTitles,
  ) {
    this.following = drafts.onDidChange(() => this.changed.fire());
  }

  async provideCodeLenses({ uri }: TextDocument): Promise<CodeLens[]> {
    await this.drafts.restored();
    const draft = this.drafts.find(hookOf(uri)?.draft ?? '');
    if (draft === undefined) {
      return [];
    }
    const top = new Range(0, 0, 0, 0);
    const title = l10n.t("Draft for {0}. Saving doesn't apply it.", targetOf(draft, this.titles));
    return [
      new CodeLens(top, { title: escapeIcons(title), command: '' }),
      new CodeLens(top, { title: l10n.t('Use Script'), command: apply, arguments: [uri] }),
    ];
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }
}
