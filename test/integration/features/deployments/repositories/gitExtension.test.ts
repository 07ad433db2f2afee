import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, extensions, workspace } from 'vscode';
import type { Account } from '../../../../../src/accounts/accounts';
import { gitProblemText } from '../../../../../src/features/deployments/projectText';
import { findGit } from '../../../../../src/files/gitExtension';
import { LocalRepositories } from '../../../../../src/features/deployments/repositories/localRepositories';
import { RedeployFlow } from '../../../../../src/features/deployments/redeploy/redeploy';
import { redeployAsTask } from '../../../../../src/features/deployments/redeploy/automation';
import type { ProjectParts } from '../../../support/parts';
import { type VcsSetUp, webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { nextEvent } from '../../../support/event';
import { fileUri, gantry } from '../../../support/gantry';
import { type Answer, escape, Person } from '../../../support/person';
import {
  endPeopledProject,
  endProject,
  type PeopledProject,
  placeOfShop,
  redeployed,
  startPeopledProject,
  startProject,
} from '../../../support/projects';
import { unstopped } from '../../../support/tasks';
import { descriptionOf, labelOf, rowsBelow } from '../../../support/trees';

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
    const record = await redeployed(parts, { place, consent: 'byTask' }, () => assert.fail('there is nothing to ask'));
    assert.equal(record?.verdict.kind, 'deployed');
    assert.equal(await parts.flow.gitProblem(place), 'disabled');
  });

  it('a redeploy that asks says so in its question, and the first one that asks nothing in a message before', async () => {
    const place = placeOfShop(account);
    const person = new Person();
    const flow = new RedeployFlow(parts);
    try {
      await person.answering([escape], () => flow.redeploy({ place }));
      assert.match(person.seen[1] ?? '', /Git is turned off/);
      await person.answering([], () => flow.redeploy({ place, consent: 'byTask' }));
      assert.equal(person.seen.length, 2);
      assert.match(person.seen[0] ?? '', /Git is turned off/);
      await person.answering([], () => flow.redeploy({ place, consent: 'byTask' }));
      assert.equal(person.seen.length, 1);
    } finally {
      person.leave();
    }
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
    assert.equal(
      await redeployAsTask(parts)(
        wish,
        unstopped((line) => said.push(line)),
      ),
      'deployed',
    );
    assert.match(said.join('\n'), /Git is turned off/);
  });
});

describe('a window in Restricted Mode', () => {
  let at: PeopledProject;

  beforeEach(async () => {
    at = await startPeopledProject();
    await at.setUp.create({ updateNow: true });
    await at.parts.projects.read(at.place);
    // VS Code has no Restricted Mode during tests.
    Object.defineProperty(at.parts.repositories, 'state', { value: 'untrusted', configurable: true });
  });
  afterEach(async () => {
    Reflect.deleteProperty(at.parts.repositories, 'state');
    await endPeopledProject(at);
  });

  const sentence = /In Restricted Mode, Gantry can't check for unpushed commits/;
  const updates = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Update');

  /** Runs the work until it opens the page that VS Code shows for the trust in a workspace. */
  async function opensTrust(answers: readonly Answer[], work: () => Thenable<unknown>): Promise<void> {
    const { executeCommand } = commands;
    const called: unknown[] = [];
    Object.assign(commands, {
      executeCommand: (id: string, ...args: readonly unknown[]) =>
        id === 'workbench.trust.manage' ? Promise.resolve(called.push(id)) : executeCommand(id, ...args),
    });
    await at.person.answering(answers, work).finally(() => Object.assign(commands, { executeCommand }));
    assert.deepEqual(called, ['workbench.trust.manage']);
  }

  it("asks before a redeploy that can't check for unpushed commits, with a way to manage trust", async () => {
    await opensTrust(['Manage Workspace Trust'], () => at.parts.flow.redeploy({ place: at.place }));
    assert.match(at.person.seen[1] ?? '', sentence);
    assert.equal(updates(), 0);
  });

  it('says why a roll back lists no subjects, with a way to manage trust', async () => {
    await opensTrust(['Manage Workspace Trust'], () => commands.executeCommand('gantry.project.rollBack', at.place));
    await at.person.answering([escape], () => commands.executeCommand('gantry.project.rollBack', at.place));
    assert.match(at.person.seen.at(-1) ?? '', /In Restricted Mode, Gantry can't list a local repository's commits/);
  });

  it('says why a repository is not cloned and its edits not applied, with a way to manage trust', async () => {
    const saysWhy = () =>
      assert.match(at.person.seen.join('\n'), /In Restricted Mode, Gantry can't use clones of repositories/);
    Object.defineProperty(at.parts.repositories, 'available', { value: false, configurable: true });
    try {
      await opensTrust([{ presses: 'Manage Workspace Trust' }], () =>
        commands.executeCommand('gantry.project.clone', at.place),
      );
      saysWhy();
      const file = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, `${webroot}/ROOT/index.php`);
      await at.person.answering([], () => commands.executeCommand('gantry.edits.apply', file));
      saysWhy();
    } finally {
      Reflect.deleteProperty(at.parts.repositories, 'available');
    }
  });

  it('asks before the newest commit of a pinned project is deployed again', async () => {
    await opensTrust(['Manage Workspace Trust'], () =>
      commands.executeCommand('gantry.project.deployNewest', at.place),
    );
    assert.match(at.person.seen.join('\n'), sentence);
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
    assert.match(gitProblemText(repositories.state), /the Git extension isn't available in this window/);
    repositories.dispose();
  });

  it('counts an extension that does not start, or has another API, as unusable', async () => {
    for (const activate of [() => Promise.reject(new Error('no git')), () => Promise.resolve({ enabled: true })]) {
      lackingGit({ activate });
      assert.deepEqual(await findGit(), { state: 'unusable' });
    }
  });
});
