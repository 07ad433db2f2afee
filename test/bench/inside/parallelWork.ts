import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { workspace } from 'vscode';
import { uriOf } from '../../../src/containers/uris';
import type { Parallel } from '../budgets';
import { bench, placeOnNode, type WorkingOn } from './filesWork';
import type { Work } from './measure';

const many = Array.from({ length: 100 }, (_, n) => n);
const folder = `${bench}/parallel`;
const textOf = (turn: number, n: number) => `turn ${turn}, number ${n};\n`;
/** The maximum number of connections of the fastest known client. */
const plainConnections = 16;

/** Reads and writes many small files at once, as extensions and copies do. */
export function parallelWork(working: WorkingOn): Readonly<Record<Parallel, Work>> {
  const uri = (path: string) => uriOf(placeOnNode(working, path));
  // A user who writes into a folder sees it and its parent folder.
  const list = () =>
    Promise.all([bench, folder].map((path) => working.parts.listings.refresh(placeOnNode(working, path))));
  return {
    read100: {
      prepare: list,
      run: () => Promise.all(many.map((n) => workspace.fs.readFile(uri(`${folder}/${n}.conf`)))),
    },
    write100: {
      prepare: list,
      run: (turn) => {
        const run = Date.now();
        const write = (n: number) =>
          workspace.fs.writeFile(uri(`${folder}/new-${run}-${n}.conf`), Buffer.from(textOf(turn, n)));
        return Promise.all(many.map(write));
      },
    },
  };
}

/** The same work by a client that verifies nothing. */
export async function plainWork({ parts, account, node }: WorkingOn): Promise<Readonly<Record<Parallel, Work>>> {
  const agent = new Agent({ keepAlive: true, maxSockets: plainConnections });
  const session = (await parts.accounts.stored(account.slug))?.token ?? '';
  const post = (operation: string, values: Readonly<Record<string, string>>): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${account.address}/1.0/environment/file/rest/${operation}`,
        { agent, method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const answer = JSON.parse(Buffer.concat(chunks).toString()) as { readonly result: number };
            if (answer.result === 0) resolve();
            else reject(new Error(`${operation}: ${answer.result}`));
          });
        },
      );
      sent.on('error', reject);
      const where = { session, envName: 'shop', nodeGroup: 'cp', nodeid: String(node.id) };
      sent.end(new URLSearchParams({ ...where, ...values }).toString());
    });
  assert.notEqual(session, '');
  return {
    read100: { run: () => Promise.all(many.map((n) => post('read', { path: `${folder}/${n}.conf` }))) },
    write100: {
      run: (turn) => {
        const run = Date.now();
        const write = (n: number) =>
          post('write', { path: `${folder}/plain-${run}-${n}.conf`, body: textOf(turn, n), isAppendMode: 'false' });
        return Promise.all(many.map(write));
      },
    },
  };
}
