import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, extensions, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { gitIsOff } from '../../../../src/deployments/projectText';
import { findGit } from '../../../../src/deployments/repositories/gitExtension';
import { LocalRepositories } from '../../../../src/deployments/repositories/localRepositories';
import { redeployAsTask } from '../../../../src/deployments/redeploy/redeployTaskFlow';
import type { ProjectParts } from '../../../../src/wiring/wireDeployments';
import type { VcsSetUp } from '../../../unit/localPlatform/vcsSetUp';
import { nextEvent } from '../../support/event';
import { gantry } from '../../support/gantry';
import { endProject, placeOfShop, startProject } from '../../support/projects';
import { descriptionOf, labelOf, rowsBelow } from '../../support/trees';

describe("if VS Code's Git extension is off", () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;

  beforeEach(async () => {
    parts = (await gantry()).projects;
    await switchGit(false);
    ({ setUp, account } = await startProject());
    await setUp.create({ updateNow: true });
  });
  afterEach(async () => {
    await endProject({ setUp, account, place: placeOfShop(account) });
    await switchGit(undefined);
  });

  async function switchGit(enabled: false | undefined): Promise<void> {
    await parts.repositories.ready;
    const wanted = enabled !== false;
    const switched =
      parts.repositories.available === wanted
        ? undefined
        : nextEvent(parts.repositories.onDidChange, () => parts.repositories.available === wanted);
    await workspace.getConfiguration('git').update('enabled', enabled, ConfigurationTarget.Global);
    await switched;
  }

  it("a redeploy still runs, and says what wasn't checked", async () => {
    const place = placeOfShop(account);
    const record = await parts.flow.perform(
      { place, consent: 'chosen' },
      () => assert.fail('there is nothing to ask'),
      ({ ended }) => ended,
    );
    assert.equal(record?.verdict.kind, 'deployed');
    assert.match((await parts.flow.gitRemark(place)) ?? '', /Git is turned off/);
  });

  it('the view says so below each project', async () => {
    const { view } = parts;
    const facts = await rowsBelow(view, 'Saltmarsh Tea', 'ROOT');
    const off = facts.find((row) => labelOf(view, row) === "Unpushed commits aren't checked");
    assert.ok(off);
    assert.match(descriptionOf(view, off), /Git is turned off/);
  });

  it('a task says so in its output', async () => {
    const said: string[] = [];
    const wish = { environment: 'shop', context: 'ROOT', account: account.slug, onDataLoss: 'stop' } as const;
    assert.equal(await redeployAsTask(parts)(wish, (line) => said.push(line)), 'deployed');
    assert.match(said.join('\n'), /Git is turned off/);
  });
});

describe('a host without the Git extension', () => {
  /** In the extension host, the extension and its tests share this object. */
  const { getExtension } = extensions;

  afterEach(() => {
    Object.assign(extensions, { getExtension });
  });

  const lackingGit = (instead: unknown) => {
    Object.assign(extensions, { getExtension: (id: string) => (id === 'vscode.git' ? instead : getExtension(id)) });
  };

  it('has no repositories, and says what Gantry cannot check', async () => {
    lackingGit(undefined);
    const repositories = new LocalRepositories();
    await repositories.ready;
    assert.deepEqual([repositories.available, repositories.all, repositories.state], [false, [], 'absent']);
    assert.match(gitIsOff(repositories.state), /the Git extension isn't available in this window/);
    repositories.dispose();
  });

  it('counts an extension that does not start, or has another API, as unusable', async () => {
    for (const activate of [() => Promise.reject(new Error('no git')), () => Promise.resolve({ enabled: true })]) {
      lackingGit({ activate });
      assert.deepEqual(await findGit(), { state: 'unusable' });
    }
  });
});
