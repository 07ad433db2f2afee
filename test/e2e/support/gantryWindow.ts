import type { Page } from 'playwright-core';
import { projectFolder } from '../../host/folders';
import { disposeAtEnd } from '../../host/disposeAtEnd';
import type { ExtensionUnderTest, VsCodeOptions } from '../../host/vscode/options';
import { openWindow, type VsCodeWindow } from '../../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../../host/vscode/startVsCode';
import { WindowHost, type WindowSetUp } from '../../host/vscode/windowHost';
import { startProgramsElsewhere, startProgramsHere } from '../../localPlatform/vcs/starter';

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
  const setUp = { ...options, extension: extensionUnderTest() };
  // A package is installed before its VS Code starts.
  return 'vsix' in setUp.extension ? await startVsCode({ ...setUp, version }) : await hosts[version].take(setUp);
}

/** Opens a window in a shared VS Code. */
export async function openGantry(options: SetUp = {}): Promise<GantryWindow> {
  return await firstWindow(await takeVsCode(options));
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
