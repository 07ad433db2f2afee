import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { LocalRepository } from '../../../../../src/features/deployments/repositories/localRepository';
import { suggestRepositories } from '../../../../../src/features/deployments/repositories/repositorySuggestions';
import { gantry } from '../../../support/gantry';
import { type OpenClone, openClone } from '../../../support/openClone';
import { endProject, type ProjectSetUp, startProject } from '../../../support/projects';

describe('an open repository', () => {
  let at: ProjectSetUp;
  let open: OpenClone;
  let repository: LocalRepository;
  let second: string;

  before(async () => {
    at = await startProject();
    const { repository: remote } = at.setUp;
    second = await remote.commit({ message: 'Raise the price\n\nOf tea.', files: { 'index.php': 'two\n' } });
    await remote.commit({ message: 'For the fair', files: { 'index.php': 'fair\n' }, branch: 'fair' });
    open = await openClone(at.setUp);
    const found = (await gantry()).projects.repositories.withAddress(at.setUp.url);
    assert.ok(found);
    repository = found;
  });
  after(async () => {
    await open.close();
    await endProject(at);
  });

  it("lists the branches of its remote, the one checked out first, and no branch that isn't pushed", async () => {
    await open.clone.git('branch', 'only-here');
    assert.deepEqual(await repository.branchesOf(at.setUp.url), ['master', 'fair']);
    assert.deepEqual(await repository.branchesOf('https://elsewhere.example/x.git'), []);
  });

  it('lists the commits of a branch with subject and time, newest first', async () => {
    const commits = await repository.commitsOf({ url: at.setUp.url, branch: 'master' });
    assert.deepEqual(
      commits.map(({ subject }) => subject),
      ['Raise the price', 'first'],
    );
    assert.equal(commits[0]?.hash, second);
    assert.ok(commits.every(({ at: time }) => time !== undefined && Math.abs(Date.now() - time.getTime()) < 3_600_000));
    assert.deepEqual(await repository.commitsOf({ url: at.setUp.url, branch: 'unknown' }), []);
  });

  it('finds commits of all branches by their hash, and ignores unknown ones', async () => {
    const [fair] = await repository.commitsOf({ url: at.setUp.url, branch: 'fair' });
    const hashes = [second, fair?.hash ?? '', 'f'.repeat(40)];
    const found = await repository.find(hashes, { url: at.setUp.url, branch: 'master' });
    assert.deepEqual([...found.values()].map(({ subject }) => subject).toSorted(), ['For the fair', 'Raise the price']);
  });

  it('says that a file is absent only if Git says so', async () => {
    const read = repository.contentOf(second);
    assert.deepEqual(await read('nowhere.php'), { kind: 'absent' });
    assert.deepEqual(await read('index.php'), { kind: 'text', text: 'two\n' });
    const git = Reflect.get(repository, 'repository') as object;
    Reflect.set(git, 'buffer', () => Promise.reject(new Error('spawn EAGAIN')));
    try {
      assert.equal(await read('nowhere.php'), undefined);
    } finally {
      Reflect.deleteProperty(git, 'buffer');
    }
  });

  it('tells which files differ between two commits, also from a later to an earlier one', async () => {
    const { first } = at.setUp;
    assert.deepEqual(await repository.changedPaths(first, second), new Set(['index.php']));
    assert.deepEqual(await repository.changedPaths(second, first), new Set(['index.php']));
    assert.equal(await repository.changedPaths(second, 'f'.repeat(40)), undefined);
  });

  it('is suggested for a new project, before repositories that are only deployed', async () => {
    const place = { ...at.place, context: 'old' };
    const known = [
      { ...place, url: 'https://git.example.com/old.git', branch: 'main' },
      { ...place, url: at.setUp.url, branch: 'master' },
    ];
    const { projects } = await gantry();
    await projects.environments.of(at.account);
    const { repositories, branchesOf } = await suggestRepositories(projects.repositories, known, projects.environments);
    assert.deepEqual(
      repositories.map(({ url, description }) => [url, description]),
      [
        [at.setUp.url, 'tea, open in this window'],
        ['https://git.example.com/old.git', 'deployed to old on Saltmarsh Tea'],
      ],
    );
    assert.deepEqual(branchesOf(at.setUp.url), ['master', 'fair']);
    assert.deepEqual(branchesOf('https://git.example.com/old.git'), ['main']);
  });
});
