import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { inspect } from 'node:util';
import { probeTransport } from '../../../../src/platform/client';
import { usualBehaviour } from '../../../localPlatform/behaviour';
import { at, openStage, type OpenStage, repositoryOf, type Stage } from '../conduct/stage';
import { addressOf, clientFor, openDirectPool } from '../setUp';

type Behaviour = typeof usualBehaviour;

/** Differences between releases of the platform that callers must not notice. */
const manners: readonly Partial<Behaviour>[] = [
  { enums: 'name' },
  { enums: 'nameAndNumber' },
  { tokenLists: 'apiTokens' },
  { methodLists: 'tokenPermissions' },
  { accountTimes: 'milliseconds' },
  { listingKeys: 'single' },
  { listingKeys: 'kind' },
  { listingSelf: 'present' },
  { deleteTokens: 'number' },
  { nodeFailures: 'outer' },
];

/** Returns what a user would see of a platform that behaves in one way. */
async function lookAround(stage: Stage): Promise<unknown> {
  const { client, session, folder, platform } = stage;
  const { sample } = platform;
  const signedIn = await client.call('Signin', { login: sample.email, password: sample.password });
  const { tokens } = await client.call('GetTokens', { session });
  const { apiList: methods } = await client.call('GetTokenApiList', { session });
  const listed = await client.call('GetList', { ...at(stage), path: folder });
  const { array } = await client.call('GetMountPoints', { ...at(stage), nodeId: stage.nodes[0] });
  const project = await client.call('GetProject', { ...at(stage), context: 'Manners' });
  const { token } = await client.call('CreateToken', {
    session,
    description: 'gone',
    apiList: 'environment.file.Read',
  });
  await client.call('DeleteTokens', { session, ids: String(token.id) });
  const failed = await client.call('Delete', { ...at(stage), path: '/not/there' }).catch((error: unknown) => error);
  assert(failed instanceof Error);
  return {
    account: [signedIn.accessType, signedIn.status],
    tokens: tokens.map(({ description, apiList, createdOn }) => [
      description,
      apiList,
      createdOn?.toISOString().slice(0, 19),
    ]),
    methods,
    entries: listed.entries.map(({ absolutePath, isDir, length }) => [absolutePath, isDir, isDir ? 0 : length]).sort(),
    mounts: array.map(({ path, type, creator }) => [path, type, creator]),
    project: [project.type, project.url],
    failed: failed.message,
  };
}

describe('the behaviors of different platforms', () => {
  let open: OpenStage;
  let stage: Stage;
  let usual: unknown;

  before(async () => {
    open = await openStage();
    stage = await open.scenario();
    await stage.put(`${stage.folder}/a.txt`, 'text');
    await stage.makeFolder(`${stage.folder}/d`);
    const { client, session } = stage;
    await client.call('CreateToken', { session, description: 'ide', apiList: 'environment.file.Read' });
    await client.call('CreateProject', { ...at(stage), ...repositoryOf(stage), context: 'Manners' });
    const mount = {
      nodeId: stage.nodes[0],
      path: '/home/app/m',
      sourcePath: '/var/lib/backup',
      sourceNodeId: stage.database,
    };
    await client.call('AddMountPointById', { ...at(stage), ...mount });
    usual = await lookAround(stage);
  });
  after(() => open.close());

  for (const manner of manners) {
    it(`make no difference: ${inspect(manner)}`, async () => {
      Object.assign(stage.platform.behaviour, manner);
      try {
        assert.deepEqual(await lookAround(stage), usual);
      } finally {
        Object.assign(stage.platform.behaviour, usualBehaviour);
      }
    });
  }

  it('a folder in its own listing is separated from its entries', async () => {
    stage.platform.behaviour.listingSelf = 'present';
    const listed = await stage.client.call('GetList', { ...at(stage), path: stage.folder });
    stage.platform.behaviour.listingSelf = 'absent';
    assert.equal(listed.folder?.absolutePath, stage.folder);
    assert(!listed.entries.some(({ absolutePath }) => absolutePath === stage.folder));
  });

  for (const [understood, transport] of [
    ['both', 'form'],
    ['form', 'form'],
    ['query', 'query'],
  ] as const) {
    it(`one that accepts ${understood} gets requests by ${transport}`, async () => {
      const pool = openDirectPool();
      const { behaviour, origin, journal } = stage.platform;
      behaviour.transport = understood;
      journal.reset();
      const found = await probeTransport({ address: addressOf(origin), send: pool.send });
      assert.equal(found, transport);
      const { client } = clientFor(origin, { send: pool.send, transport });
      const { entries } = await client.call('GetList', { ...at(stage), path: stage.folder });
      behaviour.transport = 'both';
      assert.equal(entries.length, (await readdir(stage.platform.nodeFolder(stage.nodes[0]) + stage.folder)).length);
      await pool.close();
    });
  }
});
