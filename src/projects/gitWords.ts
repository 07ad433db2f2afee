import { l10n } from 'vscode';

/** What goes unsaid without the Git extension. */
export function gitIsOff(): string {
  return l10n.t(
    "VS Code's Git extension is off in this window, so nobody looks for commits that are not pushed. It is off in windows that are not trusted.",
  );
}
