import type { LogOutputChannel, Memento, SecretStorage } from 'vscode';
import type { ShownTexts } from '../ui/shownTexts';

/** What VS Code gives the extension, and what every feature gets. */
export interface WiringDeps {
  readonly log: LogOutputChannel;
  /** Shows and logs a failure that no caller waits for. */
  readonly report: (error: unknown) => void;
  /** What is remembered on this computer, for all windows. */
  readonly state: Memento;
  readonly secrets: SecretStorage;
  /** Gantry's own folder on this computer, for all windows. */
  readonly storageFolder: string;
  readonly texts: ShownTexts;
}
