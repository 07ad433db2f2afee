import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TaskTerminal } from '../../../src/ui/taskTerminal';
import { outputOf } from '../support/tasks';

describe('the terminal of a task', () => {
  it('shows a log without the escape sequences that would control the terminal', async () => {
    const log = 'Cloning\u001b]0;mine\u0007\u001b[2J\ndone';
    const terminal = new TaskTerminal(({ say }) => {
      say(log);
      return Promise.resolve(0);
    });
    assert.deepEqual(await outputOf(terminal), { output: 'Cloning\ndone\n', exitCode: 0 });
  });

  it('shows why the work failed', async () => {
    const failing = (code?: number) => new TaskTerminal(() => Promise.reject(new Error('no')), code);
    assert.deepEqual(await outputOf(failing()), { output: 'no\n', exitCode: 1 });
    assert.equal((await outputOf(failing(2))).exitCode, 2);
  });

  it('tells the work when it is closed', async () => {
    const terminal = new TaskTerminal(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 3;
    });
    const ended = outputOf(terminal);
    terminal.close();
    assert.equal((await ended).exitCode, 3);
  });
});
