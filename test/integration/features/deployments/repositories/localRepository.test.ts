import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
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
    Reflect.set(git, 'getObjectDetails', () => Promise.reject(new Error('spawn EAGAIN')));
    try {
      assert.equal(await read('nowhere.php'), undefined);
    } finally {
      Reflect.deleteProperty(git, 'getObjectDetails');
    }
  });

  it("doesn't know a text that a converter changes, hides, or fails at", async () => {
    const attributes = join(open.clone.folder, '.git', 'info', 'attributes');
    const read = repository.contentOf(second);
    await writeFile(attributes, '*.php diff=shown\n');
    try {
      for (const converter of ['echo shown; true', 'false']) {
        await open.clone.git('config', 'diff.shown.textconv', converter);
        assert.equal(await read('index.php'), undefined, converter);
        assert.deepEqual(await read('nowhere.php'), { kind: 'absent' }, converter);
      }
      await open.clone.git('config', 'diff.shown.textconv', 'cat');
      assert.deepEqual(await read('index.php'), { kind: 'text', text: 'two\n' });
    } finally {
      await rm(attributes);
    }
  });

  it("doesn't let a project's settings become options of Git, or change other branches", async () => {
    const written = join(open.clone.folder, '..', 'written');
    const before = await open.clone.git('for-each-ref');
    const calls: readonly ((branch: string) => Promise<unknown>)[] = [
      (branch) => repository.upstream({ url: at.setUp.url, branch }),
      (branch) => repository.isBranch({ url: at.setUp.url, branch }),
      (branch) => repository.commitsOf({ url: at.setUp.url, branch }),
      (branch) => repository.missedBy({ url: at.setUp.url, branch }),
      (branch) => repository.commit(branch),
      (branch) => repository.contentOf(branch)('index.php'),
      (branch) => repository.lacking(branch, second),
      (branch) => repository.changedPaths(branch, second),
      (branch) => repository.find([branch], { url: at.setUp.url, branch }),
    ];
    const rejecting: readonly ((branch: string) => Promise<unknown>)[] = [
      (branch) => repository.fetch({ url: at.setUp.url, branch }),
      (branch) => repository.tipOnRemote({ url: at.setUp.url, branch }),
      (branch) => repository.push({ url: at.setUp.url, branch }),
      (branch) => repository.pushCommit({ url: at.setUp.url, branch }, second),
      (branch) => repository.deleteBranch({ url: at.setUp.url, branch }),
    ];
    const names = [`--output=${written}`, `--upload-pack=touch ${written};`, `--receive-pack=touch ${written};`];
    for (const name of [...names, '+fair:master', '+fair', 'fair:taken', '*', 'fair..master', '']) {
      await Promise.all(calls.map((call) => call(name)));
      for (const call of rejecting) {
        await assert.rejects(call(name), /Git can't use this as a name/, name);
      }
      assert.equal((await repository.upstream({ url: at.setUp.url, branch: name }))?.tip, undefined, name);
    }
    assert.equal(existsSync(written), false);
    assert.equal(await open.clone.git('for-each-ref'), before);
  });

  it('takes a branch only by its exact name, also if a tag, a file or a folder of branches has it', async () => {
    const { url, repository: remote } = at.setUp;
    const topic = await remote.commit({ message: 'Topic', files: { 'topic.php': '' }, branch: 'group/topic' });
    await repository.fetch({ url, branch: 'group/topic' });
    assert.equal((await repository.upstream({ url, branch: 'group/topic' }))?.tip, topic);
    assert.equal(await repository.upstream({ url, branch: 'group' }), undefined);
    assert.equal(await repository.isBranch({ url, branch: 'group' }), false);
    await open.clone.git('branch', 'index.php', topic);
    await open.clone.git('tag', 'index.php', second);
    const { unpushed } = await repository.missedBy({ url, branch: 'index.php' });
    assert.equal(unpushed[0], 'Topic');
    await open.clone.git('tag', '--delete', 'index.php');
    await open.clone.git('branch', '--quiet', '-D', 'index.php');
    await repository.deleteBranch({ url, branch: 'group/topic' });
    assert.equal(await repository.upstream({ url, branch: 'group/topic' }), undefined);
  });

  it('names the commit of a detached HEAD if the branch of the project lacks it', async () => {
    const deployed = { url: at.setUp.url, branch: 'master' };
    await open.clone.git('checkout', '--quiet', '--detach');
    try {
      assert.equal((await repository.missedBy(deployed)).otherBranch, undefined);
      const commit = await open.clone.commit('Only here', { 'here.php': '' });
      assert.equal((await repository.missedBy(deployed)).otherBranch, commit.slice(0, 7));
    } finally {
      await open.clone.git('checkout', '--quiet', 'master');
      await repository.refresh();
    }
  });

  it("doesn't take a detached HEAD for local work if it doesn't know the branch of the project", async () => {
    await open.clone.git('checkout', '--quiet', '--detach');
    try {
      assert.equal((await repository.missedBy({ url: at.setUp.url, branch: 'unknown' })).otherBranch, undefined);
    } finally {
      await open.clone.git('checkout', '--quiet', 'master');
      await repository.refresh();
    }
  });

  it('takes a detached HEAD for local work if nothing that was fetched has its commit', async () => {
    const deployed = { url: at.setUp.url, branch: 'unknown' };
    await open.clone.git('checkout', '--quiet', '--detach');
    try {
      const commit = await open.clone.commit('Not pushed', { 'here.php': '' });
      assert.equal((await repository.missedBy(deployed)).otherBranch, commit.slice(0, 7));
      await open.clone.git('tag', 'tagged', commit);
      assert.equal((await repository.missedBy(deployed)).otherBranch, undefined);
    } finally {
      await open.clone.git('tag', '--delete', 'tagged').catch(() => undefined);
      await open.clone.git('checkout', '--quiet', 'master');
      await repository.refresh();
    }
  });

  it('fetches also the branches that a clone of a single branch leaves out', async () => {
    const { url, repository: remote } = at.setUp;
    await open.clone.git('config', 'remote.origin.fetch', '+refs/heads/master:refs/remotes/origin/master');
    try {
      const newest = await remote.commit({ message: 'New', files: { 'index.php': 'new\n' }, branch: 'fair' });
      await repository.fetch({ url, branch: 'fair' });
      assert.equal((await repository.upstream({ url, branch: 'fair' }))?.tip, newest);
    } finally {
      await open.clone.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    }
  });

  it('tells which files differ between two commits, also from a later to an earlier one', async () => {
    const { first } = at.setUp;
    assert.deepEqual(await repository.changedPaths(first, second), new Set(['index.php']));
    assert.deepEqual(await repository.changedPaths(second, first), new Set(['index.php']));
    assert.equal(await repository.changedPaths(second, 'f'.repeat(40)), undefined);
  });

  it("is shown by Clone Repository, also if the project's URL has a space", async () => {
    const { projects } = (await gantry()).projects;
    const lastOrRead = projects.lastOrRead.bind(projects);
    const { executeCommand } = commands;
    const called: string[] = [];
    projects.lastOrRead = (place) => Promise.resolve({ place, settings: { type: 'GIT', url: `${at.setUp.url} ` } });
    Object.assign(commands, {
      executeCommand: (id: string, ...args: readonly unknown[]) => {
        called.push(id);
        return id === 'workbench.view.scm' ? Promise.resolve() : executeCommand(id, ...args);
      },
    });
    try {
      await executeCommand('gantry.project.clone', at.place);
    } finally {
      Object.assign(commands, { executeCommand });
      projects.lastOrRead = lastOrRead;
    }
    assert.ok(called.includes('workbench.view.scm'), called.join());
    assert.ok(!called.includes('git.clone'));
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

  it('is suggested without the login of its remote', async () => {
    const { projects } = await gantry();
    const remote = 'https://marit@tea.example:cold-tea@git.example.com/tea/other.git';
    await open.clone.git('remote', 'add', 'other', remote);
    try {
      await repository.refresh();
      assert.ok(repository.urls.includes(remote));
      const { repositories } = await suggestRepositories(projects.repositories, [], projects.environments);
      assert.deepEqual(
        repositories.map(({ url }) => url),
        [at.setUp.url, 'https://git.example.com/tea/other.git'],
      );
    } finally {
      await open.clone.git('remote', 'remove', 'other');
      await repository.refresh();
    }
  });
});
