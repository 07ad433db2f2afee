import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { bareEnvironment } from '../../localPlatform/vcs/bareEnvironment';
import { type Run, runProgram } from '../../localPlatform/vcs/runProgram';
import { startProgramsElsewhere, startProgramsHere } from '../../localPlatform/vcs/starter';
import { untilFile } from './vcsSetUp';

const ways = { here: startProgramsHere, 'by the small process': startProgramsElsewhere };

for (const [way, use] of Object.entries(ways)) {
  describe(`local platform: a program that is started ${way}`, () => {
    let folder: string;

    before(async () => {
      await use();
      folder = await mkdtemp(join(tmpdir(), 'gantry-programs-'));
    });

    after(async () => {
      await startProgramsHere();
      await rm(folder, { recursive: true });
    });

    const node = (script: string, more: Partial<Run> = {}) =>
      runProgram({
        program: process.execPath,
        args: ['-e', script],
        cwd: folder,
        environment: bareEnvironment(folder),
        seconds: 60,
        signal: new AbortController().signal,
        ...more,
      });

    it('gets its input, folder and environment, and all of its output arrives with its code', async () => {
      const text = 'bytes: \u00e6\u0000\n'.repeat(100_000);
      const script = `
        process.stdin.on('data', (piece) => process.stdout.write(piece));
        process.stdin.on('end', () => {
          require('node:fs').writeFileSync('there.json', JSON.stringify(process.env));
          process.stderr.write('end');
          process.exitCode = 7;
        });`;
      const { ending, stdout, output } = await node(script, { input: text });
      assert.deepEqual(ending, { kind: 'exit', code: 7 });
      assert.ok(stdout.length > 0 && text.startsWith(stdout.slice(0, 900_000)));
      assert.ok(output.startsWith(stdout.slice(0, 900_000)));
      const environment = JSON.parse(await readFile(join(folder, 'there.json'), 'utf8')) as Record<string, string>;
      assert.deepEqual(environment, bareEnvironment(folder));
    });

    it('is missing if the machine does not have it', async () => {
      const { ending } = await node('', { program: 'gantry-has-no-such-program' });
      assert.deepEqual(ending, { kind: 'missing' });
    });

    it('ends with what it started if it takes too long, also before it has begun', async () => {
      const script = `
        const forever = ['-e', 'setInterval(() => 0, 1000)'];
        require('node:child_process').spawn(process.execPath, forever, { stdio: 'inherit' });
        require('node:fs').writeFileSync('begun', 'yes');`;
      const stop = new AbortController();
      const stopped = node(script, { signal: stop.signal });
      const file = join(folder, 'begun');
      await untilFile(file, (text) => text !== '');
      stop.abort();
      // Its output would stay open as long as what it started.
      assert.deepEqual((await stopped).ending, { kind: 'stopped' });

      await rm(file);
      const soon = new AbortController();
      const never = node(script, { signal: soon.signal });
      soon.abort();
      assert.deepEqual((await never).ending, { kind: 'stopped' });
      assert.ok(!existsSync(file));
    });
  });
}
