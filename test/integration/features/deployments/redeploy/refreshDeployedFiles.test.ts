import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { window, workspace } from 'vscode';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject } from '../../../support/deployedProject';
import { nextEvent, until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { inAHurry, maxPolls } from '../../../support/projects';

describe('files that a redeploy changed', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  const pages = async () => {
    const folder = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, `${webroot}/ROOT`);
    const names = (await workspace.fs.readDirectory(folder)).map(([name]) => name);
    return names.filter((name) => name.endsWith('.php')).sort();
  };

  it('are shown in listings', async () => {
    await at.deployedOnce();
    assert.deepEqual(await pages(), ['about.php', 'index.php']);
    await at.setUp.repository.commit({ message: 'second', files: { 'news.php': 'news\n' } });
    const deployed = nextEvent(at.parts.redeploys.onDidDeploy);
    await at.redeploy();
    await deployed;
    assert.deepEqual(await pages(), ['about.php', 'index.php', 'news.php']);
  });

  it('are shown in listings, too, if only a later check finds that they were deployed', async () => {
    await at.deployedOnce();
    await at.setUp.repository.commit({ message: 'second', files: { 'news.php': 'news\n' } });
    const { pace, redeploys } = at.parts;
    const { limit } = pace;
    pace.limit = maxPolls.few;
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504 } });
    const record = await at.redeploy().finally(() => (pace.limit = limit));
    assert.deepEqual(await pages(), ['about.php', 'index.php']);
    await at.setUp.succeed('Update', { context: 'ROOT' });
    await redeploys.lookAgain(record);
    assert.deepEqual(await pages(), ['about.php', 'index.php', 'news.php']);
  });

  it('are shown with their new text in an open editor', async () => {
    await at.deployedOnce();
    const uri = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, `${webroot}/ROOT/index.php`);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'a longer two\n' } });
    await at.redeploy();
    await until(workspace.onDidChangeTextDocument, () => document.getText() === 'a longer two\n');
  });
});
