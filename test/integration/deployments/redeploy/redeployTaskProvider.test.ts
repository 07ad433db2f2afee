import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RedeployTerminal } from '../../../../src/deployments/redeploy/redeployTaskProvider';

describe('the terminal of a redeploy task', () => {
  it('shows a log without the escape sequences that would control the terminal', async () => {
    const log = 'Cloning\u001b]0;mine\u0007\u001b[2J\ndone';
    const terminal = new RedeployTerminal({ environment: 'shop' }, (_, say) => {
      say(log);
      return Promise.resolve('deployed');
    });
    let written = '';
    terminal.onDidWrite((text) => (written += text));
    const ended = new Promise((resolve) => terminal.onDidClose(resolve));
    terminal.open();
    assert.equal(await ended, 0);
    assert.equal(written, 'Cloning\r\ndone\r\n');
  });
});
