import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { summaryOf } from '../../../../../src/features/deployments/redeploy/stakes';
import { vendorDeployments } from '../../../../localPlatform/behaviour';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { OpenRepository, withQuietGit } from '../../../support/openRepository';
import { fieldsNow, inAHurry } from '../../../support/projects';

const root = `${webroot}/ROOT`;
const yes = { push: false, savesPatch: false };

for (const [kind, behaviour] of Object.entries({ own: {}, vendor: vendorDeployments })) {
  describe(`edits of files that the repository doesn't have (${kind})`, () => {
    let at: OpenRepository;

    inAHurry();
    withQuietGit();
    beforeEach(async () => {
      at = await OpenRepository.start(behaviour);
      // The clone doesn't know this commit, so only the nodes know which files are tracked.
      await at.setUp.repository.commit({ message: 'ignore', files: { '.gitignore': '.env\n' } });
    });
    afterEach(() => at.end());

    const noting = (path: string, text: string, node = 0) => at.noting([path], () => at.save(path, text, node));
    const told = ({ edits, kept }: NonNullable<Awaited<ReturnType<OpenRepository['redeploy']>>['asked']>) => [
      edits.map(({ path, fate }) => `${path} ${fate}`),
      kept.map(({ path }) => path),
    ];
    const outlook = async () => told(await at.parts.flow.plan({ place: at.place, consent: 'byTask' }));
    const indexReads = () =>
      at.setUp.platform.journal.count(
        ({ operation, parameters }) => operation === 'Read' && `${parameters['path']}`.endsWith('.git/index'),
      );

    it('are neither warned of nor lost, and stay recorded', async () => {
      await at.create({ autoResolveConflict: true });
      await noting('.env', 'SECRET=1\n');
      await noting('upload.txt', 'mine\n');
      await at.setUp.repository.commit({ message: 'two', files: { 'index.php': 'two\n' } });
      at.setUp.platform.journal.reset();
      const { asked, record } = await at.redeploy(yes);
      assert.equal(asked, undefined);
      assert.equal(record?.verdict.kind, 'deployed');
      assert.equal(await at.setUp.read(`${root}/index.php`), 'two\n');
      assert.equal(await at.setUp.read(`${root}/.env`), 'SECRET=1\n');
      assert.equal(await at.setUp.read(`${root}/upload.txt`), 'mine\n');
      assert.equal(indexReads(), 1, 'for both files');
      await at.parts.edits.afterRedeploy(record, undefined);
      assert.equal((await at.parts.edits.noted(at.place)).length, 2);
    });

    it("don't mark the project for good, except where a redeploy may lose them", async () => {
      await at.create({ autoResolveConflict: true });
      const areKept = async () =>
        (await at.parts.deployedStates.look(at.place)).flatMap((one) => (one.kind === 'edited' ? [one.areKept] : []));
      await noting('.env', 'SECRET=1\n');
      assert.deepEqual(await areKept(), [false], "it isn't known yet");
      await at.redeploy(yes);
      assert.deepEqual(await areKept(), [true]);
      await at.save('.env', 'SECRET=2\n');
      assert.deepEqual(await areKept(), [true]);
      await noting('index.php', 'edited\n');
      assert.deepEqual(await areKept(), [false]);
      await at.redeploy(yes);
      assert.equal(await at.setUp.read(`${root}/.env`), 'SECRET=2\n');
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true, zdt: true });
      await at.parts.projects.read(at.place);
      assert.deepEqual(await areKept(), [false]);
    });

    it('are listed apart from those that are overwritten, on each node', async () => {
      await at.create({ autoResolveConflict: true });
      await noting('.env', 'SECRET=1\n');
      await noting('index.php', 'edited\n');
      await noting('about.php', 'edited\n', 1);
      const expected = [['about.php overwritten', 'index.php overwritten'], ['.env']];
      assert.deepEqual(await outlook(), expected);
      const { asked, record } = await at.redeploy(yes);
      assert.match(asked === undefined ? '' : summaryOf(asked), /^2 edits on the nodes will be discarded\.$/);
      assert.equal(record?.verdict.kind, 'deployed');
      assert.equal(await at.setUp.read(`${root}/index.php`), 'one\n');
      assert.equal(await at.setUp.read(`${root}/.env`), 'SECRET=1\n');
    });

    it('are lost where a node has no clone', async () => {
      await at.create({ autoResolveConflict: true });
      await noting('.env', 'SECRET=1\n', 0);
      await noting('.env', 'SECRET=1\n', 1);
      await rm(at.setUp.file(`${root}/.git`, { node: 0 }), { recursive: true });
      assert.deepEqual(await outlook(), [['.env gone'], ['.env']]);
    });

    it('may be in the way of a new commit, as far as the clone knows it', async () => {
      await at.create({ autoResolveConflict: true });
      await noting('upload.txt', 'mine\n');
      assert.deepEqual(await outlook(), [[], ['upload.txt']]);
      await at.clone.git('pull', '--quiet');
      await at.clone.commit('Upload', { 'upload.txt': 'theirs\n' });
      await at.clone.git('push', '--quiet');
      await at.status();
      assert.deepEqual(await outlook(), [['upload.txt unknown'], []]);
      const { asked, record } = await at.redeploy(yes);
      const summary = 'An edit on a node may be discarded, or stop the redeploy.';
      assert.equal(asked === undefined ? '' : summaryOf(asked), summary);
      const [verdict, text] = kind === 'vendor' ? ['failed', 'mine\n'] : ['deployed', 'theirs\n'];
      assert.equal(record?.verdict.kind, verdict);
      assert.equal(await at.setUp.read(`${root}/upload.txt`), text);
    });

    it("aren't certain to stay in a zero-downtime deployment", async () => {
      await at.create({ autoResolveConflict: true, zdt: true });
      await noting('.env', 'SECRET=1\n');
      assert.deepEqual(await outlook(), [['.env unknown'], []]);
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true });
      assert.deepEqual(await outlook(), [[], ['.env']]);
    });

    it("aren't known if the node's index can't be read", async () => {
      await at.create({ autoResolveConflict: true });
      await noting('.env', 'SECRET=1\n');
      await rm(at.setUp.file(`${root}/.git/index`));
      assert.deepEqual(await outlook(), [['.env unknown'], []]);
    });

    it("don't stop a redeploy that stops at edits of other files", async () => {
      await at.create({ autoResolveConflict: false });
      await noting('.env', 'SECRET=1\n');
      await noting('index.php', 'edited\n');
      assert.deepEqual(await outlook(), [['index.php stops'], ['.env']]);
    });
  });

  describe(`edits in a project whose answer to conflicts isn't set (${kind})`, () => {
    let at: OpenRepository;

    inAHurry();
    withQuietGit();
    beforeEach(async () => {
      at = await OpenRepository.start({ ...behaviour, unsentAutoResolve: 'unset' });
      await at.create();
    });
    afterEach(() => at.end());

    it('are said to be discarded, and are', async () => {
      await at.noting(['index.php'], () => at.save('index.php', 'edited\n'));
      const { asked, record } = await at.redeploy(yes);
      assert.equal(asked === undefined ? '' : summaryOf(asked), 'An edit on a node will be discarded.');
      assert.equal(record?.verdict.kind, 'deployed');
      assert.equal(await at.setUp.read(`${root}/index.php`), 'one\n');
    });

    it('are discarded after another setting is edited, too', async () => {
      const { settings } = await at.parts.projects.read(at.place);
      assert.equal(settings.autoResolveConflict, undefined);
      const fields = await fieldsNow(at.place);
      await at.parts.projectOperations.edit(at.place, fields, { ...fields, branch: 'release' });
      const edit = at.setUp.platform.journal.arrivals.find(({ operation }) => operation === 'EditProject');
      assert.equal(edit?.parameters['autoResolveConflict'], 'true');
    });
  });
}
