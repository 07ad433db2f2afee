import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clientFor } from '../../unit/platform/setUp';
import { startScriptedServer } from '../../unit/platform/scriptedServer';

/** The symbol under which undici stores the dispatcher of the whole process, including VS Code's own requests. */
const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'];

function whatTheyHold(): unknown[] {
  return slots.map((slot): unknown => Reflect.get(globalThis, Symbol.for(slot)));
}

describe('the dispatcher of the extension host', () => {
  it("isn't changed when our pool is loaded or sends requests", async () => {
    await vscode.extensions.getExtension('gantry.gantry')?.activate();
    const before = whatTheyHold();
    assert(
      before.every((dispatcher) => typeof dispatcher === 'object'),
      'VS Code has set none to compare with',
    );
    const server = await startScriptedServer();
    const { openPool } = await import('../../../src/platform/sending/undiciPool');
    const pool = openPool({ proxyFor: () => undefined, checkCertificates: true });
    await clientFor(server.url, { send: pool.send }).client.call('Signout', { session: 'any' });
    assert.equal(server.arrived.length, 1);
    await pool.close();
    await server.close();
    const after = whatTheyHold();
    for (const [index, dispatcher] of before.entries()) assert.equal(after[index], dispatcher, slots[index]);
  });
});
