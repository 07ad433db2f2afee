import { type VsCodeVersion } from '../install/codeServer';
import { type Settings } from './testSettings';

/** A folder for an extension under development, or an installed package. */
export type ExtensionUnderTest = { readonly folder: string } | { readonly vsix: string };

export interface VsCodeOptions {
  readonly version?: VsCodeVersion;
  readonly extension?: ExtensionUnderTest;
  /** Folders of other extensions under development. */
  readonly alongside?: readonly string[];
  /** Overrides quietSettings. */
  readonly settings?: Settings;
  /** The folder or `.code-workspace` file that windows open. By default, windows are empty. */
  readonly workspace?: string;
  /** For the extension host and its terminals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Stays after this ends. Only one process may use it at a time. By default, a temporary folder. */
  readonly stateFolder?: string;
  /** 0 (any free port) by default. */
  readonly port?: number;
  readonly auth?: { readonly password: string } | 'none';
  readonly workspaceTrust?: 'on' | 'off';
  /** `needed` by default: the extensions that tests need. `withoutGit`: the same without Git, as some forks have them. */
  readonly builtInExtensions?: 'all' | 'needed' | 'withoutGit';
}

/** A folder for lasting state, and one for this process only. */
export interface StateFolders {
  readonly folder: string;
  readonly scratch: string;
}
