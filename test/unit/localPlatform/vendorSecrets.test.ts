import assert from 'node:assert/strict';
import { join } from 'node:path';
import { vendorDeployments, type Behaviour } from '../../localPlatform/behaviour';
import { plantedLogin } from '../../localPlatform/vcs/repositoryPasswords';
import { startGitServer } from '../../localPlatform/vcs/gitServer';
import { credentials, VcsSetUp, webroot } from './vcsSetUp';

const config = `${webroot}/ROOT/.git/config`;
const properties = '/var/lib/jelastic/vcs/ROOT.properties';
const encoded = encodeURIComponent(credentials.password);

const kinds: Readonly<Record<string, Partial<Behaviour>>> = {
  own: { repositoryPasswords: 'onNodes' },
  vendor: vendorDeployments,
};
for (const [kind, behaviour] of Object.entries(kinds)) {
  describe(`local platform: repository passwords on nodes (${kind})`, () => {
    let setUp: VcsSetUp;
    beforeEach(async () => (setUp = await VcsSetUp.start(behaviour)));
    afterEach(() => setUp.stop());

    it("are in the clone's URL and in the settings of the project on each node, and in no response", async () => {
      const created = await setUp.create({ branch: 'master', repoHash: setUp.first });
      const updated = await setUp.update();
      for (const node of [0, 1]) {
        assert(
          (await setUp.read(config, { node })).includes(`url = http://${credentials.login}:${encoded}@127.0.0.1:`),
        );
        const settings = await setUp.read(properties, { node });
        assert(settings.includes(`\nPASSWORD='${credentials.password}'\n`));
        assert(settings.includes(`\nLAST_DEPLOYED_COMMIT=${setUp.first}\n`));
        assert(settings.includes(`\nREPO_HASH=${setUp.first}\n`));
      }
      const answers = JSON.stringify([created, updated, await setUp.send('GetProject')]);
      for (const secret of [credentials.password, encoded]) assert.equal(answers.includes(secret), false);
      await setUp.succeed('DeleteProject', { context: 'ROOT' });
      await assert.rejects(setUp.read(properties));
    });

    it('follow an edit of the project', async () => {
      await setUp.create({ updateNow: true });
      await setUp.succeed('EditProject', { ...setUp.editWishes, newcontext: 'tea', password: 'wrong' });
      await assert.rejects(setUp.read(properties));
      assert.match(await setUp.read('/var/lib/jelastic/vcs/tea.properties'), /^PASSWORD='wrong'$/mu);
    });

    it('are planted where a repository needs none', async () => {
      const server = await startGitServer({ folder: join(setUp.dataFolder, '..', 'served') });
      try {
        await setUp.create({ url: server.url('tea'), login: '', password: '', updateNow: true });
        assert.equal((await setUp.update()).result, 0);
      } finally {
        await server.close();
      }
      assert((await setUp.read(config)).includes(`//${plantedLogin.login}:${plantedLogin.password}@`));
      assert((await setUp.read(properties)).includes(`\nPASSWORD='${plantedLogin.password}'\n`));
    });
  });
}

describe("local platform: the repository password in the vendor's log", () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start(vendorDeployments)));
  afterEach(() => setUp.stop());

  it('is in the command line of the first clone, and hidden in the response', async () => {
    await setUp.create();
    const { log } = await setUp.update({ nodeId: setUp.nodeId(0) });
    const written = await setUp.read('/var/log/nginx/vcs_update.log');
    assert(written.includes(`spawn git clone http://${credentials.login}:${encoded}@127.0.0.1:`));
    assert(log.includes(`spawn git clone http://${credentials.login}:***@127.0.0.1:`));
  });

  it('lets the clone of before pull after an edit', async () => {
    await setUp.create({ updateNow: true, password: credentials.password });
    await setUp.succeed('EditProject', { ...setUp.editWishes, password: 'wrong' });
    assert.equal((await setUp.update()).result, 4000);
    await setUp.succeed('EditProject', { ...setUp.editWishes, password: credentials.password });
    assert.equal((await setUp.update()).result, 0);
  });
});
