import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { workspace } from 'vscode';
import type { Account } from '../../../../../src/accounts/accounts';
import type { ProjectParts } from '../../../support/parts';
import { plainly } from '../../../../../src/features/deployments/redeploy/ask';
import { isFirst, type RedeployPlan } from '../../../../../src/features/deployments/redeploy/plan';
import type { ProjectPlace } from '../../../../../src/features/deployments/projectPlace';
import { VcsSetUp } from '../../../../unit/localPlatform/vcsSetUp';
import { nextEvent } from '../../../support/event';
import { fileUri, gantry, signedIn } from '../../../support/gantry';
import { type Answer, escape, Person } from '../../../support/person';
import { inspectionsBeforeUpdate, messageOf, redeployed } from '../../../support/projects';

const webapps = '/opt/tomcat/webapps';
const folder = `${webapps}/ROOT`;

describe('a project in an unusual folder', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  let place: ProjectPlace;

  beforeEach(async () => {
    parts = (await gantry()).projects;
    setUp = await VcsSetUp.start();
    await setUp.platform.addEnvironment({
      envName: 'books',
      layers: [{ name: 'cp', nodeType: 'tomcat10', isVcsSupport: true, containerUser: 'tomcat', owned: [webapps] }],
    });
    account = await signedIn(setUp.platform);
    place = { account: account.slug, environment: 'books', layer: 'cp', context: 'ROOT' };
    await setUp.create({ envName: 'books', updateNow: true, autoResolveConflict: true });
  });
  afterEach(async () => {
    await parts.projects.forget(place);
    await parts.history.forget(place);
    await (await gantry()).accounts.remove(account.slug);
    await setUp.stop();
  });

  /** Redeploys as the command does. `answer` is the user's answer if the folder is asked for. */
  const redeploy = async (answer: Answer = escape) => {
    const asked: RedeployPlan[] = [];
    const person = new Person();
    const decide = (plan: RedeployPlan) => {
      asked.push(plan);
      return Promise.resolve(plainly);
    };
    const options = { isShown: true };
    try {
      const rule = (question: string) => (question.startsWith('Path of the project folder') ? answer : undefined);
      const record = await person.answeringBy(rule, () =>
        redeployed(parts, { place, consent: 'byTask' }, decide, options),
      );
      assert.ok(record);
      return { record, questions: person.seen.filter((text) => text.startsWith('Path of')).length, asked: asked[0] };
    } finally {
      person.leave();
    }
  };

  it('causes one question for its folder, which is remembered, and then reports its commit', async () => {
    const commit = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const first = await redeploy(folder);
    assert.equal(first.questions, 1);
    assert.deepEqual(first.record.verdict, { kind: 'deployed', commit });
    assert.equal(await setUp.read(`${folder}/index.php`, { envName: 'books' }), 'two\n');
    const second = await redeploy('/elsewhere');
    assert.equal(second.questions, 0);
    assert.equal(parts.known.find(place)?.folder, folder);
  });

  it('is still known to be deployed after a redeploy from here that failed', async () => {
    const fault = { kind: 'refuse', result: 4000, error: 'no way' } as const;
    setUp.platform.faults.add({ operation: 'Update', fault });
    const failed = await redeploy();
    assert.equal(failed.record.verdict.kind, 'failed');
    assert.equal(failed.record.isFirst, false);
    const plan = await parts.plans.prepare({ place });
    assert.equal(isFirst(plan), false);
  });

  it('is inspected once more when its folder is known', async () => {
    const person = new Person();
    try {
      const request = { place, consent: 'byTask' } as const;
      const clicked = () => person.answering([folder], () => parts.flow.redeploy(request));
      assert.equal((await inspectionsBeforeUpdate({ setUp, parts }, clicked)).heads, 2);
    } finally {
      person.leave();
    }
  });

  it("causes no further question if the user doesn't answer, and doesn't count as deployed", async () => {
    const first = await redeploy();
    assert.equal(first.questions, 1);
    assert.deepEqual(first.record.verdict, { kind: 'unverified', because: 'folderUnknown' });
    assert.match(messageOf(first.record), /^Couldn't verify the commit/);
    assert.equal((await redeploy()).questions, 0);
  });

  it('is found in the named folder and nowhere else', async () => {
    await parts.projects.read(place);
    assert.equal(await parts.inspector.look(place, folder), 'commit');
    assert.equal(await parts.inspector.look(place, webapps), 'absent');
    assert.equal(await parts.inspector.look(place, '/opt/nothing'), 'absent');
  });

  it('is reported as missing in the folder prompt only if no clone was found', async () => {
    const person = new Person();
    const askFor = async (answers: readonly string[]) => {
      await person.answering(answers, () => parts.flow.askForFolder(place, undefined));
      return person.seen[0];
    };
    try {
      assert.match(
        (await askFor(['/opt/nothing', '/opt/nothing'])) ?? '',
        /No clone was found in the default locations/,
      );
      assert.match((await askFor([folder])) ?? '', /No clone was found in \/opt\/nothing/);
      assert.match((await askFor([folder])) ?? '', /A clone was found in \/opt\/tomcat\/webapps\/ROOT/);
    } finally {
      person.leave();
    }
  });

  it('is found for its folder and every file in it once the folder is known', async () => {
    await redeploy(folder);
    const at = (path: string) =>
      parts.finder.projectAt({ kind: 'file', ...place, target: { nodeGroup: 'cp' }, path })?.context;
    assert.equal(at(folder), 'ROOT');
    assert.equal(at(`${folder}/pages/index.php`), 'ROOT');
    assert.equal(at(webapps), undefined);
    assert.equal(at(`${folder}2/index.php`), undefined);
  });

  it("isn't reported as a missing clone if the entered folder was wrong", async () => {
    const { record } = await redeploy('/opt/nothing');
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'folderUnknown' });
  });

  it('counts edits that were made before its folder was known', async () => {
    await parts.projects.read(place);
    const noted = nextEvent(parts.nodeEditLog.onDidChange);
    const file = fileUri(account, 'books', 'cp', `${folder}/index.php`);
    await workspace.fs.writeFile(file, new TextEncoder().encode('edited\n'));
    await noted;
    const { asked } = await redeploy(folder);
    assert.equal(asked?.editOutcome, 'discarded');
    assert.deepEqual(
      asked.edits.map(({ path }) => path),
      ['index.php'],
    );
  });

  it('is asked for by a button after its first redeploy, whose commit is checked then', async () => {
    await parts.projects.forget(place);
    await setUp.succeed('DeleteProject', { envName: 'books', context: 'ROOT' });
    await setUp.create({ envName: 'books' });
    const { questions, record } = await redeploy(folder);
    assert.equal(questions, 0);
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'folderUnknown' });
    const person = new Person();
    try {
      await person.answering([{ presses: 'Select Project Folder…' }, folder], () => parts.flow.showResult(record));
    } finally {
      person.leave();
    }
    const [last] = await parts.history.of(place);
    assert.equal(last?.verdict.kind, 'deployed');
    assert.equal(last.nodes[0]?.before, undefined);
  });
});
