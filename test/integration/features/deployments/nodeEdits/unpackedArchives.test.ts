import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, FileType, workspace } from 'vscode';
import { nodeEditName } from '../../../../../src/features/deployments/nodeEdits/nodeEditsAtRisk';
import { patched } from '../../../../../src/features/deployments/nodeEdits/nodeEditsAtRisk';
import { plainly } from '../../../../../src/features/deployments/redeploy/ask';
import { rowsAtStake } from '../../../../../src/features/deployments/redeploy/stakes';
import type { RedeployPlan } from '../../../../../src/features/deployments/redeploy/plan';
import { makeTar } from '../../../../unit/localPlatform/makeArchive';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import {
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  redeployed,
  startPeopledProject,
} from '../../../support/projects';

const archive = `${webroot}/site.tar`;
const project = `${webroot}/ROOT`;

describe('an archive that was unpacked in a project’s folder', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.setUp.create({ updateNow: true, autoResolveConflict: true });
    await at.parts.projects.read(at.place);
    for (const node of [0, 1]) {
      await writeFile(at.setUp.file(archive, { node }), makeTar([{ name: 'index.php', content: 'unpacked\n' }]));
    }
  });
  afterEach(() => endPeopledProject(at));

  const unpack = (command = 'gantry.archive.unpack', into = project) => {
    const uri = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, archive);
    return at.person.answering([into, 'Unpack'], () => commands.executeCommand(command, uri));
  };
  const counts = (edits: number) =>
    until(at.parts.nodeEditLog.onDidChange, async () => (await at.parts.edits.noted(at.place)).length === edits);
  /** Redeploys and accepts all losses. */
  const redeploy = async () => {
    const asked: RedeployPlan[] = [];
    await redeployed(at.parts, { place: at.place, consent: 'byTask' }, (plan) => {
      asked.push(plan);
      return Promise.resolve(plainly);
    });
    return asked[0];
  };

  it('is listed as lost in a redeploy without a patch, and is forgotten afterwards', async () => {
    await unpack();
    assert.equal(await at.setUp.read(`${project}/index.php`), 'unpacked\n');
    await counts(1);
    const asked = await redeploy();
    assert.equal(asked?.editOutcome, 'discarded');
    assert.deepEqual(asked.edits.map(nodeEditName), [`site.tar unpacked into ${project}`]);
    assert.deepEqual(
      asked.edits.flatMap((file) => patched(file) ?? []),
      [],
    );
    assert.equal(await at.setUp.read(`${project}/index.php`), 'one\n');
    await counts(0);
  });

  it('appears at once even if its target folder is new', async () => {
    const [listed, created] = [webroot, `${webroot}/new/folder`].map((path) =>
      fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, path),
    );
    assert.ok(listed && created);
    await workspace.fs.readDirectory(listed);
    await unpack('gantry.archive.unpack', `${webroot}/new/folder`);
    assert.deepEqual(
      (await workspace.fs.readDirectory(listed)).filter(([name]) => name === 'new'),
      [['new', FileType.Directory]],
    );
    assert.deepEqual(await workspace.fs.readDirectory(created), [['index.php', FileType.File]]);
  });

  it('counts on every node where it was unpacked', async () => {
    await unpack('gantry.archive.unpackOnType');
    await counts(2);
    const edits = await at.parts.nodeEditLog.of(at.account.slug);
    assert.deepEqual(edits.map(({ nodeId }) => nodeId).sort(), [at.setUp.nodeId(0), at.setUp.nodeId(1)].sort());
  });

  it('follows the project to another context', async () => {
    await unpack();
    await counts(1);
    await at.parts.nodeEditLog.move({ ...at.place }, project, `${webroot}/shop2`);
    const [edit] = await at.parts.nodeEditLog.of(at.account.slug);
    assert.deepEqual([edit?.path, edit?.archive], [`${webroot}/shop2`, archive]);
  });

  it('counts for each project below its folder until that is redeployed', async () => {
    const { setUp, parts } = at;
    const other = { ...at.place, context: 'shop2' };
    await parts.known.remember(other, { folder: `${webroot}/shop2` });
    await unpack('gantry.archive.unpack', webroot);
    await counts(1);
    const noted = async () => Promise.all([at.place, other].map(async (one) => (await parts.edits.noted(one)).length));
    assert.deepEqual(await noted(), [1, 1]);
    const [file, ...more] = (await redeploy())?.edits ?? [];
    assert.ok(file && more.length === 0);
    assert.equal(nodeEditName(file), `site.tar unpacked into ${webroot}`);
    const [, row] = rowsAtStake({ ...(await parts.plans.of({ place: at.place })), edits: [file] });
    assert.match(row?.description ?? '', /may have changed this project's files$/);
    await until(parts.nodeEditLog.onDidChange, async () => (await noted())[0] === 0);
    assert.deepEqual(await noted(), [0, 1]);
    await unpack('gantry.archive.unpack', webroot);
    await counts(1);
    assert.equal(await setUp.read(`${webroot}/index.php`), 'unpacked\n');
    await parts.known.forget(other);
  });

  it("doesn't count if the environment's state didn't permit the unpacking", async () => {
    const error = 'Not allowed for current Environment status [ENV_STATUS_TYPE_UPDATE].';
    at.setUp.platform.faults.add({ operation: 'UnpackById', fault: { kind: 'refuse', result: 2212, error } });
    await unpack();
    await at.parts.nodeEditLog.forget([]);
    assert.equal((await at.parts.edits.noted(at.place)).length, 0);
  });

  it('counts if the container of one node is stopped, because others may have unpacked it', async () => {
    const error = 'Container is not running.';
    at.setUp.platform.faults.add({ operation: 'UnpackByType', fault: { kind: 'refuse', result: 4110, error } });
    await unpack('gantry.archive.unpackOnType');
    await counts(2);
  });

  it("doesn't count if the token didn't permit the unpacking", async () => {
    at.setUp.platform.faults.add({ operation: 'UnpackById', fault: { kind: 'refuse', result: 8202, error: 'no' } });
    await unpack();
    // Entries are written in order, so all earlier ones are complete now.
    await at.parts.nodeEditLog.forget([]);
    assert.equal((await at.parts.edits.noted(at.place)).length, 0);
    assert.equal(await at.setUp.read(`${project}/index.php`), 'one\n');
  });
});
