import { makeSlug } from '../../src/accounts/storedAccount';
import { signInWithPassword } from '../e2e/support/signIn';
import { projectFolder } from '../host/folders';
import { openWindow } from '../host/vscode/openWindow';
import { startVsCode, type VsCode } from '../host/vscode/startVsCode';
import type { FinishedEntry } from '../localPlatform/journal';
import type { LocalPlatform } from '../localPlatform/localPlatform';
import { type Interval, longestChain } from './chain';
import type { Figure } from './figure';

/**
 * A window counts as open after this many milliseconds without a request. Shorter than the first interval of watching.
 */
const idle = 3_000;

/** Opens a container folder in a new window as a signed-in user, and counts requests until the window is idle. */
export async function openWorkspace(
  platform: LocalPlatform,
  delay: number,
  start: () => Promise<VsCode> = () => startVsCode({ extension: { folder: projectFolder } }),
): Promise<Figure> {
  const vscode = await start();
  try {
    const first = await openWindow(vscode);
    await signInWithPassword(first.page, platform);
    await quiet(platform);
    // The first window shows a blank page: it sends nothing more, and its browser keeps the user signed in.
    await first.page.goto('about:blank');
    platform.journal.reset();
    const slow = platform.faults.add({
      operation: '*',
      times: 'always',
      fault: { kind: 'distance', milliseconds: delay },
    });
    const window = await openWindow(vscode, { context: first.context, workspace: folderOf(platform) });
    await window.page.locator('.explorer-folders-view').getByRole('treeitem').first().waitFor();
    await quiet(platform);
    const requests = [...platform.journal.entries];
    slow.remove();
    await window.close();
    await first.close();
    return figureOf(requests, delay);
  } finally {
    await vscode.dispose();
  }
}

function figureOf(requests: readonly FinishedEntry[], delay: number): Figure {
  const sequential = longestChain(requests);
  const milliseconds = timeUnderWay(requests);
  return { requests: requests.length, sequential, milliseconds, ratio: milliseconds / (sequential * delay) };
}

/** Returns how long at least one request was pending, without VS Code's own time in between. */
function timeUnderWay(requests: readonly Interval[]): number {
  let total = 0;
  let until = 0;
  for (const { start, end } of [...requests].sort((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return total;
}

async function quiet({ journal }: LocalPlatform): Promise<void> {
  for (let isQuiet = false; !isQuiet;) {
    const still = new Promise<true>((resolve) => setTimeout(() => resolve(true), idle));
    isQuiet = await Promise.race([still, journal.nextArrival(() => true).then(() => false)]);
  }
}

function folderOf(platform: LocalPlatform): string {
  const { origin, sample } = platform;
  const [node] = platform.nodes('shop', 'cp');
  const account = makeSlug(sample.email, new URL(origin).host, []);
  return `gantry://${account}/shop/cp~${node?.id}/var/www/webroot/stockroom`;
}
