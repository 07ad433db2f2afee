import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Account } from '../../src/accounts/accounts';
import { patched } from '../../src/commands/keepPatch';
import type { ProjectParts } from '../../src/parts/projectParts';
import { editName } from '../../src/projects/editWords';
import type { Preflight } from '../../src/projects/preflight';
import type { ProjectPlace } from '../../src/projects/projectPlace';
import { makeTar } from '../unit/localPlatform/makeArchive';
import type { VcsSetUp } from '../unit/localPlatform/vcsSetUp';
import { webroot } from '../unit/localPlatform/vcsSetUp';
import { until } from './support/event';
import { fileUri, gantry } from './support/gantry';
import { Person } from './support/person';
import { endProject, inAHurry, startProject } from './support/projects';

const archive = `${webroot}/site.tar`;
const project = `${webroot}/ROOT`;

describe('an archive that was unpacked in a project’s folder', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  let place: ProjectPlace;
  let person: Person;

  inAHurry();
  before(async () => {
    parts = (await gantry()).projects;
  });
  beforeEach(async () => {
    ({ setUp, account, place } = await startProject());
    await setUp.create({ updateNow: true, autoResolveConflict: true });
    await parts.projects.read(place);
    for (const node of [0, 1]) {
      await writeFile(setUp.file(archive, { node }), makeTar([{ name: 'index.php', content: 'unpacked\n' }]));
    }
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await endProject({ setUp, account, place });
  });

  const unpack = (command = 'gantry.archive.unpack', into = project) => {
    const uri = fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, archive);
    return person.answering([into, 'Unpack'], () => commands.executeCommand(command, uri));
  };
  const counts = (edits: number) =>
    until(parts.ledger.onDidChange, async () => (await parts.edits.count(place)) === edits);
  /** Redeploys and goes on whatever is lost. */
  const redeploy = async () => {
    const asked: Preflight[] = [];
    await parts.flow.perform(
      { place },
      (_, preflight) => {
        asked.push(preflight);
        return Promise.resolve({ push: false, keepPatch: false });
      },
      ({ ended }) => ended,
    );
    return asked[0];
  };

  it('is said to be lost by a redeploy, of which no patch can be kept, and is forgotten with it', async () => {
    await unpack();
    assert.equal(await setUp.read(`${project}/index.php`), 'unpacked\n');
    await counts(1);
    const asked = await redeploy();
    assert.equal(asked?.fate, 'thrownAway');
    assert.deepEqual(asked.edits.map(editName), [`site.tar unpacked into ${project}`]);
    assert.deepEqual(
      asked.edits.flatMap((file) => patched(file) ?? []),
      [],
    );
    assert.equal(await setUp.read(`${project}/index.php`), 'one\n');
    await counts(0);
  });

  it('counts on every node that unpacked its own', async () => {
    await unpack('gantry.archive.unpackOnType');
    await counts(2);
    const edits = await parts.ledger.of(account.slug);
    assert.deepEqual(edits.map(({ nodeId }) => nodeId).sort(), [setUp.nodeId(0), setUp.nodeId(1)].sort());
  });

  it('goes along when the project’s context gets another name', async () => {
    await unpack();
    await counts(1);
    await parts.ledger.move({ ...place }, project, `${webroot}/shop2`);
    const [edit] = await parts.ledger.of(account.slug);
    assert.deepEqual([edit?.path, edit?.archive], [`${webroot}/shop2`, archive]);
  });

  it('does not count where the token did not permit it', async () => {
    setUp.platform.faults.add({ operation: 'UnpackById', fault: { kind: 'refuse', result: 8202, error: 'no' } });
    await unpack();
    // Whatever was to be noted is noted by then: one thing is noted after the other.
    await parts.ledger.forget([]);
    assert.equal(await parts.edits.count(place), 0);
    assert.equal(await setUp.read(`${project}/index.php`), 'one\n');
  });
});
