import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import { fileUri, gantry, signedIn } from '../../integration/support/gantry';
import { longestChain, median } from '../chain';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { withoutWatching } from './measure';

const folder = '/var/log/bench';
const turns = 3;
const delay = 50;
const megabytes = 60;

const linesOf = (page: string): string =>
  Array.from(
    { length: 10_000 },
    (_, index) => `203.0.113.7 - - [24/Nov/2026:10:00:00 +0000] "GET ${page} HTTP/1.1" 200 ${1_000_000 + index}\n`,
  ).join('');

describe('Log performance', () => {
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  let account: Account;

  before(async () => {
    withoutWatching(await gantry());
    account = await signedIn({ origin, sample });
  });

  after(async () => {
    await platform.clearFaults();
    await rm(join(node.folder, folder), { recursive: true, force: true });
  });

  /** Opens a new log and waits until its end is shown. The time is that from the click. */
  async function open(name: string, page: string) {
    const [path, text] = [`${folder}/${name}`, linesOf(page)];
    const file = join(node.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '');
    for (let size = 0; size < megabytes * 1_000_000; size += Buffer.byteLength(text)) await appendFile(file, text);
    const uri = fileUri(account, 'shop', `cp~${node.id}`, path);
    // The platform's disk isn't measured.
    await account.call('ReadLog', { envName: 'shop', nodeId: node.id, path, from: 0, count: 2 });
    await platform.setDelay(delay);
    await platform.forgetJournal();
    const begun = performance.now();
    await commands.executeCommand('gantry.logs.open', uri);
    const milliseconds = performance.now() - begun;
    assert.ok(window.activeTextEditor?.document.getText().endsWith(text.slice(-200)));
    const requests = await platform.requests();
    await platform.clearFaults();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await rm(file);
    const bytes = requests.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
    return { milliseconds, kilobytes: bytes / 1000, requests: requests.length, sequential: longestChain(requests) };
  }

  for (const [figure, page] of [
    ['openLog', '/tea/'],
    ['openUnicodeLog', '/чай/'],
  ] as const) {
    it(figure, async () => {
      const seen: Awaited<ReturnType<typeof open>>[] = [];
      for (let turn = 0; turn < turns; turn += 1) seen.push(await open(`${figure}-${turn}.log`, page));
      await reportFigure(results, figure, {
        requests: Math.max(...seen.map(({ requests }) => requests)),
        sequential: Math.max(...seen.map(({ sequential }) => sequential)),
        milliseconds: median(seen.map(({ milliseconds }) => milliseconds)),
        kilobytes: Math.max(...seen.map(({ kilobytes }) => kilobytes)),
      });
    });
  }
});
