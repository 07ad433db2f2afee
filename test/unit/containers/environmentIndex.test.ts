import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Account } from '../../../src/accounts/accounts';
import type { Environment, Node } from '../../../src/containers/environment';
import { reachableEnvironment } from '../../../src/containers/environmentIndex';
import type { FilePlace } from '../../../src/containers/place';

type Added = Parameters<Parameters<typeof reachableEnvironment>[2]['add']>[1];

// It's only passed on.
const account = {} as Account;

const undescribed = (id: number): Node => ({
  ...{ id, name: String(id), isMaster: false, singleContext: false },
  ...{ type: undefined, address: undefined, takesProjects: undefined, contextPattern: undefined },
});

const environment = (details: Partial<Environment> = {}): Environment => ({
  account: 'a',
  name: 'shop',
  title: 'shop',
  domain: undefined,
  status: undefined,
  isAdded: true,
  layers: [
    { id: 'cp', name: 'cp', nodes: [undescribed(1), undescribed(2)], isComplete: false, contexts: [] },
    { id: 'bl', name: 'bl', nodes: [], isComplete: false, contexts: [] },
  ],
  ...details,
});

interface Known {
  readonly listed: readonly Environment[];
  readonly isUnlisted: boolean;
  /** What was entered of the environment before. */
  readonly entered?: Added;
}

async function found(
  target: FilePlace['target'],
  { listed, isUnlisted, entered }: Known,
): Promise<Added | Environment | undefined> {
  const added: Added[] = [];
  const place: FilePlace = { kind: 'file', account: 'a', environment: 'shop', target, path: '/srv' };
  const one = await reachableEnvironment(place, account, {
    overview: () => Promise.resolve({ environments: listed, isUnlisted }),
    entered: () => entered,
    add: (_, wanted) => {
      assert.equal(entered, undefined, 'it would replace what was entered');
      added.push(wanted);
      return Promise.resolve(environment());
    },
    enterNodes: (_, name, layer) => {
      added.push({ name, layers: [layer] });
      return Promise.resolve(environment());
    },
  });
  return added[0] ?? one;
}

describe('the environment of a link or a favorite', () => {
  it('is the one that the platform lists, and nothing is added', async () => {
    const listed = [environment()];
    assert.equal(await found({ nodeGroup: 'cp', nodeId: 9 }, { listed, isUnlisted: false }), listed[0]);
    assert.equal(await found({ nodeGroup: 'cp' }, { listed: [], isUnlisted: false }), undefined);
    assert.equal(await found({ nodeGroup: 'sqldb' }, { listed, isUnlisted: true }), listed[0], 'it is described');
  });

  const layersOf = (id: string, nodes: number[]) => ({ name: 'shop', layers: [{ id, nodes }] });
  const entered: Added = {
    name: 'shop',
    layers: [
      { id: 'cp', nodes: [1, 2] },
      { id: 'bl', nodes: [] },
    ],
  };

  it("is added if the token can't list environments", async () => {
    const unknown = { listed: [], isUnlisted: true };
    assert.deepEqual(await found({ nodeGroup: 'cp', nodeId: 7 }, unknown), layersOf('cp', [7]));
    assert.deepEqual(await found({ nodeGroup: 'cp' }, unknown), layersOf('cp', []));
  });

  it('gets the layer or node added to what was entered of it before', async () => {
    const listed = [environment({ isUndescribed: true })];
    const known = { listed, isUnlisted: true, entered };
    assert.deepEqual(await found({ nodeGroup: 'cp', nodeId: 7 }, known), layersOf('cp', [1, 2, 7]));
    assert.deepEqual(await found({ nodeGroup: 'sqldb' }, known), layersOf('sqldb', []));
    assert.equal(await found({ nodeGroup: 'cp', nodeId: 2 }, known), listed[0]);
    assert.equal(await found({ nodeGroup: 'bl' }, known), listed[0]);
  });

  it("keeps what was entered of it if that can't be checked now", async () => {
    const unchecked = { listed: [], isUnlisted: true, entered };
    assert.deepEqual(await found({ nodeGroup: 'cp', nodeId: 7 }, unchecked), layersOf('cp', [1, 2, 7]));
    assert.deepEqual(await found({ nodeGroup: 'cp', nodeId: 2 }, unchecked), layersOf('cp', [1, 2]));
    assert.deepEqual(await found({ nodeGroup: 'bl', nodeId: 3 }, unchecked), layersOf('bl', [3]));
  });
});
