import type { Page } from 'playwright-core';
import { projectFolder } from '../../host/folders';
import { disposeAfterJob, disposeAtEnd, othersFollow } from '../../host/disposeAtEnd';
import type { ExtensionUnderTest, VsCodeOptions } from '../../host/vscode/options';
import { openWindow, type VsCodeWindow } from '../../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../../host/vscode/startVsCode';
import { WindowHost, type WindowSetUp } from '../../host/vscode/windowHost';
import { startProgramsElsewhere, startProgramsHere } from '../../localPlatform/vcs/starter';
import { leaveAsNew, lookOf } from './leaveAsNew';
import { takesLooks } from './picture';

/** A VS Code with the extension, and its first window. */
export interface GantryWindow {
  readonly vscode: VsCode;
  readonly window: VsCodeWindow;
  readonly page: Page;
  close(): Promise<void>;
}

/** Shared by all test files of this process. A server and its browser start when they are first needed. */
export const hosts = { newest: new WindowHost(), minimum: new WindowHost('minimum') } as const;
for (const host of Object.values(hosts)) disposeAtEnd(() => host.dispose());
startProgramsElsewhere();
disposeAtEnd(startProgramsHere);

type SetUp = Omit<WindowSetUp, 'extension'> & Pick<VsCodeOptions, 'version'>;

/** The project's folder, or the package that `--vsix` names. */
function extensionUnderTest(): ExtensionUnderTest {
  const vsix = process.env['GANTRY_VSIX'];
  return vsix === undefined ? { folder: projectFolder } : { vsix };
}

/** Returns a VS Code in a clean state. Other test files may have used it before. */
export async function takeVsCode({ version = 'newest', ...options }: SetUp = {}): Promise<VsCode> {
  const followsSystem = takesLooks ? { 'window.autoDetectColorScheme': true } : {};
  const settings = { ...options.settings, ...followsSystem };
  const setUp = { ...options, settings, extension: extensionUnderTest() };
  // A package is installed before its VS Code starts.
  return 'vsix' in setUp.extension ? await startVsCode({ ...setUp, version }) : await hosts[version].take(setUp);
}

/** The window that the files of a job share, and its options. */
let shared: { readonly options: string; readonly gantry: GantryWindow } | undefined;

/**
 * Opens a window in a shared VS Code, or returns the one that the file before has left, if `sharedWindows` in
 * `test/suites.ts` says that they share one. Then closing it leaves it for the next file, as new as this one got it.
 */
export async function openGantry(setUp: SetUp = {}): Promise<GantryWindow> {
  const options = JSON.stringify(setUp);
  if (shared !== undefined) {
    if (shared.options === options) return shared.gantry;
    throw new Error(`A shared window has these options: ${shared.options}.`);
  }
  const gantry = await firstWindow(await takeVsCode(setUp));
  if (!othersFollow()) return gantry;
  const look = await lookOf(gantry.page, gantry.vscode);
  const end = async (): Promise<void> => {
    if (shared === undefined) return;
    shared = undefined;
    await gantry.close();
  };
  disposeAfterJob(end);
  const close = () => (othersFollow() ? leaveAsNew(gantry.page, look) : end());
  shared = { options, gantry: { ...gantry, close } };
  return shared.gantry;
}

/** Opens a window in a separate VS Code, for options that apply only at startup. */
export async function startGantry(options: Omit<VsCodeOptions, 'extension'>): Promise<GantryWindow> {
  return await firstWindow(await startVsCode({ ...options, extension: extensionUnderTest() }));
}

async function firstWindow(vscode: VsCode): Promise<GantryWindow> {
  try {
    const window = await openWindow(vscode);
    const close = async (): Promise<void> => {
      await window.close();
      await vscode.dispose();
    };
    return { vscode, window, page: window.page, close };
  } catch (error) {
    await vscode.dispose();
    throw error;
  }
}
