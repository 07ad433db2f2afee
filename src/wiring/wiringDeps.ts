import type { LogOutputChannel, Memento, SecretStorage } from 'vscode';
import type { ShownTexts } from '../ui/shownTexts';

/** An optional part of VS Code's API. `AccountStore` and `findGit` look for secret storage and the Git extension themselves. */
export type OptionalHostFeature = 'authentication' | 'languageModelTools';

/** Dependencies from VS Code that every feature gets. */
export interface WiringDeps {
  readonly log: LogOutputChannel;
  /** Shows and logs a failure that no caller waits for. */
  readonly report: (error: unknown) => void;
  /** Memory for all windows on this computer. */
  readonly state: Memento;
  readonly secrets: SecretStorage;
  /** Gantry's own folder on this computer, for all windows. */
  readonly storageFolder: string;
  readonly texts: ShownTexts;
  /** What this host lacks. Forks of VS Code may not have every API. */
  readonly hostLacks: Set<OptionalHostFeature>;
}
