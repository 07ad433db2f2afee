import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { endGroup, runToEnd, spawnGroup } from '../../host/processes';

/** Starts a child process, prints its ID, and ignores SIGTERM. */
const stubbornParent = `
  const { spawn } = require('node:child_process');
  process.on('SIGTERM', () => {});
  console.log(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid);
  setInterval(() => {}, 1000);`;

describe('a group of processes', () => {
  it('ends with all its child processes, even if they resist', async () => {
    const child = spawnGroup(process.execPath, ['-e', stubbornParent], { stdio: ['ignore', 'pipe', 'ignore'] });
    assert.ok(child.stdout);
    const lines = createInterface(child.stdout);
    const grandchild = await new Promise<number>((resolve) => lines.once('line', (line) => resolve(Number(line))));
    await endGroup(child, 100);
    assert.throws(() => process.kill(grandchild, 0), { code: 'ESRCH' });
    assert.throws(() => process.kill(child.pid ?? 0, 0), { code: 'ESRCH' });
  });
});

describe('a program run to its end', () => {
  it('returns its output', async () => {
    assert.equal(await runToEnd(process.execPath, ['-e', 'console.log(6 * 7)']), '42\n');
  });

  it('fails with its output', async () => {
    const program = "console.error('no room left'); process.exit(4)";
    await assert.rejects(runToEnd(process.execPath, ['-e', program]), /ended with 4:\nno room left/);
  });

  it('is ended with its child processes if it takes too long', async () => {
    const program = runToEnd(process.execPath, ['-e', stubbornParent], { longest: 3_000 });
    const output = await program.catch(String);
    const [, grandchild] = /didn't end within \d+ s:\n(\d+)/.exec(output) ?? assert.fail(output);
    assert.throws(() => process.kill(Number(grandchild), 0), { code: 'ESRCH' });
  });

  it("fails if it doesn't exist", async () => {
    await assert.rejects(runToEnd('no-such-program', []), { code: 'ENOENT' });
  });
});
