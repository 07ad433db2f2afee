import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, MarkdownString, ThemeIcon } from 'vscode';
import type { Account } from '../../../../../src/accounts/accounts';
import type { DeploymentElement } from '../../../../../src/features/deployments/view/deploymentRows';
import { projectKey } from '../../../../../src/features/deployments/projectPlace';
import { ProjectDrafts } from '../../../../../src/features/deployments/settings/projectDrafts';
import { Call } from '../../../../../src/ui/commands/call';
import type { ProjectParts } from '../../../support/parts';
import { type LocalPlatform, startPlatform } from '../../../../localPlatform/localPlatform';
import { DeployedProject } from '../../../support/deployedProject';
import { nextEvent, until } from '../../../support/event';
import { gantry, signedIn } from '../../../support/gantry';
import { OpenRepository, withQuietGit } from '../../../support/openRepository';
import { fieldsNow, inAHurry } from '../../../support/projects';
import { enter, escape, nextTimerTick, Person } from '../../../support/person';
import { descriptionOf, labelOf, PassingTime, rowsBelow } from '../../../support/trees';

describe('the Deployments view', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it("finds a redeploy by its own row in the project's history", async () => {
    await at.deployedOnce();
    const older = await at.redeploy();
    await at.redeploy();
    const { view } = at.parts;
    const rowsOf = async (kind: string, above?: DeploymentElement) =>
      (await view.getChildren(above)).filter((row) => row.kind === kind);
    const [environment] = await rowsOf('environment');
    const [project] = await rowsOf('project', environment);
    const [history] = await rowsOf('history', project);
    const row = (await rowsOf('redeploy', history)).at(-1);
    assert.ok(row?.kind === 'redeploy');
    assert.equal(row.record.id, older.id);
    const called = new Call(view.getTreeItem(row).command?.arguments ?? []).object;
    assert.equal(view.find(called), row, 'the command is told which at.redeploy is meant');
    const time = new PassingTime(view);
    assert.deepEqual(time.at(Date.now() + 3 * 60 * 60 * 1000), [row], 'it says how long ago it was');
  });

  it('says that a project is pinned to a commit, and has the way back in its menu', async () => {
    const first = (await at.deployedOnce()) ?? '';
    await at.secondCommit();
    const { view, projects, deployedStates } = at.parts;
    const item = async () => {
      await projects.read(at.place);
      await deployedStates.look(at.place);
      const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
      assert.ok(project);
      return view.getTreeItem(project);
    };
    assert.doesNotMatch(String((await item()).contextValue), /pinned/);
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: first });
    const { description, tooltip, contextValue, iconPath } = await item();
    assert.ok(iconPath instanceof ThemeIcon && iconPath.id === 'pinned');
    assert.equal(description, `master · pinned to ${first.slice(0, 7)}`);
    assert.ok(tooltip instanceof MarkdownString);
    assert.match(tooltip.value.replaceAll('&nbsp;', ' '), /is deployed, and the project is pinned to it/);
    assert.match(String(contextValue), /\bpinned\b/);
    assert.match(String(contextValue), /\bcloneable\b/);
  });

  it('says right after a redeploy that it deployed the newest commit, also without a clone', async () => {
    await at.deployedOnce();
    const second = (await at.secondCommit()).slice(0, 7);
    await at.redeploy();
    const { view, deployedStates } = at.parts;
    await until(deployedStates.onDidChange, () => deployedStates.last(at.place) !== undefined);
    const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
    assert.ok(project);
    assert.equal(descriptionOf(view, project), `master · at ${second}, the newest commit just now`);
    const { tooltip } = view.getTreeItem(project);
    assert.ok(tooltip instanceof MarkdownString);
    assert.match(tooltip.value.replaceAll('&nbsp;', ' '), /was the newest commit on master when it was deployed/);
  });

  it('reads nothing on the nodes of an environment that is asleep, which could wake it up', async () => {
    await at.deployedOnce();
    const [environment] = at.setUp.platform.environments;
    assert.ok(environment);
    environment.status = 4;
    at.parts.environments.refresh();
    at.setUp.platform.journal.reset();
    const { view } = at.parts;
    const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
    assert.ok(project);
    assert.equal(descriptionOf(view, project), 'master');
    // A request that was sent beside the row is in the journal once later ones are.
    for (let look = 0; look < 3; look++) await at.account.call('GetCurrentActions', {});
    const asked = at.setUp.platform.journal.entries.map(({ operation }) => operation);
    assert.deepEqual(
      asked.filter((operation) => operation === 'Read' || operation === 'GetList'),
      [],
    );
  });

  it("opens the project's settings with a click on one of them, at that setting", async () => {
    await at.deployedOnce();
    const { view } = at.parts;
    const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
    const rows = await view.getChildren(project);
    const person = new Person();
    const asked = {
      Git: /Select a repository, or enter/,
      master: /Select the branch/,
      'Auto-update': /deploy new commits only when you redeploy/,
      'On conflict': /stop the redeploy/,
    };
    try {
      for (const [label, question] of Object.entries(asked)) {
        const { command, tooltip } = view.getTreeItem(
          rows.find((row) => labelOf(view, row) === label) ?? assert.fail(label),
        );
        assert.match(typeof tooltip === 'string' ? tooltip : '', /\nClick to change this setting$/);
        assert.equal(command?.command, 'gantry.project.edit');
        const click = () => commands.executeCommand('gantry.project.edit', command.arguments?.[0]);
        await person.answering([enter, escape, escape], click);
        assert.match(person.seen.join('\n'), question);
      }
    } finally {
      person.leave();
    }
  });

  it('marks a project with a draft, until it is gone in this window or another', async () => {
    await at.deployedOnce();
    const { view, drafts } = at.parts;
    const id = projectKey(at.place);
    const description = async () => {
      const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
      assert.ok(project);
      return descriptionOf(view, project);
    };
    const base = await fieldsNow(at.place);
    const fields = { ...base, branch: 'release' };
    drafts.keep({ id, place: at.place, isNew: false, base, fields, lacksPassword: false, rules: {} });
    await drafts.settled();
    assert.match(await description(), /draft/);
    const theirs = new ProjectDrafts(drafts.folder, (error) => assert.fail(String(error)));
    await theirs.restored();
    theirs.discard(id);
    await theirs.settled();
    view.refresh();
    assert.doesNotMatch(await description(), /draft/);
    theirs.dispose();
  });

  it('says everything once: the commit, the environment by its display name, and one rocket, the button', async () => {
    const first = (await at.deployedOnce()) ?? '';
    await at.redeploy();
    const { view, deployedStates } = at.parts;
    await deployedStates.look(at.place);
    const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
    assert.ok(project);
    const { tooltip, iconPath } = view.getTreeItem(project);
    assert.ok(tooltip instanceof MarkdownString);
    const text = tooltip.value.replaceAll('&nbsp;', ' ');
    assert.equal(text.split(first.slice(0, 7)).length, 2, text);
    assert.match(text, /\*\*Environment\*\* Saltmarsh Tea · nginxphp/);
    assert.ok(iconPath instanceof ThemeIcon && iconPath.id === 'package');
  });
});

describe('the Deployments view beside a clone', () => {
  withQuietGit();

  it("doesn't offer to clone a repository whose clone is open", async () => {
    const at = await OpenRepository.start();
    try {
      await at.create();
      // Whatever looked at the open clone may have read them before.
      (await gantry()).environments.refresh();
      const { view } = at.parts;
      const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
      const { contextValue } = view.getTreeItem(project ?? assert.fail('no project'));
      assert.doesNotMatch(String(contextValue), /\bcloneable\b/);
    } finally {
      await at.end();
    }
  });
});

describe('the Deployments view of an account without projects', () => {
  it('has no rows, and below one of several accounts its environments', async () => {
    const platform = await startPlatform({ withoutProject: true });
    const account = await signedIn(platform);
    const { accounts, projects } = await gantry();
    try {
      const { view } = projects;
      assert.deepEqual(await view.getChildren(), []);
      const below = await view.getChildren({ kind: 'account', account, isUnfolded: true });
      assert.ok(below.some(({ kind }) => kind === 'environment'));
    } finally {
      await accounts.remove(account.slug);
      await platform.dispose();
    }
  });
});

describe('the Deployments view of several projects', () => {
  const environment = 'Juniper Coffee';
  let platform: LocalPlatform;
  let account: Account;
  let parts: ProjectParts;

  before(async () => {
    platform = await startPlatform({ bigAccount: 6 });
    account = await signedIn(platform);
    parts = (await gantry()).projects;
  });

  afterEach(() => platform.faults.clear());

  after(async () => {
    await (await gantry()).accounts.remove(account.slug);
    await platform.dispose();
  });

  const stockroom = { operation: 'GetProject', parameters: { context: 'stockroom' } } as const;
  const rowOfIt = async () => {
    const row = (await rowsBelow(parts.view, environment)).find((one) => labelOf(parts.view, one) === 'stockroom');
    assert.ok(row?.kind === 'project');
    return row;
  };
  /** Makes reading it fail once, and returns it with the row below it, which says so. */
  const failedOnce = async () => {
    parts.projects.refresh();
    platform.faults.add({ ...stockroom, fault: { kind: 'refuse', result: 99, error: 'out of order' } });
    const row = await rowOfIt();
    const [problem] = await parts.view.getChildren(row);
    assert.ok(problem?.kind === 'problem');
    return { place: row.place, problem };
  };

  it('asks again itself when the user retries, while an earlier request has no answer yet', async () => {
    const { place, problem } = await failedOnce();
    const hanging = platform.faults.add({ ...stockroom, fault: { kind: 'hang', when: 'after' } });
    const earlier = parts.projects.read(place);
    await hanging.reached;
    problem.retry();
    assert.equal((await rowOfIt()).read.kind, 'read');
    hanging.release();
    await earlier;
  });

  it('shows no failure of what began before the user retried', async () => {
    const { place, problem } = await failedOnce();
    problem.retry();
    parts.deployedStates.forget();
    const reading = platform.faults.add({ operation: 'Read', fault: { kind: 'hang', when: 'after' } });
    await rowOfIt();
    await reading.reached;
    parts.projects.refresh();
    const hanging = platform.faults.add({ ...stockroom, fault: { kind: 'hang', when: 'before' } });
    platform.faults.add({ ...stockroom, fault: { kind: 'refuse', result: 99, error: 'out of order' } });
    reading.release();
    await hanging.reached;
    const earlier = assert.rejects(parts.projects.read(place));
    problem.retry();
    const row = await rowOfIt();
    hanging.release();
    await earlier;
    await nextTimerTick();
    assert.doesNotMatch(JSON.stringify(parts.view.getTreeItem(row)), /warning|error/);
  });

  it('asks again only for the project that could not be read when the user retries', async () => {
    const { view } = parts;
    const { problem } = await failedOnce();
    platform.journal.reset();
    const refreshed = nextEvent(view.onDidChangeTreeData);
    problem.retry();
    const row = await refreshed;
    assert.ok(row !== undefined && !Array.isArray(row) && row.kind === 'environment');
    const again = (await view.getChildren(row)).find(
      (one) => one.kind === 'project' && one.place.context === 'stockroom',
    );
    assert.ok(again?.kind === 'project' && again.read.kind === 'read');
    const asked = platform.journal.arrivals.filter(({ operation }) => operation !== 'Read');
    assert.deepEqual(
      asked.map(({ operation, parameters }) => `${operation} ${parameters['context'] ?? ''}`),
      ['GetProject stockroom'],
    );
  });
});
