import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { budgets } from '../bench/budgets';
import { openWorkspace } from '../bench/openWorkspace';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { takeVsCode } from './support/gantryWindow';

describe('opening a container folder in VS Code', () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await startPlatform();
  });

  after(() => platform.dispose());

  it(`sends at most ${budgets.openWorkspace.requests} requests until the window is idle`, async () => {
    const { requests = 0 } = await openWorkspace(platform, 50, () => takeVsCode());
    assert.ok(requests <= budgets.openWorkspace.requests, `${requests} requests`);
    const operations = platform.journal.entries.map(({ operation }) => operation);
    assert.ok(
      operations.every((operation) => ['GetList', 'GetEnvs', 'Read'].includes(operation)),
      operations.join(),
    );
  });
});
