import { type VsCodeVersion } from '../install/codeServer';
import { type Settings } from './testSettings';

/** From its folder, as under development, or packaged and installed, as a person has it. */
export type ExtensionUnderTest = { readonly folder: string } | { readonly vsix: string };

export interface VsCodeOptions {
  readonly version?: VsCodeVersion;
  readonly extension?: ExtensionUnderTest;
  /** Folders of further extensions, as under development. */
  readonly alongside?: readonly string[];
  /** Added to, and stronger than, quietSettings. */
  readonly settings?: Settings;
  /** A folder or a `.code-workspace` file that windows open; an empty window without it. */
  readonly workspace?: string;
  /** For the extension host and its terminals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kept when this ends, and must not be used by two at once. Without it a temporary one, removed at the end. */
  readonly stateFolder?: string;
  /** 0, any free one, unless told. */
  readonly port?: number;
  readonly auth?: { readonly password: string } | 'none';
  readonly workspaceTrust?: 'on' | 'off';
  /** `needed`, unless told: those that tests need. */
  readonly builtInExtensions?: 'all' | 'needed';
}

/** What lasts, and what is of this process alone. */
export interface StateFolders {
  readonly folder: string;
  readonly scratch: string;
}
