import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { commands, type Event, ThemeIcon, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import type { TreeElement } from '../../../../src/trees/sharedElement';
import { startPlatform } from '../../../localPlatform/localPlatform';
import { nextEvent } from '../../support/event';
import { signedIn } from '../../support/gantry';
import { pagesOpenedBy } from '../../support/pagesOpenedBy';
import { escape } from '../../support/person';
import { setProtected } from '../../support/production';
import { descriptionOf, labelOf, openedRows, type Tree } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

describe('the commands on environments', () => {
  const scene = windowScene({ sample: 'project' });
  let parts: Parts;

  before(() => {
    ({ parts } = scene);
  });
  afterEach(() => setProtected(undefined));

  interface View extends Tree<TreeElement> {
    readonly onDidChangeTreeData: Event<unknown>;
  }
  const views = (): readonly View[] => {
    const { favoritesView, mountsView } = parts.sharing;
    return [parts.environmentsView, favoritesView, parts.projects.view, mountsView];
  };
  const rowsIn = async <E extends TreeElement>(view: Tree<E>) =>
    (await view.getChildren()).filter(({ kind }) => kind === 'environment');
  const userSetting = () =>
    workspace.getConfiguration('gantry').inspect<readonly string[]>('protectedEnvironments')?.globalValue;

  it('mark and unmark production in the user settings, and every view says so in a word', async () => {
    const [row] = await rowsIn(parts.environmentsView);
    assert.ok(row?.kind === 'environment');
    const { name, title } = row.environment;
    const refreshed = Promise.all(views().map((view) => nextEvent(view.onDidChangeTreeData)));
    await commands.executeCommand('gantry.environment.markAsProduction', row);
    await refreshed;
    assert.deepEqual(userSetting(), [name]);
    for (const view of views()) {
      const marked = (await rowsIn(view)).find((one) => labelOf(view, one) === title);
      assert.ok(marked);
      assert.match(descriptionOf(view, marked), /^production/);
      const { accessibilityInformation, iconPath, contextValue } = view.getTreeItem(marked);
      assert.match(accessibilityInformation?.label ?? '', /production/);
      assert.ok(iconPath instanceof ThemeIcon && iconPath.id === 'shield');
      assert.match(contextValue ?? '', /\bproduction\b/);
    }
    const others = (await rowsIn(parts.environmentsView)).filter(
      (one) => labelOf(parts.environmentsView, one) !== title,
    );
    assert.ok(others.every((one) => !descriptionOf(parts.environmentsView, one).includes('production')));
    await commands.executeCommand('gantry.environment.unmarkAsProduction', row);
    assert.equal(userSetting(), undefined);
    assert.doesNotMatch(descriptionOf(parts.environmentsView, row), /production/);
  });

  it('unmark production only in one account, if another one has an environment with the same name', async () => {
    const elsewhere = await startPlatform({ withoutProject: true });
    const other = await signedIn(elsewhere);
    try {
      const shops = await Promise.all(
        (await parts.environmentsView.getChildren()).map(async (row) =>
          (await parts.environmentsView.getChildren(row)).find(
            (one) => one.kind === 'environment' && one.environment.name === 'shop',
          ),
        ),
      );
      const of = ({ slug }: Account) =>
        shops.find((row) => row?.kind === 'environment' && row.environment.account === slug) ?? assert.fail(slug);
      const [here, there] = [of(scene.account), of(other)];
      const states = () => [here, there].map((row) => descriptionOf(parts.environmentsView, row).split(' · ')[0]);
      await commands.executeCommand('gantry.environment.markAsProduction', here);
      assert.deepEqual(states(), ['production', 'production']);
      await commands.executeCommand('gantry.environment.unmarkAsProduction', there);
      assert.equal(states()[0], 'production');
      assert.notEqual(states()[1], 'production');
      await commands.executeCommand('gantry.environment.markAsProduction', there);
      assert.deepEqual(userSetting(), ['shop']);
    } finally {
      await parts.accounts.remove(other.slug);
      await elsewhere.dispose();
    }
  });

  it('ask for the name again if the platform has no environment of that name, by either of its codes', async () => {
    const { person } = scene;
    const files = await scene.addAccount({ description: 'files only', apiList: ['environment.file.GetList'] }, 'files');
    try {
      for (const result of [11, 901]) {
        scene.fail('GetList', { kind: 'refuse', result, error: 'no' }, { parameters: { envName: 'no-such' } });
        const add = () => commands.executeCommand('gantry.environment.add', files.slug);
        await person.answering(['no-such', 'cp', '', escape], add);
        const names = person.seen.filter((question) => question.startsWith('Environment name'));
        assert.equal(names.length, 2, `${result}: ${person.seen.join(' | ')}`);
      }
    } finally {
      await parts.accounts.remove(files.slug);
    }
  });

  it('open an environment in the browser with HTTPS if its domain has a certificate', async () => {
    const layers = [{ name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx' }];
    await scene.platform.addEnvironment({ envName: 'secure', sslstate: true, layers });
    parts.environments.refresh();
    const rows = await rowsIn(parts.environmentsView);
    const opened = await pagesOpenedBy(async () => {
      for (const name of ['secure', 'shop']) {
        const row = rows.find((one) => one.kind === 'environment' && one.environment.name === name);
        await commands.executeCommand('gantry.environment.openInBrowser', row);
      }
    }, 2);
    assert.deepEqual(opened, ['https://secure.localhost/', 'http://shop.hosting.example/']);
  });

  it('mark and unmark production without a request, in every view', async () => {
    const opened = () => Promise.all(views().map((view) => openedRows<TreeElement>(view)));
    await opened();
    const [row] = await rowsIn(parts.environmentsView);
    // The view has started to read what each project deployed.
    await parts.projects.deployedStates.look({
      account: scene.slug,
      environment: 'shop',
      layer: 'cp',
      context: 'ROOT',
    });
    scene.platform.journal.reset();
    await commands.executeCommand('gantry.environment.markAsProduction', row);
    await opened();
    await commands.executeCommand('gantry.environment.unmarkAsProduction', row);
    await opened();
    assert.deepEqual(scene.requests(), []);
  });
});
