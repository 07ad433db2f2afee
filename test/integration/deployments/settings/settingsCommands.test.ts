import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, workspace } from 'vscode';
import { credentials } from '../../../unit/localPlatform/vcsSetUp';
import { type Answer, escape, typed } from '../../support/person';
import { inProduction } from '../../support/production';
import { endPeopledProject, inAHurry, type PeopledProject, startPeopledProject } from '../../support/projects';

describe('Create and Deploy Now', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
  });
  afterEach(async () => {
    await setMode(undefined);
    at.parts.drafts.all.filter(({ isNew }) => isNew).forEach(({ id }) => at.parts.drafts.discard(id));
    await endPeopledProject(at);
  });

  const setMode = (mode: string | undefined) =>
    workspace.getConfiguration('gantry').update('redeploy.confirm', mode, ConfigurationTarget.Global);
  const createAndDeploy = (...answers: readonly Answer[]) =>
    at.person.answering(
      [
        ...[typed(at.setUp.url, 'Git repository'), typed('master'), 'shop'],
        ...['Username', credentials.login, credentials.password, 'Create and Deploy Now', ...answers],
      ],
      () => commands.executeCommand('gantry.project.create'),
    );
  const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);
  const seen = () => at.person.seen.join(' | ');

  it('deploys without another question by default', async () => {
    await createAndDeploy();
    assert.deepEqual([count('CreateProject'), count('Update')], [1, 1]);
  });

  for (const mode of ['always', 'whenSomethingIsAtStake']) {
    it(`asks before the deployment if gantry.redeploy.confirm is ${mode}`, async () => {
      await setMode(mode);
      await createAndDeploy(escape);
      assert.match(seen(), /Deploy ROOT .* shop\?/);
      assert.deepEqual([count('CreateProject'), count('Update')], [1, 0]);
    });
  }

  it('asks once in production, and the question says that it deploys', async () => {
    await inProduction(['shop'], async () => {
      await setMode('always');
      await createAndDeploy('Create and Deploy');
    });
    assert.match(seen(), /Create and deploy ROOT on shop\?/);
    assert.match(seen(), /shop is a production environment\./);
    assert.deepEqual([count('CreateProject'), count('Update')], [1, 1]);
  });
});
