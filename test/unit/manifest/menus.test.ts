import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import { commandIds } from '../../host/commandIds';
import { viewIds } from '../../../src/manifest';
import {
  clauses,
  commandsIn,
  enablementOf,
  holds,
  itemsIn,
  keysOfVsCode,
  menuItems,
  optionalWords,
  ownKeys,
  paletteIn,
  rowSources,
  rowValues,
  sources,
  wordsOfRows,
} from './menuItems';
import { parseWhen, type Situation } from './whenClause';

const { viewsWelcome, keybindings, submenus } = manifest.contributes;

/** Only rows have these in their menus. From the palette, they ask what to act on. */
const askingCommands: readonly string[] = [
  'gantry.account.signInAgain',
  'gantry.diagnostics.copy',
  'gantry.environment.openDashboard',
  'gantry.environment.openInBrowser',
  'gantry.platform.checkCompatibility',
  'gantry.project.checkDrift',
  'gantry.project.deployNewest',
  'gantry.project.edit',
  'gantry.project.rollBack',
  'gantry.project.showLog',
  'gantry.variables.edit',
];

const nobody: Situation = {
  'gantry.accounts': 'none',
  'gantry.signedOut': 'none',
  'gantry.unlocked': 'none',
  'gantry.clipboard': 'empty',
  'gantry.saveProblem': 'none',
  'gantry.mergeConflicts': 'none',
};
const somebody: Situation = { ...nobody, 'gantry.accounts': 'some' };

describe('a when clause', () => {
  it('is parsed as in VS Code', () => {
    const clause = parseWhen("a && (b == 'x y' || !c) && d =~ /^(e|f)\\b/ && g != h");
    assert.deepEqual(clause.keys, ['a', 'b', 'c', 'd', 'g']);
    assert.ok(clause.holds({ a: true, b: 'x y', c: true, d: 'e 1' }));
    assert.ok(!clause.holds({ a: true, b: 'z', c: true, d: 'e 1' }));
    assert.ok(!clause.holds({ a: true, c: false, d: 'ee' }));
    assert.ok(!clause.holds({ a: true, d: 'f', g: 'h' }));
    assert.throws(() => parseWhen('a && '));
    assert.throws(() => parseWhen('a = b'));
  });
});

describe('the when clauses of the manifest', () => {
  it('use only existing keys, and compare our own with possible values', () => {
    for (const text of clauses) {
      const { keys, comparisons } = parseWhen(text);
      const known: readonly string[] = [...keysOfVsCode, ...Object.keys(ownKeys)];
      assert.deepEqual(
        keys.filter((key) => !known.includes(key) && !key.startsWith('config.')),
        [],
        text,
      );
      for (const { key, value } of comparisons) {
        const values: readonly unknown[] | undefined = Object.entries(ownKeys).find(([own]) => own === key)?.[1];
        assert.ok(values === undefined || values.includes(value), `${text}: ${key} is never ${value}`);
        assert.ok(
          key !== 'view' || (viewIds as readonly string[]).includes(value),
          `${text}: there is no view ${value}`,
        );
      }
    }
  });

  it('of rows and titles name their view', () => {
    for (const menu of ['view/title', 'view/item/context']) {
      for (const { command = '', when = '' } of itemsIn(menu))
        assert.match(when, /\bview (==|=~) /, `${menu}: ${command}`);
    }
    for (const { command, when = '' } of itemsIn('view/item/context')) assert.match(when, /\bviewItem\b/, command);
  });

  it('are tried with every word that rows can have', () => {
    const optional = rowSources.flatMap((text) => [...text.matchAll(/&& '(\w+)'/g)].map(([, word]) => word));
    const tried = optionalWords.flatMap(([, ...words]) => words);
    assert.ok(optional.length > 0);
    assert.deepEqual(
      optional.filter((word = '') => !tried.includes(word)),
      [],
    );
  });

  it('offer what acts on several nodes only for files in folders of such layers', () => {
    for (const [command, isThere] of [
      ['gantry.file.saveToAllNodes', true],
      ['gantry.file.compareNodes', true],
      ['gantry.file.copyPath', false],
    ] as const) {
      const item = commandsIn('gantry.files').find((one) => one.command === command);
      const situation = { resourceScheme: 'gantry', 'gantry.foldersOnSeveralNodes': ['/shop/cp~66001/srv'] };
      assert.ok(holds(item?.when, { ...situation, resourceDirname: '/shop/cp~66001/srv' }), command);
      assert.equal(holds(item?.when, { ...situation, resourceDirname: '/shop/sqldb~66003/srv' }), !isThere, command);
    }
  });

  it('leave out in the Explorer what the account of a folder is known to lack, and keep the rest', () => {
    const folder = '/shop/cp~66001/srv';
    const everywhere = { resourceScheme: 'gantry', 'gantry.foldersOnSeveralNodes': [folder] };
    for (const [key, on, ...commands] of [
      ['gantry.foldersWithoutUpload', 'folder', 'gantry.folder.uploadFromUrl'],
      ['gantry.foldersWithoutWrite', 'file', 'gantry.file.saveToAllNodes'],
      ['gantry.foldersWithoutUnpackById', 'file', 'gantry.archive.unpack'],
      ['gantry.foldersWithoutUnpackByType', 'file', 'gantry.archive.unpackOnType'],
      ['gantry.foldersWithoutAddFavorite', 'file', 'gantry.favorite.add'],
    ] as const) {
      const shown = { ...everywhere, resourceExtname: '.zip', explorerResourceIsFolder: on === 'folder' };
      const offered = (lacking: readonly string[], resourceDirname: string) =>
        commandsIn('gantry.files')
          .filter(({ when }) => holds(when, { ...shown, [key]: lacking, resourceDirname }))
          .map(({ command = '' }) => command);
      const gone = offered([], folder).filter((command) => !offered([folder], folder).includes(command));
      for (const command of commands) assert.ok(gone.includes(command), command);
      assert.deepEqual(offered([folder], '/blog/cp~70001/srv'), offered([], '/blog/cp~70001/srv'));
    }
  });

  it('leave out in the Explorer what uploads texts or bytes only if the account of a folder lacks both', () => {
    const folder = '/shop/cp~66001/srv';
    const uploads = ['gantry.file.replaceByUpload', 'gantry.folder.uploadFiles', 'gantry.folder.uploadFolder'];
    const withoutOne = ['gantry.foldersWithoutUpload', 'gantry.foldersWithoutWrite'];
    for (const command of uploads) {
      const item = commandsIn('gantry.files').find((one) => one.command === command);
      const explorerResourceIsFolder = command.startsWith('gantry.folder.');
      const shown = { resourceScheme: 'gantry', explorerResourceIsFolder, resourceDirname: folder };
      for (const key of withoutOne) assert.ok(holds(item?.when, { ...shown, [key]: [folder] }), `${command} ${key}`);
      const both = Object.fromEntries(withoutOne.map((key) => [key, [folder]]));
      assert.ok(!holds(item?.when, { ...shown, ...both }), command);
    }
  });

  it('have the same archives in the Explorer as in the tree', () => {
    const inTree = rowSources.flatMap((text) => /const archive = \/(.*)\/i;/.exec(text)?.[1] ?? []);
    const inExplorer = commandsIn('gantry.files').flatMap(
      ({ when = '' }) => /resourceExtname =~ \/\^(.*)\/i/.exec(when)?.[1] ?? [],
    );
    assert.equal(inTree.length, 1);
    assert.deepEqual(new Set(inExplorer), new Set(inTree));
  });

  it('use only row words that rows have', () => {
    const words = new Set(wordsOfRows.flatMap((text) => text.split(/\W+/)));
    for (const { command, submenu, when = '' } of itemsIn('view/item/context')) {
      const asked = [...when.matchAll(/\bviewItem (?:==|!=|=~) (\/.*?\/|'[^']*'|\w+)/g)].map(
        ([, value]) => value ?? '',
      );
      const unknown = asked
        .flatMap((value) => value.replaceAll(/\\[bwds]/g, ' ').split(/[^A-Za-z]+/))
        .filter((word) => word !== '' && !words.has(word));
      assert.deepEqual(unknown, [], `${command ?? submenu ?? ''}: ${when}`);
    }
  });

  it('of editors and the Explorer apply only to container files', () => {
    for (const [menu, items] of menuItems.filter(([name]) => /^(explorer|editor)\//.test(name))) {
      for (const { command, submenu, when } of items) {
        assert.ok(!holds(when, { ...somebody, resourceScheme: 'file' }), `${menu}: ${command ?? submenu ?? ''}`);
      }
    }
  });
});

describe('the palette', () => {
  it('offers almost nothing before the first sign-in', () => {
    assert.deepEqual([...paletteIn(nobody)].sort(), [
      'gantry.account.signIn',
      'gantry.diagnostics.copy',
      'gantry.log.show',
    ]);
  });

  it('offers, of the commands that only rows have in their menus, just those that ask what to act on', () => {
    const onRowsOnly: readonly string[] = commandIds.filter(
      (id) =>
        itemsIn('view/item/context').some(({ command }) => command === id) &&
        menuItems.every(
          ([menu, items]) =>
            ['view/item/context', 'commandPalette'].includes(menu) || items.every(({ command }) => command !== id),
        ),
    );
    const situation = {
      ...somebody,
      'gantry.signedOut': 'some',
      'gantry.unlocked': 'some',
      'gantry.clipboard': 'filled',
      'gantry.pinnedProjects': 'some',
    };
    const offered = paletteIn(situation).filter((id) => onRowsOnly.includes(id));
    assert.deepEqual([...offered].sort(), askingCommands);
  });

  it('offers to sign in again only if an account needs that', () => {
    for (const only of ['none', 'signedIn'])
      assert.ok(!paletteIn({ ...somebody, 'gantry.onlyAccount': only }).includes('gantry.account.signInAgain'), only);
    for (const only of ['none', 'signedOut']) {
      const offered = paletteIn({ ...somebody, 'gantry.onlyAccount': only, 'gantry.signedOut': 'some' });
      assert.ok(offered.includes('gantry.account.signInAgain'), only);
    }
  });

  it('offers at most 50 commands to somebody with a file of a container open, whatever else there is', () => {
    const folder = '/shop/cp~66001/srv';
    const fileIsOpen: Situation = {
      ...somebody,
      'gantry.clipboard': 'filled',
      'gantry.layerNodes': 'several',
      'gantry.deployedFolders': [folder],
      resourceScheme: 'gantry',
      resourceDirname: folder,
      resourceExtname: '.conf',
    };
    const varying = [
      ['gantry.onlyAccount', ['signedIn', 'none']],
      ['gantry.unlocked', ownKeys['gantry.unlocked']],
      ['gantry.search', ownKeys['gantry.search']],
      ['gantry.pinnedProjects', ownKeys['gantry.pinnedProjects']],
      ['gantry.saveProblem', ownKeys['gantry.saveProblem']],
      ['gantry.mergeConflicts', ownKeys['gantry.mergeConflicts']],
    ] as const;
    const situations = varying.reduce<readonly Situation[]>(
      (all, [key, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
      [fileIsOpen],
    );
    assert.equal(situations.length, 144);
    for (const situation of situations) {
      const offered = paletteIn(situation);
      assert.ok(offered.length <= 50, `${offered.length}: ${offered.join(', ')} in ${JSON.stringify(situation)}`);
    }
  });

  it('keeps what only experts need under one prefix', () => {
    const advanced = manifest.contributes.commands.filter(({ category }) => category === '%category.advanced%');
    const offered = paletteIn({ ...somebody, resourceScheme: 'gantry' });
    // Rows of nodes whose IDs aren't known have the others.
    assert.deepEqual(
      advanced.map(({ command }) => command).filter((command) => offered.includes(command)),
      [
        'gantry.account.renewToken',
        'gantry.platform.checkCompatibility',
        'gantry.platform.copyReport',
        'gantry.file.append',
        'gantry.file.replace',
      ],
    );
  });

  it('offers commands for the active file only if it is in a container', () => {
    const local = paletteIn({ ...somebody, resourceScheme: 'file' });
    const container = paletteIn({ ...somebody, resourceScheme: 'gantry' });
    assert.deepEqual(
      local.filter((id) => !container.includes(id)),
      [],
    );
    assert.ok(container.length > local.length);
    assert.ok(!local.includes('gantry.link.copy'));
  });
});

describe('the menus', () => {
  const ofRows = commandsIn('view/item/context');

  it('together contain every command', () => {
    const inMenus = menuItems
      .filter(([menu]) => menu !== 'commandPalette')
      .flatMap(([, items]) => items.flatMap(({ command }) => command ?? []));
    const inPalette = paletteIn({
      ...somebody,
      'gantry.unlocked': 'some',
      'gantry.clipboard': 'filled',
      resourceScheme: 'gantry',
    });
    // Ignores places that define or declare a command, because they don't run it.
    const byRowsAndMessages = sources
      .filter(({ name }) => name !== 'manifest.ts')
      .map(({ text }) => text.replaceAll(/'gantry\.[\w.]+'(?=\s*[(:])/g, ''))
      .join('\n');
    const lost = commandIds.filter(
      (id) => !inMenus.includes(id) && !inPalette.includes(id) && !byRowsAndMessages.includes(`'${id}'`),
    );
    assert.deepEqual(lost, []);
  });

  // Clicking a row that says “signed out” signs in, and so does Enter.
  it('show at most two buttons per row, and contain them as items for keyboard users', () => {
    for (const view of viewIds) {
      for (const viewItem of rowValues) {
        const situation = { ...somebody, 'gantry.unlocked': 'some', view, viewItem };
        const shown = ofRows.filter(({ when }) => holds(when, situation));
        const inline = shown.filter(({ group = '' }) => group.startsWith('inline'));
        const inMenu = shown.filter(({ group = '' }) => !group.startsWith('inline')).map(({ command }) => command);
        assert.ok(inline.length <= 2, `${view}, ${viewItem}: ${inline.map(({ command }) => command).join(', ')}`);
        for (const { command } of inline)
          assert.ok(inMenu.includes(command) || /\bsignedOut\b/.test(viewItem), `${view}, ${viewItem}: ${command}`);
      }
    }
  });

  const shownOn = (viewItem: string, more: Situation = {}) =>
    ofRows.filter(({ group = '', when }) => {
      const situation = { ...somebody, 'gantry.clipboard': 'filled', view: 'gantry.environments', viewItem, ...more };
      return !group.startsWith('inline') && holds(when, situation);
    });
  const offered = (viewItem: string, more: Situation = {}) =>
    shownOn(viewItem, more).map(({ command = '' }) => command.replace(/^gantry\./, ''));
  /** What a menu shows before a submenu is opened. */
  const entries = (viewItem: string, more: Situation = {}) => [
    ...new Set(shownOn(viewItem, more).map(({ submenu, command = '' }) => submenu ?? command)),
  ];

  it('have at most 12 entries on a node, 14 on a folder, and 12 on a file, whatever it is', () => {
    const most = { node: 12, folder: 14, file: 12 };
    for (const viewItem of rowValues.filter((value) => Object.keys(most).includes(value.split(' ')[0] ?? ''))) {
      const [, limit = 0] = Object.entries(most).find(([kind]) => viewItem.startsWith(kind)) ?? [];
      const there = entries(viewItem, { resourceSelectedForCompare: true });
      assert.ok(there.length <= limit, `${viewItem}: ${there.length}, ${there.join(', ')}`);
    }
  });

  it('show Go to File and the version history without a submenu', () => {
    for (const viewItem of ['layer', 'node', 'folder', 'folder configuration'])
      assert.ok(entries(viewItem).includes('gantry.search.goToFile'), viewItem);
    for (const viewItem of ['file', 'file configuration', 'file severalNodes deployed'])
      assert.ok(entries(viewItem).includes('gantry.version.history'), viewItem);
    // Their menus are full, and people seldom edit them.
    for (const viewItem of ['file log', 'file archive', 'file archive log'])
      assert.ok(offered(viewItem).includes('version.history'), viewItem);
  });

  it('show nothing gray on rows, such as Paste before something was copied', () => {
    const situation = { ...somebody, 'gantry.unlocked': 'some' };
    const disabled = ofRows.filter(({ command = '' }) => !holds(enablementOf.get(command), situation));
    assert.ok(disabled.some(({ command }) => command === 'gantry.folder.paste'));
    for (const { command = '', when } of disabled)
      for (const view of viewIds)
        for (const viewItem of rowValues)
          assert.ok(!holds(when, { ...situation, view, viewItem }), `${view}, ${viewItem}: ${command}`);
  });

  it('offer on the tab of a file what its row does', () => {
    const ofRow = ['file', 'file archive severalNodes', 'file log deployed'];
    for (const viewItem of ofRow) {
      const folder = '/shop/cp~66001/srv';
      const extension = viewItem.includes('archive') ? '.zip' : viewItem.includes('log') ? '.log' : '.conf';
      const tab = { ...somebody, resourceScheme: 'gantry', resourceDirname: folder, resourceExtname: extension };
      const folders = { 'gantry.foldersOnSeveralNodes': [folder], 'gantry.deployedFolders': [folder] };
      const onTab = commandsIn('gantry.files')
        .filter(({ when }) => holds(when, { ...tab, ...folders, resourceSelectedForCompare: true }))
        .map(({ command = '' }) => command.replace(/^gantry\./, ''));
      // VS Code's own items split the editor.
      const missing = offered(viewItem, { resourceSelectedForCompare: true }).filter(
        (command) => !onTab.includes(command) && command !== 'file.openToSide',
      );
      assert.deepEqual(missing, [], viewItem);
    }
  });

  it("show in VS Code's own Explorer nothing that it offers itself", () => {
    const shown = commandsIn('gantry.files').filter(({ when }) =>
      holds(when, {
        ...somebody,
        filesExplorerFocus: true,
        resourceScheme: 'gantry',
        resourceSelectedForCompare: true,
      }),
    );
    for (const own of ['cut', 'copy', 'download', 'rename', 'delete', 'selectForCompare', 'compareWithSelected'])
      assert.ok(!shown.some(({ command }) => command === `gantry.file.${own}`), own);
  });

  it('have Roll Back next to Redeploy, and one item for the last redeploy', () => {
    const ofProject = offered('project pinned', { view: 'gantry.deployments' });
    assert.deepEqual(ofProject.slice(0, 3), ['project.redeploy', 'project.rollBack', 'project.deployNewest']);
    assert.deepEqual(
      ofProject.filter((command) => command.includes('.show')),
      ['project.showLog'],
    );
  });

  it("of a file are in the order of VS Code's Explorer", () => {
    assert.deepEqual(offered('file severalNodes', { resourceSelectedForCompare: true }), [
      'file.openToSide',
      'terminal.open',
      'file.selectForCompare',
      'file.compareWithSelected',
      'file.compareWithLocal',
      'file.compareNodes',
      'version.history',
      'file.cut',
      'file.copy',
      'file.download',
      'file.replaceByUpload',
      'file.copyPath',
      'file.copyRelativePath',
      'link.copy',
      'terminal.copyCommand',
      'file.duplicate',
      'favorite.add',
      'file.rename',
      'file.delete',
    ]);
    assert.deepEqual(entries('file'), [
      'gantry.file.openToSide',
      'gantry.terminal.open',
      'gantry.compare',
      'gantry.version.history',
      'gantry.file.cut',
      'gantry.file.copy',
      'gantry.file.download',
      'gantry.file.replaceByUpload',
      'gantry.copy',
      'gantry.favorite.add',
      'gantry.file.rename',
      'gantry.file.delete',
    ]);
  });

  it('offer nothing for several nodes on a layer with one, and nothing that moves a shortcut', () => {
    assert.ok(!offered('file').includes('file.compareNodes'));
    for (const command of ['file.cut', 'file.rename', 'file.delete']) {
      assert.ok(offered('folder').includes(command) && !offered('folder configuration').includes(command), command);
    }
  });

  it('offer on environments and layers what they can do there', () => {
    const all = ['environment.openInBrowser', 'environment.openDashboard', 'project.create', 'mount.add'];
    for (const [kind, ...more] of [
      ['environment', 'link.copy'] as const,
      ['layer', 'service.restart', 'variables.edit', 'search.findInFolder', 'search.goToFile', 'link.copy'] as const,
    ]) {
      assert.deepEqual(offered(`${kind} browsable takesProjects`).slice(0, 4 + more.length), [...all, ...more]);
      assert.deepEqual(offered(kind).slice(0, 2 + more.length), ['environment.openDashboard', 'mount.add', ...more]);
    }
  });

  it("don't offer changes that the token is known to lack, and keep what only reads", () => {
    const files = 'noCopy noCreate noDelete noRename noUnpackById noUnpackByType noUpload noWrite noAddFavorite';
    const changes = /\.(create|delete|rename|cut|duplicate|paste|restore|replaceByUpload|upload\w+|unpack\w*|add)$/;
    for (const row of ['file archive', 'folder', 'node', 'environment takesProjects']) {
      const lacking = `${files} noAddMountPointByGroup noAddMountPointById noCreateProject noRemoveFavorite`;
      assert.deepEqual(
        offered(`${row} ${lacking}`),
        offered(row).filter((command) => !changes.test(command)),
        row,
      );
    }
    const inDeployments = (viewItem: string) => offered(viewItem, { view: 'gantry.deployments' });
    const lost = inDeployments('project pinned').filter(
      (command) => !inDeployments('project pinned noDeleteProject noEditProject noUpdate').includes(command),
    );
    assert.deepEqual(
      new Set(lost),
      new Set(
        ['redeploy', 'redeployWith', 'rollBack', 'deployNewest', 'edit', 'delete'].map((name) => `project.${name}`),
      ),
    );
  });

  it('offer what creates and uploads files as long as the token has one of the methods that can', () => {
    const inline = (viewItem: string) =>
      itemsIn('view/item/context')
        .filter(({ group = '', when }) => {
          const situation = { ...somebody, view: 'gantry.environments', viewItem };
          return group.startsWith('inline') && holds(when, situation);
        })
        .map(({ command = '' }) => command.replace(/^gantry\./, ''));
    const lost = (row: string, lacking: string) => [
      ...offered(row).filter((command) => !offered(`${row} ${lacking}`).includes(command)),
      ...inline(row).filter((command) => !inline(`${row} ${lacking}`).includes(command)),
    ];
    for (const row of ['folder', 'node']) {
      assert.deepEqual(lost(row, 'noCreate'), ['folder.create']);
      // The icons of a node would cover its ID.
      const icons = (...commands: readonly string[]) => (row === 'folder' ? commands : []);
      assert.deepEqual(lost(row, 'noCreate noWrite'), ['file.create', 'folder.create', ...icons('file.create')]);
      assert.deepEqual(lost(row, 'noUpload'), ['folder.uploadFromUrl']);
      assert.deepEqual(lost(row, 'noUpload noWrite'), [
        'folder.uploadFiles',
        'folder.uploadFolder',
        'folder.uploadFromUrl',
        ...icons('folder.uploadFiles'),
      ]);
    }
    assert.deepEqual(lost('file', 'noUpload'), []);
    assert.ok(!lost('file', 'noWrite').includes('file.replaceByUpload'));
    assert.ok(lost('file', 'noUpload noWrite').includes('file.replaceByUpload'));
  });

  it("don't offer what the token or the platform is known to lack, and everything else", () => {
    for (const row of ['layer', 'node'])
      for (const [word, command] of [
        ['noRestartServices', 'service.restart'],
        ['noGetContainerEnvVars', 'variables.edit'],
      ]) {
        const all = offered(row);
        assert.ok(all.includes(command ?? ''), command);
        assert.deepEqual(
          offered(`${row} ${word}`),
          all.filter((one) => one !== command),
        );
      }
    const [button] = itemsIn('view/item/context').filter(
      ({ command, group }) => command === 'gantry.layer.enterNodes' && group?.startsWith('inline') === true,
    );
    for (const viewItem of ['node unresolved', 'node unresolved noGetContainerEnvVars noRestartServices'])
      assert.ok(holds(button?.when, { view: 'gantry.environments', viewItem }), viewItem);
    assert.ok(!holds(button?.when, { view: 'gantry.environments', viewItem: 'node' }));
  });

  it("leave out of the editor's what the token or the platform is known to lack", () => {
    const writable = { resourceScheme: 'gantry', 'gantry.layerNodes': 'several', 'gantry.editorLacks': '' };
    const compared = { resourceScheme: 'gantry', textCompareEditorActive: true, diffEditorOriginalUri: 'a#version-1' };
    const inTitle = (situation: Situation, lacking: string) =>
      itemsIn('editor/title')
        .filter(({ when }) => holds(when, { ...situation, 'gantry.editorLacks': lacking }))
        .map(({ command }) => command);
    const left = (situation: Situation, lacking: string) => {
      const offeredStill = inTitle(situation, lacking);
      return inTitle(situation, '').filter((command) => !offeredStill.includes(command));
    };
    assert.deepEqual(left(writable, 'noRestartServices noWrite'), [
      'gantry.file.saveToAllNodes',
      'gantry.service.restart',
    ]);
    assert.deepEqual(left(writable, 'noRestartServices'), ['gantry.service.restart']);
    assert.deepEqual(left(compared, 'noWrite'), ['gantry.version.restore']);
    const [inEditor] = itemsIn('editor/context').filter(({ command }) => command === 'gantry.file.saveToAllNodes');
    assert.ok(holds(inEditor?.when, writable));
    assert.ok(!holds(inEditor?.when, { ...writable, 'gantry.editorLacks': 'noWrite' }));
  });

  it("don't offer to replace in search results without the right to write", () => {
    const view = 'gantry.searchResults';
    const ended = { view, 'gantry.search': 'ended' };
    for (const row of ['foundFile', 'foundLine']) {
      const all = offered(row, ended);
      assert.ok(all.includes('search.replace'), row);
      assert.deepEqual(
        offered(`${row} noDelete noWrite`, ended),
        all.filter((command) => command !== 'search.replace'),
      );
    }
    const title = itemsIn('view/title').find(({ command }) => command === 'gantry.search.replace');
    assert.ok(holds(title?.when, { ...ended, 'gantry.searchLacks': 'noDelete' }));
    assert.ok(!holds(title?.when, { ...ended, 'gantry.searchLacks': 'noDelete noWrite' }));
  });

  it("don't offer on several rows what acts on the one that was clicked", () => {
    const several: Situation = { listMultiSelection: true };
    const actsOnAll = /^(file|folder|link|favorite|archive)\./;
    for (const row of ['account', 'environment added', 'missing', 'layer entered', 'node unresolved', 'signedOut'])
      assert.deepEqual(
        offered(row, several).filter((command) => !actsOnAll.test(command)),
        [],
        row,
      );
    const inAccess = ['tokens', 'account', 'sessions', 'session current', 'token', 'signedOut'];
    const actsOnTokens = ['token.delete', 'token.signOutSessions'];
    for (const viewItem of inAccess)
      assert.deepEqual(
        offered(viewItem, { ...several, view: 'gantry.access', 'gantry.unlocked': 'some' }).filter(
          (command) => !actsOnTokens.includes(command),
        ),
        [],
        viewItem,
      );
  });

  it('offer for several rows what their keys do', () => {
    for (const { command, when } of keybindings.filter(({ args }) => args === 'selection')) {
      const view = /focusedView == (\S+)/.exec(when)?.[1] ?? '';
      const inMenu = ofRows.filter(
        (item) => item.command === command && item.when?.includes(view) === true && !item.group?.startsWith('inline'),
      );
      const several: Situation = { listMultiSelection: true, focusedView: view, listFocus: true };
      const isForOne = inMenu.every((item) => item.when?.includes('!listMultiSelection') === true);
      if (isForOne && !command.startsWith('gantry.folder.')) assert.ok(!holds(when, several), command);
    }
  });

  it("show nothing in view titles that doesn't work before the first sign-in", () => {
    for (const view of viewIds) {
      const shown = itemsIn('view/title').filter(({ when }) => holds(when, { ...nobody, view }));
      for (const { command = '' } of shown) assert.ok(holds(enablementOf.get(command), nobody), `${view}: ${command}`);
    }
  });

  it('contain every declared submenu and no other', () => {
    const named = new Set(menuItems.flatMap(([, items]) => items.flatMap(({ submenu }) => submenu ?? [])));
    assert.deepEqual([...named].sort(), submenus.map(({ id }) => id).sort());
  });
});

describe('an empty view', () => {
  const signedIn: Situation = { ...somebody, 'gantry.onlyAccount': 'signedIn', 'gantry.listedEnvironments': 'some' };
  const shown = (view: string, situation: Situation) =>
    viewsWelcome.filter((one) => one.view === view && holds(one.when, situation)).map(({ contents }) => contents);

  for (const view of ['gantry.environments', 'gantry.favorites', 'gantry.deployments', 'gantry.mounts']) {
    it(`${view} says what to do without environments`, () => {
      const shownIf = (listed: string) => shown(view, { ...signedIn, 'gantry.listedEnvironments': listed });
      assert.deepEqual(shownIf('none'), ['%welcome.noEnvironments%']);
      assert.deepEqual(shownIf('unknown'), [], 'not before the platform has answered');
    });
  }

  // Search results stay readable without the account.
  for (const view of viewIds.filter((id) => id !== 'gantry.searchResults')) {
    it(`${view} offers only to sign in again while the only account is signed out`, () => {
      for (const listed of ['unknown', 'none', 'some']) {
        for (const access of ['open', 'locked']) {
          const known = { 'gantry.listedEnvironments': listed, 'gantry.accessView': access };
          const signedOut = { ...somebody, ...known, 'gantry.onlyAccount': 'signedOut' };
          assert.deepEqual(shown(view, signedOut), ['%welcome.signedOut%']);
        }
      }
    });
  }

  it('offers to sign in although the keychain is locked', () => {
    assert.deepEqual(shown('gantry.environments', { ...nobody, 'gantry.accounts': 'unreadable' }), [
      '%welcome.keychainLocked%',
    ]);
  });

  it('says that a search found nothing, and lets the user edit it', () => {
    assert.deepEqual(shown('gantry.searchResults', { ...signedIn, 'gantry.search': 'running' }), []);
    assert.deepEqual(shown('gantry.searchResults', { ...signedIn, 'gantry.search': 'ended' }), ['%welcome.noResults%']);
  });

  it('keeps the place of a search once it is cleared, where VS Code would show a terminal instead', () => {
    const { when = '' } = manifest.contributes.views.gantrySearch.find(({ id }) => id === 'gantry.searchResults') ?? {};
    assert.ok(!holds(when, signedIn));
    assert.ok(holds(when, { ...signedIn, 'gantry.search': 'none' }));
    assert.deepEqual(shown('gantry.searchResults', { ...signedIn, 'gantry.search': 'none' }), ['%welcome.cleared%']);
  });

  it('offers to unlock the Access view while it is locked', () => {
    assert.deepEqual(shown('gantry.access', { ...signedIn, 'gantry.accessView': 'locked' }), [
      '%welcome.accessLocked%',
    ]);
    assert.deepEqual(shown('gantry.access', { ...signedIn, 'gantry.accessView': 'open' }), []);
  });

  it('offers to create or add a project where there are only environments', () => {
    assert.deepEqual(shown('gantry.deployments', signedIn), ['%welcome.noProjects%']);
  });
});
