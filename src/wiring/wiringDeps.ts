import type { LogOutputChannel, Memento } from 'vscode';

/** What VS Code gives the extension, as far as the parts use it. */
export interface WiringDeps {
  readonly log: LogOutputChannel;
  /** Tells the person and the log of something that failed while nobody waited for it. */
  readonly report: (error: unknown) => void;
  /** What is remembered on this machine, for all windows. */
  readonly state: Memento;
  /** The folder of this machine that is Gantry's own, for all windows. */
  readonly storageFolder: string;
}
