import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, workspace } from 'vscode';
import {
  newProjectFields,
  newProjectQuestions,
  type ProjectTarget,
} from '../../../../../src/features/deployments/settings/newProjectInput';
import { ProjectDrafts } from '../../../../../src/features/deployments/settings/projectDrafts';
import { newProject } from '../../../../../src/features/deployments/settings/projectFields';
import type { LayerRules } from '../../../../../src/features/deployments/settings/fieldChecks';
import type { Entered } from '../../../../../src/ui/prompts';
import { type Answer, escape, typed } from '../../../support/person';
import { inProduction } from '../../../support/production';
import { endPeopledProject, inAHurry, type PeopledProject, startPeopledProject } from '../../../support/projects';

const node = { id: 1, name: 'node', type: 'nginxphp', isMaster: true, takesProjects: true, singleContext: false };
const targetOn = (name: string, rules: LayerRules = {}, nodes = 1): ProjectTarget => ({
  layer: {
    environment: {
      account: 'marit',
      name,
      title: name,
      domain: undefined,
      status: undefined,
      isAdded: false,
      layers: [],
    },
    layer: {
      id: 'cp',
      name: 'Application Servers',
      isComplete: true,
      contexts: [],
      nodes: Array.from({ length: nodes }, (_, id) => ({ ...node, id, contextPattern: undefined, address: undefined })),
    },
  },
  rules,
});
const tea = 'https://git.example.com/tea.git';
const suggestions = {
  repositories: [{ url: tea, type: 'GIT', description: 'tea, open in this window' }] as const,
  branchesOf: (url: string) => (url === tea ? ['main', 'release'] : []),
};
const keys = (entered: Entered, targets = [targetOn('shop'), targetOn('blog')]) =>
  newProjectQuestions(targets, suggestions, entered).map(({ key }) => key);

describe('the steps of New Project', () => {
  it('are repository, branch, and target', () => {
    assert.deepEqual(keys({}), ['repository', 'branch', 'target']);
    assert.deepEqual(keys({ repository: 'SVN svn://svn.example.com/tea' }), ['repository', 'target']);
    assert.deepEqual(keys({}, [targetOn('shop')]), ['repository', 'branch'], 'there is only one target');
  });

  it('lead to the context ROOT, or one named for the repository if ROOT is taken', () => {
    const context = (rules: LayerRules, repository = tea) =>
      newProjectFields({ repository, branch: 'main' }, targetOn('shop', rules)).context;
    assert.equal(context({}), 'ROOT');
    assert.equal(context({ taken: ['ROOT'] }), 'tea');
    assert.equal(context({ taken: ['ROOT', 'tea'] }), 'tea2');
    assert.equal(
      context({ taken: ['ROOT'], contextPattern: '^[a-z_]+$' }, 'git@git.example.com:x/my-tea.git'),
      'my_tea',
    );
    assert.equal(context({ taken: ['ROOT'] }, 'SVN https://svn.example.com/shop/trunk'), 'shop');
  });

  it('have defaults that fit the technology of the layer', () => {
    const fields = (technology: LayerRules['technology'], nodes = 1) =>
      newProjectFields({ repository: tea, branch: 'main' }, targetOn('shop', { technology }, nodes));
    assert.deepEqual(fields('php'), { ...newProject, url: tea, branch: 'main' });
    assert.equal(fields('nodejs').autoResolveConflict, true);
    assert.equal(fields('java', 2).delay, 30);
  });

  it('use a URL unchanged, whatever it would mean to a shell', () => {
    const url = 'https://git.example.com/$(touch%20x)/`id`;tea.git';
    assert.equal(newProjectFields({ repository: url }, targetOn('shop')).url, url);
  });
});

describe('New Project', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
  });
  afterEach(async () => {
    at.parts.drafts.all.filter(({ isNew }) => isNew).forEach(({ id }) => at.parts.drafts.discard(id));
    await endPeopledProject(at);
  });

  const create = (...answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand('gantry.project.create'));
  const draft = () => at.parts.drafts.all.find(({ isNew }) => isNew);

  it('takes a typed repository and branch, and shows everything else on one page', async () => {
    await create(typed(at.setUp.url, 'Git repository'), typed('master'), 'shop', escape);
    const { fields, place } = draft() ?? {};
    assert.deepEqual({ ...fields }, { ...newProject, url: at.setUp.url, branch: 'master' });
    assert.deepEqual(place, at.place);
    const page = at.person.seen.join('\n');
    assert.match(page, /Create and Deploy Now/);
    assert.match(page, /Project name: ROOT\n/);
    assert.match(page, /Zero-downtime deployment: off/, 'the layer runs PHP');
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'CreateProject'),
      0,
    );
  });

  it('offers zero-downtime deployment only where the layer may run PHP, and fitting defaults elsewhere', async () => {
    await create(typed(at.setUp.url, 'Git repository'), typed('master'), 'blog', escape);
    assert.equal(draft()?.fields.autoResolveConflict, true);
    assert.doesNotMatch(at.person.seen.join('\n'), /Zero-downtime/);
  });

  it('takes a Subversion repository, without a branch', async () => {
    await create(typed('https://svn.example.com/shop/trunk', 'Subversion repository'), 'shop', escape);
    const { type, url, context } = draft()?.fields ?? {};
    assert.deepEqual([type, url, context], ['SVN', 'https://svn.example.com/shop/trunk', 'ROOT']);
    assert.doesNotMatch(at.person.seen.join('\n'), /Branch:/);
  });

  it('keeps what was entered if the user closes it, without a message', async () => {
    await create(typed(at.setUp.url, 'Git repository'), typed('hotfix'), escape);
    assert.equal(draft(), undefined);
    await create(at.setUp.url, 'hotfix', 'shop', escape);
    assert.equal(draft()?.fields.branch, 'hotfix');
  });

  it('asks for login and password together, and creates the project', async () => {
    await create(typed(at.setUp.url, 'Git repository'), typed('master'), 'shop', 'Username', 'marit', 'secret', escape);
    assert.equal(draft()?.fields.password, 'secret');
    await create('Continue with ROOT on Saltmarsh Tea', 'Create Without Deploying');
    assert.equal((await at.parts.projects.read(at.place)).settings.login, 'marit');
    assert.equal(draft(), undefined);
  });

  describe('that is started over', () => {
    const again = (layer: string) =>
      create('Start over with a new project', typed(at.setUp.url, 'Git repository'), typed('master'), layer, escape);
    const contexts = () => at.parts.drafts.all.filter(({ isNew }) => isNew).map(({ fields }) => fields.context);

    it('leaves the unfinished one on the same layer as it is, on disk, too', async () => {
      await create(typed(at.setUp.url, 'Git repository'), typed('master'), 'shop', escape);
      const { drafts } = at.parts;
      const { id } = draft() ?? assert.fail();
      drafts.change(id, { context: 'renamed' });
      drafts.changeHook(id, 'preDeploy', 'mine\n');
      await again('shop');
      assert.deepEqual(contexts(), ['renamed', 'ROOT']);
      assert.deepEqual(drafts.find(id)?.fields.hooks, { preDeploy: 'mine\n' });
      await drafts.settled();
      const stored = new ProjectDrafts(drafts.folder, (error) => assert.fail(String(error)));
      await stored.restored();
      assert.deepEqual(stored.find(id)?.fields.hooks, { preDeploy: 'mine\n' });
      assert.equal(stored.all.filter(({ isNew }) => isNew).length, 2);
      stored.dispose();
    });

    it('has another name than the unfinished one, except where the layer allows no other', async () => {
      await create(typed(at.setUp.url, 'Git repository'), typed('master'), 'shop', escape);
      await again('shop');
      assert.deepEqual(contexts(), ['ROOT', 'tea']);
      await again('blog');
      await again('blog');
      assert.deepEqual(contexts(), ['ROOT', 'tea', 'ROOT', 'ROOT']);
    });
  });

  describe('that is deployed right away', () => {
    const setMode = (mode: 'always' | 'whenRisky') =>
      workspace.getConfiguration('gantry').update('redeploy.confirm', mode, ConfigurationTarget.Global);
    const updates = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Update');
    const draftIt = () => create(typed(at.setUp.url, 'Git repository'), typed('master'), 'shop', escape);
    afterEach(() => setMode('always'));

    for (const mode of ['always', 'whenRisky'] as const) {
      it(`is asked about before its first deployment if gantry.redeploy.confirm is ${mode}`, async () => {
        await setMode(mode);
        await draftIt();
        await create('Continue with ROOT on Saltmarsh Tea', 'Create and Deploy Now', escape);
        assert.ok(at.person.seen.includes('Deploy ROOT on Saltmarsh Tea?'), at.person.seen.join(' | '));
        assert.equal(updates(), 0);
      });
    }

    it('is asked about in production, once, with the deployment in the question', async () => {
      await draftIt();
      await inProduction(['shop'], () =>
        create('Continue with ROOT on Saltmarsh Tea', 'Create and Deploy Now', escape, escape),
      );
      assert.ok(at.person.seen.includes('Create and deploy ROOT on Saltmarsh Tea?'), at.person.seen.join(' | '));
      assert.match(at.person.seen.join('\n'), /is a production environment\.\n\n.* will be replaced/);
      assert.equal(updates(), 0);
    });
  });
});
