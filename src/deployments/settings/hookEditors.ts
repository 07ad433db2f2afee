import { TabInputText, window, workspace } from 'vscode';
import { hookOf } from './hookDocuments';

/** Takes what stands in the editors of a draft's hooks over into the draft. */
export async function saveHooks(draft: string): Promise<void> {
  const edited = workspace.textDocuments.filter(
    (document) => document.isDirty && hookOf(document.uri)?.draft === draft,
  );
  await Promise.all(edited.map((document) => document.save()));
}

/** A draft that is sent or discarded leaves no editors behind. */
export async function closeHooks(draft: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap(({ tabs: all }) => all);
  const ofDraft = tabs.filter(({ input }) => input instanceof TabInputText && hookOf(input.uri)?.draft === draft);
  await window.tabGroups.close(ofDraft);
}
