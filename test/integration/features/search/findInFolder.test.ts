import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, env, Selection, type TreeItem, window, workspace } from 'vscode';
import type { SearchElement } from '../../../../src/features/search/searchRows';
import { emptyQuery } from '../../../../src/features/search/searchQuery';
import type { SearchQuery } from '../../../../src/features/search/searchQuery';
import { SearchResultsView } from '../../../../src/features/search/searchResultsView';
import { searchLimits } from '../../../../src/features/search/searchSettings';
import { until } from '../../support/event';
import { gantry } from '../../support/gantry';
import type { Parts } from '../../support/parts';
import { typed } from '../../support/person';
import { descriptionOf, labelOf, labelsBelow, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

const shop = 'Saltmarsh Tea';
const folder = '/srv/find';

describe('Find in Folder', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person } = scene;
  const bl = scene.environment('shop').layer('bl');
  const searched = bl.below(folder);
  let view: Parts['search']['view'];
  let current: Parts['search']['current'];

  before(async () => {
    ({ view, current } = scene.parts.search);
    const files = {
      'a.conf': 'listen 80;\n    server_name shop.example; server_name www;\n',
      'inc/b.php': "<?php\n$server_name = 'x';\n// Server_Name\n",
      'inc/deep/c.txt': 'no such thing\n',
      'inc/deep/d.txt': `${'x'.repeat(400)} server_name ${'y'.repeat(400)}\n`,
      'binary.bin': 'server_name\0',
      'vendor/lib.php': 'server_name',
      'logs/large.log': `server_name\n${'z'.repeat(1_100_000)}`,
    };
    for (const [name, text] of Object.entries(files)) await searched.put(name, text);
    // The environments have their titles once they're listed.
    await scene.parts.environments.of(scene.account);
  });

  beforeEach(() => {
    person.enter();
    scene.platform.journal.reset();
  });

  afterEach(async () => {
    current.clear();
    scene.parts.listings.forgetAll();
    await scene.parts.search.memory.forgetAccount(scene.slug);
  });

  const find = (text: string, more: readonly string[] = []) =>
    person.answering([text, ...more], () => commands.executeCommand('gantry.search.findInFolder', searched.uri('')));
  const search = (text: string, more: Partial<SearchQuery> = {}) =>
    current.start(searched.place(''), { ...emptyQuery, text, ...more });
  const labels = (...path: readonly string[]) => labelsBelow(view, ...path);
  const rows = (...path: readonly string[]) => rowsBelow(view, ...path);
  const row = async (label: string, ...path: readonly string[]): Promise<SearchElement> => {
    const found = (await rows(...path)).find((one) => labelOf(view, one) === label);
    return found ?? assert.fail(`no row ${label}: ${(await labels(...path)).join(' | ')}`);
  };
  const marked = ({ label }: TreeItem) =>
    typeof label === 'object' ? (label.highlights ?? []).map(([from, to]) => label.label.slice(from, to)) : [];
  /** Another view of the same search, whose message and description the test can read. */
  const shownBy = () => {
    const tree: { message?: string; description?: string } = {};
    const other = new SearchResultsView(scene.parts, current, tree, () => Promise.resolve());
    return { tree, view: other };
  };

  it('shows files in the order of their paths, with the lines that match and the matches in them', async () => {
    await find('server_name');
    const files = await rows();
    assert.deepEqual(
      files.map((file) => `${labelOf(view, file)} | ${descriptionOf(view, file)}`),
      [
        'a.conf | 2',
        'b.php | inc · 2',
        'd.txt | inc/deep · 1',
        'Not searched | 1 large file, 1 binary file, 1 excluded folder',
      ],
    );
    assert.deepEqual(await labels('a.conf'), ['2: server_name shop.example; server_name www;']);
    const [line] = await rows('a.conf');
    assert.ok(line);
    assert.deepEqual(marked(view.getTreeItem(line)), ['server_name', 'server_name']);
    const [long] = await rows('d.txt');
    assert.ok(long);
    assert.deepEqual(marked(view.getTreeItem(long)), ['server_name']);
  });

  it('says for a screen reader which file it is, how many results it has, and the line', async () => {
    await find('server_name');
    const spoken = (element: SearchElement) => view.getTreeItem(element).accessibilityInformation?.label;
    assert.equal(spoken(await row('b.php')), 'b.php, inc, 2 results');
    const [first] = await rows('b.php');
    assert.equal(first && spoken(first), "Line 2: $server_name = 'x';");
  });

  it('says that a file was searched only in part, and how much of it', async () => {
    scene.platform.behaviour.readBytes = 8;
    await search('server', { include: 'a.conf' });
    assert.equal(descriptionOf(view, await row('Not searched')), 'the end of 1 file, 1 excluded folder');
    const [left] = await rows('Not searched');
    assert.ok(left);
    assert.equal(labelOf(view, left), 'a.conf');
    assert.match(descriptionOf(view, left), /^The platform returned only 8 B of \d+ B\. It may limit/);
  });

  it('lists everything that was not searched, with the reason', async () => {
    const fault = { kind: 'refuse', result: 8, error: 'no' } as const;
    scene.fail('GetList', fault, { parameters: { path: `${folder}/inc` }, times: 'always' });
    await find('server_name');
    const counts = descriptionOf(view, await row('Not searched'));
    assert.equal(counts, '1 unreadable folder, 1 large file, 1 binary file, 1 excluded folder');
    const left = await rows('Not searched');
    assert.deepEqual(
      left.map((one) => `${labelOf(view, one)}: ${descriptionOf(view, one)}`),
      ['inc: no', 'logs/large.log: too large', 'binary.bin: binary', 'vendor: excluded folder'],
    );
  });

  it('opens a line at its first match', async () => {
    await find('server_name');
    const [line] = await rows('a.conf');
    assert.ok(line);
    const { command } = view.getTreeItem(line);
    assert.ok(command);
    await commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    assert.equal(window.activeTextEditor?.document.getText(window.activeTextEditor.selection), 'server_name');
  });

  it('shows results while it still searches, and that it does', async () => {
    const hang = { kind: 'hang' } as const;
    scene.fail('Read', hang, { parameters: { path: `${folder}/inc/b.php` } });
    const other = shownBy();
    const ended = search('server_name');
    await until(view.onDidChangeTreeData, () => current.search?.matchCount === 3);
    assert.deepEqual(await labels('a.conf'), ['2: server_name shop.example; server_name www;']);
    await until(other.view.onDidChangeTreeData, () => other.tree.message === '3 results in 2 files – still searching…');
    assert.equal(other.tree.description, `server_name · ${folder} (${shop} · ${bl.nodeId()})`);
    scene.platform.faults.clear();
    await ended;
    assert.equal(other.tree.message, '5 results in 3 files.');
    other.view.dispose();
  });

  it('ends its requests when it is canceled, keeps what it found, and says that there is more', async () => {
    scene.hang('Read', { parameters: { path: `${folder}/inc/b.php` } });
    const other = shownBy();
    const ended = search('server_name');
    await until(view.onDidChangeTreeData, () => current.search?.matchCount === 3);
    await commands.executeCommand('gantry.search.cancel');
    await ended;
    assert.equal(other.tree.message, '3 results in 2 files – canceled. Not everything was searched.');
    assert.deepEqual((await labels()).slice(0, 2), ['a.conf', 'd.txt']);
    other.view.dispose();
  });

  it('removes files and lines from the results, and counts what is left', async () => {
    const other = shownBy();
    await find('server_name');
    const [, second] = await rows('b.php');
    await commands.executeCommand('gantry.search.remove', second, [second]);
    assert.equal(descriptionOf(view, await row('b.php')), 'inc · 1');
    const [file, last] = [await row('a.conf'), await row('d.txt')];
    await commands.executeCommand('gantry.search.remove', file, [file, last]);
    assert.deepEqual((await labels()).slice(0, -1), ['b.php']);
    assert.equal(other.tree.message, '1 result in 1 file.');
    other.view.dispose();
  });

  it('searches again with the same query, after it cancels the search under way', async () => {
    const hanging = scene.hang('Read', { parameters: { path: `${folder}/inc/b.php` } });
    const ended = search('Server_Name', { matchCase: true });
    await hanging.reached;
    const first = current.search;
    await commands.executeCommand('gantry.search.again');
    await ended;
    assert.equal(first?.state.kind, 'canceled');
    assert.notEqual(current.search, first);
    assert.deepEqual(await labels('b.php'), ['3: // Server_Name']);
  });

  it('searches again in the files that there are then', async () => {
    await search('green tea');
    await searched.put('inc/since.conf', 'green tea');
    await commands.executeCommand('gantry.search.again');
    await searched.remove('inc/since.conf');
    assert.deepEqual((await labels())[0], 'since.conf');
  });

  it('keeps the IDs of rows, so that VS Code keeps the selection and what is expanded', async () => {
    const ids = async () => (await Promise.all([rows(), rows('b.php')])).flat().map((one) => view.getTreeItem(one).id);
    await find('server_name');
    const before = await ids();
    await commands.executeCommand('gantry.search.again');
    assert.deepEqual(await ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it('remembers text, options and patterns per environment, and forgets them when the account is removed', async () => {
    const { memory } = scene.parts.search;
    await memory.remember(searched.place(''), {
      ...emptyQuery,
      text: 'SERVER',
      matchCase: true,
      isRegex: true,
      include: '*.conf',
    });
    await find('server_(name)');
    assert.deepEqual(person.seen, [
      'Enter the text to find. Options: match case, regular expression. Include: *.conf.',
    ]);
    assert.deepEqual((await labels()).slice(0, -1), ['a.conf']);
    assert.equal(memory.last(searched.place('')).text, 'server_(name)');
    assert.deepEqual(memory.last({ ...searched.place(''), environment: 'blog' }), emptyQuery);
    await memory.forgetAccount(scene.slug);
    assert.deepEqual(memory.last(searched.place('')), emptyQuery);
  });

  it('searches the folder of the active file from the palette, and starts with the selected text', async () => {
    const editor = await window.showTextDocument(searched.uri('inc/b.php'));
    editor.selection = new Selection(1, 1, 1, 12);
    await person.answering(['server'], () => commands.executeCommand('gantry.search.findInFolder'));
    assert.equal(current.search?.scope.folder.path, `${folder}/inc`);
  });

  it('asks for the container and the folder if nothing says where to search', async () => {
    const answers = ['Load balancer', typed(`${folder}/`, `Use this folder ${folder}`), 'server_name'] as const;
    await person.answering(answers, () => commands.executeCommand('gantry.search.findInFolder'));
    assert.equal(current.search?.scope.folder.path, folder);
    assert.equal(current.search.matchCount, 5);
  });

  it('searches the main node of a layer, a folder in the tree, and a favorite, from their rows', async () => {
    const scope = { nodeGroup: 'bl' };
    const favorite = { account: scene.slug, environment: 'shop', scope, keyword: 'found', filter: undefined };
    await scene.parts.sharing.favorites.add({ ...favorite, path: folder, isDir: true });
    const {
      environmentsView,
      sharing: { favoritesView },
    } = scene.parts;
    const layers = await rowsBelow(environmentsView, shop);
    const [nodeRow] = await rowsBelow(environmentsView, shop, 'Load balancer');
    const [favoriteRow] = await rowsBelow(favoritesView, shop);
    const folders = [];
    for (const clicked of [layers[0], nodeRow, favoriteRow]) {
      const started = until(view.onDidChangeTreeData, () => current.search !== undefined);
      const ended = person.answering(['server_name'], () =>
        commands.executeCommand('gantry.search.findInFolder', clicked, [clicked]),
      );
      await started;
      folders.push(current.search?.scope.folder);
      current.clear();
      await ended;
    }
    assert.deepEqual(folders, [bl.place('/'), bl.place('/'), searched.place('')]);
    assert.ok(favoriteRow?.kind === 'favorite');
    await scene.parts.sharing.favorites.remove(favoriteRow.favorite);
  });

  it('offers to sign in when the session ends, and keeps what it found', async () => {
    const other = shownBy();
    // Everything is listed, and one file is read, before the platform rejects the token.
    await search('server_name');
    const fault = { kind: 'refuse', result: 702, error: 'no session' } as const;
    scene.fail('Read', fault, { nth: 2, times: 'always' });
    for (const operation of ['GetList', 'GetTokenTemplates', 'Signin']) {
      scene.fail(operation, fault, { times: 'always' });
    }
    // The user closes the prompt that asks to sign in again.
    await person.answering([], () => search('server_name'));
    const [problem] = await rows();
    assert.equal(problem?.kind, 'problem');
    const { command, contextValue } = view.getTreeItem(problem);
    assert.equal(contextValue, 'problem');
    assert.equal(command?.command, 'gantry.account.signInAgain');
    assert.match(other.tree.message ?? '', /^\d results? in \d files? – stopped: .*\. Not everything was searched\.$/);
    scene.platform.faults.clear();
    const token = await scene.platform.createToken({ description: 'another', tokenTemplate: 'Extended Access' });
    await scene.parts.accounts.replaceToken(scene.slug, { token });
    other.view.dispose();
  });

  it('copies lines as their text, and files with paths and line numbers', async () => {
    await find('server_name');
    const lines = await rows('b.php');
    await commands.executeCommand('gantry.search.copy', lines[0], lines);
    assert.equal(await env.clipboard.readText(), "$server_name = 'x';\n// Server_Name");
    const file = await row('a.conf');
    await commands.executeCommand('gantry.search.copy', file, [file]);
    const copied = `${folder}/a.conf\n  2:     server_name shop.example; server_name www;`;
    assert.equal(await env.clipboard.readText(), copied);
    await commands.executeCommand('gantry.search.copy', file, await view.getChildren());
    assert.match(
      await env.clipboard.readText(),
      /^\/srv\/find\/a\.conf\n[^]*\n\n\/srv\/find\/inc\/b\.php\n  2: \$server_name/,
    );
  });

  it('opens as a search editor, in the format of VS Code', async () => {
    await search('server_name', { matchCase: true, include: '*.conf, *.php', exclude: 'deep' });
    await commands.executeCommand('gantry.search.openEditor');
    const document = window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'search-result');
    assert.equal(
      document.getText(),
      [
        '# Query: server_name',
        '# Flags: CaseSensitive',
        '# Including: *.conf, *.php',
        '# Excluding: deep',
        '',
        `${folder} on node ${bl.nodeId()} (Load balancer), ${shop}`,
        '3 results in 2 files.',
        '',
        `${shop} · ${bl.nodeId()}:${folder}/a.conf:`,
        '  2:     server_name shop.example; server_name www;',
        '',
        `${shop} · ${bl.nodeId()}:${folder}/inc/b.php:`,
        "  2: $server_name = 'x';",
        '',
        'Not searched',
        `  ${folder}/inc/deep: excluded folder`,
        `  ${folder}/vendor: excluded folder`,
        '',
      ].join('\n'),
    );
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('follows the settings, and ignores values that make no sense', async () => {
    const settings = workspace.getConfiguration('gantry.search');
    const set = (name: string, value: unknown) => settings.update(name, value, ConfigurationTarget.Global);
    try {
      await set('maxFileSize', 2);
      await set('exclude', ['*.php']);
      await find('server_name');
      assert.deepEqual((await labels()).slice(0, -1), ['a.conf', 'd.txt', 'large.log']);
      await set('requestsPerSecond', 0);
      await set('exclude', 'vendor');
      assert.deepEqual(searchLimits(), { requestsPerSecond: 100, largestFile: 2 * 1_024 * 1_024, exclude: [] });
    } finally {
      for (const name of ['maxFileSize', 'exclude', 'requestsPerSecond']) await set(name, undefined);
    }
  });

  it('is canceled and dropped when the account is removed', async () => {
    scene.hang('Read', { times: 'always' });
    await scene.parts.search.memory.remember(searched.place(''), { ...emptyQuery, text: 'secret' });
    const ended = search('server_name');
    await until(view.onDidChangeTreeData, () => current.search !== undefined);
    const running = current.search;
    await scene.parts.accounts.remove(scene.slug);
    await ended;
    assert.equal(running?.state.kind, 'canceled');
    assert.deepEqual(await view.getChildren(), []);
    const { search: kept } = await gantry();
    await until(view.onDidChangeTreeData, () => true);
    assert.equal(kept.current.search, undefined);
  });

  it('is not remembered for an account that was signed out while its question was open', async () => {
    const { memory } = scene.parts.search;
    const place = searched.place('');
    await scene.parts.accounts.remove(scene.slug);
    await memory.remember(place, { ...emptyQuery, text: 'secret' });
    assert.deepEqual(memory.last(place), emptyQuery);
  });
});
