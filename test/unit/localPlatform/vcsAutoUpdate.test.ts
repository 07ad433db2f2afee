import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { logFile, untilFile, VcsSetUp, webroot } from './vcsSetUp';

const index = `${webroot}/ROOT/index.php`;
const automatic = { updateNow: true, autoupdate: true, interval: '1' };

describe('local platform: auto-update', () => {
  let setUp: VcsSetUp;
  // A minute takes 50 milliseconds.
  beforeEach(async () => (setUp = await VcsSetUp.start({ pollingSpeed: 1200 })));
  afterEach(() => setUp.stop());

  it('deploys a push to all nodes automatically', async () => {
    await setUp.create(automatic);
    const hash = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    for (const node of [0, 1]) {
      await untilFile(setUp.file(logFile, { node }), (log) => log.includes(`deployed ${hash}`));
      assert.equal(await setUp.read(index, { node }), 'two\n');
    }
  });

  it('deploys a second push too', async () => {
    await setUp.create(automatic);
    for (const text of ['two\n', 'three\n']) {
      const hash = await setUp.repository.commit({ message: text, files: { 'index.php': text } });
      await untilFile(setUp.file(logFile), (log) => log.includes(`deployed ${hash}`));
      assert.equal(await setUp.read(index), text);
    }
  });

  it("logs why it couldn't check, and continues checking", async () => {
    await setUp.create(automatic);
    await setUp.succeed('EditProject', { ...setUp.editWishes, autoupdate: true, password: 'wrong' });
    await untilFile(setUp.file(logFile), (log) => log.split('auto-update of ROOT: the repository').length > 2);
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('checks only projects with auto-update', async () => {
    await setUp.create({ updateNow: true });
    await setUp.create({ ...automatic, context: 'other' });
    await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await untilFile(setUp.file(logFile, { node: 1 }), (log) => log.split('project other').length > 2);
    assert.equal(await setUp.read(index), 'one\n');
  });

  it("of the vendor's deployment ignores repoHash, and a branch that isn't in the repository", async () => {
    Object.assign(setUp.platform.behaviour, vendorDeployments);
    await setUp.create({ ...automatic, repoHash: setUp.first });
    await setUp.create({ ...automatic, context: 'gone', branch: 'nowhere' });
    const hash = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const settings = (context: string): string => setUp.file(`/var/lib/jelastic/vcs/${context}.properties`);
    await untilFile(settings('ROOT'), (text) => text.includes(`LAST_DEPLOYED_COMMIT=${hash}\n`));
    assert.equal(await setUp.read(index), 'two\n');
    assert.match(await readFile(settings('gone'), 'utf8'), new RegExp(`LAST_DEPLOYED_COMMIT=${setUp.first}`, 'u'));
  });
});
