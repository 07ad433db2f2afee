import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Counts } from '../host/events/runRecord';
import { failuresFolder, projectFolder } from '../host/folders';
import { runInHost } from '../host/runInHost';

const fixtures = join(projectFolder, 'test', 'unit', 'host', 'fixtures');
const png = Buffer.from('\u0089PNG', 'latin1');

async function run(name: string, ...files: string[]): Promise<[Counts, string]> {
  const lines: string[] = [];
  const counts = await runInHost({
    name,
    extension: { folder: projectFolder },
    files: files.map((file) => join(fixtures, `${file}.fixture.ts`)),
    silence: 3_000,
    show: (line) => lines.push(line),
  });
  return [counts, lines.join('\n')];
}

describe('a run inside VS Code', () => {
  const folders: string[] = [];
  after(() => Promise.all(folders.map((name) => rm(join(failuresFolder, name), { recursive: true, force: true }))));

  it('tells each result with its stack in the source, and keeps what there was to see', async () => {
    folders.push('host-mixed');
    const [counts, shown] = await run('host-mixed', 'passing', 'mixed', 'unloadable');
    assert.deepEqual(counts, { passed: 3, failed: 2, skipped: 1 });
    assert.match(shown, /✗ mixed fails\n[^]*'what is'[^]*at .*mixed\.fixture\.ts:5:/);
    assert.match(shown, /can be loaded\n\s+Error: not today/);
    const folder = join(failuresFolder, 'host-mixed');
    assert.ok(shown.includes(`kept in ${folder}`));
    assert.ok(readFileSync(join(folder, 'window-1.png')).subarray(0, 4).equals(png));
    assert.match(readFileSync(join(folder, 'server.log'), 'utf8'), /HTTP server listening/);
    assert.match(readFileSync(join(folder, 'window-1.log'), 'utf8'), /ExtensionHost/);
  });

  it('is ended when nothing is heard any more, and says during what, with the last lines', async () => {
    folders.push('host-silent');
    const [counts, shown] = await run('host-silent', 'silent');
    assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
    assert.match(shown, /nothing was heard of the tests for 3 s before the end, during: silent never ends/);
    assert.match(shown, /the window printed last:\n {6}\S[^]*the server printed last:\n {6}\S/);
  });

  it('fails when the extension host goes away in the middle', async () => {
    folders.push('host-crash');
    const [counts, shown] = await run('host-crash', 'crash');
    assert.equal(counts.failed, 1);
    assert.match(shown, /before the end, during: crash ends the process/);
  });
});
