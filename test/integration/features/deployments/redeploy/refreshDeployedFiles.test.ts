import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { window, workspace } from 'vscode';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject } from '../../../support/deployedProject';
import { nextEvent, until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { inAHurry } from '../../../support/projects';

describe('files that a redeploy changed', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it('are shown in listings', async () => {
    await at.deployedOnce();
    const folder = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, `${webroot}/ROOT`);
    const pages = async () =>
      (await workspace.fs.readDirectory(folder)).map(([name]) => name).filter((name) => name.endsWith('.php'));
    assert.deepEqual((await pages()).sort(), ['about.php', 'index.php']);
    await at.setUp.repository.commit({ message: 'second', files: { 'news.php': 'news\n' } });
    const deployed = nextEvent(at.parts.redeploys.onDidDeploy);
    await at.redeploy();
    await deployed;
    assert.deepEqual((await pages()).sort(), ['about.php', 'index.php', 'news.php']);
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
