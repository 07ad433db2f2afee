import {
  commands,
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  l10n,
  type Tab,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { isUtf8 } from '../../../files/documents';
import { uriOfTab } from '../../../files/tabs';
import { type CommandId, hookScheme } from '../../../manifest';
import { showInformationMessage, showWarningMessage } from '../../../ui/notifications';
import { formatDate } from '../../../ui/relativeTime';
import { showStatusMessage } from '../../../ui/statusBar';
import type { DeploymentParts } from '../parts';
import { projectText } from '../projectText';
import { commandsIn, hookLabels, type HookName, hookNames, unreadable } from './hooks';
import { isHookChanged, type ProjectDraft, type ProjectDrafts } from './projectDrafts';
import { hookExample } from './technology';
import { type KeptSettings, sentOtherwise } from './writeOnlySettings';

/** The name in the editor's tab. It says "draft", because saving the document sends nothing. */
const fileName = (hook: HookName): string => `${hook} (draft).sh`;

export function hookUri(draft: string, hook: HookName): Uri {
  return Uri.from({ scheme: hookScheme, path: `/${draft}/${fileName(hook)}` });
}

export function hookOf({ scheme, path }: Uri): { readonly draft: string; readonly hook: HookName } | undefined {
  const hook = hookNames.find((name) => path.endsWith(`/${fileName(name)}`));
  return scheme === hookScheme && hook !== undefined
    ? { draft: path.slice(1, path.lastIndexOf('/')), hook }
    : undefined;
}

/** Provides the hooks of drafts as shell scripts. Saving one only updates the draft, which is sent from its page. */
export class HookDocuments implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly following: Disposable;
  private readonly savedAt = new Map<string, number>();
  /** The scripts as this window last read or wrote them. */
  private readonly seen = new Map<string, string>();
  readonly onDidChangeFile = this.changed.event;
  readonly createDirectory = refuseLost;
  readonly delete = refuse;
  readonly rename = refuse;

  constructor(private readonly drafts: ProjectDrafts) {
    this.following = drafts.onDidChange((id) => {
      const uris = hookNames.map((hook) => hookUri(id, hook));
      const type = drafts.find(id) === undefined ? FileChangeType.Deleted : FileChangeType.Changed;
      for (const uri of uris) {
        if (type === FileChangeType.Deleted) {
          this.savedAt.delete(uri.path);
          this.seen.delete(uri.path);
        } else if (this.isUnseen(uri)) {
          // So that VS Code asks before it replaces the script with one that was edited meanwhile.
          this.savedAt.set(uri.path, Date.now());
        }
      }
      this.changed.fire(uris.map((uri) => ({ uri, type })));
    });
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    await this.drafts.restored();
    if (this.isFolder(uri)) {
      return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const size = Buffer.byteLength(this.scriptAt(uri));
    return { type: FileType.File, ctime: 0, mtime: this.savedAt.get(uri.path) ?? 0, size };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    await this.drafts.restored();
    const script = this.scriptAt(uri);
    this.seen.set(uri.path, script);
    return new TextEncoder().encode(script);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await this.drafts.restored();
    const found = hookOf(uri);
    // The editor may have had unsaved text when another window applied or discarded the draft.
    const { draft, hook } = found !== undefined && this.drafts.isTaken(found.draft) ? found : this.locate(uri);
    const script = decoded(content, uri, hook);
    if (!this.drafts.isTaken(draft)) {
      this.ensureSeen(uri);
    }
    this.savedAt.set(uri.path, Date.now());
    this.seen.set(uri.path, script);
    this.drafts.changeHook(draft, hook, script);
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }

  private scriptAt(uri: Uri): string {
    const { draft, hook } = this.locate(uri);
    return scriptOf(this.drafts.find(draft), hook);
  }

  /** Whether a script has changed since this window last read or wrote it. */
  private isUnseen(uri: Uri): boolean {
    const seen = this.seen.get(uri.path);
    return seen !== undefined && seen !== this.scriptAt(uri);
  }

  /** Refuses once to replace a script of the same length from another window. VS Code asks about all others. */
  private ensureSeen(uri: Uri): void {
    const [seen = '', now] = [this.seen.get(uri.path), this.scriptAt(uri)];
    if (this.isUnseen(uri) && Buffer.byteLength(seen) === Buffer.byteLength(now)) {
      this.seen.set(uri.path, now);
      throw FileSystemError.Unavailable(
        l10n.t(
          'The script was changed in another window. Save it again to replace that version, or revert the file to use it.',
        ),
      );
    }
  }

  /** VS Code checks the parent folders before it writes a file. */
  private isFolder({ path }: Uri): boolean {
    const parents = path === '/' ? path : `${path}/`;
    return this.drafts.ids.some((id) => `/${id}/`.startsWith(parents));
  }

  private locate(uri: Uri): { readonly draft: string; readonly hook: HookName } {
    const found = hookOf(uri);
    if (found === undefined || this.drafts.find(found.draft) === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    return found;
  }
}

/** An empty hook of a new project shows an example, which becomes part of the draft only when it's saved. */
function scriptOf(draft: ProjectDraft | undefined, hook: HookName): string {
  const { isNew, fields, rules } = draft ?? {};
  const example = isNew === true ? hookExample(hook, rules?.technology, fields?.context ?? '') : undefined;
  return fields?.hooks?.[hook] ?? example ?? '';
}

/** In another encoding, which a person may have set for all files, VS Code sends other bytes, which a draft can't keep. */
function decoded(content: Uint8Array, uri: Uri, hook: HookName): string {
  const document = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  try {
    if (document === undefined || isUtf8(document)) {
      return new TextDecoder('utf-8', { fatal: true }).decode(content);
    }
  } catch {
    // The decoder throws only for bytes that aren't UTF-8.
  }
  throw FileSystemError.Unavailable(
    l10n.t(
      "Couldn't save {0}: the platform supports only UTF-8. Use “Save with Encoding” to save it as UTF-8.",
      fileName(hook),
    ),
  );
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}

/** VS Code creates the folder of a script without a draft, such as one that wasn't saved before the window was reloaded. */
function refuseLost(): never {
  throw FileSystemError.Unavailable(
    l10n.t(
      "Couldn't save the script because its draft no longer exists. Open Project Settings, then save the script again.",
    ),
  );
}

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

/** Says where the script that a draft started from isn't the one on the nodes, or the one that was sent last from here. */
export async function tellWhereHookDiffers(
  { place, base }: ProjectDraft,
  hook: HookName,
  {
    nodeHooks,
    writeOnlySettings,
    environments,
    texts,
  }: Pick<DeploymentParts, 'nodeHooks' | 'writeOnlySettings' | 'environments' | 'texts'>,
): Promise<void> {
  const script = base.hooks?.[hook] ?? '';
  const nodes = (await nodeHooks.onEachNode(place, hook).catch(unreadable)) ?? [];
  const kept = await writeOnlySettings.find(place);
  const others = nodes.filter((node) => commandsIn(node.script) !== commandsIn(script));
  const name = `${hookLabels[hook]} (${projectText(place, environments)})`;
  if (others.length > 0) {
    const same = nodes.find((node) => !others.includes(node));
    const compare = l10n.t('Compare');
    const text = otherScriptText(
      name,
      others.map(({ node }) => node).join(', '),
      same,
      sentFromHere(kept, hook, script),
    );
    if ((await showWarningMessage(text, compare)) === compare) {
      const pairs = others.map((other) => [
        texts.add(`${l10n.t('{0} on {1}', hook, other.node)}.sh`, other.script),
        texts.add(`${hook}.sh`, script),
      ]);
      await compareScripts(l10n.t('Hook on Nodes and Draft: {0}', name), pairs);
    }
    return;
  }
  if (script === '' && nodes.length === 0 && kept?.hooksSent?.[hook] !== undefined) {
    void showWarningMessage(l10n.t("{0}: Gantry can't read the script from a node now, so the editor is empty.", name));
    return;
  }
  const sentAt = sentOtherwise(kept, hook, script);
  if (sentAt !== undefined) {
    void showWarningMessage(
      l10n.t(
        "{0}: This isn't the script that you sent from here on {1}. Someone else changed it.",
        name,
        formatDate(sentAt),
      ),
    );
  }
}

/** When the user entered a hook that is kept here because no node has shown it yet; `undefined` if it isn't this script. */
function sentFromHere(kept: KeptSettings | undefined, hook: HookName, script: string): number | undefined {
  return kept?.hooks?.[hook] === script ? kept.enteredAt.hooks : undefined;
}

/**
 * Says that nodes have another script than the one that's shown.
 * @param same another node, which has the script that's shown
 * @param sentAt when it was sent from here, if no node has it
 */
function otherScriptText(
  name: string,
  where: string,
  same: { readonly node: string } | undefined,
  sentAt: number | undefined,
): string {
  if (same !== undefined) {
    return l10n.t("{0}: The script on {1} isn't the one that's shown, which is from {2}.", name, where, same.node);
  }
  return sentAt === undefined
    ? l10n.t("{0}: The script on {1} isn't the one that this draft started from.", name, where)
    : l10n.t(
        '{0}: You sent this script from here on {1}, but {2} has another one. Some platforms replace it with the next redeploy.',
        name,
        formatDate(sentAt),
        where,
      );
}

/** Returns the draft that a script belongs to, if the script has unsent changes. */
function changedHook(uri: Uri, drafts: ProjectDrafts, titles: EnvironmentTitles) {
  const found = hookOf(uri);
  const draft = found && drafts.find(found.draft);
  return found !== undefined && draft !== undefined && isHookChanged(draft, found.hook)
    ? { ...found, target: projectText({ ...draft.place, context: draft.fields.context }, titles) }
    : undefined;
}

/** @param pairs the earlier script, and the other one */
export async function compareScripts(title: string, pairs: readonly (readonly Uri[])[]): Promise<void> {
  const sides = pairs.map(([left, right]) => [right, left, right]);
  await commands.executeCommand('vscode.changes', title, sides);
}
