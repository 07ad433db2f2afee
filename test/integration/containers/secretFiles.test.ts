import assert from 'node:assert/strict';
import { access, appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  CancellationTokenSource,
  commands,
  ConfigurationTarget,
  env,
  MarkdownString,
  Uri,
  window,
  workspace,
} from 'vscode';
import { placeOnLayer } from '../../../src/containers/place';
import { deployLogUri } from '../../../src/features/deployments/history/deployHistory';
import { savePatch } from '../../../src/features/deployments/nodeEdits/nodeEditsAtRisk';
import type { RedeployFlow } from '../../../src/features/deployments/redeploy/redeploy';
import type { Parts } from '../support/parts';
import { emptyQuery } from '../../../src/features/search/searchQuery';
import { toolNames, type ToolName } from '../../../src/manifest';
import { holdsSecret, searchSecrets } from '../../e2e/support/searchSecrets';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { credentials, webroot } from '../../unit/localPlatform/vcsSetUp';
import { allowAgents, callOrFail, fact, setAgentAccess } from '../support/callTool';
import { DeployedProject } from '../support/deployedProject';
import { closeWithoutSaving, openedBy, openInEditor, replaceAll } from '../support/editing';
import { until } from '../support/event';
import { fileUri, gantry } from '../support/gantry';
import { type Answer, escape, Person, typed } from '../support/person';
import { inAHurry } from '../support/projects';
import { outputOf, terminalFor } from '../support/tasks';
import { setGate } from '../support/terminals';
import { labelsBelow, type Tree } from '../support/trees';

const root = `${webroot}/ROOT`;
const config = `${root}/.git/config`;
const properties = '/var/lib/jelastic/vcs/ROOT.properties';
const log = '/var/log/nginx/vcs_update.log';
/** A text that isn't secret, to prove that a search of what is kept finds what it contains. */
const marker = 'harmless-marker-4711';

describe("a repository's password on the nodes", () => {
  let at: DeployedProject;
  let parts: Parts;
  let person: Person;
  let folder: string;
  let usual: unknown;

  inAHurry();
  before(async () => {
    parts = await gantry();
    at = await DeployedProject.start(vendorDeployments);
    person = new Person();
    folder = await mkdtemp(join(tmpdir(), 'gantry-secrets-'));
    await set('search.exclude', []);
    usual = workspace.getConfiguration('gantry').inspect('versionHistory.keep')?.globalValue;
    await set('versionHistory.keep', 'on');
    await at.deployedOnce({ password: credentials.password });
    await allowAgents();
  });

  afterEach(closeWithoutSaving);

  after(async () => {
    person.leave();
    parts.search.current.clear();
    await set('search.exclude', undefined);
    await set('versionHistory.keep', usual);
    await setAgentAccess(undefined);
    await at.end();
    await rm(folder, { recursive: true, force: true });
  });

  const set = (name: string, value: unknown) =>
    workspace.getConfiguration('gantry').update(name, value, ConfigurationTarget.Global);
  const place = (path: string, node = 0) =>
    placeOnLayer({ account: at.account.slug, name: 'shop' }, 'cp', at.setUp.nodeId(node), path);
  const uri = (path: string) => fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, path);
  const address = (path: string) => `shop/cp~${at.setUp.nodeId(0)}${path}`;
  const holds = (text: string) => holdsSecret(text, [credentials.password]);
  /** VS Code's Markdown isn't in its JSON. */
  const asText = (shown: unknown) =>
    JSON.stringify(shown, (_, value: unknown) => (value instanceof MarkdownString ? value.value : value));
  const assertNone = (outputs: Readonly<Record<string, unknown>>) => {
    for (const [name, output] of Object.entries(outputs)) {
      const text = typeof output === 'string' ? output : JSON.stringify(output);
      assert.equal(holds(text), false, `${name}: ${text}`);
    }
  };
  /** The folder where Gantry keeps files on this computer. */
  const storage = () => dirname(parts.projects.history.folder);
  const failing = (work: Thenable<unknown>): Promise<string> =>
    Promise.resolve(work).then(
      () => assert.fail('it worked'),
      (error: unknown) => String(error),
    );

  it('is there, and in the editor if a person opens one of these files', async () => {
    for (const path of [config, properties, log]) {
      const { document } = await window.showTextDocument(uri(path));
      assert.ok(holds(document.getText()), path);
    }
  });

  it('is in no results of a search, and in no list of files', async () => {
    const { current, view } = parts.search;
    for (const searched of ['/var/lib/jelastic', `${root}/.git`, root, '/var/log']) {
      const query = { ...emptyQuery, text: 'URL|PASSWORD|spawn|marit', isRegex: true };
      await current.start(place(searched), query);
      const files = await view.getChildren();
      const rows = await Promise.all(files.map((file) => view.getChildren(file)));
      await commands.executeCommand('gantry.search.copy', files[0], files);
      const copied = await env.clipboard.readText();
      const { document } = await openedBy(() => commands.executeCommand('gantry.search.openEditor'));
      const text = document.getText();
      assertNone({ files, rows, copied, text });
      assert.match(text, searched === '/var/log' ? /spawn git clone http:\/\/•+@/ : /Not searched|No results/);
      await closeWithoutSaving();
    }
    await current.start(place('/var/log'), { ...emptyQuery, text: encodeURIComponent(credentials.password) });
    assert.deepEqual(await labelsBelow(view), []);
    await person.answering([escape], () => commands.executeCommand('gantry.search.goToFile', uri(root)));
    assertNone({ goToFile: person.seen });
  });

  it('is in no version, no record of an edit, and no other file that Gantry keeps', async () => {
    for (const path of [config, `${root}/index.php`]) {
      const document = await openInEditor(uri(path));
      await replaceAll(document, `${document.getText()}\n# ${marker}\n`);
      const saved = path === config ? undefined : until(at.parts.nodeEditLog.onDidChange, () => true);
      assert.ok(await document.save(), path);
      await saved;
    }
    assert.ok((await searchSecrets(storage(), [marker])).some((file) => file.includes('journal')));
    assert.deepEqual(await searchSecrets(storage(), [credentials.password]), []);
  });

  it('is in no patch, nor in what a redeploy is about to discard', async () => {
    const file = join(folder, 'edits.patch');
    const { showSaveDialog } = window;
    Object.assign(window, { showSaveDialog: () => Promise.resolve(Uri.file(file)) });
    const seen: unknown[] = [];
    const flow: RedeployFlow = at.parts.flow;
    await flow
      .perform({ place: at.place, consent: 'byTask' }, async ({ request, edits, local }) => {
        seen.push((await savePatch(request.place, edits, local?.repository.root))?.fsPath);
        return undefined;
      })
      .finally(() => Object.assign(window, { showSaveDialog }));
    const patch = await readFile(file, 'utf8');
    assertNone({ patch });
    assert.deepEqual(seen, [file]);
    assert.ok(patch.includes(marker));
  });

  it('is in no log that is shown, and no file with it is shown as a log', async () => {
    const { document } = await openedBy(() => commands.executeCommand('gantry.logs.open', uri(log)));
    const text = document.getText();
    assert.match(text, /spawn git clone http:\/\/•••@/);
    assertNone({ text });
    const seen: string[] = [];
    for (const path of [config, properties]) {
      await person.answering([], () => commands.executeCommand('gantry.logs.open', uri(path)));
      seen.push(...person.seen);
    }
    assert.match(seen.join('\n'), /Couldn't show config as a log: it contains the login of a repository/);
    assertNone({ seen });
  });

  it('is in no result, log or message of a redeploy, also if it fails', async () => {
    await at.secondCommit();
    const done = await at.redeploy();
    const document = await workspace.openTextDocument(deployLogUri(done));
    assertNone({ done, text: document.getText() });
    await rm(at.setUp.file(`${root}/.git`), { recursive: true });
    const again = await at.redeploy();
    assertNone({ again, text: (await workspace.openTextDocument(deployLogUri(again))).getText() });
    await at.setUp.server.close();
    await rm(at.setUp.file(`${root}/.git`), { recursive: true });
    const failed = await at.redeploy();
    assert.equal(failed.verdict.kind, 'failed');
    const text = (await workspace.openTextDocument(deployLogUri(failed))).getText();
    const message = await at.errorShownFor(failed);
    assertNone({ failed, text, message });
    assert.deepEqual(await searchSecrets(storage(), [credentials.password]), []);
  });

  it('is in no result of a tool, and in no question about one', async () => {
    const outputs: Record<string, string> = {};
    const { token } = new CancellationTokenSource();
    const call = async (name: ToolName, input: object) => {
      const key = `${name} ${JSON.stringify(input)}`;
      const asked = await parts.agentTools.prepare(name, input, token).catch(String);
      outputs[`before ${key}`] = asText(asked);
      outputs[key] = await callOrFail(name, input);
      return outputs[key];
    };
    for (const path of [`${root}/.git/config`, properties, log]) {
      const read = await call('gantry_read_file', { place: address(path) });
      await call('gantry_read_log', { place: address(path) });
      // The question shows the lines around the edit.
      const edits = [{ oldText: 'Cloning into', newText: 'Cloned into' }];
      await call('gantry_edit_file', { place: address(path), version: fact(read, 'version'), edits });
    }
    for (const path of ['/var/lib/jelastic', root, '/var/log']) {
      await call('gantry_search_files', { place: address(path), text: '.', isRegex: true, limit: 1000 });
      await call('gantry_list_folder', { place: address(path) });
    }
    await call('gantry_list_environments', { environment: 'shop' });
    await call('gantry_redeploy', { environment: 'shop', project: 'ROOT' });
    await call('gantry_restart_service', { place: address('') });
    const called = new Set(Object.keys(outputs).map((key) => key.replace(/^before /, '').split(' ')[0]));
    assert.deepEqual([...called].sort(), [...toolNames].sort());
    const all = Object.values(outputs).join('\n');
    assert.match(all, /the login of a repository, which tools never return/);
    assert.match(all, /spawn git clone http:\/\/•+@/);
    assertNone(outputs);
  });

  it('is in no row of a view, and in no question or page about the project', async () => {
    const { favoritesView, mountsView } = parts.sharing;
    const views: Readonly<Record<string, Tree<unknown>>> = {
      environments: parts.environmentsView,
      favorites: favoritesView,
      mounts: mountsView,
      access: parts.accessView,
      deployments: parts.projects.view,
    };
    const rowsIn = async (view: Tree<unknown>, depth: number, above?: unknown): Promise<readonly string[]> => {
      const rows = await view.getChildren(above);
      const below = await Promise.all(depth === 0 ? [] : rows.map((row) => rowsIn(view, depth - 1, row)));
      return [...rows.map((row) => asText(view.getTreeItem(row))), ...below.flat()];
    };
    for (const [name, view] of Object.entries(views)) {
      assertNone({ [name]: await rowsIn(view, 4) });
    }
    const ask = async (command: string, ...answers: readonly Answer[]) => {
      await person.answering(answers, () => commands.executeCommand(command, at.place));
      const text = window.activeTextEditor?.document.getText() ?? '';
      assertNone({ [command]: [...person.seen, text, await env.clipboard.readText()] });
    };
    await ask('gantry.project.edit', escape);
    await ask('gantry.project.rollBack', escape);
    await ask('gantry.project.rollBack', typed('ab'.repeat(20), 'Deploy commit'), { presses: 'Copy Commands' });
    await ask('gantry.project.delete', escape);
    await ask('gantry.project.checkDrift');
    await ask('gantry.project.showLog');
  });

  it('is in no output of a task', async () => {
    const shop = { environment: 'shop', node: at.setUp.nodeId(0) };
    const find = await outputOf(await terminalFor({ ...shop, action: 'find', path: '/var/log', text: 'spawn' }));
    const { output: redeployed } = await outputOf(await terminalFor({ environment: 'shop', project: 'ROOT' }));
    const terminal = await terminalFor({ ...shop, action: 'followLog', path: log, until: marker });
    let shown = '';
    terminal.onDidWrite((text) => (shown += text));
    const ended = outputOf(terminal);
    await until(terminal.onDidWrite, () => shown.includes('spawn'));
    const line = (await readFile(at.setUp.file(log), 'utf8'))
      .split('\n')
      .find((one) => one.includes('spawn git clone'));
    await appendFile(at.setUp.file(log), `${line ?? ''}\n${marker}\n`);
    const { output: followed } = await ended;
    assert.match(find.output, /spawn git clone http:\/\/•+@/);
    assert.match(followed, new RegExp(`spawn git clone http://•+@[^]*${marker}`));
    assertNone({ find: find.output, redeployed, followed });
  });

  it('is in no compatibility report, and in no command for a terminal', async () => {
    const node = String(at.setUp.nodeId(0));
    const { document } = await openedBy(() =>
      person.answering([node, 'Show Report'], () =>
        commands.executeCommand('gantry.platform.checkCompatibility', at.account.slug),
      ),
    );
    const report = document.getText();
    assert.match(report, /Platform Compatibility/);
    await person.answering([], () => commands.executeCommand('gantry.platform.copyReport', at.account.slug));
    const copied = await env.clipboard.readText();
    await setGate({ [at.account.host]: 'gate.example.com:22' });
    await commands.executeCommand('gantry.terminal.copyCommand', uri(root));
    await setGate(undefined);
    assertNone({ report, copied, command: await env.clipboard.readText() });
  });

  it('is in no comparison with what was deployed, no diagnostics, and no output', async () => {
    const compared = await failing(commands.executeCommand('gantry.edits.compare', uri(config))).catch(String);
    await commands.executeCommand('gantry.diagnostics.copy');
    const diagnostics = await env.clipboard.readText();
    assertNone({ compared, diagnostics, seen: person.seen });
    const logs = join(storage(), '../../../logs');
    await access(logs);
    assert.deepEqual(await searchSecrets(logs, [credentials.password]), []);
  });
});
