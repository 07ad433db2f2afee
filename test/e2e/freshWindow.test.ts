import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { countsOf, summary } from '../host/events/runRecord';
import { attemptVariable } from '../host/evidence';
import { failuresFolder, projectFolder, scratchFolder } from '../host/folders';
import { runInWindow } from '../host/runInHost';
import { openWindow, takePicture, workbenchIsThere } from '../host/vscode/openWindow';
import { type Settings } from '../host/vscode/testSettings';
import { WindowHost } from '../host/vscode/windowHost';
import { step } from './support/step';

const planted = join(__dirname, 'support', 'planted');
const fixture = (name: string) => join(projectFolder, 'test', 'unit', 'host', 'fixtures', `${name}.fixture.ts`);
/** The folder with the evidence of a window, whose failures are part of this test. */
const evidenceOf = (name: string) => join(failuresFolder, process.env[attemptVariable] ?? 'first', `window-${name}`);
const png = Buffer.from('\u0089PNG', 'latin1');

describe('windows of one server', () => {
  const host = new WindowHost();
  const shown: string[] = [];

  after(async () => {
    await host.dispose();
    for (const name of ['crash', 'find']) await rm(evidenceOf(name), { recursive: true, force: true });
  });

  async function run(name: string, settings: Settings, ...files: string[]) {
    shown.splice(0);
    const alongside = [planted];
    const extension = { folder: projectFolder };
    const show = (line: string) => shown.push(line);
    const result = await runInWindow(host, { name: `window-${name}`, show, extension, alongside, settings, files });
    return { counts: countsOf(result), failures: result.failures, text: shown.join('\n') };
  }

  it('have separate settings, survive a crash of an extension host, and find nothing that an earlier window left', async () => {
    await step('the first window leaves data in each place', async () => {
      const { counts, text } = await run('plant', { 'editor.fontSize': 31 }, join(planted, 'plant.fixture.ts'));
      assert.match(summary(counts), /^\d+ passed, 0 failed$/, text);
      assert.ok(counts.passed >= 10, text);
    });
    await step('the run in the second window fails because its extension host ends', async () => {
      const { counts, text } = await run('crash', {}, fixture('crash'));
      assert.equal(counts.failed, 1);
      assert.match(text, /before the end, during: crash ends the process/);
      assert.match(text, /the window printed last:\n {6}\S[^]*the server printed last:\n {6}\S/);
    });
    await step(
      'the third window finds nothing, and shows the stack of each failure and where its evidence is',
      async () => {
        const files = [join(planted, 'find.fixture.ts'), fixture('mixed'), fixture('unloadable')];
        const { counts, failures, text } = await run('find', { 'editor.fontSize': 32 }, ...files);
        assert.ok(counts.passed >= 11, text);
        assert.deepEqual({ ...counts, passed: 0 }, { passed: 0, failed: 2, skipped: 1 }, text);
        assert.match(text, /✗ mixed fails\n[^]*'what is'[^]*at .*mixed\.fixture\.ts:5:/);
        assert.match(text, /can be loaded\n\s+Error: not today/);
        const folder = evidenceOf('find');
        const server = readdirSync(folder).find((name) => name.startsWith('server-')) ?? '';
        assert.ok(text.includes(`kept in ${folder}`));
        assert.deepEqual([...new Set(failures.map(({ kept }) => kept))], [folder]);
        assert.ok(readFileSync(join(folder, 'window-1.png')).subarray(0, 4).equals(png));
        assert.match(readFileSync(join(folder, server, 'server.log'), 'utf8'), /HTTP server listening/);
        assert.match(readFileSync(join(folder, 'window-1.log'), 'utf8'), /ExtensionHost/);
      },
    );
  });

  it('are drawn only for pictures and where a test needs it, though everything in them has its place', async () => {
    const vscode = await host.take({});
    const folder = scratchFolder('drawn');
    try {
      const { page } = await openWindow(vscode);
      const opacity = () => page.evaluate('getComputedStyle(document.documentElement).opacity');
      assert.equal(await opacity(), '0');
      assert.ok(await page.locator('.part.activitybar').isVisible());
      const undrawn = await page.screenshot();
      const picture = join(folder, 'picture.png');
      await takePicture(page, picture);
      const drawn = readFileSync(picture);
      // A picture of one color takes little space.
      assert.ok(drawn.length > 3 * undrawn.length, `${drawn.length} and ${undrawn.length} bytes`);
      assert.equal(await opacity(), '0', 'after a picture');
      await page.reload();
      await workbenchIsThere(page);
      assert.equal(await opacity(), '0', 'after a reload');
      const needed = await openWindow(vscode, { isDrawn: true });
      assert.equal(await needed.page.evaluate('getComputedStyle(document.documentElement).opacity'), '1');
    } finally {
      await vscode.dispose();
      await rm(folder, { recursive: true });
    }
  });
});
